#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that rdt.core and Bender.yml name exactly the files of rtl/rdt_router.f, in its order.

    check_file_lists.py [--write]     with --write, make them do so
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLAIN = "rtl/rdt_router.f"
OTHERS = ("rdt.core", "Bender.yml")
# Only the "- rtl/..." entries matter, so no YAML parser is needed.
ENTRY = re.compile(r"^( *)- +(rtl/\S+)\n", re.MULTILINE)


def plain_list():
    lines = (re.sub(r"(//|#).*", "", line).strip() for line in (ROOT / PLAIN).read_text().splitlines())
    return [line for line in lines if line and not line.startswith("+incdir+")]


def write(name, files):
    text = (ROOT / name).read_text()
    first = ENTRY.search(text)
    entries = "".join(f"{first[1]}- {file}\n" for file in files)
    rest = ENTRY.sub("", text[first.start():])
    (ROOT / name).write_text(text[:first.start()] + entries + rest)


def check(name, files):
    found = [entry[1] for entry in ENTRY.findall((ROOT / name).read_text())]
    errors = [f"{name}: lacks {f}" for f in files if f not in found]
    errors += [f"{name}: {f} is not in {PLAIN}" for f in found if f not in files]
    if not errors and found != files:
        errors.append(f"{name}: not in the order of {PLAIN}, or with repetitions")
    return errors


def main():
    files = plain_list()
    if sys.argv[1:] == ["--write"]:
        for name in OTHERS:
            write(name, files)
    errors = [f"{PLAIN}: no such file: {f}" for f in files if not (ROOT / f).is_file()]
    on_disk = {str(f.relative_to(ROOT)) for f in (ROOT / "rtl").glob("*.sv")}
    errors += [f"{PLAIN}: lacks {f}" for f in sorted(on_disk - set(files))]
    # Included, so no entry of a list; but FuseSoC has to know them.
    core = (ROOT / "rdt.core").read_text()
    errors += [f"rdt.core: lacks {f.relative_to(ROOT)} as an include file"
               for f in sorted((ROOT / "rtl").glob("*.svh")) if f"- {f.relative_to(ROOT)}: {{is_include_file: true}}" not in core]
    stale = [error for name in OTHERS for error in check(name, files)]
    if stale:
        stale.append("scripts/check_file_lists.py --write brings them up to date")
    print("\n".join(errors + stale) or f"{len(files)} files, the same in all lists")
    return 1 if errors or stale else 0


if __name__ == "__main__":
    sys.exit(main())
