"""Checks that `make run` builds every program in the commands of README and docs."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent.parent
texts = [path.read_text() for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]]
named = {name for text in texts for name in re.findall(r"target/release/([a-z-]+)", text)}
built = set(re.findall(r"--bin (\S+)", (ROOT / "deploy/run.sh").read_text()))
for program in sorted(named - built):
    print(f"the documents name {program}, which deploy/run.sh does not build", file=sys.stderr)
print(f"{len(named)} programs", file=sys.stderr)
sys.exit(bool(named - built))
