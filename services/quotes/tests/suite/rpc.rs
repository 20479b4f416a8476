//! The rpcs of the service with the seed and the simulated market, in process and over TCP.

use crate::support::{NOW, Running, context};
use sahm_chassis::{
    clock::Clock,
    error::Error,
    service::{Seeding, Service},
};
use sahm_proto::quotes::v1::{
    BatchGetAnnouncementsRequest, BatchGetQuotesByTypeRequest, BatchGetQuotesRequest,
    BatchGetSaudiQuotesRequest, BatchGetSecuritiesRequest, BatchGetUsQuotesRequest, CodeAndType,
    GetAnnouncementRequest, GetDataTypeRequest, GetQuoteRequest, GetSecurityRequest,
    ListAnnouncementsRequest, ListMarketsRequest, ListSecuritiesRequest, Quote,
    StreamQuotesRequest,
};
use tonic::Code;

/// Runs each case on SQLite and on PostgreSQL.
macro_rules! on_both_engines {
    ($($case:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $case() {
                super::$case(String::new()).await;
            })*
        }
        mod postgres {
            $(#[tokio::test]
            async fn $case() {
                let postgres = sahm_testkit::Postgres::shared().await.unwrap();
                super::$case(postgres.database().await.unwrap()).await;
            })*
        }
    };
}

on_both_engines!(
    quotes_are_returned_by_code,
    untraded_securities_have_their_status,
    rpcs_of_a_market_return_its_quotes_only,
    all_securities_are_listed,
    markets_return_their_session,
    invalid_parameters_are_reported,
    announcements_are_returned_in_both_locales,
);

fn codes(quotes: &[Quote]) -> Vec<&str> {
    quotes.iter().map(|quote| quote.id.as_str()).collect()
}

fn batch_request(codes: &str) -> BatchGetQuotesRequest {
    BatchGetQuotesRequest { security_codes: codes.into() }
}

async fn quotes_are_returned_by_code(database: String) {
    let (mut here, mut there) = (
        Running::start(&[("SAHM_DATABASE_URL", &database)]).await,
        Running::start_apart(&[("SAHM_DATABASE_URL", &database)]).await,
    );
    let request = || batch_request("2222, AAPL,NOSUCH,XPAUSED,AAPL");
    let quotes = here.quotes.batch_get_quotes(request()).await.unwrap().into_inner().quotes;
    let over_tcp = there.quotes.batch_get_quotes(request()).await.unwrap().into_inner().quotes;
    assert_eq!(quotes, over_tcp);
    assert_eq!(codes(&quotes), ["2222", "AAPL", "XPAUSED"]);
    assert!(quotes.iter().all(|quote| quote.simulated && !quote.is_old));
    let (aramco, apple) = (&quotes[0], &quotes[1]);
    assert_eq!((&*aramco.market, &*aramco.currency, aramco.mkt_tm_type), ("saudi", "SAR", 4));
    assert_eq!((&*apple.market, &*apple.currency, apple.mkt_tm_type), ("us", "USD", 1));
    assert_eq!((&*aramco.name, &*aramco.name_sa), ("Saudi Aramco", "أرامكو السعودية"));
    assert!(apple.time <= NOW && apple.time > NOW - 60 && aramco.time < NOW - 3600);
    assert!(apple.last_price.parse::<f64>().unwrap() > 200.0);
    assert_eq!(quotes[2].status, 2);
    assert!(apple.volume.parse::<u64>().unwrap() > 0 && aramco.volume.parse::<u64>().unwrap() > 0);
    assert_eq!(quotes[2].volume, "", "paused");

    let one = GetQuoteRequest { security_code: "2222".into() };
    let quote = here.quotes.get_quote(one).await.unwrap().into_inner().quote;
    assert_eq!(quote.as_ref(), Some(aramco));
}

async fn untraded_securities_have_their_status(database: String) {
    let mut running = Running::start(&[("SAHM_DATABASE_URL", &database)]).await;
    let quotes =
        running.quotes.batch_get_quotes(batch_request("XDELIST,XPAUSED,XPREIPO")).await.unwrap();
    let quotes = quotes.into_inner().quotes;
    let shown = quotes.iter().map(|q| (q.status, q.is_pre_ipo, &*q.last_price, q.mkt_tm_type));
    let shown = shown.collect::<Vec<_>>();
    assert_eq!((shown[0], shown[2]), ((1, false, "8.00", 4), (0, true, "", 1)));
    assert_eq!((shown[1].0, shown[1].3), (2, 1));
    for quote in &quotes {
        let (change, ratio) = (&*quote.high_and_low, &*quote.high_and_low_limited);
        assert_eq!((change, ratio, &*quote.high, &*quote.low), ("0.00", "0.00", "0.00", "0.00"));
    }
}

