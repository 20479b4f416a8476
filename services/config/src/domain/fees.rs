//! The fee schedule: figures are exact decimals in strings.

use sahm_proto::config::v1::FeeSchedule;

/// Validates a schedule; returns its errors as `field: reason`, empty if it is valid.
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
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn missing_markets_are_reported() {
        let whole = crate::seed::bundle().unwrap().fees.unwrap();
        assert_eq!(check_fees(&whole), Vec::<String>::new());
        let without_saudi = FeeSchedule { saudi: None, ..whole.clone() };
        let without_us = FeeSchedule { us: None, ..whole };
        for (schedule, market) in [(without_saudi, "saudi"), (without_us, "us")] {
            assert_eq!(
                check_fees(&schedule),
                [format!("{market}: '' is no decimal such as 0.015")]
            );
        }
    }

    /// Each figure by its path in canonical JSON, and whether it may be empty.
    const FIGURES: [(&str, bool); 24] = [
        ("vatRate", false),
        ("us.commissionPerShare", false),
        ("us.commissionMin", false),
        ("us.commissionMaxRate", false),
        ("us.settlementPerShare", false),
        ("us.settlementMin", false),
        ("us.secPerShare", false),
        ("us.secMin", false),
        ("us.secMax", false),
        ("us.catPerShare", false),
        ("us.catMin", false),
        ("us.marginMaxLeverage", false),
        ("us.marginAnnualRate", false),
        ("us.marginMonthlyPerThousand", false),
        ("us.optionsPremiumThreshold", true),
        ("us.optionsPerContractAbove", true),
        ("us.optionsPerContractAtMost", true),
        ("saudi.commissionRate", false),
        ("saudi.discountRate", true),
        ("saudi.discountCap", true),
        ("saudi.regulatorRate", false),
        ("saudi.exchangeRate", false),
        ("saudi.settlementRate", false),
        ("saudi.clearingRate", false),
    ];

    #[test]
    fn every_figure_is_validated() {
        let whole = serde_json::to_value(crate::seed::bundle().unwrap().fees.unwrap()).unwrap();
        for (path, may_be_empty) in FIGURES {
            for (text, is_right) in [("x", false), ("", may_be_empty), ("0.5", true)] {
                let mut json = whole.clone();
                let pointer = format!("/{}", path.replace('.', "/"));
                match path.rsplit_once('.') {
                    Some((market, name)) => json[market][name] = text.into(),
                    None => json[path] = text.into(),
                }
                assert_eq!(json.pointer(&pointer).unwrap(), text);
                let faults = check_fees(&serde_json::from_value(json).unwrap());
                let expected: Vec<String> = if is_right {
                    Vec::new()
                } else {
                    vec![format!("{path}: '{text}' is no decimal such as 0.015")]
                };
                assert_eq!(faults, expected, "{path} '{text}'");
            }
        }
    }

    #[test]
    fn decimal_syntax_is_enforced() {
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
            ("123456789012.123456789012", true),
            ("1234567890123", false),
            ("0.1234567890123", false),
        ] {
            assert_eq!(is_decimal(text), right, "{text}");
        }
    }
}
