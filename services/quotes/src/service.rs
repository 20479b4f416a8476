//! Startup and background tasks of the quotes service.

use std::{process::ExitCode, sync::Arc, time::Duration};

use anyhow::Context as _;
use arc_swap::ArcSwap;
use sahm_chassis::{
    BoxFuture, Context, LocalBoxFuture, Result, ServiceName, Settings,
    clock::Clock,
    rpc,
    service::{Seeding, Service},
    settings::DatabaseUrl,
    store::Store,
    telemetry::Observed,
};
use sahm_proto::quotes::v1::{
    announcement_service_server::AnnouncementServiceServer,
    market_service_server::MarketServiceServer, quote_service_server::QuoteServiceServer,
};

use tokio::sync::Mutex;

use crate::{
    cli::{self, Command},
    domain::{CALENDAR_WARNING_DAYS, Calendar, Catalogue, Market},
    feed::Feed,
    providers::{QuoteProvider, http::HttpProvider, resilient::ResilientProvider, simulated},
    rpc::{AnnouncementRpc, MarketRpc, QuoteRpc},
    seed,
    store::QuotesStore,
};

/// Interval at which securities imported by another process are loaded.
const CATALOGUE_REFRESH_INTERVAL: Duration = Duration::from_secs(5);

/// Interval at which the end of the calendar is checked.
const CALENDAR_CHECK_INTERVAL: Duration = Duration::from_hours(24);

/// The quotes service: prices, indices, streams and announcements.
#[derive(Debug)]
pub struct Quotes;

impl Service for Quotes {
    const NAME: ServiceName = ServiceName::Quotes;
    const ABOUT: &'static str = "The quotes service: prices, streams and announcements";
    type Store = QuotesStore;
    type Command = Command;

    fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<QuotesStore>> {
        QuotesStore::open(url)
    }

    fn database(store: &QuotesStore) -> &Store {
        store.inner()
    }

    fn seed<'a>(
        store: &'a QuotesStore,
        _: &'a Settings,
        _: &'a Clock,
    ) -> BoxFuture<'a, anyhow::Result<Seeding>> {
        Box::pin(async {
            let is_seeded = store.seed(&seed::securities()?, &seed::announcements()?).await?;
            Ok(if is_seeded { Seeding::Filled } else { Seeding::NotEmpty })
        })
    }

    fn needs_content(store: &QuotesStore) -> BoxFuture<'_, Result<bool>> {
        Box::pin(store.is_empty())
    }

    /// # Errors
    /// The file of market calendars is invalid.
    fn serve(
        store: QuotesStore,
        context: &Context,
        clock: Clock,
    ) -> BoxFuture<'_, anyhow::Result<rpc::Service>> {
        Box::pin(async move {
            let calendar = calendar(&context.settings)?;
            let provider = provider(context, &clock, &calendar)?;
            let catalogue = Arc::new(ArcSwap::from_pointee(store.catalogue().await?));
            let refresh = refresh_periodically(store.clone(), catalogue.clone());
            context.lifecycle.spawn_until_drain("catalogue", refresh);
            let feed = Feed::new(provider.clone());
            context.lifecycle.spawn_until_drain("quote feed", feed.clone().run());
            let warning = warn_before_calendar_ends(Arc::new(calendar.clone()), clock.clone());
            context.lifecycle.spawn_until_drain("market calendar", warning);
            let markets = MarketRpc {
                catalogue: catalogue.clone(),
                provider: provider.clone(),
                calendar: calendar.clone(),
                clock: clock.clone(),
                snapshot: Mutex::default(),
            };
            let quotes = QuoteRpc { catalogue, provider, feed, calendar, clock: clock.clone() };
            let announcements = AnnouncementRpc { store, clock };
            Ok(rpc::Builder::new(Self::NAME, context)
                .add(QuoteServiceServer::new(quotes))
                .add(AnnouncementServiceServer::new(announcements))
                .add(MarketServiceServer::new(markets))
                .build())
        })
    }

    fn run(
        command: Command,
        store: QuotesStore,
    ) -> LocalBoxFuture<'static, anyhow::Result<ExitCode>> {
        Box::pin(cli::run(command, store))
    }
}

/// The operator's market calendars, otherwise the built-in ones.
fn calendar(settings: &Settings) -> anyhow::Result<Calendar> {
    let Some(file) = &settings.market_calendar_file else { return Ok(Calendar::built_in()?) };
    std::fs::read_to_string(file)
        .map_err(anyhow::Error::from)
        .and_then(|json| Ok(Calendar::from_json(&json)?))
        .with_context(|| format!("SAHM_MARKET_CALENDAR_FILE={}", file.display()))
}

fn provider(
    context: &Context,
    clock: &Clock,
    calendar: &Calendar,
) -> anyhow::Result<Arc<dyn QuoteProvider>> {
    let settings = &context.settings;
    let Some(endpoint) = &settings.quotes_provider else {
        let market = simulated::Simulated::new(simulated::SEED, clock.clone(), calendar.clone());
        return Ok(Arc::new(market));
    };
    let events = settings.corporate_events.as_ref();
    let http = HttpProvider::new(endpoint, events, clock.clone(), calendar.clone())?;
    let provider = ResilientProvider::new(http, clock.clone());
    provider.show_metrics(calendar);
    Ok(Arc::new(provider))
}

