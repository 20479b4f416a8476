use serde::{Deserialize, Serialize};

use crate::domain::Market;

/// Flash news in one locale.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlashNews {
    pub market: Market,
    /// Plain text of a line or two.
    pub content: String,
    /// Whether it is sample content.
    pub sample: bool,
}
