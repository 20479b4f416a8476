//! Drafts: shown for configured types, never cached, and not found elsewhere.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::Value;

use crate::kit::{Client, Html, Plan, Response, Site, until};

/// A word that occurs in no published text.
const WORD: &str = "zyxwvutsrq";

/// Timeout of the search index, which is built in the background.
const INDEX_TIMEOUT: Duration = Duration::from_secs(30);

/// Kinds of drafts with their pages, in the order of their files.
const KINDS: [(&str, &str); 5] = [
    ("news", "article"),
    ("college-article", "educationArticle"),
    ("company-article", "educationArticle"),
    ("help-document", "supportDetail"),
    ("legal-document", "terms"),
];

/// A draft of a kind, with ids from 900001.
fn draft(at: usize, kind: &str, title: &str) -> String {
    let parent = match kind {
        "college-article" => "courseId: 101\n",
        "help-document" => "channelId: 9\n",
        "news" => "market: us\n",
        _ => "",
    };
    let slug = if kind == "news" { String::new() } else { format!("slug: {WORD}-{at}\n") };
    let dated = if kind.ends_with("document") { "updatedAt" } else { "publishedAt" };
    format!(
        "---\nid: {}\nkind: {kind}\nlocale: en-us\n{slug}{parent}title: \"{title}\"\n\
         summary: \"About {WORD}.\"\n{dated}: 2026-11-20T09:00:00Z\n---\n\nText of {WORD}.\n",
        900_001 + at
    )
}

async fn import(site: &Site, folder: &Path) {
    let output = site.content_command(&["import", "--draft", folder.to_str().unwrap()]).await;
    assert!(output.status.success(), "{output:?}");
}

/// A site with drafts of the type `drafts`, and their folder.
async fn site(plan: Plan) -> (Site, PathBuf) {
    let site = Site::start(plan).await;
    for (at, (kind, _)) in KINDS.iter().enumerate() {
        let name = format!("import/drafts/{at}.md");
        site.folder.write(&name, draft(at, kind, &format!("Draft {kind} {WORD}")));
    }
    let folder = site.folder.join("import/drafts");
    import(&site, &folder).await;
    (site, folder)
}

fn assert_uncached(response: &Response) {
    assert_eq!((response.status, response.cache_status()), (200, "bypass"), "{response:?}");
    assert_eq!(response.header("cache-control"), "no-store");
    assert_eq!(response.header("etag"), "");
}

async fn document(client: &Client, path: &str) -> Value {
    let response = client.get(&format!("/_data{path}")).await;
    assert_uncached(&response);
    response.json()["document"].clone()
}

#[tokio::test]
async fn draft_of_each_kind_is_shown_as_its_page_and_never_cached() {
    let (site, folder) = site(Plan { gateways: 2, redis: true, ..Plan::default() }).await;
    let client = site.client();
    for (at, (kind, page)) in KINDS.iter().enumerate() {
        let id = format!("{kind}-{}", 900_001 + at);
        let path = format!("/en-us/preview/drafts?draft={id}");
        for gateway in &site.gateways {
            let before = site.counts.renders();
            for _ in 0..2 {
                let response = gateway.client().get(&path).await;
                assert_uncached(&response);
                let html = Html::parse(response.text());
                assert_eq!(html.one("html").get("data-layout"), Some("doc"));
                assert_eq!(html.values("meta", "content", ("name", "robots")), ["noindex"]);
                assert!(html.one("title").text().contains(&format!("Draft {kind}")));
                assert!(html.one("h1").text().contains(&format!("Draft {kind}")));
                assert!(response.text().contains("Not published."), "the note is there");
                assert!(response.text().contains(&format!("Text of {WORD}.")));
            }
            assert_eq!(site.counts.renders(), before + 2, "each visit is a render of its own");
        }
        let document = document(&client, &path).await;
        assert_eq!(document["draftId"], *id);
        assert_eq!(document["drafts"].as_array().unwrap().len(), KINDS.len());
        assert!(document[*page].is_object(), "{kind}: {document}");
        assert_eq!(document[*page].get("frame"), None);
    }

    // A repeated import is visible at once, everywhere.
    site.folder.write("import/drafts/0.md", draft(0, "news", "Changed"));
    import(&site, &folder).await;
    for gateway in &site.gateways {
        let response = gateway.client().get("/ar-sa/preview/drafts").await;
        let html = Html::parse(response.text());
        assert_eq!(html.one("h1").text(), "Changed");
        assert!(response.text().contains("عذرًا، هذا المقال متاح بلغة واحدة فقط."));
    }
}

