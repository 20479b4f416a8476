//! Splits texts into normalised and stemmed words, so that spelling variants and inflected forms
//! compare as equal. The rules depend on the letters of a word, not on the locale of the text.
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Maximum length of a searched word in characters.
const MAX_WORD: usize = 40;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// The normalised word.
    pub normal: String,
    /// The stemmed word, without article and ending.
    pub stem: String,
    /// Byte offset in the text.
    pub from: usize,
    pub to: usize,
}

/// The words of a text in order.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, is_letter(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                start = None;
                let normal = normal(&text[from..at]);
                if !normal.is_empty() {
                    words.push(Word { stem: stem(&normal), normal, from, to: at });
                }
            }
            _ => {}
        }
    }
    words
}

const ENGLISH_STOP_WORDS: &str = "\
    a an and are as at be by can do does for from how i in is it my of on or that the there to \
    what when which why with you";
const ARABIC_STOP_WORDS: &str = "\
    في من علي الي عن ما هل كيف متي هو هي ان او لا هذا هذه مع ثم الذي التي ماذا لماذا و انا";

/// Whether a normalised word is a stop word.
pub(super) fn is_stop(normal: &str) -> bool {
    let stop_words = [ENGLISH_STOP_WORDS, ARABIC_STOP_WORDS];
    stop_words.into_iter().flat_map(str::split_whitespace).any(|word| word == normal)
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c) || matches!(c, 'ـ' | '\'' | '’')
}

/// Normalises compatibility forms, case, accents, vowel marks, tatweel, hamza, forms of alef, ta
/// marbuta, alef maqsura and digits.
fn normal(word: &str) -> String {
    let word = word.trim_matches(['\'', '’']);
    let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
    let letters = word.nfkd().filter(|&c| !is_combining_mark(c)).flat_map(char::to_lowercase);
    letters
        .filter_map(|c| match c {
            'ـ' | 'ء' | '\'' | '’' => None,
            'ٱ' => Some('ا'),
            'ة' | 'ۃ' => Some('ه'),
            'ى' | 'ی' => Some('ي'),
            'ک' => Some('ك'),
            '٠'..='٩' => char::from_digit(u32::from(c) - 0x660, 10),
            '۰'..='۹' => char::from_digit(u32::from(c) - 0x6f0, 10),
            c => c.is_alphanumeric().then_some(c),
        })
        .take(MAX_WORD)
        .collect()
}

fn stem(normal: &str) -> String {
    if normal.chars().any(|c| matches!(c, '\u{621}'..='\u{64a}')) {
        arabic(normal)
    } else if normal.bytes().all(|byte| byte.is_ascii_lowercase()) {
        english(normal)
    } else {
        normal.to_owned()
    }
}

/// Light stemmer of Larkey, Ballesteros and Connell (2002): removes the article with its prefixes,
/// `و`, and one ending.
fn arabic(word: &str) -> String {
    let left = |rest: &str, letters: usize| rest.chars().count() >= letters;
    let mut word = word;
    let article = ["وال", "بال", "كال", "فال", "لل", "ال"];
    if let Some(rest) = article.iter().find_map(|prefix| word.strip_prefix(prefix))
        && left(rest, 2)
    {
        word = rest;
    } else if let Some(rest) = word.strip_prefix('و')
        && left(rest, 4)
    {
        word = rest;
    }
    for ending in ["ها", "ات", "ون", "ين", "ان", "يه", "ه", "ي"] {
        if let Some(rest) = word.strip_suffix(ending)
            && left(rest, 3)
        {
            return rest.to_owned();
        }
    }
    word.to_owned()
}

/// Removes plurals (Harman's S stemmer, 1991), `-ing`, `-ed` and a final `e`.
fn english(word: &str) -> String {
    let mut word = singular(word);
    for ending in ["ing", "ed"] {
        let Some(rest) = word.strip_suffix(ending) else { continue };
        if rest.len() >= 3 && rest.contains(['a', 'e', 'i', 'o', 'u', 'y']) {
            word = undoubled(rest).to_owned();
            break;
        }
    }
    match word.strip_suffix('e') {
        Some(rest) if rest.len() >= 4 && !rest.ends_with('e') => rest.to_owned(),
        _ => word,
    }
}

