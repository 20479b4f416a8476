//! Every page of the route table, for every client profile (docs/sessions.md).

use std::collections::BTreeSet;

use sahm_gateway::{
    routes::{PageId, Route, RouteTable},
    visitor::Locale,
};
use serde_json::Value;

use crate::kit::{Client, Html, ORIGIN, Response, Site, agent};

const HINT: &str = "sec-ch-prefers-color-scheme";

/// A client (docs/sessions.md), and the expected platform and theme.
#[derive(Clone, Copy, Debug)]
struct Visitor {
    agent: &'static str,
    hint: Option<&'static str>,
    platform: &'static str,
    theme: &'static str,
}

const VISITORS: [Visitor; 9] = [
    Visitor { agent: agent::PC, hint: None, platform: "pc", theme: "auto" },
    Visitor { agent: agent::PC, hint: Some("dark"), platform: "pc", theme: "dark" },
    Visitor { agent: agent::PC, hint: Some("light"), platform: "pc", theme: "light" },
    Visitor { agent: agent::MOBILE, hint: None, platform: "mobile", theme: "auto" },
    Visitor { agent: agent::MOBILE, hint: Some("dark"), platform: "mobile", theme: "dark" },
    Visitor { agent: agent::MOBILE, hint: Some("light"), platform: "mobile", theme: "light" },
    Visitor { agent: agent::APP, hint: None, platform: "app", theme: "light" },
    Visitor { agent: agent::APP, hint: Some("dark"), platform: "app", theme: "light" },
    Visitor { agent: agent::DARK_APP, hint: None, platform: "app", theme: "dark" },
];

impl Visitor {
    async fn get(&self, client: &Client, path: &str) -> Response {
        let hint = self.hint.map(|hint| (HINT, hint));
        let headers: Vec<_> = [("user-agent", self.agent)].into_iter().chain(hint).collect();
        client.get_with(path, &headers).await
    }
}

/// A path at which the page has content.
fn sample(page: PageId, pattern: &str) -> String {
    let sample = match page {
        PageId::Home => "",
        PageId::NewsContent => "/news/content/1001",
        PageId::NewsNotice => "/news/-notice/9001",
        PageId::EducationCategory => "/education/category/2",
        PageId::EducationCourse => "/education/course/first-steps-in-the-market",
        PageId::EducationArticle => "/education/article/what-a-share-is",
        PageId::CompanyNewsDetail => "/company-news/detail/capital-raised",
        PageId::SupportChannel => "/support/channel/getting-started",
        PageId::SupportDetail => "/support/detail/what-sahm-offers",
        PageId::SupportDoc => "/support/doc/what-sahm-offers",
        PageId::Terms => "/terms-and-conditions/disclaimer",
        PageId::About => "/about",
        PageId::Preview => "/preview/no-drafts",
        _ => {
            assert!(!pattern.contains('{'), "{pattern}: which one shall be tried?");
            pattern
        }
    };
    sample.to_owned()
}

/// A path of every page, and another without its parameter; each has its own cache key.
pub(crate) fn samples() -> Vec<String> {
    let table = RouteTable::built_in().unwrap();
    let mut samples = vec!["/about/disclaimer".to_owned()];
    // Uncacheable pages have their own tests.
    for route in table.iter().filter(|route| route.cacheable) {
        samples.push(sample(route.page, &route.pattern));
        if let Some((without, _)) = route.pattern.split_once("/{") {
            samples.push(without.to_owned());
        }
    }
    samples.sort_unstable();
    samples.dedup();
    samples
}

/// The table of docs/pages.md.
fn chrome(layout: &str, platform: &str) -> BTreeSet<&'static str> {
    const HEADER: &str = "header";
    const FOOTER: &str = "footer";
    const FLOATING: [&str; 2] = ["customer-service", "back-to-top"];
    let shown: &[&[&'static str]] = match (layout, platform) {
        ("app", "app") => &[&["app-footer"]],
        (_, "app") | ("doc", _) => &[],
        ("home", _) => &[&[HEADER, FOOTER]],
        ("default" | "app" | "college" | "support", _) => &[&[HEADER, FOOTER], &FLOATING],
        ("custom", _) => &[&[HEADER], &FLOATING],
        _ => panic!("{layout} is no layout"),
    };
    shown.iter().copied().flatten().copied().collect()
}

