//! Bidirectional isolation of numbers in Arabic text. After Arabic letters the Unicode
//! bidirectional algorithm (UAX #9) separates a percent sign, a sign and `$` from their number and
//! displays them on its other side (`%30`). Invisible marks keep them together: one before the
//! number makes it a left-to-right run, and one after it excludes the following text from that run.
use std::iter;

use crate::domain::{
    Locale,
    text::{
        html_pieces::{line, replace_texts},
        no_break::join_amounts,
    },
};

const LRM: char = '\u{200e}';
const RLM: char = '\u{200f}';
/// Percent and per mille signs, and the dollar sign after a number.
const UNITS: [char; 4] = ['%', '٪', '‰', '$'];
const SIGNS: [char; 4] = ['+', '-', '−', '±'];
/// Elements whose text is shown verbatim.
const VERBATIM_TAGS: [&str; 2] = ["code", "pre"];

/// Keeps the amounts of a plain text on one line and marks its numbers if its locale is Arabic.
pub fn isolate_numbers(text: &str, locale: Locale) -> String {
    let text = join_amounts(text);
    match locale {
        Locale::EnUs => text,
        Locale::ArSa => run(&text, None, iter::empty()),
    }
}

/// Keeps the amounts of a sanitised HTML text on one line and marks its numbers if its locale is
/// Arabic.
pub fn isolate_numbers_in_html(html: &str, locale: Locale) -> String {
    let html = join_amounts(html);
    if locale == Locale::EnUs {
        return html;
    }
    replace_texts(&html, &VERBATIM_TAGS, |text, before, after, is_verbatim| match is_verbatim {
        true => text.to_owned(),
        false => run(text, before, line(after.iter()).flat_map(str::chars)),
    })
}

/// Marks the numbers of a text; `before` and `after` are the adjacent characters in its line.
fn run(text: &str, before: Option<char>, after: impl Iterator<Item = char> + Clone) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = before;
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let length = match number(rest, before) {
            // The author already set a mark.
            _ if next == LRM => {
                let end = next.len_utf8();
                let length = end + number(&rest[end..], None).unwrap_or(0);
                out.push_str(&rest[..length]);
                length
            }
            Some(length) => {
                out.push(LRM);
                out.push_str(&rest[..length]);
                if joins(rest[length..].chars().chain(after.clone())) {
                    out.push(RLM);
                }
                length
            }
            None => {
                out.push(next);
                next.len_utf8()
            }
        };
        before = rest[..length].chars().last();
        rest = &rest[length..];
    }
    out
}

/// Length in bytes of a number with a unit, sign or `$` at the beginning of the text; `before` is
/// the preceding character.
fn number(text: &str, before: Option<char>) -> Option<usize> {
    let joined = |c: char| c.is_ascii_alphanumeric() || ".,:/=&?#_@%".contains(c);
    if before.is_some_and(joined) {
        return None;
    }
    let mut rest = text;
    // After any other character it is a hyphen or a binary operator.
    let free = |c: char| c.is_whitespace() || "([{«“\"'".contains(c);
    let sign = before.is_none_or(free) && take(&mut rest, |c| SIGNS.contains(&c));
    let dollar = take(&mut rest, |c| c == '$');
    let whole = digits(&mut rest)?;
    let unit = take(&mut rest, |c| UNITS.contains(&c));
    // Digit groups of a telephone number.
    while text.starts_with('+') && !dollar && !unit && whole {
        let mut group = rest;
        let apart = take(&mut group, |c| matches!(c, ' ' | '\u{a0}' | '-'));
        let from = group.len();
        if !apart || digits(&mut group) != Some(true) || from - group.len() < 2 {
            break;
        }
        rest = group;
    }
    let ends = !rest.starts_with(|c: char| c.is_ascii_alphanumeric());
    (ends && (sign || dollar || unit)).then(|| text.len() - rest.len())
}

/// Consumes the next character if it matches.
fn take(rest: &mut &str, is_one: impl Fn(char) -> bool) -> bool {
    let after = rest.strip_prefix(is_one);
    *rest = after.unwrap_or(rest);
    after.is_some()
}

