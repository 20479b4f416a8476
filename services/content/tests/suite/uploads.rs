//! Uploads and withdrawals through the rpcs.
use sahm_chassis::ErrorCode;
use sahm_content::domain::EntryKind;
use sahm_proto::content::v1::{
    self as wire, BatchGetFlashNewsRequest, GetArticleRequest, GetMediaRequest, ImportFile,
    ImportFilesRequest, ImportFilesResponse, ListCollegeArticlesRequest, ListCoursesRequest,
    ListTabsRequest, WithdrawItemsRequest,
};
use tonic::Status;

use crate::{
    on_the_seed,
    seeded::{Seeded, code, fields},
};

on_the_seed!(
    uploads_are_published_and_withdrawn,
    times_are_accepted_as_strings_and_numbers,
    larger_versions_of_pictures_are_imported,
    refused_file_does_not_affect_others,
    invalid_requests_are_rejected,
    every_kind_that_is_imported_can_be_withdrawn,
    unused_files_are_reported,
);

const SVG: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="675"/>"#;
const ID: u64 = 900_001;

fn article(id: u64, more: &str) -> String {
    format!(
        "---\nid: {id}\nkind: news\nlocale: en-us\nmarket: us\ntitle: \"Sent {id}\"\n\
         summary: \"One sentence.\"\npublishedAt: 2026-11-20T09:00:00+03:00\n{more}---\nText."
    )
}

async fn send(site: &Seeded, files: &[(&str, &str)]) -> Result<ImportFilesResponse, Status> {
    let file = |(path, body): &(&str, &str)| ImportFile {
        path: (*path).to_owned(),
        body: body.as_bytes().to_vec(),
    };
    let request = ImportFilesRequest { files: files.iter().map(file).collect() };
    site.imports().import_files(request).await.map(tonic::Response::into_inner)
}

async fn uploads_are_published_and_withdrawn(site: Seeded) {
    let text = article(ID, "image: ../art/a.svg\nimageAlt: \"A line\"\n");
    let files = [("news/1.en-us.md", text.as_str()), ("art/a.svg", SVG)];
    let first = send(&site, &files).await.unwrap();
    assert_eq!((first.added, first.changed, first.unchanged), (1, 0, 0));
    assert_eq!((first.refused, first.notes), (Vec::new(), Vec::new()));
    let again = send(&site, &files).await.unwrap();
    assert_eq!((again.added, again.changed, again.unchanged), (0, 0, 1));

    let request = || GetArticleRequest { id: ID, ..Default::default() };
    let found = site.news().get_article(request()).await.unwrap().into_inner().article.unwrap();
    assert_eq!((found.title.as_str(), found.author.as_str()), ("Sent 900001", ""));
    let name = found.image.unwrap().path.rsplit('/').next().unwrap().to_owned();
    let media = site.media().get_media(GetMediaRequest { name }).await.unwrap().into_inner();
    assert_eq!(media.content_type, "image/svg+xml");

    let withdrawn = WithdrawItemsRequest { kind: "news".into(), ids: vec![7, ID] };
    let withdrawn = site.imports().withdraw_items(withdrawn).await.unwrap().into_inner();
    assert_eq!(withdrawn.withdrawn_ids, [ID]);
    let gone = site.news().get_article(request()).await.unwrap_err();
    assert_eq!(code(&gone), ErrorCode::ArticleNotFound);
}

