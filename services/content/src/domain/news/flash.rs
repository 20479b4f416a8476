use serde::{Deserialize, Serialize};

use crate::domain::Market;

/// Flash news in one locale.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlashNews {
    pub market: Market,
    /// Plain text of a line or two.
    pub content: String,
    /// Written as an example; reports nothing.
    pub sample: bool,
}
