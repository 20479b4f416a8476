//! Exact decimals for prices.

use std::{cmp::Ordering, fmt, str::FromStr};

/// Maximum number of digits.
const DIGITS: usize = 18;

/// Number of decimals of a ratio.
const RATIO_SCALE: u32 = 6;

/// An exact decimal number as written: `25.40` keeps its zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    digits: i128,
    scale: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is no decimal such as 25.40")]
pub struct NoDecimal;

impl Decimal {
    pub const ZERO: Decimal = Decimal { digits: 0, scale: 2 };

    pub fn cents(digits: i64) -> Decimal {
        Decimal { digits: i128::from(digits), scale: 2 }
    }

    pub fn is_positive(self) -> bool {
        self.digits > 0
    }

    /// In hundredths, truncated; `None` if that is too large.
    pub fn to_cents(self) -> Option<i64> {
        i64::try_from(self.digits * 100 / 10_i128.pow(self.scale)).ok()
    }

    /// Compares the values: `25.40` equals `25.4`.
    pub fn compare(self, other: Decimal) -> Ordering {
        self.minus(other).digits.cmp(&0)
    }

    /// The difference, with the larger number of decimals.
    pub fn minus(self, other: Decimal) -> Decimal {
        let scale = self.scale.max(other.scale);
        Decimal { digits: self.at(scale) - other.at(scale), scale }
    }

    /// The ratio to another number, rounded half away from zero to 6 decimals, written with at
    /// least 2; `None` for a ratio to zero.
    pub fn of(self, whole: Decimal) -> Option<Decimal> {
        if whole.digits == 0 {
            return None;
        }
        let scale = self.scale.max(whole.scale);
        let top = self.at(scale) * 10_i128.pow(RATIO_SCALE) * 2;
        let bottom = whole.at(scale);
        let doubled = top / bottom;
        let digits = (doubled + doubled.signum()) / 2;
        let mut ratio = Decimal { digits, scale: RATIO_SCALE };
        while ratio.scale > 2 && ratio.digits % 10 == 0 {
            ratio = Decimal { digits: ratio.digits / 10, scale: ratio.scale - 1 };
        }
        Some(ratio)
    }

    fn at(self, scale: u32) -> i128 {
        self.digits * 10_i128.pow(scale - self.scale)
    }
}

impl FromStr for Decimal {
    type Err = NoDecimal;

    fn from_str(text: &str) -> Result<Self, NoDecimal> {
        let (sign, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let count = whole.len() + fraction.len();
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let dotted_empty = unsigned.contains('.') && fraction.is_empty();
        if whole.is_empty() || dotted_empty || count > DIGITS || !digits(whole) || !digits(fraction)
        {
            return Err(NoDecimal);
        }
        let number: i128 = format!("{whole}{fraction}").parse().map_err(|_| NoDecimal)?;
        let scale = u32::try_from(fraction.len()).map_err(|_| NoDecimal)?;
        Ok(Decimal { digits: sign * number, scale })
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.digits < 0 { "-" } else { "" };
        let (unit, digits) = (10_u128.pow(self.scale), self.digits.unsigned_abs());
        let (whole, fraction) = (digits / unit, digits % unit);
        if self.scale == 0 {
            return write!(f, "{sign}{whole}");
        }
        write!(f, "{sign}{whole}.{fraction:0>width$}", width = self.scale as usize)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn decimal_syntax_is_enforced() {
        for text in ["0", "0.00", "25.40", "-0.40", "12345678.0001", "007"] {
            assert!(text.parse::<Decimal>().is_ok(), "{text}");
        }
        for text in ["", ".5", "1.", "-", "+1", "1e3", "1,5", "--1", "1.2.3", "٣", " 1", "NaN"] {
            assert!(text.parse::<Decimal>().is_err(), "{text}");
        }
        assert!("1".repeat(19).parse::<Decimal>().is_err());
    }

    #[test]
    fn differences_and_ratios_are_exact() {
        for (a, b, difference, ratio) in [
            ("25.40", "25.00", "0.40", "0.016"),
            ("25.00", "25.40", "-0.40", "-0.015748"),
            ("10", "10.000", "0.000", "0.00"),
            ("3.0001", "3", "0.0001", "0.000033"),
            ("2", "1", "1", "1.00"),
            ("0.1", "0.3", "-0.2", "-0.666667"),
        ] {
            let change = decimal(a).minus(decimal(b));
            assert_eq!(change.to_string(), difference, "{a} {b}");
            assert_eq!(change.of(decimal(b)).unwrap().to_string(), ratio, "{a} {b}");
        }
        assert_eq!(decimal("1").of(Decimal::ZERO), None);
    }

    #[test]
    fn decimals_of_every_scale_are_compared_and_converted() {
        struct Case {
            text: &'static str,
            to_25_4: Ordering,
            cents: Option<i64>,
            is_positive: bool,
        }
        use Ordering::{Equal, Greater, Less};
        for Case { text, to_25_4, cents, is_positive } in [
            Case { text: "25.4", to_25_4: Equal, cents: Some(2_540), is_positive: true },
            Case { text: "25.40", to_25_4: Equal, cents: Some(2_540), is_positive: true },
            Case { text: "25.399", to_25_4: Less, cents: Some(2_539), is_positive: true },
            Case { text: "25.4001", to_25_4: Greater, cents: Some(2_540), is_positive: true },
            Case { text: "26", to_25_4: Greater, cents: Some(2_600), is_positive: true },
            Case { text: "0.00", to_25_4: Less, cents: Some(0), is_positive: false },
            Case { text: "-25.4", to_25_4: Less, cents: Some(-2_540), is_positive: false },
            Case { text: "999999999999999999", to_25_4: Greater, cents: None, is_positive: true },
        ] {
            assert_eq!(decimal(text).compare(decimal("25.4")), to_25_4, "{text}");
            assert_eq!(decimal(text).to_cents(), cents, "{text}");
            assert_eq!(decimal(text).is_positive(), is_positive, "{text}");
        }
    }

    proptest! {
        #[test]
        fn decimal_keeps_its_text(text in "-?[1-9][0-9]{0,8}(\\.[0-9]{1,8})?") {
            prop_assert_eq!(decimal(&text).to_string(), text);
        }

        #[test]
        fn differences_add_up(a in -1_000_000_i64..1_000_000, b in -1_000_000_i64..1_000_000) {
            let difference = Decimal::cents(a).minus(Decimal::cents(b));
            prop_assert_eq!(difference.to_cents(), Some(a - b));
        }
    }
}
