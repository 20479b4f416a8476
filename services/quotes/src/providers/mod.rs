//! Where quotes come from.

pub mod guard;
pub mod http;
pub mod simulated;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use sahm_chassis::error::Result;

use crate::domain::{Quote, Security};

/// A market-data provider.
pub trait QuoteProvider: Send + Sync + 'static {
    /// The last quotes of securities, in any order; one that the provider does not have may be
    /// left out.
    ///
    /// Errors: `Unavailable` or `Timeout` when it does not answer as it should.
    fn quotes(&self, securities: Vec<Arc<Security>>) -> BoxFuture<'_, Result<Vec<Quote>>>;
}
