//! QuoteService over the catalogue, the provider and the feed.

use std::sync::Arc;

use arc_swap::ArcSwap;
use futures_util::{StreamExt, stream::BoxStream};
use sahm_chassis::{
    clock::Clock,
    cursor,
    error::{Error, ErrorCode, Result},
};
use sahm_proto::quotes::v1::{self as proto, quote_service_server::QuoteService};
use tonic::{Request, Response, Status};

use super::{
    RpcResult,
    validate::{self, MAX_BATCH},
};
use crate::{
    convert::{market_message, quote_message, security_message},
    domain::{Calendar, Catalogue, DataType, Market, Security, SecurityCode, codes_of},
    feed::Feed,
    providers::QuoteProvider,
};

/// Maximum number of codes of a stream: gateways subscribe to all codes of their clients.
const MAX_STREAM_CODES: usize = 5_000;

pub(crate) struct QuoteRpc {
    pub(crate) catalogue: Arc<ArcSwap<Catalogue>>,
    pub(crate) provider: Arc<dyn QuoteProvider>,
    pub(crate) feed: Feed,
    pub(crate) calendar: Calendar,
    pub(crate) clock: Clock,
}

impl QuoteRpc {
    async fn by_codes(&self, codes: &str, market: Option<Market>) -> Result<Vec<proto::Quote>> {
        let mut securities = self.catalogue.load().all_of(&codes_of(codes, MAX_BATCH)?);
        securities.retain(|security| market.is_none_or(|market| security.market() == market));
        self.quotes(securities).await
    }

    /// The quotes in the order of the securities.
    async fn quotes(&self, securities: Vec<Arc<Security>>) -> Result<Vec<proto::Quote>> {
        if securities.is_empty() {
            return Ok(Vec::new());
        }
        let quotes = self.provider.quotes(securities.clone()).await?;
        let of = |security: &Arc<Security>| {
            quotes.iter().find(|quote| quote.security.code == security.code).map(quote_message)
        };
        Ok(securities.iter().filter_map(of).collect())
    }

    async fn by_pairs(&self, pairs: &[proto::CodeAndType]) -> Result<Vec<proto::Quote>> {
        let mut securities: Vec<Arc<Security>> = Vec::new();
        let catalogue = self.catalogue.load_full();
        for (at, pair) in validate::batch("list", pairs)?.iter().enumerate() {
            let code = SecurityCode::parse(pair.security_code.trim()).ok_or_else(|| {
                Error::field(format!("list[{at}].security_code"), "is not a security code")
            })?;
            let Some(security) = catalogue.get(&code) else { continue };
            let market = DataType(pair.data_type).market();
            let meant = pair.data_type == 0 || market == security.market();
            if meant && !securities.iter().any(|known| known.code == code) {
                securities.push(security.clone());
            }
        }
        self.quotes(securities).await
    }

    fn security(&self, code: &str) -> Result<Arc<Security>> {
        let code = SecurityCode::parse(code.trim())
            .ok_or_else(|| Error::field("security_code", "is not a security code"))?;
        let catalogue = self.catalogue.load();
        catalogue.get(&code).cloned().ok_or_else(|| Error::of(ErrorCode::NotFound))
    }
}

/// The market with this name; `None` for an empty name.
pub(super) fn market_of(name: &str) -> Result<Option<Market>> {
    match name {
        "" => Ok(None),
        name => match name.parse() {
            Ok(market) => Ok(Some(market)),
            Err(_) => Err(Error::field("market", "us, saudi or nothing")),
        },
    }
}

#[tonic::async_trait]
impl QuoteService for QuoteRpc {
    type StreamQuotesStream = BoxStream<'static, Result<proto::StreamQuotesResponse, Status>>;

    async fn batch_get_quotes(
        &self,
        request: Request<proto::BatchGetQuotesRequest>,
    ) -> RpcResult<proto::BatchGetQuotesResponse> {
        let quotes = self.by_codes(&request.into_inner().security_codes, None).await?;
        Ok(Response::new(proto::BatchGetQuotesResponse { quotes }))
    }

    async fn batch_get_saudi_quotes(
        &self,
        request: Request<proto::BatchGetSaudiQuotesRequest>,
    ) -> RpcResult<proto::BatchGetSaudiQuotesResponse> {
        let codes = request.into_inner().security_codes;
        let quotes = self.by_codes(&codes, Some(Market::Saudi)).await?;
        Ok(Response::new(proto::BatchGetSaudiQuotesResponse { quotes }))
    }

