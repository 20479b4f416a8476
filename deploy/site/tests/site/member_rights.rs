//! Members' rights over their data (docs/operations/member-rights.md): a member is exported and erased by the command,
//! and afterwards no table of any store and no file contains data of the member. On a real `sahm` and its SQLite files;
//! the tests of each service's store run on PostgreSQL too.

use std::{path::PathBuf, time::Duration};

use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use serde_json::{Value, json};

use crate::{
    attacks::{SECRET, member_at},
    kit::{Client, Folder, Program, free_address, pairs, run, until},
    process::settings,
};

/// A text that the member writes, also in a file, to find it in all stores.
const MARK: &str = "marked-by-the-member";

/// The member's telephone number and email address.
const PHONE: &str = "500000007";
const EMAIL: &str = "saudi@sahm.example";

/// The texts that no store holds after the erasure.
const PERSONAL: [&str; 4] = [MARK, SECRET, PHONE, EMAIL];

/// Time within which log lines are written.
const LOG_TIMEOUT: Duration = Duration::from_secs(10);

/// The operator who exports and erases.
const OPERATOR: &str = "reem";

/// Tables that retain the member's number (`sahm.privacy.v1`), so that draws can be verified and erasures proven.
const RETAINED_TABLES: [&str; 2] = ["ticket", "member_erasure"];

