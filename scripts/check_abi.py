#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The digest in sim/rdt/support/plugin.h (RDT_PLUGIN_ABI) matches the headers that a plug-in sees.

The public headers of cmake/public_headers.cmake exist, contain those by which a plug-in registers something,
and are the ones that docs/api.md lists.

A plug-in that was built with other headers is refused by this digest, so it has to change with them.
Comments and white space do not count.

usage: check_abi.py [--update | --inject]
  --update  write the digest
  --inject  instead: a virtual function more, in memory, must change the digest, and a comment must not
"""
import argparse
import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = [ROOT / "sim", ROOT / "systemc"]
PLUGIN = ROOT / "sim/rdt/support/plugin.h"
# Headers by which a plug-in registers something.
FIRST = ["rdt/net/graph/network.h", "rdt/net/graph/traffic.h", "rdt/algo/algorithm.h",
         "rdt/machine/traffic/workload.h", "rdt/machine/traffic/synthetic.h"]
DIGEST = re.compile(r'(#define RDT_PLUGIN_ABI ")([0-9a-f]+)(")')


def public_headers():
    """Names below rdt/, as CMake installs them."""
    listed = re.search(r"set\(RDT_PUBLIC_HEADERS\s(.*?)\)", (ROOT / "cmake/public_headers.cmake").read_text(), re.S)
    return listed[1].split()


def wrong_public_headers(public, page):
    listed = re.findall(r"`([\w/]+\.h)`", page.partition("All public headers")[2])
    return ([f"cmake/public_headers.cmake: there is no rdt/{name}" for name in public if find(f"rdt/{name}") is None] +
            [f"docs/api.md does not list {name}" for name in public if name not in listed] +
            [f"docs/api.md lists {name}, which is not public" for name in listed if name not in public] +
            [f"{name} is not public" for name in FIRST if name.removeprefix("rdt/") not in public])


def find(name):
    for folder in FOLDERS:
        if (folder / name).is_file():
            return folder / name
    return None  # a header of the system


def read_all():
    """Text of every header that the first ones include, by name."""
    texts, open_names = {}, list(FIRST)
    while open_names:
        name = open_names.pop()
        path = find(name)
        if name in texts or path is None or path == PLUGIN:
            continue
        texts[name] = path.read_text()
        open_names += re.findall(r'#include\s*[<"](rdt/[^>"]+)[>"]', texts[name])
    missing = [name for name in FIRST if name not in texts]
    if missing:
        sys.exit(f"check_abi: there is no {missing[0]}")
    return texts


def digest_of(texts):
    code = hashlib.sha256()
    for name in sorted(texts):
        text = re.sub(r"/\*.*?\*/", " ", texts[name], flags=re.DOTALL)
        text = re.sub(r"//[^\n]*", " ", text)
        code.update(f"{name}\n{' '.join(text.split())}\n".encode())
    return code.hexdigest()[:12]


def inject(texts):
    before = digest_of(texts)
    name, after = "rdt/net/graph/network.h", "virtual uint32_t nodes() const = 0;"
    if after not in texts[name]:
        sys.exit(f"check_abi: {name} has no {after}")
    more = dict(texts, **{name: texts[name].replace(after, after + "\n    virtual void more() {}")})
    if digest_of(more) == before:
        sys.exit("check_abi: a virtual function more leaves the digest as it was")
    commented = dict(texts, **{name: texts[name].replace(after, after + "  // how many")})
    if digest_of(commented) != before:
        sys.exit("check_abi: a comment changes the digest")
    page = (ROOT / "docs/api.md").read_text()
    if len(wrong_public_headers([*public_headers(), "gone.h"], page)) != 2 or not wrong_public_headers(public_headers()[1:], page):
        sys.exit("check_abi: a wrong list of public headers is not detected")
    print("check_abi: the injected function and headers are detected")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--inject", action="store_true")
    args = parser.parse_args()
    texts = read_all()
    if args.inject:
        inject(texts)
        return
    public = public_headers()
    if wrong := wrong_public_headers(public, (ROOT / "docs/api.md").read_text()):
        sys.exit("\n".join(wrong))
    text = PLUGIN.read_text()
    found = DIGEST.search(text)
    if not found:
        sys.exit(f"check_abi: no RDT_PLUGIN_ABI in {PLUGIN.relative_to(ROOT)}")
    digest = digest_of(texts)
    if args.update:
        PLUGIN.write_text(DIGEST.sub(rf"\g<1>{digest}\g<3>", text))
    elif found[2] != digest:
        sys.exit(f"check_abi: the headers of plug-ins have changed ({digest}, not {found[2]}): "
                 "scripts/check_abi.py --update")
    print(f"{len(public)} public headers; {len(texts)} headers of plug-ins, {digest}")


if __name__ == "__main__":
    main()
