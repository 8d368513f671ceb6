#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the documentation site with mkdocs, and looks at every link of it.

usage: docs_site.py PROGRAM        (from anywhere; build/docs, build/site)
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from docs import site_check, stage
from docs.pages import ROOT


def planted_mistakes_are_found(site):
    """A dead link, a dead anchor and a fetch from elsewhere, in a copy of one page."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "site"
        shutil.copytree(site, copy)
        before = len(site_check.check(copy)[0])
        page = copy / "tour.html"
        page.write_text(page.read_text() + '<a href="nowhere.html"></a><a href="#nothing"></a>'
                        '<script src="https://example.org/x.js"></script>')
        return len(site_check.check(copy)[0]) == before + 3


OFFLINE = '<script>location.protocol=="file:"&&document.write("<script src=\\"{up}search/offline.js\\"><\\/script>")</script>'


def make_search_work_from_files(site):
    """A page that was opened as a file may neither fetch an index nor start a worker from another: both
    in one script, which only such pages load. Material 8 takes them from __search; Material 9 takes
    __index after search_index.js and starts the worker by its address."""
    index = (site / "search/search_index.json").read_text()
    worker = next((site / "assets/javascripts/workers").glob("search.*.min.js")).read_text()
    (site / "search/search_index.js").write_text("// __index is in offline.js\n")
    (site / "search/offline.js").write_text(
        f"var __index={json.dumps(json.loads(index))},"
        f"__search={{index:Promise.resolve(__index),worker:URL.createObjectURL(new Blob([{json.dumps(worker)}]))}};\n"
        "window.Worker=class extends Worker{constructor(url){super(/workers\\/search/.test(url)?__search.worker:url)}};\n")
    for page in site.rglob("*.html"):
        text = page.read_text()
        up = "../" * (len(page.relative_to(site).parts) - 1)
        text, count = re.subn(r'(?=<script src="[^"]*assets/javascripts/bundle)', lambda m: OFFLINE.format(up=up), text)
        if count != 1:
            sys.exit(f"docs_site.py: no element for the search in {page}")
        page.write_text(text)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    count = stage.stage(program, ROOT / "build/docs")
    done = subprocess.run(["mkdocs", "build", "--strict", "--config-file", ROOT / "mkdocs.yml"], cwd=ROOT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit("\n".join(line for line in done.stdout.splitlines() if not line.startswith("INFO")))
    make_search_work_from_files(ROOT / "build/site")
    wrong, _ = site_check.check(ROOT / "build/site")
    if wrong:
        sys.exit("\n".join(wrong))
    if not planted_mistakes_are_found(ROOT / "build/site"):
        sys.exit("docs_site.py: an injected bug was not found")
    print(f"{count} pages: build/site/index.html")


if __name__ == "__main__":
    main()
