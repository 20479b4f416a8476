use serde::{Deserialize, Serialize};

/// Words that the search treats as synonyms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Synonyms {
    /// `en-us` or `ar-sa`.
    pub locale: String,
    /// Two or more words or phrases.
    pub terms: Vec<String>,
}
