//! How long pages load over slow services, and which keys they have: every page of the route table
//! over services that answer each call after a fixed time.

#![allow(clippy::unwrap_used)]

use std::{collections::BTreeSet, time::Duration};

use http::HeaderMap;
use prost::Message;
use sahm_chassis::{
    lifecycle::Context,
    settings::{Process, ServiceName, Settings},
};
use sahm_proto::{
    activity::v1::{Campaign, ListCampaignsResponse, Theme},
    content::v1::{
        Article, CollegeArticle, CollegeCategory, CollegeCourse, GetArticleResponse,
        GetCollegeArticleResponse, GetCourseResponse, GetDraftResponse, GetHelpChannelResponse,
        GetHelpChannelTreeResponse, GetHelpDocumentResponse, HelpChannel, HelpChannelNode,
        HelpDocument, ListCategoriesResponse, ListTabsResponse, NewsTab, StockMention,
        get_draft_response::Item,
    },
    quotes::v1::{Announcement, GetAnnouncementResponse},
};
use tokio::time::Instant;

use super::*;
use crate::{
    page_cache::{CacheConfig, Kind, PageCache},
    resolve::{Resolution, resolve},
    services::slow::slow_service,
    visitor::ClientProfile,
};

/// What each call takes.
const CALL: Duration = Duration::from_millis(300);

fn article() -> Article {
    let stocks = vec![StockMention { stock_code: "AAPL".to_owned(), ..Default::default() }];
    Article { id: 1, market: "us".to_owned(), stocks, ..Default::default() }
}

/// What services answer; what is not named here is an empty message.
fn answer(method: &str) -> Vec<u8> {
    match method {
        "GetArticle" => {
            GetArticleResponse { article: Some(article()), ..Default::default() }.encode_to_vec()
        }
        "ListTabs" => {
            let tab = NewsTab { id: 2, market_type: "us".to_owned(), ..Default::default() };
            ListTabsResponse { items: vec![tab], ..Default::default() }.encode_to_vec()
        }
        "ListCategories" => {
            let category = CollegeCategory { id: 1, ..Default::default() };
            ListCategoriesResponse { items: vec![category] }.encode_to_vec()
        }
        "GetCourse" => {
            let course = CollegeCourse { id: 1, category_id: 1, ..Default::default() };
            GetCourseResponse { course: Some(course), ..Default::default() }.encode_to_vec()
        }
        "GetCollegeArticle" => {
            let article = CollegeArticle { id: 1, course_id: 1, ..Default::default() };
            let answer = GetCollegeArticleResponse { article: Some(article), ..Default::default() };
            answer.encode_to_vec()
        }
        "GetHelpChannelTree" => {
            let items = vec![HelpChannelNode { id: 1, ..Default::default() }];
            GetHelpChannelTreeResponse { items }.encode_to_vec()
        }
        "GetHelpChannel" => {
            let channel = HelpChannel { id: 1, ..Default::default() };
            let answer = GetHelpChannelResponse { channel: Some(channel), ..Default::default() };
            answer.encode_to_vec()
        }
        "GetHelpDocument" => {
            let kind = "legal-document".to_owned();
            let document = HelpDocument { id: 1, channel_id: 1, kind, ..Default::default() };
            let answer = GetHelpDocumentResponse { document: Some(document), ..Default::default() };
            answer.encode_to_vec()
        }
        "GetAnnouncement" => {
            let security_codes = vec!["AAPL".to_owned()];
            let announcement = Announcement { id: 1, security_codes, ..Default::default() };
            GetAnnouncementResponse { announcement: Some(announcement) }.encode_to_vec()
        }
        "GetDraft" => {
            let item = Some(Item::Article(article()));
            GetDraftResponse { id: "1".to_owned(), item }.encode_to_vec()
        }
        "ListCampaigns" => {
            let themes = vec![Theme { id: "0".to_owned(), ..Default::default() }];
            let campaign = Campaign { id: 6666, has_draws: true, themes, ..Default::default() };
            ListCampaignsResponse { items: vec![campaign], ..Default::default() }.encode_to_vec()
        }
        _ => Vec::new(),
    }
}

/// Loaders that have read nothing yet and follow the change logs.
async fn loaders(data: &tempfile::TempDir) -> Loaders {
    let context = Context::new(Settings::from_pairs(Process::Gateway, []).unwrap());
    let site = serde_json::json!({
        "build": "b", "heads": {}, "shell": {}, "siteName": {},
        "assets": {"scripts": {"entry": "", "early": ""}, "pages": {}, "fonts": {}},
    });
    let services =
        [ServiceName::Content, ServiceName::Config, ServiceName::Quotes, ServiceName::Activity];
    let services = Services::new(services.map(|service| (service, slow_service(CALL, answer))));
    let config = CacheConfig::new("b", 1 << 20);
    let cache = PageCache::start(config, None, services.with_change_logs(), &context).unwrap();
    cache.ready().await;
    Loaders {
        site: Arc::new(serde_json::from_value(site).unwrap()),
        routes: Arc::new(RouteTable::built_in().unwrap()),
        services,
        config_snapshot: SnapshotStore::open(data.path()),
        shared: SharedParts::new(&cache),
        public_url: "http://sahm.test".into(),
        preview_types: Arc::new(["draft".to_owned()]),
        target_origins: Arc::new([]),
    }
}

fn request(loaders: &Loaders, path: &str, query: &str) -> PageRequest {
    let profile = ClientProfile::from_headers(&HeaderMap::new(), "SahmApp/");
    match resolve(&loaders.routes, path, query, &profile) {
        Resolution::Page(request) => *request,
        other => panic!("{path}?{query}: {other:?}"),
    }
}

/// The paths of a route: with no optional parameter, with the first one, and so on; each parameter
/// as an id and as a slug.
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
async fn every_page_loads_in_fewer_than_three_rounds_of_calls() {
    let data = tempfile::tempdir().unwrap();
    let mut loaded_pages = BTreeSet::new();
    for route in RouteTable::built_in().unwrap().iter() {
        for path in paths(&route.pattern) {
            for query in ["", "tab=2&activityId=6666&theme=0&draft=1&keyword=x", "cursor=x"] {
                let loaders = loaders(&data).await;
                let request = request(&loaders, &path, query);
                let began = Instant::now();
                let request = loaders.resolve(request).await;
                let loaded = loaders.load(&request).await.unwrap();
                let took = began.elapsed();
                assert!(took < CALL * 3, "{path}?{query} took {took:?}");
                assert!(!loaded.partial, "{path}?{query}");
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
async fn addresses_of_what_does_not_exist_share_one_key() {
    let data = tempfile::tempdir().unwrap();
    let loaders = loaders(&data).await;
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
        // The regular campaign, and no theme that it lacks.
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
