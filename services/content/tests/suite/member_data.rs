//! Export and erasure of members' data, on both engines.

use std::collections::HashMap;

use futures_util::TryStreamExt;
use sahm_chassis::member_data::{Erasure, MemberDataStore, stream_records};
use sahm_content::{
    domain::{EntryKind, member_reader, visitor_reader},
    store::{ContentStore, Counts, VideoProgress},
};
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Base, NOW},
};

on_both_engines!(
    member_is_exported_and_erased_alone,
    like_withdrawn_during_the_erasure_is_subtracted_once,
    visitors_are_forgotten_after_a_year
);

/// The records of a member as `[kind, record]`.
async fn exported(store: &ContentStore, member: u64) -> Vec<Value> {
    let records = stream_records(|records| store.export_member(member, records));
    records.map_ok(|one| json!([one.kind, one.record])).try_collect().await.unwrap()
}

async fn member_is_exported_and_erased_alone(base: Base) {
    const ITEMS: [(EntryKind, u64); 3] =
        [(EntryKind::HelpDocument, 2), (EntryKind::News, 2), (EntryKind::News, 1)];
    let store = base.open().await;
    for member in [1, 12] {
        let reader = member_reader(member);
        for (kind, id) in ITEMS {
            store.like(kind, id, &reader, true, NOW).await.unwrap();
            store.count_reading(kind, id, Some(&reader), NOW).await.unwrap();
        }
        for (video, position) in [(8, 30), (7, 20)] {
            let progress = VideoProgress { position, duration: 60 };
            store.save_video_progress(video, &reader, progress, NOW).await.unwrap();
        }
    }
    // A like that the member has removed is not subtracted again.
    store.like(EntryKind::News, 3, &member_reader(1), true, NOW).await.unwrap();
    store.like(EntryKind::News, 3, &member_reader(12), true, NOW).await.unwrap();
    store.like(EntryKind::News, 3, &member_reader(1), false, NOW).await.unwrap();

    let view = |id: u32, position: u32| json!(["video_view", { "id": id, "position": position, "duration": 60, "viewedAt": NOW }]);
    let expected = [
        json!(["entry_like", { "kind": "help-document", "id": 2, "likedAt": NOW }]),
        json!(["entry_like", { "kind": "news", "id": 1, "likedAt": NOW }]),
        json!(["entry_like", { "kind": "news", "id": 2, "likedAt": NOW }]),
        json!(["entry_reader", { "kind": "help-document", "id": 2, "readAt": NOW }]),
        json!(["entry_reader", { "kind": "news", "id": 1, "readAt": NOW }]),
        json!(["entry_reader", { "kind": "news", "id": 2, "readAt": NOW }]),
        view(7, 20),
        view(8, 30),
    ];
    assert_eq!(exported(&store, 1).await, expected);
    let others = exported(&store, 12).await;
    assert_eq!(others.len(), expected.len() + 1);
    assert_eq!(exported(&store, 2).await, Vec::<Value>::new());

    let erasure = Erasure { member: 1, reason: "R-1".to_owned(), caller: None, operator: None };
    let erased = [("entry_like", 3), ("entry_reader", 3), ("video_view", 2)];
    assert_eq!(store.erase_member(&erasure).await.unwrap(), erased);
    assert_eq!(exported(&store, 1).await, Vec::<Value>::new());
    assert_eq!(exported(&store, 12).await, others);
    // The likes of the member are gone from the counts; readings stay counted.
    let both = Counts { reads: 2, likes: 1 };
    let news = store.counts(EntryKind::News, &[1, 2, 3]).await.unwrap();
    let liked_only = Counts { reads: 0, likes: 1 };
    assert_eq!(news, HashMap::from([(1, both), (2, both), (3, liked_only)]));
    let help = store.counts(EntryKind::HelpDocument, &[2]).await.unwrap();
    assert_eq!(help, HashMap::from([(2, both)]));
    let nothing = erased.map(|(table, _)| (table, 0));
    assert_eq!(store.erase_member(&erasure).await.unwrap(), nothing);
    assert_eq!(store.counts(EntryKind::News, &[1, 2, 3]).await.unwrap(), news);
}

async fn like_withdrawn_during_the_erasure_is_subtracted_once(base: Base) {
    let (store, other) = (base.open().await, base.open().await);
    let (reader, ids) = (member_reader(1), (1..=8).collect::<Vec<_>>());
    let erasure = Erasure { member: 1, reason: "R-1".to_owned(), caller: None, operator: None };
    for _ in 0..10 {
        for &id in &ids {
            store.like(EntryKind::News, id, &reader, true, NOW).await.unwrap();
        }
        let unlikes = async {
            for &id in ids.iter().rev() {
                other.like(EntryKind::News, id, &reader, false, NOW).await.unwrap();
            }
        };
        let (erased, ()) = tokio::join!(store.erase_member(&erasure), unlikes);
        erased.unwrap();
        let counts = store.counts(EntryKind::News, &ids).await.unwrap();
        assert!(counts.values().all(|counts| counts.likes == 0), "{counts:?}");
    }
}

async fn visitors_are_forgotten_after_a_year(base: Base) {
    const YEAR: u32 = 365 * 24 * 3600;
    let store = base.open().await;
    let (visitor, member) = (visitor_reader("v1"), member_reader(1));
    for (reader, now) in [(&visitor, NOW), (&visitor_reader("v2"), NOW + 1), (&member, NOW)] {
        store.like(EntryKind::News, 1, reader, true, now).await.unwrap();
        store.count_reading(EntryKind::News, 1, Some(reader), now).await.unwrap();
        let progress = VideoProgress { position: 1, duration: 60 };
        store.save_video_progress(7, reader, progress, now).await.unwrap();
    }
    assert_eq!(store.sweep(NOW + YEAR - 1).await.unwrap(), 0);
    assert_eq!(store.sweep(NOW + YEAR).await.unwrap(), 3);
    assert_eq!(exported(&store, 1).await.len(), 3);
    let counts = store.counts(EntryKind::News, &[1]).await.unwrap();
    assert_eq!(counts[&1], Counts { reads: 3, likes: 3 });
    // The visitor counts as a new reader.
    let reads = store.count_reading(EntryKind::News, 1, Some(&visitor), NOW + YEAR).await.unwrap();
    assert_eq!(reads, 4);
    let liked =
        async |reader: &str| store.liked_ids(EntryKind::News, &[1], reader).await.unwrap().len();
    assert_eq!((liked(&visitor).await, liked(&visitor_reader("v2")).await), (0, 1));
}