async fn rpcs_of_a_market_return_its_quotes_only(database: String) {
    let mut running = Running::start(&[("SAHM_DATABASE_URL", &database)]).await;
    let both = "AAPL,2222,MSFT";
    let saudi = BatchGetSaudiQuotesRequest { security_codes: both.into() };
    let saudi = running.quotes.batch_get_saudi_quotes(saudi).await.unwrap().into_inner();
    assert_eq!(codes(&saudi.quotes), ["2222"]);
    let us = BatchGetUsQuotesRequest { security_codes: both.into() };
    let us = running.quotes.batch_get_us_quotes(us).await.unwrap().into_inner();
    assert_eq!(codes(&us.quotes), ["AAPL", "MSFT"]);
    let pair = |code: &str, data_type| CodeAndType { security_code: code.into(), data_type };
    let list = vec![
        pair("AAPL", 20001),
        pair("2222", 0),
        pair("MSFT", 10001),
        pair("1120", 30001),
        pair("NOSUCH", 20001),
    ];
    let request = BatchGetQuotesByTypeRequest { list };
    let pairs = running.quotes.batch_get_quotes_by_type(request).await.unwrap().into_inner();
    assert_eq!(codes(&pairs.quotes), ["AAPL", "2222", "1120"]);
    for (number, market, special) in
        [(20_003, "us", true), (20_001, "us", false), (30_000, "saudi", false)]
    {
        let request = GetDataTypeRequest { data_type: number };
        let kind = running.quotes.get_data_type(request).await.unwrap().into_inner();
        assert_eq!((&*kind.market, kind.special), (market, special));
    }
}

async fn all_securities_are_listed(database: String) {
    let mut running = Running::start(&[("SAHM_DATABASE_URL", &database)]).await;
    for (market, min) in [("us", 100), ("saudi", 100), ("", 250)] {
        let (mut listed, mut cursor) = (Vec::new(), String::new());
        loop {
            let request = ListSecuritiesRequest { market: market.into(), size: 50, cursor };
            let page = running.quotes.list_securities(request).await.unwrap().into_inner();
            listed.extend(page.items);
            cursor = page.next_cursor;
            if cursor.is_empty() {
                break;
            }
        }
        assert!(listed.len() >= min && listed.is_sorted_by(|a, b| a.id < b.id), "{market}");
        assert!(listed.iter().all(|one| market.is_empty() || one.market == market));
    }
    let some = BatchGetSecuritiesRequest { security_codes: "TSLA,X1,7010".into() };
    let some = running.quotes.batch_get_securities(some).await.unwrap().into_inner().items;
    assert_eq!(some.iter().map(|one| &*one.id).collect::<Vec<_>>(), ["TSLA", "7010"]);
    let one = GetSecurityRequest { security_code: "TSLA".into() };
    let one = running.quotes.get_security(one).await.unwrap().into_inner().security;
    assert_eq!(one.as_ref(), some.first());
}

async fn markets_return_their_session(database: String) {
    let mut running = Running::start(&[("SAHM_DATABASE_URL", &database)]).await;
    let items =
        running.quotes.list_markets(ListMarketsRequest {}).await.unwrap().into_inner().items;
    let shown = items.iter().map(|one| (&*one.id, one.mkt_tm_type, &*one.trading_day));
    assert_eq!(shown.collect::<Vec<_>>(), [("us", 1, "2026-11-20"), ("saudi", 4, "2026-11-19")]);
    assert!(items.iter().all(|one| one.next_change_at > NOW));
}

