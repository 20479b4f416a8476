//! The fee schedule (specification §9 'Fees'): figures are exact decimals in strings.

use sahm_proto::config::v1::FeeSchedule;

/// What is wrong with a schedule, as `field: why`; empty: nothing.
pub fn check_fees(schedule: &FeeSchedule) -> Vec<String> {
    let mut faults = Vec::new();
    let mut check = |name: &str, text: &str, optional: bool| {
        if !(is_decimal(text) || optional && text.is_empty()) {
            faults.push(format!("{name}: '{text}' is no decimal such as 0.015"));
        }
    };
    check("vatRate", &schedule.vat_rate, false);
    match &schedule.us {
        None => check("us", "", false),
        Some(us) => {
            for (name, text, optional) in [
                ("us.commissionPerShare", &us.commission_per_share, false),
                ("us.commissionMin", &us.commission_min, false),
                ("us.commissionMaxRate", &us.commission_max_rate, false),
                ("us.settlementPerShare", &us.settlement_per_share, false),
                ("us.settlementMin", &us.settlement_min, false),
                ("us.secPerShare", &us.sec_per_share, false),
                ("us.secMin", &us.sec_min, false),
                ("us.secMax", &us.sec_max, false),
                ("us.catPerShare", &us.cat_per_share, false),
                ("us.catMin", &us.cat_min, false),
                ("us.marginMaxLeverage", &us.margin_max_leverage, false),
                ("us.marginAnnualRate", &us.margin_annual_rate, false),
                ("us.marginMonthlyPerThousand", &us.margin_monthly_per_thousand, false),
                ("us.optionsPremiumThreshold", &us.options_premium_threshold, true),
                ("us.optionsPerContractAbove", &us.options_per_contract_above, true),
                ("us.optionsPerContractAtMost", &us.options_per_contract_at_most, true),
            ] {
                check(name, text, optional);
            }
        }
    }
    match &schedule.saudi {
        None => check("saudi", "", false),
        Some(saudi) => {
            for (name, text, optional) in [
                ("saudi.commissionRate", &saudi.commission_rate, false),
                ("saudi.discountRate", &saudi.discount_rate, true),
                ("saudi.discountCap", &saudi.discount_cap, true),
                ("saudi.regulatorRate", &saudi.regulator_rate, false),
                ("saudi.exchangeRate", &saudi.exchange_rate, false),
                ("saudi.settlementRate", &saudi.settlement_rate, false),
                ("saudi.clearingRate", &saudi.clearing_rate, false),
            ] {
                check(name, text, optional);
            }
        }
    }
    faults
}

/// Digits with at most one point between them; no sign, no exponent.
fn is_decimal(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| {
        (1..=12).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    digits(whole) && digits(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals() {
        for (text, right) in [
            ("0.000166", true),
            ("2", true),
            ("8.30", true),
            ("", false),
            (".5", false),
            ("1.", false),
            ("-1", false),
            ("1e3", false),
            ("1.2.3", false),
            ("٣", false),
        ] {
            assert_eq!(is_decimal(text), right, "{text}");
        }
    }
}
