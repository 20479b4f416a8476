//! The settings of all processes: names, defaults and meanings (docs/configuration.md).

/// One environment variable.
#[derive(Debug)]
pub struct Setting {
    /// `SAHM_…`
    pub name: &'static str,
    /// The default, as text for people.
    pub default: &'static str,
    /// The part that is masked when settings are printed; `None` masks nothing.
    pub hides: Option<Hidden>,
    /// Its meaning.
    pub meaning: &'static str,
}

/// The part of a value that is a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// All of it.
    Value,
    /// The password of a URL.
    Password,
}

const fn open(name: &'static str, default: &'static str, meaning: &'static str) -> Setting {
    Setting { name, default, hides: None, meaning }
}

const fn secret(name: &'static str, default: &'static str, meaning: &'static str) -> Setting {
    Setting { name, default, hides: Some(Hidden::Value), meaning }
}

const fn password(name: &'static str, default: &'static str, meaning: &'static str) -> Setting {
    Setting { name, default, hides: Some(Hidden::Password), meaning }
}

/// Every setting, in the order in which it is printed and documented. `npm run gen` generates the
/// renderer's list of names from it.
pub const SETTINGS: &[Setting] = &[
    open("SAHM_ENV", "dev", "dev, feature, daily, beta, uat, pre or prod"),
    open("SAHM_LISTEN", "127.0.0.1:8080", "the gateway's public address"),
    open(
        "SAHM_ADMIN_LISTEN",
        "127.0.0.1:9100 (services by themselves 9101 … 9106)",
        "operators' address of a process: /livez, /readyz, /metrics, /log-level",
    ),
    secret(
        "SAHM_ADMIN_TOKENS",
        "none: changes are accepted on a loopback address only",
        "operators who may change something on the admin address as name=token, comma-separated; \
         tokens of 16 characters or more",
    ),
    secret("SAHM_ADMIN_TOKEN", "none", "the operator's token that the commands `cache` send"),
    open(
        "SAHM_PUBLIC_URL",
        "http:// and SAHM_LISTEN",
        "the site's origin, for canonical links and sitemaps",
    ),
    open(
        "SAHM_DATA_DIR",
        "data",
        "embedded SQLite files; what local providers sent; keys and tokens that dev made",
    ),
    password("SAHM_DATABASE_URL", "unset: SQLite", "postgres:// address of every service's store"),
    password("SAHM_CONTENT_DATABASE_URL", "SAHM_DATABASE_URL", "the content service's store"),
    password("SAHM_QUOTES_DATABASE_URL", "SAHM_DATABASE_URL", "the quotes service's store"),
    password("SAHM_IDENTITY_DATABASE_URL", "SAHM_DATABASE_URL", "the identity service's store"),
    password("SAHM_CONFIG_DATABASE_URL", "SAHM_DATABASE_URL", "the config service's store"),
    password("SAHM_ACTIVITY_DATABASE_URL", "SAHM_DATABASE_URL", "the activity service's store"),
    password(
        "SAHM_ATTRIBUTION_DATABASE_URL",
        "SAHM_DATABASE_URL",
        "the attribution service's store",
    ),
    password(
        "SAHM_REDIS_URL",
        "unset: in-process only",
        "page cache second level, quick purges, rate-limit counters, recent builds' assets",
    ),
    open(
        "SAHM_REDIS_SENTINELS",
        "none: SAHM_REDIS_URL is the address of the primary",
        "Sentinels as host:port, comma-separated; the host of SAHM_REDIS_URL is then the name by \
         which they know the primary",
    ),
    secret("SAHM_REDIS_SENTINEL_PASSWORD", "unset", "the password of the Sentinels"),
    open("SAHM_CONTENT_URL", "http://127.0.0.1:7001", "where callers find content"),
    open("SAHM_QUOTES_URL", "http://127.0.0.1:7002", "where callers find quotes"),
    open("SAHM_IDENTITY_URL", "http://127.0.0.1:7003", "where callers find identity"),
    open("SAHM_CONFIG_URL", "http://127.0.0.1:7004", "where callers find config"),
    open("SAHM_ACTIVITY_URL", "http://127.0.0.1:7005", "where callers find activity"),
    open("SAHM_ATTRIBUTION_URL", "http://127.0.0.1:7006", "where callers find attribution"),
    open("SAHM_CONTENT_LISTEN", "127.0.0.1:7001", "where content listens"),
    open("SAHM_QUOTES_LISTEN", "127.0.0.1:7002", "where quotes listens"),
    open("SAHM_IDENTITY_LISTEN", "127.0.0.1:7003", "where identity listens"),
    open("SAHM_CONFIG_LISTEN", "127.0.0.1:7004", "where config listens"),
    open("SAHM_ACTIVITY_LISTEN", "127.0.0.1:7005", "where activity listens"),
    open("SAHM_ATTRIBUTION_LISTEN", "127.0.0.1:7006", "where attribution listens"),
    open(
        "SAHM_TLS_CERT",
        "unset: plaintext",
        "PEM file of the certificate chain that services serve with and callers present",
    ),
    open("SAHM_TLS_KEY", "unset", "PEM file of the private key of SAHM_TLS_CERT"),
    open(
        "SAHM_TLS_CA",
        "the system's roots; no client certificates",
        "PEM file of the authorities that callers trust and that services require callers' \
         certificates of",
    ),
    open("SAHM_RENDERER_LISTEN", "127.0.0.1:7010", "where a renderer by itself listens"),
    open("SAHM_RENDERER_URL", "http://127.0.0.1:7010", "the page renderer"),
    open(
        "SAHM_TRUSTED_PROXIES",
        "none",
        "networks whose forwarded address and scheme are believed, as 10.0.0.0/8, comma-separated",
    ),
    open(
        "SAHM_TRUST_TRACE_CONTEXT",
        "off",
        "on: traceparent of a trusted proxy is continued; only where the proxy writes it itself",
    ),
    open(
        "SAHM_ALLOWED_HOSTS",
        "none",
        "white-listed domains, comma-separated: a host equal to one or a subdomain of it",
    ),
    secret(
        "SAHM_SESSION_KEYS",
        "dev: made at first start; else required",
        "keys of session cookies and signatures, newest first, comma-separated, each of 32 characters \
         or more; dev keeps its own in session-keys of the data directory",
    ),
    secret(
        "SAHM_CALLER_TOKENS",
        "dev: made at first start; else required",
        "internal callers as name=token, comma-separated; tokens of 16 characters or more; \
         `gateway` is the gateway; dev makes one for it and one for `team`, kept in caller-tokens of \
         the data directory",
    ),
    open(
        "SAHM_CALLER_SCOPES",
        "none: every token permits every call",
        "calls that need a token and that a caller's token permits, as name=scope, comma-separated: a \
         package, service or method, or *; where any is set, each caller but `gateway` needs one",
    ),
    open("SAHM_APP_USER_AGENT", "SahmApp/", "marks the native app"),
    open("SAHM_PREVIEW_TYPES", "empty", "types that /preview/{type} shows, comma-separated"),
    open("SAHM_ACTIVITIESR_URL", "unset", "the app behind /activitiesr/"),
    open("SAHM_FEATURE_URL", "unset", "the app behind /feature/"),
    open(
        "SAHM_GEOIP_FILE",
        "none: every address is in Saudi Arabia",
        "tells the country of an address, in the MaxMind DB format; read again when it changes",
    ),
    open(
        "SAHM_FILES_DIR",
        "built-in files",
        "app association, asset links, verification files, robots",
    ),
    open("SAHM_RATE_LIMITS", "on", "off for load tests; code-sending budgets are never off"),
    open("SAHM_SITE_DIR", "frontend/dist", "the built frontend"),
    open("SAHM_NODE", "node", "the Node program that runs the renderer"),
    open("SAHM_PAGE_CACHE_BYTES", "268435456", "how much memory the page cache may take"),
    open(
        "SAHM_CDN_PURGE_URL",
        "unset: no CDN stores pages",
        "turns CDN mode on: where pages are purged from the CDN in front of the gateway",
    ),
    secret("SAHM_CDN_PURGE_TOKEN", "unset", "the bearer token of purges"),
    open(
        "SAHM_QUOTES_PROVIDER_URL",
        "unset: the simulated market",
        "the market-data provider; required in pre and prod",
    ),
    open(
        "SAHM_CORPORATE_EVENTS_URL",
        "unset: the provider offers none",
        "where the market-data provider gives results and dividends",
    ),
    open(
        "SAHM_MARKET_CALENDAR_FILE",
        "the built-in calendars",
        "holidays and early closes of both exchanges, as in services/quotes/calendars/exchanges.json",
    ),
    secret("SAHM_QUOTES_PROVIDER_TOKEN", "none", "the market-data provider's bearer token"),
    open(
        "SAHM_TRANSLATION_URL",
        "unset: articles are read in the languages they were written in",
        "translates articles",
    ),
    secret("SAHM_TRANSLATION_TOKEN", "unset", "the translation provider's bearer token"),
    open("SAHM_SMS_URL", "local: the terminal and outbox/sms.jsonl", "sends text messages"),
    secret("SAHM_SMS_TOKEN", "unset", "the SMS provider's bearer token"),
    open(
        "SAHM_RECAPTCHA_URL",
        "local: tokens are judged by their look",
        "verifies reCAPTCHA tokens",
    ),
    secret("SAHM_RECAPTCHA_SECRET", "unset", "the site's reCAPTCHA secret"),
    open("SAHM_TADAWUL_URL", "local: an address of this site", "logs members in to Tadawul"),
    secret("SAHM_TADAWUL_TOKEN", "unset", "the Tadawul provider's bearer token"),
    open(
        "SAHM_FEEDBACK_RETENTION_DAYS",
        "3653",
        "after how many days (30 to 7305) feedback is deleted with its files",
    ),
    open(
        "SAHM_ATTRIBUTION_SINKS",
        "none: events are counted only",
        "where events are handed on to as name=URL, comma-separated",
    ),
    secret(
        "SAHM_ATTRIBUTION_SINK_TOKENS",
        "none",
        "bearer tokens of sinks as name=token, comma-separated",
    ),
    open(
        "SAHM_ATTRIBUTION_RETENTION_DAYS",
        "90",
        "after how many days (3 to 3650) events are removed that every sink has accepted; counts stay",
    ),
    open(
        "SAHM_OTLP_LOGS",
        "sahm=info",
        "which of our log lines go out over OTLP, where logs do: target=level, comma-separated",
    ),
];

/// The setting with this name.
pub(super) fn find(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}
