//! Edits raw queries; parameters that are kept stay unchanged, byte for byte.

/// The decoded value of the first parameter with this name.
pub(super) fn value(query: &str, name: &str) -> Option<String> {
    form_urlencoded::parse(query.as_bytes())
        .find(|(found, _)| found == name)
        .map(|(_, value)| value.into_owned())
}

/// The query without the parameters of these names, the others byte for byte and in order.
pub(super) fn without(query: &str, names: &[&str]) -> String {
    let is_named = |pair: &&str| {
        let name = form_urlencoded::parse(pair.as_bytes()).next();
        name.is_some_and(|(name, _)| names.contains(&name.as_ref()))
    };
    query.split('&').filter(|pair| !is_named(pair)).collect::<Vec<_>>().join("&")
}

/// The query with `computed` parameters in front, which replace those of the same names.
pub(super) fn with(computed: &[(&str, &str)], query: &str) -> String {
    let mut out = form_urlencoded::Serializer::new(String::new());
    for (name, value) in computed {
        out.append_pair(name, value);
    }
    let names = computed.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    let (mut out, kept) = (out.finish(), without(query, &names));
    if !out.is_empty() && !kept.is_empty() {
        out.push('&');
    }
    out + &kept
}

/// `path?query`, without the `?` if the query is empty.
pub(super) fn join(path: &str, query: &str) -> String {
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn computed_parameters_replace_those_of_the_same_name() {
        for (computed, query, expected) in [
            (vec![], "", ""),
            (vec![("a", "1")], "", "a=1"),
            (vec![("a", "1")], "b=%20&c", "a=1&b=%20&c"),
            (vec![("a", "1")], "a=2&b=3&%61=4", "a=1&b=3"),
            (vec![("a", "x y&z")], "b", "a=x+y%26z&b"),
            (vec![], "a=+&&b", "a=+&&b"),
        ] {
            assert_eq!(with(&computed, query), expected, "{query}");
        }
    }

    proptest! {
        #[test]
        fn remaining_parameters_stay_byte_for_byte(query in "([a-d_%=&+]|%[0-9a-f]{2}){0,24}") {
            let left = without(&query, &["a", "lang"]);
            for pair in left.split('&').filter(|pair| !pair.is_empty()) {
                prop_assert!(query.split('&').any(|sent| sent == pair));
            }
            prop_assert_eq!(value(&left, "a"), None);
            prop_assert_eq!(value(&left, "b"), value(&query, "b"));
            prop_assert_eq!(without(&left, &["a", "lang"]), left);
        }
    }
}
