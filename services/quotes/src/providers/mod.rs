//! Market-data providers.

pub mod http;
pub mod resilient;
pub mod simulated;

use std::sync::Arc;

use sahm_chassis::error::Result;

use crate::domain::{
    CorporateEvent, DateRange, DaySeries, IndexQuote, Quote, Security, SeriesSubject,
};

/// A market-data provider.
#[tonic::async_trait]
pub trait QuoteProvider: Send + Sync + 'static {
    /// The last quotes of securities, in any order; one that the provider does not have may be
    /// left out.
    ///
    /// # Errors
    /// `Unavailable` or `Timeout`: the provider does not respond, or responds with an error.
    async fn quotes(&self, securities: Vec<Arc<Security>>) -> Result<Vec<Quote>>;

    /// The last values of the indices; empty if the provider offers none.
    ///
    /// # Errors
    /// Same as [`QuoteProvider::quotes`].
    async fn indices(&self) -> Result<Vec<IndexQuote>> {
        Ok(Vec::new())
    }

    /// Day series of securities and indices, in any order; one without a series is left out.
    ///
    /// # Errors
    /// Same as [`QuoteProvider::quotes`].
    async fn day_series(&self, _: Vec<SeriesSubject>) -> Result<Vec<DaySeries>> {
        Ok(Vec::new())
    }

    /// The corporate events of securities in a range of dates, in any order; empty if the provider
    /// offers none.
    ///
    /// # Errors
    /// Same as [`QuoteProvider::quotes`].
    async fn corporate_events(
        &self,
        _: Vec<Arc<Security>>,
        _: DateRange,
    ) -> Result<Vec<CorporateEvent>> {
        Ok(Vec::new())
    }
}
