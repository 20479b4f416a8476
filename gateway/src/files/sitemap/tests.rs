#![allow(clippy::unwrap_used)]
use sahm_chassis::settings::ServiceName;
use sahm_proto::content::v1::ArticleRef;

use super::*;
use crate::services::slow::slow_service;

fn article(id: u64, locales: &[&str], updated_at: u32) -> ArticleRef {
    ArticleRef {
        id,
        available_locales: locales.iter().map(|&locale| locale.to_owned()).collect(),
        updated_at,
    }
}

fn news(refs: &[ArticleRef]) -> Catalogue {
    let entries = refs.iter().map(catalogue::article).filter(|entry| !entry.locales.is_empty());
    Catalogue(vec![("news", entries.collect())])
}

fn sitemap() -> Sitemap {
    let routes = RouteTable::built_in().unwrap();
    Sitemap::new(&Services::new([]), &routes, "https://www.sahm.test", Limits::off())
}

#[test]
fn index_lists_exactly_the_parts_that_exist() {
    let refs = [article(1, &["en-us", "ar-sa"], 86_400), article(2, &["en-us"], 0)];
    let sitemap = sitemap();
    let index = sitemap.document("sitemap.xml", &news(&refs)).unwrap();
    for part in ["sitemap-pages.xml", "sitemap-news-1.xml"] {
        assert!(index.contains(&format!("<loc>https://www.sahm.test/{part}</loc>")), "{index}");
        assert!(sitemap.document(part, &news(&refs)).is_some());
    }
    assert!(index.contains("<lastmod>1970-01-02T00:00:00Z</lastmod>"));
    for unknown in [
        "sitemap-news-2.xml",
        "sitemap-news-0.xml",
        "sitemap-news-01.xml",
        "sitemap-news-.xml",
        "sitemap-news--1.xml",
        "sitemap-x.xml",
        "sitemap-x-1.xml",
        "sitemap-pages-1.xml",
        "sitemap1.xml",
    ] {
        assert!(sitemap.document(unknown, &news(&refs)).is_none(), "{unknown}");
    }
    assert!(sitemap.document("sitemap-news-1.xml", &news(&[])).is_none());
}

#[test]
fn urls_are_listed_in_existing_locales() {
    let refs = [
        article(7, &["en-us", "ar-sa"], 86_400),
        article(8, &["ar-sa"], 0),
        article(9, &["fr-fr"], 0),
    ];
    let xml = sitemap().document("sitemap-news-1.xml", &news(&refs)).unwrap();
    let lines = xml.lines().filter(|line| line.starts_with("<url>")).collect::<Vec<_>>();
    assert_eq!(lines.len(), 3, "{xml}");
    assert_eq!(
        lines[1],
        "<url><loc>https://www.sahm.test/ar-sa/news/content/7</loc>\
         <lastmod>1970-01-02T00:00:00Z</lastmod>\
         <xhtml:link rel=\"alternate\" hreflang=\"en-us\" href=\"https://www.sahm.test/en-us/news/content/7\"/>\
         <xhtml:link rel=\"alternate\" hreflang=\"ar-sa\" href=\"https://www.sahm.test/ar-sa/news/content/7\"/>\
         <xhtml:link rel=\"alternate\" hreflang=\"x-default\" href=\"https://www.sahm.test/en-us/news/content/7\"/></url>"
    );
    assert_eq!(
        lines[2],
        "<url><loc>https://www.sahm.test/ar-sa/news/content/8</loc>\
         <xhtml:link rel=\"alternate\" hreflang=\"ar-sa\" href=\"https://www.sahm.test/ar-sa/news/content/8\"/></url>"
    );
}

#[test]
fn pages_of_the_route_table_are_listed_unless_excluded() {
    let xml = sitemap().document("sitemap-pages.xml", &news(&[])).unwrap();
    for address in ["/en-us</loc>", "/ar-sa</loc>", "/en-us/news</loc>", "/ar-sa/news/us</loc>"] {
        assert!(xml.contains(&format!("<loc>https://www.sahm.test{address}")), "{address}");
    }
    for absent in ["notFound", "{", "content", "<loc>https://www.sahm.test/news"] {
        assert!(!xml.contains(absent), "{absent}");
    }
}

#[test]
fn parts_are_bounded() {
    let refs = (1..=MAX_ENTRIES_PER_PART as u64 + 1).map(|id| article(id, &["en-us", "ar-sa"], 1));
    let catalogue = news(&refs.collect::<Vec<_>>());
    let sizes = parts(&catalogue).map(|(name, part)| (name, part.len())).collect::<Vec<_>>();
    let expected = [("sitemap-news-1.xml", MAX_ENTRIES_PER_PART), ("sitemap-news-2.xml", 1)];
    assert_eq!(sizes, expected.map(|(name, size)| (name.to_owned(), size)));
}

#[tokio::test(start_paused = true)]
async fn requests_during_a_slow_load_do_not_queue() {
    const CALL: Duration = Duration::from_millis(700);
    // The longest chain of calls: a list, then the references.
    const LOAD: Duration = CALL.saturating_mul(2);
    let content = (ServiceName::Content, slow_service(CALL, |_, _| Vec::new()));
    let routes = RouteTable::built_in().unwrap();
    let sitemap = Sitemap::new(&Services::new([content]), &routes, "", Limits::off());
    let requests = (0..20).map(|request| {
        let sitemap = &sitemap;
        async move {
            tokio::time::sleep(Duration::from_millis(100) * request).await;
            let started = Instant::now();
            let catalogue = sitemap.catalogue().result().await.unwrap();
            assert!(started.elapsed() <= LOAD, "{request}: {:?}", started.elapsed());
            catalogue
        }
    });
    let mut loads = futures_util::future::join_all(requests).await;
    // Requests within half a second share one load.
    loads.dedup_by(|one, other| Arc::ptr_eq(one, other));
    assert_eq!(loads.len(), 4);
}
