"""Compares the connections that network policies allow with those of the architecture.

A pod is named by its workload, an external namespace by its label, a network by its CIDR. A port is the name
of a port of the callee's container, or protocol and number if the callee is not ours.
"""

SERVICES = ["content", "quotes", "identity", "config", "activity", "attribution"]
# Jobs that connect to every database, or to one.
STORE_JOBS = ["backup", "import-content", "import-config", "import-quotes", "import-activity"]
ANYONE, ANY_PORT = "anyone", "any port"

Edge = tuple[str, str]

# Callee → callers → ports.
EDGES: dict[str, dict[str, set[str]]] = {
    "gateway": {"sahm/edge": {"http"}, "prometheus": {"admin"}},
    "renderer": {"gateway": {"admin"}, "prometheus": {"admin"}},
    **{name: {"gateway": {"grpc"}, "sahm/caller": {"grpc"}, "prometheus": {"admin"}} for name in SERVICES},
    "redis": {"gateway": {"redis"}},
    "postgres": {name: {"postgres"} for name in (*SERVICES, *(f"migrate-{name}" for name in SERVICES), *STORE_JOBS)},
    "collector": {name: {"otlp"} for name in ("gateway", "renderer", *SERVICES)},
    "kube-state-metrics": {"prometheus": {"metrics"}},
    "blackbox": {"prometheus": {"probe"}},
    "prometheus": {"grafana": {"prometheus"}, "sahm/operators": {"prometheus"}},
    "grafana": {"sahm/operators": {"grafana"}},
}
# DNS servers → ports.
RESOLVERS = {
    "kubernetes.io/metadata.name=kube-system": {"UDP 53", "TCP 53"},
    "169.254.0.0/16": {"UDP 53", "TCP 53"},
    "10.96.0.10/32": {"UDP 53", "TCP 53"},
    "kubernetes.io/metadata.name=openshift-dns": {"UDP 5353", "TCP 5353"},
}
PUBLIC = "0.0.0.0/0 but 10.0.0.0/8 100.64.0.0/10 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16"
# Caller → external destination → ports. DNS is allowed for every pod.
OUTSIDE: dict[str, dict[str, set[str]]] = {
    **{name: {PUBLIC: {"TCP 443"}} for name in ("gateway", "content", "quotes", "identity", "attribution")},
    "collector": {"sahm/tracing": {"TCP 4317", "TCP 3100"}},
    "grafana": {"sahm/tracing": {"TCP 3200", "TCP 3100"}},
    "prometheus": {"sahm/operators": {"TCP 9093", "TCP 9090"}},
    "kube-state-metrics": {"0.0.0.0/0": {"TCP 443", "TCP 6443"}},
    "blackbox": {"0.0.0.0/0": {"TCP 443"}},
}
# The same for databases that are not pods of the environment.
MANAGED: dict[str, set[Edge]] = {
    "redis": {("10.0.0.0/8", "TCP 6379"), ("10.0.0.0/8", "TCP 6380"), ("10.0.0.0/8", "TCP 26379")},
    "postgres": {("10.0.0.0/8", "TCP 5432")},
}


def problems(policies: list[dict], templates: dict[str, dict]) -> list[str]:
    """Lists the differences. `templates` are pod templates by the name of their workload."""
    found = []
    denied = [p for p in policies if p["spec"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}]
    if len(denied) != 1:
        found.append("no default-deny policy")
    for policy in policies:
        said = {kind.capitalize() for kind in ("ingress", "egress") if kind in policy["spec"]}
        if not said <= set(policy["spec"]["policyTypes"]):
            found.append(f"{policy['metadata']['name']}: rules that count for nothing")
    for name in templates:
        for may, may_not, expected, allowed in (
            ("is reached by", "is not reached by", callers(name), into(name, policies, templates)),
            ("may reach", "may not reach", callees(name, templates), out(name, policies, templates)),
        ):
            # Leaves out pods that this environment does not have.
            expected = {(peer, port) for peer, port in expected if peer in templates or not is_pod(peer)}
            found += [f"{name} {may} {peer} at {port}" for peer, port in sorted(allowed - expected)]
            found += [f"{name} {may_not} {peer} at {port}" for peer, port in sorted(expected - allowed)]
    for callee, edges in EDGES.items():
        for port in set().union(*edges.values()) if callee in templates else ():
            if port not in ports_of(templates[callee]):
                found.append(f"{callee} has no port {port}")
    return found


