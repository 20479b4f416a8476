//! Display of a country's telephone code.

use sahm_proto::Locale;

/// The code with a plus before its digits, in Arabic after them.
pub fn format_tel_code(digits: &str, locale: Locale) -> String {
    match locale {
        Locale::EnUs => format!("+{digits}"),
        Locale::ArSa => format!("{digits}+"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plus_position_depends_on_the_locale() {
        assert_eq!(format_tel_code("966", Locale::EnUs), "+966");
        assert_eq!(format_tel_code("966", Locale::ArSa), "966+");
    }
}
