//! Tests of the store.
use std::collections::BTreeMap;

use sahm_chassis::{
    Context, Error, ErrorCode, Process, ServiceName, Settings,
    service::{Seeding, Service},
    settings::DatabaseUrl,
};
use sahm_identity::{
    domain::{Feedback, FeedbackHead, Phone, SessionToken, Ticket},
    store::{IdentityStore, NewSession},
};
use sahm_testkit::SmallDisk;

use crate::support::NOW;

#[tokio::test]
async fn full_disk_loses_no_acknowledged_session_or_feedback() {
    let disk = SmallDisk::mount(8 << 20).unwrap();
    let url = DatabaseUrl::file(disk.path().join("identity.sqlite"));
    let store = IdentityStore::open(&url).await.unwrap();
    let member = store.sign_up(&Phone::parse("966", "512345678").unwrap(), NOW).await.unwrap().id;
    let (mut tokens, mut tickets) = (BTreeMap::new(), BTreeMap::new());
    let write = async |number: u32| {
        if number.is_multiple_of(2) {
            let token = tokens.entry(number).or_insert_with(SessionToken::random);
            let id = format!("session-{number}");
            return store.begin_session(NewSession { id: &id, token }, member, NOW).await;
        }
        let ticket =
            tickets.entry(number).or_insert_with(|| Ticket::new(NOW, number.into())).clone();
        let head = FeedbackHead::parse("Subject", "Content", "+966512345678").unwrap();
        let feedback = Feedback { ticket, head, member: None, created_at: NOW, files: Vec::new() };
        store.add_feedback(feedback).await
    };
    let is_unavailable = |error: &Error| error.code() == ErrorCode::Unavailable;
    let acknowledged = disk.acknowledged_writes(write, is_unavailable).await.unwrap();
    let store = IdentityStore::open(&url).await.unwrap();
    let mut kept = Vec::new();
    for (number, token) in &tokens {
        kept.extend(store.session(token, NOW).await.unwrap().map(|_| *number));
    }
    for (number, ticket) in &tickets {
        kept.extend(store.feedback(ticket).await.unwrap().map(|_| *number));
    }
    kept.sort_unstable();
    assert_eq!(kept, acknowledged);
}

#[tokio::test]
async fn members_are_seeded_on_request_but_not_in_public_environments() {
    for (environment, is_public) in [("uat", false), ("pre", true), ("prod", true)] {
        let folder = tempfile::tempdir().unwrap();
        let pairs = [
            ("SAHM_ENV", environment),
            ("SAHM_DATA_DIR", folder.path().to_str().unwrap()),
            ("SAHM_SESSION_KEYS", "0123456789abcdef0123456789abcdef"),
            ("SAHM_CALLER_TOKENS", "gateway=0123456789abcdef0123456789abcdef"),
        ];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let process = Process::Service(ServiceName::Identity);
        let context = Context::new(Settings::from_pairs(process, pairs).unwrap());
        let seeded = sahm_identity::Identity::open_and_seed(&context.settings).await;
        assert_eq!(seeded.is_err(), is_public, "{environment}: {seeded:?}");
        if !is_public {
            assert_eq!(seeded.unwrap(), Seeding::Filled);
            let again = sahm_identity::Identity::open_and_seed(&context.settings).await;
            assert_eq!(again.unwrap(), Seeding::NotEmpty);
        }
    }
}
