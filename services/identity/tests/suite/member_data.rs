//! Members' rights over the data of this service, on both engines.

use std::time::Duration;

use futures_util::TryStreamExt;
use sahm_chassis::{
    clock::Clock,
    member_data::{Erasure, MemberDataStore, stream_records},
    settings::DatabaseUrl,
};
use sahm_identity::{
    domain::{
        AccountChange, AccountStatus, Budget, Email, Feedback, FeedbackFile, FeedbackHead,
        Password, Phone, PictureKind, Scene, SessionToken, Ticket,
    },
    store::{IdentityMemberData, IdentityStore, NewCode, NewSession},
};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::support::{NOW, fresh_database};

/// The numbers of the two members. They share a range.
const PHONES: [&str; 2] = ["512345678", "512345679"];

/// The lifetime of a session in seconds: 30 days.
const SESSION_LIFETIME: u32 = 2_592_000;

/// The records of a member as `[kind, record]`.
async fn exported(data: &IdentityMemberData, member: u64) -> Vec<Value> {
    let records = stream_records(|records| data.export_member(member, records));
    records.map_ok(|one| json!([one.kind, one.record])).try_collect().await.unwrap()
}

/// Stores feedback with two files.
async fn add_feedback(store: &IdentityStore, number: u64, member: Option<u64>) {
    let file = |name: &str, kind, bytes: &[u8]| FeedbackFile {
        name: name.to_owned(),
        kind,
        bytes: bytes.to_vec(),
    };
    let feedback = Feedback {
        ticket: Ticket::new(NOW, number),
        head: FeedbackHead::parse("Order", "Content", "a@b.co").unwrap(),
        member,
        created_at: NOW + 3,
        files: vec![file("b.bmp", PictureKind::Bmp, b"b"), file("a.png", PictureKind::Png, b"a")],
    };
    store.add_feedback(feedback).await.unwrap();
}

/// Signs up a member and stores records of each kind.
async fn member_with_records(store: &IdentityStore, phone: &str) -> u64 {
    let phone = Phone::parse("966", phone).unwrap();
    let member = store.sign_up(&phone, NOW).await.unwrap().id;
    let status = AccountStatus {
        status: 5,
        opened: true,
        opened_saudi: true,
        hs_no: Some(format!("SA-{member}")),
        is_obtain_sns: true,
    };
    let email = Email::parse(&format!("{member}@sahm.example"));
    store.set_account(member, AccountChange::replace(status, email)).await.unwrap();
    let hash = Password::to_set("Strong#1234").unwrap().hash().unwrap();
    assert!(store.set_password(member, None, &hash, None).await.unwrap());
    for (name, created_at) in [("later", NOW + 2), ("earlier", NOW + 1)] {
        let (id, token) = (format!("{name}-{member}"), SessionToken::random());
        let session = NewSession { id: &id, token: &token };
        assert!(store.begin_session(session, member, Some(&hash), created_at).await.unwrap());
    }
    let code = NewCode { phone: &phone, scene: Scene::PasswordLogin, nonce: "n", hash: b"hash" };
    let address = "192.0.2.1".parse().ok();
    store.put_code(code, &Budget::of_code(&phone, address), NOW).await.unwrap();
    store.consume(&Budget::of_code_login(&phone, address), NOW).await.unwrap();
    add_feedback(store, member * 10, Some(member)).await;
    add_feedback(store, member * 10 + 1, Some(member)).await;
    member
}