async fn invalid_parameters_are_reported(database: String) {
    let mut running = Running::start(&[("SAHM_DATABASE_URL", &database)]).await;
    let many = (0..51).map(|code| code.to_string()).collect::<Vec<_>>().join(",");
    for codes in ["", ",", "AA PL", "سهم", &many] {
        let status = running.quotes.batch_get_quotes(batch_request(codes)).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        assert_eq!(Error::from(&status).fields()[0].field, "security_codes");
    }
    for codes in ["", "AAPL,NOSUCH", "aapl"] {
        let request = StreamQuotesRequest { security_codes: codes.into() };
        let status = running.quotes.stream_quotes(request).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{codes}");
        assert_eq!(Error::from(&status).fields()[0].field, "security_codes");
    }
    let status = running
        .quotes
        .batch_get_quotes_by_type(BatchGetQuotesByTypeRequest { list: Vec::new() })
        .await
        .unwrap_err();
    assert_eq!(Error::from(&status).fields()[0].field, "list");
    let status = running
        .quotes
        .get_quote(GetQuoteRequest { security_code: "NOSUCH".into() })
        .await
        .unwrap_err();
    assert_eq!((status.code(), Error::from(&status).code().number()), (Code::NotFound, 404));
    let request = ListSecuritiesRequest { market: "us".into(), ..Default::default() };
    let cursor = running.quotes.list_securities(request).await.unwrap().into_inner().next_cursor;
    for (market, cursor) in [("saudi", cursor.clone()), ("", cursor.clone()), ("us", "ABBV".into())]
    {
        let request = ListSecuritiesRequest { market: market.into(), cursor, size: 0 };
        let status = running.quotes.list_securities(request).await.unwrap_err();
        assert_eq!(Error::from(&status).fields()[0].field, "cursor", "{market}");
    }
    let request = ListAnnouncementsRequest { cursor, ..Default::default() };
    let status = running.announcements.list_announcements(request).await.unwrap_err();
    assert_eq!(Error::from(&status).fields()[0].field, "cursor");
    let request = ListSecuritiesRequest { market: "uk".into(), ..Default::default() };
    let status = running.quotes.list_securities(request).await.unwrap_err();
    assert_eq!(Error::from(&status).fields()[0].field, "market");
}

async fn announcements_are_returned_in_both_locales(database: String) {
    let mut running = Running::start(&[("SAHM_DATABASE_URL", &database)]).await;
    for (locale, arabic) in [("en-us", false), ("ar-sa", true), ("", false)] {
        let request = ListAnnouncementsRequest { locale: locale.into(), ..Default::default() };
        let list = running.announcements.list_announcements(request).await.unwrap().into_inner();
        assert_eq!((list.items.len(), list.next_cursor.is_empty()), (4, false));
        let id = list.items[0].id;
        let request = GetAnnouncementRequest { id, locale: locale.into() };
        let one = running.announcements.get_announcement(request).await.unwrap().into_inner();
        let one = one.announcement.unwrap();
        assert_eq!(one, list.items[0]);
        assert!(one.sample && one.body_html.starts_with("<p>"));
        assert_eq!(one.title.contains("السوق"), arabic, "{}", one.title);
        assert_eq!(one.available_locales, ["en-us", "ar-sa"]);
        let request =
            BatchGetAnnouncementsRequest { ids: vec![9003, 1, id], locale: locale.into() };
        let some = running.announcements.batch_get_announcements(request).await.unwrap();
        let ids = some.into_inner().items.iter().map(|one| one.id).collect::<Vec<_>>();
        assert_eq!(ids, [9003, id]);
        let request = ListAnnouncementsRequest { cursor: list.next_cursor, ..Default::default() };
        let rest = running.announcements.list_announcements(request).await.unwrap().into_inner();
        assert_eq!((rest.items.len(), &*rest.next_cursor), (2, ""));
    }
    let request = GetAnnouncementRequest { id: 7, locale: String::new() };
    let status = running.announcements.get_announcement(request).await.unwrap_err();
    assert_eq!((status.code(), Error::from(&status).code().number()), (Code::NotFound, 20_390_030));
}

#[tokio::test]
async fn simulated_market_is_rejected_in_pre_and_prod() {
    for (environment, starts) in [("uat", true), ("pre", false), ("prod", false)] {
        let folder = tempfile::tempdir().unwrap();
        let context = context(&folder, &[("SAHM_ENV", environment)]);
        match sahm_quotes::Quotes::start(&context, Clock::system()).await {
            Ok(_) => assert!(starts, "{environment}"),
            Err(error) => {
                let line = error.to_string();
                assert!(!starts && line.starts_with("SAHM_QUOTES_PROVIDER_URL: required in"));
                assert!(!line.contains('\n'));
            }
        }
        context.lifecycle.drain();
    }
}

#[tokio::test]
async fn outside_dev_store_stays_empty_until_seeded() {
    let folder = tempfile::tempdir().unwrap();
    let context = context(&folder, &[("SAHM_ENV", "uat")]);
    let url = context.settings.database_url(sahm_chassis::ServiceName::Quotes);
    sahm_quotes::Quotes::start(&context, Clock::system()).await.unwrap();
    let store = sahm_quotes::store::QuotesStore::open(&url).await.unwrap();
    assert!(store.is_empty().await.unwrap());
    for seeding in [Seeding::Filled, Seeding::NotEmpty] {
        assert_eq!(sahm_quotes::Quotes::open_and_seed(&context.settings).await.unwrap(), seeding);
    }
    assert!(store.catalogue().await.unwrap().after(None, None, usize::MAX).len() > 100);
    context.lifecycle.drain();
}
