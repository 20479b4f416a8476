"""Checks dashboards, service levels and alerts against the metrics that the programs export:

    check.py [METRICS]

Every metric in a query is the name of an instrument in the sources. With METRICS, the /metrics of a running
site, it is exported there too with the labels of the query, except metrics that are exported on first use.
Every alert has a runbook and a unit test in which it fires, and every runbook has an alert. The panels that
runbooks name exist.
"""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
# Metrics of Prometheus, of the probe, and federated ones (prometheus.yml).
OTHERS = {"up", "target_info", "probe_success", "probe_http_status_code", "probe_ssl_earliest_cert_expiry",
          "kubelet_volume_stats_available_bytes", "kubelet_volume_stats_capacity_bytes"}
# Labels of the scrape and of histograms.
LABELS = {"job", "instance", "le"}
# Exported on first use: of a stale page, of an applied change, of a rejected address, of a failed export, of a
# price provider.
EXPORTED_ON_FIRST_USE = {"page_cache_stale_age_seconds", "page_cache_purge_delay_seconds", "gateway_rate_limited_total",
        "otel_export_failures_total", "quotes_circuit_breaker_open", "quotes_price_age_seconds"}
LABELS_ON_FIRST_USE = {"error_type"}
# Exported only by the all-in-one site, which has a persistent data directory.
ALL_IN_ONE = {"attribution_spool_size_bytes", "attribution_spool_limit_bytes"}

UNITS = {"By": "_bytes", "d": "_days", "s": "_seconds", None: ""}


def declared() -> set[str]:
    """Names of all instruments as Prometheus has them, histograms without their suffixes."""
    names = set()
    for path in [*ROOT.glob("gateway/src/**/*.rs"), *ROOT.glob("services/*/src/**/*.rs")]:
        text = path.read_text().split("#[cfg(test)]\nmod tests {")[0]
        for name in re.findall(r"\bseconds(?:_by)?\(\s*(?:[A-Z]+,\s*)?\"([a-z_.]+)\"", text):
            names.add(name + "_seconds")
        for name in re.findall(r"\bcounter\(\s*\"([a-z_.]+)\"", text):
            names.add(name + "_total")
        # Gauges and counters that are read; `show` and `export` in loops over them.
        read = r"(?:Observed::of|\b(?:show|export))\(\s*\"([a-z_.]+)\",\s*\"[^\"]*\",?\s*(?:\)\s*\.in_unit\(\"(\w+)\"\))?"
        for name, unit in re.findall(read, text):
            names |= {name + UNITS[unit or None], name + UNITS[unit or None] + "_total"}
        # Rows of a table of counters: what is counted, name, name in the cache admin API, unit, description.
        row = r"\(\s*[A-Z]\w+,\s*\"([a-z_.]+)\",\s*\"\w+\",\s*\"(\w*)\",\s*\""
        names |= {name + UNITS[unit or None] + "_total" for name, unit in re.findall(row, text)}
    metrics = (ROOT / "frontend/renderer/metrics.ts").read_text()
    names |= set(re.findall(r"(?:family\(\s*|name = )'([a-z0-9_]+)'", metrics))
    return {name.replace(".", "_") for name in names}


def kube_state() -> set[str]:
    """Returns the metrics on the allowlist of kube-state-metrics."""
    text = (ROOT / "k8s/components/telemetry/kube-state-metrics.yaml").read_text()
    return set(re.findall(r"--metric-allowlist=(\S+)", text)[0].split(","))


def base(name: str) -> str:
    return re.sub(r"(_seconds)_(bucket|sum|count)$", r"\1", name)


def selectors(query: str) -> dict[str, set[str]]:
    """Returns the metrics of a query with the labels of their selectors."""
    query = re.sub(r"\"[^\"]*\"", "\"\"", query)
    query = re.sub(r"\b(by|on|without|ignoring|group_left|group_right)\s*\([^)]*\)", "", query)
    query = re.sub(r"\[[^]]*\]", "", query)
    found: dict[str, set[str]] = {}
    for name, matchers in re.findall(r"(?<![\w:$.])([a-zA-Z_:][\w:]*)(?![\w:]*\s*\()(\{[^}]*\})?", re.sub(
            r"\{([^}]*)\}", lambda m: "{" + re.sub(r"(\w+)\s*(=~|!~|!=|=)\s*\"\"", r"<\1>", m[1]) + "}", query)):
        if name not in {"or", "and", "unless", "bool"} and f"<{name}>" not in query:
            found.setdefault(name, set()).update(re.findall(r"<(\w+)>", matchers))
    return found


def grouped(query: str) -> set[str]:
    """Returns the labels that a query groups by."""
    groups = re.findall(r"\b(?:by|on)\s*\(([^)]*)\)", query)
    return {label.strip() for group in groups for label in group.split(",") if label.strip()}


def exported(text: str) -> dict[str, set[str]]:
    """Returns the metrics of a Prometheus text with all their labels."""
    found: dict[str, set[str]] = {}
    for name, labels in re.findall(r"^([a-z0-9_:]+)(\{.*\})? ", text, re.MULTILINE):
        found.setdefault(base(name), set()).update(re.findall(r"(\w+)=\"", labels))
    return found


