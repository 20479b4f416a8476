#![allow(clippy::unwrap_used)]

use http::header;
use proptest::prelude::*;

use super::*;

const NOW: u32 = 1_800_000_000;

fn headers(cookie: &str) -> HeaderMap {
    match cookie {
        "" => HeaderMap::new(),
        cookie => HeaderMap::from_iter([(header::COOKIE, cookie.parse().unwrap())]),
    }
}

fn encoded(json: &str) -> String {
    format!("a=1; {COOKIE}={}", utf8_percent_encode(json, NON_ALPHANUMERIC))
}

fn known(pid: &str, expired: u32) -> String {
    encoded(&format!(
        r#"{{"pid":"{pid}","scnl":"5","c":"","onelink":"","expired":{expired},"lastPid":"p0"}}"#
    ))
}

/// The new cookie's JSON.
fn written(query: &str, cookie: &str) -> Option<Value> {
    let value = updated(query, &headers(cookie), NOW)?.value();
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'%';
    assert!(value.bytes().all(fits), "{value}");
    let json = percent_decode_str(&value).decode_utf8().unwrap();
    Some(serde_json::from_str(&json).unwrap())
}

fn campaign(pid: &str, scnl: &str, c: &str, last_pid: &str) -> Option<Value> {
    Some(serde_json::json!({
        "pid": pid, "scnl": scnl, "c": c, "onelink": "", "expired": NOW + MAX_AGE_SECONDS, "lastPid": last_pid,
    }))
}

#[test]
fn written_when_something_is_new_or_no_expiry_exists() {
    let later = NOW + 10;
    for (query, cookie, expected) in [
        // Without a cookie, one is set for any query.
        ("", String::new(), campaign("", "", "", "")),
        ("_pid=p1&_scnl=5&_c=x_1", String::new(), campaign("p1", "5", "x_1", "")),
        ("_scnl=web", String::new(), campaign("", "web", "", "")),
        // An unexpired cookie is replaced only if the query changes its campaign.
        ("", known("p1", later), None),
        ("_pid=p1&_scnl=5&other=1", known("p1", later), None),
        ("_pid=p2", known("p1", later), campaign("p2", "5", "", "p1")),
        ("_c=new", known("p1", later), campaign("p1", "5", "new", "p0")),
        // An expired cookie counts as absent.
        ("", known("p1", NOW), campaign("", "", "", "")),
        ("_pid=p2", known("p1", NOW - 1), campaign("p2", "", "", "")),
        // Malformed values are dropped, wherever they come from.
        ("_pid=%3Cscript%3E", known("p1", later), None),
        ("_pid=", known("p1", later), None),
        ("_pid=a%0d%0ab", String::new(), campaign("", "", "", "")),
        ("_pid=p2", known("<b>", later), campaign("p2", "5", "", "")),
        ("", format!("{COOKIE}=junk"), campaign("", "", "", "")),
        ("", format!("{COOKIE}=%7B%7D"), campaign("", "", "", "")),
        ("", encoded(r#"{"expired":"soon"}"#), campaign("", "", "", "")),
        ("", encoded(r#"{"expired":-1}"#), campaign("", "", "", "")),
        ("", encoded(r#"[1]"#), campaign("", "", "", "")),
        ("_c=1", encoded(&format!(r#"{{"pid":7,"expired":{later}}}"#)), campaign("7", "", "1", "")),
    ] {
        assert_eq!(written(query, &cookie), expected, "{query} {cookie}");
    }
    assert!(
        updated(&format!("_pid={}", "a".repeat(129)), &headers(&known("p", later)), NOW).is_none()
    );
}

/// Values of a campaign link survive the round trip through the cookie, in any script.
#[test]
fn campaign_names_of_any_script_survive_the_cookie() {
    let longest = "\u{631}".repeat(64);
    let encoded_longest = utf8_percent_encode(&longest, NON_ALPHANUMERIC).to_string();
    for (sent, name) in [
        ("summer%20sale", "summer sale"),
        ("summer+sale", "summer sale"),
        ("%20eid%20", "eid"),
        ("%D8%B1%D9%85%D8%B6%D8%A7%D9%86", "\u{631}\u{645}\u{636}\u{627}\u{646}"),
        ("a%2Bb%2Cc", "a+b,c"),
        (&encoded_longest, &longest),
    ] {
        let query = format!("_pid={}&_scnl={}&_c={sent}", "p".repeat(128), "~".repeat(128));
        let first = updated(&query, &HeaderMap::new(), NOW).unwrap();
        assert_eq!(first.c, name);
        let cookie = format!("{COOKIE}={}", first.value());
        assert_eq!(updated(&query, &headers(&cookie), NOW), None, "{name}: not read back");
        assert_eq!(written("_pid=other", &cookie).unwrap()["c"], name);
    }
    for malformed in ["a%0Ab", "a%00", "%3Cb%3E", "a%22b", &"x".repeat(65), "%20"] {
        let campaign = updated(&format!("_c={malformed}"), &HeaderMap::new(), NOW).unwrap();
        assert_eq!(campaign.c, "", "{malformed}");
    }
}

#[test]
fn onelink_of_another_writer_is_kept_only_if_valid() {
    for (link, expected) in [
        ("https://sahm.onelink.me/x?pid=1", "https://sahm.onelink.me/x?pid=1"),
        ("javascript:alert(1)", ""),
        ("https://a\\u0022><script>", ""),
        ("https://a b", ""),
    ] {
        let cookie = encoded(&format!(r#"{{"onelink":"{link}","expired":{}}}"#, NOW + 1));
        assert_eq!(written("_c=1", &cookie).unwrap()["onelink"], expected, "{link}");
    }
}

#[test]
fn visitor_without_campaign_gets_an_empty_one() {
    let blank = |query, cookie: String| updated(query, &headers(&cookie), NOW).unwrap().is_empty();
    assert!(blank("", String::new()));
    assert!(blank("_pid=%3C&x=1", known("p1", NOW)));
    assert!(!blank("_c=1", String::new()));
    assert!(!blank("_pid=p2", known("p1", NOW + 10)));
}

proptest! {
    #[test]
    fn malformed_values_are_not_echoed(
        query in "((_pid|_scnl|_c)=([ -~&&[^#]]{0,12}|%[0-9a-f]{2}){0,3}&?){0,3}",
        cookie in "[ -~&&[^;]]{0,40}|%7B%22pid%22%3A[ -~&&[^;]]{0,20}%7D",
    ) {
        let cookie = format!("{COOKIE}={cookie}");
        if let Some(json) = written(&query, &cookie) {
            for (name, value) in json.as_object().unwrap() {
                match value {
                    Value::String(text) => {
                        let is_whole = match name.as_str() {
                            "onelink" => true,
                            "c" => campaign_name(text) == Some(text),
                            _ => super::value(text).is_some(),
                        };
                        prop_assert!(text.is_empty() || is_whole, "{}", json);
                    }
                    value => prop_assert_eq!(value.as_u64(), Some(u64::from(NOW + MAX_AGE_SECONDS))),
                }
            }
            prop_assert_eq!(json.as_object().unwrap().len(), 6);
        }
    }

    #[test]
    fn unchanged_campaign_is_not_written_again(query in "((_pid|_scnl|_c)=[a-z0-9%]{0,6}&?){0,3}") {
        let value = updated(&query, &HeaderMap::new(), NOW).unwrap().value();
        let again = updated("", &headers(&format!("{COOKIE}={value}")), NOW + 1);
        prop_assert_eq!(again, None);
    }
}