#[tokio::test]
async fn drafts_appear_only_in_previews() {
    let (site, _) = site(Plan::default()).await;
    let client = site.client();
    let keyword = format!("?keyword={WORD}");
    let pages = [
        "/en-us",
        "/en-us/news",
        "/en-us/news/us",
        "/en-us/education",
        "/en-us/education/course/first-steps-in-the-market",
        "/en-us/company-news/list",
        "/en-us/support",
        "/en-us/support/channel/9",
        "/en-us/terms-and-conditions",
    ];
    for path in pages {
        let response = client.get(path).await;
        assert_eq!(response.status, 200, "{path}");
        assert!(!response.text().contains(WORD), "{path}");
    }
    until(INDEX_TIMEOUT, "the search's index", async || {
        client.get("/api/help/m/search?keyword=fees").await.status == 200
    })
    .await;
    let found = document_of(&client, &format!("/_data/en-us/support/search{keyword}")).await;
    assert_eq!(found.get("hits"), None);
    for path in [
        "/en-us/news/content/900001".to_owned(),
        format!("/en-us/education/article/{WORD}-1"),
        "/en-us/education/article/900002".to_owned(),
        format!("/en-us/company-news/detail/{WORD}-2"),
        format!("/en-us/support/detail/{WORD}-3"),
        "/en-us/support/doc/900004".to_owned(),
        format!("/en-us/terms-and-conditions/{WORD}-4"),
        format!("/en-us/about/{WORD}-4"),
    ] {
        let response = client.get(&path).await;
        assert_eq!(response.status, 404, "{path}");
        assert!(!response.text().contains(WORD) || path.contains(WORD), "{path}");
    }
    for (path, status) in [
        ("/api/news/content/info/list?market=us&size=50".to_owned(), 200),
        ("/api/news/content/list-by-ids?contentIds=900001".to_owned(), 200),
        ("/api/news/content/detail?id=900001".to_owned(), 404),
        ("/api/college/article/list?size=50".to_owned(), 200),
        ("/api/college/company/article/list?size=50".to_owned(), 200),
        ("/api/college/article/detail?articleId=900002".to_owned(), 404),
        (format!("/api/help/m/search{keyword}"), 200),
        ("/api/help/rest/doc/900004/contentV2".to_owned(), 404),
        ("/api/openapi.json".to_owned(), 200),
    ] {
        let response = client.get(&path).await;
        assert_eq!(response.status, status, "{path}");
        assert!(!response.text().contains(WORD) && !response.text().contains("Draft"), "{path}");
    }
    let index = client.get("/sitemap.xml").await;
    let parts = index.text().split("<loc>").skip(1).filter_map(|rest| rest.split('<').next());
    let parts: Vec<_> = parts.map(|url| url.replace(crate::kit::ORIGIN, "")).collect();
    assert!(!parts.is_empty());
    for part in parts {
        let listed = client.get(&part).await;
        assert_eq!(listed.status, 200, "{part}");
        for word in [WORD, "preview", "90000"] {
            assert!(!listed.text().contains(word), "{word} in {part}");
        }
    }
}

async fn document_of(client: &Client, path: &str) -> Value {
    client.get(path).await.json()["document"].clone()
}

#[tokio::test]
async fn unconfigured_draft_types_are_404() {
    let (site, folder) = site(Plan::default()).await;
    let secret = site.folder.join("import/secret");
    std::fs::rename(&folder, &secret).unwrap();
    import(&site, &secret).await;
    let client = site.client();
    for path in [
        "/preview",
        "/en-us/preview/secret",
        "/ar-sa/preview/secret",
        "/en-us/preview/secret?draft=news-900001",
        "/en-us/preview/no-drafts?draft=news-900001",
        "/en-us/preview/drafts?draft=news-1001",
        "/en-us/preview/Drafts",
        "/en-us/preview/drafts%2F",
        "/en-us/preview/drafts/x",
    ] {
        let response = client.get(path).await;
        assert_eq!(response.status, 404, "{path}");
        assert!(!response.text().contains(WORD), "{path}");
    }
    let empty = client.get("/en-us/preview/no-drafts").await;
    assert_uncached(&empty);
    assert!(empty.text().contains("No drafts of the type"));
    let bare = document(&client, "/en-us/preview/no-drafts").await;
    assert_eq!((bare.get("drafts"), bare.get("draftId")), (None, None));
}
