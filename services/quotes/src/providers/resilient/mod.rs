//! A provider that may be slow or unavailable, with single-flight calls, a cache of one second and a circuit
//! breaker. While it fails, the last known quotes are returned, marked as old.

mod breaker;
mod event_cache;
mod price_age;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared, join_all},
};
use sahm_chassis::{
    clock::Clock,
    error::{Error, Result},
    telemetry::Observed,
};
use tracing::Instrument;

use self::{breaker::Breaker, event_cache::EventCache, price_age::PriceAges};
use super::QuoteProvider;
use crate::domain::{
    Calendar, CorporateEvent, DateRange, DaySeries, IndexQuote, Market, Quote, Security,
    SecurityCode, SeriesSubject, Session,
};

/// Lifetime of a quote in the cache, in milliseconds.
const TTL_MS: u64 = 1_000;

/// A call in progress, which all callers share; its output is whether it succeeded.
type SharedCall = Shared<BoxFuture<'static, bool>>;

/// A provider behind a cache and a circuit breaker.
pub struct ResilientProvider {
    inner: Arc<Inner>,
}

struct Inner {
    provider: Box<dyn QuoteProvider>,
    clock: Clock,
    state: Mutex<State>,
    events: EventCache,
}

struct State {
    cached: HashMap<SecurityCode, CachedQuote>,
    in_flight: HashMap<SecurityCode, SharedCall>,
    breaker: Breaker,
    ages: PriceAges,
}

impl State {
    /// Whether the cached quote may be used at `now`, in epoch milliseconds.
    fn is_fresh(&self, code: &SecurityCode, now: u64) -> bool {
        self.cached.get(code).is_some_and(|cached| now < cached.fetched_at + TTL_MS)
    }
}

struct CachedQuote {
    quote: Quote,
    /// Epoch milliseconds.
    fetched_at: u64,
}

impl ResilientProvider {
    /// Wraps a provider; nothing is cached yet.
    pub fn new(provider: impl QuoteProvider, clock: Clock) -> Self {
        let state = State {
            cached: HashMap::new(),
            in_flight: HashMap::new(),
            breaker: Breaker::default(),
            ages: PriceAges::new(clock.now_millis()),
        };
        let (provider, state) = (Box::new(provider), Mutex::new(state));
        let events = EventCache::default();
        Self { inner: Arc::new(Inner { provider, clock, state, events }) }
    }

    /// Exports whether the circuit is open, and the age of each market's prices while it trades.
    pub fn show_metrics(&self, calendar: &Calendar) {
        let inner = || Arc::downgrade(&self.inner);
        Observed::of("quotes.circuit_breaker.open", "1 while calls of the provider are rejected")
            .gauge(inner(), |inner| u64::from(inner.state().breaker.is_open()));
        for market in Market::ALL {
            let calendar = calendar.clone();
            Observed::of("quotes.price.age", "Age of an open market's prices; 0 while they arrive")
                .in_unit("s")
                .labelled(&[("market", market.into_str())])
                .gauge(inner(), move |inner| inner.price_age(market, &calendar));
        }
    }

    /// Returns the calls in flight for these securities, and starts one for the others.
    fn join_or_call(&self, securities: &[Arc<Security>]) -> Vec<SharedCall> {
        let mut state = self.inner.state();
        let now = self.inner.clock.now_millis();
        let mut waiting = Vec::new();
        let mut missing = Vec::new();
        for security in securities {
            if let Some(call) = state.in_flight.get(&security.code) {
                waiting.push(call.clone());
            } else if !state.is_fresh(&security.code, now) {
                missing.push(security.clone());
            }
        }
        if missing.is_empty() {
            return waiting;
        }
        if !state.breaker.allows(now) {
            waiting.push(std::future::ready(false).boxed().shared());
            return waiting;
        }
        let call = ProviderCall { inner: self.inner.clone(), securities: missing };
        // A task, so that a caller's cancellation does not end the call for the others.
        let task = tokio::spawn(call.run().in_current_span());
        let call = task.map(|ended| ended.unwrap_or(false)).boxed().shared();
        // The task needs this lock to finish, so it cannot remove its entries before they are added.
        for security in securities {
            if !state.is_fresh(&security.code, now) {
                state.in_flight.entry(security.code.clone()).or_insert_with(|| call.clone());
            }
        }
        waiting.push(call);
        waiting
    }
}

#[tonic::async_trait]
impl QuoteProvider for ResilientProvider {
    async fn quotes(&self, securities: Vec<Arc<Security>>) -> Result<Vec<Quote>> {
        let calls = self.join_or_call(&securities);
        let succeeded = !join_all(calls).await.contains(&false);
        let state = self.inner.state();
        let now = self.inner.clock.now_millis();
        let quotes = securities.iter().filter_map(|security| {
            let CachedQuote { quote, fetched_at } = state.cached.get(&security.code)?;
            // The catalogue may have changed since.
            let quote = Quote { security: security.clone(), ..quote.clone() };
            let fresh = succeeded || now < fetched_at + TTL_MS;
            Some(if fresh { quote } else { quote.aged() })
        });
        let quotes = quotes.collect::<Vec<_>>();
        if quotes.is_empty() && !securities.is_empty() {
            return Err(Error::unavailable("no quote is known"));
        }
        Ok(quotes)
    }

    async fn indices(&self) -> Result<Vec<IndexQuote>> {
        self.inner.provider.indices().await
    }

    async fn day_series(&self, subjects: Vec<SeriesSubject>) -> Result<Vec<DaySeries>> {
        self.inner.provider.day_series(subjects).await
    }

