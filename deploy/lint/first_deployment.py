"""Checks the objects that docs/operations/first-deployment.md sends to a cluster:

    first_deployment.py FOLDER

FOLDER contains the objects. Each must match its schema, no example name may be left, and every secret key
that a pod needs must exist.
"""
import pathlib
import sys

import kubernetes_validate
import yaml

VERSION = "1.37"


def secrets_of(template: dict) -> set[tuple[str, str]]:
    """Returns the secret keys that the pods of a template need to start."""
    found = set()
    for container in [*template["spec"].get("initContainers", []), *template["spec"]["containers"]]:
        for variable in container.get("env", []):
            key = variable.get("valueFrom", {}).get("secretKeyRef")
            if key and not key.get("optional"):
                found.add((key["name"], key["key"]))
        for source in container.get("envFrom", []):
            if "secretRef" in source:
                found |= {(source["secretRef"]["name"], key) for key in ("BUCKET", "RCLONE_CONFIG_STORE_TYPE")}
    return found


def main() -> int:
    objects = [o for path in sorted(pathlib.Path(sys.argv[1]).glob("*.yaml"))
               for o in yaml.safe_load_all(path.read_text()) if o]
    problems, made, needed = [], set(), set()
    for o in objects:
        name = f"{o['kind']}/{o['metadata']['name']}"
        try:
            kubernetes_validate.validate(o, VERSION, strict=True)
        except kubernetes_validate.ValidationError as error:
            problems.append(f"{name}: {error}")
        if o["kind"] == "Secret":
            made |= {(o["metadata"]["name"], key) for key in o["data"]}
            if o["metadata"]["namespace"] != "sahm-prod":
                problems.append(f"{name}: in {o['metadata']['namespace']}")
        elif o["kind"] == "CronJob":
            needed |= secrets_of(o["spec"]["jobTemplate"]["spec"]["template"])
        elif o["kind"] in ("Deployment", "StatefulSet", "Job"):
            needed |= secrets_of(o["spec"]["template"])
        if o["kind"] != "ConfigMap" or name.startswith("ConfigMap/settings"):
            left = [line.strip() for line in yaml.safe_dump(o).splitlines() if ".example" in line]
            problems += [f"{name}: {line}" for line in left]
    problems += [f"secret {name}: nobody made the key {key}" for name, key in sorted(needed - made)]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(objects)} objects, {len(made)} keys of secrets", file=sys.stderr)
    return 1 if problems or not needed else 0


sys.exit(main())