fn singular(word: &str) -> String {
    if word.len() <= 3 {
        return word.to_owned();
    }
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    let cut = |letters: usize| word[..word.len() - letters].to_owned();
    if ends(&["ies"]) && !ends(&["eies", "aies"]) {
        cut(3) + "y"
    } else if ends(&["xes", "ches", "shes", "sses", "zes"]) {
        cut(2)
    } else if ends(&["s"]) && !ends(&["us", "ss"]) {
        cut(1)
    } else {
        word.to_owned()
    }
}

/// `stopp` of `stopped` becomes `stop`; `sell` and `pass` stay.
fn undoubled(word: &str) -> &str {
    let bytes = word.as_bytes();
    match bytes {
        [.., a, b] if a == b && !matches!(b, b'l' | b's' | b'z') && b.is_ascii_alphabetic() => {
            &word[..word.len() - 1]
        }
        _ => word,
    }
}

/// Whether the edit distance is at most one: one letter inserted, deleted, replaced, or two
/// swapped.
pub(super) fn is_near(a: &str, b: &str) -> bool {
    strsim::osa_distance(a, b) <= 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        let table = [
            "fee fees Fee FEES fee's ﬁee",
            "trade trading traded trades Trade",
            "tax taxes",
            "price prices pricing",
            "category categories",
            "stop stopped stopping",
            "café cafe Cafés",
            "السَّهْم السهم سهم والسهم بالسهم للسهم ســهم سهمها",
            "رسوم الرسوم ورسوم للرسوم",
            "شركة شركات الشركة الشركات شركه",
            "إيداع ايداع الإيداع أيداع",
            "السعودية السعودي سعودية",
            "مستشفى مستشفي المستشفى",
            "أسهم اسهم الأسهم للأسهم وأسهم ٱسهم",
            "2222 ٢٢٢٢ ۲۲۲۲",
        ];
        for line in table {
            let found = words(line);
            let mut stems: Vec<&str> = found.iter().map(|word| word.stem.as_str()).collect();
            if line.starts_with("fee") {
                // The ligature becomes a different word; it must still be a plain one.
                assert_eq!(stems.pop(), Some("fiee"));
            }
            stems.dedup();
            assert_eq!(stems.len(), 1, "{line}: {stems:?}");
        }
    }

    #[test]
    fn different_words_have_different_stems() {
        for line in ["sell sale", "bus boss", "bring ring", "سهم سهل", "صك صندوق"] {
            let found = words(line);
            assert_ne!(found[0].stem, found[1].stem, "{line}");
        }
    }

    #[test]
    fn offsets_refer_to_the_text() {
        let text = "«السَّهم» costs 5.20, don't";
        let found = words(text);
        let written: Vec<&str> = found.iter().map(|word| &text[word.from..word.to]).collect();
        assert_eq!(written, ["السَّهم", "costs", "5", "20", "don't"]);
    }

    #[test]
    fn is_near_accepts_one_edit() {
        let table = [
            ("comission", "commission", true),
            ("deposti", "deposit", true),
            ("fee", "fee", true),
            ("fees", "fee", true),
            ("abc", "acd", false),
            ("ab", "ba", true),
            ("", "ab", false),
            ("رسوم", "رسون", true),
        ];
        for (a, b, near) in table {
            assert_eq!((is_near(a, b), is_near(b, a)), (near, near), "{a} {b}");
        }
    }

    proptest! {
        #[test]
        fn words_accepts_any_text(text in "\\PC{0,60}") {
            for word in words(&text) {
                prop_assert!(text.is_char_boundary(word.from) && text.is_char_boundary(word.to));
                prop_assert!(!word.stem.is_empty());
                prop_assert!(word.normal.chars().count() <= MAX_WORD);
            }
        }
    }
}
