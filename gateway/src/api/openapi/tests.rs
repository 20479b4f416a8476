#![allow(clippy::unwrap_used)]
use std::collections::HashSet;

use super::*;

fn page() -> Value {
    let pool = crate::dynamic::pool().unwrap();
    let table = Table::build(&pool).unwrap();
    document(&table, &pool, &GatewayOnly::read(&pool), "https://www.sahm.test", "sahm_session")
}

fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(map) => {
            found.extend(map.get("$ref").and_then(Value::as_str));
            map.values().for_each(|inner| references(inner, found));
        }
        Value::Array(list) => list.iter().for_each(|inner| references(inner, found)),
        _ => {}
    }
}

#[test]
fn every_reference_resolves_and_every_operation_is_named_once() {
    let page = page();
    let mut found = Vec::new();
    references(&page, &mut found);
    assert!(!found.is_empty());
    for reference in found {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(page.pointer(pointer).is_some(), "{reference}");
    }
    let mut ids = HashSet::new();
    for (path, item) in page["paths"].as_object().unwrap() {
        for (verb, operation) in item.as_object().unwrap() {
            assert!(ids.insert(operation["operationId"].clone()), "{verb} {path}");
            assert!(!operation["summary"].as_str().unwrap().is_empty(), "{verb} {path}");
        }
    }
}

#[test]
fn says_what_a_caller_must_know() {
    let page = page();
    assert_eq!(page["servers"][0]["url"], "https://www.sahm.test");
    let detail = &page["paths"]["/api/news/content/detail"]["get"];
    assert_eq!(detail["tags"][0], "content");
    let names = detail["parameters"].as_array().unwrap().iter();
    let names = names.filter_map(|parameter| parameter["name"].as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["id", "locale", "from"]);
    assert_eq!(detail["parameters"][0]["description"], "Decimal id.");
    assert!(page["paths"]["/api/news/content/log/add"].get("get").is_none());
    let summary = &page["components"]["schemas"]["content.ArticleSummary"];
    assert_eq!(summary["properties"]["readCount"]["type"], "string");
    assert_eq!(summary["properties"]["publishedAt"]["type"], "integer");
    assert_eq!(summary["properties"]["image"]["anyOf"][1]["type"], "null");
    assert!(page["paths"].get("/api/log/report").is_some());
}

#[test]
fn inner_rpcs_are_not_described() {
    let text = page().to_string();
    for inner in ["WithdrawArticles", "SetWebConfig", "PurgeTags", "GetFeeSchedule", "GetMedia"] {
        assert!(!text.contains(inner), "{inner}");
    }
}
