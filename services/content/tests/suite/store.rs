//! Tests of the store on both engines.
use std::collections::BTreeSet;

use sahm_chassis::{ErrorCode, store::Engine};
use sahm_content::{
    domain::{
        Cursor, DraftType, Entry, EntryKind, Image, Larger, List,
        Locale::{self, ArSa, EnUs},
        MAX_ID, Market, Media, MediaName, MediaType, Picture,
    },
    store::{ContentStore, ImportSummary, StoredEntry},
};
use sea_orm::{ConnectionTrait, DatabaseTransaction, Statement};

use crate::{
    on_both_engines,
    support::{Base, NOW, article, changes, tab, tags, text},
};

on_both_engines!(
    lists_contain_the_articles_of_their_market,
    paging_neither_skips_nor_repeats,
    entry_dated_ahead_is_not_returned,
    article_falls_back_to_its_other_locale,
    change_has_the_tags_of_its_item_and_lists,
    identical_entries_are_not_written,
    reimported_entry_has_every_new_value,
    drafts_of_other_types_stay,
    drafts_with_the_same_picture_are_imported_concurrently,
    changed_market_moves_an_article_between_lists,
    withdrawn_article_is_absent_until_reimported,
    concurrent_readings_all_count,
    concurrent_writers_leave_one_text,
    many_items_are_imported_in_one_call,
    addresses_are_paged,
    batches_keep_the_requested_order,
    pictures_are_stored_by_name,
    tabs_are_ordered_by_position,
    unknown_stored_values_are_errors,
);

async fn put(store: &ContentStore, items: &[Entry]) -> ImportSummary {
    store.put(items, &[], NOW).await.unwrap()
}

async fn ids(store: &ContentStore, list: List, locale: Locale) -> Vec<u64> {
    let page =
        store.entries(EntryKind::News, list.as_str(), Some(locale), None, 50, NOW).await.unwrap();
    page.items.iter().map(|summary| summary.id).collect()
}

async fn lists_contain_the_articles_of_their_market(base: Base) {
    let store = base.open().await;
    put(
        &store,
        &[
            text(1, EnUs, Market::Us),
            text(2, EnUs, Market::Saudi),
            text(3, EnUs, Market::All),
            text(4, EnUs, Market::Empty),
            text(5, ArSa, Market::Us),
        ],
    )
    .await;
    assert_eq!(ids(&store, List::All, EnUs).await, [1, 2, 3, 4]);
    assert_eq!(ids(&store, List::Us, EnUs).await, [1, 3]);
    assert_eq!(ids(&store, List::Saudi, EnUs).await, [2, 3]);
    assert_eq!(ids(&store, List::Us, ArSa).await, [5]);
    assert_eq!(ids(&store, List::Saudi, ArSa).await, [0; 0]);

    let page =
        store.entries(EntryKind::News, List::All.as_str(), Some(EnUs), None, 4, NOW).await.unwrap();
    assert_eq!((page.next, page.next_change_at), (None, None));
}

async fn paging_neither_skips_nor_repeats(base: Base) {
    const COUNT: u64 = 10_000;
    let store = base.open().await;
    // Seven entries per second, so that ids break ties; ids are not in chronological order.
    let spread = |id: u64| {
        let mut text =
            text(id, EnUs, if id.is_multiple_of(10) { Market::Us } else { Market::Empty });
        text.published_at = NOW - u32::try_from(id * 7919 % COUNT / 7).unwrap();
        text
    };
    let items: Vec<Entry> = (1..=COUNT).map(spread).collect();
    put(&store, &items).await;

    for (list, size, count) in [(List::All, 50, COUNT), (List::Us, 7, COUNT / 10)] {
        let (mut seen, mut places, mut cursor) = (BTreeSet::new(), Vec::new(), None);
        loop {
            let page = store
                .entries(EntryKind::News, list.as_str(), Some(EnUs), cursor, size, NOW)
                .await
                .unwrap();
            for summary in &page.items {
                assert!(seen.insert(summary.id), "{} stands twice", summary.id);
                places.push((summary.published_at, summary.id));
            }
            // Insertions at the top during paging do not affect later pages.
            if places.len() == size as usize {
                let mut newest = text(COUNT + 1, EnUs, Market::All);
                newest.published_at = NOW;
                put(&store, &[newest]).await;
            }
            let Some(next) = page.next else { break };
            cursor = Some(next);
        }
        assert_eq!(seen.len() as u64, count);
        assert!(places.is_sorted_by(|a, b| a > b));
        // The next round starts with the same articles.
        assert_eq!(store.withdraw(EntryKind::News, &[COUNT + 1]).await.unwrap(), [COUNT + 1]);
    }
}

