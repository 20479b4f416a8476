//! Securities and announcements as files: what the built-in seed is, and what operators import.

use std::collections::{BTreeMap, HashSet};

use sahm_proto::Locale;
use serde::Deserialize;

use super::{Announcement, AnnouncementText, DataType, Decimal, Security, SecurityCode, Status};

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct Fault {
    /// From 1.
    pub line: usize,
    /// The reason.
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
    /// Around which the simulated market moves.
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

/// Reads `securities.jsonl`.
pub fn securities_of(text: &str) -> Result<Vec<Security>, Fault> {
    let mut seen = HashSet::new();
    lines(text, |line: SecurityLine| {
        let code = SecurityCode::parse(&line.code).ok_or("code: no security code")?;
        if !seen.insert(line.code) {
            return Err("code: stands twice");
        }
        if line.name.is_empty() || line.exchange.is_empty() {
            return Err("name and exchange are needed");
        }
        let level = if line.level.is_empty() { "100.00" } else { &line.level };
        let level: Decimal = level.parse().map_err(|_| "level: no decimal")?;
        if !level.is_positive() {
            return Err("level: must be above 0");
        }
        let status = Status::from_number(line.status).ok_or("status: must be 0, 1 or 2")?;
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

/// Reads `announcements.jsonl`.
pub fn announcements_of(text: &str) -> Result<Vec<Announcement>, Fault> {
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
) -> Result<Vec<T>, Fault> {
    let mut items = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fault = |why: String| Fault { line: at + 1, why };
        let line = serde_json::from_str(line).map_err(|error| fault(error.to_string()))?;
        items.push(read(line).map_err(|why| fault(why.to_owned()))?);
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn faults_name_line_and_reason() {
        let good = r#"{"code":"X","dataType":20001,"exchange":"E","name":"N"}"#;
        assert_eq!(securities_of(good).unwrap()[0].name_sa, "N");
        for (line, why) in [
            ("{", "EOF"),
            (good, "twice"),
            (r#"{"code":"a b","dataType":1,"exchange":"E","name":"N"}"#, "no security code"),
            (r#"{"code":"A","dataType":1,"exchange":"","name":"N"}"#, "needed"),
            (r#"{"code":"A","dataType":1,"exchange":"E","name":"N","level":"1e3"}"#, "level"),
            (r#"{"code":"A","dataType":1,"exchange":"E","name":"N","level":"0"}"#, "level"),
            (r#"{"code":"A","dataType":1,"exchange":"E","name":"N","status":3}"#, "status"),
            (r#"{"code":"A","dataType":1,"exchange":"E","name":"N","x":3}"#, "unknown field"),
        ] {
            let fault = securities_of(&format!("{good}\n\n{line}")).unwrap_err();
            assert!(fault.line == 3 && fault.why.contains(why), "{fault}");
        }
        for (line, why) in [
            (r#"{"id":0,"market":"","publishedAt":1,"texts":{}}"#, "id"),
            (r#"{"id":1,"market":"uk","publishedAt":1,"texts":{}}"#, "market"),
            (r#"{"id":1,"market":"","publishedAt":1,"texts":{}}"#, "at least one"),
            (
                r#"{"id":1,"market":"","publishedAt":1,"texts":{"fr":
                {"title":"a","summary":"","source":"","body":["a"]}}}"#,
                "en-us and ar-sa",
            ),
        ] {
            let fault = announcements_of(&line.replace('\n', "")).unwrap_err();
            assert!(fault.why.contains(why), "{fault}");
        }
    }
}
