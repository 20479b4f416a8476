"""Checks that the modules of a crate do not import one another in a circle: neither its files nor its top-level
modules, each of these with everything in it.

A file depends on the file that defines the items it uses, also if another module re-exports them. A module and its
submodules may refer to each other, because they have one subject. Tests are ignored.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent.parent
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
STRING = re.compile(r'r(#+)".*?"\1|"(?:[^"\\]|\\.)*"', re.DOTALL)
# An item of test builds: to its semicolon, or to its closing brace at the beginning of a line.
TEST_ITEM = re.compile(r"^#\[cfg\((?:any\()?test\b[^\n]*\n(?:[^\n]*\buse [^;]*;|[^;{]*(?:;|\{.*?^\}))", re.DOTALL | re.MULTILINE)
USE = re.compile(r"^[ \t]*(?:pub(?:\([^)]*\))? )?use ([^;]+);", re.MULTILINE)
PATH = re.compile(r"(?<![\w:])(?:\w+::)+\w+")

Module = tuple[str, ...]
Edges = dict[Module, set[Module]]


def expand(tree: str) -> list[tuple[str, str]]:
    """Returns the paths of a use tree with the names that they introduce: `a::{b, c as d}` is a::b as b, a::c as d."""
    tree = " ".join(tree.split())
    if not tree.endswith("}"):
        path, _, name = tree.partition(" as ")
        return [(path, name or path.rsplit("::", 1)[-1])]
    prefix, _, inner = tree.partition("{")
    parts, depth = [""], 0
    for letter in inner[:-1]:
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    pairs = [pair for part in parts if part.strip() for pair in expand(part)]
    parent = prefix.removesuffix("::")
    return [(parent, parent.rsplit("::", 1)[-1]) if path == "self" else (prefix + path, name) for path, name in pairs]


class Crate:
    """The modules of a crate by their paths, with the paths that each one names."""

    def __init__(self, sources: dict[str, str]) -> None:
        """`sources` are the texts of the files by their paths below `src`."""
        self.paths: dict[Module, list[str]] = {}
        self.imports: dict[Module, dict[str, str]] = {}
        for file, text in sources.items():
            *folders, name = file.removesuffix(".rs").split("/")
            if "tests" in (*folders, name) or file == "main.rs":
                continue
            module = tuple(folders) if name in ("mod", "lib") else (*folders, name)
            text = TEST_ITEM.sub("", STRING.sub('""', COMMENT.sub("", text)))
            uses = [pair for tree in USE.findall(text) for pair in expand(tree)]
            self.paths[module] = [path for path, _ in uses] + PATH.findall(USE.sub("", text))
            self.imports[module] = {name: path for path, name in uses}

    def definer(self, module: Module, path: str, seen: frozenset[tuple[Module, str]] = frozenset()) -> Module | None:
        """Returns the module that defines what a path means in a module; None if another crate does."""
        if (module, path) in seen:
            return None
        seen |= {(module, path)}
        first, *rest = path.split("::")
        roots = {"crate": (), "self": module, "super": module[:-1]}
        if first in roots:
            at: Module = roots[first]
        elif (*module, first) in self.paths:
            at = (*module, first)
        elif self.imports[module].get(first, first).split("::")[0] != first:
            return self.definer(module, "::".join([self.imports[module][first], *rest]), seen)
        else:
            return None
        for index, name in enumerate(rest, 1):
            if name == "super":
                at = at[:-1]
            elif (*at, name) in self.paths:
                at = (*at, name)
            elif name in self.imports.get(at, {}):
                return self.definer(at, "::".join([self.imports[at][name], *rest[index:]]), seen) or at
            else:
                break
        return at

    def edges(self) -> Edges:
        """Returns the modules that each one depends on, apart from those around it and in it."""
        found: Edges = {}
        for module, paths in self.paths.items():
            definers = {self.definer(module, path) for path in paths} - {None}
            found[module] = {other for other in definers if other[: len(module)] != module[: len(other)]}
        return found


def top_level(edges: Edges) -> Edges:
    """Returns the edges between the top-level modules."""
    found: Edges = {}
    for module, others in edges.items():
        found.setdefault(module[:1], set()).update(other[:1] for other in others if other[:1] != module[:1])
    return found


def circle(edges: Edges) -> list[Module] | None:
    """Returns the modules of a circle in their order, the first one also as the last."""
    done: set[Module] = set()

    def follow(way: list[Module]) -> list[Module] | None:
        for other in sorted(edges.get(way[-1], ())):
            if other in way:
                return [*way[way.index(other):], other]
            if other not in done and (found := follow([*way, other])):
                return found
        done.add(way[-1])
        return None

    return next((found for module in sorted(edges) if module not in done and (found := follow([module]))), None)


def circles(sources: dict[str, str]) -> list[str]:
    """Returns a circle of files and one of top-level modules, where there are such."""
    edges = Crate(sources).edges()
    found = [circle(edges), circle(top_level(edges))]
    return [" -> ".join("::".join(module) for module in way) for way in found if way]


def main() -> int:
    folders = [ROOT / "gateway/src", *sorted(ROOT.glob("services/*/src"))]
    failed = False
    for folder in folders:
        sources = {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*.rs")}
        for way in circles(sources):
            failed = True
            print(f"{folder.relative_to(ROOT)}: imports in a circle: {way}", file=sys.stderr)
    print(f"{len(folders)} crates", file=sys.stderr)
    return 1 if failed or not folders[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
