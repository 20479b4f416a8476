"""Checks that every relative link in a document, and every `docs/…md#heading` in code, leads to an existing file and heading."""
import pathlib
import re
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).parent.parent.parent


def anchors(path: pathlib.Path) -> set[str]:
    """Returns the anchors of a document's headings, as GitHub and GitLab derive them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
    words = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {word.replace(" ", "-") for word in words}


def tracked(*patterns: str) -> list[pathlib.Path]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).exists()]


def problem(path: pathlib.Path, target: pathlib.Path, link: str, anchor: str) -> list[str]:
    """Returns why the link of a file is wrong, or nothing."""
    if not target.exists():
        return [f"{path.relative_to(ROOT)}: {link} leads nowhere"]
    if anchor and target.suffix == ".md" and anchor not in anchors(target):
        return [f"{path.relative_to(ROOT)}: {link} names no heading"]
    return []


def problems_of_document(path: pathlib.Path) -> list[str]:
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
    found = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        # Skips links of sample content to pages of the site.
        if re.match(r"[a-z]+:|/", link):
            continue
        name, _, anchor = link.partition("#")
        target = path.parent / urllib.parse.unquote(name) if name else path
        found += problem(path, target, link, anchor)
    return found


def problems_of_code(path: pathlib.Path) -> list[str]:
    links = re.findall(r"(?<![\w/.-])(docs/[\w/.-]+\.md)(?:#([\w-]+))?", path.read_text())
    return [line for name, anchor in links for line in problem(path, ROOT / name, name + (anchor and f"#{anchor}"), anchor)]


CODE = ["*.rs", "*.ts", "*.tsx", "*.proto", "*.sh", "*.py", "*.yaml", "*.yml", "*.toml", "*.vcl", "*.sql", "*.lua", "*.css"]
wrong = [line for path in tracked("*.md") for line in problems_of_document(path)]
wrong += [line for path in tracked(*CODE) for line in problems_of_code(path)]
for line in wrong:
    print(line, file=sys.stderr)
sys.exit(1 if wrong else 0)
