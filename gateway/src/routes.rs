//! The route table, owned by the frontend (`frontend/routes.json`): path → page, declared query.

mod alias;

use std::collections::BTreeMap;

use serde::Deserialize;

use alias::{Alias, AliasFile};

pub use alias::AliasMatch;

include!(concat!(env!("OUT_DIR"), "/page_id.rs"));

/// As many as the search takes.
const KEYWORD_CHARS: usize = 100;

/// The table as the frontend wrote it.
const TABLE: &str = include_str!(env!("SAHM_ROUTES"));

/// One row of the table.
#[derive(Debug)]
pub struct Route {
    /// The page.
    pub page: PageId,
    /// `data-layout`.
    pub layout: String,
    /// Whether its pages may enter the cache at all.
    pub cacheable: bool,
    /// The path pattern as written: `/news/content/{id?}`.
    pub pattern: String,
    segments: Vec<Segment>,
    query: BTreeMap<String, QueryKind>,
    aliases: Vec<Alias>,
}

#[derive(Debug)]
enum Segment {
    Literal(String),
    Parameter { name: String, optional: bool },
}

/// What values a declared query parameter may have (docs/page-cache.md).
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum QueryKind {
    /// One of a list.
    Enumeration {
        /// The list.
        values: Vec<String>,
    },
    /// 0 to 10,000.
    Integer,
    /// Decimal of at most 10 digits, or a slug.
    Id,
    /// Opaque; the page bypasses the cache.
    Cursor,
    /// What a visitor searches for, as typed; the page bypasses the cache. Named `keyword`.
    Keyword,
}

/// A request's page and what it says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Position in the table.
    pub page: PageId,
    /// Values of path parameters, percent-decoded.
    pub parameters: BTreeMap<String, String>,
}

/// The declared query parameters of a request, valid ones only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredQuery {
    values: BTreeMap<String, String>,
    /// The cursor, when one of the right form was sent.
    pub cursor: Option<String>,
    /// The keyword of a search, when one was sent.
    pub keyword: Option<String>,
}

impl DeclaredQuery {
    /// Whether the page is made for this request alone.
    pub fn bypasses(&self) -> bool {
        self.cursor.is_some() || self.keyword.is_some()
    }

    /// These, and others that were judged apart.
    #[must_use]
    pub fn with(mut self, others: BTreeMap<String, String>) -> Self {
        self.values.extend(others);
        self
    }

    /// Drops a parameter.
    pub fn remove(&mut self, name: &str) {
        self.values.remove(name);
    }

    /// Whether there is none at all.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && !self.bypasses()
    }

    /// The value of a parameter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// All of them but the cursor, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// All of them but the cursor, sorted by name: `a=1&b=2`. Their forms need no encoding.
    pub fn canonical(&self) -> String {
        self.values
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>()
            .join("&")
    }
}

/// The whole table.
#[derive(Debug)]
pub struct RouteTable {
    routes: Vec<Route>,
}

