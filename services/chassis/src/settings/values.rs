//! Types of single values: secrets, tokens, endpoints, networks, database addresses.
use std::{
    fmt,
    net::IpAddr,
    path::{Path, PathBuf},
    str::FromStr,
};

use ipnet::IpNet;
use sea_orm::sqlx::postgres::PgConnectOptions;

use super::reader::Reader;

/// The caller that may call every service, and whose metadata about members is trusted.
pub(crate) const GATEWAY: &str = "gateway";
const MIN_TOKEN_BYTES: usize = 16;

/// The query parameters of a PostgreSQL URL that the driver reads, besides `options[NAME]`. It
/// ignores all others, such as a misspelt `sslmode` or libpq's `target_session_attrs`.
const POSTGRES_PARAMETERS: [&str; 18] = [
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "statement-cache-capacity",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
];

/// A value that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Wraps a value.
    pub fn new(value: T) -> Secret<T> {
        Secret(value)
    }

    /// Returns the value, for the place where it is used.
    pub fn expose(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// A bearer token with the name of its holder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedToken {
    /// The holder's name, for instance `gateway`.
    pub name: String,
    /// The token.
    pub token: Secret<String>,
}

impl NamedToken {
    /// Parses `name=token`; the token must have at least 16 characters.
    pub(crate) fn parse(text: &str) -> Option<NamedToken> {
        let (name, token) = text.split_once('=')?;
        (!name.is_empty() && token.len() >= MIN_TOKEN_BYTES)
            .then(|| NamedToken { name: name.to_owned(), token: Secret::new(token.to_owned()) })
    }
}

/// A list of `name=token`.
pub(super) fn named_tokens(r: &mut Reader, name: &str) -> Vec<NamedToken> {
    let expected = "a list of name=token with tokens of 16 characters or more";
    r.list(name, expected, NamedToken::parse)
}

/// The URL of a provider and our credential for it.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// An `http` or `https` URL, with its path.
    pub url: String,
    /// Its token or secret; unset: it requires none.
    pub token: Option<Secret<String>>,
}

/// Reads an endpoint from two settings; `None` if no URL is set.
pub(super) fn endpoint(r: &mut Reader, url: &str, token: &str) -> Option<Endpoint> {
    let (address, token) = (r.optional(url), r.optional(token).map(Secret::new));
    let address = address?;
    if !is_provider_url(&address) {
        r.invalid(url, "a URL like https://provider.example/path");
        return None;
    }
    Some(Endpoint { url: address, token })
}

/// Whether a text is an `http` or `https` URL of a host, without a name or password.
pub(super) fn is_provider_url(text: &str) -> bool {
    text.parse::<http::Uri>().is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.host().is_some_and(|host| !host.is_empty())
            && !uri.authority().is_some_and(|authority| authority.as_str().contains('@'))
    })
}

/// Parses a network in CIDR notation, or one address.
pub(super) fn ip_network(text: &str) -> Option<IpNet> {
    text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).ok()
}

/// The database of a service.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// An SQLite file; it is created if missing.
    Sqlite(PathBuf),
    /// A `postgres://` address.
    Postgres(String),
}

impl DatabaseUrl {
    /// The SQLite file.
    pub fn file(path: impl AsRef<Path>) -> DatabaseUrl {
        DatabaseUrl::Sqlite(path.as_ref().to_owned())
    }
}

/// Checks that the driver supports every part of a PostgreSQL URL.
///
/// # Errors
/// The URL is malformed, names several hosts, or has a parameter that the driver ignores.
fn check_postgres(url: &str) -> Result<(), ()> {
    let is_known = |name: &str| POSTGRES_PARAMETERS.contains(&name) || name.starts_with("options[");
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let mut parameters = query.split('&').filter(|parameter| !parameter.is_empty());
    let server = url.parse::<PgConnectOptions>().map_err(|_| ())?;
    // The driver would look up a list of hosts as one name.
    let has_one_host = !server.get_host().contains(',');
    let follows_all =
        parameters.all(|parameter| is_known(parameter.split('=').next().unwrap_or_default()));
    if has_one_host && follows_all { Ok(()) } else { Err(()) }
}

impl FromStr for DatabaseUrl {
    type Err = ();

    fn from_str(text: &str) -> Result<DatabaseUrl, ()> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return check_postgres(text).map(|()| DatabaseUrl::Postgres(text.to_owned()));
        }
        match text.strip_prefix("sqlite://").or_else(|| text.strip_prefix("sqlite:")) {
            Some(path) if !path.is_empty() && !path.contains(":memory:") => {
                Ok(DatabaseUrl::Sqlite(path.into()))
            }
            _ => Err(()),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatabaseUrl::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            DatabaseUrl::Postgres(_) => f.write_str("postgres://***"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn network_is_parsed_from_cidr_notation_or_one_address() {
        for (text, network) in [
            ("10.0.0.0/8", "10.0.0.0/8"),
            ("127.0.0.1", "127.0.0.1/32"),
            ("fd00::/8", "fd00::/8"),
            ("::1", "::1/128"),
        ] {
            assert_eq!(ip_network(text).unwrap().to_string(), network);
        }
        for invalid in ["", "10.0.0.0/33", "10.0.0/8", "::/129", "host", "10.0.0.0/-1"] {
            assert_eq!(ip_network(invalid), None, "{invalid}");
        }
    }

    #[test]
    fn database_addresses() {
        assert!(matches!("postgres://u:p@h/d".parse(), Ok(DatabaseUrl::Postgres(_))));
        let verified =
            "postgresql://h:6432/d?sslmode=verify-full&sslrootcert=/ca.pem&options[geqo]=off";
        assert!(matches!(verified.parse(), Ok(DatabaseUrl::Postgres(_))));
        assert!(matches!("sqlite:data/x.sqlite".parse(), Ok(DatabaseUrl::Sqlite(_))));
        for invalid in [
            "",
            "mysql://h/d",
            "sqlite::memory:",
            "sqlite:",
            "h:5432",
            "postgres://h/d?sslmod=require",
            "postgres://h/d?sslmode=require&target_session_attrs=read-write",
            "postgres://one,two/d",
            "postgres://one:5432,two:5432/d",
            "postgres:///d?host=one,two",
        ] {
            assert!(invalid.parse::<DatabaseUrl>().is_err(), "{invalid}");
        }
        let url: DatabaseUrl = "postgres://u:hidden@h/d".parse().unwrap();
        assert!(!format!("{url:?}").contains("hidden"));
        assert!(!format!("{:?}", Secret::new("hidden")).contains("hidden"));
    }
}
