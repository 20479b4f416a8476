//! Exact amounts of money.

use std::{fmt, ops::Add, str::FromStr};

use serde::{Deserialize, Serialize};

/// An amount below 1,000,000,000,000 in hundredths of its currency; as text a decimal with at most
/// two places (`1000`, `49.50`).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(try_from = "String", into = "String")]
pub struct Amount(u64);

impl Amount {
    pub fn of_hundredths(hundredths: u64) -> Amount {
        Amount(hundredths)
    }

    pub fn hundredths(self) -> u64 {
        self.0
    }

    /// With thousands separators: `1,000`.
    pub fn grouped(self) -> String {
        let plain = self.to_string();
        let (whole, rest) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
        let mut text = String::new();
        for (at, digit) in whole.char_indices() {
            if at > 0 && (whole.len() - at) % 3 == 0 {
                text.push(',');
            }
            text.push(digit);
        }
        text + rest
    }
}

impl Add for Amount {
    type Output = Amount;

    fn add(self, other: Amount) -> Amount {
        Amount(self.0.saturating_add(other.0))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, places) = (self.0 / 100, self.0 % 100);
        match places {
            0 => write!(formatter, "{whole}"),
            _ => write!(formatter, "{whole}.{places:02}"),
        }
    }
}

impl From<Amount> for String {
    fn from(amount: Amount) -> String {
        amount.to_string()
    }
}

impl TryFrom<String> for Amount {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Amount, &'static str> {
        text.parse()
    }
}

impl FromStr for Amount {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Amount, &'static str> {
        const WRONG: &str = "a decimal of at most two places below 1000000000000";
        let (whole, places) = text.split_once('.').unwrap_or((text, "00"));
        let digits = |part: &str, count: std::ops::RangeInclusive<usize>| {
            count.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        let leading_zero = whole.len() > 1 && whole.starts_with('0');
        if !digits(whole, 1..=12) || !digits(places, 1..=2) || leading_zero {
            return Err(WRONG);
        }
        format!("{whole}{places:0<2}").parse().map(Amount).map_err(|_| WRONG)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn amounts_are_parsed_and_grouped() {
        for (text, read, grouped) in [
            ("0", "0", "0"),
            ("50", "50", "50"),
            ("49.5", "49.50", "49.50"),
            ("0.05", "0.05", "0.05"),
            ("1000.00", "1000", "1,000"),
            ("18888", "18888", "18,888"),
            ("999999999999.99", "999999999999.99", "999,999,999,999.99"),
        ] {
            let amount = text.parse::<Amount>().unwrap();
            assert_eq!((amount.to_string().as_str(), amount.grouped().as_str()), (read, grouped));
        }
        for text in
            ["", ".", "1.", ".5", "1.005", "-1", "+1", "01", "1e3", "1,000", "1000000000000", "١"]
        {
            assert!(text.parse::<Amount>().is_err(), "{text}");
        }
    }

    /// Above the largest amount, which has twelve digits before the point.
    const MAX_HUNDREDTHS: u64 = 100_000_000_000_000;

    proptest! {
        #[test]
        fn displayed_amount_is_parsed_to_the_same_amount(hundredths in 0..MAX_HUNDREDTHS) {
            let amount = Amount::of_hundredths(hundredths);
            prop_assert_eq!(amount.to_string().parse::<Amount>(), Ok(amount));
            let grouped = amount.grouped();
            prop_assert_eq!(grouped.replace(',', ""), amount.to_string());
        }
    }
}
