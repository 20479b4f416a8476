//! Campaigns: their contents and their states.

use std::collections::BTreeSet;

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::{CampaignFigures, GCC, GccRule, Text};

/// The campaign whose draws `lottery-draw-info` reports.
pub const NATIONAL_DAY: u64 = 923;

/// Maximum lengths of a title and of another text, in characters.
const MAX_TITLE_LENGTH: usize = 120;
const MAX_TEXT_LENGTH: usize = 2000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase", const_into_str)]
pub enum Kind {
    /// Always running.
    Regular,
    EidAlAdha,
    NationalDay,
}

/// The state of a campaign at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "camelCase", const_into_str)]
pub enum State {
    NotStarted,
    /// Strictly between begin and end.
    Active,
    Ended,
}

impl State {
    /// The state at `now` of a campaign with these times, all in epoch seconds.
    pub fn at(begin_at: u32, end_at: u32, now: u32) -> State {
        match () {
            () if now <= begin_at => State::NotStarted,
            () if now < end_at => State::Active,
            () => State::Ended,
        }
    }

    /// The message for members; empty while a campaign is active.
    pub fn text(self) -> Text {
        match self {
            State::NotStarted => {
                Text::of("The campaign has not started yet.", "لم تبدأ الحملة بعد.")
            }
            State::Active => Text::default(),
            State::Ended => Text::of("The campaign has ended.", "انتهت الحملة."),
        }
    }
}

/// A campaign as operators write it and as it is stored. Figures in texts are placeholders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Campaign {
    /// 1 to 9,999,999,999.
    pub id: u64,
    pub kind: Kind,
    /// When it begins, with an offset: `2026-09-20T00:00:00+03:00`.
    #[serde(with = "moment")]
    pub begin: u32,
    #[serde(with = "moment")]
    pub end: u32,
    pub title: Text,
    /// One or two sentences.
    pub summary: Text,
    /// At least one; the first is used for an unknown theme.
    pub themes: Vec<Theme>,
    /// What the campaign offers, and how to take part.
    pub info: Info,
    /// In the order of the page.
    pub rules: Vec<Passage>,
    /// Either one for each country of the Gulf Cooperation Council or none.
    #[serde(default)]
    pub gcc_rules: Vec<GccRule>,
    #[serde(default)]
    pub figures: CampaignFigures,
}

/// An appearance of a campaign's page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Theme {
    /// The value of the query parameter `theme`.
    pub id: u32,
    /// `green`, `gold`, `blue` or `night`.
    pub tone: String,
    pub title: Text,
    pub subtitle: Text,
}

const TONES: [&str; 4] = ["green", "gold", "blue", "night"];

/// What a campaign offers, and how to take part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Info {
    pub title: Text,
    pub description: Text,
    /// The steps of taking part, in order.
    pub steps: Vec<Passage>,
    pub rewards: Vec<Passage>,
}

/// A titled text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passage {
    /// `[a-z0-9-]{1,40}`, unique in its list.
    pub id: String,
    pub title: Text,
    pub text: Text,
}

impl Campaign {
    /// The state at `now`, in epoch seconds.
    pub fn state(&self, now: u32) -> State {
        State::at(self.begin, self.end, now)
    }

    /// Validates a campaign to be imported.
    ///
    /// # Errors
    /// The position and the reason.
    pub fn check(&self) -> anyhow::Result<()> {
        ensure!((1..=9_999_999_999).contains(&self.id), "id: 1 to 9999999999");
        ensure!(self.begin < self.end, "end: must be after begin");
        self.figures.check().context("figures")?;
        self.check_themes()?;
        self.check_text(&self.title, MAX_TITLE_LENGTH).context("title")?;
        self.check_text(&self.summary, MAX_TEXT_LENGTH).context("summary")?;
        let info = &self.info;
        self.check_text(&info.title, MAX_TITLE_LENGTH).context("info.title")?;
        self.check_text(&info.description, MAX_TEXT_LENGTH).context("info.description")?;
        self.check_passages(&info.steps).context("info.steps")?;
        self.check_passages(&info.rewards).context("info.rewards")?;
        self.check_passages(&self.rules).context("rules")?;
        self.check_gcc_rules()
    }

    fn check_text(&self, text: &Text, limit: usize) -> anyhow::Result<()> {
        text.check(limit)?;
        self.figures.filled(&text.en)?;
        self.figures.filled(&text.sa).map(drop)
    }

