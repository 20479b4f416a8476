//! A site: services, gateways, and the stores that they share.

use std::{
    collections::BTreeMap, net::SocketAddr, path::Path, process::Output, sync::LazyLock,
    time::Duration,
};

use sahm_chassis::{
    Context, Process, ServiceName, Settings,
    clock::Clock,
    lifecycle,
    rpc::{self, Transport},
    store::DatabaseUrl,
};
use sahm_gateway::Services;
use sahm_proto::config::v1::config_service_client::ConfigServiceClient;
use sahm_testkit::{PgBouncer, Postgres, Redis, copy_files};
use tokio::sync::OnceCell;
use tokio_util::task::AbortOnDropHandle;

use super::{
    Client, Counts, FaultProxy, Folder, Gateway, ORIGIN,
    program::{Pairs, Program, free_address, run},
    renderer, site_dir, wait,
};

/// How services run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// In this process, as in the all-in-one.
    #[default]
    Direct,
    /// In this process, over TCP.
    Tcp,
    /// Separate programs, over TCP; their calls are not counted.
    Programs,
}

/// The configuration of a site.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) form: Form,
    pub(crate) gateways: usize,
    pub(crate) redis: bool,
    /// PostgreSQL instead of SQLite.
    pub(crate) postgres: bool,
    /// Whether there is a renderer.
    pub(crate) renderer: bool,
    /// Whether PostgreSQL belongs to this site alone, so that it can be killed.
    pub(crate) own_postgres: bool,
    /// Whether PgBouncer is in front of that PostgreSQL (and of its fault proxy), with a database per service.
    pub(crate) pgbouncer: bool,
    /// Whether connections to services (over TCP), renderer, Redis and an own PostgreSQL go through fault proxies.
    pub(crate) faults: bool,
    /// The purge address of a CDN with the example configuration.
    pub(crate) cdn: Option<SocketAddr>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            form: Form::Direct,
            gateways: 1,
            redis: false,
            postgres: false,
            renderer: true,
            own_postgres: false,
            pgbouncer: false,
            faults: false,
            cdn: None,
        }
    }
}

/// A running site, stopped when dropped.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) gateways: Vec<Gateway>,
    pub(crate) counts: Counts,
    pub(crate) redis: Option<Redis>,
    pub(crate) postgres: Option<Postgres>,
    _pgbouncer: Option<PgBouncer>,
    faults: Option<Faults>,
    /// The services that are programs.
    programs: BTreeMap<ServiceName, Program>,
    services: Vec<(ServiceName, Transport)>,
    context: Context,
    base: Pairs,
    at: SocketAddr,
    _proxy: Option<AbortOnDropHandle<()>>,
    pub(crate) folder: Folder,
}

/// The fault proxies.
#[derive(Debug, Default)]
struct Faults {
    services: BTreeMap<ServiceName, FaultProxy>,
    renderer: Option<FaultProxy>,
    redis: Option<FaultProxy>,
    postgres: Option<FaultProxy>,
}

/// Number of PgBouncer's connections to the database of each service.
const SERVER_CONNECTIONS: u32 = 2;

/// An address on which nothing listens.
const NOWHERE: &str = "http://127.0.0.1:1";

static SHARED: OnceCell<Site> = OnceCell::const_new();

