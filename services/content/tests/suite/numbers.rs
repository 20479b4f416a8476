//! Numbers in Arabic texts: stored and indexed as written, marked in responses.
use std::time::{Duration, Instant};

use sahm_chassis::ErrorCode;
use sahm_content::domain::{EntryKind, Locale};
use sahm_proto::content::v1::{
    GetArticleRequest, GetCourseRequest, GetHelpDocumentRequest, ImportFile, ImportFilesRequest,
    ListFlashNewsRequest, SearchRequest, SearchResponse,
};

use tonic::Response;

use crate::{
    on_the_seed,
    seeded::{Seeded, code},
    support::NOW,
};

on_the_seed!(numbers_are_marked_in_responses_only);

const TEXT: &str = "خصم 30%. 40 شركة";
const MARKED: &str = "خصم \u{200e}30%\u{200f}. 40 شركة";
const ID: u64 = 900_021;

async fn import(site: &Seeded) {
    let markdown = |kind: &str, more: &str| {
        format!(
            "---\nid: {ID}\nkind: {kind}\nlocale: ar-sa\ntitle: \"{TEXT}\"\nsummary: \"{TEXT}\"\n\
             {more}\n---\n{TEXT}\n"
        )
    };
    let news = markdown("news", "publishedAt: 1795154400");
    let help = markdown("help-document", "slug: a-discount\nchannelId: 1\nupdatedAt: 1795154400");
    let lines = [
        format!(
            r#"{{"kind":"news-flash","id":{ID},"locale":"ar-sa","content":"{TEXT}","publishedAt":{NOW}}}"#
        ),
        format!(
            r#"{{"kind":"college-course","id":{ID},"slug":"a-course","categoryId":1,"level":"beginner","name":"Discount","nameSa":"{TEXT}","publishedAt":1795154400}}"#
        ),
    ];
    let files = [("1.md", news), ("2.md", help), ("lines.jsonl", lines.join("\n"))];
    let files = files
        .map(|(path, body)| ImportFile { path: path.to_owned(), body: body.into_bytes() })
        .to_vec();
    let report = site.imports().import_files(ImportFilesRequest { files }).await.unwrap();
    assert_eq!((report.get_ref().added, report.get_ref().refused.len()), (4, 0));
}

/// Searches for the imported texts once they are indexed.
async fn search(site: &Seeded) -> SearchResponse {
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < Duration::from_secs(60), "the index never holds it");
        let request = SearchRequest {
            keyword: "خصم 30".into(),
            locale: "ar-sa".into(),
            kinds: vec!["news".into()],
            ..Default::default()
        };
        match site.search().search(request).await.map(Response::into_inner) {
            Ok(found) if found.items.iter().any(|hit| hit.id == ID) => return found,
            Ok(_) => tokio::task::yield_now().await,
            // The first index is being built.
            Err(status) => assert_eq!(code(&status), ErrorCode::Unavailable),
        }
    }
}

async fn numbers_are_marked_in_responses_only(site: Seeded) {
    import(&site).await;
    let locale = || "ar-sa".to_owned();
    let request = GetArticleRequest { id: ID, locale: locale(), ..Default::default() };
    let article = site.news().get_article(request).await.unwrap().into_inner().article.unwrap();
    assert_eq!((article.title.as_str(), article.summary.as_str()), (MARKED, MARKED));
    assert_eq!(article.body_html, format!("<p>{MARKED}</p>\n"));
    let stored =
        site.store().await.entry(EntryKind::News, ID, Locale::ArSa, NOW).await.unwrap().unwrap();
    assert_eq!(
        (stored.entry.text().unwrap().title.as_str(), stored.entry.body_html.clone()),
        (TEXT, format!("<p>{TEXT}</p>\n"))
    );

    let request =
        GetHelpDocumentRequest { id: "a-discount".into(), locale: locale(), ..Default::default() };
    let document =
        site.help().get_help_document(request).await.unwrap().into_inner().document.unwrap();
    assert_eq!((document.title.as_str(), document.summary.as_str()), (MARKED, MARKED));
    assert_eq!(document.body_html, format!("<p>{MARKED}</p>\n"));

    let request = ListFlashNewsRequest { locale: locale(), size: 1, ..Default::default() };
    let flash = site.flash().list_flash_news(request).await.unwrap().into_inner().items.remove(0);
    assert_eq!((flash.id, flash.content.as_str()), (ID, MARKED));

    let request = GetCourseRequest { course_id: "a-course".into(), ..Default::default() };
    let course = site.college().get_course(request).await.unwrap().into_inner().course.unwrap();
    assert_eq!((course.name.as_str(), course.name_sa.as_str()), ("Discount", MARKED));

    let found = search(&site).await;
    let hit = found.items.iter().find(|hit| hit.id == ID).unwrap();
    let whole = hit.title_parts.iter().map(|part| part.text.as_str()).collect::<String>();
    assert_eq!((hit.title.as_str(), whole.as_str()), (MARKED, MARKED));
    assert!(hit.title_parts.iter().any(|part| part.hit && part.text == "30"));
}
