//! Load times and tags of all pages, over services that respond to each call after a fixed time.

#![allow(clippy::unwrap_used)]

use std::{collections::BTreeSet, time::Duration};

use tokio::time::Instant;

use super::kit::{Calls, loaders, request};
use crate::{page_cache::Kind, pages::*};

/// Duration of each call.
const CALL_DURATION: Duration = Duration::from_millis(300);

/// Prefixes of the tags of a method's responses (see `sahm_proto::tags`).
fn tags_of(method: &str) -> &'static [&'static str] {
    match method {
        "GetArticle" => &["news:1", "news:stocks"],
        "ListRecommendedNews" => &["news:list:us", "news:list:all"],
        "ListArticles" | "ListTabArticles" => &["news:list:"],
        "ListTabs" => &["news:tabs"],
        "ListFlashNews" => &["news:flash:", "news:stocks"],
        "ListNewsVideos" => &["news:videos:"],
        "BatchListPositionImages" => &["banner:"],
        "GetHome" => &["college:categories", "college:articles"],
        "ListCourses" | "ListCategories" => &["college:categories"],
        "GetCourse" => &["college:course:1", "college:category:1"],
        "GetCollegeBreadcrumb" => &["college:course:"],
        "ListCollegeArticles" => &["college:course:1"],
        "GetCollegeArticle" => &["college:article:1", "college:course:1", "college:category:"],
        "ListRecommendedArticles" => &["college:articles"],
        "ListCompanyArticles" => &["college:company"],
        "GetNavigation" => &["college:navigation"],
        "GetHelpChannelTree" => &["help:channels"],
        "GetHelpClassification" => &["help:channels", "help:documents"],
        "GetHelpChannel" => &["help:channels", "help:channel:1"],
        "GetHelpDocument" => &["help:doc:1"],
        "GetHelpBreadcrumb" => &["help:channels", "help:doc:1"],
        "ListCommonQuestions" => &["help:documents"],
        "ListLegalDocuments" => &["help:legal"],
        "GetHelpSeoInfo" => &["help:seo"],
        "GetMenu" => &["config:menu"],
        "GetWebConfig" | "GetUrls" => &["config:items"],
        "GetDownloadInfo" | "GetDownloadLinkInfo" => &["config:stores"],
        "GetFeeSchedule" => &["config:fees"],
        "ListCampaigns" | "GetCampaignInfo" | "GetCustomInfo" | "ListCampaignRules"
        | "ListGccRules" | "ListDraws" => &["activity:6666"],
        // Quotes, searches and drafts are not cached.
        "BatchGetQuotes"
        | "ListIndices"
        | "ListMovers"
        | "BatchGetDaySeries"
        | "ListDailyCloses"
        | "ListCorporateEvents"
        | "GetAnnouncement"
        | "ListAnnouncements"
        | "SearchHelp"
        | "ListDrafts"
        | "GetDraft" => &[],
        unknown => panic!("the tags of {unknown} are not known"),
    }
}

