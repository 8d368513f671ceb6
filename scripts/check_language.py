#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the language of pages, comments, messages and test names against the words and patterns of
scripts/language/rules.py. Each folder at the top has a recorded number of findings, which may only
fall; the goal is 0.

usage: check_language.py [PATH...]             findings above the recorded numbers are an error
       check_language.py --list [PATH...]      every finding, with the term to write instead
       check_language.py --report [PATH...]    words of prose and length of sentences per page
       check_language.py --update              record the present numbers; refuses to raise one
       check_language.py --update --moved      the same after files moved to another folder: refuses to
                                               raise the sum
       check_language.py --inject              each rule has to detect an injected sentence

Quotations are listed in scripts/language/allowed.txt: path, quoted text, reason.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

from language import rules, texts as tx

ROOT = pathlib.Path(__file__).resolve().parent.parent
COUNTS = ROOT / "scripts/language/counts.json"
ALLOWED = ROOT / "scripts/language/allowed.txt"
MAX_ALLOWED = 30
SUFFIXES = (".md", ".h", ".cpp", ".c", ".sv", ".svh", ".v", ".js", ".py", ".cmake", ".sh", ".yml")
NAMES = ("CMakeLists.txt", "Makefile")
# Generated files; the rules themselves; pages that quote the papers sentence by sentence.
LEFT_OUT = re.compile(r"(sim/rdt/core/format\.h|rtl/rdt_pkg\.sv|docs/statements\.md|"
                      r"scripts/language/rules\.py|scripts/check_language\.py)$")


class Finding:
    def __init__(self, text, rule, words, advice, line=None):
        self.path, self.line, self.kind, self.rule, self.words, self.advice = (
            text.path, line or text.line, text.kind, rule, words, advice)

    def __str__(self):
        return f"{self.path}:{self.line}: {self.kind}: {self.rule}: \"{self.words}\"; write: {self.advice}"


def room_of(path):
    """The folder at the top of the project; for files that are not in one: top."""
    return path.split("/")[0] if "/" in path else "top"


def sources():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, text=True)
    if listed.returncode == 0:
        names = [n for n in listed.stdout.splitlines() if (ROOT / n).is_file()]
    else:
        names = [str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if p.is_file()]
        names = [n for n in names if not n.startswith("build")]
    return sorted(n for n in names if n.endswith((*SUFFIXES, *NAMES)) and not LEFT_OUT.search(n))


def read_allowed(content):
    """(path, words, reason) by line; `#` begins a comment."""
    entries = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [p.strip() for p in line.split(" | ")]
        if len(parts) != 3 or not all(parts):
            sys.exit(f"{ALLOWED.name}:{number}: an entry is: path | quoted text | reason")
        entries.append((parts[0], parts[1].lower(), parts[2]))
    if len(entries) > MAX_ALLOWED:
        sys.exit(f"{ALLOWED.name}: {len(entries)} entries: at most {MAX_ALLOWED} are allowed")
    return entries


def is_prose_of_a_page(text):
    return text.path.endswith(".md") and text.kind == "prose"


def findings_of(text):
    """Findings of one text."""
    found = []
    shown = tx.without_code(text.text)
    line = text.line
    for part in shown.split("\n") if text.kind == "comment" and "\n" in shown else [shown]:
        found += [Finding(text, *f, line=line) for f in rules.avoided(part)]
        line += 1
    if "\n" in shown:  # words that a line break divides
        known = collections.Counter((f.rule, f.words) for f in found)
        whole = [f for f in rules.avoided(shown)]
        for rule in whole:
            if known[rule[:2]]:
                known[rule[:2]] -= 1
            else:
                found.append(Finding(text, *rule))
    if text.kind in ("name", "assertion"):
        found += [Finding(text, *f) for f in rules.fragments(shown)]
    if text.kind in ("prose", "comment"):
        for sentence in tx.sentences(shown):
            found += [Finding(text, *f) for f in rules.beginnings(sentence)]
    if is_prose_of_a_page(text):
        for sentence in tx.sentences(text.text):
            count = len(tx.words(sentence))
            if count > rules.MAX_SENTENCE:
                found.append(Finding(text, "long sentence", f"{' '.join(sentence.split()[:6])} ...",
                                     f"{count} words: at most {rules.MAX_SENTENCE}"))
    return found


