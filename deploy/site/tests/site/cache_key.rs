//! A cached page depends only on its key (docs/page-cache.md): every other input of a request neither changes the
//! cached page nor the response.

use http::HeaderMap;
use proptest::{
    prelude::*,
    sample::{Index, select},
    test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner},
};
use sahm_testkit::count;

use crate::{
    attacks::VulnerableServer,
    kit::{Client, Plan, Response, Site, agent},
};

/// Number of cases; each builds up to two pages.
const CASES: u32 = 96;

/// Headers of a response that do not belong to its page.
const RESPONSE_HEADERS: [&str; 6] =
    ["age", "cache-status", "date", "server-timing", "set-cookie", "x-page-cache"];

/// Equivalent user agents; the plain request has the first.
const AGENTS: [[&str; 3]; 4] = [
    [agent::PC, "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0)", "curl/8.14.1"],
    [
        agent::MOBILE,
        "Mozilla/5.0 (Linux; Android 15; SM-X710)",
        "Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X)",
    ],
    [agent::APP, "Mozilla/5.0 (Linux; Android 15) SahmApp/5.0", "SahmApp/1 Theme/light"],
    [
        agent::DARK_APP,
        "Mozilla/5.0 (Linux; Android 15) SahmApp/5.0 Theme/dark",
        "Theme/dark SahmApp/",
    ],
];

/// Pages and their declared parameters; none has prices, which change.
const PAGES: [(&str, &[&str]); 12] = [
    ("/brand", &[]),
    ("/news", &["tab=2"]),
    ("/news/us", &[]),
    ("/company-news/detail/capital-raised", &["from=share"]),
    ("/support/detail/what-sahm-offers", &[]),
    ("/education/category/2", &["from=share", "pageFrom=2", "ref=admin"]),
    ("/education/article/what-a-share-is", &["pageFrom=2", "from=admin"]),
    ("/company-news/list", &[]),
    ("/support", &[]),
    ("/terms-and-conditions/disclaimer", &[]),
    ("/download", &[]),
    ("/no/such/page", &[]),
];

const HEADERS: [&str; 35] = [
    "accept",
    "accept-language",
    "baggage",
    "cache-control",
    "cf-connecting-ip",
    "client-ip",
    "content-language",
    "content-type",
    "dnt",
    "forwarded",
    "from",
    "host",
    "if-modified-since",
    "origin",
    "pragma",
    "priority",
    "purpose",
    "range",
    "referer",
    "save-data",
    "sec-ch-ua",
    "sec-ch-ua-platform",
    "sec-fetch-dest",
    "sec-fetch-site",
    "traceparent",
    "tracestate",
    "true-client-ip",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-http-method-override",
    "x-original-url",
    "x-requested-with",
    "x-rewrite-url",
];

const COOKIES: [&str; 12] = [
    "AGENTID",
    "hs_h5_colorType",
    "hstMessage",
    "sahm_spm_share_data",
    "vid",
    "theme",
    "locale",
    "currency",
    "_ga",
    "sahm_session",
    "__Host-sahm_session",
    "user",
];

const PARAMETERS: [&str; 16] = [
    "_pid",
    "_scnl",
    "_c",
    "_lang",
    "utm_source",
    "utm_campaign",
    "gclid",
    "fbclid",
    "callback",
    "redirect",
    "TAB",
    "tab[]",
    "cursor%00",
    "theme%20",
    "lang%5B%5D",
    "%00",
];

/// Parts of a request that are not in its cache key.
#[derive(Clone, Debug, Default)]
struct Noise {
    headers: Vec<(String, String)>,
    cookies: Vec<(String, String)>,
    parameters: Vec<String>,
    /// Repeated declared parameters, which are ignored.
    repeated: Vec<Index>,
    /// Positions of the query's pairs.
    order: Vec<u32>,
    /// Index of an equivalent user agent.
    agent: usize,
    /// The character of the path to percent-encode.
    encoded: Option<Index>,
    /// Whether the locale is in a cookie instead of the path.
    by_cookie: bool,
}

/// The kinds of noise; a fault in each must be detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Headers,
    Cookies,
    Parameters,
    Repeated,
    Order,
    Agent,
    Encoding,
    Language,
    Nothing,
}

const KINDS: [Kind; 8] = [
    Kind::Headers,
    Kind::Cookies,
    Kind::Parameters,
    Kind::Repeated,
    Kind::Order,
    Kind::Agent,
    Kind::Encoding,
    Kind::Language,
];

