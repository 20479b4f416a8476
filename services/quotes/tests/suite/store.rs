//! Tests of the store on both engines.

use sahm_chassis::{Error, ErrorCode, settings::DatabaseUrl};
use sahm_proto::Locale;
use sahm_quotes::{
    domain::{Announcement, Market, SecurityCode, securities_of},
    seed,
    store::QuotesStore,
};
use sahm_testkit::{Postgres, SmallDisk};

/// After the seed's last announcement: 2026-11-21.
const NOW: u32 = 1_795_219_200;

/// Runs one case on SQLite and on PostgreSQL.
async fn on_both(case: impl AsyncFn(DatabaseUrl)) {
    let folder = tempfile::tempdir().unwrap();
    case(DatabaseUrl::file(folder.path().join("quotes.sqlite"))).await;
    let url = Postgres::shared().await.unwrap().database().await.unwrap();
    case(url.parse().unwrap()).await;
}

async fn seeded(url: &DatabaseUrl) -> QuotesStore {
    let store = QuotesStore::open(url).await.unwrap();
    store.seed(&seed::securities().unwrap(), &seed::announcements().unwrap()).await.unwrap();
    store
}

fn code(text: &str) -> SecurityCode {
    SecurityCode::parse(text).unwrap()
}

#[tokio::test]
async fn empty_database_is_seeded_once() {
    on_both(async |url| {
        let empty = QuotesStore::open(&url).await.unwrap();
        assert!(empty.is_empty().await.unwrap());
        let (one, two) = tokio::join!(seeded(&url), seeded(&url));
        assert!(!empty.is_empty().await.unwrap());
        let securities = seed::securities().unwrap();
        for store in [one, two] {
            let catalogue = store.catalogue().await.unwrap();
            assert_eq!(catalogue.after(None, None, usize::MAX).len(), securities.len());
            for security in &securities {
                assert_eq!(&**catalogue.get(&security.code).unwrap(), security);
            }
        }
    })
    .await;
}

#[tokio::test]
async fn import_replaces_rows_and_survives_reopening() {
    on_both(async |url| {
        let store = seeded(&url).await;
        let before = store.catalogue().await.unwrap().after(None, None, usize::MAX).len();
        let lines = r#"{"code":"AAPL","dataType":20001,"exchange":"Nasdaq","name":"Other","status":2}
{"code":"NEW","dataType":30001,"exchange":"Saudi Exchange","name":"New"}"#;
        let securities = securities_of(lines).unwrap();
        for _ in 0..2 {
            store.import(&securities, &[]).await.unwrap();
        }
        let reopened = seeded(&url).await;
        let catalogue = reopened.catalogue().await.unwrap();
        assert_eq!(catalogue.after(None, None, usize::MAX).len(), before + 1);
        assert_eq!(catalogue.get(&code("AAPL")).unwrap().name, "Other");
        assert_eq!(catalogue.get(&code("NEW")).unwrap().market(), Market::Saudi);
    })
    .await;
}

#[tokio::test]
async fn reimported_rows_have_every_new_value() {
    on_both(async |url| {
        let store = seeded(&url).await;
        for line in [
            r#"{"code":"ZZZ","dataType":20001,"exchange":"NYSE","name":"One","nameSa":"واحد","level":"10.00"}"#,
            r#"{"code":"ZZZ","dataType":30001,"exchange":"Saudi Exchange","name":"Two","nameSa":"اثنان","level":"20.50","status":1}"#,
            r#"{"code":"ZZZ","dataType":30001,"exchange":"Saudi Exchange","name":"Two","nameSa":"اثنان","level":"20.50","preIpo":true}"#,
        ] {
            let securities = securities_of(line).unwrap();
            store.import(&securities, &[]).await.unwrap();
            let catalogue = store.catalogue().await.unwrap();
            assert_eq!(**catalogue.get(&code("ZZZ")).unwrap(), securities[0], "{line}");
        }
        let mut one: Announcement = seed::announcements().unwrap().remove(0);
        one.market = "us".to_owned();
        one.published_at += 60;
        one.sample = !one.sample;
        one.securities = vec![code("AAPL")];
        store.import(&[], std::slice::from_ref(&one)).await.unwrap();
        assert_eq!(store.announcements(&[one.id]).await.unwrap(), [one]);
    })
    .await;
}

