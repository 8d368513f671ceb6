#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks README and docs/.

usage: check_docs.py pages                        lines, links, pictures
       check_docs.py run PROGRAM [PAGE...]        commands that need the program alone, the keys of its
                                                  JSON, and the pictures drawn from its packet logs
       check_docs.py run PROGRAM --build BUILD    commands that build examples against the installed package
       check_docs.py inject PROGRAM                each rule is broken in memory, and has to be detected
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from docs import commands, pages as md


def check_pages(pages):
    return (md.long_lines(pages) + md.dead_links(pages) + md.no_picture(pages) + md.lists(pages) + md.too_long(pages) +
            commands.not_marked(pages))


def check_commands(pages, program, prefix=None, only=()):
    """Without a prefix those that need the program alone, with one the others."""
    wrong, count = [], 0
    for page, text in pages.items():
        found = commands.commands_of(page, text)
        if not found or commands.needs_package(found) != bool(prefix) or (only and page not in only):
            continue
        wrong += commands.run_page(found, program, prefix)
        count += len(found)
    return wrong, count


# A run that has everything.
FULL_RUN = ["--multicast", "0.1", "--density", "0.3", "--acks", "--cycles", "400", "--warmup", "100"]


def keys_of(value, path=""):
    if isinstance(value, dict):
        return {k for name, inner in value.items() for k in keys_of(inner, f"{path}.{name}" if path else name)}
    if isinstance(value, list):
        return {k for inner in value[:1] for k in keys_of(inner, path + "[]")} or {path + "[]"}
    return {path}


def check_keys(text, program):
    """docs/json.md has every key of a run's JSON, in the first column of its tables, and no other."""
    run = subprocess.run([program, "run", *FULL_RUN, "--json", "-"], capture_output=True, text=True, check=True).stdout
    found = keys_of(json.loads(run[run.index("{"):]))
    told = set(re.findall(r"^\| `([^`]+)` \|", text, re.M))
    families = {t[:-1] for t in told if t.endswith("*")}  # `parameters.*`

    def in_family(key):
        return any(key.startswith(f) for f in families)

    wrong = [f"docs/json.md does not have {key}" for key in sorted(found - told) if not in_family(key)]
    return wrong + [f"docs/json.md has {key}, which a run does not write" for key in sorted(told - found)
                    if not key.endswith("*")] + [
                    f"docs/json.md: nothing begins with {f}" for f in sorted(families)
                    if not any(k.startswith(f) for k in found)]


def check_pictures(program):
    draw = subprocess.run([sys.executable, "-m", "scripts.draw", program, "--check"], cwd=md.ROOT, capture_output=True, text=True)
    return [] if draw.returncode == 0 else (draw.stdout + draw.stderr).splitlines()


def injected_bugs(pages, program):
    """(what is injected, what is found)."""
    readme = pages["README.md"]

    def with_readme(text):
        return check_pages({**pages, "README.md": text})

    def page_that_prints(block):
        return commands.run_page(commands.commands_of("injected.md", block), program)

    yield "a line of 101 columns", with_readme(readme + "x" * 101 + "\n")
    yield "a link to nowhere", with_readme(readme + "[x](docs/nowhere.md)\n")
    yield "a link to no heading", with_readme(readme + "[x](docs/glossary.md#nothing-of-the-kind)\n")
    yield "a list without an empty line before it", with_readme(readme + "Text\n- item\n")
    yield "a picture too far down", with_readme("\n" * 15 + readme)
    yield "121 lines", with_readme(readme + "\n" * (121 - len(readme.splitlines())))
    yield "a command that is not run", with_readme(readme + "```sh\nrdt run\n```\n")
    yield "a tutorial without commands", check_pages({**pages, "docs/tutorials/injected.md": "# Injected\n"})
    yield "a wrong figure", page_that_prints("```console\n$ rdt net route rdt:8 0,0 3,4\n4 hops\n...\n```\n")
    yield "a line too few", page_that_prints("```console\n$ printf '1\\n2\\n'\n1\n```\n")
    yield "a line too many", page_that_prints("```console\n$ printf '1\\n2\\n'\n1\n2\n3\n```\n")
    yield "an unexpected exit code", page_that_prints("```console\n$ rdt run --bogus\n...\n```\n")
    yield "an expected one that does not come", page_that_prints("```console exit=2\n$ true\n```\n")
    yield "a command that ends the shell", page_that_prints("```console\n$ exit 0\n```\n")
    keys = pages["docs/json.md"]
    some = re.search(r"^\| `[^`*]+` \|.*\n", keys, re.M)[0]
    yield "a key that the page lacks", check_keys(keys.replace(some, ""), program)
    yield "a key that does not exist", check_keys(keys + "| `nonsense` | x |\n", program)


def check_strays(program):
    """Files left at the top of the project are not in the folder of a page's commands."""
    with tempfile.TemporaryDirectory(prefix="rdt_top_") as folder:
        top = pathlib.Path(folder)
        for name in commands.PROJECT:
            (top / name).symlink_to(md.ROOT / name)
        (top / "stray.gtkw").write_text("")
        (top / "b").mkdir()
        return commands.run_page(commands.commands_of(
            "injected.md", "```console exit=1\n$ ls *.gtkw 2>/dev/null || test -e b\n```\n"), program, root=top)


def check_injected(pages, program):
    before = check_pages(pages)
    wrong = [f"already without an injected bug: {w}" for w in before]
    for what, found in injected_bugs(pages, program):
        found = [f for f in found if f not in before]
        print(f"{what}: {found[0].splitlines()[0] if found else 'NOT FOUND'}")
        if not found:
            wrong.append(f"not found: {what}")
    sound = commands.run_page(commands.commands_of(
        "injected.md", "```console\n$ printf '1\\n2\\n3 x\\n'\n...\n3 ...\n```\n"), program)
    return wrong + sound + check_strays(program)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["pages", "run", "inject"])
    parser.add_argument("program", nargs="?")
    parser.add_argument("only", nargs="*")
    parser.add_argument("--build", type=pathlib.Path)
    args = parser.parse_args()
    pages = md.read_pages()
    if args.what == "pages":
        wrong = check_pages(pages)
        print(f"{len(pages)} pages, {sum(len(md.links(t)) for t in pages.values())} links")
    elif args.what == "inject":
        wrong = check_injected(pages, args.program)
    elif args.build:
        with tempfile.TemporaryDirectory(prefix="rdt_docs_package_") as prefix:
            subprocess.run(["cmake", "--install", args.build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
            wrong, count = check_commands(pages, args.program, pathlib.Path(prefix), args.only)
        print(f"{count} commands that build and run examples")
    else:
        wrong, count = check_commands(pages, args.program, only=args.only)
        if not args.only:
            wrong += check_keys(pages["docs/json.md"], args.program) + check_pictures(args.program)
        print(f"{count} commands")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
