//! Attacks on the running site, each a few bytes and a check (contract §6, §8). Every check is
//! proven on [`naive`], a server that has the fault which the attack looks for: one that finds
//! nothing there fails the suite as well.
//!
//! - `poisoning`: what one visitor sends shows on another's page.
//! - `deception`: a member's page is kept for others.
//! - `desync`: two ends disagree where a request ends.
//! - `injection`: headers, redirects, logs and metadata made by what was sent.
//! - `scenarios`: those that take more than bytes: codes, enumeration, floods.

mod deception;
mod desync;
mod injection;
mod naive;
mod poisoning;
mod scenarios;
mod wire;

use std::net::SocketAddr;

use futures_util::{StreamExt, stream};

use self::wire::Reply;
pub(crate) use self::{
    naive::{Naive, SECRET},
    scenarios::{member, member_at},
};
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
}

/// The answers of each connection; an error says what the attack achieved.
type Check = Box<dyn Fn(&[Vec<Reply>]) -> Result<(), String> + Send + Sync>;

impl Attack {
    fn new(
        name: impl Into<String>,
        sends: Vec<Vec<u8>>,
        check: impl Fn(&[Vec<Reply>]) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), sends, check: Box::new(check) }
    }

    async fn on(&self, address: SocketAddr) -> Result<(), String> {
        let mut conversations = Vec::new();
        for bytes in &self.sends {
            conversations.push(wire::send(address, bytes).await);
        }
        (self.check)(&conversations)
    }
}

/// The first answer of a connection, or why there is none.
fn first(conversations: &[Vec<Reply>], at: usize) -> Result<&Reply, String> {
    conversations.get(at).and_then(|replies| replies.first()).ok_or(format!("no answer {at}"))
}

fn attacks(cookie: &str) -> Vec<Attack> {
    [
        poisoning::attacks(),
        deception::attacks(cookie),
        desync::attacks(),
        injection::attacks(cookie),
    ]
    .into_iter()
    .flatten()
    .collect()
}

async fn achieved(attacks: &[Attack], address: SocketAddr) -> Vec<(&str, Result<(), String>)> {
    stream::iter(attacks)
        .map(async |attack| (attack.name.as_str(), attack.on(address).await))
        .buffer_unordered(AT_ONCE)
        .collect()
        .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_attack_achieves_anything() {
    let site = Site::shared().await;
    let cookie = member(site).await;
    let attacks = attacks(&cookie);
    assert!(attacks.len() >= AT_LEAST, "{} attacks", attacks.len());
    let achieved = achieved(&attacks, site.gateways[0].address).await;
    let faults = achieved
        .into_iter()
        .filter_map(|(name, outcome)| outcome.err().map(|what| format!("{name}: {what}")))
        .collect::<Vec<_>>();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert_eq!(panics(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_check_finds_its_fault_on_a_server_that_has_it() {
    let naive = Naive::start().await;
    let attacks = attacks("sahm_session=a.b");
    let achieved = achieved(&attacks, naive.address).await;
    let blind = achieved
        .into_iter()
        .filter_map(|(name, outcome)| outcome.is_ok().then_some(name))
        .collect::<Vec<_>>();
    assert!(blind.is_empty(), "{} checks find nothing:\n{}", blind.len(), blind.join("\n"));
    let log = naive.log();
    assert!(injection::forged_lines(&log) > 0, "the log check finds nothing");
}
