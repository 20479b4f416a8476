//! Hydration data: the JSON that a page is rendered and hydrated from, and the response of `/_data`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::visitor::Visitor;

/// The JSON of `#sahm-page`, which the renderer receives too.
#[derive(Serialize)]
pub(super) struct Page<'a, D> {
    pub(super) build: &'a str,
    pub(super) page: &'a str,
    pub(super) visitor: BTreeMap<&'static str, &'static str>,
    pub(super) url: &'a str,
    pub(super) document: &'a D,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) shell: bool,
    /// Browsers report errors only if it is set.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) production: bool,
}

/// The response of `/_data`.
#[derive(Serialize)]
pub(super) struct Data<'a, D> {
    pub(super) build: &'a str,
    pub(super) page: &'a str,
    pub(super) document: &'a D,
}

pub(super) fn visitor(visitor: Visitor) -> BTreeMap<&'static str, &'static str> {
    let Visitor { locale, platform, theme } = visitor;
    BTreeMap::from([
        ("locale", locale.as_str()),
        ("platform", platform.as_str()),
        ("theme", theme.as_str()),
    ])
}
