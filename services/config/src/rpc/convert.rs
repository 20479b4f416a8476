//! Conversion from and to wire messages.

use std::net::IpAddr;

use sahm_chassis::error::{Error, Result};
use sahm_proto::{
    Locale,
    config::v1::{ConfigItem, Country, TelCode},
};

use crate::bundle::CountryRow;

pub(super) fn config_item(key: String, value: String) -> ConfigItem {
    ConfigItem { id: key.clone(), key, value }
}

pub(super) fn tel_code(row: &CountryRow, locale: Locale) -> TelCode {
    let in_arabic = locale == Locale::ArSa && !row.name_ar.is_empty();
    TelCode {
        id: row.id.clone(),
        name: row.name.clone(),
        name_ar: row.name_ar.clone(),
        tel_code: row.tel_code.clone(),
        label: if in_arabic { &row.name_ar } else { &row.name }.clone(),
        value: row.tel_code.clone(),
        value_show: format_tel_code(&row.tel_code, locale),
    }
}

pub(super) fn country(row: CountryRow, with_tel: bool) -> Country {
    let name_sa = if row.name_ar.is_empty() { row.name.clone() } else { row.name_ar };
    Country {
        id: row.code.clone(),
        country_code: row.code,
        name_en: row.name.clone(),
        name: row.name,
        name_sa,
        tel_code: if with_tel { row.tel_code } else { String::new() },
    }
}

/// The code with a plus before its digits, in Arabic after them.
fn format_tel_code(digits: &str, locale: Locale) -> String {
    match locale {
        Locale::EnUs => format!("+{digits}"),
        Locale::ArSa => format!("{digits}+"),
    }
}

/// Parses an IPv4 or IPv6 address; an IPv4-mapped IPv6 address becomes IPv4.
///
/// # Errors
/// Names the field `ip`.
pub(super) fn address_of(text: &str) -> Result<IpAddr> {
    text.parse::<IpAddr>()
        .map(|address| address.to_canonical())
        .map_err(|_| Error::field("ip", "four numbers 0 to 255 joined by dots, or an IPv6 address"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plus_position_depends_on_the_locale() {
        assert_eq!(format_tel_code("966", Locale::EnUs), "+966");
        assert_eq!(format_tel_code("966", Locale::ArSa), "966+");
    }

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
