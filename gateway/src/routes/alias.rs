//! Aliases: URLs of the apps beside this site (docs/redirects.md) that show pages of this site. Query parameters of an
//! alias become path parameters of its page.

use std::collections::BTreeMap;

use anyhow::ensure;
use serde::Deserialize;

use super::query::QueryKind;

/// A URL of one of the apps beside this site.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Alias {
    pub(super) path: String,
    /// Query parameter → path parameter of the page.
    #[serde(default)]
    query: BTreeMap<String, String>,
}

pub(super) struct AliasParameters {
    pub(super) path: BTreeMap<String, String>,
    /// The query parameters that they were read from.
    pub(super) query: BTreeMap<String, String>,
}

impl Alias {
    /// Validates an alias of a page with these path parameters.
    ///
    /// # Errors
    /// Its path belongs to no app, or a mapped parameter is unknown.
    pub(super) fn validate(&self, page_parameters: &[String]) -> anyhow::Result<()> {
        let is_app_path = (self.is_of("activitiesr") || self.is_of("feature"))
            && !self.path.ends_with('/')
            && !self.path.contains("//");
        ensure!(
            is_app_path && self.query.values().all(|name| page_parameters.contains(name)),
            "alias `{}` is no path below /activitiesr or /feature, or maps to no parameter",
            self.path
        );
        Ok(())
    }

    /// Whether its path is below that of an app.
    pub(super) fn is_of(&self, app: &str) -> bool {
        self.path
            .strip_prefix('/')
            .and_then(|path| path.split_once('/'))
            .is_some_and(|(first, _)| first == app)
    }

    /// The parameters of a request; `None` if it is not for this alias or a parameter is not an id.
    pub(super) fn matches(&self, path: &str, query: &str) -> Option<AliasParameters> {
        if self.path != path {
            return None;
        }
        let mut found = AliasParameters { path: BTreeMap::new(), query: BTreeMap::new() };
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let Some(parameter) = self.query.get(name.as_ref()) else { continue };
            if found.path.contains_key(parameter) || value.is_empty() {
                continue;
            }
            if !QueryKind::Id.accepts(&value) {
                return None;
            }
            found.path.insert(parameter.clone(), value.to_string());
            found.query.insert(name.into_owned(), value.into_owned());
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::routes::{BUILT_IN, RouteTable, TABLE};

    fn segments(path: &str) -> Vec<String> {
        path.split('/').map(str::to_owned).collect()
    }

    #[test]
    fn app_urls_map_to_pages_and_invalid_aliases_are_rejected() -> anyhow::Result<()> {
        let mut routes = serde_json::from_str::<serde_json::Value>(TABLE)?;
        let row = routes["routes"].as_array_mut().into_iter().flatten();
        for row in row.filter(|row| row["id"] == "news-content") {
            row["aliases"] = serde_json::json!([
                { "path": "/feature/reader/detail", "query": { "articleId": "id" } },
                { "path": "/feature/reader" },
            ]);
        }
        let table = serde_json::from_str::<RouteTable>(&routes.to_string())?;
        for (path, query, expected) in [
            ("feature/reader/detail", "articleId=7", Some(("/news/content/7", Some("7"), 1))),
            (
                "feature/reader/detail",
                "x=1&articleId=7&articleId=8&lang=ar-SA",
                Some(("/news/content/7", Some("7"), 1)),
            ),
            (
                "feature/reader/detail",
                "articleId=a-slug",
                Some(("/news/content/a-slug", Some("a-slug"), 1)),
            ),
            ("feature/reader/detail", "articleId=", Some(("/news/content", None, 0))),
            ("feature/reader", "articleId=7", Some(("/news/content", None, 0))),
            ("feature/reader/detail", "articleId=..%2Fx", None),
            ("feature/reader/detail/7", "", None),
            ("news/content/7", "", None),
        ] {
            let found = table.find_alias(&segments(path), query);
            let actual = found.as_ref().map(|alias| {
                let id = alias.found.parameters.get("id").map(String::as_str);
                (alias.path.as_str(), id, alias.query.len())
            });
            assert_eq!(actual, expected, "{path}?{query}");
        }
        let without = table.without_aliases_of("feature");
        assert_eq!(without.find_alias(&segments("feature/reader"), ""), None);

        for (path, query) in [
            ("/elsewhere/x", serde_json::json!({})),
            ("/feature", serde_json::json!({})),
            ("/feature/x", serde_json::json!({ "a": "no-such-parameter" })),
        ] {
            let row = routes["routes"].as_array_mut().into_iter().flatten();
            for row in row.filter(|row| row["id"] == "news-content") {
                row["aliases"] = serde_json::json!([{ "path": path, "query": query }]);
            }
            assert!(serde_json::from_str::<RouteTable>(&routes.to_string()).is_err(), "{path}");
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn mapped_path_matches_the_mapped_page(
            query in "((courseId|categoryId|articleId|lang|x)\
                =([a-z0-9-]{0,6}|[0-9]{1,12}|%2e%2e%2f|[!-~&&[^&#]]{0,8})&?){0,4}",
        ) {
            let aliases = BUILT_IN.iter().flat_map(|route| route.aliases.iter());
            for alias in aliases {
                let Some(found) = BUILT_IN.find_alias(&segments(&alias.path[1..]), &query) else { continue };
                let of_page = BUILT_IN.find(&segments(found.path.trim_start_matches('/')));
                prop_assert_eq!(of_page.map(|page| page.page), Some(found.found.page));
                for value in found.query.values().chain(found.found.parameters.values()) {
                    prop_assert!(QueryKind::Id.accepts(value), "{}", value);
                }
            }
        }
    }
}