async fn entry_dated_ahead_is_not_returned(base: Base) {
    let store = base.open().await;
    let mut ahead = text(1, EnUs, Market::Us);
    ahead.published_at = NOW + 60;
    let mut later = text(2, EnUs, Market::Us);
    later.published_at = NOW + 120;
    let mut arabic = text(2, ArSa, Market::Us);
    arabic.published_at = NOW - 1;
    put(&store, &[ahead, later, arabic, text(3, EnUs, Market::Us)]).await;

    let page =
        store.entries(EntryKind::News, List::Us.as_str(), Some(EnUs), None, 4, NOW).await.unwrap();
    assert_eq!(page.items.iter().map(|item| item.id).collect::<Vec<_>>(), [3]);
    assert_eq!(page.next_change_at, Some(NOW + 60));
    assert_eq!(store.entry(EntryKind::News, 1, EnUs, NOW).await.unwrap(), None);
    assert_eq!(store.published_ids(&[1, 2, 3, 9], NOW).await.unwrap(), [2, 3].into());
    let shown = store.entry(EntryKind::News, 2, EnUs, NOW).await.unwrap().unwrap();
    assert_eq!((shown.entry.locale, shown.next_change_at), (Some(ArSa), Some(NOW + 120)));
    assert_eq!(shown.available_locales, [ArSa]);
    let shown = store.entries_by_id(EntryKind::News, &[1, 2, 3], Some(EnUs), NOW).await.unwrap();
    assert_eq!((shown.items.len(), shown.next_change_at), (1, Some(NOW + 60)));
    assert_eq!(store.entry_refs(EntryKind::News, 0, 10, NOW).await.unwrap().len(), 2);
    let ahead = store
        .next_publication(EntryKind::News, &["all".to_owned()], Some(EnUs), NOW)
        .await
        .unwrap();
    assert_eq!(ahead, Some(NOW + 60));

    // One second after its publication time it is listed without any notification.
    assert_eq!(
        store
            .entries(EntryKind::News, List::Us.as_str(), Some(EnUs), None, 4, NOW + 60)
            .await
            .unwrap()
            .items
            .len(),
        2
    );
    let page = store
        .entries(EntryKind::News, List::Us.as_str(), Some(EnUs), None, 4, NOW + 120)
        .await
        .unwrap();
    assert_eq!(page.items.iter().map(|item| item.id).collect::<Vec<_>>(), [2, 1, 3]);
    assert_eq!(page.next_change_at, None);
    assert!(store.entry(EntryKind::News, 1, EnUs, NOW + 60).await.unwrap().is_some());
    // A cursor in the future does not reveal unpublished entries.
    let cursor = Cursor { rank: u32::MAX.into(), id: MAX_ID };
    let page = store
        .entries(EntryKind::News, List::Us.as_str(), Some(EnUs), Some(cursor), 4, NOW)
        .await
        .unwrap();
    assert_eq!(page.items.len(), 1);
}

async fn article_falls_back_to_its_other_locale(base: Base) {
    let store = base.open().await;
    put(&store, &[text(1, EnUs, Market::Us), text(2, EnUs, Market::Us), text(2, ArSa, Market::Us)])
        .await;
    let table = [
        (1, EnUs, EnUs, vec![EnUs]),
        (1, ArSa, EnUs, vec![EnUs]),
        (2, EnUs, EnUs, vec![EnUs, ArSa]),
        (2, ArSa, ArSa, vec![EnUs, ArSa]),
    ];
    for (id, requested, shown, available) in table {
        let found = store.entry(EntryKind::News, id, requested, NOW).await.unwrap().unwrap();
        assert_eq!(found.entry, text(id, shown, Market::Us));
        assert_eq!((found.available_locales, found.updated_at), (available, NOW));
        assert!(store.counts(EntryKind::News, &[id]).await.unwrap().is_empty());
    }
    for id in [0, 3, MAX_ID, MAX_ID + 1, u64::MAX] {
        assert_eq!(store.entry(EntryKind::News, id, EnUs, NOW).await.unwrap(), None, "{id}");
    }
}

