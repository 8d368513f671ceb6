# SPDX-License-Identifier: MIT
"""The folders that have a README.md, and which of them uses which.

A file belongs to the nearest folder with a README.md above it. A folder uses another if one
of its C++ files includes a header of it, one of its Python files imports a module of it, or, for rtl, if it
includes a Verilated model. The last paragraph of each README names the folders that its folder uses.

usage: python3 -m scripts.tree.rooms [--write]
  --write   renew these paragraphs
"""
import argparse
import collections
import pathlib
import re
import sys
import textwrap

from .files import ROOT, source_files

# Folders that must have a README.md.
PATTERNS = ["rtl", "rtl/flow", "rtl/flow/*", "systemc", "sim", "sim/*", "sim/rdt/*", "sim/rdt/machine/*", "tb", "tb/*",
            "scripts", "cmake", "examples"]
NOT_ROOMS = {"sim/rdt"}  # only folders in it
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)
INCLUDE_FOLDERS = ["sim", "systemc", "tb", "rtl/flow"]
VERILATED = re.compile(r"V(?:rdt|own)_\w+\.h$")
IMPORT = re.compile(r"^from ((?:rtl\.flow|tb|scripts)(?:\.\w+)*) import", re.M)
USES = re.compile(r"^Uses: [^\n]*(?:\n[^\n]+)*", re.M)


def read_sources():
    return {name: (ROOT / name).read_text() for name in source_files() if name.endswith((".h", ".cpp", ".py"))}


def rooms_of(names):
    return sorted(str(pathlib.PurePath(n).parent) for n in names if n.endswith("/README.md") and not n.startswith("docs/"))


def missing_rooms(rooms):
    folders = {str(p.relative_to(ROOT)) for pattern in PATTERNS for p in ROOT.glob(pattern)
               if p.is_dir() and any(f.is_file() and "__pycache__" not in f.parts for f in p.rglob("*"))}
    return sorted(f for f in folders - NOT_ROOMS - set(rooms) if not f.endswith("__pycache__"))


def room_of(path, rooms):
    """The nearest folder with a README.md above a file; None where there is none."""
    parents = [str(p) for p in pathlib.PurePath(path).parents]
    return next((p for p in parents if p in rooms), None)


def uses(sources, rooms):
    """By folder: the other folders that its files name, with an example of each."""
    found = collections.defaultdict(dict)
    for path, text in sorted(sources.items()):
        folder = room_of(path, rooms)
        if folder is None:
            continue
        if path.endswith(".py"):
            named = [(module, module.replace(".", "/") + "/x") for module in IMPORT.findall(text)]
        else:
            named = []
            for name in INCLUDE.findall(text):
                places = [str(pathlib.PurePath(path).parent / name), *(f"{folder}/{name}" for folder in INCLUDE_FOLDERS)]
                place = next((p for p in places if p in sources), "rtl/x" if VERILATED.match(name) else None)
                named += [(name, place)] if place else []
        for name, place in named:
            other = room_of(place, rooms)
            if other not in (None, folder):
                found[folder].setdefault(other, f"{path}: {name}")
    return found


def paragraph(others):
    return textwrap.fill("Uses: " + (", ".join(f"`{o}`" for o in sorted(others)) or "nothing else in the tree") + ".", 100,
                         break_on_hyphens=False)


def cycle(graph):
    """Folders that use each other, as a path that ends where it begins; None where there are none."""
    done = set()

    def visit(folder, way):
        for other in sorted(graph.get(folder, {})):
            if other in way:
                return [*way[way.index(other):], other]
            if other not in done and (found := visit(other, [*way, other])):
                return found
        done.add(folder)
        return None
    return next(filter(None, (visit(folder, [folder]) for folder in sorted(graph) if folder not in done)), None)


def dead_names(folder, text):
    """Files that a README names and that are not there, from its folder or from the top of the tree."""
    for name in re.findall(r"`([\w*./-]+\.(?:h|cpp|py|sv|svh|v|txt|json|sh|cmake|f|vlt))`", text):
        places = [ROOT / folder, ROOT / folder / "rdt", ROOT]
        if not any(list(place.glob(name)) for place in places):
            yield f"{folder}/README.md: there is no {name}"


def findings(sources, readmes):
    """readmes: the text of each README.md by folder."""
    yield from (f"{folder}/ has no README.md" for folder in missing_rooms(readmes))
    graph = uses(sources, set(readmes))
    if way := cycle(graph):
        yield "folders use each other: " + " -> ".join(way)
    for folder, text in sorted(readmes.items()):
        stated = USES.search(text)
        if folder != "examples" and (stated is None or stated[0] != paragraph(graph[folder])):
            yield f"{folder}/README.md does not end with its uses; python3 -m scripts.tree.rooms --write repairs it: {paragraph(graph[folder])}"
        yield from dead_names(folder, text)
        if not 3 <= text.count("\n") <= 40:
            yield f"{folder}/README.md has {text.count(chr(10))} lines, not 3 to 40"


def read_readmes():
    return {folder: (ROOT / folder / "README.md").read_text() for folder in rooms_of(source_files())}


def main():
    parser = argparse.ArgumentParser(prog="python3 -m scripts.tree.rooms", description="the folders of the project and which uses which")
    parser.add_argument("--write", action="store_true", help="renew the paragraphs of uses")
    args = parser.parse_args()
    readmes = read_readmes()
    if args.write:
        graph = uses(read_sources(), set(readmes))
        for folder, text in readmes.items():
            if folder != "examples":
                text = USES.sub("", text).rstrip() + "\n\n" + paragraph(graph[folder]) + "\n"
                (ROOT / folder / "README.md").write_text(text)
                readmes[folder] = text
    found = list(findings(read_sources(), readmes))
    print("\n".join(found) if found else f"{len(readmes)} folders")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
