"""Compares environment variables with the table of docs/configuration.md: the table lists every variable that
programs read, with its default; programs read every variable of the table; and the table lists every variable
that manifests and images set."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent.parent
# Passed from a process to its child process; nobody else sets them.
INTERNAL = {"SAHM_RENDERER_WATCH_STDIN"}
NODE = {"NODE_ENV", "NODE_OPTIONS"}
# Read by the libraries tracing-subscriber and rustls-native-certs.
LIBRARIES = {"RUST_LOG", "SSL_CERT_FILE"}
# Read by the build, not by a process.
BUILD = {"SAHM_BUILD_COMMIT"}
ABSENT = {"none", "unset"}
NAME = r"\b(?:SAHM|OTEL)_[A-Z0-9_]+\b"


def known() -> dict[str, str]:
    """Returns the settings that the chassis accepts, with their defaults."""
    names = (ROOT / "services/chassis/src/settings/names.rs").read_text()
    return dict(re.findall(r"\b(?:open|secret|password)\(\s*\"(SAHM_[A-Z0-9_]+)\",\s*\"([^\"]*)\"", names))


def rows() -> list[tuple[list[str], str]]:
    """Returns the variables of each row of the table, and the default in its second column."""
    text = (ROOT / "docs/configuration.md").read_text().split("\n## Settings\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\|([^|]*)\|([^|]*)\|", text, re.MULTILINE)
    return [(re.findall(r"`([A-Z0-9_]+)`", names), default.replace("`", "").strip()) for names, default in cells]


def other_defaults(settings: dict[str, str]) -> list[str]:
    """Returns rows whose default differs from the default of their first setting. Further settings of a row,
    such as its token, must be unset by default."""
    wrong = []
    for names, default in rows():
        for at, name in enumerate(names):
            own = settings.get(name, default)
            if own != default and (at == 0 or own not in ABSENT):
                wrong.append(f"docs/configuration.md: the default of {name} is '{own}', not '{default}'")
    return wrong


def program_text(path: pathlib.Path) -> str:
    return path.read_text().split("#[cfg(test)]\nmod tests {")[0]


def read_by_programs() -> set[str]:
    """Returns the variables that the sources read."""
    names = set()
    for path in [*ROOT.glob("gateway/src/**/*.rs"), *ROOT.glob("services/*/src/**/*.rs"), *ROOT.glob("deploy/site/src/**/*.rs")]:
        if not {"testkit", "tests"} & set(path.parts) and not path.stem.endswith("tests"):
            read = r"(?:var|var_os|value)" if path.name == "otlp.rs" else r"(?:var|var_os)"
            names |= set(re.findall(read + r"\(\"([A-Z][A-Z0-9_]+)\"\)", program_text(path)))
    for path in ROOT.glob("frontend/renderer/*.ts"):
        if not path.name.endswith(".test.ts"):
            names |= set(re.findall(r"(?<!meta\.)\benv\.([A-Z0-9_]+)", path.read_text()))
    otlp = (ROOT / "services/chassis/src/telemetry/otlp.rs").read_text()
    for pattern in re.findall(r"format!\(\"(OTEL_[A-Z_{}a-z]+)\"\)", otlp):
        names |= {pattern.replace("{signal}", signal).replace("{what}", what)
                  for signal in ("TRACES", "METRICS", "LOGS") for what in ("ENDPOINT", "PROTOCOL")}
    return names


def read_by_exporters() -> set[str]:
    """Returns the variables in the sources of the OpenTelemetry crates that Cargo has downloaded."""
    sources = pathlib.Path.home().glob(".cargo/registry/src/*/opentelemetry*/src/**/*.rs")
    return {name for path in sources for name in re.findall(r"\"(OTEL_[A-Z0-9_]+)\"", path.read_text())}


def given() -> list[tuple[str, str]]:
    """Returns the variables that manifests, the compose file and images set, with the file."""
    files = [*ROOT.glob("k8s/**/*.yaml"), *ROOT.glob("k8s/**/*.env"), ROOT / "deploy/compose/compose.yaml", *ROOT.glob("deploy/images/*.Dockerfile")]
    found = []
    for path in files:
        for name in set(re.findall(NAME, re.sub(r"#.*", "", path.read_text()))):
            found.append((str(path.relative_to(ROOT)), name))
    return found


def main() -> int:
    defaults = known()
    settings, table = set(defaults), {name for names, _ in rows() for name in names}
    ours, exporters = read_by_programs(), read_by_exporters()
    problems = [f"docs/configuration.md lacks {name}" for name in sorted((settings | ours) - table - INTERNAL - NODE)
                # The table lists only the variables for all signals, not those of one signal.
                if not re.fullmatch(r"OTEL_EXPORTER_OTLP_(TRACES|METRICS|LOGS)_(ENDPOINT|PROTOCOL)", name)]
    if exporters:
        problems += [f"docs/configuration.md has {name}, which nothing reads" for name in sorted(table - settings - ours - exporters - LIBRARIES)]
    else:
        print("no sources of the exporters: their variables are not compared", file=sys.stderr)
    problems += other_defaults(defaults)
    problems += [f"{where}: {name} is not in docs/configuration.md" for where, name in given() if name not in table | BUILD]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


sys.exit(main())
