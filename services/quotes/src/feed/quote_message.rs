use sahm_proto::quotes::v1::{ExtendedQuote, Quote};

use crate::domain::{self, Change, Decimal};

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
        market: market.as_str().to_owned(),
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
