#![allow(clippy::unwrap_used)]
use std::{collections::HashSet, time::Duration};

use futures_util::StreamExt;
use sahm_proto::changes::v1::{
    PurgeTagsRequest, WatchChangesRequest, WatchChangesResponse,
    change_log_service_client::ChangeLogServiceClient,
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use tonic::{Code, Streaming, service::Routes};

use super::{
    append::{ensure_meta, prune},
    entities::{change_log, change_log_meta},
    poll::{Position, read_position},
    *,
};
use crate::{
    clock,
    lifecycle::Lifecycle,
    rpc::Transport,
    store::{DatabaseUrl, Store},
};

type Client = ChangeLogServiceClient<Transport>;

/// A database that several replicas can open.
struct Fixture {
    url: DatabaseUrl,
    _folder: tempfile::TempDir,
}

impl Fixture {
    async fn sqlite() -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        Fixture { url: DatabaseUrl::file(folder.path().join("log.sqlite")), _folder: folder }
    }

    async fn postgres() -> Fixture {
        let cluster = sahm_testkit::Postgres::shared().await.unwrap();
        let url = cluster.database().await.unwrap().parse().unwrap();
        Fixture { url, _folder: tempfile::tempdir().unwrap() }
    }

    async fn open(&self) -> Store {
        Store::open(&self.url, "content", &[MIGRATION]).await.unwrap()
    }

    /// A replica with its own lifecycle.
    async fn replica(&self) -> (Store, Lifecycle, ChangeLog, Client) {
        let (store, life) = (self.open().await, Lifecycle::new());
        let log = ChangeLog::start(store.clone(), &life).await.unwrap();
        let client = Client::new(Transport::local(Routes::new(log.service())));
        (store, life, log, client)
    }
}

/// Runs each test on both engines.
macro_rules! on_both_engines {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Fixture::sqlite().await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Fixture::postgres().await).await;
            })*
        }
    };
}

on_both_engines!(
    first_message_has_log_id_and_newest_sequence,
    concurrent_changes_arrive_in_order_without_gaps,
    rolled_back_change_leaves_no_gap,
    change_of_another_replica_arrives_in_time,
    notified_changes_arrive_before_the_next_poll,
    old_changes_are_removed_after_the_start,
    subscriber_resumes_at_its_position,
    pruned_or_unknown_position_resets,
    replaced_log_ends_streams_and_resets,
    purge_tags_appends_a_change,
    many_tags_become_several_changes,
    drain_ends_streams,
);

async fn watch(client: &mut Client, log_id: &str, after: u64) -> Streaming<WatchChangesResponse> {
    let request = WatchChangesRequest { log_id: log_id.into(), after };
    client.watch_changes(request).await.unwrap().into_inner()
}

async fn next(stream: &mut Streaming<WatchChangesResponse>) -> WatchChangesResponse {
    let waited = tokio::time::timeout(Duration::from_secs(10), stream.next()).await;
    waited.expect("a message in time").expect("no end").unwrap()
}

async fn add(store: &Store, tag: &str) -> u64 {
    let tags = [tag.to_owned()];
    store.write(async |tx| append(tx, &tags, false).await).await.unwrap()
}

async fn first_message_has_log_id_and_newest_sequence(fixture: Fixture) {
    let (store, _life, log, mut client) = fixture.replica().await;
    let meta = store.write(async |tx| ensure_meta(tx).await).await.unwrap();
    assert_eq!((meta.last_sequence, meta.pruned_through), (0, 0));
    let mut stream = watch(&mut client, "", 0).await;
    let first = next(&mut stream).await;
    assert_eq!((first.sequence, first.change, first.reset), (0, None, false));
    assert!(first.log_id.len() == 32 && first.log_id.bytes().all(|c| c.is_ascii_hexdigit()));
    add(&store, "news:1").await;
    log.notify();
    let second = next(&mut stream).await;
    let change = second.change.unwrap();
    assert_eq!(
        (second.sequence, &*change.tags, change.soft),
        (1, &["news:1".to_owned()][..], false)
    );
    assert!(change.time.abs_diff(clock::now()) < 5);
    // A second start finds the same log.
    let (.., other) = fixture.replica().await;
    let mut client = other;
    let first_there = next(&mut watch(&mut client, &first.log_id, 1).await).await;
    assert_eq!((first_there.log_id, first_there.reset), (first.log_id, false));
}

