//! Keeps the index as the store is.
use std::{collections::BTreeSet, sync::Arc};

use sahm_chassis::{Error, Result};
use tokio::sync::watch;

use super::{Inner, Source, Thesaurus};
use crate::{
    change_subscriber::ChangeSubscriber,
    domain::{Shelf, tags},
};

/// How many pages are read at once.
const PAGE: u64 = 200;

/// Follows for a search.
pub(super) struct IndexSubscriber {
    pub(super) inner: Arc<Inner>,
    /// Told when the first index is built.
    pub(super) built: watch::Sender<bool>,
}

impl ChangeSubscriber for IndexSubscriber {
    async fn rebuild(&self) -> Result<()> {
        rebuild(&self.inner).await?;
        self.built.send_replace(true);
        Ok(())
    }

    async fn refresh(&self, named: &BTreeSet<String>) -> Result<()> {
        refresh(&self.inner, named).await
    }
}

async fn rebuild(inner: &Arc<Inner>) -> Result<()> {
    load_thesaurus(inner).await?;
    blocking(inner, |inner| inner.index.clear()).await?;
    let mut count = 0;
    for source in Source::ALL {
        let mut after = 0;
        loop {
            let pages = inner.store.pages(source, after, PAGE).await?;
            let Some(last) = pages.last() else { break };
            after = last.id;
            count += pages.len();
            blocking(inner, move |inner| inner.index.add(&pages)).await?;
        }
    }
    blocking(inner, |inner| inner.index.commit()).await?;
    tracing::info!(texts = count, "search index built");
    Ok(())
}

async fn refresh(inner: &Arc<Inner>, named: &BTreeSet<String>) -> Result<()> {
    if named.contains(tags::SEARCH_SYNONYMS) {
        load_thesaurus(inner).await?;
    }
    let items: Vec<(Source, u64)> = named.iter().filter_map(|tag| Source::of_tag(tag)).collect();
    if items.is_empty() {
        return Ok(());
    }
    let mut pages = Vec::new();
    for source in Source::ALL {
        let of_source = items.iter().filter(|(of, _)| *of == source);
        let ids: Vec<u64> = of_source.map(|&(_, id)| id).collect();
        if !ids.is_empty() {
            pages.extend(inner.store.pages_of(source, &ids).await?);
        }
    }
    blocking(inner, move |inner| {
        inner.index.remove(&items)?;
        inner.index.add(&pages)?;
        inner.index.commit()
    })
    .await
}

async fn load_thesaurus(inner: &Inner) -> Result<()> {
    let entries = inner.store.shelf(Shelf::Synonyms, inner.clock.now()).await?;
    if let Ok(mut held) = inner.thesaurus.write() {
        *held = Arc::new(Thesaurus::of(&entries));
    }
    Ok(())
}

async fn blocking(
    inner: &Arc<Inner>,
    work: impl FnOnce(&Inner) -> Result<()> + Send + 'static,
) -> Result<()> {
    let inner = inner.clone();
    tokio::task::spawn_blocking(move || work(&inner)).await.map_err(Error::internal)?
}
