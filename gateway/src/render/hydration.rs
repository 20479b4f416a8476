//! Hydration data: the JSON that a page is rendered and hydrated from, and the response of `/_data`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{pages::PageRequest, visitor::Visitor};

#[derive(Serialize)]
struct Page<'a, D> {
    build: &'a str,
    page: &'a str,
    visitor: BTreeMap<&'static str, &'static str>,
    url: &'a str,
    document: &'a D,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    shell: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    production: bool,
}

#[derive(Serialize)]
struct Data<'a, D> {
    build: &'a str,
    page: &'a str,
    document: &'a D,
}

/// The JSON of `#sahm-page`, which the renderer receives too. Browsers report errors only if `production` is set.
pub(crate) fn page(
    build: &str,
    page: &str,
    request: &PageRequest,
    document: &impl Serialize,
    shell: bool,
    production: bool,
) -> serde_json::Result<String> {
    let Visitor { locale, platform, theme } = request.visitor;
    serde_json::to_string(&Page {
        build,
        page,
        visitor: BTreeMap::from([
            ("locale", locale.as_str()),
            ("platform", platform.as_str()),
            ("theme", theme.as_str()),
        ]),
        url: &request.url,
        document,
        shell,
        production,
    })
}

/// The response of `/_data`.
pub(crate) fn data(
    build: &str,
    page: &str,
    document: &impl Serialize,
) -> serde_json::Result<String> {
    serde_json::to_string(&Data { build, page, document })
}
