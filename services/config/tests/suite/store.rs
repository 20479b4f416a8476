//! Tests of the store on both engines.

use sahm_chassis::{changes::ChangeLog, lifecycle::Lifecycle, settings::DatabaseUrl};
use sahm_config::{
    bundle::Bundle,
    domain::{ItemKey, SwitchChange},
    seed,
    store::ConfigStore,
};
use sahm_proto::{
    config::v1::{SetSwitchRequest, Switch},
    options::v1::Feature,
    tags,
};
use sahm_testkit::Postgres;

/// Runs one case on SQLite and on PostgreSQL.
async fn on_both(case: impl AsyncFn(DatabaseUrl)) {
    let folder = tempfile::tempdir().unwrap();
    case(DatabaseUrl::file(folder.path().join("config.sqlite"))).await;
    let url = Postgres::shared().await.unwrap().database().await.unwrap();
    case(url.parse().unwrap()).await;
}

fn key(text: &str) -> ItemKey {
    ItemKey::parse(text).unwrap()
}

fn bundle(name: &str, text: &str) -> Bundle {
    let mut bundle = Bundle::default();
    bundle.add(name, text).unwrap();
    bundle
}

#[tokio::test]
async fn empty_database_is_seeded_once() {
    on_both(async |url| {
        let (one, two) = tokio::join!(ConfigStore::open(&url), ConfigStore::open(&url));
        let (one, two) = (one.unwrap(), two.unwrap());
        assert!(one.is_empty().await.unwrap());
        let (bundle_one, bundle_two) = (seed::bundle().unwrap(), seed::bundle().unwrap());
        let (first, second) = tokio::join!(one.seed(&bundle_one), two.seed(&bundle_two));
        let outcomes = [first.unwrap(), second.unwrap()];
        assert_eq!(outcomes.iter().filter(|one| one.is_empty()).count(), 1);
        assert!(!one.is_empty().await.unwrap());
        assert_eq!(two.countries().await.unwrap().len(), 249);
        assert_eq!(two.menu().await.unwrap().header.len(), 9);
        assert_eq!(two.fees().await.unwrap().vat_rate, "0.15");
    })
    .await;
}

