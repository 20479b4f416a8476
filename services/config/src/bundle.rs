//! Configuration as files: the built-in seed, and imports of operators.

use anyhow::{Context, bail, ensure};
use sahm_proto::config::v1::{FeeSchedule, Menu};
use sea_orm::{DeriveIntoActiveModel, FromQueryResult};
use serde::{Deserialize, de::DeserializeOwned};

use crate::domain::{ItemKey, check_fees, check_menu, check_value};

/// The parts of the configuration in a set of files; absent ones stay unchanged.
#[derive(Debug, Default)]
pub struct Bundle {
    /// `items.jsonl`
    pub items: Vec<ItemRow>,
    /// `menu.json`: `sahm.config.v1.Menu` as canonical JSON.
    pub menu: Option<Menu>,
    /// `fees.json`: `sahm.config.v1.FeeSchedule` as canonical JSON.
    pub fees: Option<FeeSchedule>,
    /// `countries.jsonl`: all of them, or none.
    pub countries: Vec<CountryRow>,
}

/// A line of `items.jsonl`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemRow {
    /// See [`ItemKey`].
    pub key: String,
    /// At most 8 KB.
    pub value: String,
    /// `commons` or empty.
    #[serde(default)]
    pub ctype: String,
}

/// A line of `countries.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, FromQueryResult, DeriveIntoActiveModel)]
#[sea_orm(active_model = "crate::store::CountryActiveModel")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CountryRow {
    /// ISO 3166-1 alpha-2.
    pub id: String,
    /// ISO 3166-1 alpha-3.
    pub code: String,
    /// In English.
    pub name: String,
    /// In Arabic.
    pub name_ar: String,
    /// Digits without plus; empty if the country has none.
    pub tel_code: String,
    /// Rank in the list 'general', from 1; 0 if it is not listed.
    pub general_rank: i32,
    /// The country's area code; 0 if it has none.
    #[serde(default)]
    pub area_code: i32,
}

impl Bundle {
    /// Adds a file by its name.
    ///
    /// # Errors
    /// The file is invalid; the error contains its name, the line and the reason.
    pub fn add(&mut self, name: &str, text: &str) -> anyhow::Result<()> {
        match name {
            "items.jsonl" => {
                let rows: Vec<ItemRow> = lines(name, text)?;
                for row in &rows {
                    let formed = ItemKey::parse(&row.key).is_some()
                        && check_value(&row.value).is_ok()
                        && matches!(row.ctype.as_str(), "" | "commons");
                    ensure!(formed, "{name}: key, value or ctype of '{}'", row.key);
                }
                self.items.extend(rows);
            }
            "countries.jsonl" => {
                self.countries = lines(name, text)?;
                for row in &self.countries {
                    let letters = |text: &str, count| {
                        text.len() == count && text.bytes().all(|byte| byte.is_ascii_uppercase())
                    };
                    let known =
                        letters(&row.id, 2) && letters(&row.code, 3) && !row.name.is_empty();
                    let known = known && row.area_code >= 0;
                    ensure!(known, "{name}: codes or name of '{}'", row.id);
                }
            }
            "menu.json" => {
                let menu = json(name, text)?;
                ensure_none(name, check_menu(&menu))?;
                self.menu = Some(menu);
            }
            "fees.json" => {
                let fees = json(name, text)?;
                ensure_none(name, check_fees(&fees))?;
                self.fees = Some(fees);
            }
            other => {
                bail!("{other}: not one of items.jsonl, menu.json, fees.json, countries.jsonl")
            }
        }
        Ok(())
    }
}

fn json<T: DeserializeOwned>(name: &str, text: &str) -> anyhow::Result<T> {
    serde_json::from_str(text).with_context(|| name.to_owned())
}

fn lines<T: DeserializeOwned>(name: &str, text: &str) -> anyhow::Result<Vec<T>> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| serde_json::from_str(line).with_context(|| format!("{name}:{}", at + 1)))
        .collect()
}

fn ensure_none(name: &str, errors: Vec<String>) -> anyhow::Result<()> {
    ensure!(errors.is_empty(), "{name}: {}", errors.join("; "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn errors_contain_file_line_and_reason() {
        for (name, text, reason) in [
            ("items.jsonl", "{\"key\":\"A\",\"value\":\"1\"}\n{", "items.jsonl:2"),
            ("items.jsonl", "{\"key\":\"a b\",\"value\":\"1\"}", "'a b'"),
            ("menu.json", "{\"header\":[{\"key\":\"x\",\"name\":\"X\"}]}", "header.x"),
            ("menu.json", "{\"heading\":[]}", "heading"),
            ("fees.json", "{\"vatRate\":\"15%\"}", "vatRate"),
            ("other.json", "{}", "not one of"),
        ] {
            let error = format!("{:#}", Bundle::default().add(name, text).expect_err(text));
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn every_field_of_items_and_countries_is_validated() {
        let longest = "v".repeat(8 * 1024);
        let items = [
            (json!({}), true),
            (json!({ "ctype": "commons" }), true),
            (json!({ "ctype": "others" }), false),
            (json!({ "value": longest }), true),
            (json!({ "value": format!("{longest}v") }), false),
            (json!({ "unknown": 1 }), false),
        ];
        let countries = [
            (json!({}), true),
            (json!({ "id": "sa" }), false),
            (json!({ "id": "SAU" }), false),
            (json!({ "code": "SA" }), false),
            (json!({ "code": "SA1" }), false),
            (json!({ "name": "" }), false),
            (json!({ "areaCode": 0 }), true),
            (json!({ "areaCode": -1 }), false),
            (json!({ "telCode": null }), false),
            (json!({ "unknown": 1 }), false),
        ];
        let item = json!({ "key": "A", "value": "1" });
        let country = json!({
            "id": "SA", "code": "SAU", "name": "Saudi Arabia", "nameAr": "السعودية",
            "telCode": "966", "generalRank": 1, "areaCode": 1,
        });
        let files = [("items.jsonl", item, &items[..]), ("countries.jsonl", country, &countries)];
        for (name, row, cases) in files {
            for (change, is_right) in cases {
                let mut row = row.clone();
                for (field, value) in change.as_object().into_iter().flatten() {
                    row[field] = value.clone();
                }
                let added = Bundle::default().add(name, &row.to_string());
                assert_eq!(added.is_ok(), *is_right, "{name} {change}: {added:?}");
            }
        }
    }
}
