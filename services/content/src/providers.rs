//! Clients of external providers.

mod translation;

pub(crate) use translation::Translator;
