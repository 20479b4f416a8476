//! Hydration data: the JSON that a page is rendered and hydrated from, and the response of `/_data`.

use serde::Serialize;

use crate::{pages::PageRequest, visitor::Visitor};

#[derive(Serialize)]
struct Client {
    locale: &'static str,
    platform: &'static str,
    theme: &'static str,
}

impl From<Visitor> for Client {
    fn from(visitor: Visitor) -> Self {
        Self {
            locale: visitor.locale.as_str(),
            platform: visitor.platform.as_str(),
            theme: visitor.theme.as_str(),
        }
    }
}

#[derive(Serialize)]
struct Page<'a, D> {
    build: &'a str,
    page: &'a str,
    visitor: Client,
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
    serde_json::to_string(&Page {
        build,
        page,
        visitor: request.visitor.into(),
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
