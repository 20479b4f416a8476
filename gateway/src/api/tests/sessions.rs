//! Callers: sessions, cookies, and the metadata of calls to services.

use std::sync::atomic::Ordering;

use http::{HeaderValue, header};
use tokio::time::Instant;

use super::fakes::{Site, TOKEN, json};
use super::*;
use crate::client_address::ClientAddress;

const SET: &str = "/api/passport/password/set";
const CHECK: &str = "/api/passport/member/check";
const LOGIN: &str = "/api/passport/password/login";
const LOGOUT: &str = "/api/passport/logout";
const LIKE: &str = "/api/news/like/operate";

/// Logs in and returns the cookie as a browser sends it.
async fn cookie(site: &Site) -> String {
    let (response, _) = site.post(LOGIN, &[], r#"{"account":"me"}"#).await;
    let set = response.headers()[header::SET_COOKIE].to_str().unwrap();
    set.split(';').next().unwrap().to_owned()
}

fn code(json: &serde_json::Value) -> u64 {
    json["code"].as_u64().unwrap()
}

#[tokio::test]
async fn login_sets_the_cookie_and_never_returns_the_token() {
    let site = Site::start(false).await;
    let (response, body) = site.post(LOGIN, &[], r#"{"account":"me"}"#).await;
    let set = response.headers()[header::SET_COOKIE].to_str().unwrap();
    assert!(set.starts_with(&format!("sahm_session={TOKEN}.")), "{set}");
    assert!(set.ends_with("; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000"), "{set}");
    assert_eq!(body["data"].as_object().unwrap().keys().collect::<Vec<_>>(), ["userInfo"]);
    let page = site.send(Request::get(openapi::PATH).body(Body::empty()).unwrap()).await;
    let page = json(page).await.1;
    assert!(!page.to_string().contains("sessionToken"));
    assert_eq!(page["paths"][SET]["post"]["security"][0]["session"], serde_json::json!([]));

    let (response, body) = site.post(LOGIN, &[], r#"{"account":"you"}"#).await;
    assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        (code(&body), &body["data"]["fields"]["account"]),
        (10000003, &"is not known".into())
    );
    assert!(!response.headers().contains_key(header::SET_COOKIE));

    let cookie = cookie(&site).await;
    let (response, _) = site.post(LOGOUT, &[("cookie", &cookie)], "").await;
    let cleared = response.headers()[header::SET_COOKIE].to_str().unwrap();
    assert!(cleared.starts_with("sahm_session=;") && cleared.contains("Max-Age=0"), "{cleared}");
}

#[tokio::test]
async fn required_session_is_checked_before_parameters() {
    let site = Site::start(false).await;
    let forged = format!("sahm_session={TOKEN}.AAAA");
    for cookies in ["x=1", &forged, "sahm_session="] {
        for body in ["{", r#"{"number":"x"}"#, "{}"] {
            let (response, json) = site.post(SET, &[("cookie", cookies)], body).await;
            assert_eq!((response.status().as_u16(), code(&json)), (401, 10000006), "{cookies}");
        }
    }
    assert_eq!(site.fakes.checks.load(Ordering::SeqCst), 0);

    let cookie = cookie(&site).await;
    let (_, body) = site.post(SET, &[("cookie", &cookie)], "{}").await;
    assert_eq!((code(&body), &body["data"]["seen"]), (10000000, &"42 s-1 - -".into()));
    let (response, _) = site.post(SET, &[("cookie", &cookie)], "{").await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);

    *site.fakes.member.lock().unwrap() = Some(0);
    let (response, body) = site.post(SET, &[("cookie", &cookie)], "{").await;
    assert_eq!((response.status().as_u16(), code(&body)), (401, 10000007));
    // The service knows only that there is no session.
    let (_, body) = site.post(LOGOUT, &[("cookie", &cookie)], "").await;
    assert_eq!(code(&body), 10000007);
    let (_, body) = site.post(LOGOUT, &[], "").await;
    assert_eq!(code(&body), 10000006);
}

#[tokio::test]
async fn member_counts_as_visitor_and_keeps_the_cookie_while_identity_is_unavailable() {
    let site = Site::start(false).await;
    let cookie = cookie(&site).await;
    *site.fakes.member.lock().unwrap() = None;
    tokio::time::pause();
    let begun = Instant::now();
    let (response, body) = site.post(CHECK, &[("cookie", &cookie)], "").await;
    let took = begun.elapsed().as_millis();
    assert!((140..1000).contains(&took), "{took}");
    assert_eq!((code(&body), &body["data"]["seen"]), (10000000, &"- - - -".into()));
    assert!(!response.headers().contains_key(header::SET_COOKIE));
}

#[tokio::test]
async fn calls_that_need_the_session_or_end_it_are_503_when_identity_does_not_respond() {
    let site = Site::start(false).await;
    let cookie = cookie(&site).await;
    *site.fakes.member.lock().unwrap() = None;
    tokio::time::pause();
    for path in [SET, LOGOUT] {
        let begun = Instant::now();
        let (response, body) = site.post(path, &[("cookie", &cookie)], "").await;
        assert_eq!((response.status().as_u16(), code(&body)), (503, 503), "{path}");
        assert!(response.headers().contains_key(header::RETRY_AFTER));
        // The session may be live: the browser keeps the cookie and can retry.
        assert!(!response.headers().contains_key(header::SET_COOKIE), "{path}");
        let took = begun.elapsed();
        assert!(took > Duration::from_secs(7) && took < CALL_TIMEOUT, "{path}: {took:?}");
    }
    assert_eq!(site.fakes.logouts.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn calls_that_need_the_session_or_end_it_wait_for_a_slow_check() {
    let site = Site::start(false).await;
    let cookie = cookie(&site).await;
    *site.fakes.check_delay.lock().unwrap() = Duration::from_secs(5);
    tokio::time::pause();
    let (_, body) = site.post(SET, &[("cookie", &cookie)], "{}").await;
    assert_eq!((code(&body), &body["data"]["seen"]), (10000000, &"42 s-1 - -".into()));
    let (response, body) = site.post(LOGOUT, &[("cookie", &cookie)], "").await;
    assert_eq!((code(&body), &body["data"]["seen"]), (10000000, &"42 s-1 - -".into()));
    assert!(response.headers().contains_key(header::SET_COOKIE));
    assert_eq!(site.fakes.logouts.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn invalid_bytes_in_other_cookies_do_not_end_the_session() {
    let site = Site::start(false).await;
    let cookie = cookie(&site).await;
    let other = HeaderValue::from_bytes(b"city=\xd8\xac\xff").unwrap();
    let one_line = [other.as_bytes(), b"; ", cookie.as_bytes()].concat();
    let one_line = vec![HeaderValue::from_bytes(&one_line).unwrap()];
    let crumbs = vec![other, HeaderValue::from_str(&cookie).unwrap()];
    for lines in [one_line, crumbs] {
        let mut request = Request::post(CHECK).body(Body::empty()).unwrap();
        for line in &lines {
            request.headers_mut().append(header::COOKIE, line.clone());
        }
        let (_, body) = json(site.send(request).await).await;
        assert_eq!(body["data"]["seen"], "42 s-1 - -", "{lines:?}");
    }
}

#[tokio::test]
async fn first_like_issues_a_visitor_id() {
    let site = Site::start(false).await;
    let forged = format!("vid={}", "a".repeat(22));
    let (response, body) = site.post(LIKE, &[("cookie", &forged)], "").await;
    let set = response.headers()[header::SET_COOKIE].to_str().unwrap().to_owned();
    let vid = set.split(';').next().unwrap();
    assert!(set.ends_with("; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000"), "{set}");
    let name = vid.strip_prefix("vid=").unwrap().split_once('.').unwrap().0;
    assert_ne!(name, "a".repeat(22));
    assert_eq!(body["data"]["seen"], format!("- - - {name}"));
    let (response, body) = site.post(LIKE, &[("cookie", vid)], "").await;
    assert!(!response.headers().contains_key(header::SET_COOKIE));
    assert_eq!(body["data"]["seen"], format!("- - - {name}"));
    // Other calls set no visitor id; neither do calls of members.
    let (response, _) = site.post(CHECK, &[], "").await;
    assert!(!response.headers().contains_key(header::SET_COOKIE));
    let (response, body) = site.post(LIKE, &[("cookie", &cookie(&site).await)], "").await;
    assert!(!response.headers().contains_key(header::SET_COOKIE));
    assert_eq!(body["data"]["seen"], "42 s-1 - -");
}

#[tokio::test]
async fn address_without_cookies_counts_as_few_visitors() {
    let site = Site::start_with(false, Limits::on(None)).await;
    let like = async |address: &str| {
        let mut request = Request::post(LIKE).body(Body::empty()).unwrap();
        request.extensions_mut().insert(ClientAddress(address.parse().unwrap()));
        let (response, body) = json(site.send(request).await).await;
        assert_eq!(code(&body), 10000000);
        let seen = body["data"]["seen"].as_str().unwrap().to_owned();
        let visitor = seen.rsplit(' ').next().unwrap().to_owned();
        (response.headers().contains_key(header::SET_COOKIE), visitor)
    };
    // Likes until the budget of the address is exhausted; returns the ids, and the visitor after that.
    let exhaust = async |address: &str| {
        let mut issued = std::collections::BTreeSet::new();
        loop {
            let (has_cookie, visitor) = like(address).await;
            if !has_cookie {
                return (issued, visitor);
            }
            assert!(issued.insert(visitor) && issued.len() < 90);
        }
    };
    let (issued, by_address) = exhaust("203.0.113.9").await;
    assert!(issued.len() >= 60 && !issued.contains(&by_address) && by_address.len() > 20);
    assert!(like("203.0.113.10").await.0);
    // An IPv6 network shares one budget.
    let (_, network) = exhaust("2001:db8::1").await;
    assert_eq!(exhaust("2001:db8::ffff").await.1, network);
    assert_ne!(network, by_address);
}

#[tokio::test]
async fn caller_metadata_from_outside_is_ignored() {
    for over_tcp in [false, true] {
        let site = Site::start(over_tcp).await;
        let mut request = Request::post(CHECK)
            .header("sahm-member", "7")
            .header("sahm-visitor", "x")
            .header("x-forwarded-for", "1.1.1.1")
            .body(Body::empty())
            .unwrap();
        request.extensions_mut().insert(ClientAddress("203.0.113.9".parse().unwrap()));
        let (_, body) = json(site.send(request).await).await;
        assert_eq!(body["data"]["seen"], "- - 203.0.113.9 -", "{over_tcp}");
    }
}

/// The paths of this test occur nowhere in the gateway's sources.
#[tokio::test]
async fn new_call_needs_its_proto_only() {
    const NEW: &str = "/api/new/call";
    let site = Site::start_with(false, Limits::on(None)).await;

    let (response, body) = site.post(NEW, &[], "{}").await;
    assert_eq!(response.status(), StatusCode::OK, "{body}");
    assert_eq!(RouteLabel::read(&response).as_str(), NEW);
    let cookie = response.headers()[header::SET_COOKIE].to_str().unwrap();
    assert!(cookie.starts_with("vid="), "{cookie}");

    let (response, body) = site.post(NEW, &[], &format!(r#"{{"x":"{}"}}"#, "y".repeat(32))).await;
    assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE, "{body}");

    // The burst of the class OTHER is 100, that of EVENTS 2,000.
    for at in 0..150 {
        let (response, _) = site.post(NEW, &[], "{}").await;
        assert_eq!(response.status(), StatusCode::OK, "call {at}");
    }
}

#[tokio::test]
async fn new_call_for_members_has_its_session_rules_and_path_parameter_from_the_proto() {
    let site = Site::start(false).await;
    let (response, body) = site.post("/api/new/members/7", &[], r#"{"market":"moon"}"#).await;
    assert_eq!((response.status().as_u16(), code(&body)), (401, 10000006), "{body}");

    let cookie = cookie(&site).await;
    let headers = [("cookie", cookie.as_str())];
    let (response, body) = site.post("/api/new/members/7", &headers, r#"{"market":"moon"}"#).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    assert_eq!(body["data"]["fields"]["market"], "must be one of us, saudi");
    let (_, body) = site.post("/api/new/members/7", &headers, r#"{"market":"us"}"#).await;
    assert_eq!((code(&body), &body["data"]["seen"]), (10000000, &"42 s-1 - -".into()));
    let (response, _) = site.post("/api/new/members/x", &headers, "{}").await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
}

#[test]
fn new_calls_are_described_by_openapi() {
    let page = openapi_generator::document(&super::fakes::pool());
    let new = &page["paths"]["/api/new/call"]["post"];
    assert_eq!(new["operationId"], "PassportService_New_post");
    let members = &page["paths"]["/api/new/members/{id}"]["post"];
    assert_eq!(members["security"][0]["session"], serde_json::json!([]));
    assert_eq!(members["parameters"][0]["in"], "path");
    let body = &members["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(body["required"], serde_json::json!(["market"]));
    assert_eq!(body["properties"]["market"]["enum"], serde_json::json!(["us", "saudi"]));
}

#[test]
fn policies_of_new_calls_are_those_of_the_proto() {
    let router = Router::build(&super::fakes::pool()).unwrap();
    let found = router.find("/api/new/members/7").unwrap();
    let policy = &found.endpoint.post.as_ref().unwrap().policy;
    assert!(policy.requires_session() && !policy.ends_session() && policy.is_about_article);
    assert_eq!(policy.expected_errors, [ErrorCode::CourseNotFound]);
    assert_eq!((policy.rate_class, policy.max_body_bytes), (RateClass::Other, 65_536));
}
