//! The input of the search: texts and synonyms.

mod document;
mod synonyms;

pub use document::SearchDocument;
pub use synonyms::Synonyms;
