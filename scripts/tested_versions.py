#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The last tested version of every tool, per system (scripts/tested_versions.json).

usage: tested_versions.py notice    name the installed tools that are newer than the last tested version
       tested_versions.py measure   print the installed versions, to bring the file up to date
       tested_versions.py write     write the tables of docs/systems.md
       tested_versions.py check     check that docs/systems.md has these tables
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "scripts/tested_versions.json"
PAGE = ROOT / "docs/systems.md"


def upstream(version):
    """A Debian version without epoch, revision and suffixes."""
    version = version.split(":", 1)[-1].rsplit("-", 1)[0]
    return re.match(r"[0-9]+(?:\.[0-9]+)*", version)[0]


def series(version):
    """The first two numbers, which decide whether a version is newer."""
    return tuple(int(n) for n in (version.split(".") + ["0"])[:2])


def installed(data):
    """Tool -> version, from dpkg. Empty on other systems."""
    packages = {tool["debian"]: name for name, tool in data["tools"].items()}
    try:
        run = subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Abbrev}|${Package}|${Version}\n", *packages],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return {}
    found = {}
    for line in run.stdout.splitlines():
        status, package, version = line.split("|")
        if status[1:2] == "i" and version[:1].isdigit():
            found[packages[package]] = upstream(version)
    return found


def last_tested(data):
    last = {}
    for system in data["systems"].values():
        for tool, version in system["versions"].items():
            last[tool] = max(last.get(tool, "0"), version, key=series)
    return last


def notices(data, found):
    last = last_tested(data)
    return [f"setup: notice: {tool} {version} is newer than {last[tool]}, the last tested version (docs/systems.md)"
            for tool, version in sorted(found.items()) if tool in last and series(version) > series(last[tool])]


def table(head, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def tables(data):
    systems = data["systems"]
    tools = list(dict.fromkeys(t for s in systems.values() for t in s["versions"]))
    versions = table(["", *systems], [["status", *(s["status"] for s in systems.values())],
                                      *([t, *(s["versions"].get(t, "-") for s in systems.values())] for t in tools)])
    names = table(["tool", "group", "Debian, Ubuntu", "Fedora", "Arch"],
                  [[name, t["group"], f"`{t['debian']}`", f"`{t['fedora']}`", f"`{t['arch']}`"]
                   for name, t in data["tools"].items()])
    return {"versions": versions, "names": names}


def filled(page, data):
    for name, text in tables(data).items():
        page, count = re.subn(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", lambda m: f"{m[1]}{text}\n{m[2]}", page,
                              flags=re.S)
        if count != 1:
            sys.exit(f"{PAGE.relative_to(ROOT)}: there is not one table between <!-- {name} --> and <!-- /{name} -->")
    return page


def check(data):
    page = PAGE.read_text()
    if filled(page, data) != page:
        sys.exit("docs/systems.md differs from scripts/tested_versions.json: scripts/tested_versions.py write repairs it")
    if "docs/systems.md" not in (ROOT / "README.md").read_text():
        sys.exit("README.md has no link to docs/systems.md")
    # The checks themselves: another version in the file, a newer and an older tool.
    other = json.loads(json.dumps(data))
    next(iter(other["systems"].values()))["versions"]["Verilator"] = "9.999"
    if filled(page, other) == page:
        sys.exit("an injected version was not detected")
    if len(notices(data, {"Verilator": "99.1", "fmt": "0.1"})) != 1 or notices(data, last_tested(data)):
        sys.exit("a newer tool is not reported, or a tested one is")
    print(f"{len(data['systems'])} systems, {len(last_tested(data))} tools")


def main():
    data = json.loads(FILE.read_text())
    command = sys.argv[1] if len(sys.argv) == 2 else None
    if command == "notice":
        for line in notices(data, installed(data)):
            print(line)
    elif command == "measure":
        print(json.dumps(installed(data), indent=2))
    elif command == "write":
        PAGE.write_text(filled(PAGE.read_text(), data))
    elif command == "check":
        check(data)
    else:
        print(f"usage: {pathlib.Path(sys.argv[0]).name} notice|measure|write|check", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
