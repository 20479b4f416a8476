#![allow(clippy::unwrap_used)]
use super::*;
use crate::page_cache::store::local::tests::entry;

fn index() -> PurgeIndex {
    let index = PurgeIndex::new([Arc::from("content"), Arc::from("config")], 900);
    for (service, id) in [("content", "c1"), ("config", "f1")] {
        index.restart(service, LogHead { id: id.into(), sequence: 10 });
        index.connect(service, true);
    }
    index
}

fn purge(index: &PurgeIndex, sequence: u64, tag: &str, soft: bool) {
    index.apply("content", sequence, 1000, &[tag.to_owned()], soft);
}

fn purge_of(tag: &str, sequence: u64, soft: bool) -> Purge {
    Purge { tag: tag.to_owned(), sequence, soft }
}

fn page(content: u64) -> Entry {
    entry(10, &["news:1", "news:list:us"], &[("content", "c1", content), ("config", "f1", 10)])
}

fn read_from_redis(entry: Entry) -> Entry {
    Entry::new(EntryData { own: false, ..entry.clone() })
}

#[test]
fn entry_is_purged_only_by_later_purges_of_its_tags() {
    let index = index();
    let before = page(10);
    assert_eq!(index.validate(&before), Validity::Valid);
    purge(&index, 11, "news:2", false);
    assert_eq!(index.validate(&before), Validity::Valid);
    purge(&index, 12, "news:1", false);
    assert_eq!(index.validate(&before), Validity::Purged);
    assert_eq!(index.validate(&page(11)), Validity::Purged);
    assert_eq!(index.validate(&page(12)), Validity::Valid);
}

#[test]
fn hard_purge_outweighs_a_soft_one() {
    let index = index();
    purge(&index, 11, "news:list:us", true);
    assert!(matches!(index.validate(&page(10)), Validity::SoftPurged(_)));
    assert_eq!(index.validate(&page(11)), Validity::Valid);
    purge(&index, 12, "news:1", false);
    assert_eq!(index.validate(&page(10)), Validity::Purged);
}

#[test]
fn soft_purge_that_is_received_twice_keeps_its_time() {
    let index = index();
    let announced = purge_of("news:list:us", 11, true);
    index.hint("content", "c1", &announced);
    let first = index.validate(&page(10));
    assert!(matches!(first, Validity::SoftPurged(_)));
    purge(&index, 11, "news:list:us", true);
    assert_eq!(index.validate(&page(10)), first);
    purge(&index, 12, "news:list:us", true);
    assert_ne!(index.validate(&page(10)), first);
}

#[test]
fn entry_of_another_log_or_before_its_start_is_purged() {
    let index = index();
    assert_eq!(index.validate(&page(9)), Validity::Purged);
    let other = entry(10, &["news:1"], &[("content", "c0", 99), ("config", "f1", 10)]);
    assert_eq!(index.validate(&other), Validity::Purged);
    let unplaced = entry(10, &["news:1"], &[("config", "f1", 10)]);
    assert_eq!(index.validate(&unplaced), Validity::Purged);
    let stored = page(10);
    assert_eq!(index.validate(&stored), Validity::Valid);
    index.restart("content", LogHead { id: "c2".into(), sequence: 3 });
    assert_eq!(index.validate(&stored), Validity::Purged);
}

#[test]
fn disconnected_log_changes_no_validity() {
    let index = index();
    let stored = page(10);
    assert!(index.connected("content"));
    index.connect("content", false);
    assert!(!index.connected("content"));
    assert_eq!(index.validate(&stored), Validity::Valid);
    assert_eq!(index.position("content").unwrap().sequence, 10);
    assert_eq!(index.resume("content"), Some(LogHead { id: "c1".into(), sequence: 10 }));
}

#[test]
fn only_own_entries_are_valid_before_the_logs_are_read() {
    let index = PurgeIndex::new([Arc::from("content")], 900);
    let remote = read_from_redis(entry(10, &[], &[("content", "c1", 10)]));
    assert_eq!(index.validate(&remote), Validity::Unknown);
    assert!(index.positions().is_empty());
    let unplaced = read_from_redis(entry(10, &[], &[]));
    assert_eq!(index.validate(&unplaced), Validity::Unknown);
    let own = entry(10, &[], &[]);
    assert_eq!(index.validate(&own), Validity::Valid);

    // Without service and replica, nothing older than this process is used.
    index.end_start_wait();
    assert_eq!(index.validate(&remote), Validity::Valid, "created at 1000, after the start at 900");
    let older = PurgeIndex::new([Arc::from("content")], 1000);
    older.end_start_wait();
    let same = read_from_redis(entry(10, &[], &[("content", "c1", 10)]));
    assert_eq!(older.validate(&same), Validity::Purged);

    // The log is read: an entry without a position cannot be validated.
    index.restart("content", LogHead { id: "c1".into(), sequence: 10 });
    index.connect("content", true);
    assert_eq!(index.validate(&own), Validity::Purged);
    assert_eq!(index.validate(&remote), Validity::Valid);
}

