//! Files that calling teams send to be imported, and items that they have taken off.
use sahm_chassis::ErrorCode;
use sahm_proto::content::v1::{
    GetArticleRequest, GetMediaRequest, ImportFile, ImportFilesRequest, ImportFilesResponse,
    WithdrawItemsRequest,
};
use tonic::Status;

use crate::{
    on_the_seed,
    seeded::{Seeded, code, fields},
};

on_the_seed!(
    what_is_sent_is_published_and_taken_off,
    a_bad_file_keeps_no_other_out,
    wrong_requests_are_refused,
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
    let asked = ImportFilesRequest { files: files.iter().map(file).collect() };
    site.imports().import_files(asked).await.map(tonic::Response::into_inner)
}

async fn what_is_sent_is_published_and_taken_off(site: Seeded) {
    let text = article(ID, "image: ../art/a.svg\nimageAlt: \"A line\"\n");
    let files = [("news/1.en-us.md", text.as_str()), ("art/a.svg", SVG)];
    let first = send(&site, &files).await.unwrap();
    assert_eq!((first.added, first.changed, first.unchanged), (1, 0, 0));
    assert_eq!((first.refused, first.notes), (Vec::new(), Vec::new()));
    let again = send(&site, &files).await.unwrap();
    assert_eq!((again.added, again.changed, again.unchanged), (0, 0, 1));

    let asked = || GetArticleRequest { id: ID, ..Default::default() };
    let found = site.news().get_article(asked()).await.unwrap().into_inner().article.unwrap();
    assert_eq!((found.title.as_str(), found.author.as_str()), ("Sent 900001", ""));
    let name = found.image.unwrap().path.rsplit('/').next().unwrap().to_owned();
    let media = site.media().get_media(GetMediaRequest { name }).await.unwrap().into_inner();
    assert_eq!(media.content_type, "image/svg+xml");

    let withdrawn = WithdrawItemsRequest { kind: "news".into(), ids: vec![7, ID] };
    let withdrawn = site.imports().withdraw_items(withdrawn).await.unwrap().into_inner();
    assert_eq!(withdrawn.withdrawn_ids, [ID]);
    let gone = site.news().get_article(asked()).await.unwrap_err();
    assert_eq!(code(&gone), ErrorCode::ArticleNotFound);
    let course = WithdrawItemsRequest { kind: "college-course".into(), ids: vec![101] };
    let course = site.imports().withdraw_items(course).await.unwrap().into_inner();
    assert_eq!(course.withdrawn_ids, [101]);
}

async fn a_bad_file_keeps_no_other_out(site: Seeded) {
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
        [("b/no-market.md", true), ("c/no-picture.md", true), ("d/twice.md", false)]
    );
    assert!(found.refused[1].reason.contains("was not sent along"), "{:?}", found.refused);
}

async fn wrong_requests_are_refused(site: Seeded) {
    assert_eq!(fields(&send(&site, &[]).await.unwrap_err()), ["files"]);
    for path in ["", "/a.md", "../a.md", "a/../b.md"] {
        let files = [("a.md", ""), (path, "")];
        assert_eq!(fields(&send(&site, &files).await.unwrap_err()), ["files[1].path"], "{path}");
    }
    let twice = [("a.md", ""), ("a.md", "")];
    assert_eq!(fields(&send(&site, &twice).await.unwrap_err()), ["files[1].path"]);
    for (kind, ids, field) in [("mars", vec![1], "kind"), ("news", vec![], "ids")] {
        let asked = WithdrawItemsRequest { kind: kind.into(), ids };
        assert_eq!(fields(&site.imports().withdraw_items(asked).await.unwrap_err()), [field]);
    }
}