async fn member_is_exported_and_erased_alone(url: DatabaseUrl) {
    let store = IdentityStore::open(&url).await.unwrap();
    let data = IdentityMemberData { store: store.clone(), clock: Clock::fixed(NOW + 9) };
    let first = member_with_records(&store, PHONES[0]).await;
    let second = member_with_records(&store, PHONES[1]).await;
    add_feedback(&store, 1, None).await;

    let session = |created_at: u32| {
        let expires_at = created_at + SESSION_LIFETIME;
        json!(["session", { "createdAt": created_at, "expiresAt": expires_at }])
    };
    let feedback = |ticket: &str| {
        json!(["feedback", {
            "ticket": ticket,
            "subject": "Order",
            "content": "Content",
            "contact": "a@b.co",
            "createdAt": NOW + 3,
        }])
    };
    let file = |ticket: &str, name: &str, content_type: &str, content: &str| {
        json!(["feedback_file", {
            "ticket": ticket,
            "name": name,
            "contentType": content_type,
            "content": content,
        }])
    };
    let tickets = [0, 1].map(|one| Ticket::new(NOW, first * 10 + one).as_str().to_owned());
    let mut expected = vec![
        json!(["member", {
            "id": first,
            "telCode": "966",
            "phone": "512345678",
            "email": format!("{first}@sahm.example"),
            "hasPassword": true,
            "status": 5,
            "opened": true,
            "openedSaudi": true,
            "hsNo": format!("SA-{first}"),
            "isObtainSns": true,
            "inviteCode": "",
            "createdAt": NOW,
        }]),
        session(NOW + 1),
        session(NOW + 2),
    ];
    for ticket in &tickets {
        expected.push(feedback(ticket));
        expected.push(file(ticket, "b.bmp", "image/bmp", "Yg=="));
        expected.push(file(ticket, "a.png", "image/png", "YQ=="));
    }
    assert_eq!(exported(&data, first).await, expected);
    let others = exported(&data, second).await;
    assert_eq!(others.len(), expected.len());
    let nobody = first + second;
    assert_eq!(exported(&data, nobody).await, Vec::<Value>::new());

    let erasure = |member, reason: &str| Erasure {
        member,
        reason: reason.to_owned(),
        caller: None,
        operator: None,
    };
    let erased = [
        ("member", 1),
        ("session", 2),
        ("auth_code", 1),
        ("budget", 2),
        ("feedback", 2),
        ("feedback_file", 4),
    ];
    let nothing = erased.map(|(table, _)| (table, 0));
    assert_eq!(data.erase_member(&erasure(first, "R-1")).await.unwrap(), erased);
    assert_eq!(data.erase_member(&erasure(first, "R-2")).await.unwrap(), nothing);
    assert_eq!(data.erase_member(&erasure(nobody, "R-3")).await.unwrap(), nothing);
    assert_eq!(exported(&data, first).await, Vec::<Value>::new());
    assert_eq!(exported(&data, second).await, others);
    // The other member's code, budgets and sessions are there too.
    let by_operator = Erasure {
        caller: Some("gateway".to_owned()),
        operator: Some("reem".to_owned()),
        ..erasure(second, "R-4")
    };
    assert_eq!(data.erase_member(&by_operator).await.unwrap(), erased);
    // Only the feedback of a visitor stays, and the budgets of the range, the address (of codes and
    // of logins) and of all.
    assert_eq!(store.list_feedback(0, 10).await.unwrap().len(), 1);
    assert_eq!(store.sweep(NOW + 86_400, Duration::MAX).await.unwrap(), 4);

    // As the previous release writes it, which does not know the operator.
    let previous = "INSERT INTO member_erasure (member_id, reason, erased_at) VALUES (1, 'R-5', 0)";
    store.inner().write(async |tx| Ok(tx.execute_unprepared(previous).await?)).await.unwrap();

    let reader = store.inner().reader();
    let sql = "SELECT member_id, reason, caller, operator, erased_at \
               FROM member_erasure ORDER BY number";
    let statement = Statement::from_string(reader.get_database_backend(), sql);
    let audit = reader.query_all_raw(statement).await.unwrap();
    let audit = audit.iter().map(|row| {
        let member = row.try_get_by_index::<i64>(0).unwrap().unsigned_abs();
        let reason = row.try_get_by_index::<String>(1).unwrap();
        let [caller, operator] =
            [2, 3].map(|index| row.try_get_by_index::<Option<String>>(index).unwrap());
        (member, reason, caller, operator, row.try_get_by_index::<i64>(4).unwrap())
    });
    let erased_at = i64::from(NOW + 9);
    let expected = [
        (first, "R-1", None, None, erased_at),
        (first, "R-2", None, None, erased_at),
        (nobody, "R-3", None, None, erased_at),
        (second, "R-4", Some("gateway"), Some("reem"), erased_at),
        (1, "R-5", None, None, 0),
    ];
    let expected = expected.map(|(member, reason, caller, operator, erased_at)| {
        let [caller, operator] = [caller, operator].map(|name| name.map(str::to_owned));
        (member, reason.to_owned(), caller, operator, erased_at)
    });
    assert_eq!(audit.collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn member_is_exported_and_erased_alone_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::file(folder.path().join("identity.sqlite"));
    member_is_exported_and_erased_alone(url).await;
}

#[tokio::test]
async fn member_is_exported_and_erased_alone_on_postgres() {
    let url = fresh_database().await.parse().unwrap();
    member_is_exported_and_erased_alone(url).await;
}
