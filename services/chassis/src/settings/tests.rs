#![allow(clippy::unwrap_used)]
use std::time::Duration;

use super::*;

fn read(pairs: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    read_as(Process::Site, pairs)
}

fn read_as(process: Process, pairs: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    let owned = pairs.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    Settings::from_pairs(process, owned)
}

#[test]
fn corporate_events_require_the_provider_and_share_its_token() {
    let events = ("SAHM_CORPORATE_EVENTS_URL", "https://quotes.example/events");
    let token = ("SAHM_QUOTES_PROVIDER_TOKEN", "a-token");
    let error = read(&[events, token]).unwrap_err();
    let expected = ["SAHM_QUOTES_PROVIDER_URL: required with SAHM_CORPORATE_EVENTS_URL"];
    assert_eq!(error.faults(), expected);
    let provider = ("SAHM_QUOTES_PROVIDER_URL", "https://quotes.example/quotes");
    let endpoint = read(&[events, token, provider]).unwrap().corporate_events.unwrap();
    assert_eq!(endpoint.url, events.1);
    assert_eq!(endpoint.token.unwrap().expose(), token.1);
}

#[test]
fn defaults_are_those_of_the_contract() {
    let settings = read(&[]).unwrap();
    assert_eq!(settings.environment, Environment::Dev);
    assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(settings.admin_listen.to_string(), "127.0.0.1:9100");
    assert_eq!(settings.public_url, "http://127.0.0.1:8080");
    assert_eq!(settings.renderer_url, "http://127.0.0.1:7010");
    assert_eq!(settings.app_user_agent, "SahmApp/");
    assert!(settings.rate_limits && settings.redis.is_none() && settings.files_dir.is_none());
    assert_eq!(settings.attribution.retention, Duration::from_secs(90 * 24 * 3600));
    let ports = ServiceName::ALL.map(|name| settings.service_listen(name).port());
    assert_eq!(ports, [7001, 7002, 7003, 7004, 7005, 7006]);
    assert_eq!(settings.service_url(ServiceName::Config), "http://127.0.0.1:7004");
    let file = DatabaseUrl::file("data/content.sqlite");
    assert_eq!(settings.database_url(ServiceName::Content), file);
    for (at, name) in ServiceName::ALL.into_iter().enumerate() {
        let service = read_as(Process::Service(name), &[]).unwrap();
        assert_eq!(service.admin_listen.port(), 9101 + u16::try_from(at).unwrap());
    }
}

#[test]
fn the_narrower_setting_wins() {
    let settings = read(&[
        ("SAHM_DATABASE_URL", "postgres://u@h/all"),
        ("SAHM_CONTENT_DATABASE_URL", "postgres://u@h/content"),
        ("SAHM_CONFIG_DATABASE_URL", ""),
    ])
    .unwrap();
    let url = |name| settings.database_url(name);
    assert_eq!(url(ServiceName::Content), DatabaseUrl::Postgres("postgres://u@h/content".into()));
    assert_eq!(url(ServiceName::Config), DatabaseUrl::Postgres("postgres://u@h/all".into()));
}

#[test]
fn public_url_is_the_address_that_the_gateway_listens_on() {
    struct Case {
        listen: &'static str,
        url: &'static str,
    }
    for Case { listen, url } in [
        Case { listen: "0.0.0.0:81", url: "http://127.0.0.1:81" },
        Case { listen: "[::]:81", url: "http://127.0.0.1:81" },
        Case { listen: "192.0.2.1:81", url: "http://192.0.2.1:81" },
        Case { listen: "[2001:db8::1]:81", url: "http://[2001:db8::1]:81" },
    ] {
        assert_eq!(read(&[("SAHM_LISTEN", listen)]).unwrap().public_url, url, "{listen}");
    }
}

#[test]
fn lists_are_separated_by_commas() {
    let keys = ["k".repeat(32), "l".repeat(33)];
    let settings = read(&[
        ("SAHM_ALLOWED_HOSTS", "Sahm.Example, b-2.example"),
        ("SAHM_SESSION_KEYS", &keys.join(", ")),
        ("SAHM_PREVIEW_TYPES", "news,top-10"),
    ])
    .unwrap();
    assert_eq!(settings.allowed_hosts, ["sahm.example", "b-2.example"]);
    assert_eq!(settings.session_keys, keys.map(Secret::new));
    assert_eq!(settings.preview_types, ["news", "top-10"]);
}

