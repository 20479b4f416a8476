//! MarketService over the catalogue, the provider and the calendar.

use std::sync::Arc;

use arc_swap::ArcSwap;
use sahm_chassis::{
    clock::Clock,
    cursor,
    error::{Error, Result},
};
use sahm_proto::quotes::v1::{self as proto, market_service_server::MarketService};
use tokio::sync::Mutex;
use tonic::{Request, Response};

use super::{
    RpcResult,
    quotes::market_of,
    validate::{MAX_BATCH, page_size},
};
use crate::{
    convert::{corporate_event_message, index_message, quote_message, series_message},
    domain::{
        self, Breadth, Calendar, Catalogue, CorporateEvent, DateRange, Index, Market, Movers,
        Quote, Security, SeriesSubject, Session, codes_of,
    },
    providers::QuoteProvider,
};

/// Maximum number of codes of a call for series.
const MAX_SERIES: usize = 20;

/// How long, in seconds, the quotes of all securities are reused.
const SNAPSHOT_LIFETIME: u32 = 30;

/// Saudi first: the site's own market.
const MARKETS: [Market; 2] = [Market::Saudi, Market::Us];

/// The quotes of all securities at one moment.
pub(crate) struct Snapshot {
    quotes: Arc<[Quote]>,
    taken_at: u32,
    /// Epoch seconds; at the latest when a market's session changes.
    valid_until: u32,
}

pub(crate) struct MarketRpc {
    pub(crate) catalogue: Arc<ArcSwap<Catalogue>>,
    pub(crate) provider: Arc<dyn QuoteProvider>,
    pub(crate) calendar: Calendar,
    pub(crate) clock: Clock,
    /// Locked while it is refreshed, so that concurrent callers share one request to the provider.
    pub(crate) snapshot: Mutex<Option<Snapshot>>,
}

impl MarketRpc {
    /// The quotes of all securities; an expired snapshot is refreshed first.
    async fn all_quotes(&self) -> Result<Arc<[Quote]>> {
        let mut snapshot = self.snapshot.lock().await;
        let now = self.clock.now();
        if let Some(taken) = &*snapshot
            && (taken.taken_at..taken.valid_until).contains(&now)
        {
            return Ok(taken.quotes.clone());
        }
        let securities = self.catalogue.load().after(None, None, usize::MAX);
        let quotes: Arc<[Quote]> = self.provider.quotes(securities).await?.into();
        let lifetime = now + SNAPSHOT_LIFETIME;
        let valid_until = match self.next_change_at(now)? {
            0 => lifetime,
            next => lifetime.min(next),
        };
        *snapshot = Some(Snapshot { quotes: quotes.clone(), taken_at: now, valid_until });
        Ok(quotes)
    }

    /// The next change of a market's session, in epoch seconds; 0 if no date is announced.
    fn next_change_at(&self, now: u32) -> Result<u32> {
        let times = MARKETS.into_iter().map(|market| self.time(market, now));
        let changes = times.map(|time| Ok(time?.next_change_at)).collect::<Result<Vec<_>>>()?;
        Ok(changes.into_iter().filter(|change| *change > 0).min().unwrap_or(0))
    }

    /// The known securities of a market or of both: those with these codes, or all if there are
    /// none.
    fn securities(&self, market: &str, codes: &str) -> Result<Vec<Arc<Security>>> {
        let market = market_of(market)?;
        let catalogue = self.catalogue.load();
        if codes.is_empty() {
            return Ok(catalogue.after(None, market, usize::MAX));
        }
        let mut securities = catalogue.all_of(&codes_of(codes, MAX_BATCH)?);
        securities.retain(|security| market.is_none_or(|market| security.market() == market));
        Ok(securities)
    }

    fn time(&self, market: Market, now: u32) -> Result<domain::MarketTime> {
        self.calendar.at(market, now).map_err(Error::internal)
    }

    /// The close of a market's last trading day; `None` while it is unknown.
    async fn daily_close(&self, market: Market) -> Result<Option<proto::DailyClose>> {
        let time = self.time(market, self.clock.now())?;
        if matches!(time.session, Session::Open | Session::Unknown) {
            return Ok(None);
        }
        let (quotes, indices) = tokio::try_join!(self.all_quotes(), self.provider.indices())?;
        let Breadth { advancers, decliners, unchanged } = domain::breadth(&quotes, market);
        let indices = indices.iter().filter(|quote| quote.index.market == market);
        let indices = indices.map(index_message).collect::<Vec<_>>();
        let simulated = indices.iter().any(|quote| quote.simulated)
            || quotes.iter().any(|quote| quote.simulated && quote.security.market() == market);
        Ok(Some(proto::DailyClose {
            id: market.into_str().to_owned(),
            market: market.into_str().to_owned(),
            trading_day: time.day.date.to_string(),
            closed_at: time.day.closes,
            indices,
            advancers,
            decliners,
            unchanged,
            simulated,
        }))
    }
}