impl Site {
    /// The site that read-only tests share: direct, SQLite, one gateway.
    pub(crate) async fn shared() -> &'static Site {
        let start = || renderer::RUNTIME.block_on(Site::start(Plan::default()));
        SHARED.get_or_init(async || tokio::task::spawn_blocking(start).await.unwrap()).await
    }

    pub(crate) async fn start(plan: Plan) -> Site {
        wait::watch();
        let folder = Folder::new();
        let counts = Counts::default();
        let redis = if plan.redis { Some(Redis::start().await.unwrap()) } else { None };
        let mut base = pairs([
            ("SAHM_PUBLIC_URL", ORIGIN),
            ("SAHM_LISTEN", "127.0.0.1:0"),
            ("SAHM_RATE_LIMITS", "off"),
            ("SAHM_PREVIEW_TYPES", "drafts,no-drafts"),
            ("SAHM_SITE_DIR", site_dir().to_str().unwrap()),
            ("SAHM_DATA_DIR", folder.join("services").to_str().unwrap()),
        ]);
        if !plan.postgres && !plan.own_postgres {
            copy_seeded_databases(&folder.join("services"));
        }
        if let Some(cdn) = plan.cdn {
            base.extend(pairs([
                ("SAHM_CDN_PURGE_URL", &*format!("http://{cdn}/cdn-purge")),
                ("SAHM_CDN_PURGE_TOKEN", "change-me"),
            ]));
        }
        if plan.postgres {
            let url = Postgres::shared().await.unwrap().database().await.unwrap();
            base.extend(pairs([("SAHM_DATABASE_URL", &*url)]));
        }
        let postgres =
            if plan.own_postgres { Some(Postgres::start().await.unwrap()) } else { None };
        let mut faults = plan.faults.then(Faults::default);
        if let Some(postgres) = &postgres {
            let mut url = postgres.database().await.unwrap();
            if let Some(faults) = &mut faults {
                let behind = SocketAddr::from(([127, 0, 0, 1], postgres.port()));
                let proxy = faults.postgres.insert(FaultProxy::before(behind).await);
                url = url.replace(&behind.to_string(), &proxy.address.to_string());
            }
            base.extend(pairs([("SAHM_DATABASE_URL", &*url)]));
        }
        let mut pgbouncer = None;
        if plan.pgbouncer {
            let postgres = postgres.as_ref().unwrap();
            let proxy = faults.as_ref().and_then(|faults| faults.postgres.as_ref());
            let port = proxy.map_or(postgres.port(), |proxy| proxy.address.port());
            let pooler =
                PgBouncer::start_through(port, postgres, SERVER_CONNECTIONS).await.unwrap();
            for service in ServiceName::ALL {
                let url = pooler.database(postgres, service.as_str()).await.unwrap();
                let setting = format!("SAHM_{}_DATABASE_URL", service.as_str().to_uppercase());
                base.extend([(setting, url)]);
            }
            pgbouncer = Some(pooler);
        }
        if let Some(redis) = &redis {
            let mut url = redis.url();
            if let Some(faults) = &mut faults {
                let behind = url.trim_start_matches("redis://").trim_end_matches('/');
                let proxy = FaultProxy::before(behind.parse().unwrap()).await;
                url = format!("redis://{}", faults.redis.insert(proxy).address);
            }
            base.extend(pairs([("SAHM_REDIS_URL", &*url)]));
        }
        let (mut at, proxy) = if plan.renderer {
            let (at, proxy) = counts.before(renderer::shared().await).await;
            (at, Some(proxy))
        } else {
            (free_address().parse().unwrap(), None)
        };
        if let Some(faults) = &mut faults {
            at = faults.renderer.insert(FaultProxy::before(at).await).address;
        }
        let context = Context::new(Settings::from_pairs(Process::Site, base.clone()).unwrap());
        let mut site = Site {
            gateways: Vec::new(),
            counts,
            redis,
            postgres,
            _pgbouncer: pgbouncer,
            faults,
            programs: BTreeMap::new(),
            services: Vec::new(),
            context,
            base,
            at,
            _proxy: proxy,
            folder,
        };
        site.hide_others();
        match plan.form {
            Form::Direct | Form::Tcp => site.start_services(plan.form).await,
            Form::Programs => site.start_programs().await,
        }
        for at in 0..plan.gateways {
            let gateway = site.gateway(&format!("gateway-{at}")).await;
            site.gateways.push(gateway);
        }
        site
    }

    /// Prevents gateways from calling services that other processes run at the default addresses.
    fn hide_others(&mut self) {
        for name in ServiceName::ALL {
            self.found_at(name, NOWHERE);
        }
    }

    async fn start_services(&mut self, form: Form) {
        for mut service in sahm_site::start_services(&self.context).await.unwrap() {
            let name = service.name;
            service.routes = self.counts.around(service.routes);
            if form == Form::Direct {
                self.services.push((name, Transport::local(service.routes)));
                continue;
            }
            let listener = lifecycle::bind(([127, 0, 0, 1], 0).into()).await.unwrap();
            let mut address = listener.local_addr().unwrap();
            rpc::serve(listener, service, &self.context);
            if let Some(faults) = &mut self.faults {
                let proxy = FaultProxy::before(address).await;
                address = proxy.address;
                faults.services.insert(name, proxy);
            }
            let url = format!("http://{address}");
            self.found_at(name, &url);
        }
    }

    async fn start_programs(&mut self) {
        for (name, _) in sahm_site::SERVICES {
            let address = free_address();
            let mut own = self.base.clone();
            let upper = name.as_str().to_ascii_uppercase();
            own.extend(pairs([
                (&*format!("SAHM_{upper}_LISTEN"), &*address),
                ("SAHM_ADMIN_LISTEN", "127.0.0.1:0"),
            ]));
            self.programs.insert(name, Program::start(&format!("sahm-{}", name.as_str()), own));
            self.found_at(name, &format!("http://{address}"));
        }
        for program in self.programs.values_mut() {
            program.wait_for_log("lifecycle: ready").await;
        }
    }

    /// The fault proxy of a service.
    pub(crate) fn fault(&self, name: ServiceName) -> &FaultProxy {
        &self.faults.as_ref().unwrap().services[&name]
    }

    /// The fault proxy of the renderer.
    pub(crate) fn renderer_fault(&self) -> &FaultProxy {
        self.faults.as_ref().unwrap().renderer.as_ref().unwrap()
    }

    /// The fault proxy of Redis.
    pub(crate) fn redis_fault(&self) -> &FaultProxy {
        self.faults.as_ref().unwrap().redis.as_ref().unwrap()
    }

    /// The fault proxy of PostgreSQL.
    pub(crate) fn postgres_fault(&self) -> &FaultProxy {
        self.faults.as_ref().unwrap().postgres.as_ref().unwrap()
    }

    /// Whether Redis soon has a page of this path (without locale). A gateway stores it after its response, if it
    /// follows all change logs.
    pub(crate) async fn soon_in_redis(&self, path: &str) -> bool {
        let client = redis::Client::open(self.redis.as_ref().unwrap().url()).unwrap();
        let mut connection = client.get_multiplexed_async_connection().await.unwrap();
        let mut keys = redis::cmd("KEYS");
        keys.arg(format!("sahm:page:*:{path}*"));
        let stored = async {
            while keys.query_async::<Vec<String>>(&mut connection).await.unwrap().is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_millis(300), stored).await.is_ok()
    }

    /// The program of a service.
    pub(crate) fn program(&mut self, name: ServiceName) -> &mut Program {
        self.programs.get_mut(&name).unwrap()
    }

    fn found_at(&mut self, name: ServiceName, url: &str) {
        let setting = format!("SAHM_{}_URL", name.as_str().to_ascii_uppercase());
        self.base.extend(pairs([(&*setting, url)]));
    }

    /// Starts another gateway; gateways of the same name share a data directory.
    pub(crate) async fn gateway(&self, name: &str) -> Gateway {
        self.start_gateway(name, &Vec::new(), self.services.clone()).await
    }

    async fn start_gateway(
        &self,
        name: &str,
        more: &Pairs,
        local: Vec<(ServiceName, Transport)>,
    ) -> Gateway {
        let mut own = [&self.base[..], more].concat();
        own.retain(|(setting, _)| setting != "SAHM_DATA_DIR");
        own.extend(pairs([("SAHM_DATA_DIR", self.folder.join(name).to_str().unwrap())]));
        let services = move |context: &Context| match local.is_empty() {
            true => Services::connect(context),
            false => Services::new(local),
        };
        Gateway::start(own, services, self.at).await
    }

    /// Starts other replicas of services, in this process, with more settings.
    pub(crate) async fn replicas(&self, names: &[ServiceName], more: &Pairs) -> Replicas {
        let own = [&self.base[..], more].concat();
        let context = Context::new(Settings::from_pairs(Process::Site, own).unwrap());
        let mut transports = Vec::new();
        for (name, start) in sahm_site::SERVICES {
            if names.contains(&name) {
                let service = start(&context, Clock::system()).await.unwrap();
                transports.push((name, Transport::local(service.routes)));
            }
        }
        Replicas { transports, context }
    }

    /// Starts another gateway with more settings, which calls these replicas instead of the site's own services.
    pub(crate) async fn gateway_before(
        &self,
        replicas: &Replicas,
        name: &str,
        more: &Pairs,
    ) -> Gateway {
        // Of two transports to a service the later one is used.
        let transports = [&self.services[..], &replicas.transports].concat();
        self.start_gateway(name, more, transports).await
    }

    /// A client of the first gateway.
    pub(crate) fn client(&self) -> Client {
        self.gateways[0].client()
    }

    /// An operator's client of config.
    pub(crate) fn config_client(&self) -> ConfigServiceClient<Transport> {
        let own = self.services.iter().find(|(name, _)| *name == ServiceName::Config);
        let transport = own.map_or_else(
            || {
                let settings = Settings::from_pairs(Process::Gateway, self.base.clone()).unwrap();
                let context = Context::new(settings);
                let url = context.settings.service_url(ServiceName::Config).to_owned();
                Transport::connect(&url, &context)
            },
            |(_, transport)| transport.clone(),
        );
        ConfigServiceClient::new(transport)
    }

    /// The database of content.
    pub(crate) fn content_database(&self) -> DatabaseUrl {
        self.context.settings.database_url(ServiceName::Content)
    }

    /// The database of config.
    pub(crate) fn config_database(&self) -> DatabaseUrl {
        self.context.settings.database_url(ServiceName::Config)
    }

    /// Runs `sahm-content` with arguments on this site's database.
    pub(crate) async fn content_command(&self, arguments: &[&str]) -> Output {
        self.command("sahm-content", arguments).await
    }

    /// Runs a program with arguments and this site's settings.
    pub(crate) async fn command(&self, program: &'static str, arguments: &[&str]) -> Output {
        let arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
        let own = self.base.clone();
        let run = move || {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            run(program, &arguments, &own)
        };
        tokio::task::spawn_blocking(run).await.unwrap()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
        self.context.lifecycle.hard_stop().cancel();
    }
}

/// Replicas of services in this process, stopped when dropped.
#[derive(Debug)]
pub(crate) struct Replicas {
    transports: Vec<(ServiceName, Transport)>,
    context: Context,
}

impl Drop for Replicas {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
        self.context.lifecycle.hard_stop().cancel();
    }
}

/// Copies the databases with samples, which the program seeds once for all sites: seeding takes a quarter of a site's
/// start.
fn copy_seeded_databases(to: &Path) {
    static SEEDED: LazyLock<Folder> = LazyLock::new(|| {
        let folder = Folder::new();
        let data_dir = folder.join("services");
        let output =
            run("sahm", &["seed"], &pairs([("SAHM_DATA_DIR", data_dir.to_str().unwrap())]));
        assert!(output.status.success(), "{output:?}");
        folder
    });
    copy_files(&SEEDED.join("services"), to).unwrap();
}

/// Settings as pairs.
pub(crate) fn pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Pairs {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
