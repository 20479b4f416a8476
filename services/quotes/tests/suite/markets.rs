//! Indices, movers, day series, daily closes and corporate events with the seed.

use std::time::Duration;

use sahm_chassis::error::Error;
use sahm_proto::quotes::v1::{
    BatchGetDaySeriesRequest, CorporateEvent, ListCorporateEventsRequest,
    ListCorporateEventsResponse, ListDailyClosesRequest, ListIndicesRequest, ListMoversRequest,
    Quote,
};
use serde_json::json;
use tonic::Code;

use crate::support::{NOW, Provider, Running};

/// Friday, 2026-11-20, 21:00 UTC: the US market closes.
const US_CLOSE: u32 = 1_795_208_400;

fn ratio(quote: &Quote) -> f64 {
    quote.high_and_low_limited.parse().unwrap()
}

#[tokio::test]
async fn indices_contain_the_time_of_their_next_change() {
    let mut service = Running::start(&[]).await;
    let response = service.markets.list_indices(ListIndicesRequest {}).await.unwrap().into_inner();
    let shown =
        response.items.iter().map(|index| (&*index.code, &*index.market, index.mkt_tm_type));
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [("TASI", "saudi", 4), ("NOMU", "saudi", 4), ("SPX", "us", 1), ("IXIC", "us", 1)]
    );
    assert!(response.items.iter().all(|index| index.simulated && index.time <= NOW));
    assert_eq!(response.next_change_at, US_CLOSE);
}

#[tokio::test]
async fn movers_are_sorted_and_traded() {
    let mut service = Running::start(&[]).await;
    let request = ListMoversRequest { size: 5, ..ListMoversRequest::default() };
    let movers = service.markets.list_movers(request).await.unwrap().into_inner().items;
    assert_eq!(movers.iter().map(|movers| &*movers.market).collect::<Vec<_>>(), ["saudi", "us"]);
    for movers in &movers {
        let (gainers, losers) = (&movers.gainers, &movers.losers);
        assert_eq!((gainers.len(), losers.len()), (5, 5), "{}", movers.market);
        assert!(gainers.is_sorted_by(|one, next| ratio(one) >= ratio(next)));
        assert!(losers.is_sorted_by(|one, next| ratio(one) <= ratio(next)));
        assert!(gainers.iter().all(|quote| ratio(quote) > 0.0 && quote.market == movers.market));
        assert!(losers.iter().all(|quote| ratio(quote) < 0.0 && quote.status == 0));
    }
    let request = ListMoversRequest { market: "us".into(), size: 1 };
    let us = service.markets.list_movers(request).await.unwrap().into_inner().items;
    assert_eq!(
        us.iter().map(|movers| (&*movers.market, movers.gainers.len())).collect::<Vec<_>>(),
        [("us", 1)]
    );
}

#[tokio::test]
async fn series_are_returned_in_the_requested_order() {
    let mut service = Running::start(&[]).await;
    let security_codes = "SPX, 2222,NOSUCH,XPAUSED,AAPL,2222".to_owned();
    let request = BatchGetDaySeriesRequest { security_codes };
    let series = service.markets.batch_get_day_series(request).await.unwrap().into_inner().items;
    let codes = series.iter().map(|series| &*series.code).collect::<Vec<_>>();
    assert_eq!(codes, ["SPX", "2222", "AAPL"]);
    let days = series.iter().map(|series| &*series.trading_day).collect::<Vec<_>>();
    assert_eq!(days, ["2026-11-20", "2026-11-19", "2026-11-20"]);
    for series in &series {
        assert!((2..=31).contains(&series.prices.len()), "{series:?}");
        assert!(series.last_at <= series.closes_at.min(NOW) && series.simulated, "{series:?}");
    }
    // A whole trading day of five hours, every ten minutes.
    assert_eq!((series[1].interval, series[1].closes_at - series[1].opens_at), (600, 18_000));
}

#[tokio::test]
async fn daily_close_exists_from_the_close_to_the_next_opening() {
    let mut service = Running::start(&[]).await;
    for (seconds, markets) in [
        (US_CLOSE - 1, vec!["saudi"]),
        (US_CLOSE, vec!["saudi", "us"]),
        // Sunday, 07:00 UTC: the Saudi market opens.
        (1_795_330_799, vec!["saudi", "us"]),
        (1_795_330_800, vec!["us"]),
    ] {
        service.clock.set(seconds);
        let request = ListDailyClosesRequest::default();
        let closes = service.markets.list_daily_closes(request).await.unwrap().into_inner().items;
        let shown = closes.iter().map(|close| &*close.market).collect::<Vec<_>>();
        assert_eq!(shown, markets, "{seconds}");
        for close in &closes {
            assert!(close.closed_at <= seconds && close.simulated, "{close:?}");
            assert!(close.advancers > 0 && close.decliners > 0, "{close:?}");
            assert_eq!(close.indices.len(), 2, "{close:?}");
            assert!(close.indices.iter().all(|index| index.time <= close.closed_at), "{close:?}");
        }
    }
}

