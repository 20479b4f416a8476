use serde::{Deserialize, Serialize};

use crate::domain::fields::{Fields, MAX_NAME};

/// Maximum number of terms of a group of synonyms.
const MAX_TERMS: usize = 20;

/// Words that the search treats as synonyms. The first term identifies the group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Synonyms {
    /// `en-us` or `ar-sa`.
    pub locale: String,
    /// Two or more words or phrases.
    pub terms: Vec<String>,
}

impl Synonyms {
    pub(crate) fn read(fields: &mut Fields<'_>) -> Self {
        let locale = fields.locale().as_str().to_owned();
        let terms = fields.lines("terms", MAX_TERMS, MAX_NAME);
        if terms.len() < 2 {
            fields.refuse("terms", "are fewer than 2");
        }
        Self { locale, terms }
    }
}
