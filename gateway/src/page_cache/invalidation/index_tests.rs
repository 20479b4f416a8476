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
    index.apply("content", Purge { sequence, tags: &[tag.to_owned()], soft, time: 1000 });
}

fn page(content: u64) -> Entry {
    entry(10, &["news:1", "news:list:us"], &[("content", "c1", content), ("config", "f1", 10)])
}

#[test]
fn only_later_purges_of_its_own_tags_count() {
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
fn a_soft_purge_marks_and_a_hard_one_outweighs_it() {
    let index = index();
    purge(&index, 11, "news:list:us", true);
    assert!(matches!(index.validate(&page(10)), Validity::SoftPurged(_)));
    assert_eq!(index.validate(&page(11)), Validity::Valid);
    purge(&index, 12, "news:1", false);
    assert_eq!(index.validate(&page(10)), Validity::Purged);
}

#[test]
fn another_log_or_a_position_before_it_is_gone() {
    let index = index();
    assert_eq!(index.validate(&page(9)), Validity::Purged);
    let other = entry(10, &["news:1"], &[("content", "c0", 99), ("config", "f1", 10)]);
    assert_eq!(index.validate(&other), Validity::Purged);
    let unplaced = entry(10, &["news:1"], &[("config", "f1", 10)]);
    assert_eq!(index.validate(&unplaced), Validity::Purged);
    let kept = page(10);
    assert_eq!(index.validate(&kept), Validity::Valid);
    index.restart("content", LogHead { id: "c2".into(), sequence: 3 });
    assert_eq!(index.validate(&kept), Validity::Purged);
}

#[test]
fn a_log_that_cannot_be_read_changes_nothing() {
    let index = index();
    let kept = page(10);
    index.connect("content", false);
    assert_eq!(index.validate(&kept), Validity::Valid);
    assert_eq!(index.position("content").unwrap().sequence, 10);
    assert_eq!(index.resume("content"), Some(LogHead { id: "c1".into(), sequence: 10 }));
}

#[test]
fn before_the_logs_answer_only_own_entries_are_used() {
    let index = PurgeIndex::new([Arc::from("content")], 900);
    let mut foreign = entry(10, &[], &[("content", "c1", 10)]);
    foreign.own = false;
    assert_eq!(index.validate(&foreign), Validity::Unknown);
    assert!(index.positions().is_empty());
    let own = entry(10, &[], &[]);
    assert_eq!(index.validate(&own), Validity::Valid);

    // Neither service nor replica: nothing older than this process.
    index.end_start_wait();
    assert_eq!(index.validate(&foreign), Validity::Valid, "made at 1000, after the start at 900");
    let older = PurgeIndex::new([Arc::from("content")], 1000);
    older.end_start_wait();
    let mut same = entry(10, &[], &[("content", "c1", 10)]);
    same.own = false;
    assert_eq!(older.validate(&same), Validity::Purged);

    // The log answers: what has no position cannot be judged.
    index.restart("content", LogHead { id: "c1".into(), sequence: 10 });
    index.connect("content", true);
    assert_eq!(index.validate(&own), Validity::Purged);
    assert_eq!(index.validate(&foreign), Validity::Valid);
}

#[test]
fn a_snapshot_judges_like_the_log_it_was_taken_of() {
    let index = index();
    purge(&index, 11, "news:1", false);
    purge(&index, 12, "news:list:us", true);
    let snapshot = index.snapshot("content", 0).unwrap();
    assert_eq!(snapshot.hard, [("news:1".to_owned(), 11)]);
    assert_eq!(snapshot.soft, [("news:list:us".to_owned(), 12)]);
    assert_eq!(index.snapshot("content", 11).unwrap().hard, []);

    let started = PurgeIndex::new([Arc::from("content")], 2000);
    started.restore("content", &snapshot);
    let mut foreign = page(10);
    foreign.own = false;
    assert_eq!(started.validate(&foreign), Validity::Unknown, "the service may still answer");
    started.end_start_wait();
    assert_eq!(started.validate(&foreign), Validity::Purged);
    let mut foreign = page(11);
    foreign.own = false;
    assert!(matches!(started.validate(&foreign), Validity::SoftPurged(_)));
    assert_eq!(started.position("content").unwrap().sequence, 12);
}

#[test]
fn a_hint_purges_ahead_and_new_entries_are_made_under_it() {
    let index = index();
    let tags = ["news:1".to_owned()];
    index.hint("content", "c0", Purge { sequence: 12, tags: &tags, soft: false, time: 1000 });
    assert_eq!(index.validate(&page(10)), Validity::Valid, "another log's");
    index.hint("content", "c1", Purge { sequence: 12, tags: &tags, soft: false, time: 1000 });
    assert_eq!(index.validate(&page(10)), Validity::Purged);
    assert_eq!(index.position("content").unwrap().sequence, 12);
    assert_eq!(index.resume("content").unwrap().sequence, 10, "the own stream goes on where it is");
}

#[test]
fn purges_of_yesterday_are_forgotten_with_the_entries_of_yesterday() {
    let index = index();
    purge(&index, 11, "news:1", false);
    let later = 1000 + KEPT + STEP;
    index.apply(
        "content",
        Purge { sequence: 20, tags: &["news:2".to_owned()], soft: false, time: later },
    );
    let snapshot = index.snapshot("content", 0).unwrap();
    assert_eq!((snapshot.since, snapshot.hard), (11, vec![("news:2".to_owned(), 20)]));
    assert_eq!(index.validate(&page(10)), Validity::Purged);
    assert_eq!(index.validate(&page(12)), Validity::Valid);
}

#[tokio::test]
async fn it_settles_when_every_log_is_read_or_given_up() {
    let index = Arc::new(PurgeIndex::new([Arc::from("content"), Arc::from("config")], 0));
    let waiting = tokio::spawn({
        let index = index.clone();
        async move { index.ready().await }
    });
    index.restart("content", LogHead { id: "c1".into(), sequence: 0 });
    index.connect("content", true);
    assert!(!*index.ready.borrow());
    index.end_start_wait();
    waiting.await.unwrap();
}
