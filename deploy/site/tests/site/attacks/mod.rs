//! Attacks on the running site, each a few bytes and a check (docs/page-cache.md). Every check is
//! proven on [`vulnerable_server`], a server that has the fault which the attack looks for: one that finds
//! nothing there fails the suite as well.
//!
//! - `poisoning`: what one visitor sends shows on another's page.
//! - `deception`: a member's page is kept for others.
//! - `desync`: two ends disagree where a request ends.
//! - `injection`: headers made by what was sent, and members made by headers.
//! - `open_redirects`: redirects that lead away from the site.
//! - `bombs`: bodies that are large once they are unpacked.
//! - `forged_logs`: log lines made by what was sent.
//! - `scenarios`: those that take more than bytes: codes, enumeration, floods.

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
use self::{vulnerable_server::Location, wire::Reply};
use crate::kit::{Site, panics};

/// Fewer would be another suite.
const AT_LEAST: usize = 300;

/// Attacks under way at once.
const AT_ONCE: usize = 8;

/// What is sent, each on a connection of its own and in order, and what must not have happened.
struct Attack {
    name: String,
    sends: Vec<Vec<u8>>,
    check: Check,
    /// How the server that has the fault sends people elsewhere, where that is the fault.
    location: Option<Location>,
}

/// The answers of each connection; an error says what the attack achieved.
type Check = Box<dyn Fn(&[Vec<Reply>]) -> Result<(), String> + Send + Sync>;

impl Attack {
    fn new(
        name: impl Into<String>,
        sends: Vec<Vec<u8>>,
        check: impl Fn(&[Vec<Reply>]) -> Result<(), String> + Send + Sync + 'static,
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

/// What a check says that found nothing: a server that does not answer has none of the faults.
const NO_ANSWER: &str = "no answer";

/// The first answer of a connection, or why there is none.
fn first(conversations: &[Vec<Reply>], at: usize) -> Result<&Reply, String> {
    conversations.get(at).and_then(|replies| replies.first()).ok_or(format!("{NO_ANSWER} {at}"))
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
    assert!(attacks.len() >= AT_LEAST, "{} attacks", attacks.len());
    let mut names = attacks.iter().map(|attack| &*attack.name).collect::<Vec<_>>();
    names.sort_unstable();
    assert!(names.windows(2).all(|two| two[0] != two[1]), "one stands twice: {names:#?}");
    let address = site.gateways[0].address;
    let faults = stream::iter(&attacks)
        .map(async |attack| (&attack.name, attack.on(address).await))
        .buffer_unordered(AT_ONCE)
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
            // One each: what an attack leaves behind is not found by the next.
            let vulnerable = VulnerableServer::sending(attack.location).await;
            (&attack.name, attack.on(vulnerable.address).await)
        })
        .buffer_unordered(AT_ONCE)
        .filter_map(async |(name, outcome)| match outcome {
            Ok(()) => Some(name.clone()),
            Err(what) => what.starts_with(NO_ANSWER).then(|| format!("{name}: {what}")),
        })
        .collect::<Vec<_>>()
        .await;
    assert!(blind.is_empty(), "{} checks find nothing:\n{}", blind.len(), blind.join("\n"));
}