#[derive(Clone, Debug)]
struct Case {
    page: (&'static str, &'static [&'static str]),
    arabic: bool,
    data: bool,
    platform: usize,
    hint: Option<&'static str>,
    noise: Noise,
}

fn noise() -> impl Strategy<Value = Noise> {
    let value = "[ -~&&[^;,\"\\\\]]{0,24}";
    let header = prop_oneof![
        select(&HEADERS[..]).prop_map(str::to_owned),
        "x-[a-z]{1,3}-[a-z]{1,8}".prop_filter("it changes the response", |name| name != "x-build"),
    ];
    let cookie = prop_oneof![select(&COOKIES[..]).prop_map(str::to_owned), "[a-zA-Z_]{1,8}"]
        .prop_filter("names the language", |name| name != "lang");
    let parameter = (select(&PARAMETERS[..]), "([a-zA-Z0-9._~-]|%[0-7][0-9a-f]|=|;|:){0,12}");
    let parameter = prop_oneof![
        9 => parameter.prop_map(|(name, value)| format!("{name}={value}")),
        // Unknown locales are ignored.
        1 => Just("lang=fr".to_owned()),
    ];
    (
        prop::collection::vec((header, value.prop_map(|text| text.trim().to_owned())), 0..6)
            .prop_map(each_once),
        prop::collection::vec((cookie, "[!-~&&[^;,\"\\\\]]{0,16}"), 0..4),
        prop::collection::vec(parameter, 0..5),
        prop::collection::vec(any::<Index>(), 0..2),
        prop::collection::vec(any::<u32>(), 8),
        0..3_usize,
        prop::option::of(any::<Index>()),
        any::<bool>(),
    )
        .prop_map(
            |(headers, cookies, parameters, repeated, order, agent, encoded, by_cookie)| Noise {
                headers,
                cookies,
                parameters,
                repeated,
                order,
                agent,
                encoded,
                by_cookie,
            },
        )
}

/// Removes repeated headers.
fn each_once(mut headers: Vec<(String, String)>) -> Vec<(String, String)> {
    headers.sort();
    headers.dedup_by(|(one, _), (other, _)| one == other);
    headers
}

fn case() -> impl Strategy<Value = Case> {
    let hint = select(&[None, Some("dark"), Some("light")][..]);
    (select(&PAGES[..]), any::<bool>(), any::<bool>(), 0..AGENTS.len(), hint, noise()).prop_map(
        |(page, arabic, data, platform, hint, noise)| {
            // The app is redirected from education pages.
            let is_college = page.0.starts_with("/education");
            let platform = if is_college { platform % 2 } else { platform };
            Case { page, arabic, data, platform, hint, noise }
        },
    )
}

impl Noise {
    /// Only the noise of one kind.
    fn only(self, kind: Kind) -> Self {
        let none = Self::default();
        match kind {
            Kind::Headers => Self { headers: self.headers, ..none },
            Kind::Cookies => Self { cookies: self.cookies, ..none },
            Kind::Parameters => Self { parameters: self.parameters, ..none },
            Kind::Repeated => Self { repeated: self.repeated, ..none },
            Kind::Order => Self { order: self.order, ..none },
            Kind::Agent => Self { agent: self.agent, ..none },
            Kind::Encoding => Self { encoded: self.encoded, ..none },
            Kind::Language => Self { by_cookie: self.by_cookie, ..none },
            Kind::Nothing => none,
        }
    }
}

impl Case {
    async fn send(&self, client: &Client, noise: &Noise) -> Response {
        let locale = if self.arabic { "ar-sa" } else { "en-us" };
        let mut path = match noise.by_cookie {
            true if self.page.0.is_empty() => "/".to_owned(),
            true => self.page.0.to_owned(),
            false => format!("/{locale}{}", self.page.0),
        };
        if let Some(letter) = &noise.encoded {
            let letters = path.match_indices(|letter: char| letter.is_ascii_lowercase());
            // The locale prefix must not be encoded.
            let letters = letters.filter(|(at, _)| noise.by_cookie || *at > 6).collect::<Vec<_>>();
            if !letters.is_empty() {
                let (at, found) = letters[letter.index(letters.len())];
                path.replace_range(at..=at, &format!("%{:02X}", found.as_bytes()[0]));
            }
        }
        let data = if self.data { "/_data" } else { "" };

        let declared = self.page.1.iter().map(|pair| (*pair).to_owned());
        let mut pairs = declared.chain(noise.parameters.iter().cloned()).collect::<Vec<_>>();
        let mut order = noise.order.iter();
        pairs.sort_by_cached_key(|_| order.next().copied().unwrap_or_default());
        let repeated = noise.repeated.iter().filter(|_| !self.page.1.is_empty());
        let again = repeated.map(|index| {
            let name = self.page.1[index.index(self.page.1.len())].split('=').next();
            format!("{}=1", name.unwrap_or_default())
        });
        pairs.extend(again);
        let query = if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) };

        let agent = AGENTS[self.platform][noise.agent];
        let mut headers = vec![("user-agent", agent), ("accept-encoding", "identity")];
        if !noise.headers.iter().any(|(name, _)| name == "host") {
            // Equal on both servers.
            headers.push(("host", "www.sahm.test"));
        }
        headers.extend(self.hint.map(|hint| ("sec-ch-prefers-color-scheme", hint)));
        headers.extend(noise.headers.iter().map(|(name, value)| (&**name, &**value)));
        let cookies = noise.cookies.iter().map(|(name, value)| format!("{name}={value}"));
        let mut cookies = cookies.collect::<Vec<_>>();
        if noise.by_cookie {
            cookies.push(format!("lang={locale}"));
        }
        let cookies = cookies.join("; ");
        if !cookies.is_empty() {
            headers.push(("cookie", &cookies));
        }
        client.get_with(&format!("{data}{path}{query}"), &headers).await
    }

