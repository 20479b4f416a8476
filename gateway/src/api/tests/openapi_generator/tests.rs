//! The description is current and complete, and its bounds match the protos.
use std::{collections::HashSet, fs};

use super::*;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/api/openapi/openapi.json");

fn page() -> Value {
    document(&crate::dynamic_grpc_client::pool().unwrap())
}

/// JSON with a line per operation and schema, for readable diffs.
fn lines(document: &Value) -> String {
    fn write(value: &Value, depth: usize, indent: &str) -> String {
        match value {
            Value::Object(map) if depth > 0 && !map.is_empty() => {
                let inner = format!("{indent} ");
                let entries = map.iter().map(|(key, value)| {
                    format!("{inner}{}: {}", json!(key), write(value, depth - 1, &inner))
                });
                format!("{{\n{}\n{indent}}}", entries.collect::<Vec<_>>().join(",\n"))
            }
            other => other.to_string(),
        }
    }
    write(document, 3, "") + "\n"
}

#[test]
fn generated_file_is_current() {
    let generated = lines(&page());
    if std::env::var("SNAPSHOTS").as_deref() == Ok("write") {
        fs::write(FILE, &generated).unwrap();
    }
    let is_current = fs::read_to_string(FILE).unwrap() == generated;
    assert!(is_current, "SNAPSHOTS=write cargo test -p sahm-gateway --lib openapi");
}

#[test]
fn served_description_names_server_and_session_cookie() {
    let served = crate::api::openapi::document("https://www.sahm.test", "sahm_session").unwrap();
    let served: Value = serde_json::from_slice(&served).unwrap();
    let mut expected = page();
    expected["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    expected["servers"] = json!([{ "url": "https://www.sahm.test" }]);
    expected["components"]["securitySchemes"]["session"]["name"] = "sahm_session".into();
    assert_eq!(served, expected);
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
fn description_documents_statuses_and_limits() {
    let page = page();
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
fn rpcs_without_annotation_are_not_described() {
    let text = page().to_string();
    for inner in ["WithdrawArticles", "SetWebConfig", "PurgeTags", "GetFeeSchedule", "GetMedia"] {
        assert!(!text.contains(inner), "{inner}");
    }
}

/// All values of a key, at any depth.
fn values_of<'a>(value: &'a Value, key: &str, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(map) => {
            found.extend(map.get(key));
            map.values().for_each(|inner| values_of(inner, key, found));
        }
        Value::Array(list) => list.iter().for_each(|inner| values_of(inner, key, found)),
        _ => {}
    }
}

#[test]
fn bounds_of_requests_are_those_of_the_proto_options() {
    let page = page();
    let tabs = &page["paths"]["/api/news/tab/list"]["get"]["parameters"];
    assert_eq!(tabs[0]["schema"]["enum"], json!(["us", "saudi", "all", ""]));
    assert_eq!(tabs[0]["required"], false);
    assert_eq!(tabs[1]["schema"]["anyOf"][0]["maximum"], 50);
    let detail = &page["paths"]["/api/news/content/detail"]["get"]["parameters"];
    assert_eq!(detail[0]["required"], true);
    assert_eq!(detail[0]["schema"]["minimum"], 1);
    assert_eq!(detail[2]["schema"]["maxLength"], 40);
    let login = &page["paths"]["/api/passport/sms/login"]["post"]["requestBody"];
    assert_eq!(login["required"], true);
    let schema = &login["content"]["application/json"]["schema"];
    assert_eq!(schema["required"], json!(["telCode", "phone", "code", "agreement"]));
    assert_eq!(schema["properties"]["agreement"]["enum"], json!([true, 1, "true", "1"]));
    let set = &page["paths"]["/api/passport/password/set"]["post"]["requestBody"]["content"];
    let password = &set["application/x-www-form-urlencoded"]["schema"]["properties"]["password"];
    assert_eq!((&password["minLength"], &password["maxLength"]), (&json!(8), &json!(20)));
    assert_eq!(password["pattern"], "^[!-~]{8,20}$");
}

#[test]
fn number_for_text_is_described_exactly_where_its_digits_are_taken() {
    struct Row {
        path: &'static str,
        field: &'static str,
        bounds: Option<(i64, i64)>,
    }
    let most = 9_007_199_254_740_991_i64;
    let page = page();
    for Row { path, field, bounds } in [
        Row {
            path: "/api/us/querySimpleBySecurityCodes",
            field: "securityCodes",
            bounds: Some((-most, most)),
        },
        Row { path: "/api/config/rest/web", field: "keys", bounds: Some((-most, most)) },
        Row {
            path: "/api/cms/position/images/batch/v2",
            field: "positionCodeList",
            bounds: Some((-most, most)),
        },
        Row { path: "/api/news/like/list", field: "contentIds", bounds: Some((0, most)) },
        Row { path: "/api/config/rest/app-config/multi-value", field: "groups", bounds: None },
        Row { path: "/api/passport/password/set", field: "password", bounds: None },
    ] {
        let body = &page["paths"][path]["post"]["requestBody"]["content"]["application/json"];
        let schema = &body["schema"]["properties"][field];
        let schema = schema.pointer("/anyOf/0").unwrap_or(schema);
        let expected = bounds.map_or(json!("string"), |_| json!(["string", "integer"]));
        assert_eq!(schema["type"], expected, "{path} {field}");
        let described = schema["minimum"].as_i64().zip(schema["maximum"].as_i64());
        assert_eq!(described, bounds, "{path} {field}");
    }
}

#[test]
fn no_description_is_empty_and_every_parameter_has_one() {
    let page = page();
    let mut descriptions = Vec::new();
    values_of(&page, "description", &mut descriptions);
    assert!(descriptions.len() > 500);
    assert!(descriptions.iter().all(|text| *text != ""));
    for (path, item) in page["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            let parameters = operation["parameters"].as_array().unwrap().iter();
            for parameter in parameters.filter(|parameter| parameter.get("name").is_some()) {
                assert!(parameter["description"].is_string(), "{path} {parameter}");
            }
        }
    }
}
