//! Headers, redirects, logs and call metadata that are made by what was sent.

use reqwest::Url;

use super::{Attack, first, naive::SECRET, wire, wire::Reply};
use crate::kit::agent;

/// Line ends as attackers write them, and what follows.
const LINE_ENDS: [&str; 9] = [
    "%0d%0ax-canary:%201",
    "%0ax-canary:%201",
    "%0dx-canary:%201",
    "%0d%0a%0d%0a<html>x-canary:",
    "%E5%98%8A%E5%98%8Dx-canary:%201",
    "%250d%250ax-canary:%201",
    "%0d%0aset-cookie:%20canary=1",
    "%0d%0alocation:%20https://evil.example/",
    "%C4%8D%C4%8Ax-canary:%201",
];

/// Where they are put: `@`.
const PLACES: [&str; 6] = [
    "/ar-SA/@",
    "/en-us/news?lang=ar&x=@",
    "/activity/seed?activityId=@",
    "/ar-sa/news?lang=en&@",
    "/fr-fr/@",
    "/login?target=@&lang=ar",
];

/// Addresses that lead away from the site where a redirect takes them in.
const AWAY: [&str; 32] = [
    "//evil.example",
    "//evil.example/",
    "//evil.example/%2e%2e",
    "///evil.example",
    "////evil.example",
    "/%2fevil.example",
    "/%2f%2fevil.example",
    "/\\evil.example",
    "/\\/evil.example",
    "/%5cevil.example",
    "/%5c%5cevil.example",
    "/%09/evil.example",
    "/%0a/evil.example",
    "/%0d/evil.example",
    "/.evil.example",
    "/@evil.example",
    "/x@evil.example",
    "/%40evil.example",
    "/:evil.example",
    "/%E2%80%AEelpmaxe.live",
    "/%E3%80%82evil.example",
    "/%EF%BC%8Fevil.example",
    "/%E2%81%84evil.example",
    "/..//evil.example",
    "/../../evil.example",
    "/%2e%2e//evil.example",
    "/;//evil.example",
    "/?next=//evil.example",
    "/?lang=ar&next=//evil.example",
    "/http:evil.example",
    "/https:/evil.example",
    "/https://evil.example",
];

/// What makes the site redirect, before an address of [`AWAY`].
const REDIRECTED: [&str; 3] = ["", "/ar-SA", "/fr-fr"];

fn no_line_of_theirs(conversations: &[Vec<Reply>]) -> Result<(), String> {
    let reply = first(conversations, 0)?;
    let forged = !reply.all("x-canary").is_empty()
        || reply.all("set-cookie").iter().any(|cookie| cookie.contains("canary"))
        || reply.all("location").iter().any(|to| to.starts_with("https://evil.example"))
        || conversations[0].len() > 1
        || reply.body.starts_with("<html>x-canary")
        || reply.head.contains('\u{240a}')
        || reply.all("x-asked").iter().any(|asked| asked.contains("canary"));
    if forged { Err(format!("a header was made: {}", reply.head)) } else { Ok(()) }
}

/// A redirect stays on this site, for every way in which a browser reads it.
fn stays(conversations: &[Vec<Reply>]) -> Result<(), String> {
    let reply = first(conversations, 0)?;
    for location in reply.all("location") {
        let base = Url::parse("https://www.sahm.test/").map_err(|error| error.to_string())?;
        let there = base.join(location).map_err(|error| error.to_string())?;
        let plain = location.starts_with('/')
            && !location.starts_with("//")
            && !location.contains(['\\', '\t', '\r', '\n', '\u{202e}']);
        if there.origin() != base.origin() || !plain {
            return Err(format!("leads to {location}"));
        }
        // Decoded once more, as proxies do.
        let again = location.replace("%2f", "/").replace("%2F", "/").replace("%5c", "\\");
        if again.starts_with("//") || again.starts_with("/\\") {
            return Err(format!("leads to {location} where it is decoded"));
        }
    }
    if reply.all("x-asked").iter().any(|asked| !asked.is_empty()) {
        return Err("the address stands in a header".to_owned());
    }
    Ok(())
}