async fn list_events(
    service: &mut Running,
    request: ListCorporateEventsRequest,
) -> ListCorporateEventsResponse {
    service.markets.list_corporate_events(request).await.unwrap().into_inner()
}

#[tokio::test]
async fn corporate_events_are_sorted_and_paged() {
    let mut service = Running::start(&[]).await;
    let mut request = ListCorporateEventsRequest { size: 50, ..Default::default() };
    let mut events: Vec<CorporateEvent> = Vec::new();
    loop {
        let page = list_events(&mut service, request.clone()).await;
        events.extend(page.items);
        if page.next_cursor.is_empty() {
            break;
        }
        request.cursor = page.next_cursor;
    }
    assert!(events.len() > 150, "{}", events.len());
    assert!(events.is_sorted_by(|one, next| one.id < next.id && one.date <= next.date));
    // Today in Riyadh and 30 days on.
    let dates = "2026-11-20".to_owned()..="2026-12-20".to_owned();
    for event in &events {
        assert!(dates.contains(&event.date) && event.simulated, "{event:?}");
        let currency = if event.market == "us" { "USD" } else { "SAR" };
        assert_eq!(event.currency, currency, "{event:?}");
        let is_dividend = matches!(&*event.event_type, "ex_dividend" | "dividend_payment");
        assert!(is_dividend || event.event_type == "results", "{event:?}");
        assert_eq!(event.amount_per_share.is_empty(), !is_dividend, "{event:?}");
    }
    for market in ["us", "saudi"] {
        assert!(events.iter().any(|event| event.market == market), "{market}");
    }
}

#[tokio::test]
async fn corporate_events_are_filtered_by_market_code_and_date() {
    let mut service = Running::start(&[]).await;
    let request = ListCorporateEventsRequest {
        security_codes: "2222, AAPL,NOSUCH".into(),
        from_date: "2026-10-01".into(),
        to_date: "2026-12-31".into(),
        size: 50,
        ..Default::default()
    };
    let both = list_events(&mut service, request.clone()).await.items;
    for (market, code) in [("saudi", "2222"), ("us", "AAPL")] {
        let request = ListCorporateEventsRequest { market: market.into(), ..request.clone() };
        let of_market = list_events(&mut service, request).await.items;
        let expected = both.iter().filter(|event| event.security_code == code);
        assert_eq!(of_market, expected.cloned().collect::<Vec<_>>());
        // Each security has results in each quarter.
        assert!(of_market.iter().any(|event| event.event_type == "results"), "{of_market:?}");
    }
    let first = both[0].date.clone();
    let request =
        ListCorporateEventsRequest { from_date: first.clone(), to_date: first.clone(), ..request };
    let on_one_day = list_events(&mut service, request).await.items;
    assert!(!on_one_day.is_empty() && on_one_day.iter().all(|event| event.date == first));
}

#[tokio::test]
async fn providers_corporate_events_are_reused_for_ten_minutes() {
    let provider = Provider::default();
    let url = provider.start().await;
    let mut service = Running::start(&[
        ("SAHM_QUOTES_PROVIDER_URL", &url),
        ("SAHM_QUOTES_PROVIDER_TOKEN", "a-token"),
        ("SAHM_CORPORATE_EVENTS_URL", &url.replace("/quotes", "/events")),
    ])
    .await;
    let request =
        ListCorporateEventsRequest { security_codes: "2222,AAPL".into(), ..Default::default() };
    let events = list_events(&mut service, request.clone()).await.items;
    let shown = events.iter().map(|event| (&*event.id, &*event.amount_per_share, event.simulated));
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            ("2026-11-24:AAPL:ex_dividend", "0.2600", false),
            ("2026-12-10:AAPL:dividend_payment", "0.2600", false),
        ]
    );
    service.clock.advance(Duration::from_secs(599));
    list_events(&mut service, request.clone()).await;
    let body = json!({ "codes": ["2222", "AAPL"], "from": "2026-11-20", "to": "2026-12-20" });
    assert_eq!(provider.event_requests(), [body]);
    assert_eq!(provider.tokens(), [Some("Bearer a-token".to_owned())]);

    provider.fail(true);
    service.clock.advance(Duration::from_secs(1));
    assert_eq!(list_events(&mut service, request).await.items, events);
    let other = ListCorporateEventsRequest { security_codes: "MSFT".into(), ..Default::default() };
    let status = service.markets.list_corporate_events(other).await.unwrap_err();
    assert_eq!(status.code(), Code::Unavailable);
    assert_eq!(provider.event_requests().len(), 3);
}

