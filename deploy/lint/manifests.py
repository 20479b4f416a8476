"""Checks the manifests of every environment:

    manifests.py FOLDER [BIN_DIR]

FOLDER contains NAME.yaml for each overlay, as kustomize builds it. Validates every object strictly with the
schemas of several Kubernetes versions, then checks rules that no schema expresses (service links, probes,
drains, budgets, references, and the connections of deploy/lint/edges.py). With BIN_DIR, each process must
accept the settings of its pod; secrets are replaced by samples.
"""
import pathlib
import re
import subprocess
import sys
import urllib.parse

import kubernetes_validate
import yaml

import edges

ROOT = pathlib.Path(__file__).parent.parent.parent
# The oldest version that docs/operations/first-deployment.md promises, and the three newest.
VERSIONS = ["1.30", "1.35", "1.36", "1.37"]
OURS = ["gateway", "renderer", *edges.SERVICES]
# A shutdown: deregistration delay, requests and streams, telemetry (services/chassis).
SHUTDOWN_SECONDS = 3 + 6 + 5
# Interval of comments on an idle stream, in seconds (gateway/src/api/stream/events.rs).
STREAM_HEARTBEAT = 15
# Custom resources, whose schemas kubernetes-validate does not have.
CUSTOM = {
    "Gateway": "gateway.networking.k8s.io/v1",
    "HTTPRoute": "gateway.networking.k8s.io/v1",
    "Cluster": "postgresql.cnpg.io/v1",
    "Database": "postgresql.cnpg.io/v1",
    "ScheduledBackup": "postgresql.cnpg.io/v1",
    "ObjectStore": "barmancloud.cnpg.io/v1",
}
SAMPLES = {
    "SAHM_CALLER_TOKENS": "gateway=" + "x" * 32,
    "SAHM_SESSION_KEYS": "k" * 64,
    "SAHM_REDIS_URL": "redis://redis:6379",
}


