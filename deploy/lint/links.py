"""Checks that every relative link in a document leads to an existing file and heading."""
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


def problems(path: pathlib.Path) -> list[str]:
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
    found = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        # Skips links of sample content to pages of the site.
        if re.match(r"[a-z]+:|/", link):
            continue
        name, _, anchor = link.partition("#")
        target = path.parent / urllib.parse.unquote(name) if name else path
        if not target.exists():
            found.append(f"{path.relative_to(ROOT)}: {link} leads nowhere")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            found.append(f"{path.relative_to(ROOT)}: {link} names no heading")
    return found


listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True)
wrong = [problem for name in listed.stdout.splitlines() if (ROOT / name).exists() for problem in problems(ROOT / name)]
for problem in wrong:
    print(problem, file=sys.stderr)
sys.exit(1 if wrong else 0)