#[test]
fn log_is_used_only_once_it_has_been_read_to_its_end() {
    let index = PurgeIndex::new([Arc::from("content")], 900);
    let remote = read_from_redis(entry(10, &[], &[("content", "c1", 10)]));
    let head = LogHead { id: "c1".into(), sequence: 10 };
    index.replay("content");
    index.restart("content", head.clone());
    index.end_start_wait();
    assert_eq!(index.validate(&remote), Validity::Unknown, "later purges may follow");
    // The stream breaks.
    index.reset("content");
    assert_eq!(index.resume("content"), None);
    index.restart("content", head.clone());
    index.connect("content", true);
    assert_eq!(index.validate(&remote), Validity::Valid);
    index.reset("content");
    assert_eq!(index.resume("content"), Some(head));
}

#[test]
fn snapshot_validates_like_its_log() {
    let index = index();
    purge(&index, 11, "news:1", false);
    purge(&index, 12, "news:list:us", true);
    let snapshot = index.snapshot("content", 0).unwrap();
    let mut purges = snapshot.purges.clone();
    purges.sort_by_key(|purge| purge.sequence);
    assert_eq!(purges, [purge_of("news:1", 11, false), purge_of("news:list:us", 12, true)]);
    assert_eq!(index.snapshot("content", 11).unwrap().purges, [purge_of("news:list:us", 12, true)]);

    let started = PurgeIndex::new([Arc::from("content")], 2000);
    started.restore("content", &snapshot);
    let remote = read_from_redis(page(10));
    assert_eq!(started.validate(&remote), Validity::Unknown, "the service may still respond");
    started.end_start_wait();
    assert_eq!(started.validate(&remote), Validity::Purged);
    let remote = read_from_redis(page(11));
    assert!(matches!(started.validate(&remote), Validity::SoftPurged(_)));
    assert_eq!(started.position("content").unwrap().sequence, 12);
}

#[test]
fn hint_purges_ahead_of_the_stream() {
    let index = index();
    index.hint("content", "c0", &purge_of("news:1", 12, false));
    assert_eq!(index.validate(&page(10)), Validity::Valid, "another log's");
    index.hint("content", "c1", &purge_of("news:1", 12, false));
    assert_eq!(index.validate(&page(10)), Validity::Purged);
    assert_eq!(index.position("content").unwrap().sequence, 12);
    assert_eq!(index.resume("content").unwrap().sequence, 10, "the own stream goes on where it is");
}

#[test]
fn purges_older_than_any_entry_are_forgotten() {
    let index = index();
    purge(&index, 11, "news:1", false);
    let later = 1000 + PURGE_TTL + EXPIRY_INTERVAL;
    index.apply("content", 20, later, &["news:2".to_owned()], false);
    let snapshot = index.snapshot("content", 0).unwrap();
    assert_eq!((snapshot.since, snapshot.purges), (11, vec![purge_of("news:2", 20, false)]));
    assert_eq!(index.validate(&page(10)), Validity::Purged);
    assert_eq!(index.validate(&page(12)), Validity::Valid);
}

#[tokio::test]
async fn ready_when_every_log_is_read_or_its_wait_is_over() {
    let index = Arc::new(PurgeIndex::new([Arc::from("content"), Arc::from("config")], 0));
    let waiting = tokio::spawn({
        let index = index.clone();
        async move { index.ready().await }
    });
    // The task begins to wait.
    tokio::task::yield_now().await;
    index.restart("content", LogHead { id: "c1".into(), sequence: 0 });
    index.connect("content", true);
    assert!(!*index.ready.borrow());
    index.end_start_wait();
    waiting.await.unwrap();
}

#[test]
fn restored_and_announced_purges_outlive_the_next_expiry() {
    let index = PurgeIndex::new([Arc::from("content")], 2000);
    let purges = vec![purge_of("news:1", 11, false)];
    index.restore("content", &Snapshot { id: "c1".into(), since: 9, applied: 11, purges });
    index.connect("content", true);
    index.hint("content", "c1", &purge_of("news:2", 12, false));
    index.checkpoint("content", 12, 2000 + 2 * EXPIRY_INTERVAL);
    let snapshot = index.snapshot("content", 0).unwrap();
    assert_eq!((snapshot.since, snapshot.purges.len()), (9, 2));
    index.checkpoint("content", 12, 2000 + 2 * EXPIRY_INTERVAL + PURGE_TTL);
    let snapshot = index.snapshot("content", 0).unwrap();
    assert_eq!((snapshot.since, snapshot.purges.len()), (12, 0));
}