class Environment:
    """The objects of an overlay, and the problems found in them."""

    def __init__(self, path: pathlib.Path):
        self.name = path.stem
        self.objects = [o for o in yaml.safe_load_all(path.read_text()) if o]
        self.problems: list[str] = []

    def of(self, kind: str) -> dict[str, dict]:
        return {o["metadata"]["name"]: o for o in self.objects if o["kind"] == kind}

    def settings_map(self) -> dict[str, str]:
        """Returns the settings that all processes share."""
        return next(c["data"] for name, c in self.of("ConfigMap").items() if name.startswith("settings"))

    def need(self, holds: bool, what: str) -> None:
        if not holds:
            self.problems.append(f"{self.name}: {what}")

    def schemas(self) -> None:
        for o in self.objects:
            if o["kind"] in CUSTOM:
                self.need(o["apiVersion"] == CUSTOM[o["kind"]], f"{o['kind']}: {o['apiVersion']}")
        for version in VERSIONS:
            for o in (o for o in self.objects if o["kind"] not in CUSTOM):
                try:
                    kubernetes_validate.validate(o, version, strict=True)
                except (kubernetes_validate.ValidationError, kubernetes_validate.SchemaNotFoundError) as error:
                    self.problems.append(f"{self.name}: {o['kind']}/{o['metadata']['name']} in {version}: {error}")

    def pods(self) -> list[tuple[str, dict]]:
        workloads = [(o, o["spec"]) for o in self.objects if o["kind"] in ("Deployment", "StatefulSet", "Job")]
        workloads += [(o, o["spec"]["jobTemplate"]["spec"]) for o in self.objects if o["kind"] == "CronJob"]
        return [(f"{o['kind']}/{o['metadata']['name']}", spec["template"]) for o, spec in workloads]

    def reasons(self, annotation: str) -> set[str]:
        """Returns the workloads with an annotation that states why a rule does not apply to them."""
        return {f"{o['kind']}/{o['metadata']['name']}" for o in self.objects if annotation in o["metadata"].get("annotations", {})}

    def every_pod(self) -> None:
        accounts, configs = self.of("ServiceAccount"), self.of("ConfigMap")
        api_clients = self.reasons("sahm/api-access")
        for name, template in self.pods():
            pod = template["spec"]
            self.need(pod.get("enableServiceLinks") is False, f"{name}: enableServiceLinks is not false")
            may_read = name in api_clients
            self.need(pod.get("automountServiceAccountToken") is may_read, f"{name}: automountServiceAccountToken must be true exactly with the annotation sahm/api-access")
            account = accounts.get(pod.get("serviceAccountName"), {})
            self.need(account.get("automountServiceAccountToken") is False, f"{name}: no service account of its own without a token")
            pod_security = pod.get("securityContext", {})
            self.need(pod_security.get("runAsNonRoot") is True, f"{name}: runAsNonRoot is not set")
            self.need(pod_security.get("seccompProfile") == {"type": "RuntimeDefault"}, f"{name}: no seccomp profile")
            for container in [*pod.get("initContainers", []), *pod["containers"]]:
                container_security = container.get("securityContext", {})
                self.need(container_security.get("readOnlyRootFilesystem") is True, f"{name}: readOnlyRootFilesystem is not set")
                self.need(container_security.get("capabilities") == {"drop": ["ALL"]}, f"{name}: capabilities are not dropped")
                self.need(container_security.get("allowPrivilegeEscalation") is False, f"{name}: allowPrivilegeEscalation is not false")
                self.need(re.search(r":[\w.-]+$", container["image"]) is not None, f"{name}: the image has no version")
                limits = container.get("resources", {})
                self.need({"cpu", "memory"} <= set(limits.get("requests", {})), f"{name}: no requests of CPU and memory")
                self.need("memory" in limits.get("limits", {}), f"{name}: no memory limit")
                for source in container.get("envFrom", []):
                    self.need("secretRef" in source or source.get("configMapRef", {}).get("name") in configs, f"{name}: {source}")
                for variable in container.get("env", []):
                    secret = re.search(r"TOKEN|SECRET|KEYS|PASSWORD|DATABASE_URL|REDIS_URL", variable["name"])
                    by_reference = "secretKeyRef" in variable.get("valueFrom", {})
                    self.need(not secret or by_reference, f"{name}: {variable['name']} is set by value instead of from a secret")
        self.need(not self.of("Secret"), "contains objects of kind Secret")
        secret = re.compile(r"TOKEN|SECRET|_KEYS|PASSWORD|DATABASE_URL|REDIS_URL")
        for name, config in configs.items():
            self.need(not any(secret.search(key) for key in config.get("data", {})), f"{name}: a ConfigMap contains a secret")

    def rollouts(self) -> None:
        deployments = self.of("Deployment")
        budgets = {o["spec"]["selector"]["matchLabels"].get("app.kubernetes.io/name")
                   for o in self.of("PodDisruptionBudget").values() if o["spec"].get("maxUnavailable") == 1}
        scalers = {o["spec"]["scaleTargetRef"]["name"] for o in self.of("HorizontalPodAutoscaler").values()}
        self.need(set(OURS) <= set(deployments), f"lacks {set(OURS) - set(deployments)}")
        renderer = deployments["renderer"]["spec"]
        beside = renderer["strategy"]["rollingUpdate"]["maxSurge"] == "100%" and renderer.get("minReadySeconds", 0) >= 600
        self.need(beside, "renderer: needs maxSurge 100% and minReadySeconds of 600, to stay until the gateways of its build have ended")
        for name, workload in (deployments | self.of("StatefulSet")).items():
            spec, pod = workload["spec"], workload["spec"]["template"]["spec"]
            container = pod["containers"][0]
            for probe in ("startup", "readiness", "liveness"):
                settings = container.get(f"{probe}Probe", {})
                self.need({"httpGet", "grpc", "exec"} & set(settings) != set(), f"{name}: no {probe} probe")
            stated = workload["metadata"].get("annotations", {}).get("sahm/unscaled")
            self.need((name in scalers) != bool(stated), f"{name}: needs either an autoscaler or the annotation sahm/unscaled")
            self.need(name not in scalers or "replicas" not in spec, f"{name}: replicas are set beside an autoscaler")
            self.need(name in budgets, f"{name}: no disruption budget")
            self.need(workload["kind"] == "Deployment" or "serviceName" in spec, f"{name}: serviceName is not set")
            if alone(workload):
                self.need(bool(stated) and spec.get("replicas") == 1, f"{name}: a single-writer workload needs replicas: 1")
            else:
                self.replaced(name, spec, pod, container)
        for name in OURS:
            self.ours(name, deployments[name]["spec"]["template"]["spec"])

    def replaced(self, name: str, spec: dict, pod: dict, container: dict) -> None:
        """Checks a deployment whose old and new pods run at the same time during a rollout."""
        rolling = spec["strategy"]["rollingUpdate"]
        self.need(rolling["maxUnavailable"] == 0, f"{name}: maxUnavailable must be 0")
        pause = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
        shutdown = SHUTDOWN_SECONDS if name in OURS else 0
        self.need(pause > 0, f"{name}: no preStop pause until it has left all endpoints")
        self.need(pod.get("terminationGracePeriodSeconds", 30) > pause + shutdown, f"{name}: terminationGracePeriodSeconds is shorter than a shutdown")
        spread = {c["topologyKey"]: c for c in pod.get("topologySpreadConstraints", [])}
        self.need(set(spread) == {"kubernetes.io/hostname", "topology.kubernetes.io/zone"}, f"{name}: not spread over hosts and zones")
        if self.settings_map()["SAHM_ENV"] == "prod":
            zone = spread.get("topology.kubernetes.io/zone", {})
            self.need(zone.get("whenUnsatisfiable") == "DoNotSchedule", f"{name}: all pods may be in one zone")
            self.need(zone.get("nodeTaintsPolicy") == "Honor", f"{name}: a lost zone keeps pods from the others")

    def ours(self, name: str, pod: dict) -> None:
        container = pod["containers"][0]
        for probe, path in (("startup", "/readyz"), ("readiness", "/readyz"), ("liveness", "/livez")):
            request = container.get(f"{probe}Probe", {}).get("httpGet", {})
            self.need(request == {"path": path, "port": "admin"}, f"{name}: {probe} probe")
        if name != "renderer":
            tokens = [v["valueFrom"]["secretKeyRef"] for v in container["env"] if v["name"] == "SAHM_CALLER_TOKENS"]
            self.need(tokens == [{"name": "callers", "key": name}], f"{name}: the callers' tokens are those of another process")
        if name in edges.SERVICES:
            self.need(self.of("Service")[name]["spec"].get("clusterIP") == "None", f"{name}: the Service is not headless")
            migration = self.of("Job")[f"migrate-{name}"]["spec"]["template"]["spec"]["containers"][0]
            self.need(migration["args"] == ["migrate"], f"migrate-{name}: {migration['args']}")
            self.need(migration["image"] == container["image"], f"migrate-{name}: the image differs from that of the service")

    def connections(self) -> None:
        """All processes together must not open more connections during a rollout than PostgreSQL allows."""
        scalers = {o["spec"]["scaleTargetRef"]["name"]: o["spec"]["maxReplicas"]
                   for o in self.of("HorizontalPodAutoscaler").values()}
        services = {name: scalers.get(name) or self.of("Deployment")[name]["spec"]["replicas"] for name in edges.SERVICES}
        # One more pod of each during a rollout, one migration each, a backup, and PostgreSQL's reserve.
        needed = (sum(services.values()) + len(services)) * per_pod() + len(services) + 1 + 3
        granted = [int(found[1]) for _, template in self.pods() for c in template["spec"]["containers"]
                   for argument in c.get("args", []) if (found := re.fullmatch(r"max_connections=(\d+)", argument))]
        granted += [int(o["metadata"]["annotations"]["sahm/max-connections"]) for o in self.objects
                    if "sahm/max-connections" in o["metadata"].get("annotations", {})]
        self.need(len(granted) == 1, f"{len(granted)} places say how many connections PostgreSQL grants")
        self.need(all(needed <= number for number in granted), f"up to {needed} connections, PostgreSQL grants {granted}")
        if self.name == "prod":
            for page, sentence in (
                ("databases.md", f"**{needed} of {granted[0]}**"),
                ("first-deployment.md", f"allows {granted[0]} connections"),
                ("capacity.md", f"| PostgreSQL: {granted[0]} connections, without a pooler |"),
                ("capacity.md", f"Each process opens {per_pod()} connections"),
            ):
                text = (ROOT / "docs/operations" / page).read_text()
                self.need(sentence in text, f"docs/operations/{page} does not say: {sentence}")

    def edge(self) -> None:
        """There must be one edge, with TLS, for the host of SAHM_PUBLIC_URL; HTTP is redirected, streams stay open."""
        settings = self.settings_map()
        host = urllib.parse.urlsplit(settings["SAHM_PUBLIC_URL"]).hostname
        entrances = [*self.of("Ingress").values(), *self.of("Gateway").values()]
        self.need(len(entrances) == 1, f"{len(entrances)} instead of one Ingress or Gateway")
        for ingress in self.of("Ingress").values():
            spec, notes = ingress["spec"], ingress["metadata"]["annotations"]
            self.need([rule["host"] for rule in spec["rules"]] == [host], "Ingress: the host differs from SAHM_PUBLIC_URL")
            self.need([entry["hosts"] for entry in spec.get("tls", [])] == [[host]], "Ingress: no TLS")
            self.need(notes.get("ingress.kubernetes.io/ssl-redirect") == "true", "Ingress: plaintext is not redirected")
            self.need(seconds(notes["nginx.org/proxy-read-timeout"]) > STREAM_HEARTBEAT, "Ingress: the read timeout ends event streams")
            self.need(notes.get("nginx.org/proxy-buffering") == "False", "Ingress: buffering delays event streams")
        for gateway in self.of("Gateway").values():
            listeners = {each["port"]: each for each in gateway["spec"]["listeners"]}
            self.need({each["hostname"] for each in listeners.values()} == {host}, "Gateway: the host differs from SAHM_PUBLIC_URL")
            self.need(listeners[443]["tls"]["mode"] == "Terminate", "Gateway: no TLS")
            routes = {route["spec"]["parentRefs"][0]["sectionName"]: route["spec"] for route in self.of("HTTPRoute").values()}
            self.need(set(routes) == {each["name"] for each in listeners.values()}, "Gateway: a listener without a route")
            self.need(all(route["hostnames"] == [host] for route in routes.values()), "HTTPRoute: the host differs from SAHM_PUBLIC_URL")
            redirect = routes["http"]["rules"][0]["filters"][0]["requestRedirect"]
            self.need(redirect == {"scheme": "https", "statusCode": 301}, "HTTPRoute: plaintext is not redirected")
            rule = routes["https"]["rules"][0]
            self.need(rule["timeouts"]["request"] == "0s", "HTTPRoute: the request timeout ends event streams")
            backend = rule["backendRefs"][0]
            served = self.of("Service")[backend["name"]]["spec"]["ports"]
            self.need(backend["port"] in {port["port"] for port in served}, "HTTPRoute: the backend port does not exist")

    def clusters(self) -> None:
        """Checks a PostgreSQL cluster of an operator: properties that the services rely on, and its references."""
        stores = self.of("ObjectStore")
        for name, cluster in self.of("Cluster").items():
            spec = cluster["spec"]
            granted = spec["postgresql"]["parameters"]["max_connections"]
            counted = self.of("NetworkPolicy")["stores-to-postgres"]["metadata"]["annotations"]["sahm/max-connections"]
            self.need(granted == counted, f"{name}: grants {granted} connections, {counted} are counted on")
            self.need(spec["instances"] >= 3, f"{name}: a failover leaves no second instance")
            archive = [p["parameters"]["barmanObjectName"] for p in spec.get("plugins", []) if p.get("isWALArchiver")]
            self.need(len(archive) == 1 and archive[0] in stores, f"{name}: no WAL archive")
            roles = {role["name"] for role in spec["managed"]["roles"]}
            databases = {o["spec"]["name"]: o["spec"] for o in self.of("Database").values()}
            self.need(roles == set(edges.SERVICES) == set(databases), f"{name}: a database and a role for each service")
            self.need(all(d["owner"] == n and d["cluster"]["name"] == name for n, d in databases.items()), f"{name}: owners")
            backups = [o["spec"] for o in self.of("ScheduledBackup").values()]
            self.need(any(b["cluster"]["name"] == name and b["method"] == "plugin" for b in backups), f"{name}: no backup")

    def scraped(self) -> None:
        """Prometheus must scrape every pod, including unready ones, because alerts are about those. Audit lines must
        leave the pod, because its log ends with it."""
        self.need("sahm::audit=info" in self.settings_map().get("SAHM_OTLP_LOGS", "").split(","), "audit lines are not exported")
        services = self.of("Service")
        config = next((c for name, c in self.of("ConfigMap").items() if name.startswith("prometheus")), None)
        self.need(config is not None, "no configuration of Prometheus")
        for job in yaml.safe_load(config["data"]["prometheus.yml"])["scrape_configs"] if config else []:
            for name in (n for found in job.get("dns_sd_configs", []) for n in found["names"]):
                spec = services.get(name, {}).get("spec", {})
                self.need(spec.get("clusterIP") == "None", f"{name}: scraped, and not a headless Service")
                self.need(spec.get("publishNotReadyAddresses") is True, f"{name}: hides pods that are not ready")

    def edges(self) -> None:
        """Network policies must allow exactly the connections of the architecture."""
        templates = {name.split("/")[1]: template for name, template in self.pods()}
        found = edges.problems(list(self.of("NetworkPolicy").values()), templates)
        self.problems += [f"{self.name}: {problem}" for problem in found]

    def settings(self, programs: pathlib.Path) -> int:
        """Runs each process with only the environment of its pod."""
        configs, ran = self.of("ConfigMap"), 0
        for name, template in self.pods():
            container = template["spec"]["containers"][0]
            name = container["image"].split("/")[-1].split(":")[0]
            program = programs / f"sahm-{name}"
            if name not in OURS or container.get("args") or not program.exists():
                continue
            env = {}
            for source in container.get("envFrom", []):
                env |= configs[source["configMapRef"]["name"]]["data"]
            for variable in container["env"]:
                key = variable["name"]
                sample = "postgres://sahm@postgres/sahm" if key.endswith("DATABASE_URL") else "s" * 32
                if not variable.get("valueFrom", {}).get("secretKeyRef", {}).get("optional"):
                    env[key] = variable.get("value") or SAMPLES.get(key, sample)
            done = subprocess.run([program, "--print-settings"], env=env, capture_output=True, text=True, timeout=60)
            self.need(done.returncode == 0, f"{name} refuses its settings: {done.stderr.strip()}")
            shown = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
            self.need(shown.get("SAHM_ENV") == env["SAHM_ENV"], f"{name} runs as {shown.get('SAHM_ENV')}")
            ran += 1
        return ran