    /// Sends the noisy request to one server and the plain one to another, so that each builds its page, then the plain
    /// one to the first server, too.
    async fn try_on(&self, first: &Client, second: &Client) -> Result<(), TestCaseError> {
        let plain = Noise::default();
        let strange = self.send(first, &self.noise).await;
        let of_plain_request = self.send(second, &plain).await;
        let next = self.send(first, &plain).await;
        prop_assert!([200, 404].contains(&next.status), "{}", next.status);
        prop_assert_eq!((strange.status, of_plain_request.status), (next.status, next.status));
        // Missing pages expire so soon that the next response may be a new page.
        if next.status == 200 || next.cache_status() == "hit" {
            prop_assert!(next.cache_status() != "miss", "the next visitor's page has another key");
            prop_assert_eq!(of_the_page(&strange.headers), of_the_page(&next.headers));
            prop_assert!(strange.body == next.body, "the next visitor gets another page");
        }
        let (text, plain_text) = (timeless(strange.text()), timeless(of_plain_request.text()));
        prop_assert!(
            text == plain_text,
            "a plain request makes another page:\n{}\n{}",
            text,
            plain_text
        );
        Ok(())
    }
}

/// The headers of the page, sorted.
fn of_the_page(headers: &HeaderMap) -> Vec<(String, String)> {
    let own = headers.iter().filter(|(name, _)| !RESPONSE_HEADERS.contains(&name.as_str()));
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let mut own = own.map(|(name, value)| (name.to_string(), text(value))).collect::<Vec<_>>();
    own.sort();
    own
}

/// A page without its time of rendering.
fn timeless(page: &str) -> String {
    const RENDERED_AT: &str = "\"renderedAt\":";
    let mut parts = page.split(RENDERED_AT);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + RENDERED_AT + part.trim_start_matches(|letter: char| letter.is_ascii_digit())
    })
}

/// Runs a fixed set of cases, with noise of one kind or of all.
fn run(
    runtime: &tokio::runtime::Runtime,
    servers: [&Client; 2],
    kind: Option<Kind>,
    cases: u32,
) -> Result<(), Box<TestError<Case>>> {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let tried = TestRunner::new_with_rng(config, rng).run(&case(), |mut case| {
        if let Some(kind) = kind {
            case.noise = case.noise.only(kind);
        }
        runtime.block_on(case.try_on(servers[0], servers[1]))
    });
    tried.map_err(Box::new)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

#[test]
fn page_depends_only_on_its_cache_key() {
    let runtime = runtime();
    let site = runtime.block_on(Site::start(Plan { gateways: 2, ..Plan::default() }));
    let clients = [site.gateways[0].client(), site.gateways[1].client()];
    let tried = run(&runtime, [&clients[0], &clients[1]], None, count(CASES, 2_000));
    if let Err(failure) = tried {
        panic!("{failure}");
    }
    // Both misses and hits must have occurred.
    let renders = site.counts.renders();
    assert!(renders > 20, "{renders}");
}

#[test]
fn each_kind_of_noise_is_detected_on_a_server_that_reflects_it() {
    let runtime = runtime();
    // Without noise, no difference is found.
    for kind in [Kind::Nothing].into_iter().chain(KINDS) {
        let vulnerable = runtime
            .block_on(async { [VulnerableServer::start().await, VulnerableServer::start().await] });
        let clients = [Client::new(vulnerable[0].address), Client::new(vulnerable[1].address)];
        let tried = run(&runtime, [&clients[0], &clients[1]], Some(kind), CASES);
        let is_found =
            tried.as_ref().is_err_and(|failure| matches!(**failure, TestError::Fail(..)));
        assert_eq!(is_found, kind != Kind::Nothing, "{kind:?}: {tried:?}");
    }
}