/// The paths of a route with zero or more optional parameters, each as an id and as a slug.
fn paths(pattern: &str) -> BTreeSet<String> {
    ["1", "a-slug"]
        .into_iter()
        .flat_map(|value| {
            let mut path = String::new();
            let mut paths = vec![];
            for segment in pattern.split('/').filter(|segment| !segment.is_empty()) {
                if segment.ends_with("?}") {
                    paths.push(path.clone());
                }
                let value = if segment.starts_with("{type") { "draft" } else { value };
                let segment = if segment.starts_with('{') { value } else { segment };
                path = format!("{path}/{segment}");
            }
            paths.push(path);
            paths
        })
        .map(|path| if path.is_empty() { "/".to_owned() } else { path })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn every_page_loads_in_two_rounds_of_calls_and_records_their_tags() {
    let data = tempfile::tempdir().unwrap();
    let calls = Calls::default();
    let mut loaded_pages = BTreeSet::new();
    for route in RouteTable::built_in().unwrap().iter() {
        for path in paths(&route.pattern) {
            for query in ["", "tab=2&activityId=6666&theme=0&draft=1&keyword=x", "cursor=x"] {
                let loaders = loaders(&data, &calls, CALL_DURATION).await.0;
                let request = request(&loaders, &path, query);
                let began = Instant::now();
                let request = loaders.resolve(request).await;
                calls.lock().unwrap().clear();
                let loaded = loaders.load(&request).await.unwrap();
                let took = began.elapsed();
                for method in &*calls.lock().unwrap() {
                    for tag in tags_of(method) {
                        let is_tagged = loaded.meta.tags.iter().any(|own| own.starts_with(tag));
                        assert!(is_tagged, "{path}?{query}: {method} {tag} {:?}", loaded.meta.tags);
                    }
                }
                assert!(took < CALL_DURATION * 3, "{path}?{query} took {took:?}");
                assert!(!loaded.meta.partial, "{path}?{query}");
                assert!(loaded.document.frame().layout_data.is_some(), "{path}?{query}");
                if loaded.status == 200 {
                    loaded_pages.insert(route.page.as_str());
                }
            }
        }
    }
    let all = PageId::ALL.iter().map(|page| page.as_str()).filter(|page| *page != "not-found");
    assert_eq!(loaded_pages, all.collect());
}

#[tokio::test(start_paused = true)]
async fn repeated_search_calls_only_the_search() {
    let (data, calls) = (tempfile::tempdir().unwrap(), Calls::default());
    // Keeps the page cache alive, because it follows the change logs.
    let (loaders, _cache) = loaders(&data, &calls, CALL_DURATION).await;
    for (keyword, expected) in [("fees", None), ("account", Some("SearchHelp"))] {
        calls.lock().unwrap().clear();
        let query = format!("keyword={keyword}");
        let loaded = loaders.load(&request(&loaders, "/support/search", &query)).await.unwrap();
        for tag in ["help:documents", "help:seo", "config:menu"] {
            assert!(loaded.meta.tags.iter().any(|own| own == tag), "{keyword}: {tag}");
        }
        if let Some(expected) = expected {
            assert_eq!(*calls.lock().unwrap(), BTreeSet::from([expected.to_owned()]));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn urls_of_missing_items_share_one_key() {
    let (data, calls) = (tempfile::tempdir().unwrap(), Calls::default());
    let loaders = loaders(&data, &calls, CALL_DURATION).await.0;
    let key = async |path: &str, query: &str| {
        let request = loaders.resolve(request(&loaders, path, query)).await;
        let status = loaders.load(&request).await.unwrap().status;
        (request.key(Kind::Page).text().to_owned(), request.url, status)
    };
    let unmatched = key("/no/such/page", "").await;
    assert_eq!(unmatched.2, 404);
    for path in ["/activity/seed", "/en-us/activity/pre-activity-new"] {
        for id in ["1", "999999", "9999999999", "x"] {
            assert_eq!(key(path, &format!("activityId={id}&theme={id}")).await, unmatched);
        }
        // The regular campaign; unknown themes are dropped.
        let regular = key(path, "").await;
        assert_eq!(regular.2, 200);
        assert_eq!(key(path, "theme=9").await, regular);
        let named = key(path, "activityId=6666").await;
        assert_eq!(named.2, 200);
        assert_eq!(key(path, "theme=9&activityId=6666").await, named);
        assert_ne!(key(path, "theme=0&activityId=6666").await.0, named.0);
    }
    for tab in ["7", "nine"] {
        assert_eq!(key("/news", &format!("tab={tab}")).await, unmatched);
    }
    assert_eq!(key("/news", "tab=2").await.2, 200);
    let course = key("/education/course/1", "").await;
    assert_eq!(key("/education/course/1", "pageFrom=3").await, course);
}