fn other(locale: Locale) -> Locale {
    if locale == Locale::EnUs { Locale::ArSa } else { Locale::EnUs }
}

/// Asserts the attributes of `<html>`.
fn assert_root(html: &Html<'_>, locale: Locale, visitor: Visitor, page: &str, layout: &str) {
    let root = html.one("html");
    let (lang, dir) = match locale {
        Locale::EnUs => ("en-US", "ltr"),
        Locale::ArSa => ("ar-SA", "rtl"),
    };
    for (attribute, expected) in [
        ("lang", lang),
        ("dir", dir),
        ("data-platform", visitor.platform),
        ("data-theme", visitor.theme),
        ("data-page", page),
        ("data-layout", layout),
    ] {
        assert_eq!(root.get(attribute), Some(expected), "{attribute}");
    }
}

/// Asserts what holds for every page, found or not.
pub(crate) fn assert_sound(html: &Html<'_>) {
    html.one("h1");
    html.one("main");
    // SVG images have titles, too.
    let head = html.tags.iter().take_while(|tag| tag.name != "body");
    let titles = head.filter(|tag| tag.name == "title").map(|title| title.text());
    let titles = titles.collect::<Vec<_>>();
    assert!(matches!(&*titles, [title] if !title.trim().is_empty()), "{titles:?}");
    let description = html.values("meta", "content", ("name", "description"));
    assert!(matches!(*description, [text] if !text.is_empty()), "{description:?}");
    for word in ["undefined", "[object Object]", "NaN"] {
        assert!(!html.text.contains(word), "{word} in {}", html.text);
    }
    for script in html.all("script").filter(|script| script.get("src").is_none()) {
        let data = ["application/json", "application/ld+json"].map(Some);
        assert!(data.contains(&script.get("type")), "an inline script runs: {script:?}");
    }
    for tag in &html.tags {
        let handler = tag.attributes.iter().find(|(name, _)| name.starts_with("on"));
        assert_eq!(handler, None, "{tag:?}");
    }
    let ids = html.tags.iter().filter_map(|tag| tag.get("id"));
    let mut known = BTreeSet::new();
    for id in ids {
        assert!(known.insert(id), "two of #{id}");
    }
}

/// Asserts that canonical link, alternates and Open Graph name the page's URLs in both locales.
fn assert_addresses(html: &Html<'_>, locale: Locale, path: &str) {
    let address = |locale: Locale| format!("{ORIGIN}{}{path}", locale.prefix());
    let own = address(locale);
    assert_eq!(html.values("link", "href", ("rel", "canonical")), [&*own]);
    assert_eq!(html.values("meta", "content", ("property", "og:url")), [&*own]);
    let (english, arabic) = (address(Locale::EnUs), address(Locale::ArSa));
    for (hreflang, expected) in [("en-us", &english), ("ar-sa", &arabic), ("x-default", &english)] {
        assert_eq!(html.values("link", "href", ("hreflang", hreflang)), [&**expected]);
    }
    let hidden = ["/login", "/app-deep-link/", "/preview/"];
    let hidden = hidden.iter().any(|start| path.starts_with(start));
    let robots = html.values("meta", "content", ("name", "robots"));
    assert_eq!(robots, if hidden { vec!["noindex"] } else { vec![] }, "{path}");
}

fn assert_without_canonical(html: &Html<'_>) {
    assert!(html.values("link", "href", ("rel", "canonical")).is_empty());
    assert!(html.values("link", "href", ("rel", "alternate")).is_empty());
    assert_eq!(html.values("meta", "content", ("name", "robots")), ["noindex"]);
}

