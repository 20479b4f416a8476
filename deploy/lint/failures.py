"""Checks that every test and alert in docs/operations/failures.md exists, and that at least 25 faults have a test."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent.parent
text = (ROOT / "docs/operations/failures.md").read_text()
alerts = {name for path in (ROOT / "deploy/telemetry").rglob("alerts.yml") for name in re.findall(r"alert: (\w+)", path.read_text())}
problems, shown = [], 0
for row in re.findall(r"^\| *\d+ \|(.*)\|$", text, re.MULTILINE):
    *_, operators, tests = (cell.strip() for cell in row.split(" | "))
    named = re.findall(r"(\S+) `(\w+)`", tests)
    scripts = re.findall(r"`(deploy/\S+\.sh)`", tests)
    shown += bool(named or scripts)
    for folder, test in named:
        if not any(f"fn {test}(" in path.read_text() for path in (ROOT / folder).rglob("*.rs")):
            problems.append(f"{folder}: no test {test}")
    problems += [f"no script {script}" for script in scripts if not (ROOT / script).exists()]
    problems += [f"no alert {name}" for name in re.findall(r"`([A-Z][A-Za-z]+)`", operators) if name not in alerts]
for problem in problems:
    print(f"docs/operations/failures.md: {problem}", file=sys.stderr)
print(f"{shown} faults with a test", file=sys.stderr)
sys.exit(1 if problems or shown < 25 else 0)
