//! What an empty database starts with.
use std::time::{Duration, Instant};

use sahm_content::{
    domain::{List, Locale, Market},
    start,
};

use crate::{
    on_both_engines,
    support::{Base, NOW, changes, item, text},
};

on_both_engines!(
    replicas_that_start_at_once_seed_once,
    what_was_emptied_stays_empty,
    what_was_imported_first_is_not_mixed_with_the_seed,
);

/// Seeding takes less than a second in release builds; debug builds are many times slower.
const LIMIT: Duration = Duration::from_secs(if cfg!(debug_assertions) { 5 } else { 1 });

async fn replicas_that_start_at_once_seed_once(base: Base) {
    let contexts = [base.context(), base.context(), base.context()];
    let began = Instant::now();
    let (one, two, three) =
        tokio::join!(start(&contexts[0]), start(&contexts[1]), start(&contexts[2]));
    assert!(began.elapsed() < LIMIT, "{:?}", began.elapsed());
    for started in [one, two, three] {
        started.unwrap();
    }
    let store = base.open().await;
    assert_eq!(store.tabs().await.unwrap().len(), 3);
    for locale in Locale::ALL {
        for list in List::EVERY {
            let page = store.list(list, locale, None, 50, NOW).await.unwrap();
            assert!(page.items.len() >= 12, "{list:?} {locale:?}: {}", page.items.len());
            for summary in page.items {
                let image = summary.image.unwrap();
                assert!(store.media(&image.name).await.unwrap().is_some(), "{}", summary.id);
                assert!(image.width > 0 && image.height > 0);
            }
        }
    }
    assert_eq!(changes(&store).await.len(), 2, "one seed: a hard and a soft change");
    contexts.iter().for_each(|context| context.lifecycle.drain());
}

async fn what_was_emptied_stays_empty(base: Base) {
    let context = base.context();
    start(&context).await.unwrap();
    let store = base.open().await;
    let ids: Vec<u64> =
        store.refs(0, 10_000, u32::MAX).await.unwrap().item.iter().map(|item| item.id).collect();
    assert_eq!(store.withdraw(&ids).await.unwrap(), ids);
    start(&base.context()).await.unwrap();
    assert_eq!(store.refs(0, 10_000, u32::MAX).await.unwrap().item, []);
    context.lifecycle.drain();
}

async fn what_was_imported_first_is_not_mixed_with_the_seed(base: Base) {
    let store = base.open().await;
    store.put(&[item(text(1, Locale::EnUs, Market::Us))], &[], NOW).await.unwrap();
    let context = base.context();
    start(&context).await.unwrap();
    assert_eq!(store.refs(0, 10_000, u32::MAX).await.unwrap().item.len(), 1);
    assert_eq!(store.tabs().await.unwrap().len(), 3);
    context.lifecycle.drain();
}
