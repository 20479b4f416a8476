//! Types of single values: secrets, networks, database addresses.
use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
    path::{Path, PathBuf},
    str::FromStr,
};

/// A value that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Wraps a value.
    pub fn new(value: T) -> Secret<T> {
        Secret(value)
    }

    /// The value, for where it is used.
    pub fn expose(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// A network in CIDR notation, or one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpNetwork {
    address: IpAddr,
    prefix: u8,
}

impl IpNetwork {
    /// Whether the address is in this network; an IPv4 address in IPv6 clothes counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => {
                let shift = 32 - u32::from(self.prefix.min(32));
                shift == 32 || u32::from(ours) >> shift == u32::from(theirs) >> shift
            }
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => {
                let shift = 128 - u32::from(self.prefix);
                let bits = |ip: Ipv6Addr| u128::from(ip);
                shift == 128 || bits(ours) >> shift == bits(theirs) >> shift
            }
            _ => false,
        }
    }
}

impl FromStr for IpNetwork {
    type Err = ();

    fn from_str(text: &str) -> Result<IpNetwork, ()> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| ())?;
        let bits = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(prefix) => prefix.parse().ok().filter(|prefix| *prefix <= bits).ok_or(())?,
            None => bits,
        };
        Ok(IpNetwork { address, prefix })
    }
}

impl fmt::Display for IpNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

/// Where a service keeps its data.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// An SQLite file; it is made if missing.
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

impl FromStr for DatabaseUrl {
    type Err = ();

    fn from_str(text: &str) -> Result<DatabaseUrl, ()> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            // Whether it parses is the driver's to say; a wrong one must stop the start here.
            text.parse::<sea_orm::sqlx::postgres::PgConnectOptions>().map_err(|_| ())?;
            return Ok(DatabaseUrl::Postgres(text.to_owned()));
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
    fn networks_hold_their_addresses() {
        let cases = [
            ("10.0.0.0/8", "10.9.8.7", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.1.1.1", true),
            ("0.0.0.0/0", "1.2.3.4", true),
            ("0.0.0.0/0", "::1", false),
            ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1", "127.0.0.2", false),
            ("fd00::/8", "fd12::1", true),
            ("fd00::/8", "fe80::1", false),
            ("::/0", "2001:db8::1", true),
        ];
        for (network, address, inside) in cases {
            let network: IpNetwork = network.parse().unwrap();
            assert_eq!(network.contains(address.parse().unwrap()), inside, "{network} {address}");
        }
        for wrong in ["", "10.0.0.0/33", "10.0.0/8", "::/129", "host", "10.0.0.0/-1"] {
            assert!(wrong.parse::<IpNetwork>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn database_addresses() {
        assert!(matches!("postgres://u:p@h/d".parse(), Ok(DatabaseUrl::Postgres(_))));
        assert!(matches!("sqlite:data/x.sqlite".parse(), Ok(DatabaseUrl::Sqlite(_))));
        for wrong in ["", "mysql://h/d", "sqlite::memory:", "sqlite:", "h:5432"] {
            assert!(wrong.parse::<DatabaseUrl>().is_err(), "{wrong}");
        }
        let url: DatabaseUrl = "postgres://u:hidden@h/d".parse().unwrap();
        assert!(!format!("{url:?}").contains("hidden"));
        assert!(!format!("{:?}", Secret::new("hidden")).contains("hidden"));
    }
}
