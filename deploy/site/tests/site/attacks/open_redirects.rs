//! Open redirects: URLs whose redirect leads to another site.

use reqwest::Url;

use super::{
    Attack, first,
    vulnerable_server::Location::{self, *},
    wire,
    wire::RawResponse,
};
use crate::kit::{ORIGIN, agent};

/// Paths, and the fault of the vulnerable server that redirects them to another site.
const AWAY: [(Location, &str); 72] = [
    (AsSent, "//evil.example"),
    (AsSent, "//evil.example/"),
    (AsSent, "//evil.example/%2e%2e"),
    (AsSent, "///evil.example"),
    (AsSent, "////evil.example"),
    (AsSent, "/\\evil.example"),
    (AsSent, "/\\/evil.example"),
    (AsSent, "//evil%2eexample"),
    (AsSent, "//evil%E3%80%82example"),
    (AsSent, "//evil.example:443"),
    (AsSent, "//user:word@evil.example"),
    (AsSent, "//www.sahm.test@evil.example"),
    (AsSent, "//www.sahm.test:443@evil.example"),
    (AsSent, "//evil.example\\@www.sahm.test"),
    (AsSent, "//evil.example?.www.sahm.test"),
    (AsSent, "//3232235777"),
    (Decoded, "/%2fevil.example"),
    (Decoded, "/%2Fevil.example"),
    (Decoded, "/%2f%2fevil.example"),
    (Decoded, "/%5cevil.example"),
    (Decoded, "/%5c%5cevil.example"),
    (Decoded, "/%2f%5cevil.example"),
    (Decoded, "/%09/evil.example"),
    (Decoded, "/%2fwww.sahm.test%40evil.example"),
    (Decoded, "/%E2%80%AEelpmaxe.live"),
    (Decoded, "/%E2%80%ADelpmaxe.live"),
    (Decoded, "/%E2%81%A7elpmaxe.live"),
    (DecodedTwice, "/%252fevil.example"),
    (DecodedTwice, "/%255cevil.example"),
    (DecodedTwice, "/%25%32%66evil.example"),
    (DecodedTwice, "/%2509/evil.example"),
    (Truncated, "/%C4%AFevil.example"),
    (Truncated, "/%E4%BC%AFevil.example"),
    (Truncated, "/%C5%9Cevil.example"),
    (WithoutControls, "/%00/evil.example"),
    (WithoutControls, "/%0a/evil.example"),
    (WithoutControls, "/%0d/evil.example"),
    (WithoutControls, "/%0d%0a/evil.example"),
    (WithoutControls, "/%C2%85/evil.example"),
    (Folded, "/%EF%BC%8Fevil.example"),
    (Folded, "/%E2%81%84evil.example"),
    (Folded, "/%E2%88%95evil.example"),
    (Folded, "/%EF%BC%BCevil.example"),
    (Folded, "/%E2%88%96evil.example"),
    (WithoutDots, "/..//evil.example"),
    (WithoutDots, "/../../evil.example"),
    (WithoutDots, "/%2e%2e//evil.example"),
    (WithoutDots, "/.//evil.example"),
    (WithoutParameters, "/;//evil.example"),
    (WithoutParameters, "/;x=1//evil.example"),
    (WithoutParameters, "/;/evil.example"),
    (Joined, "/.evil.example"),
    (Joined, "/x.evil.example"),
    (Joined, "/-evil.example"),
    (Joined, "/@evil.example"),
    (Joined, "/x@evil.example"),
    (Joined, "/%40evil.example"),
    (Joined, "/:443@evil.example"),
    (Joined, "/:word@evil.example"),
    (Joined, "/%E3%80%82evil.example"),
    (Unrooted, "/http:evil.example"),
    (Unrooted, "/https:/evil.example"),
    (Unrooted, "/https://evil.example"),
    (Unrooted, "/https:%2f%2fevil.example"),
    (Unrooted, "/javascript:alert(1)"),
    (Unrooted, "/data:text%2fhtml,x"),
    (Followed, "/?next=//evil.example"),
    (Followed, "/?url=%2f%2fevil.example"),
    (Followed, "/?next=/%5cevil.example"),
    (Followed, "/?redirect=/%09/evil.example"),
    (Followed, "/login?target=https://evil.example"),
    (Followed, "/activity/seed?activityId=1&target=//www.sahm.test@evil.example"),
];

