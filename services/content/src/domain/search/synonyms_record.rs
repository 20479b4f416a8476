use serde::Deserialize;

use super::Synonyms;
use crate::domain::{
    Entry, EntryData, FieldError,
    record_fields::{MAX_NAME, bilingual, field_error, id_for, line, locale},
};

const MAX_TERMS: usize = 20;

/// The record of a group of synonyms. The first term identifies the group.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SynonymsRecord {
    locale: String,
    terms: Vec<String>,
}

impl SynonymsRecord {
    pub(crate) fn entry(&self) -> Result<Entry, FieldError> {
        let locale = locale(&self.locale)?;
        if !(2..=MAX_TERMS).contains(&self.terms.len()) {
            return Err(field_error("terms", format!("are not 2 to {MAX_TERMS}")));
        }
        let terms = self.terms.iter().map(|term| line("terms", term, MAX_NAME));
        let terms = terms.collect::<Result<Vec<_>, _>>()?;
        let id = id_for(&format!("{} {}", locale.as_str(), terms[0]));
        let synonyms = Synonyms { locale: locale.as_str().to_owned(), terms };
        Ok(bilingual(id, "", 0, EntryData::SearchSynonyms(synonyms)))
    }
}
