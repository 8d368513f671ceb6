# SPDX-License-Identifier: MIT
"""tb/cov/exclusions.txt: what cannot be exercised, with the reason. One that matches nothing, or
something that is exercised, is a mistake."""
import re

from .points import KINDS


class Failure(Exception):
    pass


class Rule:
    def __init__(self, file, kind, pattern, reason, place):
        self.file, self.kind, self.reason, self.place = file, kind, reason, place
        self.pattern = re.compile(pattern)
        self.missed = self.hit = 0


class Exclusions:
    """FILE KIND PATTERN # REASON, a line each. KIND is line, branch, toggle or bin. The pattern is the
    whole line of the source without the blanks around it; of a branch the arm before it (if, else, elsif,
    case); of a toggle the name of the bit; of a bin its name, a blank and its instance."""

    def __init__(self, text, name="exclusions.txt"):
        self.rules = []
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            rule, _, reason = line.partition(" # ")
            words = rule.split(None, 2)
            place = f"{name}:{number}"
            if len(words) != 3 or not reason.strip() or words[1] not in KINDS + ("bin",):
                raise Failure(f"{place}: not FILE KIND PATTERN # REASON")
            try:
                self.rules.append(Rule(words[0], words[1], words[2].strip(), reason.strip(), place))
            except re.error as e:
                raise Failure(f"{place}: {e}") from e

    def reason(self, file, kind, text, is_hit):
        """The exclusion of a missed point; also records which rules match."""
        found = None
        for rule in self.rules:
            if rule.file == file and rule.kind == kind and rule.pattern.fullmatch(text):
                rule.hit += is_hit
                rule.missed += not is_hit
                found = found or rule.reason
        return None if is_hit else found

    def mistakes(self):
        return ([f"{r.place}: matches nothing" for r in self.rules if r.hit + r.missed == 0] +
                [f"{r.place}: {r.hit} of {r.hit + r.missed} points that it matches are exercised" for r in self.rules if r.hit])
