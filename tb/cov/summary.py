# SPDX-License-Identifier: MIT
"""Figures from points and exclusions: by file and kind, by cover point, and every hole."""
import collections
import pathlib

from .points import KINDS


def empty():
    return {"points": 0, "hit": 0, "excluded": 0}


def percent(of):
    return 100.0 * of["hit"] / of["points"] if of["points"] else 100.0


class Summary:
    def __init__(self, points, exclusions, sources, constants):
        """`sources` has a text for each name of a file. A bit that is constant needs no other reason."""
        self.files = collections.defaultdict(lambda: {k: empty() for k in KINDS})
        self.functional = collections.defaultdict(empty)
        self.holes = []
        texts = {}
        for (file, line, kind, what), count in sorted(points.code.items()):
            lines = texts.setdefault(file, sources(file).splitlines())
            text = lines[line - 1].strip()
            named = {"line": text, "branch": f"{what.split(':')[0]} {text}", "toggle": what}[kind]
            key = (file, line, kind, what)
            reason = constants.reason(points.places.get(key)) if count == 0 else None
            reason = reason or exclusions.reason(file, kind, named, count > 0)
            self.note(self.files[file][kind], count, reason,
                      {"file": file, "line": line, "kind": kind, "what": what, "text": text})
        for (file, name, place), count in sorted(points.bins.items()):
            module = pathlib.PurePath(file).stem.replace("cov_", "").replace("_", " ")
            reason = exclusions.reason(file, "bin", f"{name} {place}", count > 0)
            self.note(self.functional[f"{module}: {name.replace('_', ' ')}"], count, reason,
                      {"file": file, "line": 0, "kind": "bin", "what": name, "text": place})

    def note(self, of, count, reason, hole):
        if count == 0 and reason is not None:
            of["excluded"] += 1
            return
        of["points"] += 1
        of["hit"] += count > 0
        if count == 0:
            self.holes.append(hole)

    def total(self, kind):
        parts = self.functional.values() if kind == "functional" else [f[kind] for f in self.files.values()]
        return {key: sum(p[key] for p in parts) for key in empty()}

    def percent(self, kind):
        return round(percent(self.total(kind)), 3)

    def below(self, floors):
        return [f"{kind} coverage {self.percent(kind)} % is below {floor} %" for kind, floor in floors.items()
                if self.percent(kind) < floor]
