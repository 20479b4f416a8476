//! The fee schedule: figures are exact decimals in strings.

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
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn missing_markets_and_wrong_figures_are_named() {
        let whole = crate::seed::bundle().unwrap().fees.unwrap();
        assert_eq!(check_fees(&whole), Vec::<String>::new());
        let named = |schedule: &FeeSchedule| {
            let faults = check_fees(schedule);
            faults
                .iter()
                .map(|fault| fault.split(':').next().unwrap_or_default().to_owned())
                .collect::<Vec<_>>()
        };
        let without_saudi = FeeSchedule { saudi: None, ..whole.clone() };
        let without_us = FeeSchedule { us: None, ..whole.clone() };
        assert_eq!(
            (named(&without_saudi), named(&without_us)),
            (vec!["saudi".to_owned()], vec!["us".to_owned()])
        );
        let mut wrong = whole;
        if let (Some(us), Some(saudi)) = (&mut wrong.us, &mut wrong.saudi) {
            us.options_premium_threshold = "ten".to_owned();
            us.options_per_contract_above = String::new();
            saudi.discount_rate = "70%".to_owned();
            saudi.discount_cap = String::new();
            saudi.clearing_rate = String::new();
        }
        assert_eq!(
            named(&wrong),
            ["us.optionsPremiumThreshold", "saudi.discountRate", "saudi.clearingRate"]
        );
    }

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