def rules() -> tuple[list[tuple[str, str]], list[str], set[str]]:
    """Returns all queries with their location, the alerts, and the recorded metrics."""
    queries, alerts, recorded = [], [], set()
    for file in ("slo.yml", "alerts.yml", "kubernetes/alerts.yml"):
        text = (HERE / file).read_text()
        recorded |= set(re.findall(r"record: (\S+)", text))
        alerts += re.findall(r"alert: (\S+)", text)
        queries += [(file, e) for e in re.findall(r"expr: >-\n((?: {10}.*\n)+)", text)]
    for path in sorted((HERE / "dashboards").glob("*.json")):
        for panel in json.loads(path.read_text())["panels"]:
            queries += [(f"{path.name}: {panel['title']}", t["expr"]) for t in panel["targets"]]
    return queries, alerts, recorded


def severities() -> list[str]:
    """Prometheus turns pages into tickets in all environments but prod."""
    rules = re.search(r"alert_relabel_configs:\n.*?regex: \"\(([a-z|]+)\);page\"\n +target_label: severity\n +replacement: ticket\n",
                      (HERE / "prometheus.yml").read_text(), re.DOTALL)
    lowered = set(rules[1].split("|")) if rules else set()
    expected = {path.name for path in (ROOT / "k8s/overlays").iterdir()} - {"prod"}
    return [f"prometheus.yml: {e}: a page becomes a ticket in every environment but prod" for e in sorted(lowered ^ expected)]


def backups() -> list[str]:
    """BackupMissing expects the CronJob in the environments with the component `backups`."""
    text = (HERE / "kubernetes/alerts.yml").read_text()
    expected = re.search(r"alert: BackupMissing\n.*?deployment_environment_name=~\"([a-z|]+)\"", text, re.DOTALL)
    made = {path.parent.name for path in ROOT.glob("k8s/overlays/*/kustomization.yaml")
            if "components/backups\n" in path.read_text()}
    return [f"BackupMissing: {name}: expected exactly where the component backups is"
            for name in sorted(made ^ set(expected[1].split("|") if expected else ()))]


def panels() -> list[str]:
    """The dashboard panels that runbooks name in italics exist."""
    titles = {panel["title"] for path in (HERE / "dashboards").glob("*.json") for panel in json.loads(path.read_text())["panels"]}
    return [f"runbooks/{path.name}: no panel {named}" for path in sorted((ROOT / "docs/operations/runbooks").glob("*.md"))
            for named in re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", path.read_text()) if named not in titles]


def main() -> int:
    problems = []
    queries, alerts, recorded = rules()
    others = OTHERS | kube_state()
    known = declared()
    seen = exported(pathlib.Path(sys.argv[1]).read_text()) if len(sys.argv) > 1 else None
    names = set()
    for where, query in queries:
        metrics = selectors(query)
        if not metrics and not query.strip().startswith("vector("):
            problems.append(f"{where}: names no metric: {query}")
        labels = LABELS | LABELS_ON_FIRST_USE
        for name, labels_of_selector in metrics.items():
            if name in recorded:
                labels |= {"service", "slo"}
                continue
            names.add(base(name))
            if base(name) not in known | others:
                problems.append(f"{where}: no instrument emits {name}")
            elif seen is not None and base(name) not in others | EXPORTED_ON_FIRST_USE | ALL_IN_ONE:
                if base(name) not in seen:
                    problems.append(f"{where}: {name} is not exported in {sys.argv[1]}")
                    continue
                labels |= seen[base(name)]
                for label in labels_of_selector - seen[base(name)] - LABELS - LABELS_ON_FIRST_USE:
                    problems.append(f"{where}: {name} has no label {label}")
            else:
                labels |= grouped(query)
        if seen is not None:
            for label in grouped(query) - labels:
                problems.append(f"{where}: grouped by {label}, which no metric of the query has")
    problems += severities() + backups() + panels()
    tests = "".join(path.read_text() for path in HERE.glob("tests/*_test.yml"))
    for alert in alerts:
        firing = rf"alertname: {alert}\n +exp_alerts:\n"
        if not re.search(firing, tests):
            problems.append(f"{alert}: no unit test in which it fires")
    pages = {path.stem for path in (ROOT / "docs/operations/runbooks").glob("*.md")}
    problems += [f"{a}: no runbook" for a in alerts if a not in pages]
    problems += [f"runbooks/{p}.md: no such alert" for p in pages - set(alerts)]
    links = "".join((HERE / file).read_text() for file in ("alerts.yml", "kubernetes/alerts.yml"))
    problems += [f"{a}: no runbook_url" for a in alerts if f"/docs/operations/runbooks/{a}.md\n" not in links]
    unused = kube_state() - names
    problems += [f"kube-state-metrics shows {m}, which no query uses" for m in sorted(unused)]
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"{len(queries)} queries on {len(names)} metrics, {len(alerts)} alerts", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
