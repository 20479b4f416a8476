#!/usr/bin/env python3
"""Searches the logs of processes for telephone numbers, codes and tokens.

    deploy/check-logs.py FOLDER

Searches each line of FOLDER/*.log for the secrets that tests used (lines of FOLDER/secrets-*.txt, values of
`phone` and `code` in FOLDER/*.outbox.jsonl), and for text that matches the pattern of a Saudi number, of a code
beside a word for one, or of a session token. Fails if it finds one, or if there are no logs or no secrets.
"""

import json
import re
import sys
from pathlib import Path

# Numbers that are not telephone numbers, and ids that are not tokens.
HARMLESS = re.compile(
    r"""(elapsed_us|duration_ms|bytes|size|pid)["']?\s*[=:]\s*\d+(\.\d+)?
      | \d{4}-\d\d-\d\dT[\d:.]+Z?
      | \b[0-9a-f]{16}\b | \b[0-9a-f]{32}\b | \b[0-9a-f]{40}\b | \b[0-9a-f]{64}\b""",
    re.VERBOSE,
)
PATTERNS = {
    # Not after a slash: ids of items in paths may have nine digits too.
    "a phone": re.compile(r"(?<![\w.:/-])(?:\+|00)?(?:966)?0?5\d{8}(?![\w.])"),
    "a phone with its country": re.compile(r"(?<!\w)\+\d{8,15}(?!\w)"),
    "a code": re.compile(
        r"(?i)\b(?:code|otp|pin|passcode|verification)\b[\"'\s:=()]{1,4}(?:is\s+)?\d{6}(?!\d)"
    ),
    # 43 characters or more of base64url, 256 bits, with upper and lower case and digits, unlike hyphenated words.
    "a token": re.compile(
        r"(?<![\w/-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*\d)[A-Za-z0-9_-]{43,}(?![\w-])"
    ),
    "a cookie": re.compile(r"sahm_session=[A-Za-z0-9_-]{8,}"),
}
# A shorter secret would match parts of other numbers.
MIN_SECRET_LENGTH = 6


def secrets_in(line: str, secrets: re.Pattern | None) -> list[str]:
    """Returns the kinds of secrets in a line."""
    plain = HARMLESS.sub("", line)
    found = [kind for kind, pattern in PATTERNS.items() if pattern.search(plain)]
    if secrets and (secret := secrets.search(plain)):
        found.append(f"{secret.group()!r}, which a test used")
    return found


def test_secrets(folder: Path) -> set[str]:
    """Returns the secrets that tests used."""
    secrets = set()
    for file in sorted(folder.glob("secrets-*.txt")):
        secrets.update(file.read_text().split("\n"))
    for outbox in folder.glob("*.outbox.jsonl"):
        for line in outbox.read_text().splitlines():
            message = json.loads(line)
            secrets.update((message["phone"], message["code"]))
    return {secret for secret in secrets if len(secret) >= MIN_SECRET_LENGTH}


def pattern_of(secrets: set[str]) -> re.Pattern | None:
    """Returns a pattern that matches each secret as a whole word."""
    words = "|".join(re.escape(secret) for secret in sorted(secrets, key=len, reverse=True))
    return re.compile(rf"(?<![\w.])(?:{words})(?!\w)") if secrets else None


def self_test() -> None:
    """Checks the patterns against lines with and without secrets."""
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
        "sahm_gateway::page_cache::fill", "position 4294967296",
        'path="/api/hq/iisnews/detail/506100502"',
    ]  # fmt: skip
    secrets = pattern_of({"QX7K2M9P"})
    wrong = [line for line in bad if not secrets_in(line, secrets)]
    wrong += [line for line in good if secrets_in(line, secrets)]
    if wrong:
        sys.exit("the patterns are wrong about:\n" + "\n".join(wrong))


def main() -> None:
    """Searches the logs of a folder."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    self_test()
    folder = Path(sys.argv[1])
    secrets = test_secrets(folder)
    logs = sorted(folder.glob("*.log"))
    lines = found = 0
    pattern = pattern_of(secrets)
    for log in logs:
        for number, line in enumerate(log.read_text(errors="replace").splitlines(), 1):
            lines += 1
            if kinds := secrets_in(line, pattern):
                found += 1
                print(f"{log.name}:{number}: {', '.join(kinds)}: {line[:300]}")
    print(f"{lines} lines of {len(logs)} logs, {len(secrets)} phones, codes and tokens: {found} found")
    if found or not lines or not secrets:
        sys.exit(1)


main()
