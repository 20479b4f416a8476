//! The program `sahm` and its commands, from start to stop.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use sahm_chassis::{ServiceName, clock};
use sahm_testkit::{Certificates, Redis, RedisWithSentinels, process::runs};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::kit::{
    Client, Folder, ORIGIN, Pairs, Program, free_address, node, pairs, run, site_dir, until,
};

/// Maximum processor time and duration of a second start; the duration allows for a busy machine.
const MAX_SECOND_START_CPU_TIME: Duration = Duration::from_secs(3);
const MAX_SECOND_START_DURATION: Duration = Duration::from_secs(15);
/// Maximum duration of a stop (docs/development.md).
const MAX_STOP_DURATION: Duration = Duration::from_secs(10);

/// Services with a change log that the gateway follows.
const CHANGE_LOGS: usize = 3;

/// A running `sahm` with a data directory of its own.
pub(crate) struct Sahm {
    pub(crate) program: Program,
    pub(crate) address: String,
    folder: Folder,
}

/// Settings of a `sahm` on free ports, with its data in a folder.
pub(crate) fn settings(folder: &Folder) -> Pairs {
    let mut settings = pairs([
        ("SAHM_PUBLIC_URL", ORIGIN),
        ("SAHM_LISTEN", "127.0.0.1:0"),
        ("SAHM_ADMIN_LISTEN", "127.0.0.1:0"),
        ("SAHM_RENDERER_URL", "http://127.0.0.1:0"),
        ("SAHM_SITE_DIR", site_dir().to_str().unwrap()),
        ("SAHM_NODE", node().to_str().unwrap()),
        ("SAHM_DATA_DIR", folder.join("data").to_str().unwrap()),
    ]);
    for service in ServiceName::ALL {
        let name = format!("SAHM_{}_LISTEN", service.as_str().to_ascii_uppercase());
        settings.extend(pairs([(&*name, "127.0.0.1:0")]));
    }
    settings
}

impl Sahm {
    pub(crate) async fn start() -> Self {
        Self::start_in(Folder::new()).await
    }

    async fn start_in(folder: Folder) -> Self {
        Self::start_in_with(folder, &[]).await
    }

    /// Starts it with settings besides those of [`settings`].
    pub(crate) async fn start_with(more: &[(&str, &str)]) -> Self {
        Self::start_in_with(Folder::new(), more).await
    }

    async fn start_in_with(folder: Folder, more: &[(&str, &str)]) -> Self {
        let mut settings = settings(&folder);
        settings.extend(pairs(more.iter().copied()));
        let mut program = Program::start("sahm", settings);
        let address = program.wait_for_output("ready http://").await;
        Self { program, address, folder }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.address.parse().unwrap())
    }
}

#[tokio::test]
async fn site_serves_after_its_ready_line_and_restarts_quickly() {
    let mut sahm = Sahm::start().await;
    assert_eq!(sahm.program.out(), format!("ready http://{}\n", sahm.address));
    assert_eq!(sahm.client().get("/en-us/news").await.status, 200);
    sahm.program.kill();
    let began = Instant::now();
    let mut again = Sahm::start_in(sahm.folder).await;
    let (elapsed, worked) = (began.elapsed(), processor_time(again.program.pid()));
    assert!(elapsed < MAX_SECOND_START_DURATION, "a second start takes {elapsed:?}");
    assert!(worked < MAX_SECOND_START_CPU_TIME, "a second start takes {worked:?} of a processor");
    assert_eq!(again.client().get("/en-us/news/content/1001").await.status, 200);
    again.program.kill();
}

/// Processor time of a process, which does not depend on other load.
fn processor_time(pid: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    // User and system time, in hundredths of a second, after the name, which may contain anything.
    let fields: Vec<_> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
    Duration::from_millis(10 * ticks)
}

