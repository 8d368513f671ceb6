# SPDX-License-Identifier: MIT
"""Puts the pages of the site together: README and docs/ with links as the site has them, linked
sources as pages, and the help of the program and the comments of the headers."""
import posixpath
import re
import shutil
import subprocess

from . import pages as md

RENAMED = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md",
           "examples/README.md": "examples.md", "docs/README.md": "documents.md"}
LANGUAGES = {".h": "cpp", ".cpp": "cpp", ".sv": "systemverilog", ".svh": "systemverilog", ".py": "python",
             ".txt": "cmake", ".yml": "yaml", ".json": "json"}


def place_of(path):
    """Where a page or a source of the project is on the site, or None if it stays what it is."""
    if path in RENAMED:
        return RENAMED[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path.endswith("/README.md"):
        return f"rooms/{path.removesuffix('/README.md')}.md"
    return f"source/{path}.md"


def code_page(path):
    """A source, or all those of a folder, as a page."""
    file = md.ROOT / path
    files = sorted(f for f in file.iterdir() if f.is_file()) if file.is_dir() else [file]
    out = [f"# {path}", ""]
    for one in files:
        if one.suffix == ".md" or (file.is_dir() and one.suffix not in LANGUAGES and one.name != "CMakeLists.txt"):
            continue
        text = one.read_text()
        fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", text) or [""]))
        out += [f"## {one.name}", ""] if len(files) > 1 else []
        out += [f"{fence}{LANGUAGES.get(one.suffix, 'text')}", text.rstrip("\n"), fence, ""]
    return "\n".join(out)


def on_site(page, text, sources):
    """The text with links as the site has them; sources that it links to are added to the set."""
    here = posixpath.dirname(place_of(page))

    def link(match):
        target = match[3]
        if re.match(r"(https?|mailto):|#", target):
            return match[0]
        path, mark, anchor = target.partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        place = place_of(file)
        if place.startswith("source/"):
            sources.add(file)
        return f"{match[1]}[{match[2]}]({posixpath.relpath(place, here or '.')}{mark}{anchor})"

    out, prose = [], []

    def flush():
        # Links may go over several lines; code in backquotes stays as it is.
        if prose:
            held = []

            def hold(m):
                held.append(m[0])
                return f"\0{len(held) - 1}\0"

            joined = re.sub(r"`[^`\n]*`", hold, "\n".join(prose))
            joined = md.LINK.sub(link, joined)
            out.append(re.sub("\0(\\d+)\0", lambda m: held[int(m[1])], joined))
            prose.clear()

    for _, line, language in md.lines(text):
        if language is None:
            prose.append(line)
        else:
            flush()
            out.append(re.sub(r"^(\s*```+console) .*", r"\1", line))
    flush()
    return "\n".join(out) + "\n"


def command_line(program):
    """--help of the program and of each of its commands."""
    def help_of(*words):
        return subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout

    def commands(text):
        part = "".join(re.split("subcommands:\n", text, flags=re.I)[1:2]).partition("\n\n")[0]
        return re.findall(r"^  ([\w-]+) ", part, re.M)

    out = ["# Command line", "", "What `rdt --help` and the help of each command print.", ""]
    todo = [()]
    while todo:
        words = todo.pop(0)
        text = help_of(*words)
        out += [f"## {' '.join(['rdt', *words])}", "", "```text", text.strip("\n"), "```", ""]
        todo = [(*words, name) for name in commands(text)] + todo
    return "\n".join(out)


def headers():
    """The first comments of the public headers."""
    public = re.search(r"set\(RDT_PUBLIC_HEADERS\s(.*?)\)", (md.ROOT / "cmake/public_headers.cmake").read_text(), re.S)[1].split()
    out = ["# Headers", "", "All public headers with their first comments. Start with [API](api.md).", ""]
    for folder in ("systemc/rdt", "sim/rdt"):
        for file in sorted((md.ROOT / folder).rglob("*.h")):
            name = str(file.relative_to(md.ROOT / posixpath.dirname(folder)))
            if name.removeprefix("rdt/") not in public:
                continue
            comment = []
            for line in file.read_text().splitlines()[1:]:
                if not line.startswith("//"):
                    break
                comment.append(line[2:].removeprefix(" "))
            words = " ".join(comment).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")
            out.append(f"**`<{name}>`** {words}\n")
    return "\n".join(out)


def stage(program, target):
    """Writes all pages to the folder `target`."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(md.ROOT / "docs", target, ignore=shutil.ignore_patterns("*.md"))
    sources, pages = set(), md.read_pages()
    texts = {place_of(page): on_site(page, text, sources) for page, text in pages.items()}
    texts["command_line.md"] = command_line(program)
    texts["headers.md"] = headers()
    for path in sources:
        texts[place_of(path)] = code_page(path)
    for place, text in texts.items():
        file = target / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return len(texts)
