//! Keeps the index as the store is.
use std::{collections::BTreeSet, sync::Arc, time::Duration};

use sahm_chassis::{Error, Result, changes::ChangeLog};
use sahm_proto::changes::v1::{WatchChangesRequest, change_log_service_server::ChangeLogService};
use tokio::sync::watch;
use tokio_stream::StreamExt;
use tonic::Request;

use super::{Inner, Source, Thesaurus};
use crate::domain::{Shelf, tags};

/// How many pages are read at once.
const PAGE: u64 = 200;
/// How long changes that come one upon the other are gathered, and how many of them.
const GATHER: Duration = Duration::from_millis(20);
const GATHERED_MAX: usize = 500;
/// After a failure.
const PAUSE: Duration = Duration::from_millis(500);

/// Builds the index and follows the log; ends only with the process.
pub(super) async fn follow(inner: Arc<Inner>, log: ChangeLog, built: watch::Sender<bool>) {
    let mut known = None;
    loop {
        if let Err(error) = step(&inner, &log, &built, &mut known).await {
            tracing::warn!(error = ?error, "search index does not follow");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// From where the index stands, until the log cannot be read.
async fn step(
    inner: &Arc<Inner>,
    log: &ChangeLog,
    built: &watch::Sender<bool>,
    known: &mut Option<(String, u64)>,
) -> Result<()> {
    let (log_id, after) = match known.take() {
        Some(position) => position,
        None => {
            let position = log.newest().await?;
            rebuild(inner).await?;
            built.send_replace(true);
            position
        }
    };
    *known = Some((log_id.clone(), after));
    let asked = WatchChangesRequest { log_id: log_id.clone(), after };
    let mut changes = log
        .watch_changes(Request::new(asked))
        .await
        .map_err(|status| Error::from(&status))?
        .into_inner();
    while let Some(first) = changes.next().await {
        let mut seen = after;
        let mut named = BTreeSet::new();
        let mut next = Some(first);
        let mut gathered = 0;
        while let Some(message) = next.take() {
            let message = message.map_err(|status| Error::from(&status))?;
            if message.reset {
                *known = None;
                return Ok(());
            }
            if let Some(change) = message.change {
                seen = message.sequence;
                named.extend(change.tags);
            }
            gathered += 1;
            if gathered < GATHERED_MAX {
                next = tokio::time::timeout(GATHER, changes.next()).await.ok().flatten();
            }
        }
        if !named.is_empty() {
            // What fails here is done again from the same place.
            refresh(inner, &named).await?;
            *known = Some((log_id.clone(), seen));
        }
    }
    Ok(())
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
