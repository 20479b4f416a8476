//! In-memory cache of the securities whose names are detected in texts.
use std::{
    collections::BTreeSet,
    sync::{Arc, RwLock},
};

use sahm_chassis::{Result, changes::ChangeLog, clock::Clock, lifecycle::Lifecycle};

use crate::{
    change_subscriber::{ChangeSubscriber, subscribe},
    domain::{EntryData, EntryKind, Stock, StockNames, tags},
    store::ContentStore,
};

/// The names by which texts mention securities. Clones share state.
#[derive(Clone)]
pub(crate) struct StockBook {
    inner: Arc<Inner>,
}

struct Inner {
    store: ContentStore,
    clock: Clock,
    names: RwLock<Arc<StockNames>>,
}

impl StockBook {
    /// Loads the names and follows the change log until the process drains.
    ///
    /// # Errors
    /// The store is unavailable.
    pub(crate) async fn start(
        store: ContentStore,
        log: ChangeLog,
        clock: Clock,
        lifecycle: &Lifecycle,
    ) -> Result<Self> {
        let book = Self { inner: Arc::new(Inner { store, clock, names: RwLock::default() }) };
        book.load().await?;
        lifecycle.spawn_until_drain("stock names", subscribe("stock names", log, book.clone()));
        Ok(book)
    }

    pub(crate) fn names(&self) -> Arc<StockNames> {
        self.inner.names.read().map(|names| names.clone()).unwrap_or_default()
    }

    async fn load(&self) -> Result<()> {
        let names = Arc::new(StockNames::new(stocks(&self.inner.store, &self.inner.clock).await?));
        if let Ok(mut held) = self.inner.names.write() {
            *held = names;
        }
        Ok(())
    }
}

impl ChangeSubscriber for StockBook {
    async fn rebuild(&self) -> Result<()> {
        self.load().await
    }

    async fn refresh(&self, named: &BTreeSet<String>) -> Result<()> {
        if named.contains(tags::NEWS_STOCKS) { self.load().await } else { Ok(()) }
    }
}

/// Every security by code.
pub(crate) async fn stocks(store: &ContentStore, clock: &Clock) -> Result<Vec<Stock>> {
    let entries = store.all_of(EntryKind::Stock, clock.now()).await?;
    let mut stocks: Vec<Stock> = entries
        .into_iter()
        .filter_map(|entry| match entry.data {
            EntryData::Stock(stock) => Some(stock),
            _ => None,
        })
        .collect();
    stocks.sort_by(|one, other| (&one.code, one.data_type).cmp(&(&other.code, other.data_type)));
    Ok(stocks)
}
