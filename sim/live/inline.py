#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts a page, its style and its scripts into one file without external references.

usage: inline.py PAGE ENGINE OUTPUT    ENGINE: live.js, made by the compiler, live.wasm beside it

The engine goes compressed into an element of its own, from which engine.js takes it; so do the programs
of examples/program.
"""
import base64
import gzip
import json
import pathlib
import re
import sys

LARGEST = 1_500_000  # bytes of the page
STYLE = re.compile(r'<link rel="stylesheet" href="([\w.]+)">')
COLOR = re.compile(r"@(\w+)\.([\w-]+)@")
SCRIPT = re.compile(r'<script src="([\w.]+)"></script>')


def main():
    page, engine, output = map(pathlib.Path, sys.argv[1:])

    def read(name):
        text = (engine if name == engine.name else page.parent / name).read_text()
        if "</script" in text or "<!--" in text:
            sys.exit(f"inline: {name} cannot stand within a page")
        return text

    # Colors of packets and links are those of the pictures in the documents.
    palette = json.loads((page.resolve().parents[2] / "docs/images/palette.json").read_text())

    def style(name):
        return COLOR.sub(lambda m: palette[m[1]][m[2]], read(name))

    text = page.read_text()
    text = STYLE.sub(lambda m: f"<style>\n{style(m[1])}</style>", text)
    scripts = SCRIPT.findall(text)
    # One scope, so that nothing of it is seen from outside.
    first, *own = [read(name) for name in scripts]
    own = "\n".join(own).replace("@SERIES@", json.dumps(palette["series"]))
    code = first + "\n(() => {\n\"use strict\";\n" + own + "})();\n"
    wasm = gzip.compress(engine.with_suffix(".wasm").read_bytes(), 9, mtime=0)
    examples = page.resolve().parents[2] / "examples/program"
    programs = {elf.stem: base64.b64encode(gzip.compress(elf.read_bytes(), 9, mtime=0)).decode()
                for elf in sorted(examples.glob("*.elf"))}
    text = text.replace("@PROGRAMS@", json.dumps(programs))
    text = text.replace("@ENGINE@", base64.b64encode(wasm).decode())
    start = text.index("<script src=")
    end = text.rindex("</script>") + len("</script>")
    text = text[:start] + "<script>\n" + code + "</script>" + text[end:]
    for reference in ("src=\"http", "href=\"http", "url(http", "@import"):
        if reference in text:
            sys.exit(f"inline: the page has an external reference: {reference}")
    data = text.encode()
    if len(data) > LARGEST:
        sys.exit(f"inline: the page has {len(data)} bytes, more than {LARGEST}")
    output.write_bytes(data)
    print(f"{output}: {len(data) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
