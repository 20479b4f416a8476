//! Classifies the paths of files (docs/redirects.md).

/// A path that is a file's, whether it is there or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name<'a> {
    /// `/assets/{name}`
    Asset(&'a str),
    /// `/media/{name}`
    Media(&'a str),
    /// A file of the files dir that has a built-in form.
    Known(Known),
    /// `/robots.txt` and `/robots*.txt`
    Robots(&'a str),
    /// A search engine's verification file.
    Verification(&'a str),
    /// `/sitemap.xml` and its parts.
    Sitemap(&'a str),
    /// `/metrics`
    Metrics,
    /// `/mvc_moni/status`
    Status,
    /// Anything else of one segment: perhaps a file of the build.
    Root(&'a str),
}

/// A file of the files dir that has a built-in form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Apple's app association.
    AppleAppSiteAssociation,
    /// Android's asset links.
    AssetLinks,
    /// RFC 9116.
    SecurityTxt,
}

impl<'a> Name<'a> {
    /// Reads a raw path; none where no file can be.
    pub(super) fn of(path: &'a str) -> Option<Self> {
        if let Some(name) = path.strip_prefix("/assets/") {
            return Some(Self::Asset(name));
        }
        if let Some(name) = path.strip_prefix("/media/") {
            return Some(Self::Media(name));
        }
        match path {
            "/apple-app-site-association" | "/.well-known/apple-app-site-association" => {
                return Some(Self::Known(Known::AppleAppSiteAssociation));
            }
            "/.well-known/assetlinks.json" => return Some(Self::Known(Known::AssetLinks)),
            "/.well-known/security.txt" => return Some(Self::Known(Known::SecurityTxt)),
            "/metrics" => return Some(Self::Metrics),
            "/mvc_moni/status" => return Some(Self::Status),
            _ => {}
        }
        let name = path.strip_prefix('/').filter(|name| !name.is_empty() && !name.contains('/'))?;
        if is_between(name, "robots", ".txt") {
            return Some(Self::Robots(name));
        }
        if is_between(name, "sitemap", ".xml") {
            return Some(Self::Sitemap(name));
        }
        let engines = ["google", "yandex_", "baidu_verify_", "naver"];
        if name == "BingSiteAuth.xml"
            || engines.iter().any(|start| is_between(name, start, ".html"))
        {
            return Some(Self::Verification(name));
        }
        Some(Self::Root(name))
    }
}

/// `{start}*{end}`, where `*` is letters, digits, `_` and `-`.
fn is_between(name: &str, start: &str, end: &str) -> bool {
    let middle = name.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    middle.is_some_and(|middle| middle.bytes().all(plain))
}

/// `{16 hex digits}.{extension}`, as content names pictures, videos and captions.
pub(super) fn is_media(name: &str) -> bool {
    let Some((hash, extension)) = name.split_once('.') else { return false };
    let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    hash.len() == 16
        && hash.bytes().all(hex)
        && matches!(
            extension,
            "svg" | "png" | "jpg" | "webp" | "avif" | "gif" | "webm" | "mp4" | "vtt"
        )
}

/// A plain file name of letters, digits, `.`, `_`, `-`: what a build makes.
pub(super) fn is_asset(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    !name.is_empty() && name.len() <= 200 && !name.starts_with('.') && name.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let cases = [
            ("/assets/a-1.js", Some(Name::Asset("a-1.js"))),
            ("/assets/", Some(Name::Asset(""))),
            ("/assets/../x", Some(Name::Asset("../x"))),
            ("/media/x", Some(Name::Media("x"))),
            ("/apple-app-site-association", Some(Name::Known(Known::AppleAppSiteAssociation))),
            ("/.well-known/assetlinks.json", Some(Name::Known(Known::AssetLinks))),
            ("/assetlinks.json", Some(Name::Root("assetlinks.json"))),
            ("/robots.txt", Some(Name::Robots("robots.txt"))),
            ("/robots-ar_1.txt", Some(Name::Robots("robots-ar_1.txt"))),
            ("/robots%2e.txt", Some(Name::Root("robots%2e.txt"))),
            ("/sitemap.xml", Some(Name::Sitemap("sitemap.xml"))),
            ("/sitemap-news-1.xml", Some(Name::Sitemap("sitemap-news-1.xml"))),
            ("/google1a_B-2.html", Some(Name::Verification("google1a_B-2.html"))),
            ("/google1.2.html", Some(Name::Root("google1.2.html"))),
            ("/yandex_1.html", Some(Name::Verification("yandex_1.html"))),
            ("/yandex1.html", Some(Name::Root("yandex1.html"))),
            ("/baidu_verify_codeva-1.html", Some(Name::Verification("baidu_verify_codeva-1.html"))),
            ("/naverabc.html", Some(Name::Verification("naverabc.html"))),
            ("/BingSiteAuth.xml", Some(Name::Verification("BingSiteAuth.xml"))),
            ("/bingsiteauth.xml", Some(Name::Root("bingsiteauth.xml"))),
            ("/en-us/google1.html", None),
            ("/metrics", Some(Name::Metrics)),
            ("/mvc_moni/status", Some(Name::Status)),
            ("/favicon.ico", Some(Name::Root("favicon.ico"))),
            ("/", None),
            ("/news/us", None),
        ];
        for (path, expected) in cases {
            assert_eq!(Name::of(path), expected, "{path}");
        }
    }

    #[test]
    fn forms() {
        assert!(is_media("0123456789abcdef.svg") && is_media("0123456789abcdef.webm"));
        for bad in ["0123456789abcde.svg", "0123456789ABCDEF.svg", "0123456789abcdef.html", "x", ""]
        {
            assert!(!is_media(bad), "{bad}");
        }
        assert!(is_asset("index-B1_x.js"));
        for bad in ["", ".env", "../x", "a/b", "a%2f", "a\\b"] {
            assert!(!is_asset(bad), "{bad}");
        }
    }
}