#[test]
fn a_wrong_setting_is_one_line_that_names_it() {
    let cases = [
        ("SAHM_LISTENN", "x"),
        ("SAHM_ENV", "production"),
        ("SAHM_LISTEN", "8080"),
        ("SAHM_ADMIN_LISTEN", "localhost"),
        ("SAHM_PUBLIC_URL", "sahm.example"),
        ("SAHM_PUBLIC_URL", "https://sahm.example/path"),
        ("SAHM_PUBLIC_URL", "ftp://sahm.example"),
        ("SAHM_DATABASE_URL", "mysql://u:hidden@h/d"),
        ("SAHM_CONTENT_DATABASE_URL", "sqlite::memory:"),
        ("SAHM_REDIS_URL", "hidden:6379"),
        ("SAHM_REDIS_URL", "redis://"),
        ("SAHM_REDIS_SENTINELS", "sentinel"),
        ("SAHM_REDIS_SENTINELS", "sentinel:0"),
        ("SAHM_REDIS_SENTINELS", "redis://sentinel:26379"),
        ("SAHM_REDIS_SENTINELS", "user@sentinel:26379"),
        ("SAHM_REDIS_SENTINELS", ":26379"),
        ("SAHM_CONTENT_URL", "content:7001"),
        ("SAHM_QUOTES_LISTEN", "quotes"),
        ("SAHM_TRUSTED_PROXIES", "10.0.0.0/8,lan"),
        ("SAHM_ALLOWED_HOSTS", "https://a.example"),
        ("SAHM_ALLOWED_HOSTS", "a_b.example"),
        ("SAHM_ALLOWED_HOSTS", ".a.example"),
        ("SAHM_ALLOWED_HOSTS", "a.example."),
        ("SAHM_SESSION_KEYS", "hidden"),
        ("SAHM_SESSION_KEYS", "hidden-key-of-thirty-one-chars-"),
        ("SAHM_CALLER_TOKENS", "hidden"),
        ("SAHM_CALLER_TOKENS", "gateway=hidden"),
        ("SAHM_ADMIN_TOKENS", "hidden"),
        ("SAHM_ADMIN_TOKENS", "alice=hidden"),
        ("SAHM_CALLER_SCOPES", "sahm.content.v1"),
        ("SAHM_CALLER_SCOPES", "=sahm.content.v1"),
        ("SAHM_CALLER_SCOPES", "team=sahm.contents.v1"),
        ("SAHM_PREVIEW_TYPES", "../etc"),
        ("SAHM_PREVIEW_TYPES", "News"),
        ("SAHM_RATE_LIMITS", "maybe"),
        ("SAHM_PAGE_CACHE_BYTES", "lots"),
        ("SAHM_CDN_PURGE_URL", "cdn.example/purge"),
        ("SAHM_SMS_URL", "sms.example"),
        ("SAHM_TADAWUL_URL", "https://u:p@tadawul.example/login"),
        ("SAHM_ATTRIBUTION_SINKS", "crm"),
        ("SAHM_ATTRIBUTION_SINKS", "crm=ftp://a.example"),
        ("SAHM_ATTRIBUTION_SINKS", "CRM=https://a.example"),
        ("SAHM_ATTRIBUTION_SINKS", "crm=https://a.example,crm=https://b.example"),
        ("SAHM_ATTRIBUTION_SINK_TOKENS", "crm=secret"),
        ("SAHM_ATTRIBUTION_RETENTION_DAYS", "2"),
        ("SAHM_ATTRIBUTION_RETENTION_DAYS", "3651"),
        ("SAHM_ATTRIBUTION_RETENTION_DAYS", "long"),
        ("SAHM_FEEDBACK_RETENTION_DAYS", "29"),
        ("SAHM_FEEDBACK_RETENTION_DAYS", "7306"),
        ("SAHM_OTLP_LOGS", "sahm=loud"),
    ];
    for (name, value) in cases {
        let line = read(&[(name, value)]).expect_err(name).to_string();
        assert!(line.starts_with(name), "{line}");
        assert!(!line.contains('\n') && !line.contains("hidden"), "{line}");
    }
}

