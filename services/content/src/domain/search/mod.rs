//! The input of the search: texts and synonyms.

mod document;
mod synonyms;
mod synonyms_record;

pub use document::SearchDocument;
pub use synonyms::Synonyms;
pub(crate) use synonyms_record::SynonymsRecord;