#[tokio::test]
async fn sigterm_completes_requests_in_flight_and_stops_all_processes() {
    let mut sahm = Sahm::start().await;
    let renderer = sahm.program.renderer().await;
    let mut stream = TcpStream::connect(&sahm.address).await.unwrap();
    let body = "market=us&size=2";
    let head = format!(
        "POST /api/news/content/info/list HTTP/1.1\r\nhost: x\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&body.as_bytes()[..5]).await.unwrap();
    // An idle connection does not delay the exit.
    let idle = sahm.client();
    assert_eq!(idle.get("/robots.txt").await.status, 200);

    let started = Instant::now();
    sahm.program.terminate();
    sahm.program.wait_for_log("draining").await;
    until(MAX_STOP_DURATION, "no one else is let in", async || {
        TcpStream::connect(&sahm.address).await.is_err()
    })
    .await;
    stream.write_all(&body.as_bytes()[5..]).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 200 OK"), "{response}");
    assert!(response.contains("\"code\":10000000"), "{response}");

    let (status, _) = sahm.program.wait_for_exit().await;
    assert!(status.success(), "{status}: {}", sahm.program.log());
    assert!(started.elapsed() < MAX_STOP_DURATION, "{:?}", started.elapsed());
    assert!(!runs(renderer), "the renderer is left");
    assert!(!sahm.program.log().contains("grace period elapsed"), "{}", sahm.program.log());
}

#[tokio::test]
async fn interrupt_from_a_terminal_stops_all_processes_without_a_warning() {
    let folder = Folder::new();
    let mut program = Program::start_as_group("sahm", settings(&folder));
    let client = Client::new(program.wait_for_output("ready http://").await.parse().unwrap());
    let renderer = program.renderer().await;
    assert_eq!(client.get("/en-us/news").await.status, 200);
    // Their streams end with the drain.
    until(MAX_STOP_DURATION, "all change logs are followed", async || {
        program.log().matches("follows change log").count() >= CHANGE_LOGS
    })
    .await;
    program.interrupt();
    let (status, _) = program.wait_for_exit().await;
    let log = program.log();
    assert!(status.success(), "{status}: {log}");
    assert!(!runs(renderer), "the renderer is left");
    let is_alarm = |line: &&str| line.contains("WARN") || line.contains("ERROR");
    assert_eq!(log.lines().filter(is_alarm).collect::<Vec<_>>(), [""; 0]);
    assert_eq!(log.matches("renderer ready").count(), 1, "{log}");
}

#[tokio::test]
async fn log_in_dev_is_text_in_local_time() {
    /// Riyadh is three hours ahead of UTC all year.
    const OFFSET: u32 = 3 * 3600;
    const DAY: u32 = 24 * 3600;
    let began = clock::now() + OFFSET;
    let mut sahm = Sahm::start_with(&[("TZ", "Asia/Riyadh")]).await;
    assert_eq!(sahm.client().get("/en-us/news").await.status, 200);
    sahm.program.wait_for_log("renderer: page rendered").await;
    sahm.program.terminate();
    sahm.program.wait_for_exit().await;
    let ran = clock::now() + OFFSET - began;
    let seconds_of_day = |line: &str| {
        // 21:09:42.125
        let (time, milliseconds) = line.split_once(' ')?.0.split_once('.')?;
        let fields = time.split(':').map(|field| field.parse::<u32>().ok());
        let fields = fields.collect::<Option<Vec<_>>>()?;
        let [hours, minutes, seconds] = fields[..] else { return None };
        (milliseconds.len() == 3).then_some(hours * 3600 + minutes * 60 + seconds)
    };
    for line in sahm.program.log().lines() {
        let time = seconds_of_day(line).unwrap_or_else(|| panic!("{line}"));
        let after_start = (time + DAY - began % DAY) % DAY;
        assert!(after_start <= ran, "{line}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_sent_before_sigterm_are_completed_on_every_connection() {
    let mut sahm = Sahm::start().await;
    let mut connections = Vec::new();
    for _ in 0..200 {
        let mut stream = TcpStream::connect(&sahm.address).await.unwrap();
        stream.write_all(b"GET /robots.txt HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        connections.push(stream);
    }
    // Most connections wait to be accepted.
    sahm.program.terminate();
    let mut failed = 0;
    for mut stream in connections {
        let mut response = String::new();
        let read = stream.read_to_string(&mut response).await;
        failed += usize::from(read.is_err() || !response.starts_with("HTTP/1.1 200 OK"));
    }
    assert_eq!(failed, 0);
    assert!(sahm.program.wait_for_exit().await.0.success());
}

#[tokio::test]
async fn purge_needs_a_token_and_writes_an_audit_line() {
    let (folder, admin) = (Folder::new(), free_address());
    let mut settings = settings(&folder);
    let tokens = ("SAHM_ADMIN_TOKENS", "alice=hidden-token-of-alice,bob=hidden-token-of-bob");
    settings.extend(pairs([("SAHM_ADMIN_LISTEN", &*admin), tokens]));
    let mut program = Program::start("sahm", settings.clone());
    program.wait_for_output("ready http://").await;
    let client = Client::new(admin.parse().unwrap());
    let purge = "/cache/purge?path=/en-us/news%3Fsession=hidden&path=/ar-sa&key=hidden&soft=true";
    let refused = client.send("POST", purge, &[], "").await;
    assert_eq!(refused.status, 401);
    let token = [("authorization", "Bearer hidden-token-of-alice")];
    let response = client.send("POST", purge, &token, "").await;
    assert_eq!((response.status, response.json()["purged"].as_u64()), (200, Some(3)));

    // The command sends the operator's token.
    for (token, code) in [(None, 1), (Some("hidden-token-of-bob"), 0)] {
        let mut settings = settings.clone();
        settings.extend(token.map(|token| ("SAHM_ADMIN_TOKEN".to_owned(), token.to_owned())));
        let output = run("sahm", &["cache", "purge", "--path", "/en-us"], &settings);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert_eq!(stderr.contains("SAHM_ADMIN_TOKENS"), code == 1, "{stderr}");
    }

    struct Audit {
        operator: &'static str,
        status: u16,
        details: &'static [&'static str],
    }
    let expected = [
        Audit { operator: "unauthenticated", status: 401, details: &[] },
        Audit {
            operator: "alice",
            status: 200,
            details: &["/en-us/news", "/ar-sa", "keys=1", "all=false", "soft=true"],
        },
        Audit { operator: "unauthenticated", status: 401, details: &[] },
        Audit { operator: "bob", status: 200, details: &["/en-us", "keys=0", "soft=false"] },
    ];
    let lines = |log: &str| {
        let lines = log.lines().filter(|line| line.contains("sahm::audit"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    until(Duration::from_secs(10), "every call has its audit line", async || {
        lines(&program.log()).len() == expected.len()
    })
    .await;
    let log = program.log();
    for (line, Audit { operator, status, details }) in lines(&log).iter().zip(expected) {
        let (operator, status) = (format!("operator=\"{operator}\""), format!("status={status}"));
        let common = [&*operator, &*status, "127.0.0.1", "POST", "/cache/purge"];
        for part in common.iter().chain(details) {
            assert!(line.contains(*part), "{part}: {line}");
        }
    }
    // The log contains neither tokens nor queries and keys, which may contain input of visitors.
    assert!(!log.contains("hidden"), "{log}");
}

#[tokio::test]
async fn renderer_exits_after_sigkill_of_its_parent() {
    let mut sahm = Sahm::start().await;
    let renderer = sahm.program.renderer().await;
    assert!(runs(renderer));
    sahm.program.kill();
    until(Duration::from_secs(5), "the renderer ends", async || !runs(renderer)).await;
}

#[tokio::test]
async fn invalid_setting_is_named_in_one_line() {
    let folder = Folder::new();
    for (name, value) in [
        ("SAHM_LISTNE", "127.0.0.1:1"),
        ("SAHM_LISTEN", "localhost"),
        ("SAHM_ENV", "production"),
        ("SAHM_RENDERER_URL", "not a url"),
        ("SAHM_REDIS_URL", "http://x"),
        ("SAHM_DATABASE_URL", "mysql://x"),
        ("SAHM_PAGE_CACHE_BYTES", "many"),
    ] {
        let mut settings = settings(&folder);
        settings.extend(pairs([(name, value)]));
        let output = run("sahm", &[], &settings);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), stderr.lines().count()),
            (Some(2), 1),
            "{name}: {stderr}"
        );
        assert!(stderr.starts_with(name), "{stderr}");
    }
    let mut required = settings(&folder);
    required.extend(pairs([("SAHM_ENV", "prod")]));
    let output = run("sahm", &[], &required);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{stderr}");
    assert!(!folder.join("data").exists(), "nothing was begun");
}

#[tokio::test]
async fn printed_settings_redact_secrets() {
    let secrets = pairs([
        ("SAHM_REDIS_URL", "redis://:hidden-one@h"),
        ("SAHM_DATABASE_URL", "postgres://u:hidden-two@h/d"),
        ("SAHM_SESSION_KEYS", "hidden-three-hidden-three-hidden"),
        ("SAHM_CALLER_TOKENS", "gateway=hidden-four-hidden"),
    ]);
    let output = run("sahm", &["--print-settings"], &secrets);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(!stdout.contains("hidden"), "{stdout}");
    for line in [
        "SAHM_REDIS_URL=redis://:***@h",
        "SAHM_DATABASE_URL=postgres://u:***@h/d",
        "SAHM_SESSION_KEYS=***",
        "SAHM_CALLER_TOKENS=***",
        "SAHM_LISTEN=127.0.0.1:8080  # default",
    ] {
        assert!(stdout.lines().any(|shown| shown == line), "{line} in {stdout}");
    }
}

#[tokio::test]
async fn port_in_use_is_named() {
    let folder = Folder::new();
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for name in ["SAHM_LISTEN", "SAHM_CONTENT_LISTEN", "SAHM_ADMIN_LISTEN"] {
        let mut own = settings(&folder);
        own.extend(pairs([(name, &*address)]));
        let mut program = Program::start("sahm", own);
        let (status, took) = program.wait_for_exit().await;
        assert_eq!(status.code(), Some(1), "{name}");
        let log = program.log();
        let last = log.lines().last().unwrap();
        assert!(last.contains(&format!("cannot listen on {address}")), "{name}: {log}");
        assert!(program.out().is_empty() && took < Duration::from_secs(5));
    }
}

#[tokio::test]
async fn failed_start_names_what_is_missing() {
    let folder = Folder::new();
    for (name, value, message) in [
        ("SAHM_NODE", "/no/such/node", "/no/such/node"),
        ("SAHM_SITE_DIR", "/no/such/site", "site.json"),
    ] {
        let mut own = settings(&folder);
        own.extend(pairs([(name, value)]));
        let mut program = Program::start("sahm", own);
        let (status, _) = program.wait_for_exit().await;
        assert_eq!(status.code(), Some(1), "{name}");
        assert!(program.log().lines().last().unwrap().contains(message), "{}", program.log());
    }
    // If the renderer's port is in use, renderer and site exit within the start timeout.
    let taken = free_address();
    let _held = TcpListener::bind(&taken).await.unwrap();
    let mut own = settings(&folder);
    own.extend(pairs([("SAHM_RENDERER_URL", &*format!("http://{taken}"))]));
    let mut program = Program::start("sahm", own);
    let (status, _) = program.wait_for_exit().await;
    assert_eq!(status.code(), Some(1));
    assert!(program.log().lines().last().unwrap().contains("renderer"), "{}", program.log());
}

#[tokio::test]
async fn import_with_a_broken_file_loses_nothing() {
    let sahm = Sahm::start().await;
    let client = sahm.client();
    let before = client.get("/api/news/content/info/list?size=50").await.json()["data"].clone();
    let good = "---\nid: 6001\nkind: news\nlocale: en-us\nmarket: us\ntitle: \"Good beside broken\"\n\
                summary: S\npublishedAt: 2026-11-01T09:00:00Z\n---\nText\n";
    let folder = &sahm.folder;
    folder.write("import/a-good.md", good);
    folder.write(
        "import/b-broken.md",
        good.replace("6001", "1001").replace("market: us", "market: mars"),
    );
    folder.write("import/c-broken.md", "no front matter");
    folder.write("import/d-broken.jsonl", "{\"id\": 1002,\n");
    folder.write("import/e-broken.md", [0xff, 0xfe, 0x00]);
    let path = folder.join("import");
    let own = settings(folder);
    let output = run("sahm-content", &["import", path.to_str().unwrap()], &own);
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr.lines().count(), 4, "{stderr}");
    for (line, name) in
        stderr.lines().zip(["b-broken.md:5", "c-broken.md", "d-broken.jsonl:1", "e-broken.md"])
    {
        assert!(line.starts_with(&format!("{}/{name}", path.display())), "{stderr}");
    }

    let shown = async || client.get("/en-us/news/content/6001").await.status == 200;
    until(Duration::from_secs(1), "the good one is shown", shown).await;
    let after = client.get("/api/news/content/info/list?size=50").await.json()["data"].clone();
    let ids = |data: &serde_json::Value| {
        let items = data["items"].as_array().unwrap().iter();
        items.map(|item| item["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut expected = ids(&before);
    expected.push("6001".to_owned());
    let (mut got, mut expected) = (ids(&after), expected);
    got.sort();
    expected.sort();
    assert_eq!(got, expected);
    let article = client.get("/api/news/content/detail?id=1001").await.json();
    assert_eq!(article["data"]["article"]["market"], "saudi", "the broken file changed nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cache_commands_list_explain_and_purge_pages() {
    let folder = Folder::new();
    let mut own = settings(&folder);
    own.retain(|(name, _)| name != "SAHM_ADMIN_LISTEN");
    own.extend(pairs([("SAHM_ADMIN_LISTEN", &*free_address())]));
    let mut program = Program::start("sahm", own.clone());
    let address = program.wait_for_output("ready http://").await;
    let client = Client::new(address.parse().unwrap());
    let path = "/en-us/news/content/1001";
    let cache = async |arguments: &[&str]| {
        let (arguments, own) = (
            ["cache"].iter().chain(arguments).map(|&one| one.to_owned()).collect::<Vec<_>>(),
            own.clone(),
        );
        let output = tokio::task::spawn_blocking(move || {
            let arguments = arguments.iter().map(String::as_str).collect::<Vec<_>>();
            run("sahm", &arguments, &own)
        });
        let output = output.await.unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    for how in ["miss", "hit"] {
        assert_eq!(client.get(path).await.cache_status(), how);
    }
    let keys = cache(&["list", "/news/content/1001"]).await["keys"].clone();
    let key = keys[0].as_str().unwrap().to_owned();
    let entry = cache(&["explain", &key]).await;
    let level = &entry["levels"][0];
    assert_eq!((&level["level"], &level["kind"]), (&"process".into(), &"complete".into()));
    assert_eq!((&level["freshness"], &level["validity"]), (&"fresh".into(), &"valid".into()));
    let tags = level["tags"].as_array().unwrap();
    assert!(tags.iter().any(|tag| tag == "news:1001"), "{tags:?}");
    assert_eq!(cache(&["figures"]).await["hits"], 1);

    assert_eq!(cache(&["purge", &key]).await["purged"], 1);
    until(Duration::from_secs(1), "the purged page is rendered again", async || {
        client.get(path).await.cache_status() == "miss"
    })
    .await;
    assert_eq!(client.get(path).await.cache_status(), "hit");
    cache(&["purge", "--all"]).await;
    until(Duration::from_secs(1), "all pages are purged", async || {
        client.get(path).await.cache_status() == "miss"
    })
    .await;
    // Invalid usage is reported.
    let output = run("sahm", &["cache", "purge", "--hard"], &own);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("--hard"), "{output:?}");
}

#[tokio::test]
async fn empty_site_outside_dev_is_served_and_seeded_on_request() {
    let folder = Folder::new();
    let mut own = settings(&folder);
    own.extend(pairs([
        ("SAHM_ENV", "daily"),
        ("SAHM_SESSION_KEYS", "of-the-test-and-of-nothing-else-0123"),
        ("SAHM_CALLER_TOKENS", "gateway=of-the-test-and-of-nothing-else"),
    ]));
    let mut sahm = Program::start("sahm", own.clone());
    let client = Client::new(sahm.wait_for_output("ready http://").await.parse().unwrap());
    sahm.wait_for_log("sahm-content seed").await;
    for (path, status) in [
        ("/en-us", 200),
        ("/ar-sa/news", 200),
        ("/en-us/pricing", 200),
        ("/en-us/support", 200),
        ("/en-us/education", 200),
        ("/en-us/brand", 200),
        ("/sitemap.xml", 200),
        ("/en-us/news/content/1001", 404),
        ("/en-us/education/course/1", 404),
        ("/en-us/terms-and-conditions", 404),
    ] {
        assert_eq!(client.get(path).await.status, status, "{path}");
    }
    let output = run("sahm", &["seed"], &own);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && stdout.lines().count() == 5, "{stdout}");
    assert!(!stdout.contains("nothing is added"), "{stdout}");
    until(Duration::from_secs(10), "the samples are shown", async || {
        client.get("/en-us/news/content/1001").await.status == 200
    })
    .await;
    let output = run("sahm", &["seed"], &own);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(stdout.matches("nothing is added").count(), 5, "{stdout}");
}

#[tokio::test]
async fn redis_certificate_is_verified() {
    let certificates = Certificates::make().unwrap();
    let authority = certificates.authority();
    let redis = Redis::start_tls(certificates).await.unwrap();
    let other = Certificates::make().unwrap();
    struct Case<'a> {
        /// `SSL_CERT_FILE`.
        trusts: PathBuf,
        log: &'a str,
    }
    for Case { trusts, log } in [
        Case { trusts: authority, log: "redis is available" },
        Case { trusts: other.authority(), log: "redis cannot be used" },
    ] {
        let folder = Folder::new();
        let mut own = settings(&folder);
        own.extend(pairs([
            ("SAHM_REDIS_URL", &*redis.url()),
            ("SSL_CERT_FILE", trusts.to_str().unwrap()),
        ]));
        let mut sahm = Program::start("sahm", own);
        sahm.wait_for_output("ready http://").await;
        sahm.wait_for_log(log).await;
        let log = sahm.log();
        if let Some(line) = log.lines().find(|line| line.contains("redis cannot be used")) {
            let address = format!("127.0.0.1:{}", redis.port());
            assert!(line.contains(&address), "names the address: {line}");
            assert!(line.contains("invalid peer certificate"), "{line}");
        }
    }
}

#[tokio::test]
async fn sentinel_connections_support_tls() {
    let certificates = Certificates::make().unwrap();
    let authority = certificates.authority();
    let redis = RedisWithSentinels::start_tls(certificates).await.unwrap();
    let folder = Folder::new();
    let mut own = settings(&folder);
    own.extend(redis.settings());
    own.extend(pairs([("SSL_CERT_FILE", authority.to_str().unwrap())]));
    let mut sahm = Program::start("sahm", own);
    sahm.wait_for_output("ready http://").await;
    sahm.wait_for_log("redis is available").await;
}

#[tokio::test]
async fn redis_without_a_password_is_warned_about_where_members_use_the_site() {
    for (environment, url, warns) in [
        ("pre", "redis://redis.invalid", true),
        ("prod", "rediss://redis.invalid", true),
        ("prod", "redis://:hidden@redis.invalid", false),
        ("uat", "redis://redis.invalid", false),
    ] {
        let folder = Folder::new();
        let mut own = settings(&folder);
        own.extend(pairs([
            ("SAHM_ENV", environment),
            ("SAHM_SESSION_KEYS", &"k".repeat(32)),
            ("SAHM_CALLER_TOKENS", "gateway=a-token-of-16-chars"),
            ("SAHM_REDIS_URL", url),
        ]));
        let mut gateway = Program::start("sahm-gateway", own);
        // The process warns before it connects, so the host need not exist.
        gateway.wait_for_log("redis cannot be used").await;
        let log = gateway.log();
        let line = log.lines().find(|line| line.contains("Redis is used without a password"));
        assert_eq!(line.is_some(), warns, "{environment} {url}: {log}");
        assert!(line.is_none_or(|line| line.contains("SAHM_REDIS_URL")), "{log}");
    }
}

#[tokio::test]
async fn redis_cluster_is_rejected_with_its_setting() {
    let redis = Redis::start_cluster_node().await.unwrap();
    let folder = Folder::new();
    let mut own = settings(&folder);
    own.extend(pairs([("SAHM_REDIS_URL", &*redis.url())]));
    let output = tokio::task::spawn_blocking(move || run("sahm-gateway", &[], &own)).await.unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    let refusal = "SAHM_REDIS_URL: Redis Cluster is not supported, only one primary";
    assert!(stderr.contains(refusal), "{stderr}");
}