async fn every_kind_that_is_imported_can_be_withdrawn(site: Seeded) {
    let withdraw = |kind: &str, ids: &[u64]| {
        let request = WithdrawItemsRequest { kind: kind.into(), ids: ids.into() };
        let mut imports = site.imports();
        async move {
            imports.withdraw_items(request).await.map(|found| found.into_inner().withdrawn_ids)
        }
    };
    for kind in EntryKind::names() {
        assert!(withdraw(kind, &[1 << 40]).await.unwrap().is_empty(), "{kind}");
    }
    let tabs = site.news().list_tabs(ListTabsRequest::default()).await.unwrap().into_inner().items;
    let tab = tabs[1].id;
    assert_eq!(withdraw("news-tab", &[tab, 77, tab]).await.unwrap(), [tab]);
    let left = site.news().list_tabs(ListTabsRequest::default()).await.unwrap().into_inner().items;
    assert_eq!(left.len(), tabs.len() - 1);
    assert!(left.iter().all(|one| one.id != tab));
    // A legal document is not a company article; it is withdrawn under its own kind.
    assert!(withdraw("company-article", &[1001]).await.unwrap().is_empty());
    assert_eq!(withdraw("legal-document", &[101, 25]).await.unwrap(), [25]);
    // A category can be withdrawn after its courses.
    let error = withdraw("college-category", &[2]).await.unwrap_err();
    assert_eq!(code(&error), ErrorCode::FailedPrecondition);
    assert!(error.message().contains("103") && error.message().contains("104"), "{error:?}");
    let courses = ListCoursesRequest { category_id: 2, size: 50, ..Default::default() };
    let courses = site.college().list_courses(courses).await.unwrap().into_inner().items;
    let courses: Vec<u64> = courses.iter().map(|course| course.id).collect();
    // A course can be withdrawn after its lessons.
    for &course in &courses {
        let lessons = ListCollegeArticlesRequest {
            course_id: course.to_string(),
            size: 50,
            ..Default::default()
        };
        let lessons =
            site.college().list_college_articles(lessons).await.unwrap().into_inner().items;
        let lessons: Vec<u64> = lessons.iter().map(|lesson| lesson.id).collect();
        if !lessons.is_empty() {
            let error = withdraw("college-course", &[course]).await.unwrap_err();
            assert_eq!(code(&error), ErrorCode::FailedPrecondition);
            assert!(error.message().contains(&lessons[0].to_string()), "{error:?}");
        }
        assert_eq!(withdraw("college-article", &lessons).await.unwrap(), lessons);
    }
    assert_eq!(withdraw("college-course", &courses).await.unwrap(), courses);
    assert_eq!(withdraw("college-category", &[2]).await.unwrap(), [2]);
}

async fn unused_files_are_reported(site: Seeded) {
    let text = article(ID, "image: a.svg\nimageAlt: \"A line\"\n");
    let files = [("n/1.md", text.as_str()), ("n/a.svg", SVG), ("t.json", "{}"), ("n/b.svg", SVG)];
    let found = send(&site, &files).await.unwrap();
    let refused: Vec<_> = found.refused.iter().map(|file| file.id.as_str()).collect();
    assert_eq!((found.added, refused), (1, vec!["n/b.svg", "t.json"]));
    assert!(found.refused[1].reason.contains("neither .md nor .jsonl"), "{:?}", found.refused);
}

async fn times_are_accepted_as_strings_and_numbers(site: Seeded) {
    const WRITTEN: &str = "2026-11-20T09:00:00+03:00";
    const SECOND: u32 = 1_795_154_400;
    let flash = |id, time: &str| {
        format!(
            r#"{{"kind":"news-flash","id":{id},"locale":"en-us","content":"C","publishedAt":{time}}}"#
        )
    };
    let millis = article(ID, "").replace(WRITTEN, &format!("{SECOND}999"));
    let quoted = article(ID + 1, "").replace(WRITTEN, &format!("'{SECOND}'"));
    let lines = [
        flash(900_011, &SECOND.to_string()),
        flash(900_012, &format!("{SECOND}000")),
        flash(900_013, &format!("{WRITTEN:?}")),
    ];
    let lines = lines.join("\n");
    let files = [("1.md", millis.as_str()), ("2.md", &quoted), ("flash.jsonl", &lines)];
    let report = send(&site, &files).await.unwrap();
    assert_eq!((report.added, report.refused), (5, Vec::new()));
    for id in [ID, ID + 1] {
        let request = GetArticleRequest { id, ..Default::default() };
        let found = site.news().get_article(request).await.unwrap().into_inner().article.unwrap();
        assert_eq!(found.published_at, SECOND);
    }
    let request =
        BatchGetFlashNewsRequest { ids: vec![900_011, 900_012, 900_013], ..Default::default() };
    let found = site.flash().batch_get_flash_news(request).await.unwrap().into_inner().items;
    let times: Vec<u32> = found.iter().map(|item| item.published_at).collect();
    assert_eq!(times, [SECOND; 3]);
}

