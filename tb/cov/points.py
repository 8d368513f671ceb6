# SPDX-License-Identifier: MIT
"""Sums the counts of the instrumented models (tb/cov/counts.h) by source point.

A line is covered if a statement in it has run; a branch is an arm of an if, also of one without else, or
of a case. A toggle is a bit that has risen and fallen in one model. All of these are merged: a module's
instances and its variants by parameter are one, since they are one text. A bin of functional coverage is
an instance's own.
"""
import collections
import pathlib
import re

KINDS = ("line", "branch", "toggle")


def spans(text):
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def instance(text):
    return text.replace("__BRA__", "[").replace("__KET__", "]").lstrip(".")


class Points:
    def __init__(self):
        self.code = collections.Counter()    # (file, line, kind, what): count
        self.bins = collections.Counter()    # (module, name, instance): count
        self.single = collections.Counter()  # toggles of the chip, (instance, bit)
        self.places = collections.defaultdict(set)  # of a key of code: those in the chip

    def read(self, path):
        with open(path, encoding="utf-8") as lines:
            for text in lines:
                self.add(*text.rstrip("\n").split("\t"))

    def add(self, kind, file, line, column, place, what, lines, total, most):
        page = kind.split("/")[0]
        source = pathlib.PurePath(file)
        if page == "v_user":
            self.bins[source.name, what, instance(place)] += int(total)
            return
        if source.parent.name != "rtl":
            return
        name, line, total = source.name, int(line), int(total)
        if page == "v_toggle":
            risen_and_fallen = int(int(most) > 1)
            # Turns of a loop are alike, bits of a vector are not.
            bit = re.sub(r"\[\d+\]\.", "[].", what)
            self.code[name, line, "toggle", bit] += risen_and_fallen
            if place.startswith(".rdt_router"):
                self.single[instance(place), what] += risen_and_fallen
                self.places[name, line, "toggle", bit].add((instance(place), what))
            return
        if page == "v_branch" or what in ("elsif", "case"):
            self.code[name, line, "branch", f"{what}:{column}"] += total
        for number in spans(lines or str(line)):
            self.code[name, number, "line", ""] += total

    def toggled(self):
        return {key for key, n in self.single.items() if n}

    def by_instance(self, constants):
        """Bits of the chip that are not constants."""
        free = [key for key in self.single if not constants.has(*key)]
        return {"points": len(free), "hit": len(self.toggled().intersection(free)), "excluded": len(self.single) - len(free)}
