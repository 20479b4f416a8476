//! Attacks on the running site, each a few requests and a check. Every attack must succeed against
//! [`vulnerable_server`], which proves its check.
//!
//! - `poisoning`: input of one visitor appears on another's page.
//! - `deception`: a member's page is cached for others.
//! - `desync`: request smuggling.
//! - `injection`: injected headers and forged identities.
//! - `open_redirects`: redirects to other sites.
//! - `bombs`: decompression bombs.
//! - `forged_logs`: injected log lines.
//! - `scenarios`: attacks of several steps: guessing codes, enumeration, sessions, floods.

mod bombs;
mod deception;
mod desync;
mod forged_logs;
mod injection;
mod open_redirects;
mod poisoning;
mod scenarios;
mod vulnerable_server;
mod wire;

use std::net::SocketAddr;

use futures_util::{StreamExt, stream};

pub(crate) use self::{
    scenarios::{member, member_at, outbox_code},
    vulnerable_server::{SECRET, VulnerableServer},
};
use self::{vulnerable_server::Location, wire::RawResponse};
use crate::kit::{Site, panics};

/// Minimum number of attacks, so that none is lost.
const MIN_ATTACKS: usize = 300;

/// Concurrent attacks.
const CONCURRENCY: usize = 8;

/// An attack: the bytes of each connection, in order, and the check of the responses.
struct Attack {
    name: String,
    sends: Vec<Vec<u8>>,
    check: Check,
    /// The redirect fault of the vulnerable server that the attack exploits, if any.
    location: Option<Location>,
}

/// Checks the responses of each connection; an error describes the success of the attack.
type Check = Box<dyn Fn(&[Vec<RawResponse>]) -> Result<(), String> + Send + Sync>;

impl Attack {
    fn new(
        name: impl Into<String>,
        sends: Vec<Vec<u8>>,
        check: impl Fn(&[Vec<RawResponse>]) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), sends, check: Box::new(check), location: None }
    }

    fn where_sent(self, location: Location) -> Self {
        Self { location: Some(location), ..self }
    }

    async fn on(&self, address: SocketAddr) -> Result<(), String> {
        let mut conversations = Vec::new();
        for bytes in &self.sends {
            conversations.push(wire::send(address, bytes).await);
        }
        (self.check)(&conversations)
    }
}

/// Error of a check without a response, which proves nothing.
const NO_RESPONSE: &str = "no response";

/// The first response of a connection.
fn first(conversations: &[Vec<RawResponse>], at: usize) -> Result<&RawResponse, String> {
    conversations
        .get(at)
        .and_then(|responses| responses.first())
        .ok_or(format!("{NO_RESPONSE} {at}"))
}

fn attacks(cookie: &str) -> Vec<Attack> {
    [
        poisoning::attacks(),
        deception::attacks(cookie),
        desync::attacks(),
        injection::attacks(cookie),
        open_redirects::attacks(),
        bombs::attacks(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attacks_fail_against_the_site() {
    let site = Site::shared().await;
    let cookie = member(site).await;
    let attacks = attacks(&cookie);
    assert!(attacks.len() >= MIN_ATTACKS, "{} attacks", attacks.len());
    let mut names = attacks.iter().map(|attack| &*attack.name).collect::<Vec<_>>();
    names.sort_unstable();
    assert!(names.windows(2).all(|two| two[0] != two[1]), "one stands twice: {names:#?}");
    let address = site.gateways[0].address;
    let faults = stream::iter(&attacks)
        .map(async |attack| (&attack.name, attack.on(address).await))
        .buffer_unordered(CONCURRENCY)
        .filter_map(async |(name, outcome)| outcome.err().map(|what| format!("{name}: {what}")))
        .collect::<Vec<_>>()
        .await;
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert_eq!(panics(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attacks_succeed_against_the_vulnerable_server() {
    let attacks = attacks("sahm_session=a.b");
    let blind = stream::iter(&attacks)
        .map(async |attack| {
            // A new server for each attack, so that attacks do not affect each other.
            let vulnerable = VulnerableServer::sending(attack.location).await;
            (&attack.name, attack.on(vulnerable.address).await)
        })
        .buffer_unordered(CONCURRENCY)
        .filter_map(async |(name, outcome)| match outcome {
            Ok(()) => Some(name.clone()),
            Err(what) => what.starts_with(NO_RESPONSE).then(|| format!("{name}: {what}")),
        })
        .collect::<Vec<_>>()
        .await;
    assert!(blind.is_empty(), "{} checks find nothing:\n{}", blind.len(), blind.join("\n"));
}