fn nobody(conversations: &[Vec<Reply>]) -> Result<(), String> {
    let reply = first(conversations, 0)?;
    let member = reply.holds(SECRET) || reply.body.contains("\"logined\":true");
    if member || (reply.status == 200 && reply.body.contains("\"action\"")) {
        return Err("the sender counts as a member".to_owned());
    }
    if reply.all("set-cookie").iter().any(|cookie| cookie.contains("fixed")) {
        return Err("the session that was sent is set".to_owned());
    }
    Ok(())
}

/// A user agent that no other attack has, so that the naive cache does not mix them up.
fn own_agent(at: usize) -> String {
    format!("{} {at}", agent::PC)
}

/// Lines of a log that begin with what an attacker sent, or hold what a terminal obeys.
pub(super) fn forged_lines(log: &str) -> usize {
    let forged = |line: &&str| line.starts_with("x-canary") || line.contains('\u{1b}');
    log.lines().filter(forged).count()
}

/// Requests that write into logs.
pub(super) fn log_forgers() -> Vec<Vec<u8>> {
    let agents = ["a%0d%0ax-canary: forged", "\u{1b}[2Jx-canary", "\",\"level\":\"x-canary"];
    let headers = agents.iter().map(|value| wire::get("/nowhere", &[("user-agent", *value)]));
    let paths = ["/%0ax-canary:%201", "/%1b[2Jx-canary", "/x%0d%0ax-canary", "/api/%0ax-canary"];
    headers.chain(paths.iter().map(|path| wire::get(path, &[]))).collect()
}

pub(super) fn attacks(cookie: &str) -> Vec<Attack> {
    let mut attacks = Vec::new();
    for place in PLACES {
        for end in LINE_ENDS {
            let target = place.replace('@', end);
            let name = format!("splitting {target}");
            let agent = own_agent(attacks.len());
            let sends = vec![wire::get(&target, &[("user-agent", &agent)])];
            attacks.push(Attack::new(name, sends, no_line_of_theirs));
        }
    }
    for begin in REDIRECTED {
        for away in AWAY {
            let target = format!("{begin}{away}");
            let agent = own_agent(attacks.len());
            let sends = vec![wire::get(&target, &[("user-agent", &agent)])];
            attacks.push(Attack::new(format!("redirect {target}"), sends, stays));
        }
    }
    for host in ["evil.example", "evil.example:80", "www.sahm.test@evil.example", "evil.example/"] {
        let sends = vec![wire::get("/ar-SA//evil", &[("host", host)])];
        attacks.push(Attack::new(format!("host {host}"), sends, stays));
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
    for name in [
        "sahm-member",
        "sahm-session",
        "sahm-caller-address",
        "sahm-visitor",
        "sahm-user-agent",
        "sahm-caller",
        "grpc-metadata-sahm-member",
        "x-member",
        "x-user-id",
        "authorization",
    ] {
        // The naive server believes this one of them.
        let headers = [("content-type", "application/json"), (name, "7"), ("sahm-member", "7")];
        let progress = "/api/openaccount/account/apply-progress";
        let sends = vec![wire::request("POST", progress, &headers, "{}")];
        attacks.push(Attack::new(format!("metadata {name}"), sends, nobody));
    }
    for coding in
        ["gzip", "br", "deflate", "zstd", "gzip, gzip", "x-gzip", "compress", "identity, gzip"]
    {
        let headers = [("content-type", "application/json"), ("content-encoding", coding)];
        let bomb = "\u{1f}\u{8b}".repeat(2_000);
        let sends = vec![wire::request("POST", "/api/config/rest/common", &headers, &bomb)];
        attacks.push(Attack::new(format!("bomb {coding}"), sends, |conversations| {
            let reply = first(conversations, 0)?;
            match reply.status {
                400 | 413 | 415 => Ok(()),
                status => Err(format!("{status}: it was unpacked or taken as it is")),
            }
        }));
    }
    attacks
}