fn markets_of(name: &str) -> Result<impl Iterator<Item = Market>> {
    let requested = market_of(name)?;
    Ok(MARKETS
        .into_iter()
        .filter(move |market| requested.is_none_or(|requested| requested == *market)))
}

#[tonic::async_trait]
impl MarketService for MarketRpc {
    async fn list_indices(
        &self,
        _: Request<proto::ListIndicesRequest>,
    ) -> RpcResult<proto::ListIndicesResponse> {
        let indices = self.provider.indices().await?;
        Ok(Response::new(proto::ListIndicesResponse {
            items: indices.iter().map(index_message).collect(),
            next_change_at: self.next_change_at(self.clock.now())?,
        }))
    }

    async fn list_movers(
        &self,
        request: Request<proto::ListMoversRequest>,
    ) -> RpcResult<proto::ListMoversResponse> {
        let proto::ListMoversRequest { market, size } = request.into_inner();
        let (markets, size) = (markets_of(&market)?, page_size(size)?);
        let quotes = self.all_quotes().await?;
        let items = markets.map(|market| {
            let Movers { gainers, losers } = domain::movers(&quotes, market, size);
            proto::MarketMovers {
                id: market.into_str().to_owned(),
                market: market.into_str().to_owned(),
                gainers: gainers.into_iter().map(quote_message).collect(),
                losers: losers.into_iter().map(quote_message).collect(),
            }
        });
        Ok(Response::new(proto::ListMoversResponse { items: items.collect() }))
    }

    async fn batch_get_day_series(
        &self,
        request: Request<proto::BatchGetDaySeriesRequest>,
    ) -> RpcResult<proto::BatchGetDaySeriesResponse> {
        let codes = codes_of(&request.into_inner().security_codes, MAX_SERIES)?;
        let subjects = {
            let catalogue = self.catalogue.load();
            let subject = |code| match Index::from_code(domain::SecurityCode::as_str(code)) {
                Some(index) => Some(SeriesSubject::Index(index)),
                None => catalogue.get(code).cloned().map(SeriesSubject::Security),
            };
            codes.iter().filter_map(subject).collect::<Vec<_>>()
        };
        let series = self.provider.day_series(subjects).await?;
        let of = |code: &domain::SecurityCode| series.iter().find(|one| one.code == code.as_str());
        let items = codes.iter().filter_map(of).map(series_message).collect();
        Ok(Response::new(proto::BatchGetDaySeriesResponse { items }))
    }

    async fn list_daily_closes(
        &self,
        request: Request<proto::ListDailyClosesRequest>,
    ) -> RpcResult<proto::ListDailyClosesResponse> {
        let mut items = Vec::new();
        for market in markets_of(&request.into_inner().market)? {
            items.extend(self.daily_close(market).await?);
        }
        Ok(Response::new(proto::ListDailyClosesResponse { items }))
    }

    async fn list_corporate_events(
        &self,
        request: Request<proto::ListCorporateEventsRequest>,
    ) -> RpcResult<proto::ListCorporateEventsResponse> {
        let request = request.into_inner();
        let securities = self.securities(&request.market, &request.security_codes)?;
        let today = self.calendar.date(Market::Saudi, self.clock.now()).map_err(Error::internal)?;
        let range = DateRange::parse(&request.from_date, &request.to_date, today)?;
        let size = page_size(request.size)?;
        let mut events = self.provider.corporate_events(securities, range).await?;
        events.sort_by_cached_key(CorporateEvent::id);
        let proto::ListCorporateEventsRequest {
            market, security_codes, from_date, to_date, ..
        } = &request;
        let list = format!("events:{market}:{security_codes}:{from_date}:{to_date}");
        let page = cursor::page(&list, events, size, &request.cursor, CorporateEvent::id);
        let (events, next_cursor) = page?;
        let items = events.iter().map(corporate_event_message).collect();
        Ok(Response::new(proto::ListCorporateEventsResponse { items, next_cursor }))
    }
}
