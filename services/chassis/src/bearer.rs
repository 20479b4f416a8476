//! Identifies internal callers and operators by the bearer token (RFC 6750) of a request.
use http::{HeaderMap, header::AUTHORIZATION};
use subtle::ConstantTimeEq;

use crate::settings::NamedToken;

/// The name of callers without a valid token in audit lines.
pub(crate) const UNAUTHENTICATED: &str = "unauthenticated";

/// The name of the holder of the token in the header `Authorization`.
pub(crate) fn holder<'a>(headers: &HeaderMap, tokens: &'a [NamedToken]) -> Option<&'a str> {
    let (scheme, given) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return None;
    }
    // Compares every token: the time taken must not depend on their contents.
    tokens.iter().fold(None, |found, NamedToken { name, token }| {
        let is_equal = bool::from(token.expose().as_bytes().ct_eq(given.as_bytes()));
        found.or(is_equal.then_some(name.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;
    use crate::settings::Secret;

    #[test]
    fn only_a_complete_token_names_its_holder() {
        struct Case {
            header: &'static str,
            holder: Option<&'static str>,
        }
        let tokens = [("gateway", "a-token-of-16-chars"), ("team", "another-token-of-16")];
        let tokens = tokens.map(|(name, token)| NamedToken {
            name: name.to_owned(),
            token: Secret::new(token.to_owned()),
        });
        let cases = [
            Case { header: "Bearer a-token-of-16-chars", holder: Some("gateway") },
            Case { header: "Bearer another-token-of-16", holder: Some("team") },
            Case { header: "bearer another-token-of-16", holder: Some("team") },
            Case { header: "BEARER another-token-of-16", holder: Some("team") },
            Case { header: "Basic another-token-of-16", holder: None },
            Case { header: "Bearer a-token-of-16-char", holder: None },
            // Two bytes are swapped.
            Case { header: "Bearer a-token-of-16-chasr", holder: None },
            Case { header: "Bearer a-token-of-16-charsx", holder: None },
            Case { header: "Bearer ", holder: None },
            Case { header: "a-token-of-16-chars", holder: None },
        ];
        for Case { header, holder: expected } in cases {
            let mut headers = HeaderMap::new();
            headers.insert(AUTHORIZATION, HeaderValue::from_static(header));
            assert_eq!(holder(&headers, &tokens), expected, "{header}");
        }
        assert_eq!(holder(&HeaderMap::new(), &tokens), None);
    }
}
