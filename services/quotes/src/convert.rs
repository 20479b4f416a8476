//! Conversion of domain types to proto messages.

use sahm_proto::{
    Locale,
    quotes::v1::{
        Announcement, CorporateEvent, DaySeries, ExtendedQuote, IndexQuote, MarketTime, Quote,
        Security,
    },
};

use crate::domain::{self, Calendar, Change, Decimal, Market, Session};

/// The message of a quote, the same for every caller.
pub(crate) fn quote_message(quote: &domain::Quote) -> Quote {
    let security = &quote.security;
    let market = security.market();
    let change = quote.change();
    let known = |price: Option<Decimal>| price.map(|price| price.to_string()).unwrap_or_default();
    let or_zero = |price: Option<Decimal>| price.unwrap_or(domain::ZERO).to_string();
    Quote {
        id: security.code.to_string(),
        security_code: security.code.to_string(),
        data_type: security.data_type.0,
        market: market.into_str().to_owned(),
        name: security.name.clone(),
        name_en: security.name.clone(),
        name_sa: security.name_sa.clone(),
        ft_name: security.name_sa.clone(),
        last_price: known(quote.last),
        high_and_low: change.amount.to_string(),
        high_and_low_limited: change.ratio.to_string(),
        previous_close: known(quote.previous_close),
        open: or_zero(quote.open),
        high: or_zero(quote.high),
        low: or_zero(quote.low),
        volume: quote.volume.map(|units| units.to_string()).unwrap_or_default(),
        currency: market.currency().to_owned(),
        exchange: security.exchange.clone(),
        is_pre_ipo: security.pre_ipo,
        is_real_time: quote.real_time,
        is_old: quote.old,
        simulated: quote.simulated,
        status: security.status.number(),
        mkt_tm_type: quote.session.number(),
        time: quote.time,
        p_hqdata: quote.extended.map(|extended| {
            let change = Change::between(quote.last, Some(extended.last));
            ExtendedQuote {
                last_price: extended.last.to_string(),
                high_and_low: change.amount.to_string(),
                high_and_low_limited: change.ratio.to_string(),
                mkt_tm_type: extended.session.number(),
                time: extended.time,
            }
        }),
    }
}

pub(crate) fn index_message(quote: &domain::IndexQuote) -> IndexQuote {
    let change = quote.change();
    IndexQuote {
        id: quote.index.code.to_owned(),
        code: quote.index.code.to_owned(),
        market: quote.index.market.into_str().to_owned(),
        name: quote.index.name.to_owned(),
        name_en: quote.index.name.to_owned(),
        name_sa: quote.index.name_sa.to_owned(),
        value: quote.value.to_string(),
        change: change.amount.to_string(),
        change_ratio: change.ratio.to_string(),
        previous_close: quote.previous_close.to_string(),
        simulated: quote.simulated,
        mkt_tm_type: quote.session.number(),
        time: quote.time,
    }
}

/// The prices of a trading day.
pub(crate) fn series_message(series: &domain::DaySeries) -> DaySeries {
    DaySeries {
        id: series.code.clone(),
        code: series.code.clone(),
        trading_day: series.day.date.to_string(),
        opens_at: series.day.opens,
        closes_at: series.day.closes,
        interval: series.interval,
        prices: series.prices.iter().map(ToString::to_string).collect(),
        last_at: series.last_at,
        previous_close: series.previous_close.to_string(),
        simulated: series.simulated,
    }
}

pub(crate) fn corporate_event_message(event: &domain::CorporateEvent) -> CorporateEvent {
    let security = &event.security;
    let market = security.market();
    let amount = event.amount_per_share.map(|amount| amount.to_string());
    CorporateEvent {
        id: event.id(),
        event_type: event.event_type.into_str().to_owned(),
        date: event.date.to_string(),
        security_code: security.code.to_string(),
        market: market.into_str().to_owned(),
        name: security.name.clone(),
        name_en: security.name.clone(),
        name_sa: security.name_sa.clone(),
        amount_per_share: amount.unwrap_or_default(),
        currency: market.currency().to_owned(),
        simulated: event.simulated,
    }
}

/// A security without its price.
pub(crate) fn security_message(security: &domain::Security) -> Security {
    let market = security.market();
    Security {
        id: security.code.to_string(),
        security_code: security.code.to_string(),
        data_type: security.data_type.0,
        market: market.into_str().to_owned(),
        name: security.name.clone(),
        name_en: security.name.clone(),
        name_sa: security.name_sa.clone(),
        exchange: security.exchange.clone(),
        currency: market.currency().to_owned(),
        is_pre_ipo: security.pre_ipo,
        status: security.status.number(),
    }
}

/// The state of a market.
pub(crate) fn market_message(market: Market, time: &domain::MarketTime) -> MarketTime {
    MarketTime {
        id: market.into_str().to_owned(),
        market: market.into_str().to_owned(),
        mkt_tm_type: time.session.number(),
        next_change_at: time.next_change_at,
        trading_day: match time.session {
            Session::Unknown => String::new(),
            _ => time.day.date.to_string(),
        },
        time_zone: Calendar::zone_name(market).to_owned(),
    }
}

/// An announcement in the requested locale, otherwise in the other one.
pub(crate) fn announcement_message(
    announcement: &domain::Announcement,
    locale: Locale,
) -> Option<Announcement> {
    let (locale, text) = announcement.text(locale)?;
    Some(Announcement {
        id: announcement.id,
        locale: locale.as_str().to_owned(),
        title: text.title.clone(),
        summary: text.summary.clone(),
        body_html: text.body_html(),
        market: announcement.market.clone(),
        published_at: announcement.published_at,
        source: text.source.clone(),
        security_codes: announcement.securities.iter().map(ToString::to_string).collect(),
        sample: announcement.sample,
        available_locales: announcement
            .texts
            .keys()
            .map(|locale| locale.as_str().to_owned())
            .collect(),
    })
}
