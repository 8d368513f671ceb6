# SPDX-License-Identifier: MIT
"""Pages in Markdown: what is prose, what is code, where links lead. Pages are a dictionary of texts by
path from the top of the project, so that mistakes can be injected in memory."""
import pathlib
import posixpath
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FENCE = re.compile(r"^\s*(```+)(.*)$")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+(?:\([^()]*\))?)\)")
MAX_COLUMNS = 100
ROOMS = ("rtl", "systemc", "sim", "tb", "scripts", "cmake")  # folders whose folders each have a README.md
GENERATED = {"docs/statements.md"}


def read_pages(root=ROOT):
    files = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md")]
    files += [f for folder in ROOMS for f in sorted((root / folder).rglob("README.md"))]
    return {str(f.relative_to(root)): f.read_text() for f in [*files, *sorted((root / "docs").rglob("*.md"))]}


def lines(text):
    """(number, line, language): language is None in prose, and the fence's info string in code."""
    language, fence = None, None
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.match(line)
        if fence is None and mark:
            fence, language = mark[1], mark[2].strip()
            yield number, line, "fence"
        elif fence is not None and mark and mark[1] == fence and not mark[2].strip():
            yield number, line, "fence"
            fence, language = None, None
        else:
            yield number, line, language


def prose(text):
    return [(number, line) for number, line, language in lines(text) if language is None]


def blocks(text):
    """(number, language, lines) of the code blocks."""
    found = []
    for number, line, language in lines(text):
        if language == "fence":
            mark = FENCE.match(line)
            if found and found[-1][3]:
                found[-1][3] = False
            else:
                found.append([number, mark[2].strip(), [], True])
        elif found and found[-1][3]:
            found[-1][2].append(line)
    return [(number, language, body) for number, language, body, _ in found]


def slug(heading):
    """The anchor that GitHub gives a heading; the site is built with the same rule."""
    plain = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", lambda m: m[1] or "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def anchors(text):
    found, count = set(), {}
    for _, line in prose(text):
        mark = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if mark:
            name = slug(mark[1])
            number = count.get(name, 0)
            count[name] = number + 1
            found.add(f"{name}-{number}" if number else name)
    return found


def without_code(line):
    return re.sub(r"`[^`]*`", lambda m: "x" * len(m[0]), line)


def links(text):
    """(number, is picture, target)."""
    whole = "\n".join(without_code(line) if language is None else ""
                      for _, line, language in lines(text))
    # Backquotes inside the words of a link were made x above: the target is what counts.
    return [(whole.count("\n", 0, m.start()) + 1, bool(m[1]), m[3]) for m in LINK.finditer(whole)]


def long_lines(pages):
    return [f"{page}:{number}: {len(line)} columns of prose"
            for page, text in pages.items() if page not in GENERATED
            for number, line in prose(text)
            if len(line) > MAX_COLUMNS and (page == "README.md" or not line.lstrip().startswith("|"))]


def dead_links(pages, root=ROOT):
    wrong = []
    for page, text in pages.items():
        for number, _, target in links(text):
            if re.match(r"(https?|mailto):", target):
                continue
            path, _, anchor = target.partition("#")
            file = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
            if file.startswith("..") or not (file in pages or (root / file).exists()):
                wrong.append(f"{page}:{number}: there is no {target}")
            elif anchor and (file not in pages or anchor not in anchors(pages[file])):
                wrong.append(f"{page}:{number}: {file} has no heading #{anchor}")
    return wrong


def no_picture(pages, within=15):
    """README and the tour open with a picture."""
    wrong = []
    for page in ("README.md", "docs/tour.md"):
        first = [target for number, picture, target in links(pages.get(page, "")) if picture and number <= within]
        if not first:
            wrong.append(f"{page}: no picture in the first {within} lines")
    return wrong


def lists(pages):
    """GitHub takes a list that has no empty line before it, or is indented by two; the site does not."""
    wrong = []
    for page, text in pages.items():
        before, inside = "", False
        for number, line in prose(text):
            item = re.match(r"(\s*)(?:[-*]|\d+\.) \S", line)
            if item and ((before.strip() and not inside) or len(item[1]) % 4):
                wrong.append(f"{page}:{number}: a list that the site does not show as one")
            inside = bool(item) or (inside and bool(line.strip()))
            before = line
    return wrong


def too_long(pages):
    count = len(pages["README.md"].splitlines())
    return [f"README.md has {count} lines: must have at most 120"] if count > 120 else []
