//! The route table, owned by the frontend (`frontend/routes.json`): path → page, declared query.

mod alias;
mod query;

use std::collections::BTreeMap;

use anyhow::Context as _;
use serde::Deserialize;

use self::alias::{Alias, AliasParameters};
pub use self::query::{DeclaredQuery, QueryKind, is_decimal, is_slug};

include!(concat!(env!("OUT_DIR"), "/page_id.rs"));

const TABLE: &str = include_str!(env!("SAHM_ROUTES"));

/// One row of the table.
#[derive(Debug, Deserialize)]
#[serde(try_from = "RouteFile")]
pub struct Route {
    pub page: PageId,
    /// Value of `data-layout`.
    pub layout: String,
    /// Whether the page cache may store its pages.
    pub cacheable: bool,
    /// The path pattern, for example `/news/content/{id?}`.
    pub pattern: String,
    /// The literal segments of the pattern.
    literals: Vec<String>,
    /// The names of the optional parameters after them.
    parameters: Vec<String>,
    query: BTreeMap<String, QueryKind>,
    aliases: Vec<Alias>,
}

/// The page of a path, with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    pub page: PageId,
    /// Values of path parameters, percent-decoded.
    pub parameters: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AliasMatch {
    /// The page, with its path parameters.
    pub found: Match,
    /// The page's canonical path without locale prefix, up to the first absent parameter.
    pub path: String,
    /// The query parameters that were mapped.
    pub query: BTreeMap<String, String>,
}

/// All routes, in the order in which they are matched.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RouteTable {
    routes: Vec<Route>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RouteFile {
    id: PageId,
    path: String,
    layout: String,
    query: BTreeMap<String, QueryKind>,
    cacheable: bool,
    #[serde(default)]
    aliases: Vec<Alias>,
}

impl RouteTable {
    /// The table that this gateway was built with.
    ///
    /// # Errors
    /// The table is invalid.
    pub fn built_in() -> anyhow::Result<Self> {
        serde_json::from_str(TABLE).context("routes.json")
    }

    /// The route of a page.
    pub fn route(&self, page: PageId) -> &Route {
        // The pages are generated from this table.
        self.routes.iter().find(|route| route.page == page).unwrap_or(&self.routes[0])
    }

    /// All routes, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Route> {
        self.routes.iter()
    }

    /// Finds the page of percent-decoded path segments (without locale prefix).
    pub fn find(&self, segments: &[String]) -> Option<Match> {
        self.routes.iter().find_map(|route| {
            route.matches(segments).map(|parameters| Match { page: route.page, parameters })
        })
    }

    /// Removes the aliases of a proxied app, which responds to its paths itself.
    #[must_use]
    pub fn without_aliases_of(mut self, app: &str) -> Self {
        for route in &mut self.routes {
            route.aliases.retain(|alias| !alias.is_of(app));
        }
        self
    }

    /// Finds the page that replaces a URL of one of the apps beside this site.
    pub fn find_alias(&self, segments: &[String], query: &str) -> Option<AliasMatch> {
        let path = format!("/{}", segments.join("/"));
        self.routes.iter().find_map(|route| route.find_alias(&path, query))
    }
}

impl TryFrom<RouteFile> for Route {
    type Error = anyhow::Error;

    fn try_from(file: RouteFile) -> anyhow::Result<Self> {
        let segments = file.path.split('/').filter(|segment| !segment.is_empty());
        let segments = segments.map(str::to_owned).collect::<Vec<_>>();
        let count = segments.iter().take_while(|segment| !segment.starts_with('{')).count();
        let (literals, parameters) = segments.split_at(count);
        let names = parameters.iter().map(|name| name.strip_prefix('{')?.strip_suffix("?}"));
        let parameters = names.map(|name| name.map(str::to_owned)).collect::<Option<Vec<_>>>();
        let parameters = parameters.context("only optional parameters can follow a parameter")?;
        for alias in &file.aliases {
            alias.validate(&parameters)?;
        }
        Ok(Self {
            page: file.id,
            aliases: file.aliases,
            layout: file.layout,
            cacheable: file.cacheable,
            pattern: file.path,
            literals: literals.to_vec(),
            parameters,
            query: file.query,
        })
    }
}