    fn check_themes(&self) -> anyhow::Result<()> {
        let ids = self.themes.iter().map(|theme| theme.id).collect::<BTreeSet<_>>();
        let is_unique = !ids.is_empty() && ids.len() == self.themes.len();
        ensure!(is_unique, "themes: at least one, each with an id of its own");
        for Theme { id, tone, title, subtitle } in &self.themes {
            ensure!(TONES.contains(&tone.as_str()), "themes.{id}: tone {TONES:?}");
            let place = || format!("themes.{id}");
            self.check_text(title, MAX_TITLE_LENGTH).with_context(place)?;
            self.check_text(subtitle, MAX_TEXT_LENGTH).with_context(place)?;
        }
        Ok(())
    }

    fn check_passages(&self, passages: &[Passage]) -> anyhow::Result<()> {
        let mut ids = BTreeSet::new();
        for Passage { id, title, text } in passages {
            let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
            let formed = (1..=40).contains(&id.len()) && id.bytes().all(fits) && ids.insert(id);
            ensure!(formed, "{id}: id: small letters, digits and '-', once");
            self.check_text(title, MAX_TITLE_LENGTH).with_context(|| id.clone())?;
            self.check_text(text, MAX_TEXT_LENGTH).with_context(|| id.clone())?;
        }
        Ok(())
    }

    fn check_gcc_rules(&self) -> anyhow::Result<()> {
        let codes = self.gcc_rules.iter().map(|rule| rule.country_code.as_str());
        let is_whole = self.gcc_rules.is_empty() || codes.eq(GCC.iter().map(|one| one.code));
        ensure!(is_whole, "gccRules: SAU, ARE, KWT, QAT, BHR, OMN in this order, or none");
        for GccRule { country_code, text, .. } in &self.gcc_rules {
            let place = || format!("gccRules.{country_code}");
            self.check_text(text, MAX_TEXT_LENGTH).with_context(place)?;
        }
        Ok(())
    }
}

