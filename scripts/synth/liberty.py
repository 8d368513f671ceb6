# SPDX-License-Identifier: MIT
"""What the flow needs to know of a standard-cell library: areas, pins and functions of cells."""
import os
import pathlib
import re
from dataclasses import dataclass

FILE = "qflow/tech/osu018/osu018_stdcells.lib"
PACKAGE = "qflow-tech-osu018"


@dataclass(frozen=True)
class Cell:
    kind: str        # "gate", "ff" (D flip-flop, rising edge, nothing else), "latch" or "other"
    area: float
    inputs: tuple    # pin names
    functions: dict  # output pin -> truth table over the inputs, bit i for the inputs' value i
    data: str = ""   # of a flip-flop
    clock: str = ""


def find(given=None):
    """The library named by the user, or where distributions put it; None if there is none."""
    if given or os.environ.get("RDT_LIBERTY"):
        places = [pathlib.Path(given or os.environ["RDT_LIBERTY"])]
    else:
        roots = os.environ.get("XDG_DATA_DIRS", "").split(":") + ["/usr/share", "/usr/local/share"]
        places = [pathlib.Path(root, FILE) for root in roots if root]
    return next((p.resolve() for p in places if p.is_file()), None)


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
    for brace in re.finditer(r"[{}]", text[start:]):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return text[start:start + brace.end()]
    raise ValueError("unbalanced braces")


def groups(kind, text):
    for found in re.finditer(rf"\b{kind}\s*\(\s*\"?(\w+)\"?[^)]*\)", text):
        yield found.group(1), group(text, found.end())


def value(key, text):
    found = re.search(rf"\b{key}\s*:\s*\"?([^\";]*)\"?\s*;", text)
    return found.group(1).strip() if found else ""


def _cell(body):
    area = float(value("area", body))
    pins = dict(groups("pin", body))
    inputs = tuple(n for n, pin in pins.items() if value("direction", pin) == "input")
    outputs = {n: value("function", pin) for n, pin in pins.items() if value("direction", pin) == "output"}
    if any(groups("latch", body)):
        return Cell("latch", area, inputs, {})
    for state, ff in groups("ff", body):
        data, clock = value("next_state", ff), value("clocked_on", ff)
        plain = set(inputs) == {data, clock} and set(outputs.values()) == {state}
        return Cell("ff" if plain else "other", area, inputs, dict.fromkeys(outputs, 0), data, clock)
    if "three_state" in body or not all(outputs.values()):
        return Cell("other", area, inputs, dict.fromkeys(outputs, 0))
    return Cell("gate", area, inputs, {n: _table(f, inputs) for n, f in outputs.items()})


def read(path):
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    return {name: _cell(body) for name, body in groups("cell", text)}
