//! Hydration data: the JSON that a page is rendered and hydrated from, and the response of `/_data`.

use serde::Serialize;

use crate::{
    pages::{LoadedPage, PageData, PageRequest},
    visitor::Visitor,
};

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
struct Page<'a> {
    build: &'a str,
    page: &'a str,
    visitor: Client,
    url: &'a str,
    document: &'a PageData,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    shell: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    production: bool,
}

#[derive(Serialize)]
struct Data<'a> {
    build: &'a str,
    page: &'a str,
    document: &'a PageData,
}

/// The JSON in `#sahm-page`, which the renderer is given too. Only where it says `production` does
/// the browser report its errors.
pub(crate) fn page(
    build: &str,
    request: &PageRequest,
    loaded: &LoadedPage,
    shell: bool,
    production: bool,
) -> serde_json::Result<String> {
    serde_json::to_string(&Page {
        build,
        page: loaded.page,
        visitor: request.visitor.into(),
        url: &request.url,
        document: &loaded.document,
        shell,
        production,
    })
}

/// The answer of `/_data`.
pub(crate) fn data(build: &str, loaded: &LoadedPage) -> serde_json::Result<String> {
    serde_json::to_string(&Data { build, page: loaded.page, document: &loaded.document })
}
