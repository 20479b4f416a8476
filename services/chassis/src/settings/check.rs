//! Checks of `--check-config` beyond single values, and warnings at startup.
use std::net::IpAddr;

use sea_orm::sqlx::postgres::{PgConnectOptions, PgSslMode};

use super::{DatabaseUrl, Environment, Process, RedisSettings, ServiceName, Settings};

/// A connection to a database that crosses a network without TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plaintext {
    /// The setting that contains its address.
    pub setting: String,
    /// Its host.
    pub host: String,
}

impl Settings {
    /// The missing providers that this process requires to start, each with the reason.
    pub fn missing_providers(&self) -> Vec<String> {
        if !self.is_public() {
            return Vec::new();
        }
        let missing = self.providers().into_iter().filter(|(_, is_set)| !is_set);
        missing.map(|(name, _)| format!("{name}: required in {}", self.environment)).collect()
    }

    /// The databases and the Redis of this process that are reached over a network without TLS. A
    /// PostgreSQL URL that only prefers TLS counts as plaintext.
    pub fn plaintext_databases(&self) -> Vec<Plaintext> {
        let mut found = Vec::new();
        for service in ServiceName::ALL.into_iter().filter(|service| self.runs(*service)) {
            let DatabaseUrl::Postgres(url) = self.database_url(service) else { continue };
            let Ok(server) = url.parse::<PgConnectOptions>() else { continue };
            let is_tls = matches!(
                server.get_ssl_mode(),
                PgSslMode::Require | PgSslMode::VerifyCa | PgSslMode::VerifyFull
            );
            let is_socket = server.get_socket().is_some() || server.get_host().starts_with('/');
            if !is_tls && !is_socket && !is_loopback(server.get_host()) {
                let setting = service.setting("DATABASE_URL");
                found.push(Plaintext { setting, host: server.get_host().to_owned() });
            }
        }
        if let Some(redis) = self.used_redis() {
            let hosts = redis.plaintext_hosts().into_iter();
            let remote = hosts.filter(|(_, host)| !is_loopback(host));
            found.extend(
                remote.map(|(setting, host)| Plaintext { setting: setting.to_owned(), host }),
            );
        }
        found
    }

    /// The host of the Redis that this process reaches over a network without a password.
    pub fn passwordless_redis(&self) -> Option<String> {
        self.used_redis()?.passwordless_host().filter(|host| !is_loopback(host))
    }

    /// Whether members use this environment.
    pub fn is_public(&self) -> bool {
        matches!(self.environment, Environment::Pre | Environment::Prod)
    }

    /// Redis, if this process connects to it.
    fn used_redis(&self) -> Option<&RedisSettings> {
        match self.process {
            Process::Site | Process::Gateway => self.redis.as_ref(),
            Process::Service(_) => None,
        }
    }

    fn runs(&self, service: ServiceName) -> bool {
        self.process == Process::Site || self.process == Process::Service(service)
    }

    /// The providers that the process requires in public environments, and whether each is set.
    fn providers(&self) -> Vec<(&'static str, bool)> {
        let mut providers = Vec::new();
        if self.runs(ServiceName::Identity) {
            providers.extend([
                ("SAHM_SMS_URL", self.identity.sms.is_some()),
                ("SAHM_RECAPTCHA_URL", self.identity.recaptcha.is_some()),
                ("SAHM_TADAWUL_URL", self.identity.tadawul.is_some()),
            ]);
        }
        if self.runs(ServiceName::Quotes) {
            providers.push(("SAHM_QUOTES_PROVIDER_URL", self.quotes_provider.is_some()));
        }
        providers
    }
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
