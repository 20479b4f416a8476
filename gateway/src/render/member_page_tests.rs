//! Memoised renders, of members' pages and of searches, with real loaders and a real page cache. The renderer echoes its
//! input, so that its output shows everything that reached it.

#![allow(clippy::unwrap_used)]

use std::{io::Read, sync::Mutex, time::Duration};

use axum::{Router, routing::post};
use futures_util::future::join_all;
use http::{
    HeaderMap, HeaderValue, Method,
    header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, ETAG},
};
use proptest::{
    collection::vec, prelude::*, sample::select, strategy::ValueTree, test_runner::TestRunner,
};
use tokio::net::TcpListener;

use super::*;
use crate::{
    pages::tests::kit::{Calls, loaders, request},
    render::{RenderMemo, Renderer},
};

const PATHS: [&str; 7] = [
    "/en-us",
    "/ar-sa/news",
    "/en-us/news/content/1",
    "/en-us/education/course/1",
    "/en-us/support/channel/1",
    "/en-us/terms-and-conditions/1",
    "/en-us/no-such-page",
];

struct Site {
    builder: PageBuilder,
    cache: PageCache,
    calls: Calls,
    /// Payloads that the renderer received.
    payloads: Arc<Mutex<Vec<String>>>,
    _data: tempfile::TempDir,
}

impl Site {
    async fn start() -> Self {
        let (data, calls) = (tempfile::tempdir().unwrap(), Calls::default());
        let payloads = Arc::<Mutex<Vec<String>>>::default();
        let record = payloads.clone();
        let render = async move |payload: String| {
            record.lock().unwrap().push(payload.clone());
            payload
        };
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().route("/render", post(render));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        let (loaders, cache) = loaders(&data, &calls, Duration::ZERO).await;
        let renderer = Renderer::new(&url, "b").unwrap();
        let builder = PageBuilder::new(loaders, renderer, RenderMemo::new(64 << 20), false);
        Self { builder, cache, calls, payloads, _data: data }
    }

    /// The page of visitors.
    async fn fetch(&self, request: &PageRequest, kind: Kind) -> Result<ServedPage, OriginError> {
        self.cache.fetch(&request.key(kind), self.builder.origin(request, kind)).await
    }

    /// The uncompressed body of a response.
    async fn body(
        &self,
        path: &str,
        kind: Kind,
        member: Option<&Member>,
        coding: ContentEncoding,
    ) -> String {
        let request = request(&self.builder.loaders, path, "");
        let body = match member {
            None => self.fetch(&request, kind).await.unwrap().identity_body().unwrap(),
            Some(member) => {
                let mut headers = HeaderMap::new();
                let name = HeaderValue::from_static(coding.name().unwrap_or("identity"));
                headers.insert(ACCEPT_ENCODING, name);
                let (cache, get) = (&self.cache, Method::GET);
                let page = self.builder.member_page(cache, &request, kind, true, member, coding);
                let page = cache.bypass(coding, page).await.unwrap();
                let response = cache.respond_bypass(&page, &get, &headers);
                let sent = response.headers();
                assert_eq!(sent[CACHE_CONTROL], "no-store");
                assert_eq!(sent["x-page-cache"], "bypass");
                assert!(!sent.contains_key(ETAG));
                let encoding = sent.get(CONTENT_ENCODING);
                assert_eq!(encoding.map(|name| name.to_str().unwrap()), coding.name());
                decoded(coding, response.body())
            }
        };
        String::from_utf8(body.to_vec()).unwrap()
    }

    fn renders(&self) -> usize {
        self.payloads.lock().unwrap().len()
    }
}

fn decoded(coding: ContentEncoding, body: &Bytes) -> Bytes {
    let mut out = Vec::new();
    match coding {
        ContentEncoding::Identity => return body.clone(),
        ContentEncoding::Gzip => {
            flate2::read::GzDecoder::new(&body[..]).read_to_end(&mut out).unwrap();
        }
        ContentEncoding::Brotli => brotli::BrotliDecompress(&mut &body[..], &mut out).unwrap(),
    }
    out.into()
}

