"""Versions of a release:

    release.py bump VERSION       writes the version into every file that states it: Cargo.toml, Cargo.lock, the images of the
                                  manifests, and a dated section of CHANGELOG.md
    release.py check TAG          fails unless TAG (v1.2.3) is the version in every file that states one
    release.py pin DIGESTS        writes the digests of DIGESTS (JSON: image → sha256:…) into the manifests
"""
import datetime
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
IMAGES = ["gateway", "renderer", "content", "quotes", "identity", "config", "activity", "attribution"]
SEMVER = r"\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?"
MANIFEST = "k8s/base/kustomization.yaml"
GUIDE = "docs/operations/first-deployment.md"


def replaced(root: pathlib.Path, name: str, pattern: str, replacement: str, count: int) -> None:
    """Replaces a pattern that must occur `count` times."""
    text, found = re.subn(pattern, replacement, (root / name).read_text(), flags=re.MULTILINE)
    if found != count:
        raise SystemExit(f"{name}: {found} places instead of {count} look like {pattern}")
    (root / name).write_text(text)


def members(root: pathlib.Path) -> int:
    """Number of workspace crates in Cargo.lock: only they have no source."""
    return len(re.findall(r"^\[\[package\]\]\nname = \"sahm-.*\nversion = \".*\n(?!source)", (root / "Cargo.lock").read_text(), re.MULTILINE))


def version_of(root: pathlib.Path) -> str:
    return re.findall(rf"^version = \"({SEMVER})\"$", (root / "Cargo.toml").read_text(), re.MULTILINE)[0]


def bump(root: pathlib.Path, version: str, today: datetime.date) -> None:
    """
    Raises SystemExit if the version is invalid, or a file does not look as expected.
    """
    if not re.fullmatch(SEMVER, version):
        raise SystemExit(f"'{version}' is not a version such as 1.2.3")
    crates = members(root)
    replaced(root, "Cargo.toml", rf"^version = \"{SEMVER}\"$", f'version = "{version}"', 1)
    replaced(root, "Cargo.lock", r"(^\[\[package\]\]\nname = \"sahm-.*\nversion = )\".*\"\n(?!source)", rf'\g<1>"{version}"\n', crates)
    replaced(root, MANIFEST, r"^    (?:newTag|digest): .*$", f"    newTag: {version}", len(IMAGES))
    replaced(root, GUIDE, rf"\bVERSION={SEMVER}$", f"VERSION={version}", 1)
    replaced(root, "CHANGELOG.md", r"^## \[Unreleased\]$", f"## [Unreleased]\n\n## [{version}] - {today}", 1)


def pin(root: pathlib.Path, digests: dict[str, str]) -> None:
    """
    Raises SystemExit if a digest is missing or invalid.
    """
    if set(digests) != set(IMAGES):
        raise SystemExit(f"digests of {sorted(digests)}, expected of {IMAGES}")
    for name, digest in digests.items():
        if not re.fullmatch(r"sha256:[0-9a-f]{64}", digest):
            raise SystemExit(f"{name}: '{digest}' is not a digest")
        replaced(root, MANIFEST, rf"(  - name: sahm/{name}\n    newName: .*\n)    (?:newTag|digest): .*$", rf"\g<1>    digest: {digest}", 1)


def check(root: pathlib.Path, tag: str) -> None:
    """
    Raises SystemExit if a file states another version than the tag, or CHANGELOG.md has no section for it.
    """
    version = version_of(root)
    stated = {tag.removeprefix("v"), version, *re.findall(r"^    newTag: (.*)$", (root / MANIFEST).read_text(), re.MULTILINE)}
    if stated != {version} or f"## [{version}]" not in (root / "CHANGELOG.md").read_text():
        raise SystemExit(f"{tag}: the files state {sorted(stated)}, or CHANGELOG.md has no section for it")


def main() -> int:
    match sys.argv[1:]:
        case ["bump", version]:
            bump(ROOT, version, datetime.date.today())
        case ["check", tag]:
            check(ROOT, tag)
        case ["pin", file]:
            pin(ROOT, json.loads(pathlib.Path(file).read_text()))
        case _:
            raise SystemExit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main())