/// What is wrong with the table.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// Not the expected JSON.
    #[error("routes.json: {0}")]
    Json(#[from] serde_json::Error),
    /// An id that this gateway was not built with.
    #[error("routes.json: page `{0}` is not one that this gateway was built with")]
    UnknownPage(String),
    /// An alias that cannot be one.
    #[error(
        "routes.json: alias `{0}` is no path below /activitiesr or /feature, or maps to no parameter"
    )]
    Alias(String),
    /// A page without a row.
    #[error("routes.json: page `{0}` is missing")]
    MissingPage(&'static str),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableFile {
    routes: Vec<RouteFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RouteFile {
    id: String,
    path: String,
    layout: String,
    query: BTreeMap<String, QueryKind>,
    cacheable: bool,
    #[serde(default)]
    aliases: Vec<AliasFile>,
}

impl RouteTable {
    /// The table this gateway was built with.
    pub fn built_in() -> Result<Self, TableError> {
        Self::parse(TABLE)
    }

    fn parse(json: &str) -> Result<Self, TableError> {
        let file = serde_json::from_str::<TableFile>(json)?;
        let routes = file.routes.into_iter().map(Route::try_from).collect::<Result<Vec<_>, _>>()?;
        for page in PageId::ALL {
            if !routes.iter().any(|route| route.page == *page) {
                return Err(TableError::MissingPage(page.as_str()));
            }
        }
        Ok(Self { routes })
    }

    /// The row of a page.
    pub fn route(&self, page: PageId) -> &Route {
        // `parse` has made sure of one.
        self.routes.iter().find(|route| route.page == page).unwrap_or(&self.routes[0])
    }

    /// All rows, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Route> {
        self.routes.iter()
    }

    /// Finds the page of percent-decoded path segments (without locale prefix).
    pub fn find(&self, segments: &[String]) -> Option<Match> {
        self.routes.iter().find_map(|route| {
            route.matches(segments).map(|parameters| Match { page: route.page, parameters })
        })
    }
}

impl TryFrom<RouteFile> for Route {
    type Error = TableError;

    fn try_from(file: RouteFile) -> Result<Self, TableError> {
        let page = PageId::ALL
            .iter()
            .copied()
            .find(|page| page.as_str() == file.id)
            .ok_or(TableError::UnknownPage(file.id))?;
        let segments = file
            .path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .map(|segment| {
                match segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
                    None => Segment::Literal(segment.to_owned()),
                    Some(name) => Segment::Parameter {
                        optional: name.ends_with('?'),
                        name: name.trim_end_matches('?').to_owned(),
                    },
                }
            })
            .collect::<Vec<_>>();
        let aliases = file
            .aliases
            .into_iter()
            .map(|alias| Alias::of(alias, &segments))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            page,
            aliases,
            layout: file.layout,
            cacheable: file.cacheable,
            pattern: file.path,
            segments,
            query: file.query,
        })
    }
}

impl Route {
    fn matches(&self, path: &[String]) -> Option<BTreeMap<String, String>> {
        if path.len() > self.segments.len() {
            return None;
        }
        let mut parameters = BTreeMap::new();
        for (at, segment) in self.segments.iter().enumerate() {
            match (segment, path.get(at)) {
                (Segment::Literal(literal), Some(sent)) if literal == sent => {}
                (Segment::Parameter { name, .. }, Some(sent)) if !sent.is_empty() => {
                    parameters.insert(name.clone(), sent.clone());
                }
                (Segment::Parameter { optional: true, .. }, None) => {}
                _ => return None,
            }
        }
        Some(parameters)
    }

    /// The declared parameters of a raw query; others, repeated and malformed ones are dropped.
    pub fn declared_query(&self, query: &str) -> DeclaredQuery {
        let mut declared = DeclaredQuery::default();
        let mut seen = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let Some((name, kind)) = self.query.get_key_value(name.as_ref()) else { continue };
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            match kind {
                QueryKind::Cursor if is_cursor(&value) => {
                    declared.cursor = Some(value.into_owned())
                }
                QueryKind::Keyword => declared.keyword = keyword(&value),
                kind if kind.accepts(&value) => {
                    declared.values.insert(name.clone(), value.into_owned());
                }
                _ => {}
            }
        }
        declared
    }
}

impl QueryKind {
    fn accepts(&self, value: &str) -> bool {
        match self {
            Self::Enumeration { values } => values.iter().any(|allowed| allowed == value),
            Self::Integer => {
                is_decimal(value, 5) && value.parse::<u32>().is_ok_and(|n| n <= 10_000)
            }
            Self::Id => is_decimal(value, 10) || is_slug(value),
            Self::Cursor | Self::Keyword => false,
        }
    }
}

/// A decimal number without leading zero, of at most `digits` digits.
pub fn is_decimal(text: &str, digits: usize) -> bool {
    !text.is_empty()
        && text.len() <= digits
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
}