async fn change_has_the_tags_of_its_item_and_lists(base: Base) {
    let store = base.open().await;
    let mut changed = text(7, EnUs, Market::Us);
    put(&store, &[changed.clone()]).await;
    article(&mut changed).text.title = "Another".into();
    put(&store, &[changed.clone()]).await;
    article(&mut changed).market = Market::Saudi;
    put(&store, &[changed, text(8, ArSa, Market::Empty)]).await;
    store.withdraw(EntryKind::News, &[7, 7, 9]).await.unwrap();
    put(&store, &[tab(1, Market::All, 1)]).await;
    assert_eq!(
        changes(&store).await,
        [
            tags(&["news:7", "news:list:all", "news:list:us"]),
            tags(&["news:7", "news:list:all", "news:list:us"]),
            tags(&["news:7", "news:8", "news:list:all", "news:list:us", "news:list:saudi"]),
            tags(&["news:7", "news:list:all", "news:list:saudi"]),
            tags(&["news:tabs"]),
        ]
    );
}

async fn identical_entries_are_not_written(base: Base) {
    let store = base.open().await;
    let picture = picture(b"one");
    let mut pictured = text(1, EnUs, Market::All);
    article(&mut pictured).image = Some(Image {
        picture: Picture {
            name: picture.name.to_string(),
            width: 4,
            height: 3,
            larger: Larger { x2: Some("0123456789abcdef.png".into()), x3: None },
        },
        alt: "A".into(),
    });
    let items = [pictured, text(1, ArSa, Market::All), tab(1, Market::All, 1)];
    let first = store.put(&items, std::slice::from_ref(&picture), NOW).await.unwrap();
    assert_eq!(first, ImportSummary { added: 3, changed: 0, unchanged: 0 });
    let second = store.put(&items, &[picture], NOW + 9).await.unwrap();
    assert_eq!(second, ImportSummary { added: 0, changed: 0, unchanged: 3 });
    assert_eq!(changes(&store).await.len(), 1);
    assert_eq!(
        store.entry(EntryKind::News, 1, EnUs, NOW + 9).await.unwrap().unwrap().updated_at,
        NOW
    );
}

async fn reimported_entry_has_every_new_value(base: Base) {
    fn image(entry: &mut Entry) -> &mut Image {
        article(entry).image.as_mut().unwrap()
    }
    let store = base.open().await;
    let mut changed = text(1, EnUs, Market::Us);
    let others = [text(1, ArSa, Market::Us), text(2, EnUs, Market::Us)];
    put(&store, &[&[changed.clone()], &others[..]].concat()).await;
    let changes: [fn(&mut Entry); 15] = [
        |entry| entry.published_at -= 60,
        |entry| entry.body_html = "<p>Two</p>".into(),
        |entry| article(entry).market = Market::Saudi,
        |entry| article(entry).text.title = "Another title".into(),
        |entry| article(entry).text.summary = "Another summary.".into(),
        |entry| article(entry).text.author = "Another author".into(),
        |entry| article(entry).text.sample = true,
        |entry| article(entry).text.reading_minutes = 9,
        |entry| {
            let name = "0123456789abcdef.png".to_owned();
            let picture = Picture { name, width: 4, height: 3, larger: Larger::default() };
            article(entry).image = Some(Image { picture, alt: "A".into() });
        },
        |entry| image(entry).alt = "B".into(),
        |entry| image(entry).picture.name = "fedcba9876543210.png".into(),
        |entry| (image(entry).picture.width, image(entry).picture.height) = (40, 30),
        |entry| image(entry).picture.larger.x2 = Some("0000000000000002.png".into()),
        |entry| image(entry).picture.larger.x3 = Some("0000000000000003.png".into()),
        |entry| article(entry).image = None,
    ];
    for (change, now) in changes.iter().zip(NOW + 1..) {
        change(&mut changed);
        let summary = store.put(std::slice::from_ref(&changed), &[], now).await.unwrap();
        assert_eq!(summary, ImportSummary { added: 0, changed: 1, unchanged: 0 }, "{changed:?}");
        let stored = store.entry(EntryKind::News, 1, EnUs, NOW).await.unwrap().unwrap();
        assert_eq!((stored.entry, stored.updated_at), (changed.clone(), now));
    }
    for other in others {
        let locale = other.locale.unwrap();
        let stored = store.entry(EntryKind::News, other.id, locale, NOW).await.unwrap().unwrap();
        assert_eq!((stored.entry, stored.updated_at), (other, NOW));
    }
}

