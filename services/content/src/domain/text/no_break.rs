//! No-break spaces between figures and currencies, so that no line breaks inside an amount.

/// Currency codes, which precede the figure.
const CODES: [&str; 2] = ["SAR", "USD"];
/// Beginnings of currency words, which follow the figure.
const UNITS: [&str; 6] = ["riyal", "dollar", "ريال", "دولار", "هلل", "سنت"];

/// Joins the figures and currencies of a plain or HTML text.
pub(super) fn join_amounts(text: &str) -> String {
    let joined =
        |(at, c)| if c == ' ' && joins(&text[..at], &text[at + 1..]) { '\u{a0}' } else { c };
    text.char_indices().map(joined).collect()
}

fn joins(before: &str, after: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let ends_with_code = || CODES.iter().any(|code| before.ends_with(code));
    let starts_with_unit = || UNITS.iter().any(|unit| after.starts_with(unit));
    (after.starts_with(is_digit) && ends_with_code())
        || (before.ends_with(is_digit) && starts_with_unit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_do_not_break() {
        let table = [
            (
                "each SAR 50 deposited, at least USD 1.99",
                "each SAR_50 deposited, at least USD_1.99",
            ),
            ("<b>SAR 50</b> or 50 riyals", "<b>SAR_50</b> or 50_riyals"),
            ("3.00 ريالات و20 سنتًا", "3.00_ريالات و20_سنتًا"),
            ("3 shares in SAR terms", "3 shares in SAR terms"),
        ];
        for (text, expected) in table {
            assert_eq!(join_amounts(text).replace('\u{a0}', "_"), expected);
        }
    }
}
