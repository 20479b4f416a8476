use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

/// The market that a text is about.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Market {
    Us,
    Saudi,
    All,
    #[default]
    #[serde(rename = "")]
    #[strum(serialize = "")]
    Empty,
}

/// A list of articles; its surrogate tag is in [`crate::domain::tags`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum List {
    All,
    /// Articles about the US market or both.
    Us,
    /// Articles about the Saudi market or both.
    Saudi,
}

impl Market {
    /// `us`, `saudi`, `all` or nothing.
    pub fn from_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The lists that contain an article about this market.
    pub fn lists(self) -> &'static [List] {
        match self {
            Self::Us => &[List::All, List::Us],
            Self::Saudi => &[List::All, List::Saudi],
            Self::All => &[List::All, List::Us, List::Saudi],
            Self::Empty => &[List::All],
        }
    }

    /// The list that a caller requests with this market.
    pub fn list(self) -> List {
        match self {
            Self::Us => List::Us,
            Self::Saudi => List::Saudi,
            Self::All | Self::Empty => List::All,
        }
    }
}

impl List {
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::{List, Market};

    #[test]
    fn article_is_in_the_lists_of_its_market_and_in_all() {
        let table = [
            (Market::Us, vec![List::All, List::Us]),
            (Market::Saudi, vec![List::All, List::Saudi]),
            (Market::All, vec![List::All, List::Us, List::Saudi]),
            (Market::Empty, vec![List::All]),
        ];
        for (market, lists) in table {
            assert_eq!(market.lists(), lists);
            assert!(market.lists().contains(&market.list()));
            assert_eq!(Market::from_name(market.as_str()), Some(market));
        }
        assert_eq!(Market::from_name("US"), None);
    }
}
