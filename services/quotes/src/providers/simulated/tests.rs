#![allow(clippy::unwrap_used)]
use proptest::prelude::*;

use super::*;
use crate::domain::{DataType, Decimal, Index, ZERO, to_cents};

/// Friday, 2026-11-20, 15:00 UTC: the US market is half an hour open, the Saudi one closed.
const NOW: u32 = 1_795_186_800;

fn security(code: &str, data_type: u32, level: &str) -> Arc<Security> {
    Arc::new(Security {
        code: SecurityCode::parse(code).unwrap(),
        data_type: DataType(data_type),
        exchange: "E".into(),
        name: code.into(),
        name_sa: code.into(),
        level: level.parse().unwrap(),
        status: Status::Normal,
        pre_ipo: false,
    })
}

fn at(seconds: u32, security: &Arc<Security>) -> Quote {
    market(seconds).quotes(vec![security.clone()]).into_inner().remove(0)
}

fn market(seconds: u32) -> Simulated {
    Simulated::new(SEED, Clock::fixed(seconds), Calendar::built_in().unwrap())
}

trait Now {
    fn into_inner(self) -> Vec<Quote>;
}

impl Now for sahm_chassis::BoxFuture<'_, Result<Vec<Quote>>> {
    fn into_inner(self) -> Vec<Quote> {
        futures_util::FutureExt::now_or_never(self).unwrap().unwrap()
    }
}

fn cents(price: Option<Decimal>) -> i64 {
    to_cents(price.unwrap()).unwrap()
}

#[test]
fn prices_do_not_depend_on_earlier_calls() {
    let apple = security("AAPL", 20001, "268.00");
    let called_every_minute = market(NOW - 3600);
    for minute in 0..=60 {
        called_every_minute.clock.set(NOW - 3600 + minute * 60);
        called_every_minute.quotes(vec![apple.clone()]).into_inner();
    }
    let here = called_every_minute.quotes(vec![apple.clone()]).into_inner().remove(0);
    assert_eq!(here, at(NOW, &apple));
    called_every_minute.clock.set(NOW - 1000);
    let earlier = called_every_minute.quotes(vec![apple.clone()]).into_inner().remove(0);
    assert_eq!(earlier, at(NOW - 1000, &apple));
    let other = Simulated::new(SEED + 1, Clock::fixed(NOW), Calendar::built_in().unwrap());
    assert_ne!(other.quotes(vec![apple.clone()]).into_inner().remove(0), here);
}

/// These prices change only with the formula, never with machine or build.
#[test]
fn prices_equal_the_recorded_ones() {
    for (code, data_type, level, prices, volume, time) in [
        ("AAPL", 20001, "268.00", "264.76 264.93 264.35 264.97 264.20", 151_222, 1_795_186_800),
        ("2222", 10001, "25.40", "25.35 25.60 25.55 25.65 25.35", 972_800, 1_795_089_599),
    ] {
        let quote = at(NOW, &security(code, data_type, level));
        let shown = [quote.last, quote.previous_close, quote.open, quote.high, quote.low]
            .map(|price| price.unwrap().to_string());
        assert_eq!((&*shown.join(" "), quote.time), (prices, time), "{code}");
        assert_eq!(quote.volume, Some(volume), "{code}");
    }
}

fn day_series(seconds: u32, subject: SeriesSubject) -> DaySeries {
    let market = market(seconds);
    let series = market.day_series(vec![subject]);
    futures_util::FutureExt::now_or_never(series).unwrap().unwrap().remove(0)
}

fn indices(seconds: u32) -> Vec<IndexQuote> {
    let market = market(seconds);
    let indices = market.indices();
    futures_util::FutureExt::now_or_never(indices).unwrap().unwrap()
}

/// These prices change only with the formula, never with machine or build.
#[test]
fn indices_and_series_are_the_same_on_every_machine() {
    let shown = indices(NOW).into_iter().map(|quote| {
        let IndexQuote { index, value, previous_close, time, session, .. } = quote;
        format!("{} {value} {previous_close} {time} {session:?}", index.code)
    });
    let expected = [
        "TASI 11374.92 11363.29 1795089599 Closed",
        "NOMU 24615.43 24384.73 1795089599 Closed",
        "SPX 7055.17 7026.11 1795186782 Open",
        "IXIC 22904.11 23065.17 1795186785 Open",
    ];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    let apple = day_series(NOW, SeriesSubject::Security(security("AAPL", 20001, "268.00")));
    let prices = apple.prices.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(prices.join(" "), "264.35 264.38 264.79 264.76");
}

