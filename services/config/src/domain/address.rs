//! IP addresses in requests (four dotted numbers from 0 to 255, or IPv6).

use std::net::IpAddr;

use sahm_chassis::error::{Error, Result};

/// Parses an address; an IPv4-mapped IPv6 address becomes IPv4.
///
/// # Errors
/// Names the field `ip`.
pub fn address_of(text: &str) -> Result<IpAddr> {
    text.parse::<IpAddr>()
        .map(|address| address.to_canonical())
        .map_err(|_| Error::field("ip", "four numbers 0 to 255 joined by dots, or an IPv6 address"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_is_parsed() {
        for (text, expected) in [
            ("0.0.0.0", Some("0.0.0.0")),
            ("255.255.255.255", Some("255.255.255.255")),
            ("2001:DB8::1", Some("2001:db8::1")),
            ("::ffff:1.2.3.4", Some("1.2.3.4")),
            ("256.1.1.1", None),
            ("1.2.3", None),
            ("1.2.3.4.5", None),
            ("1.2.3.-4", None),
            ("01.2.3.4", None),
            (" 1.2.3.4", None),
            ("1.2.3.4:80", None),
            ("fe80::1%eth0", None),
            ("١.٢.٣.٤", None),
            ("", None),
        ] {
            let found = address_of(text).ok().map(|address| address.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