#[tokio::test]
async fn announcements_of_the_same_second_are_paged_without_loss() {
    on_both(async |url| {
        let store = seeded(&url).await;
        let model = seed::announcements().unwrap().remove(0);
        let mut same: Vec<Announcement> = (1..=5)
            .map(|id| Announcement { id: 90_000 + id, published_at: NOW - 1, ..model.clone() })
            .collect();
        // A later one with a lower id comes first, and only once.
        same.push(Announcement { id: 80_000, published_at: NOW, ..model });
        store.import(&[], &same).await.unwrap();
        for size in 1..=4 {
            let (mut ids, mut after) = (Vec::new(), None);
            while ids.len() < 6 {
                let page = store.list_announcements(Locale::EnUs, after, NOW, size).await.unwrap();
                assert_eq!(page.len(), size);
                let last = page.last().unwrap();
                after = Some(last.position());
                ids.extend(page.iter().map(|one| one.id));
            }
            assert_eq!(ids[..6], [80_000, 90_005, 90_004, 90_003, 90_002, 90_001], "{size}");
        }
    })
    .await;
}

#[tokio::test]
async fn announcements_are_paged_newest_first() {
    on_both(async |url| {
        let store = seeded(&url).await;
        let all = seed::announcements().unwrap();
        let mut listed = Vec::new();
        let mut after = None;
        loop {
            let page = store.list_announcements(Locale::ArSa, after, NOW, 2).await.unwrap();
            let Some(last) = page.last() else { break };
            after = Some(last.position());
            listed.extend(page);
        }
        assert_eq!(listed.len(), all.len());
        assert!(listed.is_sorted_by(|a, b| a.published_at >= b.published_at));
        for one in &listed {
            assert_eq!(Some(one), all.iter().find(|other| other.id == one.id));
        }
        let earlier = all.iter().filter(|one| one.published_at <= NOW - 2_000_000).count();
        let page = store.list_announcements(Locale::EnUs, None, NOW - 2_000_000, 50).await;
        assert_eq!(page.unwrap().len(), earlier);
        // An announcement is listed from the second of its publication on.
        let newest = listed[0].published_at;
        for (now, is_listed) in [(newest, true), (newest - 1, false)] {
            let page = store.list_announcements(Locale::ArSa, None, now, 1).await.unwrap();
            assert_eq!(page[0].id == listed[0].id, is_listed, "{now}");
        }
    })
    .await;
}

#[tokio::test]
async fn announcement_is_listed_in_its_own_locales_only() {
    on_both(async |url| {
        let store = seeded(&url).await;
        let mut one: Announcement = seed::announcements().unwrap().remove(0);
        one.texts.remove(&Locale::ArSa);
        one.securities = vec![code("2222"), code("AAPL")];
        store.import(&[], std::slice::from_ref(&one)).await.unwrap();
        assert_eq!(store.announcements(&[one.id, 77]).await.unwrap(), [one.clone()]);
        let ids = async |locale| {
            let page = store.list_announcements(locale, None, NOW, 50).await.unwrap();
            page.iter().map(|one| one.id).collect::<Vec<_>>()
        };
        assert!(ids(Locale::EnUs).await.contains(&one.id));
        assert!(!ids(Locale::ArSa).await.contains(&one.id));
    })
    .await;
}

#[tokio::test]
async fn full_disk_loses_no_acknowledged_import() {
    let disk = SmallDisk::mount(8 << 20).unwrap();
    let url = DatabaseUrl::file(disk.path().join("quotes.sqlite"));
    let store = QuotesStore::open(&url).await.unwrap();
    let line = |number: u32| {
        format!(r#"{{"code":"X{number:05}","dataType":20001,"exchange":"Nasdaq","name":"One"}}"#)
    };
    let write = async |number| store.import(&securities_of(&line(number)).unwrap(), &[]).await;
    let is_unavailable = |error: &Error| error.code() == ErrorCode::Unavailable;
    let acknowledged = disk.acknowledged_writes(write, is_unavailable).await.unwrap();
    let catalogue = QuotesStore::open(&url).await.unwrap().catalogue().await.unwrap();
    assert_eq!(catalogue.after(None, None, usize::MAX).len(), acknowledged.len());
    for number in acknowledged {
        assert!(catalogue.get(&code(&format!("X{number:05}"))).is_some(), "{number}");
    }
}