async fn concurrent_changes_arrive_in_order_without_gaps(fixture: Fixture) {
    const WRITERS: u64 = 60;
    let (one, _life1, _log1, mut client) = fixture.replica().await;
    let (two, _life2, _log2, mut other_client) = fixture.replica().await;
    let mut early = watch(&mut client, "", 0).await;
    next(&mut early).await;
    let writers = (0..WRITERS).map(|number| {
        let store = if number % 2 == 0 { one.clone() } else { two.clone() };
        tokio::spawn(async move { add(&store, &format!("news:{number}")).await })
    });
    let given: HashSet<u64> =
        futures_util::future::join_all(writers).await.into_iter().map(|s| s.unwrap()).collect();
    assert_eq!(given, (1..=WRITERS).collect());
    let mut late = watch(&mut other_client, "", 0).await;
    next(&mut late).await;
    for stream in [&mut early, &mut late] {
        let mut tags = HashSet::new();
        for expected in 1..=WRITERS {
            let message = next(stream).await;
            assert_eq!(message.sequence, expected);
            tags.extend(message.change.unwrap().tags);
        }
        assert_eq!(tags.len() as u64, WRITERS);
    }
}

async fn rolled_back_change_leaves_no_gap(fixture: Fixture) {
    let (store, ..) = fixture.replica().await;
    assert_eq!(add(&store, "a").await, 1);
    let refused: crate::Result<()> = store
        .write(async |tx| {
            append(tx, &["b".to_owned()], false).await?;
            Err(crate::Error::of(crate::ErrorCode::Conflict))
        })
        .await;
    assert_eq!(refused.unwrap_err().code(), crate::ErrorCode::Conflict);
    assert_eq!(add(&store, "c").await, 2);
    let invalid = store.write(async |tx| append(tx, &["Not a tag".to_owned()], false).await).await;
    assert_eq!(invalid.unwrap_err().code(), crate::ErrorCode::Internal);
    assert_eq!(store.write(async |tx| append(tx, &[], false).await).await.unwrap(), 2);
}

async fn change_of_another_replica_arrives_in_time(fixture: Fixture) {
    let (.., mut client) = fixture.replica().await;
    // Like an import: its own store, without a log and without a notification.
    let import = fixture.open().await;
    let mut stream = watch(&mut client, "", 0).await;
    next(&mut stream).await;
    add(&import, "news:1").await;
    let committed = std::time::Instant::now();
    assert_eq!(next(&mut stream).await.sequence, 1);
    // The log promises 250 ms; the rest allows for a busy machine.
    assert!(committed.elapsed() < Duration::from_millis(900), "{:?}", committed.elapsed());
}

async fn notified_changes_arrive_before_the_next_poll(fixture: Fixture) {
    const CHANGES: u64 = 20;
    let (store, _life, log, mut client) = fixture.replica().await;
    let mut stream = watch(&mut client, "", 0).await;
    next(&mut stream).await;
    let began = std::time::Instant::now();
    for sequence in 1..=CHANGES {
        add(&store, "news:1").await;
        log.notify();
        assert_eq!(next(&mut stream).await.sequence, sequence);
    }
    // Without notifications each change would take a poll interval of 200 ms, 4 s in all.
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}

