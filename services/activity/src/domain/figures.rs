//! The figures of a campaign, and the texts that contain them.

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::{Amount, Text};

/// An amount that deposits must reach in either currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standard {
    pub sar: Amount,
    pub usd: Amount,
}

/// The figures of a campaign, of which all are optional. Amounts are in riyals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CampaignFigures {
    /// The lowest first.
    pub standards: Vec<Standard>,
    /// Business days until free stocks arrive.
    pub free_stock_days: Option<u32>,
    /// Minimum value of a free share.
    pub share_value_min: Option<Amount>,
    /// Deposits per raffle ticket.
    pub ticket_amount: Option<Amount>,
    /// Maximum number of tickets of a member in one draw.
    pub tickets_max: u32,
    /// The prize of each week's draw.
    pub weekly_prize: Option<Amount>,
    /// Maximum prize of a top inviter.
    pub inviter_prize_max: Option<Amount>,
    /// Time of day in Asia/Riyadh from which coupons are valid, `HH:MM`.
    pub coupon_from: Option<String>,
    /// Time of day until which coupons are valid.
    pub coupon_until: Option<String>,
}

impl CampaignFigures {
    pub fn has_draws(&self) -> bool {
        self.ticket_amount.is_some()
    }

    /// The value of a placeholder: `{standard1Sar}`, `{standard1Usd}` …, and each other figure by
    /// its name in files. `{couponFromSa}` and `{couponUntilSa}` are hours as Arabic texts write
    /// them.
    fn value(&self, name: &str) -> Option<String> {
        let grouped = |amount: Option<Amount>| amount.map(Amount::grouped);
        if let Some(rest) = name.strip_prefix("standard") {
            let (number, currency) = rest.split_at_checked(1)?;
            let at = number.parse::<usize>().ok()?.checked_sub(1)?;
            let standard = self.standards.get(at)?;
            return match currency {
                "Sar" => Some(standard.sar.grouped()),
                "Usd" => Some(standard.usd.grouped()),
                _ => None,
            };
        }
        match name {
            "freeStockDays" => self.free_stock_days.map(|days| days.to_string()),
            "shareValueMin" => grouped(self.share_value_min),
            "ticketAmount" => grouped(self.ticket_amount),
            "ticketsMax" => Some(self.tickets_max.to_string()).filter(|_| self.has_draws()),
            "weeklyPrize" => grouped(self.weekly_prize),
            "inviterPrizeMax" => grouped(self.inviter_prize_max),
            "couponFrom" => self.coupon_from.clone(),
            "couponUntil" => self.coupon_until.clone(),
            "couponFromSa" => self.coupon_from.as_deref().and_then(arabic_clock),
            "couponUntilSa" => self.coupon_until.as_deref().and_then(arabic_clock),
            _ => None,
        }
    }

    /// The text with every `{placeholder}` replaced by its figure.
    ///
    /// # Errors
    /// Contains the placeholder without a value.
    pub(super) fn filled(&self, text: &str) -> anyhow::Result<String> {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').context("a '{' without '}'")?;
            let value =
                self.value(name).with_context(|| format!("{{{name}}} is no figure here"))?;
            filled.push_str(before);
            filled.push_str(&value);
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }

    /// Both languages of a text with their figures. Imported texts have no unknown placeholders.
    pub fn filled_text(&self, text: &Text) -> Text {
        let fill = |text: &str| self.filled(text).unwrap_or_else(|_| text.to_owned());
        Text { en: fill(&text.en), sa: fill(&text.sa) }
    }

    /// # Errors
    /// The figures are invalid; the reason.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let rising = self.standards.windows(2).all(|pair| {
            let [lower, higher] = pair else { return true };
            lower.sar < higher.sar && lower.usd < higher.usd
        });
        let zero = Amount::default();
        let positive = self.standards.iter().all(|one| one.sar > zero && one.usd > zero);
        let fits = self.standards.len() <= 9 && rising && positive;
        ensure!(fits, "standards: at most 9, above 0, rising in both currencies");
        let ticket = self.ticket_amount.is_some_and(|amount| amount > zero);
        let prize = self.weekly_prize.is_some_and(|amount| amount > zero);
        let is_whole = ticket == prize && prize == (self.tickets_max > 0);
        ensure!(is_whole, "ticketAmount, ticketsMax and weeklyPrize: all or none");
        let hours = [&self.coupon_from, &self.coupon_until];
        let is_hour = |hour: &Option<String>| hour.as_deref().is_none_or(is_hour);
        let is_pair = self.coupon_from.is_some() == self.coupon_until.is_some();
        ensure!(
            is_pair && hours.into_iter().all(is_hour),
            "couponFrom, couponUntil: both as HH:MM, or none"
        );
        Ok(())
    }
}

/// An hour `15:00` as Arabic texts write it: `3:00 عصرًا`, `1:00 ظهرًا`, `منتصف الليل` (docs/glossary.md).
fn arabic_clock(time: &str) -> Option<String> {
    let (hour, minute) = time.split_once(':')?;
    let hour = hour.parse::<u32>().ok()?;
    let part = match hour {
        0 if minute == "00" => return Some("منتصف الليل".to_owned()),
        0..12 => "صباحًا",
        12..15 => "ظهرًا",
        15..17 => "عصرًا",
        _ => "مساءً",
    };
    let hour = if hour % 12 == 0 { 12 } else { hour % 12 };
    Some(format!("{hour}:{minute} {part}"))
}

