//! The seed of an empty database.
use std::time::{Duration, Instant};

use sahm_chassis::{
    Context,
    clock::Clock,
    rpc,
    service::{Seeding, Service},
};
use sahm_content::{
    Content,
    domain::{EntryData, EntryKind, List, Locale, Market, MediaName},
};

use crate::{
    on_both_engines,
    support::{Base, NOW, changes, text},
};

on_both_engines!(
    replicas_that_start_together_seed_once,
    emptied_kind_stays_empty,
    kind_with_imported_items_is_not_seeded,
    outside_dev_store_stays_empty_until_seeded,
);

async fn start(context: &Context) -> anyhow::Result<rpc::Service> {
    Content::start(context, Clock::system()).await
}

/// Labels and messages that help documents quote exist in the frontend's message catalogues.
#[test]
fn help_documents_quote_labels_of_the_catalogues() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    for (document, catalogue, label) in [
        (112, "feedback", "notice.upload"),
        (114, "common", "log-in"),
        (114, "common", "open-account"),
        (114, "common", "account.correct"),
        (114, "common", "account.review"),
        (115, "common", "account.correct"),
        (115, "common", "account.review"),
        (115, "feedback", "notice.submitting"),
        (129, "common", "account.tadawul"),
        (129, "common", "account.only-pc"),
        (129, "common", "got-it"),
        (130, "common", "open-account"),
        (130, "common", "account.review"),
        (146, "quotes", "state.delisted"),
        (146, "quotes", "state.paused"),
        (148, "article", "translate.agree"),
        (148, "common", "one-language"),
        (149, "common", "failure.timeout"),
        (149, "common", "failure.service"),
        (149, "common", "failure.document"),
        (149, "support", "search.none"),
    ] {
        for locale in ["en-us", "ar-sa"] {
            let path = format!("{root}/frontend/messages/{locale}/{catalogue}.json");
            let messages = std::fs::read_to_string(path).unwrap();
            let messages: serde_json::Value = serde_json::from_str(&messages).unwrap();
            let shown = messages[label].as_str().unwrap();
            let path =
                format!("{root}/services/content/seed/help/documents/{document}.{locale}.md");
            let text = std::fs::read_to_string(path).unwrap();
            assert!(text.contains(shown), "{document}.{locale}: {label} is {shown:?}");
        }
    }
}

/// Seeding takes less than a second in release builds; debug builds are many times slower.
const LIMIT: Duration = Duration::from_secs(if cfg!(debug_assertions) { 5 } else { 1 });

async fn replicas_that_start_together_seed_once(base: Base) {
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
        for list in [List::All, List::Us, List::Saudi] {
            let page = store
                .entries(EntryKind::News, list.as_str(), Some(locale), None, 50, NOW)
                .await
                .unwrap();
            assert!(page.items.len() >= 12, "{list:?} {locale:?}: {}", page.items.len());
            for summary in page.items {
                let EntryData::News(article) = summary.data else { panic!("no article") };
                let picture = article.image.unwrap().picture;
                let name = MediaName::parse(&picture.name).unwrap();
                assert!(store.media(&name).await.unwrap().is_some(), "{}", summary.id);
                assert!(picture.width > 0 && picture.height > 0);
            }
        }
    }
    assert_eq!(changes(&store).await.len(), 2, "one seed: a hard and a soft change");
    contexts.iter().for_each(|context| context.lifecycle.drain());
}

async fn emptied_kind_stays_empty(base: Base) {
    let context = base.context();
    start(&context).await.unwrap();
    let store = base.open().await;
    let ids: Vec<u64> = store
        .entry_refs(EntryKind::News, 0, 10_000, u32::MAX)
        .await
        .unwrap()
        .iter()
        .map(|found| found.entry.id)
        .collect();
    assert_eq!(store.withdraw(EntryKind::News, &ids).await.unwrap(), ids);
    start(&base.context()).await.unwrap();
    assert_eq!(store.entry_refs(EntryKind::News, 0, 10_000, u32::MAX).await.unwrap(), []);
    context.lifecycle.drain();
}

async fn kind_with_imported_items_is_not_seeded(base: Base) {
    let store = base.open().await;
    store.put(&[text(1, Locale::EnUs, Market::Us)], &[], NOW).await.unwrap();
    let context = base.context();
    start(&context).await.unwrap();
    assert_eq!(store.entry_refs(EntryKind::News, 0, 10_000, u32::MAX).await.unwrap().len(), 1);
    assert_eq!(store.tabs().await.unwrap().len(), 3);
    context.lifecycle.drain();
}

async fn outside_dev_store_stays_empty_until_seeded(base: Base) {
    let context = base.context_with(&[
        ("SAHM_ENV", "uat"),
        ("SAHM_SESSION_KEYS", "0123456789abcdef0123456789abcdef"),
        ("SAHM_CALLER_TOKENS", "gateway=0123456789abcdef0123456789abcdef"),
    ]);
    start(&context).await.unwrap();
    let store = base.open().await;
    assert!(store.is_empty().await.unwrap());
    for seeding in [Seeding::Filled, Seeding::NotEmpty] {
        assert_eq!(Content::open_and_seed(&context.settings).await.unwrap(), seeding);
    }
    assert_eq!(store.tabs().await.unwrap().len(), 3);
    context.lifecycle.drain();
}
