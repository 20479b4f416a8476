//! The site as in a cluster: separate processes outside dev, with replicas, on addresses of 127.0.0.0/8, with
//! PostgreSQL and Redis. Gateways resolve services by DNS, with a record per ready replica; renderers and gateways are
//! behind load balancers.

use std::{collections::BTreeMap, net::SocketAddr};

use sahm_chassis::ServiceName;
use sahm_testkit::{Postgres, Redis, free_port};

use crate::{
    balancer::Balancer,
    builds::Builds,
    endpoints::Endpoints,
    kit::{Client, Folder, ORIGIN, Pairs, Program, free_address, pairs, run},
    names::NameServer,
};

/// A gateway that uses the kit's name server (`examples/gateway-of-names.rs`).
const GATEWAY: &str = "examples/gateway-of-names";
/// The services of the other build, whose schemas have one more migration (`examples/next-release.rs`).
const NEXT_RELEASE: &str = "examples/next-release";

/// The kind of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Service(ServiceName),
    Renderer,
    Gateway,
}

impl Part {
    /// All parts.
    pub(crate) fn all() -> impl Iterator<Item = Part> {
        ServiceName::ALL.into_iter().map(Part::Service).chain([Part::Renderer, Part::Gateway])
    }

    fn program(self, build: usize) -> String {
        match self {
            Part::Service(_) if build == 1 => NEXT_RELEASE.to_owned(),
            Part::Service(name) => format!("sahm-{}", name.as_str()),
            Part::Renderer => "renderer".to_owned(),
            Part::Gateway => GATEWAY.to_owned(),
        }
    }
}

/// A process.
#[derive(Debug)]
struct Replica {
    program: Program,
    pairs: Pairs,
    address: SocketAddr,
    admin: SocketAddr,
}

/// A running site, stopped when dropped.
#[derive(Debug)]
pub(crate) struct Fleet {
    replicas: BTreeMap<Part, Vec<Replica>>,
    endpoints: BTreeMap<Part, Endpoints>,
    public: Balancer,
    pub(crate) builds: Builds,
    base: Pairs,
    ports: BTreeMap<ServiceName, u16>,
    folder: Folder,
    postgres: Postgres,
    _behind: (Balancer, NameServer, Redis),
}

impl Fleet {
    /// Starts `counts` replicas of each part, of the first build, and waits until they are ready. `more` are settings
    /// of all.
    pub(crate) async fn start(counts: impl Fn(Part) -> usize, more: Pairs) -> Self {
        let folder = Folder::new();
        let builds = Builds::copy(&folder);
        let endpoints: BTreeMap<_, _> =
            Part::all().map(|part| (part, Endpoints::default())).collect();
        let of = |name: ServiceName| format!("{}.sahm.test", name.as_str());
        let zone = ServiceName::ALL.map(|name| (of(name), endpoints[&Part::Service(name)].clone()));
        let names = NameServer::start(zone.into()).await;
        let renderers = Balancer::before(endpoints[&Part::Renderer].clone()).await;
        let public = Balancer::before(endpoints[&Part::Gateway].clone()).await;
        let (postgres, redis) = (Postgres::start().await.unwrap(), Redis::start().await.unwrap());
        let mut base = pairs([
            ("SAHM_ENV", "daily"),
            ("SAHM_PUBLIC_URL", ORIGIN),
            ("SAHM_RATE_LIMITS", "off"),
            ("SAHM_SESSION_KEYS", "of-the-test-and-of-nothing-else-0123"),
            ("SAHM_CALLER_TOKENS", "gateway=of-the-test-and-of-nothing-else"),
            ("SAHM_DATABASE_URL", &postgres.database().await.unwrap()),
            ("SAHM_REDIS_URL", &redis.url()),
            ("SAHM_RENDERER_URL", &format!("http://{}", renderers.address)),
            ("SAHM_SITE_DIR", builds.folders[0].to_str().unwrap()),
            ("SAHM_DATA_DIR", folder.join("services").to_str().unwrap()),
            ("NAME_SERVER", &names.address.to_string()),
        ]);
        let mut ports = BTreeMap::new();
        for name in ServiceName::ALL {
            let port = free_port().unwrap();
            let setting = format!("SAHM_{}_URL", name.as_str().to_ascii_uppercase());
            base.extend(pairs([(&*setting, &*format!("http://{}:{port}", of(name)))]));
            ports.insert(name, port);
        }
        base.extend(more);
        let output = run("sahm", &["seed"], &base);
        assert!(output.status.success(), "{output:?}");
        let mut fleet = Self {
            replicas: BTreeMap::new(),
            endpoints,
            public,
            builds,
            base,
            ports,
            folder,
            postgres,
            _behind: (renderers, names, redis),
        };
        for part in Part::all() {
            for _ in 0..counts(part) {
                fleet.add(part);
            }
        }
        for part in Part::all() {
            fleet.until_ready(part).await;
        }
        fleet
    }

