//! Imports of real files into a real store.
use std::{fs, os::unix::fs::symlink, path::Path};

use sahm_chassis::clock::Clock;
use sahm_content::{
    domain::{EntryKind, List, Locale, Market, MediaName},
    import::{self, Progress, Report},
    store::{ContentStore, ImportSummary},
};
use tempfile::TempDir;

use crate::{
    on_both_engines,
    support::{Base, NOW, article, changes, tags},
};

on_both_engines!(
    repeated_import_changes_nothing,
    refused_file_is_reported_and_others_are_imported,
    file_is_imported_completely_or_not_at_all,
    attacks_are_removed_at_import,
);

const SVG: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="675"/>"#;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn markdown(id: u64, locale: &str, more: &str, body: &str) -> String {
    format!(
        "---\nid: {id}\nkind: news\nlocale: {locale}\nmarket: us\ntitle: \"Title {id}\"\n\
         summary: \"One sentence.\"\npublishedAt: 2026-11-20T09:00:00+03:00\n{more}---\n{body}"
    )
}

async fn import(store: &ContentStore, path: &Path) -> Report {
    import::run(store, &[path.to_owned()], &Clock::fixed(NOW), |_| {}).await.unwrap()
}

/// Name, line and reason of each refused file.
fn refusals(report: &Report) -> Vec<(String, Option<usize>, String)> {
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    report
        .refused
        .iter()
        .map(|(path, refusal)| (name(path), refusal.line, refusal.reason.clone()))
        .collect()
}

async fn titles(store: &ContentStore) -> Vec<String> {
    let page = store
        .entries(EntryKind::News, List::All.as_str(), Some(Locale::EnUs), None, 50, NOW)
        .await
        .unwrap();
    page.items.into_iter().map(|entry| entry.text().unwrap().title.clone()).collect()
}

async fn repeated_import_changes_nothing(base: Base) {
    let store = base.open().await;
    let image = "image: images/a.svg\nimageAlt: \"A line\"\n";
    let folder = folder(&[
        ("us/1.en-us.md", &markdown(1, "en-us", image, "One\n\n![B](images/a.svg \"C\")\n")),
        ("us/1.ar-sa.md", &markdown(1, "ar-sa", "", "واحد")),
        ("us/images/a.svg", SVG),
        (
            "more.jsonl",
            concat!(
                r#"{"kind":"news-tab","id":1,"name":"All","nameSa":"الكل","market":"all"}"#,
                "\n\n",
                r#"{"kind":"news","id":2,"locale":"en-us","title":"Two","summary":"S","publishedAt":"2026-11-20T09:00:00Z","body":"Text","image":"us/images/a.svg","imageAlt":"A"}"#,
                "\n"
            ),
        ),
        ("notes.txt", "not imported"),
        (".hidden.md", "not imported"),
    ]);
    let first = import(&store, folder.path()).await;
    assert_eq!(refusals(&first), []);
    assert_eq!(
        (first.files, first.summary),
        (3, ImportSummary { added: 4, changed: 0, unchanged: 0 })
    );
    let mut stored = store.entry(EntryKind::News, 1, Locale::EnUs, NOW).await.unwrap().unwrap();
    let image = article(&mut stored.entry).image.clone().unwrap();
    let (picture, name) = (&image.picture, MediaName::parse(&image.picture.name).unwrap());
    assert_eq!((picture.width, picture.height, image.alt.as_str()), (1200, 675, "A line"));
    let path = name.path();
    assert_eq!(
        stored.entry.body_html,
        format!(
            "<p>One</p>\n<figure><img src=\"{path}\" alt=\"B\" width=\"1200\" height=\"675\" \
             loading=\"lazy\" decoding=\"async\"><figcaption>C</figcaption></figure>\n"
        )
    );
    let stored = store.media(&name).await.unwrap();
    assert_eq!(stored, Some(("image/svg+xml".into(), SVG.into())));

    let log = changes(&store).await;
    let second = import(&store, folder.path()).await;
    assert_eq!(second.summary, ImportSummary { added: 0, changed: 0, unchanged: 4 });
    assert_eq!(changes(&store).await, log);

    // A change of one file purges only its contents.
    let text = markdown(1, "en-us", "", "Another").replace("market: us", "market: saudi");
    fs::write(folder.path().join("us/1.en-us.md"), text).unwrap();
    let third = import(&store, folder.path()).await;
    assert_eq!(third.summary, ImportSummary { added: 0, changed: 1, unchanged: 3 });
    let named = tags(&["news:1", "news:list:all", "news:list:us", "news:list:saudi"]);
    assert_eq!(changes(&store).await.last(), Some(&named));
    let mut stored = store.entry(EntryKind::News, 1, Locale::EnUs, NOW).await.unwrap().unwrap();
    assert_eq!(article(&mut stored.entry).market, Market::Saudi);
}