async fn drafts_of_other_types_stay(base: Base) {
    let store = base.open().await;
    let [summer, winter] = ["summer", "winter"].map(|name| DraftType::parse(name).unwrap());
    let drafts = [text(1, EnUs, Market::Us), text(2, EnUs, Market::Us)];
    for draft_type in [&summer, &winter] {
        store.put_drafts(draft_type, &drafts, &[], true, NOW).await.unwrap();
    }
    let ids = async |draft_type| {
        let drafts = store.drafts(draft_type, EnUs).await.unwrap();
        drafts.iter().map(|draft| draft.entry.id).collect::<Vec<_>>()
    };
    let (summary, deleted) = store.put_drafts(&summer, &drafts[1..], &[], true, NOW).await.unwrap();
    assert_eq!(summary, ImportSummary { added: 0, changed: 0, unchanged: 1 });
    assert_eq!(deleted, 1);
    assert_eq!((ids(&summer).await, ids(&winter).await), (vec![2], vec![1, 2]));
    assert_eq!(store.discard_drafts(&summer).await.unwrap(), 1);
    assert_eq!((ids(&summer).await, ids(&winter).await), (vec![], vec![1, 2]));
}

async fn drafts_with_the_same_picture_are_imported_concurrently(base: Base) {
    let (store, other) = (base.open().await, base.open().await);
    let [summer, winter] = ["summer", "winter"].map(|name| DraftType::parse(name).unwrap());
    let drafts = [text(1, EnUs, Market::Us)];
    for round in 0..10 {
        let media = [picture(&[round])];
        let (one, two) = tokio::join!(
            store.put_drafts(&summer, &drafts, &media, true, NOW),
            other.put_drafts(&winter, &drafts, &media, true, NOW),
        );
        assert_eq!((one.unwrap().1, two.unwrap().1), (0, 0));
    }
}

async fn changed_market_moves_an_article_between_lists(base: Base) {
    let store = base.open().await;
    let mut moved = text(1, EnUs, Market::Us);
    put(&store, &[moved.clone(), text(2, EnUs, Market::Us)]).await;
    article(&mut moved).market = Market::Saudi;
    moved.published_at -= 100;
    let summary = put(&store, &[moved]).await;
    assert_eq!(summary, ImportSummary { added: 0, changed: 1, unchanged: 0 });
    assert_eq!(ids(&store, List::All, EnUs).await, [2, 1]);
    assert_eq!(ids(&store, List::Us, EnUs).await, [2]);
    assert_eq!(ids(&store, List::Saudi, EnUs).await, [1]);
}

async fn withdrawn_article_is_absent_until_reimported(base: Base) {
    let store = base.open().await;
    let items = [text(1, EnUs, Market::Us), text(1, ArSa, Market::Us), text(2, EnUs, Market::Us)];
    put(&store, &items).await;
    store.count_reading(EntryKind::News, 1, None, NOW).await.unwrap();
    let withdrawn = store.withdraw(EntryKind::News, &[9, 1, 1, 0, u64::MAX]).await.unwrap();
    assert_eq!(withdrawn, [1]);
    assert_eq!(store.entry(EntryKind::News, 1, EnUs, NOW).await.unwrap(), None);
    assert!(store.published_ids(&[1], NOW).await.unwrap().is_empty());
    assert_eq!(ids(&store, List::Us, EnUs).await, [2]);
    assert_eq!(ids(&store, List::All, ArSa).await, [0; 0]);
    assert_eq!(store.withdraw(EntryKind::News, &[1]).await.unwrap(), [0; 0]);
    assert_eq!(changes(&store).await.len(), 2);

    assert_eq!(put(&store, &items).await, ImportSummary { added: 2, changed: 0, unchanged: 1 });
    assert_eq!(ids(&store, List::Us, EnUs).await, [1, 2]);
    assert_eq!(store.count_reading(EntryKind::News, 1, None, NOW).await.unwrap(), 2);
}

