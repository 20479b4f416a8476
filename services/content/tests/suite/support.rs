//! Stores on both engines, and sample texts.
use std::{collections::BTreeSet, process::Command, sync::Arc};

use sahm_chassis::{Context, Process, ServiceName, Settings};
use sahm_content::{
    domain::{Bilingual, Entry, EntryData, Locale, Market, NewsArticle, NewsTab, Text},
    store::ContentStore,
};
use sahm_testkit::{Postgres, copy_files};
use sea_orm::{ConnectionTrait, Statement};
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// The current time of the tests in epoch seconds: 2026-11-21.
pub(crate) const NOW: u32 = 1_795_219_200;

/// Runs each case on a fresh database of each engine.
#[macro_export]
macro_rules! on_both_engines {
    ($($case:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                super::$case($crate::support::Base::sqlite()).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                super::$case($crate::support::Base::postgres().await).await;
            })*
        }
    };
}

/// A fresh database.
pub(crate) struct Base {
    folder: Arc<TempDir>,
    url: Option<String>,
}

impl Base {
    pub(crate) fn sqlite() -> Self {
        Self { folder: Arc::new(tempfile::tempdir().unwrap()), url: None }
    }

    pub(crate) async fn postgres() -> Self {
        let url = Postgres::shared().await.unwrap().database().await.unwrap();
        Self { url: Some(url), ..Self::sqlite() }
    }

    /// A copy of a seeded database.
    pub(crate) async fn seeded_sqlite() -> Self {
        static SEEDED: OnceCell<Base> = OnceCell::const_new();
        let seeded = SEEDED.get_or_init(async || Self::sqlite().seed()).await;
        let base = Self::sqlite();
        copy_files(seeded.folder.path(), base.folder.path()).unwrap();
        base
    }

    /// A copy of a seeded database.
    pub(crate) async fn seeded_postgres() -> Self {
        static SEEDED: OnceCell<Base> = OnceCell::const_new();
        let seeded = SEEDED.get_or_init(async || Self::postgres().await.seed()).await;
        let postgres = Postgres::shared().await.unwrap();
        let url = postgres.copy_of(seeded.url.as_ref().unwrap()).await.unwrap();
        Self { url: Some(url), ..Self::sqlite() }
    }

    /// Seeds the database with the program, which leaves no connection open.
    fn seed(self) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sahm-content"));
        let status = command.arg("seed").env_clear().envs(self.pairs()).status().unwrap();
        assert!(status.success(), "seed: {status}");
        self
    }

    /// A handle to the same database.
    pub(crate) fn same(&self) -> Self {
        Self { folder: self.folder.clone(), url: self.url.clone() }
    }

    /// The settings for the database.
    pub(crate) fn pairs(&self) -> Vec<(String, String)> {
        let folder = self.folder.path().to_str().unwrap().to_owned();
        let mut pairs = vec![("SAHM_DATA_DIR".to_owned(), folder)];
        pairs.extend(self.url.clone().map(|url| ("SAHM_DATABASE_URL".to_owned(), url)));
        pairs
    }

    pub(crate) fn context(&self) -> Context {
        self.context_with(&[])
    }

    /// A context with additional settings.
    pub(crate) fn context_with(&self, more: &[(&str, &str)]) -> Context {
        let process = Process::Service(ServiceName::Content);
        let mut pairs = self.pairs();
        pairs.extend(more.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())));
        Context::new(Settings::from_pairs(process, pairs).unwrap())
    }

    pub(crate) async fn open(&self) -> ContentStore {
        let url = self.context().settings.database_url(ServiceName::Content);
        ContentStore::open(&url).await.unwrap()
    }
}

/// A text that was published `NOW - id` seconds ago.
pub(crate) fn text(id: u64, locale: Locale, market: Market) -> Entry {
    let text = Text {
        title: format!("Title {id} {}", locale.as_str()),
        summary: "One sentence.".into(),
        author: "Newsroom".into(),
        reading_minutes: 1,
        ..Text::default()
    };
    Entry {
        id,
        locale: Some(locale),
        slug: String::new(),
        published_at: NOW - u32::try_from(id).unwrap(),
        body_html: "<p>One</p>".into(),
        data: EntryData::News(NewsArticle { text, market, image: None }),
    }
}

pub(crate) fn article(entry: &mut Entry) -> &mut NewsArticle {
    match &mut entry.data {
        EntryData::News(article) => article,
        data => panic!("no article: {data:?}"),
    }
}

pub(crate) fn tab(id: u64, market: Market, position: u32) -> Entry {
    let name = Bilingual { en: "Tab".into(), sa: "تبويب".into() };
    bilingual(id, EntryData::NewsTab(NewsTab { name, market, position }))
}

/// An entry in both languages that is published and has neither slug nor body.
pub(crate) fn bilingual(id: u64, data: EntryData) -> Entry {
    let (slug, body_html) = (String::new(), String::new());
    Entry { id, locale: None, slug, published_at: 0, body_html, data }
}

/// The tags of every change in the log, oldest first.
pub(crate) async fn changes(store: &ContentStore) -> Vec<BTreeSet<String>> {
    changes_of(store, "SELECT tags FROM change_log ORDER BY sequence").await
}

/// The tags of every soft change in the log, oldest first.
pub(crate) async fn soft_changes(store: &ContentStore) -> Vec<BTreeSet<String>> {
    changes_of(store, "SELECT tags FROM change_log WHERE soft ORDER BY sequence").await
}

async fn changes_of(store: &ContentStore, sql: &str) -> Vec<BTreeSet<String>> {
    let db = store.store().reader();
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await;
    let tags = |row: &sea_orm::QueryResult| {
        let text: String = row.try_get("", "tags").unwrap();
        serde_json::from_str(&text).unwrap()
    };
    rows.unwrap().iter().map(tags).collect()
}

pub(crate) fn tags(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}