def lengths(texts):
    return [len(tx.words(s)) for t in texts if is_prose_of_a_page(t) for s in tx.sentences(t.text) if tx.words(s)]


def findings(files, allowed):
    """Findings of files, given as a dictionary of contents by path."""
    found = []
    for path, content in files.items():
        of_file = tx.texts(path, content)
        here = [words for p, words, _ in allowed if p == path]
        for text in of_file:
            low = text.text.lower()
            quoted = " ".join(words for words in here if words in re.sub(r"\s+", " ", low))
            found += [f for f in findings_of(text) if not quoted or f.words not in quoted]
        count = lengths(of_file)
        if count and sum(count) > rules.MAX_MEAN * len(count):
            found.append(Finding(tx.Text(path, 1, "prose", ""), "long sentences", f"mean {sum(count) / len(count):.1f} words",
                                 f"at most {rules.MAX_MEAN}"))
    return found


def by_room(found):
    return collections.Counter(room_of(f.path) for f in found)


def raised(counts, recorded):
    return [f"{room}: {count} findings, {recorded.get(room, 0)} recorded (check_language.py --list {'' if room == 'top' else room + '/'})"
            for room, count in sorted(counts.items()) if count > recorded.get(room, 0)]


def refused(counts, recorded, moved):
    """Why the numbers may not be recorded."""
    if recorded is None:
        return []
    wrong = [] if moved else raised(counts, recorded)
    if sum(counts.values()) > sum(recorded.values()):
        wrong.append(f"{sum(counts.values())} findings, {sum(recorded.values())} recorded: the sum may only fall")
    return wrong


def update(counts, recorded, moved):
    wrong = refused(counts, recorded, moved)
    if wrong:
        return wrong
    lines = [f"  {json.dumps(room)}: {counts[room]}" for room in sorted(counts) if counts[room]]
    COUNTS.write_text("{\n" + ",\n".join(lines) + "\n}\n" if lines else "{}\n")
    return []


def report(files):
    print(f"{'page':36} {'words':>6} {'sentences':>9} {'mean':>5} {'longest':>7}")
    every = []
    for path, content in files.items():
        count = lengths(tx.texts(path, content))
        if path.endswith(".md") and count:
            every += count
            print(f"{path:36} {sum(count):6} {len(count):9} {sum(count) / len(count):5.1f} {max(count):7}")
    if every:
        print(f"{'all pages':36} {sum(every):6} {len(every):9} {sum(every) / len(every):5.1f} {max(every):7}")


INJECTED = [
    ("docs/injected.md", "The link takes a flit a clock.\n", "clock for cycle"),
    ("docs/injected.md", "It runs for 5000 clocks.\n", "clock for cycle"),
    ("docs/injected.md", "The output sends one flit a cycle.\n", "a for per"),
    ("docs/injected.md", "The line is free when nobody\ndrives it.\n", "person for hardware"),
    ("docs/injected.md", "| a | the error is told by a packet |\n", "tell"),
    ("docs/injected.md", "## A link that finds back\n", "find back"),
    ("docs/injected.md", "Of a survivor ABC proves that it is equivalent.\n", "leading Of"),
    ("docs/injected.md", "That chips which start differently become alike is not proven.\n", "leading That"),
    ("docs/injected.md", "What a run writes is in the table.\n", "leading What"),
    ("docs/injected.md", "word " * 41 + "end.\n", "long sentence"),
    ("docs/injected.md", "one " * 22 + "end. " + "Two " * 22 + "end.\n", "long sentences"),
    ("docs/injected.md", "The neighbour synchronises.\n", "British spelling"),
    ("sim/injected.h", "int a;  // the result is held against the model\n", "hold against"),
    ("sim/injected.h", "/* A planted mistake. */\n", "plant"),
    ("sim/injected.cpp", 'add("--x", "one more, for " "who may take this one");\n', "person for hardware"),
    ("sim/injected.cpp", "// A port that wants\n// the line.\n", "want"),
    ("tb/injected.cpp", "TEST(Context, that_is_wrong_is_refused) {\n", "begins with a conjunction or pronoun"),
    ("tb/injected.cpp", "TEST(arbiter, whoever_waits_is_granted) {\n", "person for hardware"),
    ("tb/CMakeLists.txt", "rdt_check(structure/mistakes_are_found_out LABELS lint)\n", "found out"),
    ("cmake/injected.cmake", "# The crew of threads.\n", "crew"),
    ("rtl/injected.svh", '`RDT_PROMISE("and is empty then", a == b)\n', "begins with a conjunction or pronoun"),
    ("rtl/injected.sv", "  assign a = b;  // an own turn: it is its turn\n", "turn"),
    ("scripts/injected.py", '"""A ledger of packets."""\n', "ledger"),
    ("scripts/injected.py", 'print(f"{a} is bad")\n', "bad"),
    ("Makefile", "run: ## as fast as without a bound\n", "without a bound"),
    ("sim/live/injected.js", 'text("the watcher of the page");\n', "watcher"),
]
CLEAN = [
    ("docs/clean.md", "The clock signal rises once per cycle. The arbiter grants each output at most once per cycle.\n"
                      "`rdt run --clocks` is code. Each packet takes one of two paths; see the [page](told.md).\n\n"
                      "```text\nnobody told the clocks\n```\n"),
    ("sim/clean.cpp", '#include "told.h"\n// The buffer advertises a credit when it is empty.\nauto told = f("valid packet");\n'),
    ("scripts/clean.py", '"""Compares two files."""\nnobody = 1\n'),
]


