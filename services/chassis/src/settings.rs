//! Settings from environment variables (docs/configuration.md). Known names are the union over all
//! processes, so one shared environment serves all.
mod attribution;
mod caller_scopes;
mod check;
mod identity;
mod names;
mod print;
mod process;
mod reader;
mod redis;
mod tls;
mod values;

use std::{
    collections::BTreeMap,
    fmt,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
};

pub use attribution::{AttributionSettings, SinkSettings};
pub use caller_scopes::CallerScopes;
pub use check::Plaintext;
pub use identity::IdentitySettings;
pub use ipnet::IpNet;
pub use names::{Hidden, SETTINGS, Setting};
pub use process::{Environment, Process, ServiceName};
pub use redis::{RedisSettings, SentinelAddress};
pub use tls::{TlsIdentity, TlsSettings};
pub(crate) use values::GATEWAY;
pub use values::{DatabaseUrl, Endpoint, NamedToken, Secret};

use tracing_subscriber::filter::{LevelFilter, Targets};

use reader::{EffectiveSetting, Reader};
use values::{endpoint, is_provider_url, named_tokens};

const ADDRESS: &str = "an address and port like 127.0.0.1:8080";
const URL: &str = "a URL like http://127.0.0.1:7001";
const DATABASE: &str = "sqlite:FILE or a postgres:// URL with one host and parameters that the driver \
     knows, not target_session_attrs (docs/operations/databases.md#postgresql)";
const PUBLIC_PORT: u16 = 8080;
const ADMIN_PORT: u16 = 9100;
const SERVICE_PORT: u16 = 7001;
const RENDERER_PORT: u16 = 7010;
const PAGE_CACHE_BYTES: u64 = 256 << 20;

/// The settings that prevent a start, as one line that names them; [`SettingsError::faults`]
/// returns them one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError(Vec<String>);

