#!/usr/bin/env python3
"""Looks for phones, codes and tokens in what processes logged.

    deploy/check-logs.py FOLDER

FOLDER/*.log is searched, lines of standard error as they came. What must not stand in them:
what tests used (lines of FOLDER/secrets-*.txt, values of `phone` and `code` in FOLDER/*.outbox.jsonl),
and whatever has the shape of a Saudi phone, a code beside a word for one, or a session's token.
Fails on a find, and where there is nothing to search or to search for.
"""

import json
import re
import sys
from pathlib import Path

# Numbers that are no phones, and ids that are no tokens.
HARMLESS = re.compile(
    r"""(elapsed_us|duration_ms|bytes|size|pid)["']?\s*[=:]\s*\d+(\.\d+)?
      | \d{4}-\d\d-\d\dT[\d:.]+Z?
      | \b[0-9a-f]{16}\b | \b[0-9a-f]{32}\b | \b[0-9a-f]{40}\b | \b[0-9a-f]{64}\b""",
    re.VERBOSE,
)
SHAPES = {
    # Behind a slash stand ids of items, which may have nine digits too.
    "a phone": re.compile(r"(?<![\w.:/-])(?:\+|00)?(?:966)?0?5\d{8}(?![\w.])"),
    "a phone with its country": re.compile(r"(?<!\w)\+\d{8,15}(?!\w)"),
    "a code": re.compile(
        r"(?i)\b(?:code|otp|pin|passcode|verification)\b[\"'\s:=()]{1,4}(?:is\s+)?\d{6}(?!\d)"
    ),
    # 43 characters or more of base64url: 256 bits; words joined by hyphens have no such mix.
    "a token": re.compile(
        r"(?<![\w/-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*\d)[A-Za-z0-9_-]{43,}(?![\w-])"
    ),
    "a cookie": re.compile(r"sahm_session=[A-Za-z0-9_-]{8,}"),
}
# Shorter ones would be found in every other number.
SHORTEST = 6


def finds(line: str, secrets: re.Pattern | None) -> list[str]:
    """What a line gives away."""
    plain = HARMLESS.sub("", line)
    found = [what for what, shape in SHAPES.items() if shape.search(plain)]
    if secrets and (secret := secrets.search(plain)):
        found.append(f"{secret.group()!r}, which a test used")
    return found


def used(folder: Path) -> set[str]:
    """What tests used."""
    secrets = set()
    for file in sorted(folder.glob("secrets-*.txt")):
        secrets.update(file.read_text().split("\n"))
    for outbox in folder.glob("*.outbox.jsonl"):
        for line in outbox.read_text().splitlines():
            message = json.loads(line)
            secrets.update((message["phone"], message["code"]))
    return {secret for secret in secrets if len(secret) >= SHORTEST}


def pattern(secrets: set[str]) -> re.Pattern | None:
    """One that finds each of them as a whole word."""
    words = "|".join(re.escape(secret) for secret in sorted(secrets, key=len, reverse=True))
    return re.compile(rf"(?<![\w.])(?:{words})(?!\w)") if secrets else None


def prove() -> None:
    """Holds the search against lines whose worth is known."""
    token = "kJ8" + "aB3_dE5-" * 6
    bad = [
        "sms to +966512340001", '{"message":"sent","to":"966512340001"}', "phone=0512340001",
        "code: 123456", '"code":"123456"', f"session {token}", f"cookie sahm_session={token}",
        "invited by QX7K2M9P", 'path="/en-us/join/QX7K2M9P"',
    ]  # fmt: skip
    good = [
        '"elapsed_us":512340001', "listening on 127.0.0.1:51234", '"code":10000000', "status 503",
        "trace_id=0af7651916cd43dd8448eb211c80319c", "2026-11-21T09:42:16.000512Z",
        "/en-us/education/a-long-slug-of-many-words-that-goes-on-and-on-and-on-1",
        "sahm_gateway::page_cache::making", "position 4294967296",
        'path="/api/hq/iisnews/detail/506100502"',
    ]  # fmt: skip
    secrets = pattern({"QX7K2M9P"})
    wrong = [line for line in bad if not finds(line, secrets)]
    wrong += [line for line in good if finds(line, secrets)]
    if wrong:
        sys.exit("the search itself is wrong about:\n" + "\n".join(wrong))


def main() -> None:
    """Searches."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    prove()
    folder = Path(sys.argv[1])
    secrets = used(folder)
    logs = sorted(folder.glob("*.log"))
    lines = found = 0
    search = pattern(secrets)
    for log in logs:
        for number, line in enumerate(log.read_text(errors="replace").splitlines(), 1):
            lines += 1
            if what := finds(line, search):
                found += 1
                print(f"{log.name}:{number}: {', '.join(what)}: {line[:300]}")
    print(f"{lines} lines of {len(logs)} logs, {len(secrets)} phones, codes and tokens: {found} found")
    if found or not lines or not secrets:
        sys.exit(1)


main()
