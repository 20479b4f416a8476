//! Export and erasure of members' data, on both engines.

use std::collections::HashMap;

use sahm_chassis::member_data::{Erasure, MemberDataStore};
use sahm_content::{
    domain::{EntryKind, member_reader},
    store::{ContentStore, Counts, VideoProgress},
};
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Base, NOW},
};

on_both_engines!(
    member_is_exported_and_erased_alone,
    like_withdrawn_during_the_erasure_is_subtracted_once
);

/// The records of a member as `[kind, record]`.
async fn exported(store: &ContentStore, member: u64) -> Vec<Value> {
    let records = store.export_member(member).await.unwrap();
    records.into_iter().map(|one| json!([one.kind, one.record])).collect()
}

async fn member_is_exported_and_erased_alone(base: Base) {
    const ITEMS: [(EntryKind, u64); 3] =
        [(EntryKind::HelpDocument, 2), (EntryKind::News, 2), (EntryKind::News, 1)];
    let store = base.open().await;
    for member in [1, 12] {
        let reader = member_reader(member);
        for (kind, id) in ITEMS {
            store.like(kind, id, &reader, true).await.unwrap();
            store.count_reading(kind, id, Some(&reader)).await.unwrap();
        }
        for (video, position) in [(8, 30), (7, 20)] {
            let progress = VideoProgress { position, duration: 60 };
            store.save_video_progress(video, &reader, progress, NOW).await.unwrap();
        }
    }
    // A like that the member has removed is not subtracted again.
    store.like(EntryKind::News, 3, &member_reader(1), true).await.unwrap();
    store.like(EntryKind::News, 3, &member_reader(12), true).await.unwrap();
    store.like(EntryKind::News, 3, &member_reader(1), false).await.unwrap();

    let view = |id: u32, position: u32| json!(["video_view", { "id": id, "position": position, "duration": 60, "viewedAt": NOW }]);
    let expected = [
        json!(["entry_like", { "kind": "help-document", "id": 2 }]),
        json!(["entry_like", { "kind": "news", "id": 1 }]),
        json!(["entry_like", { "kind": "news", "id": 2 }]),
        json!(["entry_reader", { "kind": "help-document", "id": 2 }]),
        json!(["entry_reader", { "kind": "news", "id": 1 }]),
        json!(["entry_reader", { "kind": "news", "id": 2 }]),
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
            store.like(EntryKind::News, id, &reader, true).await.unwrap();
        }
        let unlikes = async {
            for &id in ids.iter().rev() {
                other.like(EntryKind::News, id, &reader, false).await.unwrap();
            }
        };
        let (erased, ()) = tokio::join!(store.erase_member(&erasure), unlikes);
        erased.unwrap();
        let counts = store.counts(EntryKind::News, &ids).await.unwrap();
        assert!(counts.values().all(|counts| counts.likes == 0), "{counts:?}");
    }
}
