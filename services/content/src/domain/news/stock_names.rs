use std::collections::{BTreeSet, HashMap};

use crate::domain::{
    Stock,
    text::html_pieces::{escaped, line, replace_texts},
};

/// Elements whose text is not linked: links and code.
const UNLINKED_TAGS: [&str; 3] = ["a", "code", "pre"];

/// Finds the names of securities in texts. Matching ignores case, and a name must be surrounded by
/// whitespace, brackets or the ends of the text.
#[derive(Debug, Default)]
pub struct StockNames {
    stocks: Vec<Stock>,
    /// Names by their first word, longest first.
    names: HashMap<String, Vec<Name>>,
}

#[derive(Debug)]
struct Name {
    /// Lower case, words separated by one space.
    text: String,
    stock: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mention {
    start: usize,
    end: usize,
    stock: usize,
}

impl StockNames {
    /// Builds the matcher. If several securities have the same name, the first one wins.
    pub fn new(stocks: Vec<Stock>) -> Self {
        let mut names: HashMap<String, Vec<Name>> = HashMap::new();
        let mut taken = BTreeSet::new();
        for (stock, named) in stocks.iter().enumerate() {
            for name in [&named.name.en, &named.name.sa] {
                // Escaped like the HTML that is searched.
                let text = escaped(&lower(&name.split_whitespace().collect::<Vec<_>>().join(" ")));
                let first = text.split(is_edge).find(|word| !word.is_empty());
                let Some(first) = first.map(str::to_owned) else { continue };
                if taken.insert(text.clone()) {
                    names.entry(first).or_default().push(Name { text, stock });
                }
            }
        }
        for names in names.values_mut() {
            names.sort_by_key(|name| std::cmp::Reverse(name.text.len()));
        }
        Self { stocks, names }
    }

    /// The securities that it was built from.
    pub fn stocks(&self) -> &[Stock] {
        &self.stocks
    }

    /// The securities that a plain text mentions, in the order of their first mention.
    pub fn of_text(&self, text: &str) -> Vec<&Stock> {
        let text = escaped(text);
        self.stocks_of(self.mentions(&text, None, None))
    }

    /// The text with every name as a link, and the securities that it mentions, in order of first
    /// mention. Names within links and code are found but not linked.
    ///
    /// `html` is sanitised: `<` and `>` occur only around tags.
    pub fn link(&self, html: &str) -> (String, Vec<&Stock>) {
        if self.names.is_empty() {
            return (html.to_owned(), Vec::new());
        }
        let mut found = Vec::new();
        let linked = replace_texts(html, &UNLINKED_TAGS, |text, before, after, is_unlinked| {
            let after = line(after.iter()).next().and_then(|text| text.chars().next());
            let (mut out, mut seen) = (String::with_capacity(text.len()), 0);
            for mention in self.mentions(text, before, after) {
                found.push(mention);
                let name = &text[mention.start..mention.end];
                out.push_str(&text[seen..mention.start]);
                if is_unlinked {
                    out.push_str(name);
                } else {
                    out.push_str(&anchor(&self.stocks[mention.stock], name));
                }
                seen = mention.end;
            }
            out + &text[seen..]
        });
        (linked, self.stocks_of(found))
    }

    fn stocks_of(&self, mentions: impl IntoIterator<Item = Mention>) -> Vec<&Stock> {
        let mut seen = BTreeSet::new();
        let stocks = mentions.into_iter().map(|mention| mention.stock);
        stocks.filter(|&stock| seen.insert(stock)).map(|stock| &self.stocks[stock]).collect()
    }

    /// The non-overlapping names in a run of escaped text; `before` and `after` are the adjacent
    /// characters, `None` at an end.
    fn mentions(&self, text: &str, before: Option<char>, after: Option<char>) -> Vec<Mention> {
        let mut found = Vec::new();
        let mut previous = before;
        let mut rest = 0;
        for (start, letter) in text.char_indices() {
            if start >= rest
                && !is_edge(letter)
                && previous.is_none_or(is_edge)
                && let Some((stock, length)) = self.name_at(&text[start..], after)
            {
                rest = start + length;
                found.push(Mention { start, end: rest, stock });
            }
            previous = Some(letter);
        }
        found
    }