#[test]
fn sinks_have_the_tokens_of_their_names() {
    let sinks =
        ("SAHM_ATTRIBUTION_SINKS", "crm-2=https://crm.example,bi=https://bi.example,log=http://l");
    let read_tokens = |tokens| read(&[sinks, ("SAHM_ATTRIBUTION_SINK_TOKENS", tokens)]);
    let settings = read_tokens("bi=token-of-bi,crm-2=token-of-crm").unwrap().attribution;
    let found = settings.sinks.iter().map(|SinkSettings { name, endpoint }| {
        let token = endpoint.token.as_ref().map(|token| token.expose().as_str());
        (name.as_str(), endpoint.url.as_str(), token)
    });
    let expected = [
        ("crm-2", "https://crm.example", Some("token-of-crm")),
        ("bi", "https://bi.example", Some("token-of-bi")),
        ("log", "http://l", None),
    ];
    assert_eq!(Vec::from_iter(found), expected);
    let fault =
        "SAHM_ATTRIBUTION_SINK_TOKENS: its value is not a list of name=token, each name a sink";
    for tokens in ["bi=", "=hidden", "BI=hidden", "bi=hidden,crm=hidden"] {
        assert_eq!(read_tokens(tokens).unwrap_err().faults(), [fault], "{tokens}");
    }
}

#[test]
fn environments_are_seven_and_two_of_them_are_special() {
    let table = [
        ("dev", true, false),
        ("feature", false, false),
        ("daily", false, false),
        ("beta", false, false),
        ("uat", false, false),
        ("pre", false, false),
        ("prod", false, true),
    ];
    let token = format!("gateway={}", "t".repeat(16));
    for (name, is_dev, is_prod) in table {
        let pairs = [("SAHM_ENV", name), ("SAHM_CALLER_TOKENS", &*token)];
        let settings = read_as(Process::Service(ServiceName::Config), &pairs).unwrap();
        let environment = settings.environment;
        assert_eq!((environment.as_str(), &*environment.to_string()), (name, name));
        assert_eq!((environment.is_dev(), environment.is_prod()), (is_dev, is_prod), "{name}");
    }
}

#[test]
fn names_of_others_are_passed_over() {
    assert!(read(&[("PATH", "/bin"), ("OTEL_SERVICE_NAME", "x")]).is_ok());
}

#[test]
fn outside_dev_keys_and_tokens_are_required() {
    let key = "k".repeat(32);
    let token = format!("gateway={}", "t".repeat(16));
    let (keys, tokens) = (("SAHM_SESSION_KEYS", &*key), ("SAHM_CALLER_TOKENS", &*token));
    for name in ["dev", "feature", "daily", "beta", "uat", "pre", "prod"] {
        let environment: Environment = name.parse().unwrap();
        let env = ("SAHM_ENV", name);
        assert!(read(&[env, keys, tokens]).is_ok());
        if environment.is_dev() {
            assert!(read(&[env]).is_ok());
            continue;
        }
        assert!(read(&[env, keys]).unwrap_err().to_string().starts_with("SAHM_CALLER_TOKENS"));
        assert!(read(&[env, tokens]).unwrap_err().to_string().starts_with("SAHM_SESSION_KEYS"));
        assert!(read_as(Process::Service(ServiceName::Config), &[env, tokens]).is_ok());
        let others = ("SAHM_CALLER_TOKENS", &*token.replace("gateway", "gatway"));
        let error = read_as(Process::Gateway, &[env, keys, others]).unwrap_err();
        assert_eq!(
            error.faults(),
            ["SAHM_CALLER_TOKENS: lacks a token named gateway, which calls the services"]
        );
    }
}

