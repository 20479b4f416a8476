//! How a country's telephone code is shown.

use sahm_proto::Locale;

/// The code with its plus: before the digits, in Arabic behind them.
pub fn shown(digits: &str, locale: Locale) -> String {
    match locale {
        Locale::EnUs => format!("+{digits}"),
        Locale::ArSa => format!("{digits}+"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plus_stands_where_the_language_puts_it() {
        assert_eq!(shown("966", Locale::EnUs), "+966");
        assert_eq!(shown("966", Locale::ArSa), "966+");
    }
}
