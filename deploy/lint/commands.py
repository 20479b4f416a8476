"""Every program that the README's commands start is built by `make run`."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent.parent
named = set(re.findall(r"\b(sahm-[a-z]+) (?:import|withdraw|discard|replay|migrate)\b", (ROOT / "README.md").read_text()))
built = set(re.findall(r"--package (\S+)", (ROOT / "deploy/run.sh").read_text()))
for program in sorted(named - built):
    print(f"README.md names {program}, which deploy/run.sh does not build", file=sys.stderr)
print(f"{len(named)} programs", file=sys.stderr)
sys.exit(bool(named - built))