#[test]
fn every_setting_is_read_and_printed() {
    let settings = read(&[("SAHM_REDIS_URL", "redis://:hidden@h:6379")]).unwrap();
    let printed = settings.print();
    let names: Vec<_> = printed.lines().filter_map(|l| l.split_once('=')).map(|p| p.0).collect();
    let known: Vec<_> = SETTINGS.iter().map(|setting| setting.name).collect();
    assert_eq!(names, known);
    for name in known {
        assert!(settings.effective.contains_key(name), "{name} is declared but not read");
    }
    let unset = read(&[]).unwrap().effective;
    for setting in SETTINGS.iter().filter(|setting| setting.name != "SAHM_PUBLIC_URL") {
        let shown = &unset[setting.name].value;
        assert!(setting.default.starts_with(shown), "the default of {setting:?}");
    }
    assert!(printed.contains("SAHM_REDIS_URL=redis://:***@h:6379\n"), "{printed}");
    assert!(!printed.contains("hidden"));
    assert!(printed.contains("SAHM_CONTENT_DATABASE_URL=  # default: SAHM_DATABASE_URL\n"));
    assert!(printed.contains("SAHM_ADMIN_TOKEN=  # default: none\n"), "no mask: {printed}");
    assert!(printed.contains("SAHM_LISTEN=127.0.0.1:8080  # default\n"));
}

#[test]
fn every_wrong_setting_is_reported_and_close_names_are_suggested() {
    let error = read(&[
        ("SAHM_LISTNE", "127.0.0.1:1"),
        ("SAHM_QUITE_UNLIKE_ANY", "x"),
        ("SAHM_ENV", "production"),
        ("SAHM_RATE_LIMITS", "maybe"),
        ("SAHM_ATTRIBUTION_SINKS", "crm"),
        ("SAHM_ATTRIBUTION_SINK_TOKENS", "crm=hidden"),
        ("SAHM_TLS_KEY", "key.pem"),
    ]);
    let expected = [
        "SAHM_LISTNE: no such setting (did you mean SAHM_LISTEN?)",
        "SAHM_QUITE_UNLIKE_ANY: no such setting (--print-settings lists them all)",
        "SAHM_ENV: `production` is not dev, feature, daily, beta, uat, pre or prod",
        "SAHM_RATE_LIMITS: `maybe` is not on or off",
        // The tokens then match no sink, which is not reported as a second fault.
        "SAHM_ATTRIBUTION_SINKS: `crm` is not a list of name=URL, names of a-z, 0-9 and -",
        "SAHM_TLS_CERT: required with SAHM_TLS_KEY",
    ];
    assert_eq!(error.unwrap_err().faults(), expected);
    let missing = read(&[("SAHM_ENV", "prod"), ("SAHM_SESSION_KEYS", "short")]).unwrap_err();
    let names: Vec<_> =
        missing.faults().iter().filter_map(|fault| fault.split(':').next()).collect();
    assert_eq!(names, ["SAHM_SESSION_KEYS", "SAHM_CALLER_TOKENS"], "each once");
}

#[test]
fn databases_reached_in_plaintext_over_a_network_are_found() {
    struct Case {
        name: &'static str,
        url: &'static str,
        host: Option<&'static str>,
    }
    const DATABASE: &str = "SAHM_CONFIG_DATABASE_URL";
    const REDIS: &str = "SAHM_REDIS_URL";
    let cases = [
        Case { name: DATABASE, url: "postgres://u@db.internal/d", host: Some("db.internal") },
        Case { name: DATABASE, url: "postgres://u@db/d?sslmode=prefer", host: Some("db") },
        Case { name: DATABASE, url: "postgres://u@db/d?sslmode=require", host: None },
        Case { name: DATABASE, url: "postgres://u@db/d?sslmode=verify-full", host: None },
        Case { name: DATABASE, url: "postgres://u@127.0.0.1/d", host: None },
        Case { name: DATABASE, url: "postgres://u@localhost/d", host: None },
        Case { name: DATABASE, url: "postgres:///d?host=/run/postgresql", host: None },
        Case { name: DATABASE, url: "postgres://u@db/d?host=/run/postgresql", host: None },
        Case { name: DATABASE, url: "sqlite:data/x.sqlite", host: None },
        Case { name: REDIS, url: "redis://:p@cache:6379/1", host: Some("cache") },
        Case { name: REDIS, url: "redis://[2001:db8::1]:6379", host: Some("2001:db8::1") },
        Case { name: REDIS, url: "redis://[::1]:6379", host: None },
        Case { name: REDIS, url: "rediss://cache:6379", host: None },
        Case { name: REDIS, url: "unix:///run/redis", host: None },
    ];
    for Case { name, url, host } in cases {
        let found = read(&[(name, url)]).unwrap().plaintext_databases();
        let expected = host.map(|host| Plaintext { setting: name.into(), host: host.into() });
        assert_eq!(found, Vec::from_iter(expected), "{url}");
    }
    let gateway = read_as(Process::Gateway, &[(DATABASE, "postgres://u@db/d")]).unwrap();
    assert_eq!(gateway.plaintext_databases(), [], "the gateway connects to no database");
}