    /// Starts another replica of a part without waiting for it; returns its address.
    pub(crate) fn add(&mut self, part: Part) -> SocketAddr {
        let at = self.replicas.get(&part).map_or(0, Vec::len);
        let admin: SocketAddr = free_address().parse().unwrap();
        let mut own = self.base.clone();
        let (address, admin) = match part {
            Part::Service(name) => {
                let host = [127, 0, 0, 11 + u8::try_from(at).unwrap()];
                let address = SocketAddr::from((host, self.ports[&name]));
                let setting = format!("SAHM_{}_LISTEN", name.as_str().to_ascii_uppercase());
                own.extend(pairs([
                    (&*setting, &*address.to_string()),
                    ("NEXT_RELEASE_OF", name.as_str()),
                ]));
                (address, admin)
            }
            // The renderer responds to probes at its own address.
            Part::Renderer => {
                own.extend(pairs([("SAHM_RENDERER_LISTEN", &*admin.to_string())]));
                (admin, admin)
            }
            Part::Gateway => {
                let (listen, data) = (free_address(), self.folder.join(&format!("gateway-{at}")));
                own.extend(pairs([
                    ("SAHM_LISTEN", &*listen),
                    ("SAHM_DATA_DIR", data.to_str().unwrap()),
                ]));
                (listen.parse().unwrap(), admin)
            }
        };
        own.extend(pairs([("SAHM_ADMIN_LISTEN", &*admin.to_string())]));
        let program = Program::start(&part.program(0), own.clone());
        self.endpoints[&part].add(address, admin);
        let replica = Replica { program, pairs: own, address, admin };
        self.replicas.entry(part).or_default().push(replica);
        address
    }

    /// Terminates the last replica of a part, waits for its exit, and removes it.
    pub(crate) async fn remove_last(&mut self, part: Part) {
        let mut replica = self.replicas.get_mut(&part).unwrap().pop().unwrap();
        end(&mut replica, &self.endpoints[&part]).await;
        self.endpoints[&part].remove(replica.address);
    }

    /// Migrates the schema of each service to that of a build, as the jobs before a rollout do, while the processes
    /// serve.
    pub(crate) async fn migrate(&self, build: usize) {
        for (part, replicas) in &self.replicas {
            if let Part::Service(_) = part {
                let (program, own) = (part.program(build), replicas[0].pairs.clone());
                let migrate = move || run(&program, &["migrate"], &own);
                let output = tokio::task::spawn_blocking(migrate).await.unwrap();
                assert!(output.status.success(), "{part:?}: {output:?}");
            }
        }
    }

    /// Executes SQL in the database of the services.
    pub(crate) fn execute(&self, sql: &str) -> anyhow::Result<()> {
        let url = self.base.iter().rfind(|(name, _)| name == "SAHM_DATABASE_URL");
        self.postgres.execute(&url.unwrap().1, sql)
    }

    /// Replaces a replica by one of another build, as a rollout does, and waits until it is ready.
    pub(crate) async fn restart(&mut self, part: Part, at: usize, build: usize) {
        let replica = &mut self.replicas.get_mut(&part).unwrap()[at];
        end(replica, &self.endpoints[&part]).await;
        let site = self.builds.folders[build].to_str().unwrap().to_owned();
        replica.pairs.extend(pairs([("SAHM_SITE_DIR", &*site)]));
        replica.program = Program::start(&part.program(build), replica.pairs.clone());
        self.endpoints[&part].until(replica.address, true).await;
    }

    /// Waits until all replicas of a part are known to be ready.
    pub(crate) async fn until_ready(&mut self, part: Part) {
        for replica in self.replicas.get_mut(&part).into_iter().flatten() {
            assert!(replica.program.is_running(), "{part:?}: {}", replica.program.log());
            self.endpoints[&part].until(replica.address, true).await;
        }
    }

    /// The number of replicas of a part.
    pub(crate) fn count(&self, part: Part) -> usize {
        self.replicas.get(&part).map_or(0, Vec::len)
    }

    /// A client of the gateways' load balancer.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.public.address)
    }

    /// The address of the gateways' load balancer.
    pub(crate) fn address(&self) -> SocketAddr {
        self.public.address
    }

    /// The text messages that were sent.
    pub(crate) fn text_messages(&self) -> Vec<serde_json::Value> {
        let outbox = self.folder.join("services").join("outbox").join("sms.jsonl");
        let lines = std::fs::read_to_string(outbox).unwrap_or_default();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The metrics of each replica of a part, as Prometheus text.
    pub(crate) async fn metrics(&self, part: Part) -> Vec<String> {
        let mut all = Vec::new();
        for replica in self.replicas.get(&part).into_iter().flatten() {
            all.push(Client::new(replica.admin).get("/metrics").await.text().to_owned());
        }
        all
    }

    /// The logs of all replicas of a part since their last start.
    pub(crate) fn logs(&self, part: Part) -> Vec<String> {
        self.replicas.get(&part).into_iter().flatten().map(|one| one.program.log()).collect()
    }
}

/// Sends SIGTERM, and asserts a clean exit within the grace period.
async fn end(replica: &mut Replica, endpoints: &Endpoints) {
    replica.program.terminate();
    let (status, took) = replica.program.wait_for_exit().await;
    let log = replica.program.log();
    assert!(
        status.success() && !log.contains("grace period elapsed"),
        "{status} after {took:?}: {log}"
    );
    endpoints.until(replica.address, false).await;
}
