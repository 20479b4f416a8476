//! Web cache deception: a member opens a URL that looks like a file, and the member's page is cached for others.

use super::{Attack, first, vulnerable_server::SECRET, wire};
use crate::kit::agent;

/// Suffixes of a page's path.
const SUFFIXES: [&str; 34] = [
    "",
    "/x.css",
    "/x.js",
    "/x.png",
    "/favicon.ico",
    "/robots.txt",
    ".css",
    ".js",
    ".json",
    ".avif",
    ";.css",
    ";x.js",
    "%3B.css",
    "%3Fx.css",
    "%23x.css",
    "%2Fx.css",
    "%2fx.css",
    "%5Cx.css",
    "%00.css",
    "%0A.css",
    "%20.css",
    "%09.css",
    "!.css",
    "~.css",
    "%7E.css",
    "/..%2Fx.css",
    "/%2e%2e/x.css",
    "/.%2e/assets/x.css",
    "?x.css",
    "?/x.css",
    "?lang=en&x=/x.css",
    "/",
    "/%20",
    "/.",
];

const PAGES: [&str; 2] = ["/en-us/news", "/ar-sa"];

/// Prefixes that make a page's path look cacheable.
const PREFIXES: [&str; 8] = [
    "/assets/..%2F",
    "/assets/%2e%2e/",
    "/assets/../",
    "/media/..%2f",
    "/static/..;/",
    "/_data/../",
    "/.well-known/..%2f",
    "/robots.txt/..%2f",
];

/// Calls of members.
const CALLS: [&str; 4] = [
    "/api/passport/member/check",
    "/api/openaccount/account/apply-progress",
    "/api/activity/member/assets-standard",
    "/_data/en-us",
];

/// Requests a URL as a member, then as somebody else.
fn deceive(target: String, cookie: &str) -> Attack {
    let member = [("user-agent", agent::PC), ("cookie", cookie)];
    let sends = vec![wire::get(&target, &member), wire::get(&target, &[("user-agent", agent::PC)])];
    Attack::new(format!("deception {target}"), sends, |conversations| {
        let own = first(conversations, 0)?;
        let other = first(conversations, 1)?;
        if other.contains(SECRET) {
            return Err("somebody else gets a response of the member".to_owned());
        }
        let cache_control = own.header("cache-control");
        let shared = cache_control.contains("public") || cache_control.contains("max-age");
        if own.contains(SECRET) && (shared || own.header("x-page-cache") != "bypass") {
            return Err(format!("the member's page may be cached: {cache_control}"));
        }
        if own.status >= 500 || other.status >= 500 {
            return Err(format!("{} and {}", own.status, other.status));
        }
        Ok(())
    })
}

pub(super) fn attacks(cookie: &str) -> Vec<Attack> {
    let pages =
        PAGES.iter().flat_map(|page| SUFFIXES.iter().map(move |end| format!("{page}{end}")));
    let hidden = PREFIXES.iter().map(|begin| format!("{begin}en-us/news"));
    let calls = CALLS.iter().flat_map(|call| {
        ["", "/x.css", "%2Fx.css", ";x.css", ".css"].map(|end| format!("{call}{end}"))
    });
    let spelt = ["/EN-US/news", "/en_us/NEWS", "/en-us/%6Eews", "/%65n-us/news", "/en-us/news%2F"];
    pages
        .chain(hidden)
        .chain(calls)
        .chain(spelt.map(str::to_owned))
        .map(|target| deceive(target, cookie))
        .collect()
}