/// Asserts that internal links have the page's locale prefix, except the language switch.
fn assert_links(html: &Html<'_>, locale: Locale) {
    let has_prefix = |href: &str, locale: Locale| {
        let rest = href.strip_prefix(locale.prefix());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
    };
    let pages = html.all("a").filter(|link| link.get("download").is_none());
    for link in pages {
        let href = link.get("href").unwrap_or_else(|| panic!("no address: {link:?}"));
        if !href.starts_with('/') {
            let known = ["#", "https://", "mailto:", "tel:", "sahm:"];
            assert!(known.iter().any(|start| href.starts_with(start)), "{href}");
            continue;
        }
        let switch = link.get("hreflang").is_some();
        let expected = if switch { other(locale) } else { locale };
        assert!(has_prefix(href, expected), "{href} on a page in {locale}");
    }
}

/// The files that the browser loads with the page.
fn files(html: &Html<'_>) -> impl Iterator<Item = String> {
    let named = html.tags.iter().filter_map(|tag| match &*tag.name {
        "link" => match tag.get("rel") {
            // `expect` refers to an element of the page.
            Some("canonical" | "alternate" | "expect") => None,
            _ => tag.get("href"),
        },
        "script" | "img" | "source" | "iframe" => tag.get("src"),
        _ => None,
    });
    let sets = html.tags.iter().filter_map(|tag| tag.get("srcset"));
    let sets = sets.flat_map(|set| set.split(',')).filter_map(|one| one.split_whitespace().next());
    let pictures = html.values("meta", "content", ("property", "og:image"));
    let files = named.chain(sets).chain(pictures).map(|file| file.replace(ORIGIN, ""));
    files.filter(|file| !file.starts_with("data:")).collect::<Vec<_>>().into_iter()
}

/// A document without its time of rendering, prices and signatures.
pub(crate) fn timeless(mut document: Value) -> Value {
    let frame = document["frame"].as_object_mut().unwrap();
    assert!(frame.remove("renderedAt").unwrap().as_u64().unwrap() > 1_700_000_000);
    if let Some(article) = document.get_mut("article").and_then(Value::as_object_mut) {
        article.remove("sign");
    }
    for quote in document.get_mut("quotes").and_then(Value::as_array_mut).into_iter().flatten() {
        *quote = quote["securityCode"].clone();
    }
    for list in ["indices", "series"] {
        for one in document.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            *one = one["code"].clone();
        }
    }
    for changing in ["movers", "dailyCloses"] {
        document.as_object_mut().unwrap().remove(changing);
    }
    document
}

/// Whether a page redirects for a platform (docs/redirects.md).
fn is_elsewhere(page: &str, platform: &str) -> bool {
    match page {
        "activity-seed" => true,
        "activity-pre-activity-new" => platform != "pc",
        page => page.starts_with("education") && platform == "app",
    }
}

/// Checks one page and its data in one locale for every client; returns its files.
async fn check(client: &Client, route: &Route, locale: Locale) -> BTreeSet<String> {
    let path = sample(route.page, &route.pattern);
    let address = format!("{}{path}", locale.prefix());
    let page = route.page.as_str();
    let found = route.page != PageId::NotFound;
    let mut named = BTreeSet::new();
    for visitor in VISITORS {
        let response = visitor.get(client, &address).await;
        if is_elsewhere(page, visitor.platform) {
            assert_eq!(response.status, 302, "{address} {visitor:?}");
            let there = visitor.get(client, response.header("location")).await;
            assert_eq!(there.status, 200, "{address} {visitor:?}");
            continue;
        }
        assert_eq!(response.status, if found { 200 } else { 404 }, "{address}");
        assert_eq!(response.header("content-type"), "text/html; charset=utf-8");
        let html = Html::parse(response.text());
        assert_root(&html, locale, visitor, page, &route.layout);
        assert_sound(&html);
        match found {
            true => assert_addresses(&html, locale, &path),
            false => assert_without_canonical(&html),
        }
        let shown: Vec<_> = html.tags.iter().filter_map(|tag| tag.get("data-chrome")).collect();
        let expected = chrome(&route.layout, visitor.platform);
        assert_eq!(shown.len(), expected.len(), "{address} {visitor:?}: {shown:?}");
        assert_eq!(shown.into_iter().collect::<BTreeSet<_>>(), expected);
        assert_links(&html, locale);
        named.extend(files(&html));

        let payload = html.payload();
        assert_eq!(payload["page"], page);
        assert_eq!(payload["url"], address);
        let asker = &payload["visitor"];
        assert_eq!(asker["locale"], locale.as_str());
        assert_eq!(asker["platform"], visitor.platform);
        assert_eq!(asker["theme"], visitor.theme);
        assert_eq!(payload.get("shell"), None);

        let data = visitor.get(client, &format!("/_data{address}")).await;
        assert_eq!(data.status, response.status);
        assert_eq!(data.header("content-type"), "application/json");
        let data = data.json();
        let keys: Vec<_> = data.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["build", "document", "page"]);
        assert_eq!((&data["build"], &data["page"]), (&payload["build"], &payload["page"]));
        assert_eq!(timeless(data["document"].clone()), timeless(payload["document"].clone()));
    }
    named
}

