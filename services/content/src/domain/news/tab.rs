use serde::{Deserialize, Serialize};

use crate::domain::{Bilingual, Market};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewsTab {
    pub name: Bilingual,
    pub market: Market,
    /// Its place among the tabs; those of one place are ordered by id.
    pub position: u32,
}
