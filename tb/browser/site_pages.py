#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens every page of the site in a headless Chromium, as a file, at 1280 and at 390 pixels: nothing on
the console, no request to anywhere, no picture missing, nothing wider than the window; and searches for
a word.

usage: site_pages.py SITE [--shots DIR] [--pages NAME,...]
"""
import argparse
import pathlib
import sys
import tempfile

from chromium import Browser

WIDTHS = (1280, 390)
READY = "document.readyState=='complete'"
BROKEN = "[...document.images].filter(i => !i.naturalWidth).map(i => i.getAttribute('src')).join(' ')"
WIDE = "document.documentElement.scrollWidth - innerWidth"
SEARCH = """(async () => {
  const input = document.querySelector('[data-md-component=search-query]');
  if (!input) return 0;
  input.focus(); input.value = 'lockstep';
  input.dispatchEvent(new Event('keyup', {bubbles: true}));
  for (let k = 0; k < 600; ++k) {
    const found = document.querySelectorAll('.md-search-result__item').length;
    if (found) return found;
    await new Promise(r => setTimeout(r, 100));
  }
  return 0;
})()"""


def look(browser, url, name, width, shot=None):
    """The errors of a page at a width."""
    browser.requests.clear()
    browser.complaints.clear()
    browser.resize(width, 900, phone=width < 600)
    browser.open(url)
    browser.wait(f"location.href=={url!r} && {READY}")
    wrong = [f"{name} at {width}: requests {r}" for r in browser.requests]
    if broken := browser.evaluate(BROKEN):
        wrong.append(f"{name} at {width}: no picture {broken}")
    if (wide := browser.evaluate(WIDE)) > 0:
        wrong.append(f"{name} at {width}: {wide} pixels wider than the window")
    wrong += [f"{name} at {width}: {c}" for c in browser.complaints]
    if shot:
        browser.screenshot(shot, whole=False)
    return wrong


def injected(browser):
    """Each of these has to be found."""
    injected_bugs = {"requests": "<script src='https://example.org/x.js'></script>", "no picture": "<img src='nothing.png'>",
              "wider than": "<div style='width:3000px'>x</div>", "oops": "<script>console.error('oops')</script>"}
    for what, text in injected_bugs.items():
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "injected.html"
            page.write_text(f"<!doctype html><title>x</title><body>{text}</body>")
            if not any(what in w for w in look(browser, page.as_uri(), "injected", 1280)):
                yield f"not found: {text}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("--shots", type=pathlib.Path)
    parser.add_argument("--pages", help="only these, as tour,tutorials/block")
    args = parser.parse_args()
    site = args.site.resolve()
    files = sorted(f for f in site.rglob("*.html") if f.name != "404.html")
    if args.pages:
        files = [site / f"{name}.html" for name in args.pages.split(",")]
    if args.shots:
        args.shots.mkdir(parents=True, exist_ok=True)
    with Browser() as browser:
        wrong = list(injected(browser))
        for file in files:
            name = str(file.relative_to(site).with_suffix(""))
            for width in WIDTHS:
                shot = args.shots / f"{name.replace('/', '_')}_{width}.png" if args.shots else None
                wrong += look(browser, file.as_uri(), name, width, shot)
        wrong += look(browser, (site / "index.html").as_uri(), "index", 1280)
        found = browser.evaluate(SEARCH)
        if not found:
            wrong.append("the search finds nothing")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(files)} pages at {len(WIDTHS)} widths, {found} found by the search")


if __name__ == "__main__":
    main()