#[tokio::test]
async fn items_are_returned_in_the_requested_order() {
    on_both(async |url| {
        let store = ConfigStore::open(&url).await.unwrap();
        store
            .set_items(&[(key("A"), "1".into()), (key("B"), "ب".into()), (key("C"), String::new())])
            .await
            .unwrap();
        let found = store.items(&[key("C"), key("X"), key("B")], "commons").await.unwrap();
        assert_eq!(found, [("C".into(), String::new()), ("B".into(), "ب".into())]);
        assert!(store.items(&[key("A")], "other").await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn repeated_import_changes_nothing() {
    on_both(async |url| {
        let store = ConfigStore::open(&url).await.unwrap();
        store.seed(&seed::bundle().unwrap()).await.unwrap();
        let theme =
            bundle("items.jsonl", r#"{"key":"WEB_ACTIVITY_THEME","value":"7","ctype":"commons"}"#);
        let expected = [tags::CONFIG_ITEMS, tags::CONFIG_MENU];
        assert_eq!(store.import(&theme).await.unwrap(), expected);
        assert_eq!(store.import(&theme).await.unwrap(), [""; 0]);
        assert_eq!(store.menu().await.unwrap().header.len(), 9);
    })
    .await;
}

#[tokio::test]
async fn store_with_a_menu_alone_is_not_empty() {
    on_both(async |url| {
        let store = ConfigStore::open(&url).await.unwrap();
        let part = Bundle { menu: seed::bundle().unwrap().menu, ..Bundle::default() };
        store.import(&part).await.unwrap();
        assert!(!store.is_empty().await.unwrap());
        assert_eq!(store.seed(&seed::bundle().unwrap()).await.unwrap(), [""; 0]);
    })
    .await;
}

#[tokio::test]
async fn all_items_and_single_countries_are_returned() {
    on_both(async |url| {
        let store = ConfigStore::open(&url).await.unwrap();
        store.seed(&seed::bundle().unwrap()).await.unwrap();
        let items = store.all_items().await.unwrap();
        assert_eq!(items.len(), seed::bundle().unwrap().items.len());
        assert!(items.is_sorted_by(|(key, _), (next, _)| key < next));
        let country = store.country("SA").await.unwrap().unwrap();
        assert_eq!((country.code.as_str(), country.area_code), ("SAU", 74));
        assert_eq!(store.country("GB").await.unwrap().unwrap().area_code, 0);
        assert!(store.country("ZZ").await.unwrap().is_none());
    })
    .await;
}

#[tokio::test]
async fn reimported_item_has_every_new_value() {
    on_both(async |url| {
        let store = ConfigStore::open(&url).await.unwrap();
        for (value, ctype, is_common) in
            [("1", "commons", true), ("2", "", false), ("2", "commons", true), ("3", "", false)]
        {
            let line = format!(r#"{{"key":"A","value":"{value}","ctype":"{ctype}"}}"#);
            let outcome = store.import(&bundle("items.jsonl", &line)).await.unwrap();
            assert_eq!(outcome, [tags::CONFIG_ITEMS], "{line}");
            let found = store.items(&[key("A")], "").await.unwrap();
            assert_eq!(found, [("A".to_owned(), value.to_owned())], "{line}");
            let commons = store.items(&[key("A")], "commons").await.unwrap();
            assert_eq!(commons.len() == 1, is_common, "{line}");
        }
    })
    .await;
}

#[tokio::test]
async fn reimported_part_has_every_new_value_and_purges_its_pages() {
    on_both(async |url| {
        let store = ConfigStore::open(&url).await.unwrap();
        store.seed(&seed::bundle().unwrap()).await.unwrap();
        let changed = |tag: &str| [tag.to_owned()];

        let mut menu = store.menu().await.unwrap();
        menu.header.truncate(2);
        let part = Bundle { menu: Some(menu.clone()), ..Bundle::default() };
        assert_eq!(store.import(&part).await.unwrap(), changed(tags::CONFIG_MENU));
        assert_eq!(store.menu().await.unwrap(), menu);
        assert_eq!(store.import(&part).await.unwrap(), [""; 0]);

        let mut fees = store.fees().await.unwrap();
        fees.vat_rate = "0.2".to_owned();
        let part = Bundle { fees: Some(fees.clone()), ..Bundle::default() };
        assert_eq!(store.import(&part).await.unwrap(), changed(tags::CONFIG_FEES));
        assert_eq!(store.fees().await.unwrap(), fees);
        assert_eq!(store.import(&part).await.unwrap(), [""; 0]);
        assert_eq!(store.menu().await.unwrap(), menu);

        // Countries are replaced completely, in the order of the file.
        let saudi = r#"{"id":"SA","code":"SAU","name":"Saudi Arabia","nameAr":"السعودية","telCode":"966","generalRank":1,"areaCode":74}"#;
        let qatar = r#"{"id":"QA","code":"QAT","name":"Qatar","nameAr":"قطر","telCode":"974","generalRank":2,"areaCode":3}"#;
        let renamed = r#"{"id":"SA","code":"KSA","name":"Kingdom","nameAr":"المملكة","telCode":"9","generalRank":0,"areaCode":0}"#;
        let saudi_row = ("SA", "SAU", "Saudi Arabia", "السعودية", "966", 1, 74);
        let qatar_row = ("QA", "QAT", "Qatar", "قطر", "974", 2, 3);
        let renamed_row = ("SA", "KSA", "Kingdom", "المملكة", "9", 0, 0);
        for (lines, expected) in [
            ([saudi, qatar], [saudi_row, qatar_row]),
            ([qatar, renamed], [qatar_row, renamed_row]),
        ] {
            let part = bundle("countries.jsonl", &lines.join("\n"));
            assert_eq!(store.import(&part).await.unwrap(), changed(tags::CONFIG_COUNTRIES));
            assert_eq!(store.import(&part).await.unwrap(), [""; 0]);
            let countries = store.countries().await.unwrap();
            let rows = countries.iter().map(|row| {
                let (id, code, name, name_ar) = (&*row.id, &*row.code, &*row.name, &*row.name_ar);
                (id, code, name, name_ar, &*row.tel_code, row.general_rank, row.area_code)
            });
            assert_eq!(rows.collect::<Vec<_>>(), expected);
            assert!(store.country("GB").await.unwrap().is_none());
        }
    })
    .await;
}

#[tokio::test]
async fn switch_is_stored_until_it_is_turned_on() {
    on_both(async |url| {
        let store = ConfigStore::open(&url).await.unwrap();
        let log = ChangeLog::start(store.inner().clone(), &Lifecycle::new()).await.unwrap();
        assert!(store.switches().await.unwrap().is_empty());
        struct Step {
            feature: Feature,
            off: bool,
            left: &'static [Feature],
            is_change: bool,
        }
        use Feature::{Codes, Login, Streams};
        for Step { feature, off, left, is_change } in [
            Step { feature: Streams, off: true, left: &[Streams], is_change: true },
            Step { feature: Login, off: true, left: &[Login, Streams], is_change: true },
            Step { feature: Streams, off: true, left: &[Login, Streams], is_change: false },
            Step { feature: Streams, off: false, left: &[Login], is_change: true },
            Step { feature: Codes, off: false, left: &[Login], is_change: false },
        ] {
            let before = log.newest().await.unwrap().1;
            let request = SetSwitchRequest {
                feature: feature.into(),
                off,
                operator: "reem".to_owned(),
                reason: "R-1".to_owned(),
                ..SetSwitchRequest::default()
            };
            let change = SwitchChange::parse(request, 7).unwrap();
            let returned = store.set_switch(change).await.unwrap();
            assert_eq!(store.switches().await.unwrap(), returned, "{feature:?} {off}");
            let features = returned.iter().map(Switch::feature).collect::<Vec<_>>();
            assert_eq!(features, left, "{feature:?} {off}");
            let appended = log.newest().await.unwrap().1 - before;
            assert_eq!(appended, u64::from(is_change), "{feature:?} {off}");
        }
    })
    .await;
}

/// A write is visible on the other replica immediately, and is in its change log.
#[tokio::test]
async fn write_is_visible_on_the_other_replica() {
    on_both(async |url| {
        let one = ConfigStore::open(&url).await.unwrap();
        let two = ConfigStore::open(&url).await.unwrap();
        one.set_items(&[(key("AC_OPEN"), "/open".into())]).await.unwrap();
        assert_eq!(
            two.items(&[key("AC_OPEN")], "").await.unwrap(),
            [("AC_OPEN".to_owned(), "/open".to_owned())]
        );
        let theme = bundle("items.jsonl", r#"{"key":"AC_OPEN","value":"/open","ctype":"commons"}"#);
        assert_eq!(two.import(&theme).await.unwrap(), [""; 0]);
        let log = ChangeLog::start(two.inner().clone(), &Lifecycle::new()).await.unwrap();
        assert_eq!(log.newest().await.unwrap().1, 1);
    })
    .await;
}
