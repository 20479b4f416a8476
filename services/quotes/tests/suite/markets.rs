//! Indices, movers, day series and daily closes with the seed.

use sahm_chassis::error::Error;
use sahm_proto::quotes::v1::{
    BatchGetDaySeriesRequest, ListDailyClosesRequest, ListIndicesRequest, ListMoversRequest, Quote,
};
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
    let closes = ListDailyClosesRequest { market: market() };
    let codes = (0..21).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    let series = |security_codes| BatchGetDaySeriesRequest { security_codes };
    let markets = &mut service.markets;
    for (field, status) in [
        ("market", markets.list_movers(movers).await.map(drop)),
        ("size", markets.list_movers(many).await.map(drop)),
        ("market", markets.list_daily_closes(closes).await.map(drop)),
        ("security_codes", markets.batch_get_day_series(series(String::new())).await.map(drop)),
        ("security_codes", markets.batch_get_day_series(series("a b".into())).await.map(drop)),
        ("security_codes", markets.batch_get_day_series(series(codes)).await.map(drop)),
    ] {
        let status = status.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{field}");
        assert_eq!(Error::from(&status).fields()[0].field, field);
    }
}