async fn concurrent_readings_all_count(base: Base) {
    let (store, other) = (base.open().await, base.open().await);
    put(&store, &[text(1, EnUs, Market::Us)]).await;
    let mut tasks = tokio::task::JoinSet::new();
    for turn in 0..400 {
        let store = if turn % 2 == 0 { store.clone() } else { other.clone() };
        tasks.spawn(
            async move { store.count_reading(EntryKind::News, 1, None, NOW).await.unwrap() },
        );
    }
    let counts: BTreeSet<u64> = tasks.join_all().await.into_iter().collect();
    assert_eq!(counts, (1..=400).collect());
    let page =
        store.entries(EntryKind::News, List::Us.as_str(), Some(EnUs), None, 4, NOW).await.unwrap();
    let counts = store.counts(EntryKind::News, &[page.items[0].id]).await.unwrap();
    assert_eq!(counts[&1].reads, 400);
    assert_eq!(changes(&store).await.len(), 1);
}

async fn concurrent_writers_leave_one_text(base: Base) {
    let (store, other) = (base.open().await, base.open().await);
    let mut tasks = tokio::task::JoinSet::new();
    for turn in 0..40 {
        let store = if turn % 2 == 0 { store.clone() } else { other.clone() };
        let markets = [Market::Us, Market::Saudi, Market::All, Market::Empty];
        let mut text = text(1, EnUs, markets[turn % 4]);
        text.published_at -= u32::try_from(turn).unwrap();
        tasks.spawn(async move { store.put(&[text], &[], NOW).await.unwrap() });
    }
    tasks.join_all().await;
    let mut left = store.entry(EntryKind::News, 1, EnUs, NOW).await.unwrap().unwrap().entry;
    let market = article(&mut left).market;
    for list in [List::All, List::Us, List::Saudi] {
        let expected = if market.lists().contains(&list) { vec![1] } else { vec![] };
        assert_eq!(ids(&store, list, EnUs).await, expected, "{list:?} of {market:?}");
    }
    store.withdraw(EntryKind::News, &[1]).await.unwrap();
    assert_eq!(ids(&store, List::All, EnUs).await, [0; 0]);
}

async fn many_items_are_imported_in_one_call(base: Base) {
    let store = base.open().await;
    let mut items: Vec<Entry> = (1..=1_001).map(|id| text(id, EnUs, Market::All)).collect();
    items.extend((1..=1_001).map(|id| text(id, ArSa, Market::All)));
    // If several items have the same key, the last one wins.
    let mut last = text(5, EnUs, Market::All);
    article(&mut last).text.title = "Last".into();
    items.push(last);
    assert_eq!(put(&store, &items).await.added, 2_002);
    let stored = store.entry(EntryKind::News, 5, EnUs, NOW).await.unwrap().unwrap();
    assert_eq!(stored.entry.text().unwrap().title, "Last");
    let named: BTreeSet<String> = changes(&store).await.into_iter().flatten().collect();
    assert_eq!(named.len(), 1_001 + 3);
    if store.store().engine() == Engine::Postgres {
        let db = store.store().reader();
        let sql = "SELECT count(*) AS known FROM pg_stats \
                   WHERE schemaname = 'content' AND tablename LIKE 'article_%' AND attname = 'id'";
        let query = Statement::from_string(db.get_database_backend(), sql);
        let row = db.query_one_raw(query).await.unwrap().unwrap();
        let known: i64 = row.try_get("", "known").unwrap();
        assert_eq!(known, 2, "statistics of texts and lists");
    }
}

async fn addresses_are_paged(base: Base) {
    let store = base.open().await;
    let mut items: Vec<Entry> = (1..=5).map(|id| text(id, EnUs, Market::Us)).collect();
    items.extend([2, 4].map(|id| text(id, ArSa, Market::Us)));
    put(&store, &items).await;
    let of = |id: u64, locales: &[Locale]| (id, locales.to_vec(), NOW);
    let all = [
        of(1, &[EnUs]),
        of(2, &[EnUs, ArSa]),
        of(3, &[EnUs]),
        of(4, &[EnUs, ArSa]),
        of(5, &[EnUs]),
    ];
    for size in 1..=6 {
        let (mut found, mut after) = (Vec::new(), 0);
        loop {
            let page = store.entry_refs(EntryKind::News, after, size, NOW).await.unwrap();
            let last = page.len() < size as usize;
            after = page.last().map_or(after, |found| found.entry.id);
            let of_ref = |one: StoredEntry| (one.entry.id, one.available_locales, one.updated_at);
            found.extend(page.into_iter().map(of_ref));
            if last {
                break;
            }
        }
        assert_eq!(found, all, "pages of {size}");
    }
    assert_eq!(store.entry_refs(EntryKind::News, u64::MAX, 10, NOW).await.unwrap(), []);
}