async fn refused_file_is_reported_and_others_are_imported(base: Base) {
    let store = base.open().await;
    let folder = folder(&[
        ("01.md", &markdown(1, "en-us", "", "Text")),
        ("02.md", &markdown(2, "en-us", "colour: red\n", "Text")),
        ("03.md", "no front matter"),
        ("04.md", &markdown(4, "en-us", "", "a\nb\u{7}")),
        ("05.md", &markdown(5, "de-de", "", "Text")),
        ("06.md", &markdown(6, "en-us", "image: images/none.svg\nimageAlt: A\n", "Text")),
        ("07.md", &markdown(7, "en-us", "image: images/bad.svg\nimageAlt: A\n", "Text")),
        ("08.md", &markdown(8, "en-us", "", "  \n")),
        ("09.md", &markdown(1, "en-us", "", "Again")),
        ("10.md", &markdown(10, "en-us", "", "![A](../out.svg)")),
        ("11.md", &markdown(11, "en-us", "title: Twice\n", "Text")),
        ("12.md", &markdown(12, "en-us", "", "Text").replace("kind: news", "kind: page")),
        ("13.md", &markdown(13, "en-us", "", "Text").replace("id: 13", "id: thirteen")),
        ("14.md", &markdown(14, "en-us", "", "Text").replace("2026-11-20T09", "2026-31-20T09")),
        ("15.md", &markdown(15, "en-us", "", &"long ".repeat(110_000))),
        ("16.md", &markdown(16, "en-us", "author: [a, b]\n", "Text")),
        ("17.md", "---\n: {[\n---\n"),
        ("18.jsonl", ""),
        ("19.md", &markdown(19, "en-us", "", "Text")),
        ("images/bad.svg", &SVG.replace("/>", "><script/></svg>")),
    ]);
    fs::write(folder.path().join("20.md"), b"---\nid: 1\ntitle: \xff\n").unwrap();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("out.svg"), SVG).unwrap();
    symlink(outside.path().join("out.svg"), folder.path().join("linked.svg")).unwrap();
    fs::write(folder.path().join("21.md"), markdown(21, "en-us", "", "![A](linked.svg)")).unwrap();
    symlink(folder.path(), folder.path().join("loop")).unwrap();

    let report = import(&store, folder.path()).await;
    let refused = refusals(&report);
    let table: [(&str, Option<usize>, &str); 19] = [
        ("02.md", Some(9), "unknown field `colour`"),
        ("03.md", Some(1), "front matter is missing"),
        ("04.md", Some(11), "control characters"),
        ("05.md", Some(4), "locale: is neither en-us nor ar-sa"),
        ("06.md", Some(9), "image: picture images/none.svg: there is no such file"),
        ("07.md", Some(9), "image: picture images/bad.svg: holds the element script"),
        ("08.md", Some(10), "the text is empty"),
        ("09.md", None, "news 1 en-us came with"),
        ("10.md", Some(10), "picture ../out.svg: there is no such file"),
        ("11.md", Some(6), "duplicate field `title`"),
        ("12.md", Some(3), "kind: \"page\" is no kind of text"),
        ("13.md", Some(2), "id: invalid type: string \"thirteen\""),
        ("14.md", Some(8), "publishedAt: is not an RFC 3339 time"),
        ("15.md", Some(10), "longer than 512 KB"),
        ("16.md", Some(9), "author: invalid type: sequence"),
        ("17.md", Some(2), ""),
        ("18.jsonl", None, "holds no records"),
        ("20.md", Some(3), "is not UTF-8 text"),
        ("21.md", Some(10), "picture linked.svg: leaves the imported folder"),
    ];
    for ((name, line, reason), (expected, at, part)) in refused.iter().zip(table) {
        assert_eq!(name, expected);
        assert!(reason.contains(part), "{name}: {reason}");
        // The YAML parser reports a duplicate key at a different line.
        if name != "11.md" {
            assert_eq!(*line, at, "{name}: {reason}");
        }
    }
    assert_eq!(refused.len(), table.len(), "{refused:#?}");
    assert_eq!(titles(&store).await, ["Title 19", "Title 1"]);
}