async fn old_changes_are_removed_after_the_start(fixture: Fixture) {
    let (store, ..) = fixture.replica().await;
    for tag in ["news:1", "news:2"] {
        add(&store, tag).await;
    }
    set_age(&store, 1, 49).await;
    let began = std::time::Instant::now();
    let (.., log, _client) = fixture.replica().await;
    while read_position(&store).await.unwrap().pruned_through == 0 {
        assert!(began.elapsed() < Duration::from_secs(8), "the old change stays");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let (log_id, last) = log.newest().await.unwrap();
    assert_eq!(read_position(&store).await.unwrap(), Position { log_id, last, pruned_through: 1 });
    assert_eq!(last, 2);
}

/// Sets the age of an entry in hours.
async fn set_age(store: &Store, sequence: i64, hours: i64) {
    let time = i64::from(clock::now()) - hours * 3600;
    let update = change_log::Entity::update_many()
        .col_expr(change_log::Column::Time, sea_orm::sea_query::Expr::val(time))
        .filter(change_log::Column::Sequence.eq(sequence));
    store.write(async |tx| Ok(update.exec(tx).await?)).await.unwrap();
}

async fn subscriber_resumes_at_its_position(fixture: Fixture) {
    let (store, _life, log, mut client) = fixture.replica().await;
    for number in 1..=5 {
        add(&store, &format!("news:{number}")).await;
    }
    let (log_id, newest) = log.newest().await.unwrap();
    assert_eq!(newest, 5);
    let mut stream = watch(&mut client, &log_id, 3).await;
    assert_eq!(next(&mut stream).await.sequence, 5);
    assert_eq!(next(&mut stream).await.sequence, 4);
    let last = next(&mut stream).await;
    assert_eq!((last.sequence, last.change.unwrap().tags), (5, vec!["news:5".to_owned()]));
}

async fn pruned_or_unknown_position_resets(fixture: Fixture) {
    let (store, _life, log, mut client) = fixture.replica().await;
    for number in 1..=6 {
        add(&store, &format!("news:{number}")).await;
    }
    let (log_id, _) = log.newest().await.unwrap();
    for (log_id, after, reset) in [("f".repeat(32), 6, true), (log_id.clone(), 7, true)] {
        let first = next(&mut watch(&mut client, &log_id, after).await).await;
        assert_eq!((first.reset, first.sequence), (reset, 6));
    }
    // The first four are older than 48 hours, except for the second: the clock was set back after
    // it.
    for (sequence, hours) in [(1, 50), (2, 47), (3, 49), (4, 49), (5, 47)] {
        set_age(&store, sequence, hours).await;
    }
    store
        .write(async |tx| {
            let before = clock::now() - u32::try_from(RETENTION.as_secs()).unwrap();
            assert_eq!(prune(tx, before).await?, 4);
            assert_eq!(prune(tx, before).await?, 0);
            Ok(())
        })
        .await
        .unwrap();
    let cases = [(3, true), (0, true), (4, false), (6, false)];
    for (after, reset) in cases {
        let first = next(&mut watch(&mut client, &log_id, after).await).await;
        assert_eq!((first.reset, first.sequence), (reset, 6), "after {after}");
    }
    // An unknown position starts at the oldest retained entry, without a reset.
    let mut stream = watch(&mut client, "", 0).await;
    assert!(!next(&mut stream).await.reset);
    assert_eq!(next(&mut stream).await.sequence, 5);
    // After a reset the stream continues at the newest entry.
    let mut stream = watch(&mut client, &log_id, 2).await;
    next(&mut stream).await;
    add(&store, "news:7").await;
    assert_eq!(next(&mut stream).await.sequence, 7);
}

async fn replaced_log_ends_streams_and_resets(fixture: Fixture) {
    let (store, _life, log, mut client) = fixture.replica().await;
    add(&store, "news:1").await;
    let (log_id, _) = log.newest().await.unwrap();
    let mut stream = watch(&mut client, &log_id, 1).await;
    next(&mut stream).await;
    store
        .write(async |tx| {
            change_log_meta::Entity::delete_many().exec(tx).await?;
            ensure_meta(tx).await
        })
        .await
        .unwrap();
    let end = loop {
        match stream.next().await.expect("an error before the end") {
            Ok(_) => {}
            Err(status) => break status,
        }
    };
    assert_eq!(end.code(), Code::Unavailable);
    let first = next(&mut watch(&mut client, &log_id, 1).await).await;
    assert!(first.reset && first.log_id != log_id);
    assert_eq!(first.sequence, 1);
    // Sequences are not reused.
    assert_eq!(add(&store, "news:2").await, 2);
    let mut stream = watch(&mut client, "", 0).await;
    let sequences = [next(&mut stream).await, next(&mut stream).await].map(|m| m.sequence);
    assert_eq!(sequences, [2, 1]);
}

async fn purge_tags_appends_a_change(fixture: Fixture) {
    let (_store, _life, log, mut client) = fixture.replica().await;
    let mut stream = watch(&mut client, "", 0).await;
    next(&mut stream).await;
    let tags = vec!["news:list:us".to_owned()];
    let response = client.purge_tags(PurgeTagsRequest { tags: tags.clone(), soft: true }).await;
    let response = response.unwrap().into_inner();
    assert_eq!((response.log_id, response.sequence), log.newest().await.unwrap());
    let change = next(&mut stream).await.change.unwrap();
    assert_eq!((change.tags, change.soft), (tags, true));
    let refused = client.purge_tags(PurgeTagsRequest { tags: vec![], soft: false }).await;
    let error = crate::Error::from(refused.unwrap_err());
    assert_eq!((error.code(), &*error.fields()[0].field), (crate::ErrorCode::Parameter, "tags"));
}

async fn many_tags_become_several_changes(fixture: Fixture) {
    let (store, ..) = fixture.replica().await;
    let tags: Vec<String> = (0..2500).map(|number| format!("news:{number}")).collect();
    assert_eq!(store.write(async |tx| append(tx, &tags, false).await).await.unwrap(), 3);
}

async fn drain_ends_streams(fixture: Fixture) {
    let (_store, life, _log, mut client) = fixture.replica().await;
    let mut stream = watch(&mut client, "", 0).await;
    next(&mut stream).await;
    life.drain();
    let end = stream.next().await.expect("an error before the end").unwrap_err();
    assert_eq!(end.code(), Code::Unavailable);
    life.wait().await;
}

/// A renamed migration would be applied again to databases that have it.
#[test]
fn migration_has_the_name_under_which_databases_record_it() {
    assert_eq!(MIGRATION.name, "change_log_001_create");
}

#[test]
fn tag_syntax_is_enforced() {
    for tag in ["news:1001", "news:list:us", "config:menu", "a", "a-b_c:0"] {
        assert!(is_tag(tag), "{tag}");
    }
    for text in ["", "News", "a b", "a/b", "é", "a\n"] {
        assert!(!is_tag(text), "{text}");
    }
}