#[test]
fn indices_rise_and_fall_over_a_month() {
    for index in &INDICES {
        let changes = (0..30).map(|day| {
            let quotes = indices(NOW + day * 86_400);
            let quote = quotes.iter().find(|quote| quote.index == index).unwrap();
            quote.value.cmp(&quote.previous_close)
        });
        let changes = changes.collect::<Vec<_>>();
        let count = |direction| changes.iter().filter(|change| **change == direction).count();
        assert!(count(std::cmp::Ordering::Greater) >= 5, "{}: {changes:?}", index.code);
        assert!(count(std::cmp::Ordering::Less) >= 5, "{}: {changes:?}", index.code);
    }
}

#[test]
fn index_fund_changes_by_as_much_as_its_index() {
    struct Case {
        fund: &'static str,
        index: &'static str,
    }
    for Case { fund, index } in [
        Case { fund: "SPY", index: "SPX" },
        Case { fund: "DIA", index: "SPX" },
        Case { fund: "QQQ", index: "IXIC" },
    ] {
        for day in 0..30 {
            let seconds = NOW + day * 86_400;
            let of_fund = at(seconds, &security(fund, 20002, "605.00")).change().ratio;
            let of_index = indices(seconds).into_iter().find(|quote| quote.index.code == index);
            let of_index = of_index.unwrap().change().ratio;
            let difference = (of_fund - of_index).abs();
            assert!(difference < Decimal::new(1, 3), "{fund} {day}: {of_fund} {of_index}");
        }
    }
}

#[test]
fn closing_prices_of_a_market_have_one_time() {
    // Saturday: both markets are closed. The Saudi session ended at 12:00 UTC on Thursday, the US
    // session at 21:00 UTC on Friday.
    let saturday = NOW + 86_400;
    for (market, closed_at) in [(Market::Saudi, 1_795_089_599), (Market::Us, 1_795_208_399)] {
        let data_type = if market == Market::Us { 20001 } else { 10001 };
        let codes = ["A", "B", "C", "D", "E"];
        let quotes = codes.map(|code| at(saturday, &security(code, data_type, "61.00")).time);
        let of_market = indices(saturday).into_iter().filter(|quote| quote.index.market == market);
        let times = quotes.into_iter().chain(of_market.map(|quote| quote.time));
        assert!(times.into_iter().all(|time| time == closed_at), "{market:?}");
    }
}

#[test]
fn untraded_security_has_no_series() {
    for (status, pre_ipo) in
        [(Status::Paused, false), (Status::Delisted, false), (Status::Normal, true)]
    {
        let normal = security("X", 20001, "8.00");
        let one = Arc::new(Security { status, pre_ipo, ..(*normal).clone() });
        let market = market(NOW);
        let series = market.day_series(vec![SeriesSubject::Security(one)]);
        let series = futures_util::FutureExt::now_or_never(series).unwrap().unwrap();
        assert_eq!(series, [], "{status:?} {pre_ipo}");
    }
}

#[test]
fn volume_never_falls_within_a_day_and_starts_again_on_the_next() {
    let apple = security("AAPL", 20001, "268.00");
    // From the opening at 14:30 UTC to the close at 21:00.
    let opening = NOW - 1800;
    let day = (0..=390).map(|minute| at(opening + minute * 60, &apple).volume.unwrap());
    let day = day.collect::<Vec<_>>();
    assert!(day.is_sorted() && day[0] > 0 && day[0] < day[390] / 100, "{} {}", day[0], day[390]);
    // Monday, before and at the opening.
    let monday = opening + 3 * 86_400;
    assert_eq!(at(monday - 1, &apple).volume, Some(day[390]));
    assert!(at(monday, &apple).volume.unwrap() < day[390] / 100);
}

