#![allow(clippy::unwrap_used)]

use std::sync::LazyLock;

use http::{HeaderMap, header};
use proptest::prelude::*;
use reqwest::Url;

use super::*;

const PC: &str = "Mozilla/5.0 (X11; Linux x86_64) Chrome/150";
const PHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)";
const APP: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) SahmApp/4.2";

/// Status and `Location` of one redirect.
fn hop(url: &str, agent: &str, cookie: &str) -> Option<(u16, String)> {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let path = SitePath::parse(path).ok()?;
    let mut headers = HeaderMap::new();
    if !agent.is_empty() {
        headers.insert(header::USER_AGENT, agent.parse().unwrap());
    }
    headers.insert(header::COOKIE, cookie.parse().unwrap());
    let profile = ClientProfile::from_headers(&headers, "SahmApp/");
    let visitor = Visitor::of(path.locale, query, &profile);
    let request = RequestedUrl { path: &path, query, profile: &profile, visitor: &visitor };
    decide(&request).map(|redirect| (redirect.status.as_u16(), redirect.location))
}

/// URL, user agent, cookies, and the expected redirect.
type Case<'a> = (&'a str, &'a str, &'a str, Option<(u16, &'a str)>);

fn assert_hops(cases: &[Case<'_>]) {
    for (url, agent, cookie, expected) in cases {
        let expected = expected.map(|(status, location)| (status, location.to_owned()));
        assert_eq!(hop(url, agent, cookie), expected, "{url} {agent} {cookie}");
    }
}

#[test]
fn promotion_pages_on_a_pc_redirect_to_this_sites_page() {
    assert_hops(&[
        ("/activity/seed", PC, "", Some((302, "/activity/pre-activity-new"))),
        ("/en-us/activity/seed", PC, "", Some((302, "/en-us/activity/pre-activity-new"))),
        (
            "/ar-sa/activity/seed?theme=0&b=%20&b",
            PC,
            "",
            Some((302, "/ar-sa/activity/pre-activity-new?theme=0&b=%20&b")),
        ),
        ("/activity/seed", "", "", None),
        ("/activity/pre-activity-new?theme=0", PC, "", None),
        ("/activity", PC, "", None),
        ("/activity/seed/x", PC, "", None),
        // The locale rules come first.
        ("/activity/seed?lang=ar", PC, "", Some((301, "/ar-sa/activity/seed"))),
        ("/ar-SA/activity/seed", PC, "", Some((301, "/ar-sa/activity/seed"))),
    ]);
}

#[test]
fn promotion_pages_on_phones_and_in_the_app_redirect_to_the_activity_app() {
    const TO: &str = "/activitiesr/pre-activity-new?_scnl=1110317&lang=en-US";
    let seed = format!("{TO}&activityId=6666&urlType=1");
    let pre = format!("{TO}&urlType=1");
    let arabic = "/activitiesr/pre-activity-new?_scnl=1110317&lang=ar-SA";
    let seed_arabic = format!("{arabic}&activityId=6666&urlType=1");
    for agent in [PHONE, APP] {
        assert_hops(&[
            ("/activity/seed", agent, "", Some((302, &seed))),
            ("/en-us/activity/seed", agent, "", Some((302, &seed))),
            ("/activity/pre-activity-new", agent, "", Some((302, &pre))),
            ("/ar-sa/activity/seed", agent, "", Some((302, &seed_arabic))),
            ("/activity/seed", agent, "lang=ar-sa", Some((302, &seed_arabic))),
            ("/en-us/activity/seed", agent, "lang=ar-sa", Some((302, &seed))),
            // Any `lang` is replaced, valid or not.
            ("/activity/seed?lang=fr", agent, "", Some((302, &seed))),
            ("/activity/seed?lang=en", agent, "lang=ar-sa", Some((302, &seed))),
            (
                "/activity/seed?theme=0&activityId=901&urlType=2&x=%20&x",
                agent,
                "",
                Some((302, &format!("{TO}&theme=0&activityId=901&urlType=2&x=%20&x"))),
            ),
            ("/activity/seed?activityId=&urlType=", agent, "", Some((302, &seed))),
            (
                "/activity/pre-activity-new?_scnl=42&_scnl=43",
                agent,
                "AGENTID=7",
                Some((302, "/activitiesr/pre-activity-new?_scnl=42&lang=en-US&urlType=1")),
            ),
            (
                "/activity/pre-activity-new?_scnl=4x",
                agent,
                "AGENTID=7",
                Some((302, "/activitiesr/pre-activity-new?_scnl=7&lang=en-US&urlType=1")),
            ),
            ("/activity/pre-activity-new?_scnl=-4", agent, "AGENTID=a7", Some((302, &pre))),
        ]);
    }
}

#[test]
fn education_pages_in_the_app_redirect_to_its_web_app() {
    assert_hops(&[
        ("/education", APP, "", Some((302, "/feature/college?lang=en-US"))),
        ("/ar-sa/education", APP, "", Some((302, "/feature/college?lang=ar-SA"))),
        ("/education?from=x", APP, "lang=ar", Some((302, "/feature/college?lang=ar-SA&from=x"))),
        (
            "/en-us/education/category/5?categoryId=9&a=%20",
            APP,
            "",
            Some((302, "/feature/college/course/list?categoryId=5&lang=en-US&a=%20")),
        ),
        ("/education/category", APP, "", Some((302, "/feature/college/course/list?lang=en-US"))),
        (
            "/education/course/sahm-research-center/6?pageFrom=2",
            APP,
            "",
            Some((
                302,
                "/feature/college/course/detail?courseId=sahm-research-center&categoryId=6\
                 &_app_fullScreen=y&lang=en-US&pageFrom=2",
            )),
        ),
        (
            "/education/course/7",
            APP,
            "",
            Some((302, "/feature/college/course/detail?courseId=7&_app_fullScreen=y&lang=en-US")),
        ),
        (
            "/education/course",
            APP,
            "",
            Some((302, "/feature/college/course/detail?_app_fullScreen=y&lang=en-US")),
        ),
        (
            "/education/article",
            APP,
            "",
            Some((302, "/feature/college/article/detail?_app_fullScreen=y&lang=en-US")),
        ),
        (
            "/ar-sa/education/article/1/2/3",
            APP,
            "",
            Some((
                302,
                "/feature/college/article/detail?articleId=1&courseId=3&_app_fullScreen=y\
                 &lang=ar-SA",
            )),
        ),
        (
            "/education/article/1/2",
            APP,
            "",
            Some((302, "/feature/college/article/detail?articleId=1&_app_fullScreen=y&lang=en-US")),
        ),
        (
            "/education/category/a%20%26b",
            APP,
            "",
            Some((302, "/feature/college/course/list?categoryId=a+%26b&lang=en-US")),
        ),
        ("/education/article/1/2/3/4", APP, "", None),
        ("/education/other", APP, "", None),
        ("/education", PHONE, "", None),
        ("/education/course/7", PC, "", None),
        ("/feature/college?lang=ar-SA", APP, "", None),
    ]);
}

#[test]
fn location_of_another_site_is_not_same_origin() {
    for (location, is_own) in [
        ("/", true),
        ("/news?target=//evil.example", true),
        ("/a//evil.example", true),
        ("", false),
        ("//evil.example", false),
        ("/\\evil.example", false),
        ("\\\\evil.example", false),
        ("/\t/evil.example", false),
        ("/\n/evil.example", false),
        ("https://evil.example/", false),
        ("javascript:alert(1)", false),
        ("news", false),
    ] {
        let status = http::StatusCode::FOUND;
        let redirect = Redirect { status, location: location.to_owned(), remember: None };
        assert_eq!(redirect.is_same_origin(), is_own, "{location:?}");
    }
}

static ORIGIN: LazyLock<Url> = LazyLock::new(|| "https://www.sahm.example/".parse().unwrap());

proptest! {
    /// Paths that browsers might resolve to another host after a rule has cut or joined them.
    #[test]
    fn redirect_of_a_hostile_path_stays_on_this_site(
        prefix in "(/(en-us|ar-SA|fr-fr|en_US))?",
        parts in "(/|//|\\\\|/\\.|/\\.\\.|/%2e%2e|/%2[fF]|/%5[cC]|/%09|/%0[aA]|\t|@|:|user:pass@|evil\\.example|https:|http:|javascript:|https://www\\.sahm\\.example|%00| |\u{3002}|\u{ff0f}\
                 |/activity/seed|/education){0,6}",
        query in "(lang=(ar|en)&?)?(target=(//evil\\.example|%2F%2Fevil|/\\\\evil))?",
        agent in 0..4_usize,
    ) {
        let url = format!("/{}?{query}", (prefix + &parts).trim_start_matches('/'));
        let raw = format!("//{url}");
        for url in [url.as_str(), raw.as_str()] {
            if let Some((status, location)) = hop(url, [PC, PHONE, APP, ""][agent], "") {
                let status = http::StatusCode::from_u16(status).unwrap();
                let redirect = Redirect { status, location, remember: None };
                prop_assert!(redirect.is_same_origin(), "{url:?} {}", redirect.location);
                // As a browser resolves it.
                let there = ORIGIN.join(&redirect.location).unwrap();
                prop_assert_eq!(there.origin(), ORIGIN.origin(), "{:?} {}", url, redirect.location);
            }
        }
    }
}
