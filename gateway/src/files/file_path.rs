//! Classifies paths of files (docs/redirects.md).

pub(super) const APPLE_APP_SITE_ASSOCIATION: &str = "apple-app-site-association";
pub(super) const ASSET_LINKS: &str = "assetlinks.json";
pub(super) const SECURITY_TXT: &str = "security.txt";

/// The path of a file, which need not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilePath<'a> {
    /// `/assets/{name}`
    Asset(&'a str),
    /// `/media/{name}`
    Media(&'a str),
    /// A file of `SAHM_FILES_DIR` with a built-in default.
    WellKnown(&'static str),
    /// `/robots.txt` and `/robots*.txt`
    Robots(&'a str),
    /// A search engine's verification file.
    Verification(&'a str),
    Sitemap(&'a str),
    Metrics,
    Status,
    /// Any other path of one segment: a file at the root of the build, or a page.
    Root(&'a str),
}

impl<'a> FilePath<'a> {
    /// Classifies a raw path; `None` for the path of a page.
    pub(super) fn of(path: &'a str) -> Option<Self> {
        if let Some(name) = path.strip_prefix("/assets/") {
            return Some(Self::Asset(name));
        }
        if let Some(name) = path.strip_prefix("/media/") {
            return Some(Self::Media(name));
        }
        match path {
            "/apple-app-site-association" | "/.well-known/apple-app-site-association" => {
                return Some(Self::WellKnown(APPLE_APP_SITE_ASSOCIATION));
            }
            "/.well-known/assetlinks.json" => return Some(Self::WellKnown(ASSET_LINKS)),
            "/.well-known/security.txt" => return Some(Self::WellKnown(SECURITY_TXT)),
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

/// Whether a name is `{start}*{end}`, where `*` is letters, digits, `_` and `-`.
fn is_between(name: &str, start: &str, end: &str) -> bool {
    let middle = name.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    middle.is_some_and(|middle| middle.bytes().all(plain))
}

/// Whether a name has the form of a media file: `{16 hex digits}.{extension}`.
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

/// Whether a name has the form of a build file: letters, digits, `.`, `_`, `-`.
pub(super) fn is_asset(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    !name.is_empty() && name.len() <= 200 && !name.starts_with('.') && name.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_classified() {
        for (path, expected) in [
            ("/assets/a-1.js", Some(FilePath::Asset("a-1.js"))),
            ("/assets/", Some(FilePath::Asset(""))),
            ("/assets/../x", Some(FilePath::Asset("../x"))),
            ("/media/x", Some(FilePath::Media("x"))),
            (
                "/apple-app-site-association",
                Some(FilePath::WellKnown("apple-app-site-association")),
            ),
            ("/.well-known/assetlinks.json", Some(FilePath::WellKnown("assetlinks.json"))),
            ("/assetlinks.json", Some(FilePath::Root("assetlinks.json"))),
            ("/robots.txt", Some(FilePath::Robots("robots.txt"))),
            ("/robots-ar_1.txt", Some(FilePath::Robots("robots-ar_1.txt"))),
            ("/robots%2e.txt", Some(FilePath::Root("robots%2e.txt"))),
            ("/sitemap.xml", Some(FilePath::Sitemap("sitemap.xml"))),
            ("/sitemap-news-1.xml", Some(FilePath::Sitemap("sitemap-news-1.xml"))),
            ("/google1a_B-2.html", Some(FilePath::Verification("google1a_B-2.html"))),
            ("/google1.2.html", Some(FilePath::Root("google1.2.html"))),
            ("/yandex_1.html", Some(FilePath::Verification("yandex_1.html"))),
            ("/yandex1.html", Some(FilePath::Root("yandex1.html"))),
            (
                "/baidu_verify_codeva-1.html",
                Some(FilePath::Verification("baidu_verify_codeva-1.html")),
            ),
            ("/naverabc.html", Some(FilePath::Verification("naverabc.html"))),
            ("/BingSiteAuth.xml", Some(FilePath::Verification("BingSiteAuth.xml"))),
            ("/bingsiteauth.xml", Some(FilePath::Root("bingsiteauth.xml"))),
            ("/en-us/google1.html", None),
            ("/metrics", Some(FilePath::Metrics)),
            ("/mvc_moni/status", Some(FilePath::Status)),
            ("/favicon.ico", Some(FilePath::Root("favicon.ico"))),
            ("/", None),
            ("/news/us", None),
        ] {
            assert_eq!(FilePath::of(path), expected, "{path}");
        }
    }

    #[test]
    fn media_and_asset_names_are_validated() {
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