async fn batches_keep_the_requested_order(base: Base) {
    let store = base.open().await;
    let items: Vec<Entry> = (1..=4).map(|id| text(id, EnUs, Market::Us)).collect();
    put(&store, &items).await;
    put(&store, &[text(5, ArSa, Market::Us)]).await;
    let requested = [3, 9, 1, 5, 4, u64::MAX, 0];
    let found =
        store.entries_by_id(EntryKind::News, &requested, Some(EnUs), NOW).await.unwrap().items;
    assert_eq!(found.iter().map(|summary| summary.id).collect::<Vec<_>>(), [3, 1, 4]);
}

fn picture(body: &[u8]) -> Media {
    Media {
        name: MediaName::of(body, MediaType::Png),
        kind: MediaType::Png,
        width: 4,
        height: 3,
        body: body.to_vec(),
    }
}

async fn pictures_are_stored_by_name(base: Base) {
    let store = base.open().await;
    let (one, two) = (picture(b"one"), picture(&vec![7; 1 << 21]));
    let media = [one.clone(), two.clone(), one.clone()];
    store.put(&[text(1, EnUs, Market::Us)], &media, NOW).await.unwrap();
    for media in [one, two] {
        let found = store.media(&media.name).await.unwrap();
        assert_eq!(found, Some(("image/png".to_owned(), media.body)));
    }
    assert_eq!(store.media(&picture(b"three").name).await.unwrap(), None);
}

async fn tabs_are_ordered_by_position(base: Base) {
    let store = base.open().await;
    let tab = |id, position| tab(id, Market::Us, position);
    put(&store, &[tab(1, 3), tab(2, 1), tab(3, 1)]).await;
    assert_eq!(store.tabs().await.unwrap(), [tab(2, 1), tab(3, 1), tab(1, 3)]);
    assert_eq!(put(&store, &[tab(1, 0)]).await.changed, 1);
    assert_eq!(store.tabs().await.unwrap()[0], tab(1, 0));
}

async fn unknown_stored_values_are_errors(base: Base) {
    let store = base.open().await;
    let summer = DraftType::parse("summer").unwrap();
    put(&store, &[text(1, EnUs, Market::Us)]).await;
    store.put_drafts(&summer, &[text(2, EnUs, Market::Us)], &[], true, NOW).await.unwrap();
    let update = async |sql: &str| {
        let write = async |tx: &DatabaseTransaction| Ok(tx.execute_unprepared(sql).await?);
        assert_eq!(store.store().write(write).await.unwrap().rows_affected(), 1, "{sql}");
    };

    update("UPDATE article_text SET image_name = '../secret', image_alt = 'A'").await;
    let error = store.entry(EntryKind::News, 1, EnUs, NOW).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Internal);

    let image = r#"{"name":"../secret","alt":"A","width":1,"height":1}"#;
    let article = |title: &str, image: &str| {
        format!(
            r#"{{"sample":true,"market":"us",{title}"summary":"S","author":"","image":{image},"reading_minutes":1}}"#
        )
    };
    update(&format!("UPDATE draft SET head = '{}'", article(r#""title":"T","#, "null"))).await;
    assert_eq!(store.drafts(&summer, EnUs).await.unwrap()[0].entry.text().unwrap().title, "T");
    for (kind, data) in [
        ("news", article("", "null")),
        ("news", article(r#""title":"T","#, image)),
        ("stock", r#"{"kind":"stock","code":"A","data_type":1,"name":{"en":"A","sa":""}}"#.into()),
    ] {
        update(&format!("UPDATE draft SET shelf = '{kind}', head = '{data}'")).await;
        let error = store.drafts(&summer, EnUs).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Internal, "{data}");
    }
}
