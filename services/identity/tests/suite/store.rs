//! Tests of the store.
use std::{collections::BTreeMap, time::Duration};

use sahm_chassis::{
    Context, Error, ErrorCode, Process, ServiceName, Settings,
    service::{Seeding, Service},
    settings::DatabaseUrl,
};
use sahm_identity::{
    domain::{Budget, Feedback, FeedbackHead, Password, Phone, SessionToken, Ticket},
    store::{IdentityStore, NewSession},
};
use sahm_testkit::SmallDisk;
use sea_orm::{ConnectionTrait, Statement};

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

/// Waits until a statement on this PostgreSQL database waits for a lock of another transaction.
async fn until_blocked(store: &IdentityStore) {
    let sql = "SELECT 1 FROM pg_stat_activity \
               WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let reader = store.inner().reader();
    let blocked = Statement::from_string(reader.get_database_backend(), sql);
    let waited = tokio::time::timeout(Duration::from_secs(30), async {
        while reader.query_one_raw(blocked.clone()).await.unwrap().is_none() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    waited.await.expect("nothing is blocked");
}

/// Only PostgreSQL runs two transactions at once.
#[tokio::test]
async fn event_counts_when_its_budget_is_swept_concurrently() {
    let store = IdentityStore::open(&fresh_database().await.parse().unwrap()).await.unwrap();
    let budgets = [Budget { suspect_at: 1, ..Budget::of_password(1) }];
    let later = NOW + 86_400;
    store.consume(&budgets, NOW).await.unwrap();
    let consumed = store.inner().write(async |tx| {
        tx.execute_unprepared("SELECT 1 FROM budget FOR UPDATE").await?;
        let (consuming, budgets) = (store.clone(), budgets.clone());
        let consumed = tokio::spawn(async move { consuming.consume(&budgets, later).await });
        until_blocked(&store).await;
        tx.execute_unprepared("DELETE FROM budget").await?;
        Ok(consumed)
    });
    consumed.await.unwrap().await.unwrap().unwrap();
    assert!(store.looks_suspect(&budgets, later).await.unwrap(), "the event is lost");
}

/// Two transactions that each wait for a row of the other one are a deadlock.
#[tokio::test]
async fn sweep_does_not_wait_for_a_budget_in_use() {
    let store = IdentityStore::open(&fresh_database().await.parse().unwrap()).await.unwrap();
    for member in [1, 2] {
        store.consume(&[Budget::of_password(member)], NOW).await.unwrap();
    }
    let swept = store.inner().write(async |tx| {
        let in_use = "SELECT 1 FROM budget WHERE budget_key = 'password 1' FOR UPDATE";
        tx.execute_unprepared(in_use).await?;
        let swept = store.sweep(NOW + 86_400, Duration::MAX);
        Ok(tokio::time::timeout(Duration::from_secs(5), swept).await)
    });
    let swept = swept.await.unwrap().expect("the sweep waits for the budget in use");
    assert_eq!(swept.unwrap(), 1);
    assert_eq!(store.sweep(NOW + 86_400, Duration::MAX).await.unwrap(), 1);
}
