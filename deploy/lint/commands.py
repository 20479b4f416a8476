"""Checks the commands of README and docs: `make run` builds every program that they name, and migration jobs are
deleted before a release is applied, because the template of an existing job is immutable."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent.parent
texts = {path: path.read_text() for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]}
named = {name for text in texts.values() for name in re.findall(r"target/(?:debug|release)/([a-z-]+)", text)}
built = set(re.findall(r"--bin (\S+)", (ROOT / "deploy/run.sh").read_text()))
for program in sorted(named - built):
    print(f"the documents name {program}, which deploy/run.sh does not build", file=sys.stderr)
releases = [(path, block.partition("apply -f /tmp/release.yaml")) for path, text in texts.items()
            for block in re.findall(r"^```.*?^```$", text, re.MULTILINE | re.DOTALL) if "apply -f /tmp/release.yaml" in block]
unready = [path.relative_to(ROOT) for path, (before, *_) in releases
           if not re.search(r"delete job -l app\.kubernetes\.io/component=migration ", before)]
for path in unready:
    print(f"{path}: applies a release without deleting the migration jobs first", file=sys.stderr)
print(f"{len(named)} programs, {len(releases)} rollouts", file=sys.stderr)
sys.exit(bool(named - built or unready or not releases))