#[test]
fn redis_without_a_password_over_a_network_is_found() {
    struct Case {
        url: &'static str,
        host: Option<&'static str>,
    }
    let cases = [
        Case { url: "redis://cache:6379/1", host: Some("cache") },
        Case { url: "rediss://cache", host: Some("cache") },
        Case { url: "redis://[2001:db8::1]:6379", host: Some("2001:db8::1") },
        Case { url: "redis://user@cache", host: Some("cache") },
        Case { url: "redis://user:@cache", host: Some("cache") },
        Case { url: "redis://:p@cache", host: None },
        Case { url: "rediss://user:p@ss@cache", host: None },
        Case { url: "redis://127.0.0.1:6379", host: None },
        Case { url: "redis://localhost", host: None },
        Case { url: "unix:///run/redis", host: None },
    ];
    for Case { url, host } in cases {
        let settings = read(&[("SAHM_REDIS_URL", url)]).unwrap();
        assert_eq!(settings.passwordless_redis().as_deref(), host, "{url}");
    }
    let content = Process::Service(ServiceName::Content);
    let content = read_as(content, &[("SAHM_REDIS_URL", "redis://cache")]).unwrap();
    assert_eq!(content.passwordless_redis(), None, "services do not connect to Redis");
    assert_eq!(read(&[]).unwrap().passwordless_redis(), None, "there is no Redis");
}

#[test]
fn sentinels_need_the_name_of_a_primary() {
    struct Case {
        pairs: &'static [(&'static str, &'static str)],
        faults: &'static [&'static str],
    }
    const SENTINELS: (&str, &str) = ("SAHM_REDIS_SENTINELS", "10.0.0.1:26379, [::1]:26380");
    const PASSWORD: (&str, &str) = ("SAHM_REDIS_SENTINEL_PASSWORD", "hidden");
    const NAME_MISSING: &str =
        "SAHM_REDIS_URL: redis://NAME or rediss://NAME is required with SAHM_REDIS_SENTINELS";
    let cases = [
        Case {
            pairs: &[SENTINELS, ("SAHM_REDIS_URL", "redis://:p@sahm/1"), PASSWORD],
            faults: &[],
        },
        Case { pairs: &[SENTINELS, ("SAHM_REDIS_URL", "rediss://sahm")], faults: &[] },
        Case { pairs: &[SENTINELS], faults: &[NAME_MISSING] },
        Case { pairs: &[SENTINELS, ("SAHM_REDIS_URL", "unix:///run/r")], faults: &[NAME_MISSING] },
        Case {
            pairs: &[PASSWORD],
            faults: &["SAHM_REDIS_SENTINELS: required with SAHM_REDIS_SENTINEL_PASSWORD"],
        },
    ];
    for Case { pairs, faults } in cases {
        let found = read(pairs).map_or_else(|error| error.faults().to_vec(), |_| Vec::new());
        assert_eq!(found, faults, "{pairs:?}");
    }
    let settings = read(&[SENTINELS, ("SAHM_REDIS_URL", "redis://sahm"), PASSWORD]).unwrap();
    let at = |host: &str, port| SentinelAddress { host: host.to_owned(), port };
    assert_eq!(
        settings.redis.as_ref().unwrap().sentinels,
        [at("10.0.0.1", 26379), at("::1", 26380)]
    );
    let printed = settings.print();
    assert!(printed.contains("SAHM_REDIS_SENTINELS=10.0.0.1:26379, [::1]:26380\n"), "{printed}");
    assert!(printed.contains("SAHM_REDIS_SENTINEL_PASSWORD=***\n"), "{printed}");
    // Only the Sentinels' hosts are known; the primary's is a name.
    let plaintext = Plaintext { setting: SENTINELS.0.to_owned(), host: "10.0.0.1".to_owned() };
    assert_eq!(settings.plaintext_databases(), [plaintext]);
    let tls = read(&[SENTINELS, ("SAHM_REDIS_URL", "rediss://sahm")]).unwrap();
    assert_eq!(tls.plaintext_databases(), []);
}

