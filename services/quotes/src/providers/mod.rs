//! Market-data providers.

pub mod http;
pub mod resilient;
pub mod simulated;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use sahm_chassis::error::Result;

use crate::domain::{
    CorporateEvent, DateRange, DaySeries, IndexQuote, Quote, Security, SeriesSubject,
};

/// A market-data provider.
pub trait QuoteProvider: Send + Sync + 'static {
    /// The last quotes of securities, in any order; one that the provider does not have may be
    /// left out.
    ///
    /// # Errors
    /// `Unavailable` or `Timeout`: the provider does not respond, or responds with an error.
    fn quotes(&self, securities: Vec<Arc<Security>>) -> BoxFuture<'_, Result<Vec<Quote>>>;

    /// The last values of the indices; empty if the provider offers none.
    ///
    /// # Errors
    /// Same as [`QuoteProvider::quotes`].
    fn indices(&self) -> BoxFuture<'_, Result<Vec<IndexQuote>>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Day series of securities and indices, in any order; one without a series is left out.
    ///
    /// # Errors
    /// Same as [`QuoteProvider::quotes`].
    fn day_series(&self, _: Vec<SeriesSubject>) -> BoxFuture<'_, Result<Vec<DaySeries>>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// The corporate events of securities in a range of dates, in any order; empty if the provider
    /// offers none.
    ///
    /// # Errors
    /// Same as [`QuoteProvider::quotes`].
    fn corporate_events(
        &self,
        _: Vec<Arc<Security>>,
        _: DateRange,
    ) -> BoxFuture<'_, Result<Vec<CorporateEvent>>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }
}
