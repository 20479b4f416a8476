//! The traffic mix: a small model of a day's traffic.

use std::net::SocketAddr;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rand::{RngExt, distr::weighted::WeightedIndex, rngs::StdRng, seq::IndexedRandom};
use serde::{Deserialize, Serialize};

use crate::{
    client::{self, BROWSER, Request},
    members::{self, ACCOUNTS},
    traffic::{
        pages::{self, Pages},
        visitors::{self, CRAWLERS},
    },
};

/// A kind of request.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// A visitor's page: HTML, or 304 if the browser has a copy.
    Page,
    /// A page for a crawler, each equally often.
    Crawler,
    /// A page's data, for a visitor who follows a link.
    Data,
    /// The search page with common words, rendered for each request.
    Search,
    /// A member's page, rendered for each request.
    MemberPage,
    /// Calls that pages make for members: login check, unread counts.
    Member,
    /// A like, added or removed.
    Like,
    /// An event report.
    Event,
    /// A reading call of the REST API.
    Call,
    /// A stream of prices until its first event, opened in addition to the other requests.
    Stream,
}

impl Kind {
    /// The kinds that are requests, with their shares in thousandths.
    pub(crate) const SHARES: [(Kind, u32); 9] = [
        (Kind::Page, 560),
        (Kind::Crawler, 120),
        (Kind::Data, 100),
        (Kind::Search, 10),
        (Kind::MemberPage, 30),
        (Kind::Member, 40),
        (Kind::Like, 10),
        (Kind::Event, 80),
        (Kind::Call, 50),
    ];

    /// Its name in tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Page => "page",
            Kind::Crawler => "page for a crawler",
            Kind::Data => "page's data",
            Kind::Search => "search page",
            Kind::MemberPage => "member's page",
            Kind::Member => "member's call",
            Kind::Like => "like",
            Kind::Event => "event report",
            Kind::Call => "reading call",
            Kind::Stream => "stream's first event",
        }
    }
}

/// A request and its expected responses.
pub(crate) struct PlannedRequest {
    pub(crate) kind: Kind,
    pub(crate) request: Request,
    status: u16,
    /// Whether the browser has a copy, so that 304 is expected too.
    is_conditional: bool,
}

impl PlannedRequest {
    fn new(kind: Kind, request: Request) -> PlannedRequest {
        PlannedRequest { kind, request, status: 200, is_conditional: false }
    }

    pub(crate) fn is_expected(&self, status: u16) -> bool {
        status == self.status || (self.is_conditional && status == 304)
    }

    /// Method and path.
    pub(crate) fn line(&self) -> String {
        format!("{} {}", self.request.method(), self.request.uri())
    }
}

/// Share of visitors who have a copy of the page and revalidate it.
const RETURNING: f64 = 0.2;
/// Share of visitors who follow a campaign's link.
const CAMPAIGN: f64 = 0.1;
const CAMPAIGN_QUERY: &str = "?_scnl=1110317&_pid=42&utm_source=newsletter";
/// Search words, frequent ones first.
const WORDS: [&str; 16] = [
    "account",
    "fees",
    "deposit",
    "transfer",
    "commission",
    "tadawul",
    "dividend",
    "order",
    "password",
    "margin",
    "etf",
    "zakat",
    "حساب",
    "رسوم",
    "إيداع",
    "تحويل",
];
const CODES: [&str; 6] = ["1010,2222", "1120", "AAPL,MSFT", "2222", "1050,1150,1180", "AAPL"];

/// Everything that the mix requests.
pub(crate) struct Mix {
    pub(crate) pages: Pages,
    articles: Vec<String>,
    sessions: Vec<String>,
    words: WeightedIndex<f64>,
}

impl Mix {
    /// Visits every page once and logs members in.
    pub(crate) async fn prepare(address: SocketAddr) -> anyhow::Result<Mix> {
        let pages = Pages::visit(address).await?;
        let mut sessions = Vec::new();
        for account in ACCOUNTS {
            sessions.push(members::log_in(address, account).await?);
        }
        let articles = pages.articles();
        anyhow::ensure!(!articles.is_empty(), "the site has no article");
        Ok(Mix { pages, articles, sessions, words: pages::zipf(WORDS.len())? })
    }

    /// A request of the mix.
    pub(crate) fn draw(&self, random: &mut StdRng) -> PlannedRequest {
        let kind = Kind::SHARES.choose_weighted(random, |(_, share)| *share);
        self.of(kind.map_or(Kind::Page, |(kind, _)| *kind), random)
    }