/// Consumes digits with separators between them; `Some(true)` if there are no separators.
fn digits(rest: &mut &str) -> Option<bool> {
    let end = rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ','));
    let all = rest[..end.unwrap_or(rest.len())].trim_end_matches(['.', ',']);
    if !all.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    *rest = &rest[all.len()..];
    Some(all.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether the following text would join a left-to-right run: digits and Latin letters do, with
/// everything between them.
fn joins(after: impl Iterator<Item = char>) -> bool {
    let right_to_left = |c: char| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}');
    for c in after {
        match c {
            LRM => return true,
            RLM => return false,
            c if right_to_left(c) && (c.is_alphanumeric() || c == '\u{61c}') => return false,
            c if c.is_alphanumeric() => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;
    use unicode_bidi::{BidiInfo, Level};

    use super::*;

    /// Replaces marks with `<` before a number and `>` after it.
    fn seen(marked: &str) -> String {
        marked.replace(LRM, "<").replace(RLM, ">")
    }

    fn without(text: &str) -> String {
        text.replace([LRM, RLM], "")
    }

    /// The visual order of a line of Arabic, from left to right.
    fn shown(text: &str) -> String {
        let info = BidiInfo::new(text, Some(Level::rtl()));
        let line = &info.paragraphs[0];
        without(&info.reorder_line(line, line.range.clone()))
    }

    #[test]
    fn numbers_in_arabic_text_are_marked() {
        let table = [
            ("خصم 30% من العمولة", "خصم <30% من العمولة"),
            ("30%", "<30%"),
            ("و30%، ثم 0.105%.", "و<30%، ثم <0.105%."),
            ("بين 30% و40%", "بين <30% و<40%"),
            ("30% (40%)", "<30%> (<40%)"),
            ("بلغ 30%. 40 شركة", "بلغ <30%>. 40 شركة"),
            ("نما 30% YoY", "نما <30%> YoY"),
            ("من 30-40% تقريبًا", "من 30-<40% تقريبًا"),
            ("0.5%-1%", "<0.5%>-<1%"),
            ("تغير +1.2% (-0.5%)", "تغير <+1.2%> (<-0.5%)"),
            ("نحو −5 نقاط", "نحو <−5 نقاط"),
            ("سعره $1,234.50، و5$", "سعره <$1,234.50، و<5$"),
            ("خسر -$5 أمس", "خسر <-$5 أمس"),
            ("اتصل على +966 11 234 5678 الآن", "اتصل على <+966 11 234 5678 الآن"),
            ("اتصل على +966-11-234 أو 920", "اتصل على <+966-11-234 أو 920"),
            ("نما +5. 40 شركة", "نما <+5>. 40 شركة"),
            // Nothing to mark.
            ("التسوية T+2 بعد 30 يومًا", "التسوية T+2 بعد 30 يومًا"),
            ("في 2026-11-21 عند 9:30", "في 2026-11-21 عند 9:30"),
            ("النموذج W-9 والرقم 22251-25", "النموذج W-9 والرقم 22251-25"),
            ("هامش-5 و ال-5", "هامش-5 و ال-5"),
            ("/a?b=%20&c=3%20d", "/a?b=%20&c=3%20d"),
            ("السعر US$5", "السعر US$5"),
            ("+ و - و % و $", "+ و - و % و $"),
            ("رقم \u{200e}30%", "رقم <30%"),
            ("", ""),
        ];
        for (text, expected) in table {
            let found = isolate_numbers(text, Locale::ArSa);
            assert_eq!(seen(&found), expected);
            assert_eq!(isolate_numbers(&found, Locale::ArSa), found, "again: {text}");
            assert_eq!(isolate_numbers(text, Locale::EnUs), text);
        }
    }

    #[test]
    fn numbers_in_html_are_marked_between_tags() {
        let table = [
            (
                "<p>خصم <strong>30%</strong>. <em>40</em> شركة</p><p>5</p>",
                "<p>خصم <strong>[30%]</strong>. <em>40</em> شركة</p><p>5</p>",
            ),
            ("<td>30%</td><td>40</td>", "<td>[30%</td><td>40</td>"),
            ("<p>US<b>$5</b> و<b>5%</b>&nbsp;من</p>", "<p>US<b>$5</b> و<b>[5%]</b>&nbsp;من</p>"),
            (
                "<p>ا <code>5%</code> <a href=\"/a?b=5%\">6%</a></p>",
                "<p>ا <code>5%</code> <a href=\"/a?b=5%\">[6%</a></p>",
            ),
        ];
        for (html, expected) in table {
            let found = isolate_numbers_in_html(html, Locale::ArSa);
            assert_eq!(found.replace(LRM, "[").replace(RLM, "]"), expected);
            assert_eq!(isolate_numbers_in_html(html, Locale::EnUs), html);
        }
    }

    #[test]
    fn signs_are_displayed_beside_their_number() {
        let table = [
            ("خصم 30% من", "نم 30% مصخ"),
            ("ارتفع +1.2% و-0.5", "0.5-و +1.2% عفترا"),
            // Right-to-left rendering mirrors brackets.
            ("30% (40%)", ")40%( 30%"),
            ("بلغ 30%. 40 شركة", "ةكرش 40 .30% غلب"),
            ("نما 30% YoY", "YoY 30% امن"),
            ("سعره $5، 6%", "6% ،$5 هرعس"),
            ("على +966 11 234", "+966 11 234 ىلع"),
        ];
        for (text, expected) in table {
            assert_eq!(shown(&isolate_numbers(text, Locale::ArSa)), expected);
        }
        assert_eq!(shown("خصم 30% من"), "نم %30 مصخ");
    }

    proptest! {
        /// Property test: any Arabic text around a number.
        #[test]
        fn percent_sign_is_displayed_right_of_its_digits(
            before in "([اب]{1,3}|[0-9]{1,3}|[,.;()،]| |ETF|[1-9]%){0,6}",
            after in "( |، |\\.)?([اب]{1,3}|[0-9]{1,3}|[,.;()،]| |ETF|[1-9]%){0,6}",
            sign in "[+−]?",
        ) {
            let text = format!("{before} {sign}77.7% {after}");
            let found = isolate_numbers(&text, Locale::ArSa);
            prop_assert_eq!(without(&found), text);
            let shown = shown(&found);
            let expected = format!("{sign}77.7%");
            prop_assert!(shown.contains(&expected), "{}", shown);
        }
    }
}