async fn file_is_imported_completely_or_not_at_all(base: Base) {
    let store = base.open().await;
    let line = |id: u64, more: &str| {
        format!(
            r#"{{"kind":"news","id":{id},"locale":"en-us","title":"Title {id}","summary":"S","publishedAt":"2026-11-20T09:00:00Z","body":"Text"{more}}}"#
        )
    };
    let good = [line(1, ""), line(2, ""), line(3, "")].join("\n");
    let table = [
        ([line(1, ""), line(2, ""), "{".into()].join("\n"), 3, "EOF"),
        ([line(1, ""), line(2, r#","colour":"red""#)].join("\n"), 2, "unknown field `colour`"),
        ([line(1, ""), String::new(), line(0, "")].join("\n"), 3, "id: is not between"),
        ([line(1, ""), line(2, ""), line(1, "")].join("\n"), 3, "news 1 en-us stands on line 1"),
        ([line(1, ""), r#"{"id":4}"#.into()].join("\n"), 2, "missing field `kind`"),
        ([line(1, ""), r#"{"kind":"x"}"#.into()].join("\n"), 2, "is no kind of record"),
        (
            [line(1, ""), r#"{"kind":"news-tab","id":1,"name":" "}"#.into()].join("\n"),
            2,
            "name: is empty",
        ),
        ([line(1, ""), line(2, "").replace("Text", "")].join("\n"), 2, "the text is empty"),
        (format!("{}\n[{}", line(1, ""), "[".repeat(100_000)), 2, ""),
        (format!("{}\n{}", line(1, ""), "x".repeat(1 << 21)), 2, "longer than 1 MB"),
    ];
    for (text, line, part) in table {
        let folder = folder(&[("a.jsonl", &text)]);
        let refused = refusals(&import(&store, folder.path()).await);
        assert_eq!(refused.len(), 1);
        assert!(refused[0].1 == Some(line) && refused[0].2.contains(part), "{refused:?}");
    }
    assert_eq!(titles(&store).await, [""; 0]);
    assert_eq!(changes(&store).await.len(), 0);

    let folder = folder(&[("a.jsonl", &good)]);
    assert_eq!(import(&store, &folder.path().join("a.jsonl")).await.summary.added, 3);
    assert_eq!(changes(&store).await.len(), 1);
    fs::write(folder.path().join("a.jsonl"), [good.replace("Title", "New"), "x".into()].join("\n"))
        .unwrap();
    assert_eq!(import(&store, folder.path()).await.refused.len(), 1);
    assert_eq!(titles(&store).await, ["Title 3", "Title 2", "Title 1"]);
    assert_eq!(changes(&store).await.len(), 1);
}

async fn attacks_are_removed_at_import(base: Base) {
    let store = base.open().await;
    let body = concat!(
        "Text <script>alert(1)</script>\n\n",
        "<img src=x onerror=alert(1)>\n\n",
        "![a](https://evil.example/a.png)\n\n",
        "[a](javascript:alert(1)) [b](//evil.example) [c](/ar-sa/news)\n\n",
        "<iframe src=\"https://evil.example\"></iframe>\n\n",
        "<p style=\"position:fixed\" onclick=\"alert(1)\" id=\"root\" class=\"x\">P</p>\n",
        "<svg><script>alert(1)</script></svg>\n",
        "<a href=\"https://example.com\" target=\"_blank\" rel=\"opener\">d</a>\n",
    );
    let text = markdown(1, "en-us", "", body).replace("Title 1", "<b>Title</b> & more");
    let folder = folder(&[("1.md", &text)]);
    let report = import(&store, folder.path()).await;
    assert_eq!(refusals(&report), []);
    assert_eq!(report.notes.len(), 2);
    let stored = store.entry(EntryKind::News, 1, Locale::EnUs, NOW).await.unwrap().unwrap();
    let article = stored.entry;
    // Plain text is stored unescaped; it is escaped when displayed.
    assert_eq!(article.text().unwrap().title, "<b>Title</b> & more");
    let html = article.body_html;
    for word in [
        "script", "alert", "onerror", "onclick", "evil", "iframe", "style", "class", "id=", "<img",
        "svg", "target", "\"opener", "ar-sa",
    ] {
        assert!(!html.contains(word), "{word} in {html}");
    }
    for part in [
        "<p>P</p>",
        "<a href=\"/news\" rel=\"noopener noreferrer\">c</a>",
        "<a href=\"https://example.com\" rel=\"noopener noreferrer\">d</a>",
    ] {
        assert!(html.contains(part), "{part} not in {html}");
    }
}

#[tokio::test]
async fn paths_without_files_are_reported() {
    let base = Base::sqlite();
    let store = base.open().await;
    let folder = folder(&[("a.txt", "x")]);
    let paths = [folder.path().join("none"), folder.path().join("a.txt")];
    let report = import::run(&store, &paths, &Clock::fixed(NOW), |_| {}).await.unwrap();
    let reasons: Vec<_> = refusals(&report).into_iter().map(|(_, _, reason)| reason).collect();
    assert_eq!(reasons, ["there is no such file", "is neither .md nor .jsonl"]);
}

#[tokio::test]
async fn progress_is_reported_per_file() {
    let base = Base::sqlite();
    let store = base.open().await;
    let folder = folder(&[("1.md", &markdown(1, "en-us", "", "Text")), ("2.md", "bad")]);
    let steps = std::cell::RefCell::new(Vec::new());
    let progress = |step| steps.borrow_mut().push(step);
    import::run(&store, &[folder.path().to_owned()], &Clock::fixed(NOW), progress).await.unwrap();
    assert_eq!(steps.into_inner(), [Progress::Found(2), Progress::Done, Progress::Done]);
}
