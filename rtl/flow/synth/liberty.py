# SPDX-License-Identifier: MIT
"""Reader of Liberty files: areas, pins, functions and tables of cells."""
import re
from dataclasses import dataclass

from .flow import Unusable

BRACE = re.compile(r"[{}]")
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


@dataclass(frozen=True)
class Cell:
    kind: str        # "gate", "ff" (D flip-flop, rising edge, nothing else), "latch" (the same, transparent) or "other"
    area: float
    inputs: tuple    # pin names
    functions: dict  # output pin -> truth table over the inputs, bit i for the inputs' value i
    data: str = ""   # pin of a flip-flop or a latch
    clock: str = ""  # pin of a flip-flop; the enable of a latch


@dataclass(frozen=True)
class Table:
    loads: tuple  # pF; one that is 0 where the values do not depend on the load
    rows: tuple   # by load; each has the values by slew


def evaluate(text, values):
    """Liberty's Boolean expressions: ! ' for not; ^; blank * & for and; + | for or."""
    tokens = re.findall(r"\w+|[()!'^*&+|]", text)

    def peek():
        return tokens[0] if tokens else None

    def factor():
        token = tokens.pop(0)
        if token == "!":
            value = not factor()
        elif token == "(":
            value = either()
            tokens.pop(0)
        else:
            value = values[token] if token in values else bool(int(token))
        while peek() == "'":
            tokens.pop(0)
            value = not value
        return value

    def exclusive():
        value = factor()
        while peek() == "^":
            tokens.pop(0)
            value ^= factor()
        return value

    def both():
        value = exclusive()
        while peek() not in (None, ")", "+", "|"):
            if peek() in "*&":
                tokens.pop(0)
            value &= exclusive()
        return value

    def either():
        value = both()
        while peek() in ("+", "|"):
            tokens.pop(0)
            value |= both()
        return value

    return either()


def _table(function, inputs):
    rows = ({pin: bool(i >> k & 1) for k, pin in enumerate(inputs)} for i in range(1 << len(inputs)))
    return sum(evaluate(function, row) << i for i, row in enumerate(rows))


def group(text, start):
    """The text from start up to the brace that closes the first one opened."""
    depth = 0
    for brace in BRACE.finditer(text, start):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return text[start:brace.end()]
    raise ValueError("unbalanced braces")


def groups(kind, text):
    for found in re.finditer(rf"\b{kind}\s*\(\s*\"?(\w*)\"?[^)]*\)", text):
        yield found.group(1), group(text, found.end())


def value(key, text):
    found = re.search(rf"\b{key}\s*:\s*\"?([^\";]*)\"?\s*;", text)
    return found.group(1).strip() if found else ""


def _plain(text):
    return text.replace("(", "").replace(")", "").strip()


def _storage(kind, group_kind, keys, body, area, inputs, outputs):
    """A flip-flop or a latch; None if the cell has no such group."""
    for state, text in groups(group_kind, body):
        data, clock = (_plain(value(key, text)) for key in keys)
        direct = {n: 0 for n, function in outputs.items() if _plain(function) == state}
        plain = set(inputs) == {data, clock} and direct
        return Cell(kind if plain else "other", area, inputs, direct if plain else dict.fromkeys(outputs, 0), data, clock)
    return None


def _cell(body):
    area = float(value("area", body) or 0)
    pins = dict(groups("pin", body))
    inputs = tuple(n for n, pin in pins.items() if value("direction", pin) == "input")
    outputs = {n: value("function", pin) for n, pin in pins.items() if value("direction", pin) == "output"}
    stored = (_storage("latch", "latch", ("data_in", "enable"), body, area, inputs, outputs)
              or _storage("ff", "ff", ("next_state", "clocked_on"), body, area, inputs, outputs))
    if stored:
        return stored
    if "three_state" in body or not outputs or not all(outputs.values()):
        return Cell("other", area, inputs, dict.fromkeys(outputs, 0))
    return Cell("gate", area, inputs, {n: _table(f, inputs) for n, f in outputs.items()})


def text_of(path):
    """The file without comments."""
    try:
        return re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"{path}: cannot be read ({error})") from None


def read(path):
    try:
        cells = {name: _cell(body) for name, body in groups("cell", text_of(path))}
    except (ValueError, IndexError) as error:
        raise Unusable(f"{path}: not a Liberty file that can be read ({error})") from None
    if not cells:
        raise Unusable(f"{path}: no cells; not a Liberty file")
    return cells


def numbers(text):
    return [float(n) for n in NUMBER.findall(text)]


class Tables:
    """The tables of a Liberty file, whichever of load and slew comes first in them."""

    def __init__(self, text):
        self._template = {}
        for kind in ("lu_table_template", "power_lut_template"):
            for name, body in groups(kind, text):
                self._template[name] = (value("variable_1", body), self._index("index_1", body), self._index("index_2", body))

    @staticmethod
    def _index(key, body):
        found = re.search(rf"\b{key}\s*\(([^)]*)\)", body)
        return numbers(found[1]) if found else []

    def of(self, kind, body):
        """Every table of this kind in a group."""
        for template, text in groups(kind, body):
            first_is, first, second = self._template.get(template, ("", [], []))
            first, second = self._index("index_1", text) or first, self._index("index_2", text) or second
            found = re.search(r"\bvalues\s*\((.*?)\)\s*;", text, re.S)
            if not found:
                continue
            rows = [numbers(row) for row in re.findall(r'"([^"]*)"', found[1])] or [numbers(found[1])]
            loads = first if "capacitance" in first_is else second
            if len(rows) == 1 and len(rows[0]) == len(first) * max(len(second), 1) and second:
                rows = [rows[0][i:i + len(second)] for i in range(0, len(rows[0]), len(second))]
            if "capacitance" in first_is and not second:
                rows = [[v] for v in rows[0]]
            elif "capacitance" not in first_is and second:
                rows = list(map(list, zip(*rows)))
            yield Table(tuple(loads) or (0.0,), tuple(map(tuple, rows)))
