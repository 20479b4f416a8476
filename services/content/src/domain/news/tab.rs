use crate::domain::Market;

/// A tab of the news page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tab {
    /// 1 to [`crate::domain::MAX_ID`].
    pub id: u64,
    /// The name in English.
    pub name: String,
    /// The name in Arabic; may be empty.
    pub name_sa: String,
    /// Whose articles it shows.
    pub market: Market,
    /// Where it stands among the tabs; those of one place stand by id.
    pub position: u32,
}