/// Every page × locale × platform × theme.
pub(crate) async fn check_all(client: &Client) {
    let mut named = BTreeSet::new();
    for route in RouteTable::built_in().unwrap().iter() {
        for locale in Locale::ALL {
            named.extend(check(client, route, locale).await);
        }
    }
    assert!(named.len() > 20, "{named:?}");
    for file in named {
        let response = client.get(&file).await;
        assert_eq!(response.status, 200, "{file}");
        assert!(!response.body.is_empty(), "{file}");
        let expected = if file.starts_with("/assets/") || file.starts_with("/media/") {
            "public, max-age=31536000, immutable"
        } else {
            "public, max-age=3600"
        };
        assert_eq!(response.header("cache-control"), expected, "{file}");
        assert_eq!(response.header("x-content-type-options"), "nosniff", "{file}");
    }
}

#[tokio::test]
async fn every_page_is_correct_for_every_client_profile() {
    check_all(&Site::shared().await.client()).await;
}

#[tokio::test]
async fn home_page_has_the_specified_title() {
    let client = Site::shared().await.client();
    let response = client.get("/").await;
    let html = Html::parse(response.text());
    assert_eq!(html.one("title").text(), "Official Website");
    assert_eq!(
        html.values("meta", "content", ("name", "description")),
        ["U.S. stocks, Saudi stocks, stock trading and investment platforms"]
    );
    assert_eq!(html.values("link", "href", ("rel", "canonical")), [format!("{ORIGIN}/en-us")]);
}

#[tokio::test]
async fn untranslated_article_says_so_in_the_other_locale() {
    let client = Site::shared().await.client();
    let own = format!("{ORIGIN}/en-us/news/content/2015");
    let response = client.get("/ar-sa/news/content/2015").await;
    assert_eq!(response.status, 200);
    let html = Html::parse(response.text());
    assert_sound(&html);
    assert_eq!(html.one("html").get("dir"), Some("rtl"));
    assert!(response.text().contains("عذرًا، هذا المقال متاح بلغة واحدة فقط."));
    let english = html.tags.iter().any(|tag| {
        tag.name != "a"
            && tag.get("lang").is_some_and(|lang| lang.starts_with("en"))
            && tag.get("dir") == Some("ltr")
    });
    assert!(english, "the article stands in its own language and direction");
    assert_eq!(html.values("link", "href", ("rel", "canonical")), [&*own]);
    let alternates: Vec<_> = html
        .all("link")
        .filter(|tag| tag.get("rel") == Some("alternate"))
        .map(|tag| (tag.get("hreflang").unwrap(), tag.get("href").unwrap()))
        .collect();
    assert_eq!(alternates, [("en-us", &*own), ("x-default", &*own)]);

    let english = client.get("/en-us/news/content/2015").await;
    let sentence = "Sorry, this article is only available in one language.";
    assert!(!english.text().contains(sentence));
    assert!(client.get("/ar-sa/news/content/2015").await.text().contains("depositary"));
}

/// The ids in a list, over all its pages.
async fn listed(client: &Client, prefix: &str) -> Vec<String> {
    let mut ids = Vec::new();
    let mut cursor = String::new();
    loop {
        let data = client.get(&format!("/_data{prefix}/news?{cursor}")).await;
        assert_eq!(data.status, 200);
        let document = &data.json()["document"];
        let items = document["articles"].as_array().unwrap();
        ids.extend(items.iter().map(|item| item["id"].as_str().unwrap().to_owned()));
        match document["nextCursor"].as_str() {
            Some(next) => cursor = format!("cursor={next}"),
            None => return ids,
        }
    }
}

