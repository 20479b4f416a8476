"""Licences and sources of everything that is built in, and the bill of materials:

    licences.py [--sbom FILE]

Every crate and npm package has a licence that deny.toml allows; every one that a lock file names, for
tools and benchmarks too, comes from a registry and is known by a hash. With --sbom, writes what is
built in as CycloneDX 1.5 JSON. Works from the lock files and the packages that they brought; fetches
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
    """Whether an SPDX expression can be fulfilled by allowed licences; `/` is cargo's old OR."""
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
    """What stands in the lock file, with the licence that the package's own file names."""
    lock = json.loads((ROOT / folder / "package-lock.json").read_text())
    found = []
    for path, entry in lock["packages"].items():
        own = ROOT / folder / path / "package.json"
        licence = entry.get("license")
        if licence is None and own.exists():
            licence = json.loads(own.read_text()).get("license")
        # Of other platforms: neither installed nor used.
        if path and (licence or own.exists()):
            found.append(("npm", path.split("node_modules/")[-1], entry.get("version", ""), licence or ""))
    return found


def foreign() -> list[str]:
    """What a lock file has from elsewhere than a registry, or without a hash."""
    found = []
    for p in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]:
        # Ours have no source.
        if p.get("source") and (p["source"] != CRATES or "checksum" not in p):
            found.append(f"Cargo.lock: {p['name']} {p['version']}: {p['source']}")
    for lock in NPM_LOCKS:
        for path, entry in json.loads((ROOT / lock).read_text())["packages"].items():
            resolved = entry.get("resolved", NPM)
            # What is bundled comes with the package around it, under that one's hash.
            if path and not entry.get("inBundle") and not (resolved.startswith(NPM) and "integrity" in entry):
                found.append(f"{lock}: {path}: {resolved}, {entry.get('integrity', 'no hash')}")
    return found


def hashes() -> dict[tuple[str, str, str], dict[str, str]]:
    """The hash of each crate and npm package as the lock files have it, in CycloneDX's form."""
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
    # Tools of the build, whose code is in nothing that is shipped.
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