/// A member whose values contain a marker.
fn member(number: u64) -> Member {
    Member {
        opened: !number.is_multiple_of(3),
        opened_saudi: number % 3 == 2,
        hs_no: format!("MARKED</{number}>"),
        mid: 990_000_000_000 + number,
        addresses: Vec::new(),
    }
}

/// The numbers of the members whose markers a text contains, in any escaping.
fn marks(text: &str) -> Vec<u64> {
    let by_id = text.match_indices("MARKED").map(|(at, _)| {
        let rest = &text[at + "MARKED".len()..];
        let digits = rest.trim_start_matches(|c| c != '/').trim_start_matches('/');
        digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap()].parse().unwrap()
    });
    let by_mid = text
        .match_indices("990000000")
        .map(|(at, mark)| text[at + mark.len()..][..3].parse::<u64>().unwrap());
    let mut found = by_id.chain(by_mid).collect::<Vec<_>>();
    found.sort_unstable();
    found.dedup();
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn member_values_never_reach_other_responses_or_stores() {
    let site = Site::start().await;
    let codings = [ContentEncoding::Brotli, ContentEncoding::Gzip, ContentEncoding::Identity];
    let kinds = [Kind::Page, Kind::Data];
    // The sender of a request: a visitor, or a member who logs in before it and out after it.
    let sender = prop_oneof![Just(None), (1..=60_u64).prop_map(Some)];
    let requests =
        vec((sender, select(&PATHS[..]), select(kinds.to_vec()), select(codings.to_vec())), 60);
    let mut runner = TestRunner::deterministic();
    for _ in 0..12 {
        let requests = requests.new_tree(&mut runner).unwrap().current();
        let responses = requests.iter().map(|(number, path, kind, coding)| {
            let (site, member) = (&site, number.map(member));
            async move { site.body(path, *kind, member.as_ref(), *coding).await }
        });
        for (request, body) in requests.iter().zip(join_all(responses).await) {
            assert_eq!(marks(&body), Vec::from_iter(request.0), "{request:?}: {body}");
        }
    }
    for payload in &*site.payloads.lock().unwrap() {
        assert!(marks(payload).is_empty(), "{payload}");
    }
    let renders = site.builder.renders.bodies();
    // Each page and its data, in up to three account states.
    assert!((PATHS.len()..=PATHS.len() * 12).contains(&renders.len()), "{}", renders.len());
    for render in renders {
        assert!(marks(std::str::from_utf8(&render).unwrap()).is_empty());
    }
    for key in site.cache.list("", 1000).await {
        assert!(marks(&key).is_empty(), "{key}");
    }
    for (path, kind) in PATHS.iter().flat_map(|path| kinds.map(|kind| (path, kind))) {
        let stored = site.fetch(&request(&site.builder.loaders, path, ""), kind).await.unwrap();
        let body = stored.identity_body().unwrap();
        assert!(marks(std::str::from_utf8(&body).unwrap()).is_empty(), "{path}");
    }
}

#[tokio::test]
async fn member_page_with_cached_data_calls_no_service_and_shares_the_render_of_its_account_state()
{
    let site = Site::start().await;
    for (at, path) in PATHS.into_iter().enumerate() {
        site.body(path, Kind::Data, None, ContentEncoding::Brotli).await;
        site.calls.lock().unwrap().clear();
        let before = site.renders();
        for number in [3, 6, 1, 4, 2, 5] {
            let member = member(number);
            for coding in [ContentEncoding::Brotli, ContentEncoding::Gzip] {
                let body = site.body(path, Kind::Page, Some(&member), coding).await;
                assert_eq!(marks(&body), [number], "{path}");
                site.body(path, Kind::Data, Some(&member), coding).await;
            }
        }
        assert_eq!(site.renders() - before, 3, "{path}");
        assert!(site.calls.lock().unwrap().is_empty(), "{path}: {:?}", site.calls);
        let metrics = site.builder.renders.metrics();
        assert_eq!(
            (metrics.entries as usize, metrics.misses as usize),
            (6 * (at + 1), 6 * (at + 1))
        );
    }
}