#[tokio::test]
async fn untranslated_article_is_not_listed_in_the_other_locale() {
    let client = Site::shared().await.client();
    let (english, arabic) = (listed(&client, "/en-us").await, listed(&client, "/ar-sa").await);
    assert!(english.iter().any(|id| id == "2015") && arabic.iter().all(|id| id != "2015"));
    let only =
        |own: &[String], other: &[String]| own.iter().filter(|id| !other.contains(id)).count();
    assert_eq!((only(&english, &arabic), only(&arabic, &english)), (1, 1));
    let distinct: BTreeSet<_> = english.iter().collect();
    assert_eq!(distinct.len(), english.len(), "each stands once");

    let index = client.get("/sitemap.xml").await;
    let mut locations = String::new();
    for part in index.text().split("<loc>").skip(1) {
        let part = part.split_once("</loc>").unwrap().0.replace(ORIGIN, "");
        let response = client.get(&part).await;
        assert_eq!(response.status, 200, "{part}");
        locations.push_str(response.text());
    }
    assert!(locations.contains(&format!("<loc>{ORIGIN}/en-us/news/content/2015</loc>")));
    assert!(!locations.contains("/ar-sa/news/content/2015"));
    assert!(locations.contains("/ar-sa/news/content/2014"));
    assert!(!locations.contains(&format!("{ORIGIN}/news")), "no unprefixed address");
}

#[tokio::test]
async fn cursors_bypass_the_cache_and_are_not_indexed() {
    let client = Site::shared().await.client();
    let data = client.get("/_data/en-us/news").await.json();
    let next = data["document"]["nextCursor"].as_str().unwrap().to_owned();
    for _ in 0..2 {
        let response = client.get(&format!("/en-us/news?cursor={next}")).await;
        assert_eq!((response.status, response.cache_status()), (200, "bypass"));
        assert_eq!(response.header("cache-control"), "no-store");
        let html = Html::parse(response.text());
        assert_eq!(html.values("meta", "content", ("name", "robots")), ["noindex"]);
    }
    let first = client.get("/_data/en-us/news?cursor=not-one-of-ours").await;
    assert_eq!(first.status, 200);
    assert_eq!(first.json()["document"]["articles"], data["document"]["articles"]);
}

#[tokio::test]
async fn unmatched_paths_share_a_page_without_their_path() {
    let site = Site::start(Default::default()).await;
    let client = site.client();
    let paths = ["/en-us/no-such-pages-name", "/en-us/no-such/pages-name", "/no-such-pages-name"];
    for (at, path) in paths.into_iter().enumerate() {
        let response = client.get(path).await;
        assert_eq!(
            (response.status, response.cache_status()),
            (404, if at == 0 { "miss" } else { "hit" })
        );
        let html = Html::parse(response.text());
        assert_without_canonical(&html);
        assert_sound(&html);
        assert_eq!(html.one("html").get("data-page"), Some("not-found"));
        assert!(!response.text().contains("pages-name"));
        assert!(response.text().contains("This page could not be found"));
        assert_eq!(response.header("cache-control"), "private, no-cache");
    }
    assert_eq!(site.counts.renders(), 1);
    assert_eq!(client.get("/ar-sa/no-such-pages-name").await.cache_status(), "miss");
}

#[tokio::test]
async fn missing_item_is_a_404_page_of_its_own() {
    let client = Site::shared().await.client();
    for path in [
        "/en-us/news/content",
        "/en-us/news/content/999999",
        "/en-us/news/content/01001",
        "/en-us/news/content/x",
        "/en-us/news/content/99999999999999999999",
        "/en-us/news?tab=99",
        "/en-us/news?tab=no-such-tab",
        "/en-us/news/content/1001/more",
    ] {
        let response = client.get(path).await;
        assert_eq!(response.status, 404, "{path}");
        assert_without_canonical(&Html::parse(response.text()));
    }
}
