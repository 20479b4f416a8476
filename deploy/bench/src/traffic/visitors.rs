//! Clients: browsers by platform and theme, crawlers, and their addresses.

use rand::{RngExt, distr::weighted::WeightedIndex, rngs::StdRng};

/// The headers of a kind of visitor, and its share in percent.
pub(crate) struct Look {
    pub(crate) headers: &'static [(&'static str, &'static str)],
    share: u32,
}

const IPHONE: (&str, &str) = (
    "user-agent",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
);
const ANDROID: (&str, &str) = (
    "user-agent",
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
);
const APP: (&str, &str) = (
    "user-agent",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 SahmApp/3.2",
);
const APP_DARK: (&str, &str) = (
    "user-agent",
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile SahmApp/3.2 Theme/dark",
);
const ENCODINGS: (&str, &str) = ("accept-encoding", "gzip, deflate, br, zstd");
const DARK: (&str, &str) = ("sec-ch-prefers-color-scheme", "dark");
const LIGHT: (&str, &str) = ("sec-ch-prefers-color-scheme", "light");

/// All variants of a page in the gateway's cache; each entry adds to the headers of a desktop
/// browser.
pub(crate) const LOOKS: [Look; 8] = [
    Look { headers: &[ENCODINGS, LIGHT], share: 25 },
    Look { headers: &[ENCODINGS, DARK], share: 12 },
    Look { headers: &[ENCODINGS], share: 8 },
    Look { headers: &[ENCODINGS, IPHONE], share: 22 },
    Look { headers: &[ENCODINGS, ANDROID, LIGHT], share: 14 },
    Look { headers: &[ENCODINGS, ANDROID, DARK], share: 9 },
    Look { headers: &[ENCODINGS, APP], share: 6 },
    Look { headers: &[ENCODINGS, APP_DARK], share: 4 },
];

/// Crawlers accept gzip and have no cookies.
pub(crate) const CRAWLERS: [&[(&str, &str)]; 3] = [
    &[
        ("user-agent", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"),
        ("accept-encoding", "gzip, deflate"),
    ],
    &[
        ("user-agent", "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"),
        ("accept-encoding", "gzip"),
    ],
    &[
        (
            "user-agent",
            "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        ),
        ("accept-encoding", "gzip, deflate, br"),
    ],
];

/// Number of client addresses; each has its own rate limits.
const ADDRESSES: u32 = 20_000;

/// The index of a random look in [`LOOKS`], by its share.
pub(crate) fn look(random: &mut StdRng) -> usize {
    let shares = WeightedIndex::new(LOOKS.iter().map(|look| look.share));
    shares.map_or(0, |shares| random.sample(shares))
}

/// An address of the network that RFC 2544 reserves for benchmarks.
pub(crate) fn address(random: &mut StdRng) -> String {
    let number = random.random_range(0..ADDRESSES);
    format!("198.18.{}.{}", number >> 8, number & 0xff)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn looks_are_drawn_by_their_shares() {
        let mut random = StdRng::seed_from_u64(1);
        let mut seen = [0_u32; LOOKS.len()];
        for _ in 0..100_000 {
            seen[look(&mut random)] += 1;
        }
        for (look, seen) in LOOKS.iter().zip(seen) {
            assert!(seen.abs_diff(look.share * 1_000) < 500, "{seen} of {}", look.share);
        }
    }
}
