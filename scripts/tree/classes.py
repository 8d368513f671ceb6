# SPDX-License-Identifier: MIT
"""Lengths of the C++ classes and functions of the project.

The lines of a class are those of its definition and of all its members that are defined elsewhere, in any
file. A class is known by the namespaces and classes around it. Classes that are nested in it count on their own.

usage: python3 -m scripts.tree.classes [COUNT]
  COUNT   print so many of the longest classes and functions (default 20)
"""
import collections
import functools
import re
import sys

from .files import ROOT, source_files

MAX_CLASS = 600
MAX_FUNCTION = 80
# Classes that may be longer, up to so many lines, and why.
LONG_CLASSES = {
}
# Files that may have a friend, and why.
FRIENDS = {
    "sim/rdt/machine/machine.h": "the function that makes a machine sets its check",
    "sim/rdt/tlm/hart.h": "a program and the harts that execute it are one part",
}
# Functions that may be longer, and why.
LONG_FUNCTIONS = {
    "rdt::hart::Hart::run_with": "one case for each instruction, in one switch that keeps the state of the hart in registers",
    "rdt::hart::decode_full": "one case for each opcode of the instruction set",
}

# Comments, literals and preprocessor lines: no brace of theirs counts.
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'|'
                   r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)
NAMESPACE = re.compile(r"\b(?:namespace(?:\s+([\w:]+))?|extern)\s*$")
TEMPLATE = re.compile(r"\btemplate\s*<(?:[^<>]|<[^<>]*>)*>")
CLASS = re.compile(r"^(?:[^()]*\s)?(?:class|struct|union)\s+(?:alignas\s*\([^)]*\)\s*)?([\w:]+)[^()=]*"
                   r"(?::[^:].*)?$", re.S)
# The name before the first parenthesis, with the classes that it belongs to.
FUNCTION = re.compile(r"((?:\w+(?:<[^<>()]*>)?\s*::\s*)*)(~?\w+|operator\b[^(]*)\s*\(")
FRIEND = re.compile(r"^\s*friend\s+(?:class\s+|struct\s+)?[^;{]*", re.M)


@functools.lru_cache(maxsize=None)
def blank(text):
    """The same text, with spaces in place of all that is no code."""
    return NOISE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def kind_of(head):
    """(kind, name) of the block that follows these words at the level of a namespace or class."""
    words = re.sub(r"\b(?:public|private|protected)\s*:(?!:)", " ", head)
    if found := NAMESPACE.search(words):
        return "namespace", found[1] or ""
    words = TEMPLATE.sub(" ", words).strip()
    if re.search(r"\benum\b[^()]*$", words) or words.endswith("="):
        return "other", ""
    if found := CLASS.match(words):
        return "class", found[1]
    if found := FUNCTION.search(words):
        return "function", re.sub(r"<[^<>]*>|\s", "", found[1]) + found[2].strip()
    return "other", ""


def measure(text):
    """Yields (kind, full name, first line, lines) of classes, of members defined outside of them and of other
    functions. The lines of a class are without those of the classes in it."""
    code = blank(text)
    stack = []  # (kind, name, first line); the last is the innermost
    nested = collections.Counter()  # by depth
    start, continued = 0, None
    for token in re.finditer(r"[{};]", code):
        head, start = code[start:token.start()], token.end()
        if token[0] == "{":
            begin = token.start() - len(head.lstrip()) if head.strip() else token.start()
            first = code.count("\n", 0, begin) + 1
            if stack and stack[-1][0] in ("function", "other"):
                kind, name = "other", ""
            elif continued and re.match(r"\s*(,|$|try\b)", head):  # after {} in the initializers of a constructor
                kind, name, first = continued
            else:
                kind, name = kind_of(head)
            stack.append((kind, name, first))
            nested[len(stack)] = 0
        elif token[0] == "}" and stack:
            depth = len(stack)
            kind, name, first = stack.pop()
            last = code.count("\n", 0, token.start()) + 1
            continued = (kind, name, first) if kind == "function" else None
            around = [n for k, n, _ in stack if k in ("namespace", "class") and n]
            lines = last - first + 1
            if kind == "class":
                nested[depth - 1] += lines
                yield "class", "::".join(around + [name]), first, lines - nested[depth]
            elif kind == "function":
                is_elsewhere = "::" in name and not any(k == "class" for k, _, _ in stack)
                yield "member" if is_elsewhere else "function", "::".join(around + [name]), first, lines
        if token[0] == ";":
            continued = None


@functools.lru_cache(maxsize=None)
def measured(text):
    return tuple(measure(text))


def collect(sources):
    """Lines by class, and (path, first line, name, lines) of all functions."""
    classes, functions, members = collections.Counter(), {}, {}
    for path, text in sorted(sources.items()):
        for kind, name, first, lines in measured(text):
            if kind == "class":
                classes[name] += lines
            else:  # the longest, of the parts of a constructor with {} in its initializers
                functions[path, first, name] = max(lines, functions.get((path, first, name), 0))
            if kind == "member":
                members[path, first, name] = functions[path, first, name]
    for (_, _, name), lines in members.items():
        owner = name.rpartition("::")[0]
        if owner in classes:
            classes[owner] += lines
    return classes, sorted((*where, lines) for where, lines in functions.items())


def findings(sources):
    """Sources are C++ texts by path."""
    classes, functions = collect(sources)
    for name, lines in sorted(classes.items()):
        if lines > LONG_CLASSES.get(name, (MAX_CLASS, ""))[0]:
            yield f"class {name} has {lines} lines in all its files, more than {MAX_CLASS}"
    for name in sorted(name for name in LONG_CLASSES if classes[name] <= MAX_CLASS):
        yield f"scripts/tree/classes.py: {name} needs no exception"
    long = {name for _, _, name, lines in functions if lines > MAX_FUNCTION}
    for path, first, name, lines in functions:
        if lines > MAX_FUNCTION and name not in LONG_FUNCTIONS:
            yield f"{path}:{first}: function {name} has {lines} lines, more than {MAX_FUNCTION}"
    for name in sorted(set(LONG_FUNCTIONS) - long):
        yield f"scripts/tree/classes.py: {name} needs no exception"
    for path, text in sorted(sources.items()):
        for found in FRIEND.finditer(blank(text)):
            words = " ".join(found[0].split())
            if "operator" not in words and path not in FRIENDS:
                yield f"{path} has a friend: {words}"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    sources = {name: (ROOT / name).read_text() for name in source_files() if name.endswith((".h", ".cpp"))}
    classes, functions = collect(sources)
    for name, lines in classes.most_common(count):
        print(f"{lines:5} {name}")
    for path, first, name, lines in sorted(functions, key=lambda f: -f[3])[:count]:
        print(f"{lines:5} {path}:{first} {name}")


if __name__ == "__main__":
    main()