fn is_hour(text: &str) -> bool {
    let Some((hour, minute)) = text.split_once(':') else { return false };
    let below = |part: &str, limit: u32| {
        part.len() == 2
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && part.parse::<u32>().is_ok_and(|value| value < limit)
    };
    below(hour, 24) && below(minute, 60)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn example() -> CampaignFigures {
        let amount = |text: &str| text.parse::<Amount>().unwrap();
        CampaignFigures {
            standards: vec![Standard { sar: amount("1000"), usd: amount("300") }],
            free_stock_days: Some(14),
            share_value_min: Some(amount("100")),
            ticket_amount: Some(amount("50")),
            tickets_max: 4,
            weekly_prize: Some(amount("18888")),
            coupon_from: Some("10:00".to_owned()),
            coupon_until: Some("15:00".to_owned()),
            ..CampaignFigures::default()
        }
    }

    #[test]
    fn placeholders_are_replaced_by_figures() {
        let figures = example();
        for (text, filled) in [
            ("plain", Ok("plain")),
            ("SAR {standard1Sar} or USD {standard1Usd}", Ok("SAR 1,000 or USD 300")),
            ("{ticketsMax} of {ticketAmount}", Ok("4 of 50")),
            ("win SAR {weeklyPrize}!", Ok("win SAR 18,888!")),
            ("{couponFrom}–{couponUntil}, {freeStockDays}", Ok("10:00–15:00, 14")),
            ("{couponFromSa}–{couponUntilSa}", Ok("10:00 صباحًا–3:00 عصرًا")),
            ("{standard2Sar}", Err("{standard2Sar} is no figure here")),
            ("{standard}", Err("{standard} is no figure here")),
            ("{standardé}", Err("{standardé} is no figure here")),
            ("{shareValueMin}", Ok("100")),
            ("{inviterPrizeMax}", Err("{inviterPrizeMax} is no figure here")),
            ("{x", Err("a '{' without '}'")),
        ] {
            let expected = filled.map(str::to_owned).map_err(str::to_owned);
            let found = figures.filled(text).map_err(|error| error.to_string());
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn arabic_clock_names_the_part_of_the_day() {
        for (time, named) in [
            ("00:00", Some("منتصف الليل")),
            ("00:05", Some("12:05 صباحًا")),
            ("09:30", Some("9:30 صباحًا")),
            ("12:00", Some("12:00 ظهرًا")),
            ("13:30", Some("1:30 ظهرًا")),
            ("14:59", Some("2:59 ظهرًا")),
            ("15:00", Some("3:00 عصرًا")),
            ("17:00", Some("5:00 مساءً")),
            ("23:59", Some("11:59 مساءً")),
            ("noon", None),
        ] {
            assert_eq!(arabic_clock(time).as_deref(), named, "{time}");
        }
    }

    #[test]
    fn maximum_of_tickets_needs_a_draw() {
        let without = CampaignFigures { ticket_amount: None, ..example() };
        assert_eq!((example().has_draws(), without.has_draws()), (true, false));
        assert!(without.filled("{ticketsMax}").is_err());
        let prize = CampaignFigures { inviter_prize_max: "5000".parse().ok(), ..example() };
        assert_eq!(prize.filled("{inviterPrizeMax}").unwrap(), "5,000");
    }

    #[test]
    fn inconsistent_figures_are_rejected() {
        example().check().unwrap();
        CampaignFigures::default().check().unwrap();
        let fault = |figures: CampaignFigures| figures.check().err().map(|why| why.to_string());
        type Change = fn(&mut CampaignFigures);
        let amount = |text: &str| text.parse::<Amount>().unwrap();
        let second = |sar: &str, usd: &str| Standard { sar: amount(sar), usd: amount(usd) };
        for (what, [sar, usd], is_refused) in [
            ("rising", ["1001", "301"], false),
            ("equal", ["1000", "300"], true),
            ("equal riyals", ["1000", "301"], true),
            ("equal dollars", ["1001", "300"], true),
            ("falling riyals", ["999", "301"], true),
            ("falling dollars", ["1001", "299"], true),
        ] {
            let mut changed = example();
            changed.standards.push(second(sar, usd));
            assert_eq!(
                fault(changed).is_some_and(|why| why.starts_with("standards")),
                is_refused,
                "{what}"
            );
        }
        for (number, is_refused) in [(0, false), (9, false), (10, true)] {
            let steps = (1..=number).map(|step| second(&step.to_string(), &step.to_string()));
            let changed = CampaignFigures { standards: steps.collect(), ..example() };
            assert_eq!(fault(changed).is_some(), is_refused, "{number}");
        }
        let changes: [(&str, Change); 12] = [
            ("standards", |one| one.standards[0].usd = Amount::default()),
            ("standards", |one| one.standards[0].sar = Amount::default()),
            ("ticketAmount", |one| one.tickets_max = 0),
            ("ticketAmount", |one| one.weekly_prize = None),
            ("ticketAmount", |one| one.weekly_prize = Some(Amount::default())),
            ("ticketAmount", |one| one.ticket_amount = None),
            ("ticketAmount", |one| one.ticket_amount = Some(Amount::default())),
            ("couponFrom", |one| one.coupon_until = None),
            ("couponFrom", |one| one.coupon_from = None),
            ("couponFrom", |one| one.coupon_from = Some("24:00".to_owned())),
            ("couponFrom", |one| one.coupon_until = Some("23:60".to_owned())),
            ("couponFrom", |one| one.coupon_until = Some("9:00".to_owned())),
        ];
        for (part, change) in changes {
            let mut changed = example();
            change(&mut changed);
            assert!(fault(changed).unwrap().starts_with(part), "{part}");
        }
    }

    #[test]
    fn hours_outside_a_day_are_rejected() {
        for text in ["00:00", "09:30", "23:59"] {
            assert!(is_hour(text), "{text}");
        }
        for text in
            ["", "10", "24:00", "10:60", "9:00", "10:0", "010:00", "1a:00", "+1:00", "10:00:00"]
        {
            assert!(!is_hour(text), "{text}");
        }
    }
}
