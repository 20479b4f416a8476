//! Tests of the store.
use std::collections::BTreeMap;

use sahm_chassis::{
    Context, Error, ErrorCode, Process, ServiceName, Settings,
    service::{Seeding, Service},
    settings::DatabaseUrl,
};
use sahm_identity::{
    domain::{Feedback, FeedbackHead, Password, Phone, SessionToken, Ticket},
    store::{IdentityStore, NewSession},
};
use sahm_testkit::SmallDisk;

use crate::support::{NOW, fresh_database};

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
            let session = NewSession { id: &id, token };
            return store.begin_session(session, member, None, NOW).await.map(drop);
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
    let mut stored = Vec::new();
    for (number, token) in &tokens {
        stored.extend(store.session(token, NOW).await.unwrap().map(|_| *number));
    }
    for (number, ticket) in &tickets {
        stored.extend(store.feedback(ticket).await.unwrap().map(|_| *number));
    }
    stored.sort_unstable();
    assert_eq!(stored, acknowledged);
}

/// The password is replaced only if it is still the one that the caller has read.
#[tokio::test]
async fn password_is_replaced_only_if_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = DatabaseUrl::file(folder.path().join("identity.sqlite"));
    for url in [sqlite, fresh_database().await.parse().unwrap()] {
        let store = IdentityStore::open(&url).await.unwrap();
        let phone = |number| Phone::parse("966", number).unwrap();
        let member = store.sign_up(&phone("512345678"), NOW).await.unwrap().id;
        let other = store.sign_up(&phone("512345679"), NOW).await.unwrap().id;
        let passwords = ["First#1234", "Second#1234"].map(|text| Password::to_set(text).unwrap());
        let hashes = [0, 1].map(|at: usize| passwords[at].hash().unwrap());
        let mut tokens = Vec::new();
        for (id, owner) in [("kept", member), ("ended", member), ("other", other)] {
            let token = SessionToken::random();
            let session = NewSession { id, token: &token };
            assert!(store.begin_session(session, owner, None, NOW).await.unwrap());
            tokens.push((id, token));
        }
        struct Change {
            replaced: Option<usize>,
            by: usize,
            is_set: bool,
            password: Option<usize>,
            sessions: &'static [&'static str],
        }
        let all: &[&str] = &["kept", "ended", "other"];
        for Change { replaced, by, is_set, password, sessions } in [
            Change { replaced: Some(0), by: 1, is_set: false, password: None, sessions: all },
            Change {
                replaced: None,
                by: 0,
                is_set: true,
                password: Some(0),
                sessions: &["kept", "other"],
            },
            Change {
                replaced: None,
                by: 1,
                is_set: false,
                password: Some(0),
                sessions: &["kept", "other"],
            },
            Change {
                replaced: Some(1),
                by: 1,
                is_set: false,
                password: Some(0),
                sessions: &["kept", "other"],
            },
            Change {
                replaced: Some(0),
                by: 1,
                is_set: true,
                password: Some(1),
                sessions: &["kept", "other"],
            },
        ] {
            let row = format!("{replaced:?} by {by}");
            let replaced = replaced.map(|at| &hashes[at]);
            let set = store.set_password(member, replaced, &hashes[by], Some("kept")).await;
            assert_eq!(set.unwrap(), is_set, "{row}");
            let stored = store.account_of(member).await.unwrap().unwrap().password;
            assert_eq!(stored.is_some(), password.is_some(), "{row}");
            for (at, one) in passwords.iter().enumerate() {
                assert_eq!(one.matches_hash(stored.as_ref()), password == Some(at), "{row}");
            }
            let mut live = Vec::new();
            for (id, token) in &tokens {
                live.extend(store.session(token, NOW).await.unwrap().map(|_| *id));
            }
            assert_eq!(live, sessions, "{row}");
        }
        assert!(store.account_of(other).await.unwrap().unwrap().password.is_none());
        assert!(!store.set_password(999, None, &hashes[0], None).await.unwrap());
        // A login whose password was replaced while it was verified begins no session.
        let session = NewSession { id: "late", token: &SessionToken::random() };
        for (member, password, begins) in [
            (member, Some(&hashes[0]), false),
            (member, None, false),
            (999, None, false),
            (member, Some(&hashes[1]), true),
        ] {
            assert_eq!(store.begin_session(session, member, password, NOW).await.unwrap(), begins);
        }
    }
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
