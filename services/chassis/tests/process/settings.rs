//! Arguments and settings of a real process.
use super::*;

pub(crate) fn arguments_print_and_exit() {
    let secret = [("SAHM_REDIS_URL", "redis://:hidden@h"), ("SAHM_ENV", "dev")];
    let (code, out, _) = run(&["--print-settings"], &secret);
    assert_eq!(code, Some(0));
    assert!(out.contains("SAHM_ENV=dev\n") && out.contains("SAHM_REDIS_URL=redis://:***@h\n"));
    assert!(out.contains("SAHM_ADMIN_LISTEN=127.0.0.1:9104  # default\n"), "{out}");
    let (code, out, _) = run(&["--version"], &[]);
    assert_eq!((code, out.as_str()), (Some(0), &*format!("sahm-config {}\n", telemetry::VERSION)));
    // The version of the workspace, then the commit if the build knows it.
    let version = telemetry::VERSION.split('+').next();
    assert_eq!(version, Some(env!("CARGO_PKG_VERSION")));
    let (code, out, _) = run(&["--help"], &[]);
    assert_eq!(code, Some(0));
    for command in ["serve", "migrate", "seed"] {
        assert!(out.contains(&format!("\n  {command} ")), "{out}");
    }
    let (code, _, err) = run(&["--verson"], &[]);
    assert_eq!(code, Some(2));
    assert!(err.contains("unexpected argument '--verson'") && err.contains("--version"), "{err}");
    let (code, _, err) = run(&["migrat"], &[]);
    assert_eq!(code, Some(2));
    assert!(err.contains("unrecognized subcommand 'migrat'") && err.contains("migrate"), "{err}");
}

pub(crate) fn commands_print_their_outcome() {
    let folder = tempfile::tempdir().unwrap();
    let data = ("SAHM_DATA_DIR", folder.path().to_str().unwrap());
    struct Case {
        command: &'static str,
        output: &'static str,
    }
    for Case { command, output } in [
        Case { command: "migrate", output: "sahm-config: the schema is up to date\n" },
        Case { command: "seed", output: "sahm-config: the service has no samples\n" },
    ] {
        let (code, out, err) = run(&[command], &[data]);
        assert_eq!((code, &*out), (Some(0), output), "{err}");
        assert!(folder.path().join("config.sqlite").exists(), "{command}");
        let invalid = run(&[command], &[data, ("SAHM_ENV", "production")]);
        assert_eq!((invalid.0, &*invalid.1), (Some(2), ""));
        assert!(invalid.2.starts_with("SAHM_ENV: "), "{}", invalid.2);
    }
    let file = folder.path().join("config.sqlite");
    let unusable = ("SAHM_DATA_DIR", file.to_str().unwrap());
    let (code, out, err) = run(&["migrate"], &[unusable]);
    assert_eq!((code, &*out), (Some(1), ""));
    assert!(err.starts_with("sahm-config: ") && err.contains("config.sqlite/"), "{err}");
}

pub(crate) fn invalid_setting_is_reported_in_one_line() {
    for (name, value) in [("SAHM_LISTNE", "x"), ("SAHM_ENV", "production")] {
        for arguments in [&[][..], &["--print-settings"]] {
            let (code, _, err) = run(arguments, &[(name, value)]);
            assert_eq!((code, err.lines().count()), (Some(2), 1), "{err}");
            assert!(err.starts_with(name), "{err}");
        }
    }
}

pub(crate) fn check_config_reports_every_invalid_setting() {
    let (code, out, err) = run(&["--check-config"], &[("SAHM_ENV", "dev")]);
    assert_eq!((code, &*out, &*err), (Some(0), "sahm-config: the settings are valid\n", ""));
    let (code, _, err) =
        run(&["--check-config"], &[("SAHM_LISTNE", "x"), ("SAHM_ENV", "production")]);
    assert_eq!((code, err.lines().count()), (Some(2), 2), "{err}");
    assert!(err.contains("SAHM_LISTNE: no such setting (did you mean SAHM_LISTEN?)\n"), "{err}");
    assert!(err.contains("SAHM_ENV: `production` is not dev"), "{err}");
    let files = [("SAHM_TLS_CERT", "/none/tls.crt"), ("SAHM_TLS_KEY", "/none/tls.key")];
    let (code, _, err) = run(&["--check-config"], &files);
    assert_eq!(code, Some(2));
    assert!(err.starts_with("SAHM_TLS_CERT: /none/tls.crt: "), "{err}");
}

pub(crate) fn plaintext_database_connection_is_warned_about() {
    let (key, admin) = ("k".repeat(32), free_address());
    let start = |environment, options: &str| {
        let database = format!("postgres://u:hidden@db.invalid/d{options}");
        let mut child = command(&[
            ("SAHM_ENV", environment),
            ("SAHM_SESSION_KEYS", &key),
            ("SAHM_CALLER_TOKENS", "gateway=a-token-of-16-chars"),
            ("SAHM_ADMIN_LISTEN", &admin),
            ("SAHM_CONFIG_DATABASE_URL", &database),
        ])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        // The store is opened after the warning, and fails because its host does not exist.
        let warns = |line: &String| line.contains("is not encrypted");
        let ends = |line: &String| warns(line) || line.contains("store does not respond yet");
        let line = lines.into_iter().find(ends).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        warns(&line) && line.contains("db.invalid") && line.contains("SAHM_CONFIG_DATABASE_URL")
    };
    assert!(start("pre", "") && start("prod", "?sslmode=prefer"));
    assert!(!start("pre", "?sslmode=require") && !start("uat", ""));
}