def is_pod(peer: str) -> bool:
    """Whether a name is a pod: labels of namespaces and networks contain a slash."""
    return "/" not in peer


def callers(name: str) -> set[Edge]:
    return {(caller, port) for caller, ports in EDGES.get(name, {}).items() for port in ports}


def callees(name: str, templates: dict[str, dict]) -> set[Edge]:
    found = {(resolver, port) for resolver, ports in RESOLVERS.items() for port in ports}
    for callee, edges in EDGES.items():
        if callee in templates:
            found |= {(callee, port) for port in edges.get(name, ())}
        elif name in edges and callee in MANAGED:
            found |= MANAGED[callee]
    if templates[name]["metadata"]["labels"].get("sahm/object-storage") == "true":
        found.add((PUBLIC, "TCP 443"))
    return found | {(peer, port) for peer, ports in OUTSIDE.get(name, {}).items() for port in ports}


def into(name: str, policies: list[dict], templates: dict[str, dict]) -> set[Edge]:
    rules = [r for p in of(name, policies, templates) for r in p["spec"].get("ingress", [])]
    return {edge for rule in rules for edge in edges(rule, rule.get("from"), templates)}


def out(name: str, policies: list[dict], templates: dict[str, dict]) -> set[Edge]:
    rules = [r for p in of(name, policies, templates) for r in p["spec"].get("egress", [])]
    return {edge for rule in rules for edge in edges(rule, rule.get("to"), templates)}


def of(name: str, policies: list[dict], templates: dict[str, dict]) -> list[dict]:
    labels = templates[name]["metadata"]["labels"]
    return [p for p in policies if matches(p["spec"]["podSelector"], labels)]


def edges(rule: dict, those: list[dict] | None, templates: dict[str, dict]) -> set[Edge]:
    """Returns a rule as pairs of peer and port; ANYONE and ANY_PORT stand for a missing limit."""
    ports = {written(p) for p in rule.get("ports", [])} or {ANY_PORT}
    peers = {name for peer in those or [] for name in named(peer, templates)} if those else {ANYONE}
    return {(peer, port) for peer in peers for port in ports}


def written(port: dict) -> str:
    if "port" not in port:
        return ANY_PORT
    if isinstance(port["port"], str):
        return port["port"]
    last = f"-{port['endPort']}" if "endPort" in port else ""
    return f"{port.get('protocol', 'TCP')} {port['port']}{last}"


def named(peer: dict, templates: dict[str, dict]) -> set[str]:
    if block := peer.get("ipBlock"):
        return {" ".join([block["cidr"], *(["but", *sorted(block["except"])] if block.get("except") else [])])}
    if "namespaceSelector" in peer:
        selected = [peer["namespaceSelector"], peer.get("podSelector", {})]
        labels = [label for s in selected for label in s.get("matchLabels", {}).items()]
        if not labels or any("matchExpressions" in s for s in selected):
            return {ANYONE}
        return {" ".join(key if value == "true" else f"{key}={value}" for key, value in labels)}
    return {name for name, t in templates.items() if matches(peer["podSelector"], t["metadata"]["labels"])}


def matches(selector: dict, labels: dict) -> bool:
    for key, value in selector.get("matchLabels", {}).items():
        if labels.get(key) != value:
            return False
    for e in selector.get("matchExpressions", []):
        if e["operator"] != "In":
            raise SystemExit(f"selectors by {e['operator']} are not understood here")
        if labels.get(e["key"]) not in e["values"]:
            return False
    return True


def ports_of(template: dict) -> set[str]:
    return {p["name"] for c in template["spec"]["containers"] for p in c.get("ports", [])}