/// Exports for how long the markets' hours are announced, and logs a warning once a day when the
/// next dates of an exchange must be added to the calendar.
async fn warn_before_calendar_ends(calendar: Arc<Calendar>, clock: Clock) {
    for market in Market::ALL {
        let clock = clock.clone();
        Observed::of("quotes.calendar.announced", "How long the trading hours are known")
            .in_unit("d")
            .labelled(&[("market", market.into_str())])
            .gauge(Arc::downgrade(&calendar), move |calendar| {
                calendar.announced_days(market, clock.now())
            });
    }
    loop {
        for (market, days) in ending_soon(&calendar, clock.now()) {
            tracing::warn!(
                market = market.into_str(),
                days,
                "the exchange's hours are not known after these days: add its announced dates \
                 to the file of SAHM_MARKET_CALENDAR_FILE"
            );
        }
        tokio::time::sleep(CALENDAR_CHECK_INTERVAL).await;
    }
}

/// The markets whose calendar must be extended, with the number of days that it still covers.
fn ending_soon(calendar: &Calendar, now: u32) -> impl Iterator<Item = (Market, u64)> {
    let markets = Market::ALL.into_iter();
    let markets = markets.map(move |market| (market, calendar.announced_days(market, now)));
    markets.filter(|&(_, days)| days < CALENDAR_WARNING_DAYS)
}

/// Keeps the catalogue up to date with the store.
async fn refresh_periodically(store: QuotesStore, catalogue: Arc<ArcSwap<Catalogue>>) {
    loop {
        tokio::time::sleep(CATALOGUE_REFRESH_INTERVAL).await;
        match store.catalogue().await {
            Ok(read) => catalogue.store(Arc::new(read)),
            Err(error) => tracing::warn!(error = ?error, "catalogue not read"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use futures_util::poll;
    use sahm_chassis::{settings::Process, telemetry};
    use serde_json::json;

    use super::*;

    /// The US table ends at the end of 2030, the Saudi one a year later.
    fn ending_calendar() -> Calendar {
        let table = |last_day| {
            json!({
                "sources": [], "first_day": "2030-01-01", "last_day": last_day, "days": [],
                "expected": [],
            })
        };
        let file = json!({ "us": table("2030-12-31"), "saudi": table("2031-12-31") });
        Calendar::from_json(&file.to_string()).unwrap()
    }

    fn noon(date: &str) -> u32 {
        let timestamp: jiff::Timestamp = format!("{date}T12:00:00Z").parse().unwrap();
        timestamp.as_second().try_into().unwrap()
    }

    #[test]
    fn calendar_that_covers_less_than_60_days_is_ending_soon() {
        struct Case {
            today: &'static str,
            ending: &'static [(Market, u64)],
        }
        for Case { today, ending } in [
            Case { today: "2030-11-01", ending: &[] },
            Case { today: "2030-11-02", ending: &[] },
            Case { today: "2030-11-03", ending: &[(Market::Us, 59)] },
            Case { today: "2030-12-31", ending: &[(Market::Us, 1)] },
            Case { today: "2031-01-01", ending: &[(Market::Us, 0)] },
            Case { today: "2031-11-03", ending: &[(Market::Us, 0), (Market::Saudi, 59)] },
        ] {
            let found: Vec<_> = ending_soon(&ending_calendar(), noon(today)).collect();
            assert_eq!(found, ending, "{today}");
        }
    }

    #[tokio::test]
    async fn gauge_shows_the_days_that_each_calendar_covers() {
        let clock = Clock::fixed(noon("2030-11-03"));
        let mut warning =
            std::pin::pin!(warn_before_calendar_ends(Arc::new(ending_calendar()), clock));
        assert!(poll!(&mut warning).is_pending());
        let metrics = telemetry::prometheus_text();
        for (market, days) in [("us", 59), ("saudi", 366)] {
            let shown = metrics.lines().any(|line| {
                line.starts_with("quotes_calendar_announced_days{")
                    && line.contains(&format!("market=\"{market}\""))
                    && line.ends_with(&format!(" {days}"))
            });
            assert!(shown, "{market}: {metrics}");
        }
    }

    #[test]
    fn invalid_calendar_file_is_reported_with_setting_and_cause() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("calendars.json");
        let error = || {
            let pairs = [("SAHM_MARKET_CALENDAR_FILE", file.to_str().unwrap())];
            let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
            let settings = Settings::from_pairs(Process::Service(ServiceName::Quotes), pairs);
            calendar(&settings.unwrap()).map(drop).map_err(|error| format!("{error:#}"))
        };
        let setting = format!("SAHM_MARKET_CALENDAR_FILE={}: ", file.display());
        assert_eq!(error(), Err(format!("{setting}No such file or directory (os error 2)")));
        std::fs::write(&file, include_str!("../calendars/exchanges.json")).unwrap();
        assert_eq!(error(), Ok(()));
        std::fs::write(&file, "{}").unwrap();
        assert!(error().unwrap_err().starts_with(&setting));
    }
}