def seconds(time: str) -> int:
    return int(time.removesuffix("s"))


def per_pod() -> int:
    """Returns the connections of a service process: its pools and one for the health probe."""
    text = (ROOT / "services/chassis/src/store/open.rs").read_text()
    pools = re.findall(r"^const POSTGRES_(?:READERS|WRITERS): u32 = (\d+);$", text, re.MULTILINE)
    if len(pools) != 2:
        raise SystemExit("services/chassis/src/store/open.rs does not say how large the pools are")
    return sum(int(size) for size in pools) + 1


def alone(workload: dict) -> bool:
    """Whether a workload must stop before its successor starts: a single writer or a shared cache."""
    return workload["kind"] == "StatefulSet" or workload["spec"].get("strategy", {}).get("type") == "Recreate"


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    programs = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    problems, objects, ran = [], 0, 0
    for path in sorted(folder.glob("*.yaml")):
        environment = Environment(path)
        environment.schemas()
        environment.every_pod()
        environment.rollouts()
        environment.connections()
        environment.edge()
        environment.clusters()
        environment.scraped()
        environment.edges()
        ran += environment.settings(programs) if programs else 0
        problems += environment.problems
        objects += len(environment.objects)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{objects} objects in Kubernetes {', '.join(VERSIONS)}; {ran} processes read their settings", file=sys.stderr)
    return 1 if problems or not objects else 0


sys.exit(main())
