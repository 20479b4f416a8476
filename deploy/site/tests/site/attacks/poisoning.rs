//! Cache poisoning: unkeyed input of one visitor must not appear on another visitor's page.

use super::{Attack, first, wire};
use crate::kit::agent;

/// Headers that some servers build pages from.
const HEADERS: [&str; 46] = [
    "x-forwarded-host",
    "x-host",
    "x-forwarded-server",
    "x-http-host-override",
    "x-original-host",
    "forwarded",
    "x-forwarded-proto",
    "x-forwarded-scheme",
    "x-forwarded-protocol",
    "x-url-scheme",
    "front-end-https",
    "x-forwarded-ssl",
    "x-forwarded-port",
    "x-forwarded-prefix",
    "x-forwarded-path",
    "x-forwarded-uri",
    "x-original-url",
    "x-original-uri",
    "x-rewrite-url",
    "x-override-url",
    "base-url",
    "x-base-url",
    "x-proxy-url",
    "proxy-host",
    "request-uri",
    "destination",
    "x-forwarded-for",
    "x-real-ip",
    "true-client-ip",
    "cf-connecting-ip",
    "fastly-client-ip",
    "x-client-ip",
    "client-ip",
    "via",
    "referer",
    "origin",
    "accept",
    "accept-language",
    "content-language",
    "x-wap-profile",
    "x-requested-with",
    "x-custom-ip-authorization",
    "traceparent",
    "tracestate",
    "baggage",
    "x-request-id",
];

const COOKIES: [&str; 14] = [
    "hs_h5_colorType",
    "AGENTID",
    "sahm_spm_share_data",
    "hstMessage",
    "vid",
    "theme",
    "locale",
    "currency",
    "country",
    "_ga",
    "ab_test",
    "user",
    "__Host-x",
    "sahm_session",
];

const PARAMETERS: [&str; 40] = [
    "utm_source=@",
    "utm_content=@",
    "gclid=@",
    "fbclid=@",
    "_pid=@",
    "_scnl=@",
    "_c=@",
    "callback=@",
    "jsonp=@",
    "redirect=@",
    "next=@",
    "url=@",
    "target=@",
    "theme=@",
    "cb=@",
    "v=@",
    "ref_src=@",
    "_method=@",
    "_lang=@",
    "locale=@",
    // Parameter cloaking: a parser that splits differently finds a declared parameter.
    "utm_content=1;tab=@",
    "utm_content=1%26tab=@",
    "utm_content=1%3Btab=@",
    "utm_content=1&amp;tab=@",
    "x[tab]=@",
    "tab[]=@",
    "tab%5B%5D=@",
    "tab%00=@",
    "tab%20=@",
    "%74ab=@",
    "ta%62=@!",
    "tab=1&tab=@",
    "tab=@&tab=1",
    "TAB=@",
    "tab==@",
    "tab=1%0d%0a@",
    "tab=1#@",
    "tab=1%23@",
    "cursor=@.%2e",
    "@",
];

/// Possible delimiters of cache keys, where ours could be.
const DELIMITERS: [&str; 18] = [
    "%7C",
    "|",
    "%00",
    "%0A",
    "%0D%0A",
    "%09",
    "%20",
    ":",
    "%3A",
    ";",
    "%3B",
    "%23",
    "%3F",
    "%26",
    "__",
    "!!",
    "%C2%A0",
    "%E2%80%A8",
];

const AGENTS: [&str; 4] = [agent::PC, agent::MOBILE, agent::APP, agent::DARK_APP];

/// A page that was never requested, so that each attack has a key of its own.
struct Page {
    path: String,
    agent: &'static str,
    arabic: bool,
}

fn page(at: usize) -> Page {
    // The articles of the seed; each has two pages per platform and locale.
    let arabic = (at / 4) % 2 == 1;
    let id = 1001 + (at / 8) % 24;
    let locale = if arabic { "ar-sa" } else { "en-us" };
    Page { path: format!("/{locale}/news/content/{id}"), agent: AGENTS[at % 4], arabic }
}

/// Sends `attack` for a page, then requests the page as a visitor.
fn poison(name: String, at: usize, attack: impl Fn(&Page, &str) -> Vec<u8>) -> Attack {
    let page = page(at);
    let canary = format!("canary{at:04}");
    let sends = vec![attack(&page, &canary), wire::get(&page.path, &[("user-agent", page.agent)])];
    let lang = if page.arabic { "lang=\"ar-SA\"" } else { "lang=\"en-US\"" };
    Attack::new(name, sends, move |conversations| {
        let attacked = first(conversations, 0)?;
        if attacked.status >= 500 {
            return Err(format!("{} to the attack", attacked.status));
        }
        let next = first(conversations, 1)?;
        if next.status != 200 {
            return Err(format!("the next visitor gets {}", next.status));
        }
        if next.contains(&canary) {
            return Err("the next visitor gets what was sent".to_owned());
        }
        if !next.body.contains(lang) {
            return Err(format!("the next visitor's page is not {lang}"));
        }
        Ok(())
    })
}

