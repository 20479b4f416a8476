"""Checks that versions and options written in several files are equal: images of the compose file and the
manifests, the Node version of images, packages and scripts, and the renderers' options. Tags of images name a full
version, so that a node that has an image runs what others run. The Rust version of the images must not be older
than the workspace requires."""
import json
import pathlib
import re
import sys
import tomllib

import yaml

ROOT = pathlib.Path(__file__).parent.parent.parent
Said = dict[str, dict[str, set[str]]]


def read(path: str) -> str:
    return (ROOT / path).read_text()


def images() -> Said:
    """Returns the tags of each third-party image, by file."""
    found: Said = {}
    compose = yaml.safe_load(read("deploy/compose/compose.yaml"))["services"].values()
    named = [("deploy/compose/compose.yaml", service["image"]) for service in compose if "build" not in service]
    for path in sorted((ROOT / "k8s").rglob("*.yaml")):
        named += [(str(path.relative_to(ROOT)), image) for image in re.findall(r"^ *image: (\S+/\S+:\S+)$", path.read_text(), re.MULTILINE)]
    for where, image in named:
        name, _, tag = image.rpartition(":")
        found.setdefault(name, {}).setdefault(tag, set()).add(where)
    return found


def one(path: str, pattern: str) -> list[tuple[str, str]]:
    """Returns the text of a pattern's group for each match in a file."""
    versions = re.findall(pattern, read(path), re.MULTILINE)
    if not versions:
        raise SystemExit(f"{path} has nothing like {pattern}")
    return [(path, version) for version in versions]


def said(places: list[tuple[str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for where, version in places:
        found.setdefault(version, set()).add(where)
    return found


def tools() -> Said:
    dockerfiles = ["deploy/images/rust.Dockerfile", "deploy/images/renderer.Dockerfile"]
    own = json.loads(read("deploy/node/package.json"))["dependencies"]["node"]
    built = [place for path in dockerfiles for place in one(path, r"^FROM docker\.io/library/node:([\d.]+)-")]
    major = [
        *[(where, version.split(".")[0]) for where, version in built],
        ("deploy/node/package.json", own.split(".")[0]),
        *one("deploy/lib.sh", r"^MIN_NODE=(\d+)$"),
        *one("frontend/package.json", r"\"node\": \">=(\d+)\""),
        *one("frontend/scripts/build/bundle.ts", r"target: 'node(\d+)'"),
        *one("deploy/images/renderer.Dockerfile", r"^FROM gcr\.io/distroless/nodejs(\d+)-"),
    ]
    return {
        "the version of the release": said([
            *one("Cargo.toml", rf"^version = \"(.+)\"$"),
            *one("k8s/base/kustomization.yaml", r"^    newTag: (.+)$"),
            *one("docs/operations/first-deployment.md", r"\bVERSION=(\S+)$"),
        ]),
        "Node of the images' builds": said([*built, ("deploy/node/package.json", own)]),
        "Node's major version": said(major),
        "the renderer's Node options": said([
            *one("k8s/base/renderer/deployment.yaml", r"name: NODE_OPTIONS\n +value: (.+)$"),
            *one("deploy/compose/compose.yaml", r"NODE_OPTIONS: (.+)$"),
            *one("deploy/separate.sh", r"NODE_OPTIONS='([^']+)' \"\$SAHM_NODE\""),
        ]),
    }


def too_old() -> list[str]:
    least = tomllib.loads(read("Cargo.toml"))["workspace"]["package"]["rust-version"]
    number = lambda version: [int(part) for part in version.split(".")]
    images = one("deploy/images/rust.Dockerfile", r"^FROM docker\.io/library/rust:([\d.]+)-")
    return [f"{where}: Rust {version}, Cargo.toml asks for {least}" for where, version in images if number(version) < number(least)]


def floating() -> list[str]:
    # PostgreSQL's full versions have two numbers.
    full = lambda name, tag: re.match(r"\d+\.\d+" if name.endswith("/postgres") else r"v?\d+\.\d+\.\d+", tag)
    return [f"{name}:{tag} names no full version" for name, tags in images().items() for tag in tags if not full(name, tag)]


def main() -> int:
    compared = images() | tools()
    different = {what: tags for what, tags in compared.items() if len(tags) != 1}
    for what, tags in different.items():
        stand = "; ".join(f"{tag} in {', '.join(sorted(where))}" for tag, where in sorted(tags.items()))
        print(f"{what}: {stand}", file=sys.stderr)
    wrong = [*floating(), *too_old()]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{len(compared)} compared", file=sys.stderr)
    return 1 if different or wrong else 0


sys.exit(main())
