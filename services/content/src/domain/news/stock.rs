use serde::{Deserialize, Serialize};

use crate::domain::Bilingual;

/// A security whose names are detected in texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stock {
    /// For instance `2222` or `AAPL`.
    pub code: String,
    /// The data type, which determines the market.
    pub data_type: u32,
    pub name: Bilingual,
}

impl Stock {
    /// Whether it trades in the US: dataType 20000 to 29999.
    pub fn is_us(&self) -> bool {
        (20_000..30_000).contains(&self.data_type)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_type_determines_the_market() {
        for (data_type, us) in [
            (0, false),
            (10_001, false),
            (19_999, false),
            (20_000, true),
            (29_999, true),
            (30_000, false),
        ] {
            assert_eq!(Stock { data_type, ..Stock::default() }.is_us(), us, "{data_type}");
        }
    }
}
