//! Drafts: imported from folders and returned only by the draft rpcs.
use std::{fs, path::PathBuf};

use sahm_chassis::{ErrorCode, clock::Clock};
use sahm_content::{
    domain::EntryKind,
    import::{self, Report},
    store::{ContentStore, ImportSummary},
};
use sahm_proto::content::v1::{self as wire, get_draft_response::Item};
use tempfile::TempDir;
use tonic::Response;

use crate::{
    on_the_seed,
    seeded::{Seeded, code, fields},
    support::{NOW, changes},
};

on_the_seed!(
    folder_becomes_the_type_of_its_drafts,
    import_replaces_all_drafts_of_a_type,
    refused_file_deletes_no_drafts,
    only_kinds_with_pages_can_be_drafts,
    draft_is_returned_in_the_requested_locale,
    other_rpcs_return_no_drafts,
    invalid_and_missing_drafts_are_reported,
    drafts_are_paged_by_their_own_cursor,
);

const BODY: &str = "One Zyxwvut word about Saudi Aramco too.\n";

/// A folder of drafts named `summer`.
struct Drafts {
    folder: TempDir,
}

impl Drafts {
    fn new() -> Self {
        let drafts = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(drafts.path()).unwrap();
        for (name, text) in [
            ("1.en-us.md", news(900_001, "en-us", "Draft news")),
            ("1.ar-sa.md", news(900_001, "ar-sa", "خبر غير منشور")),
            ("2.md", text("college-article", 900_002, "courseId: 101\n", "publishedAt")),
            ("3.md", text("company-article", 900_003, "", "publishedAt")),
            ("4.md", text("help-document", 900_004, "channelId: 9\n", "updatedAt")),
            ("5.md", text("legal-document", 900_005, "", "updatedAt")),
        ] {
            drafts.write(name, &text);
        }
        drafts
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("summer")
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    async fn import(&self, store: &ContentStore) -> Report {
        import_at(store, self.path(), NOW).await
    }
}

async fn import_at(store: &ContentStore, path: PathBuf, now: u32) -> Report {
    import::run_drafts(store, &[path], &Clock::fixed(now), |_| {}).await.unwrap()
}

/// Published in the future, because drafts are shown before publication.
fn news(id: u64, locale: &str, title: &str) -> String {
    format!(
        "---\nid: {id}\nkind: news\nlocale: {locale}\nmarket: saudi\ntitle: \"{title}\"\n\
         summary: \"One sentence.\"\npublishedAt: 2027-11-20T09:00:00+03:00\n---\n{BODY}"
    )
}

fn text(kind: &str, id: u64, parent: &str, dated: &str) -> String {
    format!(
        "---\nid: {id}\nkind: {kind}\nlocale: en-us\nslug: draft-{id}\n{parent}\
         title: \"Draft {kind}\"\nsummary: \"One sentence.\"\n{dated}: 2027-11-20T09:00:00+03:00\n\
         ---\n{BODY}"
    )
}

async fn listed(site: &Seeded, locale: &str) -> Vec<wire::DraftSummary> {
    let request = wire::ListDraftsRequest {
        r#type: "summer".into(),
        locale: locale.into(),
        ..Default::default()
    };
    site.drafts().list_drafts(request).await.unwrap().into_inner().items
}

async fn ids(site: &Seeded) -> Vec<String> {
    listed(site, "en-us").await.into_iter().map(|draft| draft.id).collect()
}

async fn draft(site: &Seeded, id: &str, locale: &str) -> wire::GetDraftResponse {
    let request = request("summer", id, locale);
    site.drafts().get_draft(request).await.map(Response::into_inner).unwrap()
}

fn request(draft_type: &str, id: &str, locale: &str) -> wire::GetDraftRequest {
    wire::GetDraftRequest { r#type: draft_type.into(), id: id.into(), locale: locale.into() }
}

async fn folder_becomes_the_type_of_its_drafts(site: Seeded) {
    let (store, drafts) = (site.store().await, Drafts::new());
    let before = changes(&store).await.len();
    let report = drafts.import(&store).await;
    assert_eq!(report.refused, []);
    assert_eq!(report.summary, ImportSummary { added: 6, changed: 0, unchanged: 0 });
    assert_eq!(
        ids(&site).await,
        [
            "news-900001",
            "college-article-900002",
            "company-article-900003",
            "help-document-900004",
            "legal-document-900005"
        ]
    );
    let english = &listed(&site, "en-us").await[0];
    let arabic = &listed(&site, "ar-sa").await[0];
    assert_eq!((&*english.title, &*english.locale), ("Draft news", "en-us"));
    assert_eq!((&*arabic.title, &*arabic.locale), ("خبر غير منشور", "ar-sa"));
    assert_eq!(
        (&*arabic.available_locales, arabic.imported_at),
        (&["en-us", "ar-sa"].map(str::to_owned)[..], NOW)
    );
    let report = import_at(&store, drafts.path(), NOW + 9).await;
    assert_eq!(report.summary, ImportSummary { added: 0, changed: 0, unchanged: 6 });
    assert_eq!(listed(&site, "ar-sa").await[0].imported_at, NOW, "nothing was changed");
    assert_eq!(changes(&store).await.len(), before, "nothing is purged");
}

async fn import_replaces_all_drafts_of_a_type(site: Seeded) {
    let (store, drafts) = (site.store().await, Drafts::new());
    drafts.import(&store).await;
    for name in ["1.ar-sa.md", "2.md", "3.md"] {
        fs::remove_file(drafts.path().join(name)).unwrap();
    }
    drafts.write("0.md", &text("help-document", 900_009, "channelId: 9\n", "updatedAt"));
    drafts.write("1.en-us.md", &news(900_001, "en-us", "Another title"));
    let report = drafts.import(&store).await;
    assert_eq!(
        (report.summary, report.gone),
        (ImportSummary { added: 1, changed: 1, unchanged: 2 }, 3)
    );
    let left = listed(&site, "ar-sa").await;
    let left: Vec<_> = left.iter().map(|draft| (&*draft.id, &*draft.title)).collect();
    assert_eq!(
        left,
        [
            ("help-document-900009", "Draft help-document"),
            ("news-900001", "Another title"),
            ("help-document-900004", "Draft help-document"),
            ("legal-document-900005", "Draft legal-document"),
        ]
    );
    let summer = sahm_content::domain::DraftType::parse("summer").unwrap();
    assert_eq!(store.discard_drafts(&summer).await.unwrap(), 4);
    assert_eq!(ids(&site).await, Vec::<String>::new());
}

async fn refused_file_deletes_no_drafts(site: Seeded) {
    let (store, drafts) = (site.store().await, Drafts::new());
    drafts.import(&store).await;
    drafts.write("2.md", "---\nkind: college-article\n---\n");
    drafts.write("5.md", &text("legal-document", 900_005, "", "updatedAt").replace("One", "Two"));
    let report = drafts.import(&store).await;
    assert_eq!(report.refused.len(), 1);
    assert_eq!(
        (report.summary, report.gone),
        (ImportSummary { added: 0, changed: 1, unchanged: 4 }, 0)
    );
    assert!(ids(&site).await.contains(&"college-article-900002".to_owned()), "the former stays");
}

async fn only_kinds_with_pages_can_be_drafts(site: Seeded) {
    let (store, drafts) = (site.store().await, Drafts::new());
    let tab = r#"{"kind":"news-tab","id":9,"name":"Nine"}"#;
    drafts.write("tabs.jsonl", tab);
    drafts.write("stocks.jsonl", r#"{"kind":"stock","code":"9999","dataType":30000,"name":"N"}"#);
    let report = drafts.import(&store).await;
    let refused: Vec<_> = report.refused.iter().map(|(_, why)| why.reason.clone()).collect();
    assert_eq!(
        refused,
        ["stock", "news-tab"]
            .map(|kind| format!("kind: {kind:?} has no page of its own and cannot be a draft"))
    );
    for path in
        [drafts.path().join("2.md"), drafts.path().join("none"), drafts.folder.path().join("Sum")]
    {
        if path.ends_with("Sum") {
            fs::create_dir(&path).unwrap();
        }
        let report = import_at(&store, path.clone(), NOW).await;
        assert_eq!((report.files, report.refused.len()), (0, 1), "{path:?}");
    }
    let twice = [drafts.path(), drafts.path().join("../summer")];
    let report = import::run_drafts(&store, &twice, &Clock::fixed(NOW), |_| {}).await.unwrap();
    let last = &report.refused.last().unwrap().1.reason;
    assert_eq!(last, "another folder is the type summer already");
}

async fn draft_is_returned_in_the_requested_locale(site: Seeded) {
    let (store, drafts) = (site.store().await, Drafts::new());
    drafts.import(&store).await;
    let first = draft(&site, "", "ar-sa").await;
    assert_eq!(first.id, "news-900001");
    let Some(Item::Article(article)) = first.item else { panic!("no article") };
    assert_eq!(
        (article.id, &*article.locale, &*article.title),
        (900_001, "ar-sa", "خبر غير منشور")
    );
    assert!(article.body_html.contains("Zyxwvut") && article.sign.is_empty());
    let codes: Vec<_> = article.stocks.iter().map(|stock| &*stock.stock_code).collect();
    assert_eq!((codes, article.updated_at, article.read_count), (vec!["2222"], NOW, 0));

    for (id, kind, parents) in [
        ("college-article-900002", "college-article", (101, 1)),
        ("company-article-900003", "company-article", (0, 0)),
    ] {
        let Some(Item::CollegeArticle(article)) = draft(&site, id, "ar-sa").await.item else {
            panic!("{id} is no article of the college")
        };
        assert_eq!((&*article.kind, &*article.locale), (kind, "en-us"), "in the language it has");
        assert_eq!((article.course_id, article.category_id), parents);
        assert!(article.body_html.contains("Zyxwvut"));
    }
    for (id, kind, channel) in [
        ("help-document-900004", "help-document", 9),
        ("legal-document-900005", "legal-document", 0),
    ] {
        let Some(Item::HelpDocument(document)) = draft(&site, id, "en-us").await.item else {
            panic!("{id} is no document")
        };
        assert_eq!((&*document.kind, document.channel_id), (kind, channel));
        assert_eq!(document.available_locales, ["en-us"]);
    }
}

async fn other_rpcs_return_no_drafts(site: Seeded) {
    let (store, drafts) = (site.store().await, Drafts::new());
    let before = store.entry_refs(EntryKind::News, 0, 10_000, u32::MAX).await.unwrap().len();
    drafts.import(&store).await;
    assert_eq!(store.entry_refs(EntryKind::News, 0, 10_000, u32::MAX).await.unwrap().len(), before);

    let article = wire::GetArticleRequest { id: 900_001, ..Default::default() };
    let status = site.news().get_article(article).await.unwrap_err();
    assert_eq!(code(&status), ErrorCode::ArticleNotFound);
    for id in ["900002", "900003", "draft-900002"] {
        let request =
            wire::GetCollegeArticleRequest { article_id: id.into(), ..Default::default() };
        let status = site.college().get_college_article(request).await.unwrap_err();
        assert_eq!(code(&status), ErrorCode::CourseNotFound, "{id}");
    }
    for id in ["900004", "900005", "draft-900005"] {
        let request = wire::GetHelpDocumentRequest { id: id.into(), ..Default::default() };
        let status = site.help().get_help_document(request).await.unwrap_err();
        assert_eq!(code(&status), ErrorCode::DocumentNotFound, "{id}");
    }
    let legal = wire::ListLegalDocumentsRequest { locale: "en-us".into() };
    let legal = site.help().list_legal_documents(legal).await.unwrap().into_inner().items;
    assert!(!legal.is_empty() && legal.iter().all(|document| document.id < 900_000));
    let newest = wire::ListArticlesRequest { size: 50, ..Default::default() };
    let newest = site.news().list_articles(newest).await.unwrap().into_inner().items;
    assert!(!newest.is_empty() && newest.iter().all(|article| article.id < 900_000));

    // Publishing an item with the same id does not affect the draft.
    let published = tempfile::tempdir().unwrap();
    let file = published.path().join("1.md");
    fs::write(&file, news(900_001, "en-us", "Published").replace("2027", "2026")).unwrap();
    import::run(&store, &[file], &Clock::fixed(NOW), |_| {}).await.unwrap();
    let article = wire::GetArticleRequest { id: 900_001, ..Default::default() };
    let article = site.news().get_article(article).await.unwrap().into_inner().article.unwrap();
    assert_eq!(
        (&*article.title, &*article.available_locales),
        ("Published", &["en-us".to_owned()][..])
    );
    let Some(Item::Article(article)) = draft(&site, "news-900001", "en-us").await.item else {
        panic!("no article")
    };
    assert_eq!(article.title, "Draft news");
}

async fn invalid_and_missing_drafts_are_reported(site: Seeded) {
    for draft_type in ["", "Summer", "../etc", "a b"] {
        let request = wire::ListDraftsRequest { r#type: draft_type.into(), ..Default::default() };
        let status = site.drafts().list_drafts(request).await.unwrap_err();
        assert_eq!(
            (code(&status), fields(&status)),
            (ErrorCode::Parameter, vec!["type".to_owned()])
        );
    }
    assert_eq!(ids(&site).await, Vec::<String>::new());
    Drafts::new().import(&site.store().await).await;
    for (draft_type, id) in
        [("winter", ""), ("summer", "news-1"), ("summer", "stock-1"), ("summer", "900001")]
    {
        let status = site.drafts().get_draft(request(draft_type, id, "")).await.unwrap_err();
        assert_eq!(code(&status), ErrorCode::NotFound, "{draft_type} {id}");
    }
}

async fn drafts_are_paged_by_their_own_cursor(site: Seeded) {
    let (store, drafts) = (site.store().await, Drafts::new());
    drafts.import(&store).await;
    let page = async |draft_type: &str, size, cursor: &str| {
        let request = wire::ListDraftsRequest {
            r#type: draft_type.into(),
            size,
            cursor: cursor.into(),
            ..Default::default()
        };
        site.drafts().list_drafts(request).await.map(Response::into_inner)
    };
    let (mut paged, mut cursor) = (Vec::new(), String::new());
    loop {
        let found = page("summer", 2, &cursor).await.unwrap();
        assert!((1..=2).contains(&found.items.len()));
        paged.extend(found.items);
        if found.next_cursor.is_empty() {
            break;
        }
        cursor = found.next_cursor;
    }
    assert_eq!(paged, page("summer", 0, "").await.unwrap().items);
    assert_eq!(paged.len(), 5);
    for (draft_type, size, cursor, field) in [
        ("winter", 2, cursor.as_str(), "cursor"),
        ("summer", 2, "2", "cursor"),
        ("summer", 101, "", "size"),
    ] {
        assert_eq!(fields(&page(draft_type, size, cursor).await.unwrap_err()), [field]);
    }
}
