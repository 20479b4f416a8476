//! Keeps the index up to date with the store.
use std::{collections::BTreeSet, sync::Arc};

use sahm_chassis::Result;

use super::{Inner, Search, Thesaurus};
use crate::{
    change_subscriber::ChangeSubscriber,
    domain::{EntryKind, tags},
};

/// Number of entries per query.
const PAGE_SIZE: u64 = 200;

impl ChangeSubscriber for Search {
    async fn rebuild(&self) -> Result<()> {
        let inner = &self.inner;
        load_thesaurus(inner).await?;
        self.blocking(|inner| inner.index.clear()).await?;
        let mut count = 0;
        for kind in EntryKind::searched() {
            let mut after = 0;
            loop {
                let documents = inner.store.search_documents(kind, after, PAGE_SIZE).await?;
                let Some(last) = documents.last() else { break };
                after = last.id;
                count += documents.len();
                self.blocking(move |inner| inner.index.add(&documents)).await?;
            }
        }
        self.blocking(|inner| inner.index.commit()).await?;
        tracing::info!(texts = count, "search index built");
        inner.is_built.send_replace(true);
        Ok(())
    }

    async fn refresh(&self, named: &BTreeSet<String>) -> Result<()> {
        let inner = &self.inner;
        if named.contains(tags::SEARCH_SYNONYMS) {
            load_thesaurus(inner).await?;
        }
        let items: Vec<(EntryKind, u64)> =
            named.iter().filter_map(|tag| EntryKind::of_tag(tag)).collect();
        if items.is_empty() {
            return Ok(());
        }
        let mut documents = Vec::new();
        for kind in EntryKind::searched() {
            let ids = items.iter().filter(|(of, _)| *of == kind).map(|&(_, id)| id);
            documents.extend(inner.store.search_documents_of(kind, &Vec::from_iter(ids)).await?);
        }
        self.blocking(move |inner| {
            inner.index.remove(&items)?;
            inner.index.add(&documents)?;
            inner.index.commit()
        })
        .await
    }
}

async fn load_thesaurus(inner: &Inner) -> Result<()> {
    let entries = inner.store.all_of(EntryKind::SearchSynonyms, inner.clock.now()).await?;
    inner.thesaurus.store(Arc::new(Thesaurus::of(&entries)));
    Ok(())
}
