#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens single pages as site_pages.py opens those of the site: nothing on the console, no request to
anywhere, nothing wider than the window, at 1280 and at 390 pixels.

usage: pages.py PAGE.html ...
"""
import pathlib
import sys

from site_pages import WIDTHS, look, injected
from chromium import Browser


def main():
    pages = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    missing = [p for p in pages if not p.is_file()]
    if not pages or missing:
        sys.exit(f"browse: no page {missing[0]}" if missing else __doc__)
    with Browser() as browser:
        wrong = list(injected(browser))
        wrong += [w for p in pages for width in WIDTHS for w in look(browser, p.as_uri(), p.name, width)]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(pages)} pages at {' and '.join(map(str, WIDTHS))} pixels")


if __name__ == "__main__":
    main()