#[tokio::test]
async fn provider_without_corporate_events_has_an_empty_list() {
    let provider = Provider::default();
    let url = provider.start().await;
    let mut service = Running::start(&[("SAHM_QUOTES_PROVIDER_URL", &url)]).await;
    let response = list_events(&mut service, ListCorporateEventsRequest::default()).await;
    assert_eq!(response, ListCorporateEventsResponse::default());
    assert_eq!(provider.event_requests(), Vec::<serde_json::Value>::new());
}

#[tokio::test]
async fn movers_request_the_provider_once_in_thirty_seconds() {
    let provider = Provider::default();
    for (code, price) in [("2222", "1.10"), ("1120", "0.90"), ("AAPL", "1.00")] {
        provider.set(code, price);
    }
    let url = provider.start().await;
    let mut service = Running::start(&[("SAHM_QUOTES_PROVIDER_URL", &url)]).await;
    let mut request_counts = Vec::new();
    for seconds in [NOW, NOW + 29, NOW + 30] {
        service.clock.set(seconds);
        let request = ListMoversRequest::default();
        let movers = service.markets.list_movers(request).await.unwrap().into_inner().items;
        let codes = |quotes: &[Quote]| {
            quotes.iter().map(|quote| quote.security_code.clone()).collect::<Vec<_>>()
        };
        assert_eq!(
            (codes(&movers[0].gainers), codes(&movers[0].losers)),
            (vec!["2222".to_owned()], vec!["1120".to_owned()])
        );
        assert_eq!((movers[1].gainers.len(), movers[1].losers.len()), (0, 0));
        request_counts.push(provider.requested_codes().len());
    }
    assert_eq!((request_counts[1], request_counts[2]), (request_counts[0], request_counts[0] * 2));
    let indices = service.markets.list_indices(ListIndicesRequest {}).await.unwrap().into_inner();
    assert_eq!(indices.items, []);
    let request = BatchGetDaySeriesRequest { security_codes: "2222,TASI".into() };
    let series = service.markets.batch_get_day_series(request).await.unwrap().into_inner();
    assert_eq!(series.items, []);
}

#[tokio::test]
async fn invalid_parameters_are_reported() {
    let mut service = Running::start(&[]).await;
    let market = || "uk".to_owned();
    let movers = ListMoversRequest { market: market(), size: 0 };
    let many = ListMoversRequest { market: String::new(), size: 51 };
    let events = ListCorporateEventsRequest::default;
    let event_market = ListCorporateEventsRequest { market: market(), ..events() };
    let event_codes = ListCorporateEventsRequest { security_codes: "a b".into(), ..events() };
    let event_size = ListCorporateEventsRequest { size: 51, ..events() };
    let event_cursor = ListCorporateEventsRequest { cursor: "00".into(), ..events() };
    let from_date = ListCorporateEventsRequest { from_date: "2026-02-30".into(), ..events() };
    // Yesterday in Riyadh, which is the default of the first date.
    let to_date = ListCorporateEventsRequest { to_date: "2026-11-19".into(), ..events() };
    let closes = ListDailyClosesRequest { market: market() };
    let codes = (0..21).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    let series = |security_codes| BatchGetDaySeriesRequest { security_codes };
    let markets = &mut service.markets;
    for (field, status) in [
        ("market", markets.list_movers(movers).await.map(drop)),
        ("size", markets.list_movers(many).await.map(drop)),
        ("market", markets.list_daily_closes(closes).await.map(drop)),
        ("market", markets.list_corporate_events(event_market).await.map(drop)),
        ("security_codes", markets.list_corporate_events(event_codes).await.map(drop)),
        ("size", markets.list_corporate_events(event_size).await.map(drop)),
        ("cursor", markets.list_corporate_events(event_cursor).await.map(drop)),
        ("from_date", markets.list_corporate_events(from_date).await.map(drop)),
        ("to_date", markets.list_corporate_events(to_date).await.map(drop)),
        ("security_codes", markets.batch_get_day_series(series(String::new())).await.map(drop)),
        ("security_codes", markets.batch_get_day_series(series("a b".into())).await.map(drop)),
        ("security_codes", markets.batch_get_day_series(series(codes)).await.map(drop)),
    ] {
        let status = status.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{field}");
        assert_eq!(Error::from(&status).fields()[0].field, field);
    }
}