pub(super) fn attacks() -> Vec<Attack> {
    let mut attacks = Vec::new();
    for name in HEADERS {
        let at = attacks.len();
        attacks.push(poison(format!("header {name}"), at, |page, canary| {
            let value = format!("{canary}.evil.example");
            wire::get(&page.path, &[("user-agent", page.agent), (name, &value)])
        }));
    }
    for name in COOKIES {
        let at = attacks.len();
        attacks.push(poison(format!("cookie {name}"), at, |page, canary| {
            let cookie = format!("{name}={canary}");
            wire::get(&page.path, &[("user-agent", page.agent), ("cookie", &cookie)])
        }));
    }
    for parameter in PARAMETERS {
        let at = attacks.len();
        attacks.push(poison(format!("parameter {parameter}"), at, |page, canary| {
            let target = format!("{}?{}", page.path, parameter.replace('@', canary));
            wire::get(&target, &[("user-agent", page.agent)])
        }));
    }
    for (kind, body) in [
        ("application/x-www-form-urlencoded", "tab=@&lang=ar"),
        ("application/json", "{\"tab\":\"@\"}"),
        ("text/plain", "@"),
        ("multipart/form-data; boundary=b", "--b\r\n\r\n@\r\n--b--"),
    ] {
        let at = attacks.len();
        attacks.push(poison(format!("fat GET {kind}"), at, |page, canary| {
            let headers = [("user-agent", page.agent), ("content-type", kind)];
            wire::request("GET", &page.path, &headers, body.replace('@', canary))
        }));
    }
    for (name, method) in [
        ("x-http-method-override", "POST"),
        ("x-http-method", "PUT"),
        ("x-method-override", "DELETE"),
        ("x-http-method-override", "HEAD"),
    ] {
        let at = attacks.len();
        attacks.push(poison(format!("override {name} {method}"), at, |page, canary| {
            let headers = [("user-agent", page.agent), (name, method), ("x-note", canary)];
            wire::get(&page.path, &headers)
        }));
    }
    for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PURGE", "BAN", "get"] {
        let at = attacks.len();
        attacks.push(poison(format!("method {method}"), at, |page, canary| {
            let headers = [("user-agent", page.agent), ("x-note", canary)];
            wire::request(method, &page.path, &headers, "")
        }));
    }
    for (name, value) in [
        ("accept-encoding", "@"),
        ("accept-encoding", "br;q=0, gzip;q=0, identity;q=0"),
        ("sec-ch-prefers-color-scheme", "\"@\""),
        ("vary", "@"),
        ("save-data", "@"),
        ("if-none-match", "\"@\""),
        ("if-match", "\"@\""),
        ("if-modified-since", "@"),
        ("cache-control", "@, only-if-cached"),
        ("pragma", "@"),
        ("x-build", "@"),
        ("expect", "@"),
        ("upgrade", "@"),
        ("te", "@"),
        ("range", "bytes=0-9"),
        ("range", "bytes=-1"),
        ("range", "bytes=5-1,0-0"),
        ("range", "canary=0-1"),
        ("if-range", "\"@\""),
    ] {
        let at = attacks.len();
        attacks.push(poison(format!("{name}: {value}"), at, |page, canary| {
            let value = value.replace('@', canary);
            wire::get(&page.path, &[("user-agent", page.agent), (name, &value)])
        }));
    }
    // Errors must not be cached for the page.
    for (what, name, value) in [
        ("a head too large", "x-large", "y".repeat(40 << 10)),
        ("a control character", "x-bell", "a\u{7}b".to_owned()),
        ("a malformed host", "host", "a b".to_owned()),
        ("a malformed length", "content-length", "9z".to_owned()),
        ("a body that never comes", "content-length", "5".to_owned()),
    ] {
        let at = attacks.len();
        attacks.push(poison(format!("cached error: {what}"), at, move |page, canary| {
            wire::get(&page.path, &[("user-agent", page.agent), (name, &value), ("x-note", canary)])
        }));
    }
    for delimiter in DELIMITERS {
        let at = attacks.len();
        attacks.push(poison(format!("delimiter {delimiter}"), at, |page, canary| {
            let target = format!("{}{delimiter}{canary}", page.path);
            let headers = [("user-agent", page.agent), ("x-note", canary)];
            wire::get(&target.replace(' ', "%20"), &headers)
        }));
    }
    attacks
}
