//! Loaders over fake services.

#![allow(clippy::unwrap_used)]

use std::{collections::BTreeSet, sync::Mutex, time::Duration};

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
    quotes::v1::{
        Announcement, CorporateEvent, GetAnnouncementResponse, ListCorporateEventsResponse,
    },
};

use crate::pages::*;
use crate::{
    page_cache::{CacheConfig, PageCache},
    resolve::{Resolution, resolve},
    services::{Services, slow::slow_service},
    visitor::ClientProfile,
};

fn article() -> Article {
    let stocks = vec![StockMention { stock_code: "AAPL".to_owned(), ..Default::default() }];
    Article { id: 1, market: "us".to_owned(), stocks, ..Default::default() }
}

/// The responses of the fake services; by default an empty message.
fn response_to(method: &str) -> Vec<u8> {
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
            let response =
                GetCollegeArticleResponse { article: Some(article), ..Default::default() };
            response.encode_to_vec()
        }
        "GetHelpChannelTree" => {
            let items = vec![HelpChannelNode { id: 1, ..Default::default() }];
            GetHelpChannelTreeResponse { items }.encode_to_vec()
        }
        "GetHelpChannel" => {
            let channel = HelpChannel { id: 1, ..Default::default() };
            let response = GetHelpChannelResponse { channel: Some(channel), ..Default::default() };
            response.encode_to_vec()
        }
        "GetHelpDocument" => {
            let kind = "legal-document".to_owned();
            let document = HelpDocument { id: 1, channel_id: 1, kind, ..Default::default() };
            let response =
                GetHelpDocumentResponse { document: Some(document), ..Default::default() };
            response.encode_to_vec()
        }
        "GetAnnouncement" => {
            let security_codes = vec!["AAPL".to_owned()];
            let announcement = Announcement { id: 1, security_codes, ..Default::default() };
            GetAnnouncementResponse { announcement: Some(announcement) }.encode_to_vec()
        }
        "ListCorporateEvents" => {
            let event = CorporateEvent { id: "1".to_owned(), ..Default::default() };
            ListCorporateEventsResponse { items: vec![event], ..Default::default() }.encode_to_vec()
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

/// Names of the methods that were called.
pub(crate) type Calls = Arc<Mutex<BTreeSet<String>>>;

/// Loaders with empty caches over services that take `call` per call, and the page cache whose change logs they follow.
pub(crate) async fn loaders(
    data: &tempfile::TempDir,
    calls: &Calls,
    call: Duration,
) -> (Loaders, PageCache) {
    let context = Context::new(Settings::from_pairs(Process::Gateway, []).unwrap());
    let both = |value: serde_json::Value| serde_json::json!({ "en-us": value, "ar-sa": value });
    let shell = serde_json::json!({
        "noscript": "", "unavailableTitle": "", "unavailableText": "", "home": "",
    });
    let site = serde_json::json!({
        "build": "b", "heads": {}, "shell": both(shell), "siteName": both("".into()),
        "assets": {
            "scripts": {"entry": "", "boot": ""}, "pages": {}, "fonts": both([""; 0][..].into()),
        },
    });
    let services =
        [ServiceName::Content, ServiceName::Config, ServiceName::Quotes, ServiceName::Activity];
    let services = Services::new(services.map(|service| {
        let calls = Arc::clone(calls);
        let record = move |method: &str, _: &[u8]| {
            calls.lock().unwrap().insert(method.to_owned());
            response_to(method)
        };
        (service, slow_service(call, record))
    }));
    let config = CacheConfig::new("b", 1 << 20);
    let cache = PageCache::start(config, None, services.with_change_logs(), &context).unwrap();
    cache.ready().await;
    let loaders = Loaders {
        site: Arc::new(serde_json::from_value(site).unwrap()),
        routes: Arc::new(RouteTable::built_in().unwrap()),
        data: DataSources::new(services, &cache, data.path(), "http://sahm.test".into()),
        preview_types: Arc::new(["draft".to_owned()]),
        target_origins: Arc::new([]),
    };
    (loaders, cache)
}

pub(crate) fn request(loaders: &Loaders, path: &str, query: &str) -> PageRequest {
    let profile = ClientProfile::from_headers(&HeaderMap::new(), "SahmApp/");
    match resolve(&loaders.routes, path, query, &profile) {
        Resolution::Page(request) => *request,
        other => panic!("{path}?{query}: {other:?}"),
    }
}
