//! The program `sahm-content` as an operator runs it.
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

on_both_engines!(
    an_operator_imports_and_withdraws_while_the_service_runs,
    an_operator_imports_and_discards_drafts,
);

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

fn said(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap().trim()
}

async fn an_operator_imports_and_withdraws_while_the_service_runs(base: Base) {
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
    assert_eq!(said(&output.stdout), "1 files: 1 added, 0 changed, 0 unchanged; 0 refused");
    assert_eq!(said(&output.stderr), "");
    assert!(is_published(&store).await);

    fs::write(folder.path().join("bad.md"), good.replace("title", "tittle")).unwrap();
    let output = run(&base, &["import", path]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(said(&output.stdout), "2 files: 0 added, 0 changed, 1 unchanged; 1 refused");
    assert!(said(&output.stderr).starts_with(&format!("{path}/bad.md:5: unknown field `tittle`")));

    let output = run(&base, &["withdraw", "70", "71"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(said(&output.stdout), "1 withdrawn");
    assert_eq!(said(&output.stderr), "71: there is no such item");
    assert_eq!(changes(&store).await.len(), before + 2);

    for (kind, id) in
        [("college-article", "1001"), ("help-document", "142"), ("image-banner", "6001")]
    {
        for left in ["1 withdrawn", "0 withdrawn"] {
            let output = run(&base, &["withdraw", "--kind", kind, id]);
            assert_eq!((output.status.code(), said(&output.stdout)), (Some(0), left), "{kind}");
        }
    }
    assert_eq!(changes(&store).await.len(), before + 5);
    context.lifecycle.drain();
}

async fn an_operator_imports_and_discards_drafts(base: Base) {
    let folder = tempfile::tempdir().unwrap();
    let spring = folder.path().join("spring");
    fs::create_dir(&spring).unwrap();
    let good = "---\nid: 70\nkind: news\nlocale: en-us\ntitle: T\nsummary: S\n\
                publishedAt: 2026-11-20T09:00:00Z\n---\nText\n";
    fs::write(spring.join("good.md"), good).unwrap();
    let path = spring.to_str().unwrap();

    let output = run(&base, &["import", "--draft", path]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(said(&output.stdout), "1 files: 1 added, 0 changed, 0 unchanged, 0 gone; 0 refused");
    let store = base.open().await;
    assert!(!is_published(&store).await);
    assert_eq!(changes(&store).await.len(), 0);

    let output = run(&base, &["import", "--draft", spring.join("good.md").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output.stderr).ends_with("is no folder: drafts are imported by folder"));

    let output = run(&base, &["discard", "spring", "autumn"]);
    assert_eq!((output.status.code(), said(&output.stdout)), (Some(0), "1 discarded"));
    assert_eq!(said(&output.stderr), "autumn: there are no such drafts");
}

#[test]
fn wrong_use_is_told() {
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
    assert!(said(&wrong.stderr).contains("SAHM_DATABASE_URL"));
    let settings = run(&base, &["--print-settings"]);
    assert!(said(&settings.stdout).contains("SAHM_DATA_DIR="));
    assert_eq!(run(&base, &["import", "/no/such/folder"]).status.code(), Some(1));
}