/// Epoch seconds, written in files as a time with an offset.
mod moment {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serializer, de, ser};

    pub(super) fn serialize<S: Serializer>(
        seconds: &u32,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let time = Timestamp::from_second((*seconds).into()).map_err(ser::Error::custom)?;
        serializer.collect_str(&time)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let text = String::deserialize(deserializer)?;
        let time = text.parse::<Timestamp>().map_err(de::Error::custom)?;
        u32::try_from(time.as_second()).map_err(|_| de::Error::custom("before 1970 or after 2105"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;
    use crate::seed;

    #[test]
    fn campaign_is_active_strictly_between_begin_and_end() {
        for (now, state) in [
            (0, State::NotStarted),
            (99, State::NotStarted),
            (100, State::NotStarted),
            (101, State::Active),
            (199, State::Active),
            (200, State::Ended),
            (u32::MAX, State::Ended),
        ] {
            assert_eq!(State::at(100, 200, now), state, "{now}");
        }
    }

    type Change = fn(&mut Campaign);

    fn text(length: usize) -> Text {
        Text::of(&"x".repeat(length), "نص")
    }

    #[test]
    fn invalid_campaign_is_rejected_with_its_position() {
        let campaign = seed::bundle().unwrap().campaigns.remove(0);
        campaign.check().unwrap();
        let changes: [(&str, Change); 28] = [
            ("id: 1 to 9999999999", |one| one.id = 0),
            ("id: 1 to 9999999999", |one| one.id = 10_000_000_000),
            ("end: must be after begin", |one| one.end = one.begin),
            ("end: must be after begin", |one| one.end = one.begin - 1),
            ("figures: standards", |one| one.figures.standards.reverse()),
            ("themes: at least one", |one| one.themes.clear()),
            ("themes: at least one", |one| one.themes.push(one.themes[0].clone())),
            ("themes.0: tone", |one| one.themes[0].tone = "pink".to_owned()),
            ("themes.0: en: 1 to 120", |one| one.themes[0].title = text(121)),
            ("themes.0: en: 1 to 2000", |one| one.themes[0].subtitle = text(2_001)),
            ("title: sa", |one| one.title.sa.clear()),
            ("title: en: 1 to 120", |one| one.title = text(121)),
            ("summary: en: 1 to 2000", |one| one.summary = text(2_001)),
            ("summary: {weeklyPrizes}", |one| one.summary.en = "{weeklyPrizes}".to_owned()),
            ("summary: {weeklyPrizes}", |one| one.summary.sa = "{weeklyPrizes}".to_owned()),
            ("info.title: en: 1 to 120", |one| one.info.title = text(121)),
            ("info.description: en: 1 to 2000", |one| one.info.description = text(2_001)),
            ("info.steps", |one| one.info.steps[1].id = one.info.steps[0].id.clone()),
            ("info.rewards: : id", |one| one.info.rewards[0].id.clear()),
            ("info.rewards: A: id", |one| one.info.rewards[0].id = "A".to_owned()),
            ("info.rewards: a_b: id", |one| one.info.rewards[0].id = "a_b".to_owned()),
            ("info.rewards: aaaa", |one| one.info.rewards[0].id = "a".repeat(41)),
            ("rules: a: en: 1 to 120", |one| {
                (one.rules[0].id, one.rules[0].title) = ("a".to_owned(), text(121));
            }),
            ("rules: a: en: 1 to 2000", |one| {
                (one.rules[0].id, one.rules[0].text) = ("a".to_owned(), text(2_001));
            }),
            ("rules", |one| one.rules[0].text.en = "<b>x</b>".to_owned()),
            ("gccRules: SAU", |one| one.gcc_rules.reverse()),
            ("gccRules: SAU", |one| one.gcc_rules.truncate(5)),
            ("gccRules.OMN", |one| one.gcc_rules[5].text.sa = "{".to_owned()),
        ];
        for (place, change) in changes {
            let mut changed = campaign.clone();
            change(&mut changed);
            let fault = format!("{:#}", changed.check().unwrap_err());
            assert!(fault.starts_with(place), "{place}: {fault}");
        }
    }

    #[test]
    fn campaign_at_its_bounds_is_accepted() {
        let campaign = seed::bundle().unwrap().campaigns.remove(0);
        let changes: [(&str, Change); 8] = [
            ("id", |one| one.id = 1),
            ("id", |one| one.id = 9_999_999_999),
            ("end", |one| one.end = one.begin + 1),
            ("title", |one| one.title = text(120)),
            ("summary", |one| one.summary = text(2_000)),
            ("passage", |one| one.rules[0].id = "a".repeat(40)),
            ("passage", |one| one.rules[0].id = "0-z9".to_owned()),
            ("gccRules", |one| one.gcc_rules.clear()),
        ];
        for (place, change) in changes {
            let mut changed = campaign.clone();
            change(&mut changed);
            assert!(changed.check().is_ok(), "{place}");
        }
        for tone in ["green", "gold", "blue", "night"] {
            let mut changed = campaign.clone();
            changed.themes[0].tone = tone.to_owned();
            assert!(changed.check().is_ok(), "{tone}");
        }
    }

    #[test]
    fn kinds_and_states_have_the_names_of_messages() {
        let kinds = [Kind::Regular, Kind::EidAlAdha, Kind::NationalDay];
        assert_eq!(kinds.map(|kind| kind.into_str()), ["regular", "eidAlAdha", "nationalDay"]);
        for (state, name, en) in [
            (State::NotStarted, "notStarted", "The campaign has not started yet."),
            (State::Active, "active", ""),
            (State::Ended, "ended", "The campaign has ended."),
        ] {
            let text = state.text();
            assert_eq!((state.into_str(), &*text.en), (name, en));
            assert_eq!(text.en.is_empty(), text.sa.is_empty());
        }
    }

    #[test]
    fn times_are_written_with_an_offset() {
        let campaign = seed::bundle().unwrap().campaigns.remove(0);
        let mut json = serde_json::to_value(&campaign).unwrap();
        assert_eq!(serde_json::from_value::<Campaign>(json.clone()).unwrap(), campaign);
        json["begin"] = "2026-09-20T00:00:00+03:00".into();
        assert_eq!(serde_json::from_value::<Campaign>(json.clone()).unwrap().begin, 1_789_851_600);
        for invalid in ["2026-09-20", "2026-09-20T00:00:00", "1969-01-01T00:00:00Z", ""] {
            json["begin"] = invalid.into();
            assert!(serde_json::from_value::<Campaign>(json.clone()).is_err(), "{invalid}");
        }
    }

    proptest! {
        #[test]
        fn state_changes_with_time(begin: u32, end: u32, now: u32, later: u32) {
            let rank = |state| match state {
                State::NotStarted => 0,
                State::Active => 1,
                State::Ended => 2,
            };
            let (first, second) = (now.min(later), now.max(later));
            let ranks = [first, second].map(|now| rank(State::at(begin, end, now)));
            prop_assert!(ranks[0] <= ranks[1]);
            let active = State::at(begin, end, now) == State::Active;
            prop_assert_eq!(active, begin < now && now < end);
        }
    }
}