    async fn corporate_events(
        &self,
        securities: Vec<Arc<Security>>,
        range: DateRange,
    ) -> Result<Vec<CorporateEvent>> {
        let Inner { provider, clock, events, .. } = &*self.inner;
        events.get(&**provider, securities, range, clock.now()).await
    }
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The age of a market's prices in seconds; `None` outside its regular session.
    fn price_age(&self, market: Market, calendar: &Calendar) -> Option<u64> {
        let is_open = calendar
            .at(market, self.clock.now())
            .is_ok_and(|market_time| market_time.session == Session::Open);
        is_open.then(|| self.state().ages.seconds(market, self.clock.now_millis()))
    }
}

/// A call of the provider. However it ends, its securities can be requested again.
struct ProviderCall {
    inner: Arc<Inner>,
    securities: Vec<Arc<Security>>,
}

impl ProviderCall {
    /// Returns whether the call succeeded.
    async fn run(self) -> bool {
        let response = self.inner.provider.quotes(self.securities.clone()).await;
        let mut state = self.inner.state();
        let now = self.inner.clock.now_millis();
        let quotes = match response {
            Ok(quotes) => quotes,
            Err(error) => {
                error.log();
                state.breaker.failed(now);
                self.securities
                    .iter()
                    .for_each(|security| state.ages.missing(security.market(), now));
                return false;
            }
        };
        state.breaker.succeeded();
        let mut quotes = quotes
            .into_iter()
            .map(|quote| (quote.security.code.clone(), quote))
            .collect::<HashMap<_, _>>();
        // Recorded before arrivals, which override it: a single security without a price does not
        // mean that prices of its market are missing.
        for security in &self.securities {
            let had_price =
                state.cached.get(&security.code).is_some_and(|cached| cached.quote.last.is_some());
            if had_price {
                state.ages.missing(security.market(), now);
            }
        }
        for quote in quotes.values().filter(|quote| quote.last.is_some()) {
            state.ages.arrived(quote.security.market(), now);
        }
        for security in &self.securities {
            // If the provider omits a price, the last known one is used.
            let last_known = || {
                let cached = state.cached.get(&security.code)?;
                cached.quote.last.is_some().then(|| cached.quote.aged())
            };
            let without_price = || Quote::empty(security.clone(), Session::Unknown);
            let quote = quotes.remove(&security.code);
            let quote = quote.or_else(last_known).unwrap_or_else(without_price);
            state.cached.insert(security.code.clone(), CachedQuote { quote, fetched_at: now });
        }
        true
    }
}

impl Drop for ProviderCall {
    fn drop(&mut self) {
        let mut state = self.inner.state();
        for security in &self.securities {
            state.in_flight.remove(&security.code);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::time::Duration;

    use super::*;
    use crate::domain::{DataType, Status, cents};

    /// Friday, 2026-11-20, 15:00 UTC: the US market is open, the Saudi one is closed.
    const NOW: u32 = 1_795_186_800;

    /// A response to a request for two securities, of which one never has a price.
    #[derive(Clone, Copy, Debug)]
    enum ScriptedResponse {
        Prices,
        NoPrices,
        Failure,
    }

    struct Scripted(Arc<Mutex<ScriptedResponse>>);

    #[tonic::async_trait]
    impl QuoteProvider for Scripted {
        async fn quotes(&self, securities: Vec<Arc<Security>>) -> Result<Vec<Quote>> {
            let quote = Quote::empty(securities[0].clone(), Session::Open);
            let priced = Quote { last: Some(cents(26_800)), ..quote };
            match *self.0.lock().unwrap() {
                ScriptedResponse::Prices => Ok(vec![priced]),
                ScriptedResponse::NoPrices => Ok(Vec::new()),
                ScriptedResponse::Failure => Err(Error::unavailable("scripted")),
            }
        }
    }

    fn security(code: &str) -> Arc<Security> {
        Arc::new(Security {
            code: SecurityCode::parse(code).unwrap(),
            data_type: DataType(20001),
            exchange: "E".into(),
            name: code.into(),
            name_sa: code.into(),
            level: cents(100),
            status: Status::Normal,
            pre_ipo: false,
        })
    }

    #[tokio::test]
    async fn prices_of_an_open_market_age_while_the_provider_gives_none() {
        struct Step {
            response: ScriptedResponse,
            after: Duration,
            age: Option<u64>,
        }
        let minute = Duration::from_secs(60);
        let response = Arc::new(Mutex::new(ScriptedResponse::Failure));
        let clock = Clock::fixed(NOW);
        let provider = ResilientProvider::new(Scripted(response.clone()), clock.clone());
        let calendar = Calendar::built_in().unwrap();
        let securities = vec![security("AAPL"), security("NONE")];
        for (number, step) in [
            Step { response: ScriptedResponse::Failure, after: minute, age: Some(60) },
            Step { response: ScriptedResponse::Prices, after: minute, age: Some(0) },
            Step { response: ScriptedResponse::NoPrices, after: minute, age: Some(60) },
            Step { response: ScriptedResponse::Failure, after: minute, age: Some(120) },
            Step { response: ScriptedResponse::Prices, after: minute, age: Some(0) },
            Step { response: ScriptedResponse::Failure, after: 12 * 60 * minute, age: None },
        ]
        .into_iter()
        .enumerate()
        {
            *response.lock().unwrap() = step.response;
            clock.advance(step.after);
            let _ = provider.quotes(securities.clone()).await;
            let age = provider.inner.price_age(Market::Us, &calendar);
            assert_eq!(age, step.age, "step {number}");
        }
        assert_eq!(provider.inner.price_age(Market::Saudi, &calendar), None, "closed");
    }
}
