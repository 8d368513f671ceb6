# SPDX-License-Identifier: MIT
"""A built site: every link and anchor leads somewhere, and nothing is fetched from elsewhere."""
import html.parser
import pathlib
import re
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.fetched, self.ids = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if "id" in a:
            self.ids.add(a["id"])
        if tag == "a" and a.get("href"):
            self.links.append(a["href"])
        if tag in ("img", "script", "iframe", "source", "audio", "video") and a.get("src"):
            self.fetched.append(a["src"])
        if tag == "link" and a.get("rel") in ("stylesheet", "icon", "preload", "modulepreload", "preconnect") and a.get("href"):
            self.fetched.append(a["href"])


def check(site):
    """The errors of the site in this folder."""
    site = pathlib.Path(site)
    pages = {f: Page(f.read_text()) for f in site.rglob("*.html")}
    wrong = []
    for file, page in pages.items():
        name = file.relative_to(site)
        for target in page.links + page.fetched:
            url = urllib.parse.urlsplit(target)
            if url.scheme or url.netloc:
                if target in page.fetched:
                    wrong.append(f"{name} fetches {target}")
                continue
            to = (site / url.path.lstrip("/") if url.path.startswith("/") else
                  (file.parent / urllib.parse.unquote(url.path)).resolve() if url.path else file)
            if to.is_dir():
                to = to / "index.html"
            if not to.exists():
                if name.name != "404.html":  # whose links are those of the server's top
                    wrong.append(f"{name}: there is no {target}")
            elif url.fragment and to in pages and urllib.parse.unquote(url.fragment) not in pages[to].ids:
                wrong.append(f"{name}: no #{url.fragment} in {to.relative_to(site.resolve())}")
    for file in site.rglob("*.css"):
        wrong += [f"{file.relative_to(site)} fetches {m}" for m in re.findall(r"url\(['\"]?(https?:[^)'\"]+)", file.read_text())]
    return wrong, len(pages)
