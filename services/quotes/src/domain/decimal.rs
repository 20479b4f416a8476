//! Exact decimals for prices. Trailing zeros are preserved: `25.40`.

pub use rust_decimal::Decimal;
use rust_decimal::{RoundingStrategy, prelude::ToPrimitive};

/// Zero with two decimals, as in prices.
pub const ZERO: Decimal = Decimal::from_parts(0, 0, 0, false, 2);

/// Maximum number of digits of a price.
const MAX_DIGITS: usize = 18;

/// Number of decimals of a ratio.
const RATIO_SCALE: u32 = 6;

/// Parses a decimal such as `25.40`.
pub fn decimal(text: &str) -> Option<Decimal> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let digits = unsigned.bytes().filter(u8::is_ascii_digit).count();
    let fits = is_number(whole) && is_number(fraction) && digits <= MAX_DIGITS;
    text.parse().ok().filter(|_| fits)
}

/// Converts a number of hundredths to a decimal.
pub fn cents(number: i64) -> Decimal {
    Decimal::new(number, 2)
}

/// Converts to hundredths, truncated; `None` if the result is too large.
pub fn to_cents(number: Decimal) -> Option<i64> {
    number.checked_mul(Decimal::ONE_HUNDRED)?.trunc().to_i64()
}

/// The ratio of two numbers, rounded half away from zero to 6 decimals, written with at least 2;
/// `None` if `whole` is zero or the ratio is too large.
pub fn ratio(part: Decimal, whole: Decimal) -> Option<Decimal> {
    let ratio = part.checked_div(whole)?;
    let rounding = RoundingStrategy::MidpointAwayFromZero;
    let mut ratio = ratio.round_dp_with_strategy(RATIO_SCALE, rounding).normalize();
    if ratio.scale() < ZERO.scale() {
        ratio.rescale(ZERO.scale());
    }
    Some(ratio)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn number(text: &str) -> Decimal {
        decimal(text).unwrap()
    }

    #[test]
    fn decimal_syntax_is_enforced() {
        for text in ["0", "0.00", "25.40", "-0.40", "12345678.0001", "007", &"1".repeat(18)] {
            assert!(decimal(text).is_some(), "{text}");
        }
        for text in [
            "",
            ".5",
            "1.",
            "-",
            "+1",
            "1e3",
            "1,5",
            "1_000",
            "--1",
            "1.2.3",
            "٣",
            " 1",
            "NaN",
            &"1".repeat(19),
        ] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn differences_and_ratios_are_exact() {
        for (a, b, difference, expected) in [
            ("25.40", "25.00", "0.40", "0.016"),
            ("25.00", "25.40", "-0.40", "-0.015748"),
            ("10", "10.000", "0.000", "0.00"),
            ("3.0001", "3", "0.0001", "0.000033"),
            ("2", "1", "1", "1.00"),
            ("0.1", "0.3", "-0.2", "-0.666667"),
            ("1000.0005", "1000", "0.0005", "0.000001"),
            ("999.9996", "1000", "-0.0004", "0.00"),
        ] {
            let change = number(a) - number(b);
            assert_eq!(change.to_string(), difference, "{a} {b}");
            assert_eq!(ratio(change, number(b)).unwrap().to_string(), expected, "{a} {b}");
        }
        assert_eq!(ratio(number("1"), ZERO), None);
    }

    #[test]
    fn ratio_of_extreme_numbers_does_not_overflow() {
        let (large, small) = (number(&"9".repeat(18)), number("0.00000000000000001"));
        assert_eq!(ratio(large, small), None);
        assert_eq!(ratio(small, large).unwrap().to_string(), "0.00");
    }

    #[test]
    fn cents_are_truncated() {
        for (text, expected) in [
            ("25.4", Some(2_540)),
            ("25.399", Some(2_539)),
            ("26", Some(2_600)),
            ("-25.409", Some(-2_540)),
            ("999999999999999999", None),
        ] {
            assert_eq!(to_cents(number(text)), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn decimal_keeps_its_text(text in "-?[1-9][0-9]{0,8}(\\.[0-9]{1,8})?") {
            prop_assert_eq!(number(&text).to_string(), text);
        }

        #[test]
        fn differences_add_up(a in -1_000_000_i64..1_000_000, b in -1_000_000_i64..1_000_000) {
            prop_assert_eq!(to_cents(cents(a) - cents(b)), Some(a - b));
        }
    }
}