/// `[a-z0-9-]{1,80}`
pub fn is_slug(text: &str) -> bool {
    (1..=80).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// `[A-Za-z0-9_-]{1,128}`
fn is_cursor(text: &str) -> bool {
    (1..=128).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

/// A keyword without what surrounds it, cut to 100 characters; none where nothing is left.
fn keyword(text: &str) -> Option<String> {
    let text = text.replace(char::is_control, " ");
    let text = text.trim().chars().take(KEYWORD_CHARS).collect::<String>();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn segments(path: &str) -> Vec<String> {
        path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn paths_find_their_pages() -> Result<(), TableError> {
        let table = RouteTable::built_in()?;
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
            let found = table.find(&segments(path)).map(|found| found.page.as_str());
            assert_eq!(found, page, "{path}");
        }
        Ok(())
    }

    #[test]
    fn only_declared_and_well_formed_parameters_stay() -> Result<(), TableError> {
        let table = RouteTable::built_in()?;
        let news = table.route(PageId::News);
        for (query, canonical, cursor) in [
            ("", "", None),
            ("tab=2&utm=1", "tab=2", None),
            // No decimal, yet a well-formed slug.
            ("tab=02", "tab=02", None),
            ("tab=a%20b", "", None),
            ("tab=2&tab=3", "tab=2", None),
            ("cursor=abc_-9", "", Some("abc_-9")),
            ("cursor=a.b&tab=1", "tab=1", None),
            // Eleven digits are no decimal id, yet a well-formed slug: the item's own 404.
            ("tab=12345678901", "tab=12345678901", None),
        ] {
            let declared = news.declared_query(query);
            assert_eq!(
                (declared.canonical().as_str(), declared.cursor.as_deref()),
                (canonical, cursor),
                "{query}"
            );
        }
        Ok(())
    }

    #[test]
    fn keywords_lose_what_is_no_text() {
        for (sent, kept) in [
            ("", None),
            (" \u{0} ", None),
            (" fees\n", Some("fees".to_owned())),
            ("رسوم", Some("رسوم".to_owned())),
            (&"x".repeat(200), Some("x".repeat(100))),
        ] {
            assert_eq!(keyword(sent), kept, "{sent}");
        }
    }

    proptest! {
        #[test]
        fn declared_queries_hold_nothing_else(
            query in "((tab|cursor|keyword|from|ref|pageFrom|activityId|theme|categoryId|x|%74ab)\
                =([!-~&&[^&#]]{0,12}|[0-9]{1,6}|admin|share|%[0-9a-f]{2})&?){0,5}",
        ) {
            let table = RouteTable::built_in().map_err(|error| TestCaseError::fail(error.to_string()))?;
            for route in table.iter() {
                let declared = route.declared_query(&query);
                let again = route.declared_query(&declared.canonical());
                prop_assert_eq!(again.canonical(), declared.canonical());
                for (name, value) in declared.iter() {
                    let kind = route.query.get(name);
                    prop_assert!(kind.is_some_and(|kind| kind.accepts(value)), "{} {}", name, value);
                }
                prop_assert!(declared.cursor.iter().all(|cursor| is_cursor(cursor)));
                let others = format!("utm_source=1&{query}&tabs=1&undeclared={query}");
                prop_assert_eq!(route.declared_query(&others), declared);
            }
        }
    }

    #[test]
    fn kinds_accept_their_forms() {
        let market = QueryKind::Enumeration { values: vec!["us".into(), "saudi".into()] };
        for (kind, value, accepted) in [
            (&market, "us", true),
            (&market, "US", false),
            (&QueryKind::Integer, "10000", true),
            (&QueryKind::Integer, "10001", false),
            (&QueryKind::Integer, "007", false),
            (&QueryKind::Id, "privacy-policy", true),
            (&QueryKind::Id, "Privacy", false),
        ] {
            assert_eq!(kind.accepts(value), accepted, "{kind:?} {value}");
        }
    }
}
