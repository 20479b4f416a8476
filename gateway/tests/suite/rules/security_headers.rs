//! The content security policy of pages (docs/page-cache.md).

use std::time::Duration;

use sahm_proto::config::v1::{ConfigItem, SetWebConfigRequest};

use crate::{
    rules::kit::{PC, Response, Site},
    wait::until,
};

const WAIT: Duration = Duration::from_secs(5);

const SAME_ORIGIN: [(&str, &str); 2] = [("script-src", "'self'"), ("frame-src", "'none'")];
const WITH_RECAPTCHA: [(&str, &str); 2] = [
    ("script-src", "'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/"),
    ("frame-src", "https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/"),
];

fn sources<'a>(response: &'a Response, directive: &str) -> &'a str {
    let policy = response.header("content-security-policy").split("; ");
    let mut directives = policy.filter_map(|one| one.split_once(' '));
    directives.find(|(name, _)| *name == directive).map_or("", |(_, sources)| sources)
}

/// Waits until built and cached pages allow exactly these sources.
async fn until_pages_allow(site: &Site, allowed: [(&str, &str); 2]) {
    let allows = async |path: &str, cache_status: &str| {
        let response = site.get(path, &[("user-agent", PC)]).await;
        allowed.iter().all(|(name, value)| sources(&response, name) == *value)
            && (cache_status.is_empty() || response.header("x-page-cache") == cache_status)
    };
    let pages = until("the policy", async || {
        allows("/en-us/login", "hit").await && allows("/en-us/no/such", "").await
    });
    tokio::time::timeout(WAIT, pages).await.unwrap();
}

#[tokio::test]
async fn content_policy_allows_recaptcha_if_configured() {
    let site = Site::start(&[]).await;
    let set = async |value: &str| {
        let item = ConfigItem {
            key: "RECAPTCHA_SITE_KEY".to_owned(),
            value: value.to_owned(),
            ..ConfigItem::default()
        };
        let request = SetWebConfigRequest { items: vec![item] };
        site.config.clone().set_web_config(request).await.unwrap();
    };
    until_pages_allow(&site, SAME_ORIGIN).await;
    set("6Lc-site-key").await;
    until_pages_allow(&site, WITH_RECAPTCHA).await;
    // Other directives are unchanged, and other responses have no policy.
    let page = site.get("/en-us/login", &[]).await;
    assert_eq!(sources(&page, "connect-src"), "'self'");
    assert!(!page.header("content-security-policy").contains("unsafe-eval"));
    set("").await;
    until_pages_allow(&site, SAME_ORIGIN).await;
}

#[tokio::test]
async fn large_api_responses_are_compressed() {
    let site = Site::start(&[]).await;
    let path = "/api/openapi.json";
    let plain = site.get(path, &[]).await;
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), ("", "accept-encoding"));
    for (accept, coding) in [("gzip", "gzip"), ("gzip, br", "br"), ("br;q=0, identity", "")] {
        let response = site.get(path, &[("accept-encoding", accept)]).await;
        assert_eq!(response.header("content-encoding"), coding, "{accept}");
        assert_eq!(response.header("content-length"), response.body.len().to_string(), "{accept}");
        assert_eq!(response.header("vary"), "accept-encoding", "{accept}");
        assert_eq!(response.body.len() < plain.body.len() / 4, !coding.is_empty(), "{accept}");
        let head = site.send("HEAD", path, &[("accept-encoding", accept)], "").await;
        assert_eq!(head.header("content-encoding"), coding, "{accept}");
    }
    let short = site.get("/api/no/such/call", &[("accept-encoding", "gzip")]).await;
    assert_eq!((short.header("content-encoding"), short.header("vary")), ("", ""));
}
