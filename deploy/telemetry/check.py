"""Dashboards, service levels and alerts against what the code emits:

    check.py [METRICS]

Every metric that a query names is the name of an instrument in the Rust sources, with the suffix its
kind has; with METRICS, the text of a running site's /metrics, it also stands there, except those that
appear only once something has happened. Every alert has a runbook and a unit test, and no runbook
is left over.
"""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
# Prometheus's own.
OTHERS = {"up", "target_info"}
# Not there before: a stale page was used, a change was followed, an address was refused.
LATE = {"page_cache_stale_age_seconds", "page_cache_purge_delay_seconds", "gateway_rate_limited_total"}

KINDS = {"u64_counter": "_total", "u64_observable_counter": "_total", "f64_counter": "_total"}


def declared() -> set[str]:
    """Names of all instruments as Prometheus has them, histograms without their suffixes."""
    names = set()
    for path in [*ROOT.glob("gateway/src/**/*.rs"), *ROOT.glob("services/*/src/**/*.rs")]:
        text = path.read_text()
        for kind, name in re.findall(r"\.([uif]64_[a-z_]+)\(\s*\"([a-z_.]+)\"", text):
            unit = "_seconds" if "histogram" in kind else ""
            names.add(name.replace(".", "_") + unit + KINDS.get(kind, ""))
        if path.match("page_cache/metrics.rs"):
            # Made in loops over their names.
            for name in re.findall(r"seconds\(\s*\"([a-z_.]+)\"", text):
                names.add(name.replace(".", "_") + "_seconds")
            for name in re.findall(r"\(\"([a-z_.]+)\", \|m\|", text):
                names.add(name.replace(".", "_") + "_total")
        for name in re.findall(r"\.gauge\(\"([a-z_.]+)\"", text):
            names.add(name.replace(".", "_"))
    return names


def named(query: str) -> set[str]:
    """The metrics of a query: what is neither label, value, function nor keyword."""
    query = re.sub(r"\"[^\"]*\"", "", query)
    query = re.sub(r"\b(by|on|without|ignoring)\s*\([^)]*\)", "", query)
    query = re.sub(r"\{[^}]*\}", "", re.sub(r"\[[^]]*\]", "", query))
    found = re.findall(r"(?<![\w:$])[a-zA-Z_:][\w:]*(?!\w*\s*\()", query)
    return {n for n in found if n not in {"or", "and", "unless", "bool"} and "$" not in n}


def base(name: str) -> str:
    return re.sub(r"(_seconds)_(bucket|sum|count)$", r"\1", name)


def main() -> int:
    problems = []
    rules, alerts, recorded = [], [], set()
    for file in ("slo.yml", "alerts.yml"):
        text = (HERE / file).read_text()
        recorded |= set(re.findall(r"record: (\S+)", text))
        alerts += re.findall(r"alert: (\S+)", text)
        rules += [(file, e) for e in re.findall(r"expr: >-\n((?: {10}.*\n)+)", text)]
    for path in sorted((HERE / "dashboards").glob("*.json")):
        for panel in json.loads(path.read_text())["panels"]:
            rules += [(f"{path.name}: {panel['title']}", t["expr"]) for t in panel["targets"]]
    known = declared()
    seen = None
    if len(sys.argv) > 1:
        text = pathlib.Path(sys.argv[1]).read_text()
        seen = {base(n) for n in re.findall(r"^([a-z_:]+)(?:\{| )", text, re.MULTILINE)} | LATE | {"up"}
    asked = set()
    for where, query in rules:
        metrics = named(query) - recorded
        if not metrics and not named(query):
            problems.append(f"{where}: names no metric: {query}")
        for metric in metrics:
            asked.add(base(metric))
            if base(metric) not in known | OTHERS:
                problems.append(f"{where}: {metric} is emitted by nothing")
            elif seen is not None and base(metric) not in seen:
                problems.append(f"{where}: {metric} does not stand in {sys.argv[1]}")
    tests = (HERE / "tests/alerts_test.yml").read_text()
    for alert in alerts:
        sounding = rf"alertname: {alert}\n +exp_alerts:\n"
        if not re.search(sounding, tests):
            problems.append(f"{alert}: no unit test in which it sounds")
    pages = {path.stem for path in (ROOT / "deploy/docs/runbooks").glob("*.md")}
    problems += [f"{a}: no runbook" for a in alerts if a not in pages]
    problems += [f"runbooks/{p}.md: no such alert" for p in pages - set(alerts)]
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"{len(rules)} queries on {len(asked)} metrics, {len(alerts)} alerts", file=sys.stderr)
    return 1 if problems else 0


sys.exit(main())
