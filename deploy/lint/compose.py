"""Checks the compose file: it parses, mounted files exist, every process is confined, and the environment of
each process contains only known settings."""
import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).parent.parent.parent
FILE = ROOT / "deploy/compose/compose.yaml"
OURS = {"gateway", "renderer", "content", "quotes", "identity", "config", "activity", "attribution"}


def main() -> int:
    problems = []
    compose = yaml.safe_load(FILE.read_text())
    services = compose["services"]
    names = (ROOT / "services/chassis/src/settings/names.rs").read_text()
    known = set(re.findall(r"\"(SAHM_[A-Z_]+)\"", names))
    if missing := OURS - set(services):
        problems.append(f"missing: {sorted(missing)}")
    for name, service in services.items():
        for needed in service.get("depends_on", []):
            if needed not in services:
                problems.append(f"{name}: depends on {needed}, which is not there")
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith("."):
                if not (FILE.parent / source).exists():
                    problems.append(f"{name}: {source} is not there")
            elif source not in compose["volumes"]:
                problems.append(f"{name}: the volume {source} is not declared")
        if build := service.get("build"):
            dockerfile = FILE.parent / build["context"] / build["dockerfile"]
            target = build.get("target")
            if target and f" AS {target}\n" not in dockerfile.read_text():
                problems.append(f"{name}: {build['dockerfile']} has no target {target}")
        if not (service.get("mem_limit") and service["logging"]["options"].get("max-size")):
            problems.append(f"{name}: memory or logs without a bound")
        if "no-new-privileges:true" not in service.get("security_opt", []):
            problems.append(f"{name}: may gain privileges")
        if name not in OURS:
            if not re.search(r":v?\d", service["image"]):
                problems.append(f"{name}: no version")
            continue
        if not (service.get("read_only") and service.get("cap_drop") == ["ALL"] and service.get("user") == "65532:65532"):
            problems.append(f"{name}: not confined")
        unknown = {k for k in service["environment"] if k.startswith("SAHM_")} - known
        if unknown:
            problems.append(f"{name}: {sorted(unknown)} are no settings")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


sys.exit(main())
