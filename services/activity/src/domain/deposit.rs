//! Deposits, the standards that they reach, and their tickets.

use sahm_chassis::{
    error::{Error, Result},
    validate,
};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use super::{Amount, CampaignFigures, Standard};

/// Its text is the code of ISO 4217.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE", const_into_str)]
pub enum Currency {
    Sar,
    Usd,
}

/// A deposit as the booking team reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deposit {
    /// `[A-Za-z0-9_.:-]{1,64}`.
    pub id: String,
    pub member: u64,
    /// Above 0.
    pub amount: Amount,
    pub currency: Currency,
    /// Epoch seconds of the booking.
    pub deposited_at: u32,
}

impl Deposit {
    /// # Errors
    /// Names the invalid field, as `deposit.id`.
    pub fn check(
        id: &str,
        member: u64,
        amount: &str,
        currency: &str,
        deposited_at: u32,
    ) -> Result<Deposit> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte);
        if !(1..=64).contains(&id.len()) || !id.bytes().all(fits) {
            return Err(Error::field("deposit.id", "1 to 64 letters, digits, '_', '.', ':', '-'"));
        }
        let member = validate::member_id("deposit.member", member)?;
        let amount = amount.parse::<Amount>().map_err(|why| Error::field("deposit.amount", why))?;
        if amount == Amount::default() {
            return Err(Error::field("deposit.amount", "must be above 0"));
        }
        let currency =
            currency.parse().map_err(|_| Error::field("deposit.currency", "SAR or USD"))?;
        if deposited_at == 0 {
            return Err(Error::field("deposit.deposited_at", "must be given"));
        }
        Ok(Deposit { id: id.to_owned(), member, amount, currency, deposited_at })
    }
}

/// The total deposits of a member by currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deposited {
    pub sar: Amount,
    pub usd: Amount,
}

impl Deposited {
    /// Whether the deposits in either currency alone reach the standard.
    pub fn reaches(&self, standard: &Standard) -> bool {
        self.sar >= standard.sar || self.usd >= standard.usd
    }
}

/// The tickets for riyal deposits made while a draw is open: one for each whole ticket amount, up
/// to the maximum of a member.
pub fn entitled(deposited: Amount, figures: &CampaignFigures) -> u32 {
    let Some(price) = figures.ticket_amount.map(Amount::hundredths).filter(|price| *price > 0)
    else {
        return 0;
    };
    u32::try_from(deposited.hundredths() / price).unwrap_or(u32::MAX).min(figures.tickets_max)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn amount(text: &str) -> Amount {
        text.parse().unwrap()
    }

    fn national_day() -> CampaignFigures {
        CampaignFigures {
            ticket_amount: Some(amount("50")),
            tickets_max: 4,
            ..CampaignFigures::default()
        }
    }

    #[test]
    fn deposits_in_one_currency_reach_the_standard() {
        let standard = Standard { sar: amount("1000"), usd: amount("300") };
        for (sar, usd, reached) in [
            ("0", "0", false),
            ("999.99", "299.99", false),
            ("1000", "0", true),
            ("0", "300", true),
            ("5000", "1500", true),
        ] {
            let deposited = Deposited { sar: amount(sar), usd: amount(usd) };
            assert_eq!(deposited.reaches(&standard), reached, "{sar} {usd}");
        }
    }

    #[test]
    fn deposits_entitle_to_at_most_four_tickets() {
        for (deposited, tickets) in [
            ("0", 0),
            ("49.99", 0),
            ("50", 1),
            ("99.99", 1),
            ("100", 2),
            ("200", 4),
            ("250", 4),
            ("999999999999.99", 4),
        ] {
            assert_eq!(entitled(amount(deposited), &national_day()), tickets, "{deposited}");
        }
        assert_eq!(entitled(amount("1000"), &CampaignFigures::default()), 0);
    }

    #[test]
    fn invalid_fields_are_reported() {
        for (id, member, sum, currency, at, field) in [
            ("", 1, "1", "SAR", 1, "deposit.id"),
            ("a b", 1, "1", "SAR", 1, "deposit.id"),
            ("a", 0, "1", "SAR", 1, "deposit.member"),
            ("a", u64::MAX, "1", "SAR", 1, "deposit.member"),
            ("a", 1, "0.00", "SAR", 1, "deposit.amount"),
            ("a", 1, "1,5", "SAR", 1, "deposit.amount"),
            ("a", 1, "1", "EUR", 1, "deposit.currency"),
            ("a", 1, "1", "SAR", 0, "deposit.deposited_at"),
        ] {
            let error = Deposit::check(id, member, sum, currency, at).unwrap_err();
            assert_eq!(error.fields()[0].field, field);
        }
        assert!(Deposit::check("A-1.b:2_c", 1, "0.01", "USD", 1).is_ok());
    }

    proptest! {
        #[test]
        fn entitled_tickets_grow_with_deposits(
            one in 0..100_000_u64, more in 0..100_000_u64,
        ) {
            let (one, both) = (Amount::of_hundredths(one), Amount::of_hundredths(one + more));
            prop_assert!(entitled(one, &national_day()) <= entitled(both, &national_day()));
            prop_assert!(entitled(both, &national_day()) <= 4);
        }
    }
}
