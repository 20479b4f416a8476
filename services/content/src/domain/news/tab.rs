use serde::{Deserialize, Serialize};

use crate::domain::{Bilingual, Market};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewsTab {
    pub name: Bilingual,
    pub market: Market,
    /// Position among the tabs; tabs with the same position are ordered by id.
    pub position: u32,
}