    /// The longest name at the beginning of a text, and its length in bytes.
    fn name_at(&self, text: &str, after: Option<char>) -> Option<(usize, usize)> {
        let word = text.split(is_edge).next()?;
        let names = self.names.get(&lower(word))?;
        names.iter().find_map(|name| {
            let length = prefix(text, &name.text)?;
            let next = text[length..].chars().next().or(after);
            next.is_none_or(is_edge).then_some((name.stock, length))
        })
    }
}

/// Length in bytes of the prefix that matches a name, ignoring case; any whitespace matches one of
/// its spaces.
fn prefix(text: &str, name: &str) -> Option<usize> {
    let mut letters = text.char_indices().peekable();
    let mut wanted = name.chars();
    while let Some(expected) = wanted.next() {
        let (_, letter) = letters.next()?;
        if expected == ' ' {
            if !letter.is_whitespace() {
                return None;
            }
            while letters.next_if(|(_, letter)| letter.is_whitespace()).is_some() {}
            continue;
        }
        let mut cased = letter.to_lowercase();
        if cased.next() != Some(expected) {
            return None;
        }
        for more in cased {
            if wanted.next() != Some(more) {
                return None;
            }
        }
    }
    Some(letters.peek().map_or(text.len(), |&(at, _)| at))
}

fn anchor(stock: &Stock, name: &str) -> String {
    let page = if stock.is_us() { "/invest/us-stocks" } else { "/invest/saudi-stocks" };
    let code = attribute(&stock.code);
    let data_type = stock.data_type;
    format!(
        "<a href=\"{page}\" data-stock-code=\"{code}\" data-data-type=\"{data_type}\">{name}</a>"
    )
}

/// Whether a character may be adjacent to a name.
fn is_edge(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(
            letter,
            '(' | ')' | '[' | ']' | '{' | '}' | '（' | '）' | '［' | '］' | '【' | '】' | '«' | '»'
        )
}

fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

fn attribute(text: &str) -> String {
    escaped(text).replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::Bilingual;

    fn names() -> StockNames {
        let stock = |code: &str, data_type, en: &str, sa: &str| Stock {
            code: code.into(),
            data_type,
            name: Bilingual { en: en.into(), sa: sa.into() },
        };
        StockNames::new(vec![
            stock("2222", 10_001, "Saudi Aramco", "أرامكو السعودية"),
            stock("AAPL", 20_001, "Apple", "أبل"),
            stock("APLE", 20_001, "Apple Hospitality", ""),
            stock("T", 20_001, "AT&T", ""),
            stock("X", 20_001, "apple", ""),
        ])
    }

    fn codes(stocks: &[&Stock]) -> Vec<String> {
        stocks.iter().map(|stock| stock.code.clone()).collect()
    }

    #[test]
    fn names_are_found_in_plain_text() {
        let table: [(&str, &[&str]); 14] = [
            ("Apple", &["AAPL"]),
            ("an aPPLE a day", &["AAPL"]),
            ("(apple) [AT&T]", &["AAPL", "T"]),
            ("Apple, and pears", &[]),
            ("Apples", &[]),
            ("pineapple Apple", &["AAPL"]),
            ("Apple hospitality", &["APLE"]),
            ("Apple hospitals", &["AAPL"]),
            ("saudi \n aramco and Apple", &["2222", "AAPL"]),
            ("SaudiAramco", &[]),
            ("سهم أرامكو السعودية (أبل)", &["2222", "AAPL"]),
            ("وأبل", &[]),
            ("Apple Apple", &["AAPL"]),
            ("", &[]),
        ];
        for (text, found) in table {
            assert_eq!(codes(&names().of_text(text)), found, "{text:?}");
        }
    }

    #[test]
    fn names_in_html_become_links() {
        let apple = |name: &str| {
            format!(
                r#"<a href="/invest/us-stocks" data-stock-code="AAPL" data-data-type="20001">{name}</a>"#
            )
        };
        let table = [
            ("<p>Apple rose</p>", format!("<p>{} rose</p>", apple("Apple"))),
            ("<p>an <strong>apple</strong></p>", format!("<p>an <strong>{}</strong></p>", apple("apple"))),
            ("<p>Apple<strong>s</strong></p>", "<p>Apple<strong>s</strong></p>".to_owned()),
            ("<p><em>pine</em>apple</p>", "<p><em>pine</em>apple</p>".to_owned()),
            ("<td>Apple</td><td>s</td>", format!("<td>{}</td><td>s</td>", apple("Apple"))),
            (
                r#"<a href="/news">Apple</a> and Apple"#,
                format!(r#"<a href="/news">Apple</a> and {}"#, apple("Apple")),
            ),
            (
                "(AT&amp;T)",
                r#"(<a href="/invest/us-stocks" data-stock-code="T" data-data-type="20001">AT&amp;T</a>)"#.to_owned(),
            ),
            (
                "<p>Saudi Aramco</p>",
                r#"<p><a href="/invest/saudi-stocks" data-stock-code="2222" data-data-type="10001">Saudi Aramco</a></p>"#.to_owned(),
            ),
            (r#"<img alt="Apple" src="x">"#, r#"<img alt="Apple" src="x">"#.to_owned()),
        ];
        for (html, linked) in table {
            assert_eq!(names().link(html).0, linked, "{html}");
        }
        let names = names();
        let (_, stocks) = names.link(r#"<a href="/news">Apple</a> (Saudi Aramco) apple"#);
        assert_eq!(codes(&stocks), ["AAPL", "2222"]);
    }

    proptest! {
        #[test]
        fn linking_keeps_the_text(html in "(<p>|</p>|<b>|</b>|Apple|apple|AT&amp;T|[ ()]|[a-z]{1,3}|أبل){0,30}") {
            let (linked, _) = names().link(&html);
            let mut bare = linked.clone();
            while let Some(start) = bare.find("<a ") {
                let end = start + bare[start..].find('>').unwrap_or(0);
                bare.replace_range(start..=end, "");
            }
            prop_assert_eq!(bare.replace("</a>", ""), html);
        }

        #[test]
        fn search_finds_only_names_in_the_text(text in "(Apple|APPLE|أبل|AT&T|[ ()]|\\PC){0,12}") {
            for stock in names().of_text(&text) {
                let name = &stock.name;
                let held = |name: &str| !name.is_empty() && lower(&text).split_whitespace().collect::<Vec<_>>().join(" ").contains(&lower(name));
                prop_assert!(held(&name.en) || held(&name.sa));
            }
        }
    }
}