def check_injected():
    missed = []
    for path, content, rule in INJECTED:
        found = findings({path: content}, [])
        shown = any(f.rule == rule for f in found)
        print(f"{'found' if shown else 'NOT FOUND'}: {rule}: {content.splitlines()[0][:70]}")
        if not shown:
            missed.append(f"not detected: {rule}: {content.strip()[:70]}")
    for path, content in CLEAN:
        missed += [f"reported without need: {f}" for f in findings({path: content}, [])]
    quoted = [("docs/injected.md", "nobody told the clocks", "a quotation")]
    missed += [f"the allow-list does not cover {f}" for f in
               findings({"docs/injected.md": "The paper has \"nobody told the clocks\".\n"}, quoted)]
    if not findings({"docs/other.md": "The paper has \"nobody told the clocks\".\n"}, quoted):
        missed.append("an entry of the allow-list covers another file")
    if not raised({"docs": 3}, {"docs": 2}) or raised({"docs": 2}, {"docs": 2}) or not raised({"docs": 1}, {}):
        missed.append("a raised count is not detected")
    before, shifted = {"a": 2, "b": 2}, {"a": 1, "b": 3}
    if not refused(shifted, before, False) or refused(shifted, before, True) or not refused({"a": 5}, before, True) or \
            not refused({"a": 1}, {}, False) or not refused({"a": 1}, {}, True):
        missed.append("an update that raises a number is not refused")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("list", "report", "update", "moved", "inject"):
        parser.add_argument(f"--{option}", action="store_true")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files or beginnings of paths, from the top of the project")
    args = parser.parse_args()
    if args.inject:
        wrong = check_injected()
        if wrong:
            sys.exit("\n".join(wrong))
        return
    names = [n for n in sources() if not args.paths or any(n.startswith(p.removeprefix("./")) for p in args.paths)]
    if not names:
        sys.exit(f"{' '.join(args.paths)}: no such file: give paths from the top of the project")
    files = {n: (ROOT / n).read_text(errors="replace") for n in names}
    if args.report:
        report(files)
        return
    found = findings(files, read_allowed(ALLOWED.read_text()))
    if args.list:
        for finding in sorted(found, key=lambda f: (f.path, f.line)):
            print(finding)
        print(f"{len(found)} findings in {len(files)} files")
        return
    counts = by_room(found)
    recorded = json.loads(COUNTS.read_text()) if COUNTS.exists() else None
    if args.update and args.paths:
        sys.exit("--update: takes no PATH: it records all folders")
    if args.moved and not args.update:
        sys.exit("--moved: needs --update")
    wrong = update(counts, recorded, args.moved) if args.update else raised(counts, recorded or {})
    if not args.paths or args.update:
        print(f"{sum(counts.values())} findings in {len(files)} files, {sum((recorded or {}).values())} recorded; goal 0")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
