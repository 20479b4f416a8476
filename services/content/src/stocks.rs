//! In-memory cache of the securities whose names are detected in texts.
use std::{collections::BTreeSet, sync::Arc};

use arc_swap::ArcSwap;
use sahm_chassis::{
    Result,
    changes::{self, ChangeLog},
    clock::Clock,
    lifecycle::Lifecycle,
};

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
    log: ChangeLog,
    clock: Clock,
    names: ArcSwap<StockNames>,
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
        let names = ArcSwap::from_pointee(StockNames::new(stocks(&store, &clock).await?));
        let inner = Inner { store, log: log.clone(), clock, names };
        let book = Self { inner: Arc::new(inner) };
        lifecycle.spawn_until_drain("stock names", subscribe("stock names", log, book.clone()));
        Ok(book)
    }

    pub(crate) fn names(&self) -> Arc<StockNames> {
        self.inner.names.load_full()
    }
}

impl ChangeSubscriber for StockBook {
    /// Loads the names. If they changed, purges what was rendered with the previous ones since
    /// their import purged it first.
    async fn rebuild(&self) -> Result<()> {
        let Inner { store, log, clock, names } = &*self.inner;
        let stocks = stocks(store, clock).await?;
        if stocks == names.load().stocks() {
            return Ok(());
        }
        let previous = names.swap(Arc::new(StockNames::new(stocks)));
        let tags = [tags::NEWS_STOCKS.to_owned()];
        let purged = store.store().write(async |tx| changes::append(tx, &tags, true).await).await;
        if let Err(error) = purged {
            // The next attempt must find a change again.
            names.store(previous);
            return Err(error);
        }
        log.notify();
        Ok(())
    }

    async fn refresh(&self, named: &BTreeSet<String>) -> Result<()> {
        if named.contains(tags::NEWS_STOCKS) { self.rebuild().await } else { Ok(()) }
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
