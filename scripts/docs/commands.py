# SPDX-License-Identifier: MIT
"""Runs the commands of a page and compares their output with the page.

    ```console
    $ rdt net route rdt:8 0,0 3,4
    3 hops
    ...
    ```

A line `> ...` continues with the command above it. `...` alone stands for any lines, at the end of a line
for the rest of it. All commands of a page share a shell and a folder that looks like the top of the
project. `console exit=2` is the exit code of the last command of the block; otherwise all end with 0.
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from .pages import ROOT, blocks

# Files that the commands of pages find in their folder. Nothing else of the top folder: leftover files there, such as a recording or the
# folder b of a tutorial, would be used instead of the page's own.
PROJECT = ("cmake", "docs", "examples", "rtl", "scripts", "sim", "systemc", "tb")
VERILATION_REPORT = re.compile(r"- (V e r i l a t i o n|Verilator: )")  # Newer Verilators print it; no page shows it.
NOT_TO_RUN = re.compile(r"(\$ )?(rdt|cmake|build/bin|build/examples|export|python3) ?")


class Command:
    def __init__(self, page, number, words, code):
        self.page, self.number, self.words, self.code = page, number, words, code
        self.expected = []

    def pattern(self):
        text = ""
        for line in self.expected:
            if line.strip() == "...":
                text += r"(?:.*\n)*?"
            elif line.endswith(" ..."):
                text += re.escape(line[:-4]) + r".*\n"
            else:
                text += re.escape(line.rstrip()) + r"\n"
        return re.compile(text + r"\Z")


def is_shown(page):
    """Pages whose command blocks all have to run."""
    return page == "README.md" or page == "docs/start.md" or page.startswith("docs/tutorials/")


def commands_of(page, text):
    found = []
    for number, language, body in blocks(text):
        words = language.split()
        if not words or words[0] != "console":
            continue
        first = len(found)
        for k, line in enumerate(body, number + 1):
            if line.startswith("$ "):
                found.append(Command(page, k, line[2:], 0))
            elif len(found) == first:
                raise SystemExit(f"{page}:{k}: a console block begins with a command")
            elif line.startswith("> ") and not found[-1].expected:
                found[-1].words += "\n" + line[2:]
            else:
                found[-1].expected.append(line)
        if len(found) > first and len(words) > 1:
            found[-1].code = int(words[1].removeprefix("exit="))
    return found


def not_marked(pages):
    """Commands of README and tutorials in a block that is not run, and pages without any."""
    wrong = []
    for page, text in pages.items():
        if not is_shown(page):
            continue
        for number, language, body in blocks(text):
            if language not in ("", "sh", "bash"):
                continue
            wrong += [f"{page}:{number + k}: is in no console block: {line}"
                      for k, line in enumerate(body, 1) if NOT_TO_RUN.match(line)]
        if not commands_of(page, text):
            wrong.append(f"{page}: has no console block")
    return wrong


def needs_package(commands):
    return any("cmake" in c.words for c in commands)


def run_page(commands, program, prefix=None, root=ROOT):
    """The errors of a page, as a list."""
    with tempfile.TemporaryDirectory(prefix="rdt_docs_") as folder:
        work = pathlib.Path(folder)
        for name in PROJECT:
            (work / name).symlink_to(root / name)
        (work / "build").mkdir()
        (work / "build/bin").symlink_to(pathlib.Path(program).resolve().parent)
        script = "exec 2>&1\n"
        for k, command in enumerate(commands):
            script += f"printf '\\n\\001%d\\n' {k}\n{command.words}\nprintf '\\n\\002%d\\n' $?\n"
        env = {**os.environ, "PATH": f"{pathlib.Path(program).resolve().parent}:{os.environ['PATH']}",
               "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1", "LC_ALL": "C.UTF-8", "COLUMNS": "100",
               # The Verilated model runs for a second here; its makefiles would spend a minute on optimization.
               "MAKEFLAGS": " -- OPT_FAST=-O0 OPT_GLOBAL=-O0"}
        if prefix:
            env["CMAKE_PREFIX_PATH"] = str(prefix)
        # Others have other compilers than the one that made the libraries. This one takes half the time, too.
        if shutil.which("clang++"):
            env["CXX"] = "clang++"
        out = subprocess.run(["bash"], input=script, cwd=work, env=env, stdout=subprocess.PIPE, text=True,
                             errors="replace").stdout
    wrong = []
    for k, command in enumerate(commands):
        found = re.search(rf"\n\001{k}\n(.*?)\n?\n\002(\d+)\n", out, re.S)
        where = f"{command.page}:{command.number}: {command.words.splitlines()[0]}"
        if not found:
            wrong.append(f"{where}\n  did not end")
            continue
        printed = "".join(line.rstrip() + "\n" for line in found[1].splitlines() if not VERILATION_REPORT.match(line))
        if int(found[2]) != command.code:
            wrong.append(f"{where}\n  exit code {found[2]}, not {command.code}\n{printed}")
        elif not command.pattern().match(printed):
            wrong.append(f"{where}\n  the page shows\n" + "".join(f"    {l}\n" for l in command.expected) +
                         "  it prints\n" + "".join(f"    {l}\n" for l in printed.splitlines()))
    return wrong
