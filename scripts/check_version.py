#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that all files that state the version of the project state the same one.

usage: check_version.py
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# CMake, the Python package and the program read sim/rdt/version.h. The changelog's newest heading
# with a number counts: one headed "Unreleased" may be above it.
PLACES = {
    "sim/rdt/version.h": r'#define RDT_VERSION "(.+)"',
    "CITATION.cff": r"^version: (.+)$",
    "rdt.core": r"^name: \S+:([^:\s]+)$",
    "rtl/rdt_router.xml": r"<ipxact:version>(.+)</ipxact:version>",
    "CHANGELOG.md": r"^## \[?(\d[^\]\s]*)",
    "docs/release.md": r"git tag -s v(\S+)",
}


def differences(texts):
    found = {}
    for name, pattern in PLACES.items():
        match = re.search(pattern, texts[name], re.M)
        found[name] = match[1] if match else None
    version = found["sim/rdt/version.h"]
    wrong = [f"{name}: version {found[name]}, not {version}" for name in PLACES if found[name] != version]
    if not re.fullmatch(r"\d+\.\d+\.\d+", version or ""):
        wrong.append(f"sim/rdt/version.h: {version} is not MAJOR.MINOR.PATCH")
    return version, wrong


def main():
    texts = {name: (ROOT / name).read_text() for name in PLACES}
    version, wrong = differences(texts)
    for name in PLACES:  # each file with another version, one at a time
        if not differences({**texts, name: texts[name].replace(version, "9.9.9")})[1]:
            wrong.append(f"an injected version in {name} is not detected")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"version {version} in {len(PLACES)} files")


if __name__ == "__main__":
    main()
