"""Checks that no file uses a word of the former vocabulary more often than vocabulary.json allows.

    vocabulary.py            compares every tracked file with vocabulary.json
    vocabulary.py --update   updates vocabulary.json after uses were removed

docs/glossary.md lists the words to use instead.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent.parent
ALLOWED = pathlib.Path(__file__).with_suffix(".json")
ENDINGS = (".rs", ".ts", ".tsx", ".proto", ".sql", ".md", ".sh", ".py", ".yaml", ".yml")
# Texts for visitors, generated files, and the two lists of the words.
SKIPPED = re.compile(r"^(services/content/seed/|frontend/e2e/drafts/|frontend/src/gen/|deploy/lint/vocabulary|docs/glossary\.md)")
INSTEAD = {
    r"\bAskers?\b": "ClientProfile, or CallContext in the API",
    r"\bKnownPages\b": "ResolvedUrlCache",
    r"\bMaker\b": "PageBuilder",
    r"\bPilot\b": "Leader of a single-flight",
    r"\bLanding\b": "FillResult of a single-flight",
    r"\bFlights?\b": "SingleFlight, or Fill",
    r"\bHeads\b": "HitHeaders",
    r"\bImprover\b": "Recompressor",
    r"\bPatience\b": "WriteTimeout",
    r"\bPlaces\b": "ConcurrencyLimit",
    r"\badd_own\b": "add_visitor_headers",
    r"\bConfigCopy\b": "LayoutCache",
    r"\bOneByOne\b": "MultipartForwarder",
    r"\bchanges_at\b": "expires_at",
    r"\bSharedParts\b": "LoaderCache",
    r"\bUnanswered\b": "AttemptError",
    r"\bask_again\b": "with_retry",
    r"\bREMOVAL\b": "DEREGISTRATION_DELAY",
    r"\b(codeOf|codeForPress)\b": "importOrReload, importOnInteraction",
    r"\b(pageAt|siteOf|takeOverLinks)\b": "matchPage, AppRoot, interceptLinks",
    r"\b(ApiFailure|FailureKind)\b": "ApiError",
    r"\b(fetchWithin|watchClock)\b": "fetchWithTimeout, subscribeClock",
    r"\b(useMore|onceSeen|sendKept)\b": "useLoadMore, onFirstVisible, flushQueue",
    r"\bUnusedConnections\b": "PristineConnections",
    r"\b(SteadyFigures|farthestOf)\b": "FixedWidthPrice, widestOf",
    r"\b(nameIn|descriptionIn|textIn|faultsOf)\b": "localized, or validate",
    r"\b(askApp|byApp|logInByApp)\b": "withNativeApp, nativeLogin",
    r"\b[A-Z]\w*_(LEAST|MOST)\b": "MIN_ or MAX_ before the noun",
    r"\b(const|static) (KEPT|SAID|NONE|MOST|KEY|SEEN|ONE)\b": "a noun that says of what",
    r"\bfn (fly|judged?|spend|unlearn|hear|tidy)\b": "join_or_fill, resolve or validate, check, reset, on_message, compact",
    r"\bfunction (say|hush|tell|shown|paced|until)\b": "showToast, dismissToast, emit, currentPageRef, throttle, waitFor",
    r"\btype Faults?\b": "FieldErrors",
    # Types only: in a sentence the words are English.
    r"\b(struct|enum|trait|type|class|interface) (Seats?|Board|Shelf|Verdict|Judged|Former|Mirror|Stamp|Kept|Held|Listed|Shown|Made|Make|Told|Sought|Asked|Timed|Heat|Way)\b":
        "the term of docs/glossary.md",
    r"\b(struct|enum|trait|type|class|interface) (Followers?|Standing|Figures|Chrome)\b":
        "ChangeSubscriber, AccountStatus, Metrics, LayoutData",
    r"(?i)\bspoilt\b": "faulty",
    r"\bturned_away\b": "reject",
    r"\bunder_way\b": "in_flight",
    r"\bunlearn\w*": "reset",
    r"\bis_leaving\b": "is_shutting_down",
    r"\w*_?figures\(": "metrics",
    r"\bbring_in\b": "import",
    r"\bsow\w*": "seed",
    r"(?i)\banew\b": "again",
    r"(?i)\bso long\b": "while, or a duration",
    r"(?i)\bat hand\b": "available",
    r"(?i)\bnobody is to\b": "must not",
    r"(?i)\b(specification|contract) ?§": "a link into docs/",
}


def uses(text: str) -> dict[str, int]:
    """Returns how often a text uses each word, without unused words."""
    counts = {word: len(re.findall(word, text)) for word in INSTEAD}
    return {word: count for word, count in counts.items() if count}


def additions(now: dict[str, dict[str, int]], allowed: dict[str, dict[str, int]]) -> list[str]:
    """Returns a line for each word that a file uses more often than allowed."""
    return [
        f"{name}: '{word}' {count} times, {allowed.get(name, {}).get(word, 0)} allowed; use {INSTEAD[word]}"
        for name, words in sorted(now.items())
        for word, count in words.items()
        if count > allowed.get(name, {}).get(word, 0)
    ]


def tracked() -> dict[str, dict[str, int]]:
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True)
    names = [name for name in listed.stdout.splitlines() if name.endswith(ENDINGS) and not SKIPPED.match(name)]
    found = {name: uses((ROOT / name).read_text()) for name in names if (ROOT / name).exists()}
    return {name: words for name, words in found.items() if words}


def main() -> int:
    now = tracked()
    if "--update" in sys.argv:
        ALLOWED.write_text(json.dumps(now, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
        return 0
    wrong = additions(now, json.loads(ALLOWED.read_text()))
    for line in wrong:
        print(line, file=sys.stderr)
    total = collections.Counter()
    for words in now.values():
        total.update(words)
    print(f"{sum(total.values())} uses of former words are left", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
