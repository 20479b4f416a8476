//! Cookies that pages set (docs/sessions.md), also on cached pages.

use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

use crate::rules::kit::{PC, PHONE, Site};

const AGENT: &str = "AGENTID=42; Path=/; SameSite=Lax";

/// The JSON of a campaign cookie; asserts its attributes.
fn campaign(line: &str) -> Value {
    let (cookie, attributes) = line.split_once("; ").unwrap();
    assert_eq!(attributes, "Path=/; Max-Age=3600; SameSite=Lax");
    let value = cookie.strip_prefix("sahm_spm_share_data=").unwrap();
    let json = percent_decode_str(value).decode_utf8().unwrap();
    serde_json::from_str(&json).unwrap()
}

#[tokio::test]
async fn every_page_sets_campaign_cookies_for_new_visitors_only() {
    let site = Site::start(&[]).await;
    let query = "_scnl=42&_pid=p1&_c=spring";
    for (path, status) in [
        ("/en-us/about", 200),
        ("/ar-sa/about", 200),
        ("/no/such/page", 404),
        ("/en-us/about", 200),
    ] {
        let response = site.get(&format!("{path}?{query}"), &[("user-agent", PC)]).await;
        assert_eq!(response.status, status, "{path}");
        let cookies = response.cookies();
        assert_eq!((cookies.len(), cookies[0]), (2, AGENT), "{cookies:?}");
        let mut known = campaign(cookies[1]);
        let expired = known["expired"].take().as_u64().unwrap();
        assert!(expired.abs_diff(u64::from(sahm_chassis::clock::now()) + 3_600) < 10);
        let expected = json!({
            "pid": "p1", "scnl": "42", "c": "spring", "onelink": "", "expired": null, "lastPid": "",
        });
        assert_eq!(known, expected);

        // Known visitors get no cookie, and a cached page stores none.
        let share = cookies[1].split(';').next().unwrap();
        let sent = format!("AGENTID=42; {share}");
        let again = site.get(&format!("{path}?{query}"), &[("cookie", &sent)]).await;
        assert!(again.cookies().is_empty(), "{:?}", again.cookies());
        let other = site.get(path, &[("user-agent", PC)]).await;
        assert_eq!(other.cookies().len(), 1, "{:?}", other.cookies());
        assert_eq!(campaign(other.cookies()[0])["pid"], "");
    }
    let stored = site.get(&format!("/en-us/about?{query}"), &[("user-agent", PC)]).await;
    assert_eq!((stored.header("x-page-cache"), stored.cookies().len()), ("hit", 2));
    let etag = stored.header("etag").to_owned();
    let same = site.get(&format!("/en-us/about?{query}"), &[("if-none-match", &etag)]).await;
    assert_eq!((same.status, same.cookies().len()), (304, 2));
}

#[tokio::test]
async fn malformed_values_are_dropped_and_only_pages_set_cookies() {
    let site = Site::start(&[]).await;
    let query = "_scnl=4x%0d%0aset-cookie:a=b&_pid=%3Cscript%3E&_c=";
    let response = site.get(&format!("/en-us/news?{query}"), &[("cookie", "AGENTID=<b>")]).await;
    let cookies = response.cookies();
    assert_eq!(cookies.len(), 1, "{cookies:?}");
    let known = campaign(cookies[0]);
    for name in ["pid", "scnl", "c", "onelink", "lastPid"] {
        assert_eq!(known[name], "", "{name}");
    }
    for path in [
        "/_data/en-us/news?_scnl=42",
        "/robots.txt?_scnl=42",
        "/api/news/tab/list?_scnl=42",
        "/metrics",
    ] {
        let response = site.get(path, &[("user-agent", PHONE)]).await;
        assert!(response.status < 400 && response.cookies().is_empty(), "{path} {response:?}");
    }
}

#[tokio::test]
async fn redirect_sets_campaign_cookies() {
    let site = Site::start(&[]).await;
    for path in ["/activity/seed", "/en-us/activity/pre-activity-new", "/ar-SA/news"] {
        let response = site.get(&format!("{path}?_scnl=42&_c=x"), &[("user-agent", PHONE)]).await;
        assert!([301, 302].contains(&response.status), "{path}");
        let cookies = response.cookies();
        assert_eq!((cookies.len(), cookies[0]), (2, AGENT), "{path} {cookies:?}");
        assert_eq!(campaign(cookies[1])["c"], "x", "{path}");
    }
}

#[tokio::test]
async fn cookies_are_secure_outside_dev() {
    let site = Site::start(&[
        ("SAHM_ENV", "uat"),
        ("SAHM_SESSION_KEYS", "0123456789abcdef0123456789abcdef"),
        ("SAHM_CALLER_TOKENS", "gateway=0123456789abcdef"),
    ])
    .await;
    let response = site.get("/news?lang=en&_scnl=42", &[]).await;
    let cookies = response.cookies();
    assert_eq!(cookies.len(), 3, "{cookies:?}");
    assert!(cookies.iter().all(|line| line.ends_with("; SameSite=Lax; Secure")), "{cookies:?}");
    assert!(cookies.contains(&"lang=en-us; Path=/; Max-Age=31536000; SameSite=Lax; Secure"));
}