/// Prefixes and queries that make the site redirect a path of [`AWAY`].
const REDIRECTED: [(&str, &str); 3] = [("", "lang=ar"), ("/ar-SA", ""), ("/fr-fr", "")];

/// Characters that change how a URL is parsed.
fn turns(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Asserts that browsers resolve a location to this site, however they parse it.
fn stays(location: &str) -> Result<(), String> {
    // Also decoded once more, as proxies do.
    let again = location.replace("%2f", "/").replace("%2F", "/");
    let again = again.replace("%5c", "\\").replace("%5C", "\\");
    for origin in [ORIGIN, &ORIGIN.replace("https:", "http:")] {
        let base = Url::parse(origin).map_err(|error| error.to_string())?;
        for read in [location, &again] {
            match base.join(read) {
                Ok(there) if there.origin() == base.origin() => {}
                Ok(there) => return Err(format!("{location} leads to {there}")),
                Err(error) => return Err(format!("{location} is no address: {error}")),
            }
        }
    }
    if location.contains(turns) {
        return Err(format!("{location:?} reads as another address"));
    }
    let is_path = location.starts_with('/') && !location.contains(['\\', '\t', '\r', '\n']);
    if is_path { Ok(()) } else { Err(format!("{location} is no path")) }
}

fn all_stay(conversations: &[Vec<RawResponse>]) -> Result<(), String> {
    first(conversations, 0)?.all("location").into_iter().try_for_each(stays)
}

pub(super) fn attacks() -> Vec<Attack> {
    let mut attacks = Vec::new();
    for (locale, query) in REDIRECTED {
        for (fault, away) in AWAY {
            let sign = if away.contains('?') { "&" } else { "?" };
            let sign = if query.is_empty() { "" } else { sign };
            let target = format!("{locale}{away}{sign}{query}");
            let sends = vec![wire::get(&target, &[("user-agent", agent::PC)])];
            let attack = Attack::new(format!("redirect {target}"), sends, all_stay);
            attacks.push(attack.where_sent(fault));
        }
    }
    for host in ["evil.example", "evil.example:80", "www.sahm.test@evil.example", "evil.example/"] {
        let sends = vec![wire::get("/ar-SA/news", &[("host", host)])];
        let attack = Attack::new(format!("redirect on {host}"), sends, all_stay);
        attacks.push(attack.where_sent(OnHost));
    }
    attacks
}

#[test]
fn off_site_locations_are_detected() {
    for (location, why) in [
        ("/", None),
        ("/ar-sa/news?x=//evil.example", None),
        ("/ar-sa/@evil.example", None),
        ("/x%252fevil.example", None),
        ("//evil.example", Some("leads to https://evil.example/")),
        ("/\\evil.example", Some("leads to https://evil.example/")),
        ("/\t/evil.example", Some("leads to https://evil.example/")),
        ("/%2fevil.example", Some("leads to https://evil.example/")),
        ("/%5Cevil.example", Some("leads to https://evil.example/")),
        ("http:evil.example", Some("leads to http://evil.example/")),
        // The site without TLS.
        ("https:/evil.example", Some("leads to https://evil.example/")),
        ("https://www.sahm.test.evil.example", Some("leads to ")),
        ("javascript:alert(1)", Some("leads to javascript:alert(1)")),
        ("//[evil", Some("is no address")),
        ("/\u{202e}elpmaxe.live", Some("reads as another address")),
        ("news", Some("is no path")),
        ("", Some("is no path")),
        ("/x\\y", Some("is no path")),
    ] {
        let outcome = stays(location);
        assert_eq!(outcome.is_err(), why.is_some(), "{location}: {outcome:?}");
        if let (Err(error), Some(why)) = (&outcome, why) {
            assert!(error.contains(why), "{location}: {error}");
        }
    }
}
