//! The quotes service: last prices of US and Saudi securities, once and as they change, from a
//! provider or a simulated market, and announcements.

pub mod domain;
pub mod feed;
pub mod providers;
mod rpc;
pub mod seed;
pub mod store;

use std::{sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use sahm_chassis::{
    BoxFuture,
    clock::Clock,
    lifecycle::{self, Context},
    rpc::{Builder, Service},
    settings::{Environment, ServiceName, Settings},
    telemetry::Observed,
};
use sahm_proto::quotes::v1::announcement_service_server::AnnouncementServiceServer;

use crate::{
    domain::{CALENDAR_WARNING_DAYS, Calendar, Catalogue, Market},
    feed::Feed,
    providers::{QuoteProvider, guard::Guard, http::HttpProvider, simulated},
    store::QuotesStore,
};

pub use rpc::{AnnouncementRpc, QuoteRpc, QuoteServer};

/// How soon securities that another process imported are known.
const CATALOGUE_EVERY: Duration = Duration::from_secs(5);

/// How often the calendar's end is looked at.
const CALENDAR_CHECK_INTERVAL: Duration = Duration::from_hours(24);

/// Opens and migrates the store, in `dev` seeds it where it is empty, and gives the service.
///
/// Errors: without a provider in `pre` and `prod`.
pub fn start(context: &Context) -> BoxFuture<'_, anyhow::Result<Service>> {
    start_at(context, Clock::system())
}

/// As [`start`], by another clock.
pub fn start_at(context: &Context, clock: Clock) -> BoxFuture<'_, anyhow::Result<Service>> {
    Box::pin(service(context, clock))
}

async fn service(context: &Context, clock: Clock) -> anyhow::Result<Service> {
    let calendar = Calendar::new()?;
    let provider = provider(context, &clock, &calendar)?;
    let store = QuotesStore::open(&context.settings.database_url(ServiceName::Quotes)).await?;
    let is_empty = store.is_empty().await?;
    if lifecycle::seeds_at_start(&context.settings, ServiceName::Quotes, is_empty) {
        store.seed(&seed::securities()?, &seed::announcements()?).await?;
    }
    let catalogue = Arc::new(ArcSwap::from_pointee(store.catalogue().await?));
    let following = follow(store.clone(), catalogue.clone());
    context.lifecycle.spawn_until_drain("catalogue", following);
    let feed = Feed::new(provider.clone());
    context.lifecycle.spawn_until_drain("quote feed", feed.clone().run());
    let ready = store.inner().clone();
    context.lifecycle.add_readiness("quotes store", move || {
        let store = ready.clone();
        async move { store.ping().await }
    });
    let warning = warn_before_calendar_ends(Arc::new(calendar.clone()), clock.clone());
    context.lifecycle.spawn_until_drain("market calendar", warning);
    let quotes = QuoteRpc::new(catalogue, provider, feed, calendar, clock.clone());
    Ok(Builder::new(ServiceName::Quotes, context)
        .add(QuoteServer::new(quotes))
        .add(AnnouncementServiceServer::new(AnnouncementRpc::new(store, clock)))
        .build())
}

/// Fills an empty store with the built-in securities and announcements; false where it holds some
/// already.
///
/// # Errors
/// The store does not answer.
pub fn seed(settings: &Settings) -> BoxFuture<'_, anyhow::Result<bool>> {
    Box::pin(seed_store(settings))
}

async fn seed_store(settings: &Settings) -> anyhow::Result<bool> {
    let store = QuotesStore::open(&settings.database_url(ServiceName::Quotes)).await?;
    Ok(store.seed(&seed::securities()?, &seed::announcements()?).await?)
}

fn provider(
    context: &Context,
    clock: &Clock,
    calendar: &Calendar,
) -> anyhow::Result<Arc<dyn QuoteProvider>> {
    let settings = &context.settings;
    let environment = settings.environment;
    let Some(endpoint) = &settings.quotes_provider else {
        anyhow::ensure!(
            !matches!(environment, Environment::Pre | Environment::Prod),
            "SAHM_QUOTES_PROVIDER_URL: required in {environment}: simulated quotes do not start there"
        );
        let market = simulated::Simulated::new(simulated::SEED, clock.clone(), calendar.clone());
        return Ok(Arc::new(market));
    };
    let http = HttpProvider::new(endpoint, clock.clone(), calendar.clone())?;
    Ok(Arc::new(Guard::new(http, clock.clone())))
}

/// Shows for how long the markets' hours are announced, and logs a warning once a day when an
/// exchange's next dates have to be added to the calendar.
async fn warn_before_calendar_ends(calendar: Arc<Calendar>, clock: Clock) {
    for market in Market::ALL {
        let clock = clock.clone();
        let description = "Days from now on for which the exchange's trading hours are known";
        Observed::of("quotes.calendar.announced", description)
            .in_unit("d")
            .labelled(&[("market", market.as_str())])
            .gauge(Arc::downgrade(&calendar), move |calendar| {
                calendar.announced_days(market, clock.now())
            });
    }
    loop {
        for market in Market::ALL {
            let days = calendar.announced_days(market, clock.now());
            if days < CALENDAR_WARNING_DAYS {
                tracing::warn!(
                    market = market.as_str(),
                    days,
                    "the exchange's hours are not known after these days: add its announced dates \
                     to services/quotes/src/domain/hours/holidays.rs"
                );
            }
        }
        tokio::time::sleep(CALENDAR_CHECK_INTERVAL).await;
    }
}

/// Keeps the catalogue as the store has it.
async fn follow(store: QuotesStore, catalogue: Arc<ArcSwap<Catalogue>>) {
    loop {
        tokio::time::sleep(CATALOGUE_EVERY).await;
        match store.catalogue().await {
            Ok(read) => catalogue.store(Arc::new(read)),
            Err(error) => tracing::warn!(error = ?error, "catalogue not read"),
        }
    }
}
