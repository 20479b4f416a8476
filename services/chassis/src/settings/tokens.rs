//! Bearer tokens of internal callers and of operators.
use super::{reader::Reader, values::Secret};

/// The caller that may call every service, and whose metadata about members is trusted.
pub(crate) const GATEWAY: &str = "gateway";
const MIN_TOKEN_BYTES: usize = 16;

/// A bearer token with the name of its holder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedToken {
    /// The holder's name, for instance `gateway`.
    pub name: String,
    /// The token.
    pub token: Secret<String>,
}

impl NamedToken {
    /// Parses `name=token`; the token must have at least 16 characters.
    pub(crate) fn parse(text: &str) -> Option<NamedToken> {
        let (name, token) = text.split_once('=')?;
        (!name.is_empty() && token.len() >= MIN_TOKEN_BYTES)
            .then(|| NamedToken { name: name.to_owned(), token: Secret::new(token.to_owned()) })
    }
}

/// A list of `name=token`.
pub(super) fn named_tokens(r: &mut Reader, name: &str) -> Vec<NamedToken> {
    let expected = "a list of name=token with tokens of 16 characters or more";
    r.list(name, expected, NamedToken::parse)
}
