//! Email addresses.

/// A valid email address in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Parses an address; `None` if it is malformed.
    pub fn parse(text: &str) -> Option<Email> {
        let text = text.trim().to_ascii_lowercase();
        let (local, domain) = text.split_once('@')?;
        let fits =
            |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~.-".contains(&byte);
        let local_fits = (1..=64).contains(&local.len())
            && local.bytes().all(fits)
            && !local.starts_with('.')
            && !local.ends_with('.')
            && !local.contains("..");
        let label = |label: &str| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        let (_, top) = domain.rsplit_once('.')?;
        let domain_fits = domain.split('.').all(label)
            && top.len() >= 2
            && top.bytes().any(|byte| byte.is_ascii_alphabetic());
        (local_fits && domain_fits && text.len() <= 254).then_some(Email(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn email_is_parsed() {
        assert_eq!(Email::parse(" A.b+c@Mail.Example ").unwrap().as_str(), "a.b+c@mail.example");
        for invalid in [
            "",
            "@",
            "a",
            "a@",
            "@b.co",
            "a@b",
            "a@b.c",
            "a b@c.co",
            "a@b..co",
            ".a@b.co",
            "a@-b.co",
            "a@b.co@c.co",
            "a..b@c.co",
            "a@b.12",
            "سهم@b.co",
        ] {
            assert_eq!(Email::parse(invalid), None, "{invalid}");
        }
        assert_eq!(Email::parse(&format!("{}@b.co", "a".repeat(65))), None);
    }
}
