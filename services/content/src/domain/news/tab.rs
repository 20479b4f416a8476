use serde::{Deserialize, Serialize};

use crate::domain::{Bilingual, Market};

/// A tab of the news page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewsTab {
    /// Its name.
    pub name: Bilingual,
    /// The market whose articles it shows.
    pub market: Market,
    /// Its place among the tabs; those of one place are ordered by id.
    pub position: u32,
}