impl SettingsError {
    /// The faults; each begins with the name of a setting.
    pub fn faults(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

impl std::error::Error for SettingsError {}

/// All settings of a process.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The process that reads the settings.
    pub process: Process,
    /// The environment that it runs in.
    pub environment: Environment,
    /// The gateway's public listen address.
    pub listen: SocketAddr,
    /// The admin address of this process.
    pub admin_listen: SocketAddr,
    /// Tokens of the operators who may make changes over the admin address.
    pub admin_tokens: Vec<NamedToken>,
    /// The token that commands send to the admin address.
    pub admin_token: Option<Secret<String>>,
    /// The site's origin, without trailing slash.
    pub public_url: String,
    /// Folder of embedded data, such as SQLite files.
    pub data_dir: PathBuf,
    /// Folder of the built frontend.
    pub site_dir: PathBuf,
    /// Folder of app association and verification files and `robots.txt`; unset: the built-in ones.
    pub files_dir: Option<PathBuf>,
    /// The second level of the page cache; unset: in process only.
    pub redis: Option<RedisSettings>,
    /// Listen address of a standalone renderer. No Rust process uses it, but one environment serves
    /// all.
    pub renderer_listen: SocketAddr,
    /// URL of the page renderer, without trailing slash.
    pub renderer_url: String,
    /// The Node executable.
    pub node: PathBuf,
    /// Networks whose forwarded client address is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Whether trusted proxies set the trace context themselves, so that it is continued.
    pub trust_trace_context: bool,
    /// Allowed domains, in lower case.
    pub allowed_hosts: Vec<String>,
    /// Keys of session cookies, newest first.
    pub session_keys: Vec<Secret<String>>,
    /// Tokens of internal callers.
    pub caller_tokens: Vec<NamedToken>,
    /// The calls that internal callers may make.
    pub caller_scopes: CallerScopes,
    /// Text that identifies the native app's user agent.
    pub app_user_agent: String,
    /// Whether requests are limited per address.
    pub rate_limits: bool,
    /// Types that `/preview/{type}` serves.
    pub preview_types: Vec<String>,
    /// The app behind `/activitiesr/`, without trailing slash.
    pub activitiesr_url: Option<String>,
    /// The app behind `/feature/`, without trailing slash.
    pub feature_url: Option<String>,
    /// GeoIP file in the MaxMind DB format, which maps addresses to countries.
    pub geoip_file: Option<PathBuf>,
    /// File of holidays and early closes of both exchanges; unset: the quotes service's built-in
    /// ones.
    pub market_calendar_file: Option<PathBuf>,
    /// Maximum memory of the page cache in bytes.
    pub page_cache_bytes: u64,
    /// Purge endpoint of the CDN in front of the gateway; unset: no CDN stores pages.
    pub cdn_purge: Option<Endpoint>,
    /// Market-data provider of the quotes service; unset: the simulated market.
    pub quotes_provider: Option<Endpoint>,
    /// The market-data provider's endpoint for corporate events; set only with `quotes_provider`.
    pub corporate_events: Option<Endpoint>,
    /// Machine translation of articles; unset: only people translate.
    pub translation: Option<Endpoint>,
    /// The attribution service's sinks and retention.
    pub attribution: AttributionSettings,
    /// The identity service's providers.
    pub identity: IdentitySettings,
    /// TLS between processes.
    pub tls: TlsSettings,
    /// The log lines that are exported over OTLP, if logs are.
    pub otlp_logs: Targets,
    services: [ServiceSettings; ServiceName::ALL.len()],
    effective: BTreeMap<&'static str, EffectiveSetting>,
}

/// The settings of one service, which every process reads.
#[derive(Clone, Debug)]
struct ServiceSettings {
    database: DatabaseUrl,
    url: String,
    listen: SocketAddr,
}

impl Settings {
    /// Reads the process's environment.
    ///
    /// # Errors
    /// Lists every unknown name and invalid value.
    pub fn load(process: Process) -> Result<Settings, SettingsError> {
        let mut pairs = Vec::new();
        for (name, value) in std::env::vars_os() {
            let Ok(name) = name.into_string() else { continue };
            if !name.starts_with("SAHM_") {
                continue;
            }
            let value = value
                .into_string()
                .map_err(|_| SettingsError(vec![format!("{name}: its value is not UTF-8")]))?;
            pairs.push((name, value));
        }
        Settings::from_pairs(process, pairs)
    }

