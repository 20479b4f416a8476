//! The `sahm-content` program, run as an operator runs it.
use std::{
    fs,
    process::{Command, Output},
};

use sahm_chassis::{clock::Clock, service::Service};
use sahm_content::{
    Content,
    domain::{EntryKind, Locale},
    store::ContentStore,
};

use crate::{
    on_both_engines,
    support::{Base, NOW, changes},
};

on_both_engines!(running_service_shows_imports_and_withdrawals, drafts_are_imported_and_discarded,);

fn run(base: &Base, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sahm-content"))
        .env_clear()
        .envs(base.pairs())
        .args(arguments)
        .output()
        .unwrap()
}

async fn is_published(store: &ContentStore) -> bool {
    store.entry(EntryKind::News, 70, Locale::EnUs, NOW).await.unwrap().is_some()
}

fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap().trim()
}

async fn running_service_shows_imports_and_withdrawals(base: Base) {
    let context = base.context();
    Content::start(&context, Clock::system()).await.unwrap();
    let store = base.open().await;
    let before = changes(&store).await.len();
    let folder = tempfile::tempdir().unwrap();
    let good = "---\nid: 70\nkind: news\nlocale: en-us\ntitle: T\nsummary: S\n\
                publishedAt: 2026-11-20T09:00:00Z\n---\nText\n";
    fs::write(folder.path().join("good.md"), good).unwrap();
    let path = folder.path().to_str().unwrap();

    let output = run(&base, &["import", path]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(utf8(&output.stdout), "1 files: 1 added, 0 changed, 0 unchanged; 0 refused");
    assert_eq!(utf8(&output.stderr), "");
    assert!(is_published(&store).await);

    fs::write(folder.path().join("bad.md"), good.replace("title", "tittle")).unwrap();
    let output = run(&base, &["import", path]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(utf8(&output.stdout), "2 files: 0 added, 0 changed, 1 unchanged; 1 refused");
    assert!(utf8(&output.stderr).starts_with(&format!("{path}/bad.md:5: unknown field `tittle`")));

    let output = run(&base, &["withdraw", "70", "71"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(utf8(&output.stdout), "1 withdrawn");
    assert_eq!(utf8(&output.stderr), "71: there is no such item");
    assert_eq!(changes(&store).await.len(), before + 2);

    for (kind, id) in
        [("college-article", "1001"), ("help-document", "142"), ("image-banner", "6001")]
    {
        for left in ["1 withdrawn", "0 withdrawn"] {
            let output = run(&base, &["withdraw", "--kind", kind, id]);
            assert_eq!((output.status.code(), utf8(&output.stdout)), (Some(0), left), "{kind}");
        }
    }
    assert_eq!(changes(&store).await.len(), before + 5);
    context.lifecycle.drain();
}

async fn drafts_are_imported_and_discarded(base: Base) {
    let folder = tempfile::tempdir().unwrap();
    let spring = folder.path().join("spring");
    fs::create_dir(&spring).unwrap();
    let good = "---\nid: 70\nkind: news\nlocale: en-us\ntitle: T\nsummary: S\n\
                publishedAt: 2026-11-20T09:00:00Z\n---\nText\n";
    fs::write(spring.join("good.md"), good).unwrap();
    let path = spring.to_str().unwrap();

    let output = run(&base, &["import", "--draft", path]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(utf8(&output.stdout), "1 files: 1 added, 0 changed, 0 unchanged, 0 gone; 0 refused");
    let store = base.open().await;
    assert!(!is_published(&store).await);
    assert_eq!(changes(&store).await.len(), 0);

    let output = run(&base, &["import", "--draft", spring.join("good.md").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(utf8(&output.stderr).ends_with("is no folder: drafts are imported by folder"));

    let output = run(&base, &["discard", "spring", "autumn"]);
    assert_eq!((output.status.code(), utf8(&output.stdout)), (Some(0), "1 discarded"));
    assert_eq!(utf8(&output.stderr), "autumn: there are no such drafts");
}

#[test]
fn invalid_arguments_are_reported() {
    let base = Base::sqlite();
    for arguments in [
        &["import"][..],
        &["withdraw"],
        &["withdraw", "x"],
        &["withdraw", "--kind", "cake", "1"],
        &["discard"],
        &["discard", "A type"],
        &["bake"],
    ] {
        assert_eq!(run(&base, arguments).status.code(), Some(2), "{arguments:?}");
    }
    let wrong = Command::new(env!("CARGO_BIN_EXE_sahm-content"))
        .env_clear()
        .env("SAHM_DATABASE_URL", "mysql://x")
        .args(["import", "."])
        .output()
        .unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(utf8(&wrong.stderr).contains("SAHM_DATABASE_URL"));
    let settings = run(&base, &["--print-settings"]);
    assert!(utf8(&settings.stdout).contains("SAHM_DATA_DIR="));
    assert_eq!(run(&base, &["import", "/no/such/folder"]).status.code(), Some(1));
}