impl Route {
    fn matches(&self, path: &[String]) -> Option<BTreeMap<String, String>> {
        let values = path.strip_prefix(&*self.literals)?;
        let is_match = values.len() <= self.parameters.len() && !values.contains(&String::new());
        is_match.then(|| self.parameters.iter().cloned().zip(values.iter().cloned()).collect())
    }

    fn find_alias(&self, path: &str, query: &str) -> Option<AliasMatch> {
        let mut matches = self.aliases.iter().map(|alias| alias.matches(path, query));
        let AliasParameters { path: parameters, query } = matches.find_map(|found| found)?;
        let values = self.parameters.iter().map_while(|name| parameters.get(name));
        let segments = self.literals.iter().chain(values);
        let path = segments.fold(String::new(), |path, segment| path + "/" + segment);
        Some(AliasMatch { found: Match { page: self.page, parameters }, path, query })
    }

    /// The declared parameters of a raw query.
    pub fn declared_query(&self, query: &str) -> DeclaredQuery {
        DeclaredQuery::parse(&self.query, query)
    }
}

/// The table that this gateway was built with, parsed once for all tests.
#[cfg(test)]
pub(crate) static BUILT_IN: std::sync::LazyLock<RouteTable> =
    std::sync::LazyLock::new(|| RouteTable::built_in().expect("a valid table"));

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn segments(path: &str) -> Vec<String> {
        path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn paths_match_their_pages() {
        for (path, page) in [
            ("", Some("home")),
            ("news", Some("news")),
            ("news/us", Some("news-us")),
            ("news/content", Some("news-content")),
            ("news/content/1001", Some("news-content")),
            ("news/content/1001/x", None),
            ("notFound", Some("not-found")),
            ("notfound", None),
            ("News", None),
        ] {
            let found = BUILT_IN.find(&segments(path)).map(|found| found.page.as_str());
            assert_eq!(found, page, "{path}");
        }
    }

    #[test]
    fn undeclared_and_malformed_parameters_are_dropped() {
        let news = BUILT_IN.route(PageId::News);
        for (query, canonical, cursor) in [
            ("", "", None),
            ("tab=2&utm=1", "tab=2", None),
            // Not a decimal, but a valid slug.
            ("tab=02", "tab=02", None),
            ("tab=a%20b", "", None),
            ("tab=2&tab=3", "tab=2", None),
            ("cursor=abc_-9", "", Some("abc_-9")),
            ("cursor=a.b&tab=1", "tab=1", None),
            // Eleven digits are not a decimal id, but a valid slug: the service decides whether it exists.
            ("tab=12345678901", "tab=12345678901", None),
        ] {
            let declared = news.declared_query(query);
            assert_eq!(
                (declared.canonical().as_str(), declared.cursor.as_deref()),
                (canonical, cursor),
                "{query}"
            );
        }
    }

    proptest! {
        #[test]
        fn declared_query_holds_only_valid_parameters(
            sent in "((tab|cursor|keyword|from|ref|pageFrom|activityId|theme|categoryId|x|%74ab)\
                =([!-~&&[^&#]]{0,12}|[0-9]{1,6}|admin|share|%[0-9a-f]{2})&?){0,5}",
        ) {
            for route in BUILT_IN.iter() {
                let declared = route.declared_query(&sent);
                let again = route.declared_query(&declared.canonical());
                prop_assert_eq!(again.canonical(), declared.canonical());
                for (name, value) in declared.iter() {
                    let kind = route.query.get(name);
                    prop_assert!(kind.is_some_and(|kind| kind.accepts(value)), "{} {}", name, value);
                }
                prop_assert!(declared.cursor.iter().all(|cursor| query::is_cursor(cursor)));
                let others = format!("utm_source=1&{sent}&tabs=1&undeclared={sent}");
                prop_assert_eq!(route.declared_query(&others), declared);
            }
        }
    }
}