#[tokio::test]
async fn member_values_follow_the_document_with_the_account() {
    let site = Site::start().await;
    let member = Member { hs_no: "SA</1".to_owned(), ..member(2) };
    let html = site.body("/en-us", Kind::Page, Some(&member), ContentEncoding::Gzip).await;
    let values = "<script type=\"application/json\" id=\"sahm-member\">\
                  {\"hsNo\":\"SA\\u003c/1\",\"mid\":\"990000000002\"}</script>\n</body>\n</html>\n";
    assert!(html.ends_with(values), "{html}");
    assert!(html.contains("\"member\":{\"opened\":true,\"openedSaudi\":true}"), "{html}");
    let data = site.body("/en-us", Kind::Data, Some(&member), ContentEncoding::Brotli).await;
    let data: Value = serde_json::from_str(&data).unwrap();
    assert_eq!(data["member"], serde_json::json!({ "hsNo": "SA</1", "mid": "990000000002" }));
    let account = serde_json::json!({ "opened": true, "openedSaudi": true });
    assert_eq!(data["document"]["frame"]["member"], account);
    assert_eq!((data["build"].as_str(), data["page"].as_str()), (Some("b"), Some("home")));
}

#[tokio::test]
async fn member_gets_a_shell_when_the_renderer_is_unavailable() {
    let mut site = Site::start().await;
    site.builder.renderer = Renderer::new("http://127.0.0.1:9", "b").unwrap();
    let html = site.body("/en-us", Kind::Page, Some(&member(1)), ContentEncoding::Brotli).await;
    assert!(html.contains("data-shell") && html.contains("\"shell\":true"), "{html}");
    assert_eq!(marks(&html), [1]);
    assert_eq!(site.builder.renders.metrics().entries, 0);
}

#[tokio::test]
async fn equal_searches_of_visitors_share_a_render() {
    let site = Site::start().await;
    let search = async |keyword: &str, coding: ContentEncoding| {
        let query = format!("keyword={keyword}");
        let request = request(&site.builder.loaders, "/en-us/support/search", &query);
        let page = async { Ok(site.builder.page(&request, Some(coding)).await) };
        let served = site.cache.bypass(coding, page).await.unwrap();
        let mut headers = HeaderMap::new();
        let name = HeaderValue::from_static(coding.name().unwrap_or("identity"));
        headers.insert(ACCEPT_ENCODING, name);
        let response = site.cache.respond_bypass(&served, &Method::GET, &headers);
        let encoding = response.headers().get(CONTENT_ENCODING);
        assert_eq!(encoding.map(|name| name.to_str().unwrap()), coding.name());
        String::from_utf8(decoded(coding, response.body()).to_vec()).unwrap()
    };
    for coding in [ContentEncoding::Brotli, ContentEncoding::Gzip, ContentEncoding::Identity] {
        let before = site.renders();
        let bodies = join_all((0..3).map(|_| search("fees", coding))).await;
        assert!(bodies[0].contains("\"keyword\":\"fees\""), "{}", bodies[0]);
        assert!(bodies.iter().all(|body| *body == bodies[0]));
        assert_eq!(search("fees", coding).await, bodies[0]);
        assert_eq!(site.renders() - before, 1, "{coding:?}");
        assert!(search("deposit", coding).await.contains("\"keyword\":\"deposit\""));
        assert_eq!(site.renders() - before, 2, "{coding:?}");
    }
    let metrics = site.builder.renders.metrics();
    assert_eq!((metrics.hits + metrics.misses, metrics.entries), (15, 6));
}