    /// Parses settings from pairs; names without the prefix `SAHM_` are ignored.
    ///
    /// # Errors
    /// Lists every unknown name and invalid value.
    pub fn from_pairs(
        process: Process,
        pairs: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Settings, SettingsError> {
        let mut r = Reader::new(pairs);
        let environment =
            r.parsed("SAHM_ENV", Environment::Dev, "dev, feature, daily, beta, uat, pre or prod");
        let listen = r.parsed("SAHM_LISTEN", loopback(PUBLIC_PORT), ADDRESS);
        let admin_port = match process {
            Process::Site | Process::Gateway => ADMIN_PORT,
            Process::Service(name) => ADMIN_PORT + 1 + name.index(),
        };
        let data_dir = PathBuf::from(r.text("SAHM_DATA_DIR", "data"));

        let caller_tokens = named_tokens(&mut r, "SAHM_CALLER_TOKENS");

        let shared = r.parsed_optional::<DatabaseUrl>("SAHM_DATABASE_URL", DATABASE);
        let services = ServiceName::ALL.map(|name| {
            let own = r.parsed_optional(&name.setting("DATABASE_URL"), DATABASE);
            let file = || DatabaseUrl::Sqlite(data_dir.join(format!("{name}.sqlite")));
            let address = loopback(SERVICE_PORT + name.index());
            let url = url(&mut r, &name.setting("URL"), Some(&format!("http://{address}")));
            ServiceSettings {
                database: own.or_else(|| shared.clone()).unwrap_or_else(file),
                url: url.unwrap_or_default(),
                listen: r.parsed(&name.setting("LISTEN"), address, ADDRESS),
            }
        });

        let settings = Settings {
            process,
            environment,
            listen,
            admin_listen: r.parsed("SAHM_ADMIN_LISTEN", loopback(admin_port), ADDRESS),
            admin_tokens: named_tokens(&mut r, "SAHM_ADMIN_TOKENS"),
            admin_token: r.optional("SAHM_ADMIN_TOKEN").map(Secret::new),
            public_url: url(&mut r, "SAHM_PUBLIC_URL", Some(&origin_of(listen)))
                .unwrap_or_default(),
            data_dir,
            site_dir: r.text("SAHM_SITE_DIR", "frontend/dist").into(),
            files_dir: r.optional("SAHM_FILES_DIR").map(PathBuf::from),
            redis: RedisSettings::read(&mut r),
            renderer_listen: r.parsed("SAHM_RENDERER_LISTEN", loopback(RENDERER_PORT), ADDRESS),
            renderer_url: url(&mut r, "SAHM_RENDERER_URL", Some("http://127.0.0.1:7010"))
                .unwrap_or_default(),
            node: r.text("SAHM_NODE", "node").into(),
            trusted_proxies: r.list(
                "SAHM_TRUSTED_PROXIES",
                "a list of networks like 10.0.0.0/8",
                values::ip_network,
            ),
            trust_trace_context: switch(&mut r, "SAHM_TRUST_TRACE_CONTEXT", "off"),
            allowed_hosts: r.list("SAHM_ALLOWED_HOSTS", "a list of domain names", host_name),
            session_keys: r.list(
                "SAHM_SESSION_KEYS",
                "a list of keys of 32 characters or more",
                |k| (k.len() >= 32).then(|| Secret::new(k.to_owned())),
            ),
            caller_scopes: CallerScopes::read(&mut r, &caller_tokens),
            caller_tokens,
            app_user_agent: r.text("SAHM_APP_USER_AGENT", "SahmApp/"),
            rate_limits: switch(&mut r, "SAHM_RATE_LIMITS", "on"),
            preview_types: r.list("SAHM_PREVIEW_TYPES", "a list of names of a-z, 0-9 and -", |t| {
                let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
                t.chars().all(fits).then(|| t.to_owned())
            }),
            activitiesr_url: url(&mut r, "SAHM_ACTIVITIESR_URL", None),
            feature_url: url(&mut r, "SAHM_FEATURE_URL", None),
            geoip_file: r.optional("SAHM_GEOIP_FILE").map(PathBuf::from),
            market_calendar_file: r.optional("SAHM_MARKET_CALENDAR_FILE").map(PathBuf::from),
            page_cache_bytes: r.parsed(
                "SAHM_PAGE_CACHE_BYTES",
                PAGE_CACHE_BYTES,
                "a number of bytes",
            ),
            cdn_purge: endpoint(&mut r, "SAHM_CDN_PURGE_URL", "SAHM_CDN_PURGE_TOKEN"),
            translation: endpoint(&mut r, "SAHM_TRANSLATION_URL", "SAHM_TRANSLATION_TOKEN"),
            quotes_provider: endpoint(
                &mut r,
                "SAHM_QUOTES_PROVIDER_URL",
                "SAHM_QUOTES_PROVIDER_TOKEN",
            ),
            corporate_events: corporate_events(&mut r),
            attribution: AttributionSettings::read(&mut r),
            identity: IdentitySettings::read(&mut r),
            otlp_logs: r.parsed(
                "SAHM_OTLP_LOGS",
                Targets::new().with_target("sahm", LevelFilter::INFO),
                "a list of target=level like sahm=info",
            ),
            services,
            tls: TlsSettings::read(&mut r),
            effective: r.take_effective(),
        };
        settings.require(&mut r);
        r.check()?;
        Ok(settings)
    }

    /// Records the settings that are missing outside `dev`.
    fn require(&self, r: &mut Reader) {
        if self.environment.is_dev() {
            return;
        }
        let signs = !matches!(
            self.process,
            Process::Service(name) if !matches!(name, ServiceName::Identity | ServiceName::Content)
        );
        for (name, is_missing) in [
            ("SAHM_SESSION_KEYS", self.session_keys.is_empty() && signs),
            ("SAHM_CALLER_TOKENS", self.caller_tokens.is_empty()),
        ] {
            if is_missing && !r.is_faulty(name) {
                r.fault(name, format!("required in {}", self.environment));
            }
        }
        let calls_services = matches!(self.process, Process::Site | Process::Gateway);
        let has_own_token = self.caller_token(GATEWAY).is_some();
        if calls_services && !self.caller_tokens.is_empty() && !has_own_token {
            r.fault(
                "SAHM_CALLER_TOKENS",
                "lacks a token named gateway, which calls the services".into(),
            );
        }
    }

    /// The database of a service: its own setting, else the shared one, else a file in the data
    /// directory.
    pub fn database_url(&self, service: ServiceName) -> DatabaseUrl {
        self.service(service).database.clone()
    }

    /// The URL of a service.
    pub fn service_url(&self, service: ServiceName) -> &str {
        &self.service(service).url
    }

    /// The listen address of a service.
    pub fn service_listen(&self, service: ServiceName) -> SocketAddr {
        self.service(service).listen
    }

    fn service(&self, name: ServiceName) -> &ServiceSettings {
        &self.services[usize::from(name.index())]
    }

    /// The token of an internal caller, for instance `gateway`.
    pub fn caller_token(&self, name: &str) -> Option<&Secret<String>> {
        self.caller_tokens.iter().find(|caller| caller.name == name).map(|caller| &caller.token)
    }

    /// The effective settings, one `NAME=value` per line; defaults are marked, secrets masked.
    pub fn print(&self) -> String {
        print::print(&self.effective)
    }
}

fn loopback(port: u16) -> SocketAddr {
    SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port)
}

/// The origin at which browsers on this machine reach a listener.
fn origin_of(listen: SocketAddr) -> String {
    let loopback: IpAddr = match listen.ip() {
        ip if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        ip => ip,
    };
    format!("http://{}", SocketAddr::new(loopback, listen.port()))
}

/// An `http` or `https` URL of host and port only, without trailing slash.
fn url(r: &mut Reader, name: &str, default: Option<&str>) -> Option<String> {
    let value = match default {
        Some(default) => r.text(name, default),
        None => r.optional(name)?,
    };
    let trimmed = value.trim_end_matches('/');
    let has_no_path = |uri: http::Uri| {
        matches!(uri.path_and_query().map(|path| path.as_str()), None | Some("/" | ""))
    };
    let fits = is_provider_url(trimmed) && trimmed.parse().is_ok_and(has_no_path);
    if !fits {
        r.invalid(name, URL);
    }
    fits.then(|| trimmed.to_owned())
}

/// A second URL of the market-data provider, with the same token; it requires the provider's first
/// URL.
fn corporate_events(r: &mut Reader) -> Option<Endpoint> {
    const NAME: &str = "SAHM_CORPORATE_EVENTS_URL";
    const PROVIDER: &str = "SAHM_QUOTES_PROVIDER_URL";
    let endpoint = endpoint(r, NAME, "SAHM_QUOTES_PROVIDER_TOKEN")?;
    if r.optional(PROVIDER).is_none() {
        r.fault(PROVIDER, format!("required with {NAME}"));
    }
    Some(endpoint)
}

fn switch(r: &mut Reader, name: &str, default: &str) -> bool {
    match r.text(name, default).as_str() {
        "on" => true,
        "off" => false,
        _ => {
            r.invalid(name, "on or off");
            true
        }
    }
}

fn host_name(text: &str) -> Option<String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    let host = text.to_ascii_lowercase();
    (host.chars().all(fits) && !host.starts_with('.') && !host.ends_with('.')).then_some(host)
}

#[cfg(test)]
mod tests;
