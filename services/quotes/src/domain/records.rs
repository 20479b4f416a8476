//! Securities and announcements as files: the built-in seed, and imports of operators.

use std::collections::{BTreeMap, HashSet};

use sahm_proto::Locale;
use serde::Deserialize;

use super::{
    Announcement, AnnouncementText, DataType, Security, SecurityCode, Status, ZERO, decimal,
};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct LineError {
    /// Line number, from 1.
    pub line: usize,
    pub why: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SecurityLine {
    code: String,
    data_type: u32,
    exchange: String,
    name: String,
    #[serde(default)]
    name_sa: String,
    /// The price around which the simulated market moves.
    #[serde(default)]
    level: String,
    #[serde(default)]
    status: u32,
    #[serde(default)]
    pre_ipo: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AnnouncementLine {
    id: u64,
    market: String,
    published_at: u32,
    #[serde(default)]
    sample: bool,
    #[serde(default)]
    securities: Vec<String>,
    texts: BTreeMap<String, TextLine>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TextLine {
    title: String,
    summary: String,
    source: String,
    body: Vec<String>,
}

/// Parses `securities.jsonl`.
pub fn securities_of(text: &str) -> Result<Vec<Security>, LineError> {
    let mut codes = HashSet::new();
    lines(text, |line: SecurityLine| {
        let code = SecurityCode::parse(&line.code).ok_or("code: no security code")?;
        if !codes.insert(line.code) {
            return Err("code: stands twice");
        }
        if line.name.is_empty() || line.exchange.is_empty() {
            return Err("name and exchange are needed");
        }
        let level = if line.level.is_empty() { "100.00" } else { &line.level };
        let level = decimal(level).ok_or("level: no decimal")?;
        if level <= ZERO {
            return Err("level: must be above 0");
        }
        let status = Status::from_repr(line.status).ok_or("status: must be 0, 1 or 2")?;
        Ok(Security {
            code,
            data_type: DataType(line.data_type),
            exchange: line.exchange,
            name_sa: if line.name_sa.is_empty() { line.name.clone() } else { line.name_sa },
            name: line.name,
            level,
            status,
            pre_ipo: line.pre_ipo,
        })
    })
}

/// Parses `announcements.jsonl`.
pub fn announcements_of(text: &str) -> Result<Vec<Announcement>, LineError> {
    lines(text, |line: AnnouncementLine| {
        if line.id == 0 || i64::try_from(line.id).is_err() {
            return Err("id: must be above 0");
        }
        if !matches!(line.market.as_str(), "" | "us" | "saudi" | "all") {
            return Err("market: us, saudi, all or nothing");
        }
        let securities = line.securities.iter().map(|code| SecurityCode::parse(code));
        let securities = securities.collect::<Option<_>>().ok_or("securities: no security code")?;
        let mut texts = BTreeMap::new();
        for (locale, text) in line.texts {
            let locale = Locale::from_name(&locale).ok_or("texts: en-us and ar-sa only")?;
            if text.title.is_empty() || text.body.is_empty() {
                return Err("texts: title and body are needed");
            }
            let TextLine { title, summary, source, body } = text;
            let text = AnnouncementText { title, summary, source, paragraphs: body };
            texts.insert(locale, text);
        }
        if texts.is_empty() {
            return Err("texts: at least one is needed");
        }
        Ok(Announcement {
            id: line.id,
            market: line.market,
            published_at: line.published_at,
            sample: line.sample,
            securities,
            texts,
        })
    })
}

fn lines<L: for<'de> Deserialize<'de>, T>(
    text: &str,
    mut read: impl FnMut(L) -> Result<T, &'static str>,
) -> Result<Vec<T>, LineError> {
    let mut items = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line_error = |why: String| LineError { line: at + 1, why };
        let line = serde_json::from_str(line).map_err(|error| line_error(error.to_string()))?;
        items.push(read(line).map_err(|why| line_error(why.to_owned()))?);
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn errors_contain_line_and_reason() {
        let good = r#"{"code":"X","dataType":20001,"exchange":"E","name":"N"}"#;
        let security = &securities_of(good).unwrap()[0];
        assert_eq!(
            (&*security.name_sa, security.status, security.pre_ipo),
            ("N", Status::Normal, false)
        );
        assert_eq!(security.level.to_string(), "100.00");
        for (line, why) in [
            ("{", "EOF"),
            (good, "twice"),
            (r#"{"code":"a b","dataType":1,"exchange":"E","name":"N"}"#, "no security code"),
            (r#"{"code":"A","dataType":1,"exchange":"","name":"N"}"#, "needed"),
            (r#"{"code":"A","dataType":1,"exchange":"E","name":""}"#, "needed"),
            (r#"{"code":"A","dataType":1,"exchange":"E","name":"N","level":"1e3"}"#, "no decimal"),
            (r#"{"code":"A","dataType":1,"exchange":"E","name":"N","level":"0"}"#, "above 0"),
            (r#"{"code":"A","dataType":1,"exchange":"E","name":"N","level":"-1"}"#, "above 0"),
            (r#"{"code":"A","dataType":1,"exchange":"E","name":"N","status":3}"#, "status"),
            (r#"{"code":"A","dataType":1,"exchange":"E","name":"N","x":3}"#, "unknown field"),
        ] {
            let fault = securities_of(&format!("{good}\n\n{line}")).unwrap_err();
            assert!(fault.line == 3 && fault.why.contains(why), "{fault}");
        }
    }

    /// An announcement with these parts.
    fn announcement(id: &str, market: &str, securities: &str, texts: &str) -> String {
        format!(
            r#"{{"id":{id},"market":"{market}","publishedAt":1,"securities":[{securities}],"texts":{{{texts}}}}}"#
        )
    }

    fn text(locale: &str, title: &str, body: &str) -> String {
        format!(r#""{locale}":{{"title":"{title}","summary":"","source":"","body":[{body}]}}"#)
    }

    #[test]
    fn every_field_of_a_line_is_parsed() {
        let line = r#"{"code":"A","dataType":10001,"exchange":"E","name":"N","nameSa":"ن","level":"7.50","status":2,"preIpo":true}"#;
        let expected = Security {
            code: SecurityCode::parse("A").unwrap(),
            data_type: DataType(10_001),
            exchange: "E".into(),
            name: "N".into(),
            name_sa: "ن".into(),
            level: "7.50".parse().unwrap(),
            status: Status::from_repr(2).unwrap(),
            pre_ipo: true,
        };
        assert_eq!(securities_of(line).unwrap(), [expected]);
        for market in ["", "us", "saudi", "all"] {
            let texts = [text("en-us", "a", r#""b""#), text("ar-sa", "أ", r#""ب""#)].join(",");
            let line = announcement("9223372036854775807", market, r#""A","2222""#, &texts);
            let found = announcements_of(&line).unwrap().remove(0);
            assert_eq!((found.id, &*found.market), (u64::MAX / 2, market));
            assert_eq!((found.securities.len(), found.published_at, found.sample), (2, 1, false));
            let titles = found.texts.values().map(|text| (&*text.title, text.paragraphs.len()));
            assert_eq!(titles.collect::<Vec<_>>(), [("a", 1), ("أ", 1)]);
        }
    }

    #[test]
    fn invalid_announcement_is_rejected_with_its_reason() {
        let good = text("en-us", "a", r#""a""#);
        for (line, why) in [
            (announcement("0", "", "", &good), "id: must be above 0"),
            (announcement("9223372036854775808", "", "", &good), "id: must be above 0"),
            (announcement("1", "uk", "", &good), "market: us"),
            (announcement("1", "US", "", &good), "market: us"),
            (announcement("1", "", r#""A","a b""#, &good), "securities: no security code"),
            (announcement("1", "", "", ""), "texts: at least one"),
            (announcement("1", "", "", &text("fr", "a", r#""a""#)), "en-us and ar-sa"),
            (announcement("1", "", "", &text("en-us", "", r#""a""#)), "title and body"),
            (announcement("1", "", "", &text("en-us", "a", "")), "title and body"),
            (announcement("1", "", "", &good).replace("\"id\"", "\"x\":1,\"id\""), "unknown field"),
        ] {
            let fault = announcements_of(&line).unwrap_err();
            assert!(fault.line == 1 && fault.why.contains(why), "{fault}");
        }
    }
}
