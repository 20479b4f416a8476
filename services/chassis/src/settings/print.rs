//! Prints settings for operators, with secrets masked.
use std::{collections::BTreeMap, fmt::Write};

use super::{
    names::{Hidden, SETTINGS},
    reader::EffectiveSetting,
};

const MASK: &str = "***";
/// Parameters of database URLs that contain no secret.
const OPEN_PARAMETERS: [&str; 8] =
    ["sslmode", "sslrootcert", "sslcert", "host", "port", "dbname", "db", "protocol"];

/// One `NAME=value` per line, with `# default` after values that no variable sets.
pub(super) fn print(effective: &BTreeMap<&'static str, EffectiveSetting>) -> String {
    let mut text = String::new();
    for setting in SETTINGS {
        let Some(EffectiveSetting { value, is_default }) = effective.get(setting.name) else {
            continue;
        };
        let shown = match setting.hides {
            _ if value.is_empty() => String::new(),
            None => value.clone(),
            Some(Hidden::Value) => MASK.to_owned(),
            Some(Hidden::Password) => without_password(value),
        };
        let note = match (is_default, value.is_empty()) {
            (false, _) => String::new(),
            (true, false) => "  # default".to_owned(),
            (true, true) => format!("  # default: {}", setting.default),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}={shown}{note}", setting.name);
    }
    text
}

/// A URL with its password masked, and its parameters unless they are known to contain no secret.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    // Passwords may contain unescaped characters: the host begins after the last @.
    let (user, place) = match rest.rsplit_once('@') {
        Some((userinfo, place)) => (userinfo.split_once(':').or(Some((userinfo, ""))), place),
        None => (None, rest),
    };
    let user = match user {
        Some((name, "")) => format!("{name}@"),
        Some((name, _)) => format!("{name}:{MASK}@"),
        None => String::new(),
    };
    let (place, query) = place.split_once('?').map_or((place, None), |(p, q)| (p, Some(q)));
    let query = query.map_or_else(String::new, |query| {
        let shown = query.split('&').map(|pair| match pair.split_once('=') {
            Some((name, _)) if !OPEN_PARAMETERS.contains(&name) => format!("{name}={MASK}"),
            _ => pair.to_owned(),
        });
        format!("?{}", shown.collect::<Vec<_>>().join("&"))
    });
    format!("{scheme}://{user}{place}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_secrets_of_a_url_are_masked() {
        struct Case {
            url: &'static str,
            shown: &'static str,
        }
        let cases = [
            Case { url: "redis://:hidden@h:6379/1", shown: "redis://:***@h:6379/1" },
            Case { url: "rediss://h:6379", shown: "rediss://h:6379" },
            Case { url: "postgres://u@h/d", shown: "postgres://u@h/d" },
            Case { url: "postgres://u:hid/d@n@h/d", shown: "postgres://u:***@h/d" },
            Case {
                url: "postgres://u:p@h/d?sslmode=require&password=hidden",
                shown: "postgres://u:***@h/d?sslmode=require&password=***",
            },
            Case { url: "redis+unix:///run/r?pass=hidden", shown: "redis+unix:///run/r?pass=***" },
            Case { url: "sqlite:data/content.sqlite", shown: "sqlite:data/content.sqlite" },
        ];
        for Case { url, shown } in cases {
            assert_eq!(without_password(url), shown);
        }
    }
}
