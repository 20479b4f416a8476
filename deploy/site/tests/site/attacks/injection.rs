//! Response splitting, and forged identity headers.

use super::{
    Attack, first,
    vulnerable_server::{BELIEVED, Location, SECRET},
    wire,
    wire::RawResponse,
};
use crate::kit::agent;

/// Encoded line ends with a header, and the fault of the vulnerable server that decodes them.
const LINE_ENDS: [(Location, &str); 10] = [
    (Location::Decoded, "%0d%0ax-canary:%201"),
    (Location::Decoded, "%0ax-canary:%201"),
    (Location::Decoded, "%0dx-canary:%201"),
    (Location::Decoded, "%0d%0a%0d%0a<html>x-canary:"),
    (Location::Decoded, "%0d%0acontent-length:%200%0d%0a%0d%0aHTTP/1.1%20200%20OK%0d%0ax:%20y"),
    (Location::Decoded, "%0d%0aset-cookie:%20canary=1"),
    (Location::Decoded, "%0d%0alocation:%20https://evil.example/"),
    (Location::DecodedTwice, "%250d%250ax-canary:%201"),
    (Location::Truncated, "%E5%98%8A%E5%98%8Dx-canary:%201"),
    (Location::Truncated, "%C4%8D%C4%8Ax-canary:%201"),
];

/// Targets with the position of the line end (`@`).
const PLACES: [&str; 6] = [
    "/ar-SA/@",
    "/en-us/news?lang=ar&x=@",
    "/activity/seed?activityId=@",
    "/ar-sa/news?lang=en&@",
    "/fr-fr/@",
    "/login?target=@&lang=ar",
];

fn no_line_of_theirs(conversations: &[Vec<RawResponse>]) -> Result<(), String> {
    let response = first(conversations, 0)?;
    let forged = !response.all("x-canary").is_empty()
        || response.all("set-cookie").iter().any(|cookie| cookie.contains("canary"))
        || response.all("location").iter().any(|to| to.starts_with("https://evil.example"))
        || conversations[0].len() > 1
        || response.body.starts_with("<html>x-canary");
    if forged { Err(format!("a header was injected: {}", response.head)) } else { Ok(()) }
}

fn nobody(conversations: &[Vec<RawResponse>]) -> Result<(), String> {
    let response = first(conversations, 0)?;
    let member = response.contains(SECRET) || response.body.contains("\"logined\":true");
    if member || (response.status == 200 && response.body.contains("\"action\"")) {
        return Err("the sender counts as a member".to_owned());
    }
    if response.all("set-cookie").iter().any(|cookie| cookie.contains("fixed")) {
        return Err("the session that was sent is set".to_owned());
    }
    Ok(())
}

pub(super) fn attacks(cookie: &str) -> Vec<Attack> {
    let mut attacks = Vec::new();
    for place in PLACES {
        for (fault, end) in LINE_ENDS {
            let target = place.replace('@', end);
            let sends = vec![wire::get(&target, &[("user-agent", agent::PC)])];
            let attack = Attack::new(format!("splitting {target}"), sends, no_line_of_theirs);
            attacks.push(attack.where_sent(fault));
        }
    }
    let check = "/api/passport/member/check";
    let token = cookie.trim_start_matches("sahm_session=");
    let (value, mac) = token.split_once('.').unwrap_or((token, ""));
    let cut = &mac[..mac.len().saturating_sub(1)];
    for (what, session) in [
        ("none", String::new()),
        ("a word", "fixed".to_owned()),
        ("a value without a MAC", value.to_owned()),
        ("a MAC cut short", format!("{value}.{cut}")),
        ("a MAC of another value", format!("fixed{value}.{mac}")),
        ("the MAC twice", format!("{value}.{mac}.{mac}")),
        ("turned round", format!("{mac}.{value}")),
        ("a null behind it", format!("{value}%00.{mac}")),
        ("capitals", format!("{}.{}", value.to_uppercase(), mac.to_uppercase())),
        ("json", "{\"member\":1}".to_owned()),
        ("much", "fixed".repeat(1_000)),
    ] {
        let session = format!("sahm_session={session}");
        let headers = [("cookie", session.as_str()), ("content-type", "application/json")];
        let sends = vec![wire::request("POST", check, &headers, "{}")];
        attacks.push(Attack::new(format!("session: {what}"), sends, nobody));
    }
    for name in BELIEVED {
        let headers = [("content-type", "application/json"), (name, "7")];
        let progress = "/api/openaccount/account/apply-progress";
        let sends = vec![wire::request("POST", progress, &headers, "{}")];
        attacks.push(Attack::new(format!("metadata {name}"), sends, nobody));
    }
    attacks
}