/// The header of a PNG of this width.
fn png(width: u8) -> Vec<u8> {
    [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", [0, 0, 0, width, 0, 0, 0, 9].as_slice()].concat()
}

async fn larger_versions_of_pictures_are_imported(site: Seeded) {
    let file = |path: &str, body: Vec<u8>| wire::ImportFile { path: path.to_owned(), body };
    let banner = r#"{"kind":"image-banner","id":900031,"positionCode":"TEST","positionName":"T","title":"T","image":"a.png","imageSa":"b.png","url":"/news","beginTime":1767225600,"endTime":"2027-01-01T00:00:00Z"}"#;
    let news = article(ID, "image: a.png\nimageAlt: \"A line\"\n");
    let mut files = vec![
        file("1.md", news.into_bytes()),
        file("banners.jsonl", banner.into()),
        file("a.png", png(10)),
        file("a@2x.png", png(20)),
        file("b.png", png(11)),
        file("b@3x.png", png(33)),
    ];
    let report = site.imports().import_files(ImportFilesRequest { files: files.clone() }).await;
    let report = report.unwrap().into_inner();
    assert_eq!((report.added, report.refused), (2, Vec::new()));

    let request = GetArticleRequest { id: ID, ..Default::default() };
    let article = async || {
        let found = site.news().get_article(request.clone()).await.unwrap().into_inner();
        found.article.unwrap().image.unwrap()
    };
    let first = article().await;
    assert_eq!((first.width, first.path_3x.as_deref()), (10, None));
    let name = first.path_2x.as_deref().unwrap().trim_start_matches("/media/").to_owned();
    let media = site.media().get_media(GetMediaRequest { name }).await.unwrap().into_inner();
    assert_eq!(media.body, png(20));
    let request = |locale: &str| wire::GetBannerRequest { id: 900_031, locale: locale.into() };
    let english = site.images().get_banner(request("en-us")).await.unwrap().into_inner();
    assert_eq!(english.banner.unwrap().image.unwrap().path_2x, first.path_2x);
    let arabic = site.images().get_banner(request("ar-sa")).await.unwrap().into_inner();
    let arabic = arabic.banner.unwrap().image.unwrap();
    assert!(arabic.path_2x.is_none() && arabic.path_3x.is_some());

    // Adding or changing a larger version of a picture changes the entries that show it.
    files.push(file("a@3x.png", png(30)));
    let report = site.imports().import_files(ImportFilesRequest { files: files.clone() }).await;
    assert_eq!(report.unwrap().into_inner().changed, 2);
    assert!(article().await.path_3x.is_some());
    files[3].body = png(9);
    let report = site.imports().import_files(ImportFilesRequest { files }).await;
    let refused = report.unwrap().into_inner().refused;
    assert!(refused[0].reason.contains("a@2x.png: is not larger than a.png"), "{refused:?}");
}

async fn refused_file_does_not_affect_others(site: Seeded) {
    let (good, twice) = (article(ID, ""), article(ID, ""));
    let no_picture = article(ID + 1, "image: a.svg\nimageAlt: \"A\"\n");
    let no_market = article(ID + 2, "").replace("market: us", "market: mars");
    let files = [
        ("a/good.md", good.as_str()),
        ("b/no-market.md", &no_market),
        ("c/no-picture.md", &no_picture),
        ("d/twice.md", &twice),
        ("e/notes.txt", "not imported"),
    ];
    let found = send(&site, &files).await.unwrap();
    assert_eq!(found.added, 1);
    let refused: Vec<_> =
        found.refused.iter().map(|file| (file.id.as_str(), file.line > 0)).collect();
    assert_eq!(
        refused,
        [
            ("b/no-market.md", true),
            ("c/no-picture.md", true),
            ("d/twice.md", false),
            ("e/notes.txt", false),
        ]
    );
    assert!(found.refused[1].reason.contains("there is no such file"), "{:?}", found.refused);
}

async fn invalid_requests_are_rejected(site: Seeded) {
    assert_eq!(fields(&send(&site, &[]).await.unwrap_err()), ["files"]);
    for path in ["", "/a.md", "../a.md", "a/../b.md", "a.jsonl\0"] {
        let files = [("a.md", ""), (path, "")];
        assert_eq!(fields(&send(&site, &files).await.unwrap_err()), ["files[1].path"], "{path}");
    }
    let twice = [("a.md", ""), ("a.md", "")];
    assert_eq!(fields(&send(&site, &twice).await.unwrap_err()), ["files[1].path"]);
    for (kind, ids, field) in [("mars", vec![1], "kind"), ("news", vec![], "ids")] {
        let request = WithdrawItemsRequest { kind: kind.into(), ids };
        assert_eq!(fields(&site.imports().withdraw_items(request).await.unwrap_err()), [field]);
    }
}
