"""Checks licences and sources of dependencies, and writes the bill of materials:

    licences.py [--sbom FILE]

Every crate and npm package in the products must have a licence that deny.toml allows. Every package in a lock
file, including tools and benchmarks, must come from a registry and have a hash. With --sbom, writes the
packages in the products as CycloneDX 1.5 JSON. Reads the lock files and the installed packages; downloads
nothing.
"""
import base64
import json
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).parent.parent.parent
CRATES = "registry+https://github.com/rust-lang/crates.io-index"
NPM = "https://registry.npmjs.org/"
NPM_LOCKS = [f"{folder}/package-lock.json" for folder in ("frontend", "deploy/node", "deploy/lighthouse", "deploy/bench/next", "deploy/bench/nuxt")]


def allowed(expression: str, allow: set[str]) -> bool:
    """Whether allowed licences satisfy an SPDX expression; `/` is cargo's old form of OR."""
    tokens = re.findall(r"\(|\)|/|[\w.+-]+", expression)
    at = 0

    def one() -> bool:
        nonlocal at
        if tokens[at] == "(":
            at += 1
            holds = either()
            at += 1
            return holds
        name = tokens[at]
        at += 1
        if at < len(tokens) and tokens[at] == "WITH":
            name = f"{name} WITH {tokens[at + 1]}"
            at += 2
        return name in allow

    def both() -> bool:
        nonlocal at
        holds = one()
        while at < len(tokens) and tokens[at] == "AND":
            at += 1
            holds = one() and holds
        return holds

    def either() -> bool:
        nonlocal at
        holds = both()
        while at < len(tokens) and tokens[at] in ("OR", "/"):
            at += 1
            holds = both() or holds
        return holds

    return bool(tokens) and either()


def crates() -> list[tuple[str, str, str, str]]:
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    packages = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)["packages"]
    return [("cargo", p["name"], p["version"], p["license"] or "") for p in packages if p["source"]]


def npm(folder: str) -> list[tuple[str, str, str, str]]:
    """Returns the packages of the lock file with the licences of their package.json."""
    lock = json.loads((ROOT / folder / "package-lock.json").read_text())
    found = []
    for path, entry in lock["packages"].items():
        own = ROOT / folder / path / "package.json"
        licence = entry.get("license")
        if licence is None and own.exists():
            licence = json.loads(own.read_text()).get("license")
        # Packages for other platforms are neither installed nor used.
        if path and (licence or own.exists()):
            found.append(("npm", path.split("node_modules/")[-1], entry.get("version", ""), licence or ""))
    return found


def foreign() -> list[str]:
    """Returns packages of a lock file that have no hash or do not come from a registry."""
    found = []
    for p in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]:
        # Our own packages have no source.
        if p.get("source") and (p["source"] != CRATES or "checksum" not in p):
            found.append(f"Cargo.lock: {p['name']} {p['version']}: {p['source']}")
    for lock in NPM_LOCKS:
        for path, entry in json.loads((ROOT / lock).read_text())["packages"].items():
            resolved = entry.get("resolved", NPM)
            # A bundled package is part of its parent package and covered by the parent's hash.
            if path and not entry.get("inBundle") and not (resolved.startswith(NPM) and "integrity" in entry):
                found.append(f"{lock}: {path}: {resolved}, {entry.get('integrity', 'no hash')}")
    return found


def hashes() -> dict[tuple[str, str, str], dict[str, str]]:
    """Returns the hash of each crate and npm package in the lock files, in CycloneDX format."""
    found = {}
    for p in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]:
        if "checksum" in p:
            found["cargo", p["name"], p["version"]] = {"alg": "SHA-256", "content": p["checksum"]}
    for lock in NPM_LOCKS:
        for path, entry in json.loads((ROOT / lock).read_text())["packages"].items():
            algorithm, _, content = entry.get("integrity", "").split(" ")[0].partition("-")
            if algorithm == "sha512":
                name = path.rpartition("node_modules/")[2]
                found["npm", name, entry["version"]] = {"alg": "SHA-512", "content": base64.b64decode(content).hex()}
    return found


def main() -> int:
    licences = tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]
    allow = set(licences["allow"])
    parts = sorted(set(crates() + npm("frontend") + npm("deploy/node")))
    # Build tools, whose code is not shipped.
    tools = set(licences.get("tools", []))
    wrong = [p for p in parts if not allowed(p[3], allow) and f"{p[0]}/{p[1]}" not in tools]
    for kind, name, version, licence in wrong:
        print(f"{kind} {name} {version}: {licence or 'no licence'}", file=sys.stderr)
    strangers = foreign()
    for stranger in strangers:
        print(stranger, file=sys.stderr)
    if "--sbom" in sys.argv:
        known = hashes()
        components = [
            {"type": "library", "name": n, "version": v, "purl": f"pkg:{k}/{n.replace('@', '%40')}@{v}",
             "licenses": [{"expression": l.replace("/", " OR ")}],
             "hashes": [known[k, n, v]] if (k, n, v) in known else []}
            for k, n, v, l in parts
        ]
        version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
        subject = {"type": "application", "name": "sahm", "version": version}
        bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": subject}, "components": components}
        pathlib.Path(sys.argv[sys.argv.index("--sbom") + 1]).write_text(json.dumps(bill, indent=1) + "\n")
    print(f"{len(parts)} packages", file=sys.stderr)
    return 1 if wrong or strangers else 0


sys.exit(main())
