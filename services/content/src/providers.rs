//! What others do for us.

mod translation;

pub(crate) use translation::Translator;
