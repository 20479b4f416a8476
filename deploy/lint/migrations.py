"""Checks that migrations only add (docs/operations/rollout.md#migrations): while one runs, and after a rollback,
the previous release uses the same schema.

A later migration may remove what a published release no longer uses. The line before such a statement names that
release: `-- Contract: unused since 1.2.3`.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent.parent
FOLDERS = ["services/*/src/store/migrations/*.sql", "services/chassis/src/changes/*.sql"]
# Migrations from before the first rollout.
EARLIER = {"services/content/src/store/migrations/0004_counts.sql"}
CONTRACT = re.compile(r"^-- Contract: unused since (\d+\.\d+\.\d+)$", re.MULTILINE)
# What a statement does, and how to recognise it.
BREAKING = {
    "drops what the previous release may use": r"\bDROP (?!INDEX\b|DEFAULT\b|NOT NULL\b)",
    "renames what the previous release uses": r"\bRENAME\b",
    "changes the type of a column": r"\bALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE\b",
    "forbids NULL, which the previous release may write": r"\bSET NOT NULL\b",
    "restricts rows that the previous release may write": r"^ALTER TABLE .*\bADD (?:CONSTRAINT|UNIQUE|CHECK|FOREIGN|PRIMARY)\b|^CREATE UNIQUE INDEX\b",
    "adds a column that the previous release does not fill": r"\bADD (?:COLUMN )?(?!.*\bDEFAULT\b).*\bNOT NULL\b",
}


def problems(sql: str, releases: set[str]) -> list[str]:
    """Lists the statements of a migration that break the previous release. `releases` are the published versions."""
    sql = re.sub(r"--(?! Contract: ).*", "", sql)
    created = set(re.findall(r"\bCREATE TABLE (?:IF NOT EXISTS )?(\w+)", sql, re.IGNORECASE))
    found = []
    for part in sql.split(";"):
        since = CONTRACT.search(part)
        statement = " ".join(re.sub(r"--.*", "", part).split())
        table = re.search(r"\b(?:TABLE|ON) (?:IF EXISTS )?(\w+)", statement, re.IGNORECASE)
        # A table that the same migration creates is unknown to the previous release.
        if (since and since[1] in releases) or (table and table[1] in created):
            continue
        found += [f"{what}: {statement}" for what, pattern in BREAKING.items() if re.search(pattern, statement, re.IGNORECASE)]
    return found


def main() -> int:
    releases = set(re.findall(r"^## \[(\d+\.\d+\.\d+)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE))
    paths = sorted(path for folder in FOLDERS for path in ROOT.glob(folder))
    wrong = [f"{name}: {problem}" for path in paths if (name := str(path.relative_to(ROOT))) not in EARLIER
             for problem in problems(path.read_text(), releases)]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{len(paths)} migrations", file=sys.stderr)
    return 1 if wrong or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