#[test]
fn providers_are_required_by_their_services_where_members_use_them() {
    struct Case {
        process: Process,
        environment: &'static str,
        missing: &'static [&'static str],
    }
    let identity = Process::Service(ServiceName::Identity);
    let cases = [
        Case { process: identity, environment: "uat", missing: &[] },
        Case {
            process: identity,
            environment: "pre",
            missing: &["SAHM_RECAPTCHA_URL", "SAHM_TADAWUL_URL"],
        },
        Case { process: Process::Gateway, environment: "prod", missing: &[] },
        Case {
            process: Process::Service(ServiceName::Quotes),
            environment: "prod",
            missing: &["SAHM_QUOTES_PROVIDER_URL"],
        },
    ];
    let (key, token) = ("k".repeat(32), format!("gateway={}", "t".repeat(16)));
    for Case { process, environment, missing } in cases {
        let settings = read_as(
            process,
            &[
                ("SAHM_ENV", environment),
                ("SAHM_SESSION_KEYS", &key),
                ("SAHM_CALLER_TOKENS", &token),
                ("SAHM_SMS_URL", "https://sms.example"),
            ],
        );
        let expected = missing.iter().map(|name| format!("{name}: required in {environment}"));
        assert_eq!(settings.unwrap().missing_providers(), Vec::from_iter(expected), "{process:?}");
    }
}

#[test]
fn scopes_name_declared_calls_and_every_caller() {
    struct Case {
        scopes: &'static str,
        faults: &'static [&'static str],
    }
    let cases = [
        Case { scopes: "", faults: &[] },
        Case { scopes: "team=*,crm=sahm.content.v1", faults: &[] },
        Case {
            scopes: "team=sahm.content.v1.NewsService,team=sahm.changes.v1,\
                     crm=sahm.activity.v1.ParticipantService/RecordDeposit,later=sahm.quotes.v1",
            faults: &[],
        },
        Case {
            scopes: "team=*",
            faults: &["SAHM_CALLER_SCOPES: no scope for crm (crm=* allows every call)"],
        },
        Case {
            scopes: "team=sahm.contents.v1,crm=bank",
            faults: &[
                "SAHM_CALLER_SCOPES: no such package, service or method: sahm.contents.v1 \
                 (did you mean sahm.content.v1?)",
                "SAHM_CALLER_SCOPES: no such package, service or method: bank",
            ],
        },
        Case {
            scopes: "team,crm=*",
            faults: &["SAHM_CALLER_SCOPES: `team,crm=*` is not a list of name=scope"],
        },
    ];
    let tokens = "gateway=a-token-of-16-chars,team=another-token-of-16,crm=the-third-token-of-16";
    for Case { scopes, faults } in cases {
        let pairs = [("SAHM_CALLER_TOKENS", tokens), ("SAHM_CALLER_SCOPES", scopes)];
        let found = read(&pairs).map_or_else(|error| error.faults().to_vec(), |_| Vec::new());
        assert_eq!(found, faults, "{scopes}");
    }
}

#[test]
fn documentation_lists_every_setting() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
    let text = std::fs::read_to_string(path).expect("docs/configuration.md");
    for setting in SETTINGS {
        assert!(
            text.contains(setting.name),
            "docs/configuration.md does not list {}",
            setting.name
        );
    }
}