    async fn batch_get_us_quotes(
        &self,
        request: Request<proto::BatchGetUsQuotesRequest>,
    ) -> RpcResult<proto::BatchGetUsQuotesResponse> {
        let codes = request.into_inner().security_codes;
        let quotes = self.by_codes(&codes, Some(Market::Us)).await?;
        Ok(Response::new(proto::BatchGetUsQuotesResponse { quotes }))
    }

    async fn batch_get_quotes_by_type(
        &self,
        request: Request<proto::BatchGetQuotesByTypeRequest>,
    ) -> RpcResult<proto::BatchGetQuotesByTypeResponse> {
        let quotes = self.by_pairs(&request.into_inner().list).await?;
        Ok(Response::new(proto::BatchGetQuotesByTypeResponse { quotes }))
    }

    async fn get_quote(
        &self,
        request: Request<proto::GetQuoteRequest>,
    ) -> RpcResult<proto::GetQuoteResponse> {
        let security = self.security(&request.into_inner().security_code)?;
        let mut quotes = self.quotes(vec![security]).await?;
        Ok(Response::new(proto::GetQuoteResponse { quote: quotes.pop() }))
    }

    async fn stream_quotes(
        &self,
        request: Request<proto::StreamQuotesRequest>,
    ) -> RpcResult<Self::StreamQuotesStream> {
        let codes = codes_of(&request.into_inner().security_codes, MAX_STREAM_CODES)?;
        let catalogue = self.catalogue.load_full();
        let securities = codes.iter().map(|code| {
            let unknown = || Error::field("security_codes", format!("{code} is not known"));
            catalogue.get(code).cloned().ok_or_else(unknown)
        });
        let messages = self.feed.subscribe(securities.collect::<Result<_>>()?).await;
        let mut response = Response::new(messages.map(Ok).boxed());
        // Single quotes are too small for compression to pay.
        response.disable_compression();
        Ok(response)
    }

    async fn list_securities(
        &self,
        request: Request<proto::ListSecuritiesRequest>,
    ) -> RpcResult<proto::ListSecuritiesResponse> {
        let request = request.into_inner();
        let market = market_of(&request.market)?;
        let size = validate::page_size(request.size)?;
        let list = format!("securities:{}", request.market);
        let after: Option<String> = cursor::decode(&list, &request.cursor)?;
        let after = after.and_then(|code| SecurityCode::parse(&code));
        let mut found = self.catalogue.load().after(after.as_ref(), market, size + 1);
        let next_cursor = cursor::cut(&list, &mut found, size, |last| last.code.to_string());
        let items = found.iter().map(|security| security_message(security)).collect();
        Ok(Response::new(proto::ListSecuritiesResponse { items, next_cursor }))
    }

    async fn get_security(
        &self,
        request: Request<proto::GetSecurityRequest>,
    ) -> RpcResult<proto::GetSecurityResponse> {
        let security = self.security(&request.into_inner().security_code)?;
        let security = Some(security_message(&security));
        Ok(Response::new(proto::GetSecurityResponse { security }))
    }

    async fn batch_get_securities(
        &self,
        request: Request<proto::BatchGetSecuritiesRequest>,
    ) -> RpcResult<proto::BatchGetSecuritiesResponse> {
        let codes = codes_of(&request.into_inner().security_codes, MAX_BATCH)?;
        let securities = self.catalogue.load().all_of(&codes);
        let items = securities.iter().map(|security| security_message(security)).collect();
        Ok(Response::new(proto::BatchGetSecuritiesResponse { items }))
    }

    async fn get_data_type(
        &self,
        request: Request<proto::GetDataTypeRequest>,
    ) -> RpcResult<proto::GetDataTypeResponse> {
        let kind = DataType(request.into_inner().data_type);
        let market = kind.market().into_str().to_owned();
        Ok(Response::new(proto::GetDataTypeResponse { market, special: kind.is_special() }))
    }

    async fn list_markets(
        &self,
        _: Request<proto::ListMarketsRequest>,
    ) -> RpcResult<proto::ListMarketsResponse> {
        let now = self.clock.now();
        let items = Market::ALL.into_iter().map(|market| {
            let time = self.calendar.at(market, now).map_err(Error::internal)?;
            Ok(market_message(market, &time))
        });
        let items = items.collect::<Result<_>>()?;
        Ok(Response::new(proto::ListMarketsResponse { items }))
    }
}
