//! The settings of all processes: names and defaults; docs/configuration.md explains them.

/// One environment variable.
#[derive(Debug)]
pub struct Setting {
    /// `SAHM_…`
    pub name: &'static str,
    /// The default, as text for people.
    pub default: &'static str,
    /// The part that is masked when settings are printed; `None` masks nothing.
    pub hides: Option<Hidden>,
}

/// The part of a value that is a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// All of it.
    Value,
    /// The password of a URL.
    Password,
}

const fn open(name: &'static str, default: &'static str) -> Setting {
    Setting { name, default, hides: None }
}

const fn secret(name: &'static str, default: &'static str) -> Setting {
    Setting { name, default, hides: Some(Hidden::Value) }
}

const fn password(name: &'static str, default: &'static str) -> Setting {
    Setting { name, default, hides: Some(Hidden::Password) }
}

/// Every setting, in the order in which it is printed and documented. `npm run gen` generates the
/// renderer's list of names from it.
pub const SETTINGS: &[Setting] = &[
    open("SAHM_ENV", "dev"),
    open("SAHM_LISTEN", "127.0.0.1:8080"),
    open("SAHM_ADMIN_LISTEN", "127.0.0.1:9100 (services by themselves 9101 … 9106)"),
    secret("SAHM_ADMIN_TOKENS", "none: changes are accepted on a loopback address only"),
    secret("SAHM_ADMIN_TOKEN", "none"),
    open("SAHM_PUBLIC_URL", "http:// and SAHM_LISTEN"),
    open("SAHM_DATA_DIR", "data"),
    password("SAHM_DATABASE_URL", "unset: SQLite"),
    password("SAHM_CONTENT_DATABASE_URL", "SAHM_DATABASE_URL"),
    password("SAHM_QUOTES_DATABASE_URL", "SAHM_DATABASE_URL"),
    password("SAHM_IDENTITY_DATABASE_URL", "SAHM_DATABASE_URL"),
    password("SAHM_CONFIG_DATABASE_URL", "SAHM_DATABASE_URL"),
    password("SAHM_ACTIVITY_DATABASE_URL", "SAHM_DATABASE_URL"),
    password("SAHM_ATTRIBUTION_DATABASE_URL", "SAHM_DATABASE_URL"),
    password("SAHM_REDIS_URL", "unset: in-process only"),
    open("SAHM_REDIS_SENTINELS", "none: SAHM_REDIS_URL is the address of the primary"),
    secret("SAHM_REDIS_SENTINEL_PASSWORD", "unset"),
    open("SAHM_CONTENT_URL", "http://127.0.0.1:7001"),
    open("SAHM_QUOTES_URL", "http://127.0.0.1:7002"),
    open("SAHM_IDENTITY_URL", "http://127.0.0.1:7003"),
    open("SAHM_CONFIG_URL", "http://127.0.0.1:7004"),
    open("SAHM_ACTIVITY_URL", "http://127.0.0.1:7005"),
    open("SAHM_ATTRIBUTION_URL", "http://127.0.0.1:7006"),
    open("SAHM_CONTENT_LISTEN", "127.0.0.1:7001"),
    open("SAHM_QUOTES_LISTEN", "127.0.0.1:7002"),
    open("SAHM_IDENTITY_LISTEN", "127.0.0.1:7003"),
    open("SAHM_CONFIG_LISTEN", "127.0.0.1:7004"),
    open("SAHM_ACTIVITY_LISTEN", "127.0.0.1:7005"),
    open("SAHM_ATTRIBUTION_LISTEN", "127.0.0.1:7006"),
    open("SAHM_TLS_CERT", "unset: plaintext"),
    open("SAHM_TLS_KEY", "unset"),
    open("SAHM_TLS_CA", "the system's roots; no client certificates"),
    open("SAHM_RENDERER_LISTEN", "127.0.0.1:7010"),
    open("SAHM_RENDERER_URL", "http://127.0.0.1:7010"),
    open("SAHM_TRUSTED_PROXIES", "none"),
    open("SAHM_TRUST_TRACE_CONTEXT", "off"),
    open("SAHM_ALLOWED_HOSTS", "none"),
    secret("SAHM_SESSION_KEYS", "dev: made at first start; else required"),
    secret("SAHM_CALLER_TOKENS", "dev: made at first start; else required"),
    open("SAHM_CALLER_SCOPES", "none: every token permits every call"),
    open("SAHM_APP_USER_AGENT", "SahmApp/"),
    open("SAHM_PREVIEW_TYPES", "empty"),
    open("SAHM_ACTIVITIESR_URL", "unset"),
    open("SAHM_FEATURE_URL", "unset"),
    open("SAHM_GEOIP_FILE", "none: every address is in Saudi Arabia"),
    open("SAHM_FILES_DIR", "built-in files"),
    open("SAHM_RATE_LIMITS", "on"),
    open("SAHM_SITE_DIR", "frontend/dist"),
    open("SAHM_NODE", "node"),
    open("SAHM_PAGE_CACHE_BYTES", "268435456"),
    open("SAHM_CDN_PURGE_URL", "unset: no CDN stores pages"),
    secret("SAHM_CDN_PURGE_TOKEN", "unset"),
    open("SAHM_QUOTES_PROVIDER_URL", "unset: the simulated market"),
    open("SAHM_CORPORATE_EVENTS_URL", "unset: the provider offers none"),
    open("SAHM_MARKET_CALENDAR_FILE", "the built-in calendars"),
    secret("SAHM_QUOTES_PROVIDER_TOKEN", "none"),
    open("SAHM_TRANSLATION_URL", "unset: articles are read in the languages they were written in"),
    secret("SAHM_TRANSLATION_TOKEN", "unset"),
    open("SAHM_SMS_URL", "local: the terminal and outbox/sms.jsonl"),
    secret("SAHM_SMS_TOKEN", "unset"),
    open("SAHM_RECAPTCHA_URL", "local: tokens are judged by their look"),
    secret("SAHM_RECAPTCHA_SECRET", "unset"),
    open("SAHM_TADAWUL_URL", "local: an address of this site"),
    secret("SAHM_TADAWUL_TOKEN", "unset"),
    open("SAHM_FEEDBACK_RETENTION_DAYS", "3653"),
    open("SAHM_ATTRIBUTION_SINKS", "none: events are counted only"),
    secret("SAHM_ATTRIBUTION_SINK_TOKENS", "none"),
    open("SAHM_ATTRIBUTION_RETENTION_DAYS", "90"),
    open("SAHM_OTLP_LOGS", "sahm=info"),
];

/// The setting with this name.
pub(super) fn find(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}