#[test]
fn untraded_security_has_its_last_known_price() {
    let one = |status, pre_ipo| {
        let normal = security("X", 20001, "8.00");
        at(NOW, &Arc::new(Security { status, pre_ipo, ..Security::clone(&normal) }))
    };
    let delisted = one(Status::Delisted, false);
    assert_eq!((cents(delisted.last), delisted.session), (800, Session::Closed));
    let paused = one(Status::Paused, false);
    assert_eq!((paused.last, paused.open), (paused.previous_close, None));
    assert_eq!(paused.change().amount, ZERO);
    let offered = one(Status::Normal, true);
    assert_eq!((offered.last, offered.time), (None, 0));
    assert!([delisted, paused, offered].iter().all(|q| q.simulated && q.volume.is_none()));
}

#[test]
fn extended_hours_are_us_only_and_meet_the_session() {
    let (us, saudi) = (security("AAPL", 20001, "268.00"), security("2222", 10001, "25.40"));
    // 14:29:59 UTC and 21:00:30 UTC that Friday.
    let before = at(1_795_184_999, &us).extended.unwrap();
    let opening = at(1_795_185_000, &us);
    let gap = cents(Some(before.last)) - cents(opening.open);
    assert!(gap.abs() < 30 && before.session == Session::Before, "{gap}");
    let after = at(1_795_208_430, &us);
    let gap = cents(after.extended.map(|extended| extended.last)) - cents(after.last);
    assert!(gap.abs() < 30, "{gap}");
    assert_eq!(opening.extended, None);
    for seconds in [1_795_184_999, NOW, 1_795_208_430] {
        assert_eq!(at(seconds, &saudi).extended, None);
    }
}

#[test]
fn ticks_of_the_saudi_exchange() {
    for (price, step) in [(999, 1), (1_000, 2), (2_500, 5), (5_000, 10), (10_000, 20)] {
        assert_eq!(tick(Market::Saudi, price), step);
    }
}

proptest! {
    #[test]
    fn prices_stay_plausible(seconds in 1_767_300_000_u32..1_798_700_000, saudi: bool) {
        let (kind, level) = if saudi { (10001, "61.00") } else { (20001, "505.00") };
        let security = security("P", kind, level);
        let quote = at(seconds, &security);
        let (last, low, high) = (cents(quote.last), cents(quote.low), cents(quote.high));
        prop_assert!(low <= last && last <= high);
        prop_assert!(low <= cents(quote.open) && cents(quote.open) <= high);
        prop_assert!(quote.time <= seconds);
        let level = to_cents(security.level).unwrap();
        prop_assert!((last - level).abs() * 100 <= level * 14);
        // The Saudi Exchange allows 10 % a day.
        let before = cents(quote.previous_close);
        prop_assert!((last - before).abs() * 10 <= before);
        prop_assert_eq!(last % tick(security.market(), last), 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn series_end_with_the_last_price_and_stay_within_the_day(after in 0_u32..5 * 86_400, of_us: bool) {
        let seconds = NOW + after;
        let (code, data_type) = if of_us { ("AAPL", 20001) } else { ("2222", 10001) };
        let one = security(code, data_type, "68.00");
        let quote = at(seconds, &one);
        let series = day_series(seconds, SeriesSubject::Security(one));
        prop_assert!(series.prices.len() <= 31);
        prop_assert_eq!(series.prices.first().copied(), quote.open);
        prop_assert_eq!(series.prices.last().copied(), quote.last);
        prop_assert_eq!(Some(series.previous_close), quote.previous_close);
        prop_assert_eq!(series.last_at, quote.time);
        for price in &series.prices {
            prop_assert!(*price >= quote.low.unwrap());
            prop_assert!(*price <= quote.high.unwrap());
        }
    }

    #[test]
    fn series_of_indices_end_with_their_value(after in 0_u32..5 * 86_400, place in 0_usize..4) {
        let seconds = NOW + after;
        let index: &'static Index = &INDICES[place];
        let series = day_series(seconds, SeriesSubject::Index(index));
        let quote = indices(seconds).remove(place);
        prop_assert_eq!(series.prices.last().copied(), Some(quote.value));
        prop_assert_eq!(series.previous_close, quote.previous_close);
        prop_assert_eq!((series.last_at, series.code.as_str()), (quote.time, index.code));
    }
}
