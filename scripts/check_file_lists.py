#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that rdt.core and Bender.yml name exactly the files of rtl/rdt_router.f, in its order."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def plain_list(name):
    lines = (line.split("//")[0].split("#")[0].strip() for line in (ROOT / name).read_text().splitlines())
    return [line for line in lines if line]


def yaml_list(name):
    # Only the "- rtl/..." entries matter, so no YAML parser is needed.
    return re.findall(r"^\s*-\s+(rtl/\S+)\s*$", (ROOT / name).read_text(), re.MULTILINE)


def main():
    wanted = plain_list("rtl/rdt_router.f")
    errors = [f"rtl/rdt_router.f: no such file: {f}" for f in wanted if not (ROOT / f).is_file()]
    on_disk = {str(f.relative_to(ROOT)) for f in (ROOT / "rtl").glob("*.sv")}
    errors += [f"rtl/rdt_router.f: lacks {f}" for f in sorted(on_disk - set(wanted))]
    for name in ("rdt.core", "Bender.yml"):
        found = yaml_list(name)
        errors += [f"{name}: lacks {f}" for f in wanted if f not in found]
        errors += [f"{name}: {f} is not in rtl/rdt_router.f" for f in found if f not in wanted]
        if not errors and found != wanted:
            errors.append(f"{name}: not in the order of rtl/rdt_router.f")
    print("\n".join(errors) or f"{len(wanted)} files, the same in all lists")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