/// The services that store data about members.
const SERVICES: [&str; 4] = ["identity", "activity", "attribution", "content"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn erased_member_remains_in_no_store() {
    let folder = Folder::new();
    let mut settings = settings(&folder);
    for service in SERVICES {
        let (address, name) = (free_address(), service.to_ascii_uppercase());
        let (listen, url) = (format!("SAHM_{name}_LISTEN"), format!("SAHM_{name}_URL"));
        settings.retain(|(name, _)| *name != listen);
        settings.extend(pairs([(&*listen, &*address), (&*url, &format!("http://{address}"))]));
    }
    let mut sahm = Program::start("sahm", settings.clone());
    let address = sahm.wait_for_output("ready http://").await.parse().unwrap();
    let client = Client::new(address);
    let cookie = member_at(address).await;
    let post = async |path: &str, body: Value| {
        let headers = [("content-type", "application/json"), ("cookie", &*cookie)];
        let response = client.send("POST", path, &headers, body.to_string()).await;
        assert_eq!(response.status, 200, "{path}: {}", response.text());
        response.json()
    };
    let member_id = post("/api/passport/member/check", json!({})).await["data"]["mid"].clone();
    let member_id = member_id.as_str().unwrap().to_owned();
    post("/api/news/like/operate", json!({ "contentId": "1001", "like": true })).await;
    post("/api/activity/invite/join", json!({ "activityId": "6666" })).await;
    let event = json!({
        "eventName": "footer_exposure",
        "eventValue": format!(r#"{{"note":"{MARK}"}}"#),
        "deviceNo": MARK,
        "memberId": member_id,
    });
    post("/api/event-report/report", event).await;
    let part = |name: &str, value: &str| {
        format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let fields = [("subject", MARK), ("content", MARK), ("contact", "marked@example.com")];
    let picture = format!(
        "--b\r\ncontent-disposition: form-data; name=\"files\"; filename=\"a.bmp\"\r\n\
         content-type: image/bmp\r\n\r\n{}{MARK}\r\n",
        bitmap()
    );
    let form = fields.map(|(name, value)| part(name, value)).concat() + &picture + "--b--\r\n";
    let headers = [("content-type", "multipart/form-data; boundary=b"), ("cookie", &*cookie)];
    let sent = client.send("POST", "/api/woms/feedback/submit", &headers, form).await;
    assert_eq!(sent.status, 200, "{}", sent.text());

    let export =
        || run("sahm", &["member", "export", &member_id, "--operator", OPERATOR], &settings);
    let exported = export();
    let text = String::from_utf8(exported.stdout).unwrap();
    assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
    let records = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let records = records
        .map(|record| format!("{} {}", record["service"], record["kind"]).replace('"', ""))
        .collect::<Vec<_>>();
    for expected in [
        "identity member",
        "identity session",
        "identity feedback",
        "identity feedback_file",
        "activity participant",
        "attribution event",
        "content entry_like",
    ] {
        assert!(records.iter().any(|record| record == expected), "{expected}: {records:?}");
    }
    assert!(text.contains(SECRET) && text.contains(MARK) && !text.contains("$argon2"), "{text}");
    let stores = stores(&folder).await;
    let found = everything_of(&stores, &member_id).await;
    assert!(found.len() >= records.len(), "{found:?}");
    for table in ["member", "session", "feedback", "feedback_file"] {
        assert!(found.contains(&("identity".to_owned(), table.to_owned())), "{table}: {found:?}");
    }

    let erase = |reason: &str, operator: &str| {
        let by = ["--reason", reason, "--operator", operator];
        run("sahm", &[&["member", "erase", &member_id], &by[..]].concat(), &settings)
    };
    let erased = erase("R-1", OPERATOR);
    assert!(erased.status.success(), "{}", String::from_utf8_lossy(&erased.stderr));
    let text = String::from_utf8(erased.stdout).unwrap();
    assert!(
        text.contains("identity: 1 member") && text.contains("content: 1 entry_like"),
        "{text}"
    );

    assert_eq!(String::from_utf8(export().stdout).unwrap().lines().count(), tickets(&records));
    let left = everything_of(&stores, &member_id).await;
    let left = left
        .into_iter()
        .filter(|(_, table)| !RETAINED_TABLES.contains(&&**table))
        .collect::<Vec<_>>();
    assert!(left.is_empty(), "{left:?}");
    let left = files_with_personal_data(&folder);
    assert!(left.is_empty(), "{left:?}");
    let (_, identity) = stores.iter().find(|(store, _)| store == "identity").unwrap();
    let sql = "SELECT member_id, reason, operator FROM member_erasure";
    let records =
        identity.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
    let [record] = &*records else { panic!("{} audit records", records.len()) };
    let record: (i64, String, String) = record.try_get_many_by_index().unwrap();
    assert_eq!(record, (member_id.parse().unwrap(), "R-1".to_owned(), OPERATOR.to_owned()));
    let audit = |what: &str| {
        let log = sahm.log();
        let lines = log.lines().filter(|line| line.contains("sahm::audit") && line.contains(what));
        lines.filter(|line| line.contains(&format!("operator=\"{OPERATOR}\""))).count()
    };
    until(LOG_TIMEOUT, "every service has its audit lines", async || {
        (audit("member data exported"), audit("member data erased"))
            == (2 * SERVICES.len(), SERVICES.len())
    })
    .await;
    let session = [("cookie", &*cookie), ("content-type", "application/json")];
    let check = client.send("POST", "/api/passport/member/check", &session, "{}".to_owned()).await;
    assert_eq!(check.json()["data"]["logined"], false);

    // Repetition erases nothing more.
    let again = erase("R-1", OPERATOR);
    assert!(again.status.success());
    assert_eq!(
        String::from_utf8(again.stdout).unwrap(),
        "identity: nothing\nactivity: nothing\nattribution: nothing\ncontent: nothing\n"
    );
    for (field, reason, operator) in
        [("reason", "", OPERATOR), ("operator", "R-1", &*"x".repeat(101))]
    {
        let refused = erase(reason, operator);
        assert!(!refused.status.success());
        assert!(String::from_utf8_lossy(&refused.stderr).contains(field), "{refused:?}");
    }
}

/// A bitmap of 9 × 9 pixels with the minimum size of a feedback file.
fn bitmap() -> String {
    const HEADERS: &str = "BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x09\0\0\0\x09\0\0\0";
    HEADERS.to_owned() + &"\0".repeat(500 << 10)
}

/// The number of exported tickets, which are retained.
fn tickets(records: &[String]) -> usize {
    records.iter().filter(|record| record.ends_with(" ticket")).count()
}

/// The SQLite stores of all services, by name.
#[expect(clippy::disallowed_methods, reason = "the files are read as they are, without migrations")]
async fn stores(folder: &Folder) -> Vec<(String, DatabaseConnection)> {
    let mut stores = Vec::new();
    for file in std::fs::read_dir(folder.join("data")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "sqlite") {
            let url = format!("sqlite://{}?mode=ro", path.display());
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            stores.push((name, Database::connect(url).await.unwrap()));
        }
    }
    assert_eq!(stores.len(), 6);
    stores
}

/// Store and table of every row with the member's number or a text of [`PERSONAL`] in any column.
async fn everything_of(
    stores: &[(String, DatabaseConnection)],
    member_id: &str,
) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (store, connection) in stores {
        let names = async |sql: String| {
            let statement = Statement::from_string(DbBackend::Sqlite, sql);
            let rows = connection.query_all_raw(statement).await.unwrap();
            rows.iter().map(|row| row.try_get_by_index::<String>(0).unwrap()).collect::<Vec<_>>()
        };
        let tables = "SELECT name FROM sqlite_master WHERE type = 'table'".to_owned();
        for table in names(tables).await {
            let columns = format!("SELECT name FROM pragma_table_info('{table}')");
            let conditions = names(columns).await.into_iter().map(|column| match &*column {
                "member_id" | "inviter_id" => format!("\"{column}\" = {member_id}"),
                "voter" | "reader" | "viewer" => format!("\"{column}\" = 'm:{member_id}'"),
                // Compared as bytes, because texts end at a NUL.
                _ => PERSONAL
                    .map(|text| {
                        format!("instr(CAST(\"{column}\" AS BLOB), CAST('{text}' AS BLOB)) > 0")
                    })
                    .join(" OR "),
            });
            let conditions = conditions.collect::<Vec<_>>().join(" OR ");
            let rows = format!("SELECT '{table}' FROM \"{table}\" WHERE {conditions}");
            found.extend(names(rows).await.into_iter().map(|table| (store.clone(), table)));
        }
    }
    found
}

/// Files of the data folder, other than databases, with a text of [`PERSONAL`].
fn files_with_personal_data(folder: &Folder) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![folder.join("data")], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.to_string_lossy().contains(".sqlite") {
                let bytes = std::fs::read(&path).unwrap();
                let text = String::from_utf8_lossy(&bytes);
                found.extend(PERSONAL.iter().any(|part| text.contains(part)).then_some(path));
            }
        }
    }
    found
}