    /// A request of this kind; for [`Kind::Stream`] its opening.
    pub(crate) fn of(&self, kind: Kind, random: &mut StdRng) -> PlannedRequest {
        let from = visitors::address(random);
        let from = [("x-forwarded-for", from.as_str())];
        match kind {
            Kind::Page => self.page(random, &from),
            Kind::Crawler => {
                let crawler = CRAWLERS[random.random_range(0..CRAWLERS.len())];
                let page = any(self.pages.all(), random);
                // As a browser of the same kind receives it, with the theme `auto`.
                let look =
                    if crawler.len() == 2 && crawler[0].1.contains("Mobile") { 3 } else { 2 };
                let request = client::get(&page.path, &[crawler, &from]);
                PlannedRequest {
                    status: page.as_seen_by(look).status,
                    ..PlannedRequest::new(kind, request)
                }
            }
            Kind::Data => {
                let (look, headers) = pages::looking(random);
                let page = self.pages.popular(random);
                let fetched = [("accept", "application/json"), ("sec-fetch-mode", "cors")];
                let headers: [&[_]; 4] = [BROWSER, headers, &fetched, &from];
                let request = client::get(&pages::data_path(&page.path), &headers);
                // The data of a redirecting page contains the redirect, with status 200.
                let status = if page.as_seen_by(look).status == 404 { 404 } else { 200 };
                PlannedRequest { status, ..PlannedRequest::new(kind, request) }
            }
            Kind::Search => {
                let (_, headers) = pages::looking(random);
                let word = encoded(WORDS[random.sample(&self.words)]);
                let locale = if word.starts_with('%') { "ar-sa" } else { "en-us" };
                let path = format!("/{locale}/support/search?keyword={word}");
                PlannedRequest::new(kind, client::get(&path, &[BROWSER, headers, &from]))
            }
            Kind::MemberPage => {
                let session = [("cookie", any(&self.sessions, random).as_str())];
                let (look, headers) = pages::looking(random);
                let page = self.pages.popular(random);
                let request = client::get(&page.path, &[BROWSER, headers, &session, &from]);
                PlannedRequest {
                    status: page.as_seen_by(look).status,
                    ..PlannedRequest::new(kind, request)
                }
            }
            Kind::Member => {
                let session = [("cookie", any(&self.sessions, random).as_str())];
                let (path, body): (_, &[u8]) = if random.random_bool(0.5) {
                    ("/api/passport/member/check", b"{}")
                } else {
                    ("/api/news/tab/unread", br#"{"since": 1790000000}"#)
                };
                PlannedRequest::new(kind, client::post(path, &[BROWSER, &session, &from], body))
            }
            Kind::Like => {
                let session = [("cookie", any(&self.sessions, random).as_str())];
                let (id, like) = (any(&self.articles, random), random.random_bool(0.5));
                let body = format!(r#"{{"contentId": "{id}", "like": {like}}}"#);
                let headers = [BROWSER, &session, &from];
                PlannedRequest::new(
                    kind,
                    client::post("/api/news/like/operate", &headers, body.as_bytes()),
                )
            }
            Kind::Event => {
                let id = uuid::Uuid::now_v7();
                let path = &self.pages.popular(random).path;
                let body = format!(
                    r#"{{"eventName": "page_view", "eventValue": "{{\"page\":\"{path}\"}}", "memberId": "", "sellClient": 10, "eventId": "{id}"}}"#
                );
                let headers = [BROWSER, &from];
                PlannedRequest::new(
                    kind,
                    client::post("/api/event-report/report", &headers, body.as_bytes()),
                )
            }
            Kind::Call => {
                PlannedRequest::new(kind, client::get(&self.call(random), &[BROWSER, &from]))
            }
            Kind::Stream => {
                let path = format!("/api/hq/stream?codes={}", any(&CODES, random));
                let accept = [("accept", "text/event-stream"), ("sec-fetch-dest", "empty")];
                PlannedRequest::new(kind, client::get(&path, &[BROWSER, &accept, &from]))
            }
        }
    }

    fn page(&self, random: &mut StdRng, from: &[(&str, &str)]) -> PlannedRequest {
        let (look, headers) = pages::looking(random);
        let page = self.pages.popular(random);
        let known = page.as_seen_by(look);
        let query = if random.random_bool(CAMPAIGN) { CAMPAIGN_QUERY } else { "" };
        let path = format!("{}{query}", page.path);
        let copy = known.etag.as_deref().filter(|_| random.random_bool(RETURNING));
        let condition = copy.map(|etag| ("if-none-match", etag));
        let request = client::get(&path, &[BROWSER, headers, from, condition.as_slice()]);
        let is_conditional = copy.is_some();
        PlannedRequest { kind: Kind::Page, request, status: known.status, is_conditional }
    }

    fn call(&self, random: &mut StdRng) -> String {
        let article = any(&self.articles, random);
        match random.random_range(0..8) {
            0 => "/api/news/content/info/list?market=us&size=5".into(),
            1 => format!("/api/news/content/detail?id={article}&lang=en"),
            2 => format!("/api/news/like/list?contentIds={article}"),
            3 => {
                format!("/api/hq/querySimpleBySecurityCodes?securityCodes={}", any(&CODES, random))
            }
            4 => "/api/config/rest/menu".into(),
            5 => "/api/college/course/list?lang=ar".into(),
            6 => {
                format!("/api/help/m/search?keyword={}", encoded(WORDS[random.sample(&self.words)]))
            }
            _ => "/api/activity/base/info?activityId=6666".into(),
        }
    }
}

/// A random item of a non-empty list.
fn any<'a, T>(list: &'a [T], random: &mut StdRng) -> &'a T {
    &list[random.random_range(0..list.len())]
}

/// Percent-encodes a word for a query, as browsers do.
fn encoded(word: &str) -> String {
    utf8_percent_encode(word, NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_make_a_thousand() {
        assert_eq!(Kind::SHARES.iter().map(|(_, share)| share).sum::<u32>(), 1_000);
    }

    #[test]
    fn a_copy_may_still_be_good() {
        let planned = |is_conditional| PlannedRequest {
            is_conditional,
            ..PlannedRequest::new(Kind::Page, client::get("/en-us", &[]))
        };
        for (is_conditional, status, is_right) in
            [(false, 200, true), (false, 304, false), (true, 304, true), (true, 503, false)]
        {
            assert_eq!(planned(is_conditional).is_expected(status), is_right, "{status}");
        }
        assert_eq!(planned(false).line(), "GET /en-us");
    }
}
