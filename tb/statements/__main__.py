#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every statement of the five papers, what became of it, and the command that shows it.

usage: python3 -m tb.statements ...
    --write [--papers DIR]   writes docs/statements.md; with the papers' texts at hand it looks up every
                             quotation and records that it did
    --check RDT              runs every command and refuses every row that it does not support; --only TEXT:
                             only commands that contain the text
    --inject RDT             20 wrong rows, each of which has to be refused

tb/statements/PAPER.txt: "= ID | title | source | file" begins a paper, "$ command" names what
shows the rows that follow. A row is "section | statement | quotation | evidence [| reason]".

The quotation has 3 to 15 words of the paper. Texts of papers are not part of this project;
quotations.txt holds digests of those that were found in them, so that a changed one is noticed.

Evidence is a list of claims with ";;" between them: "LABEL HERE RELATION PAPER", where the command
prints LABEL and behind it HERE, PAPER is the value of the paper, and RELATION is one of = < <= > >=
and ~ (within 5 %). "rdt paper" prints the paper's value as well, which then has to be the same.
"LABEL HERE" without a relation is printed, too, but no claim. A claim with another relation than =
may instead compare HERE with the HERE of another claim of the row.

The verdict follows: a row works if all its claims hold, else it deviates and needs a reason, which
begins with "error:" (of the paper), "refuted:" (by experiment) or "choice:" (of this project). A row
of a "ctest" command is tested: a test of that name exists. "none: why" as evidence: not built.
"""
import argparse
import copy
import hashlib
import math
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = pathlib.Path(__file__).parent
PAGE = ROOT / "docs" / "statements.md"
DIGESTS = FOLDER / "quotations.txt"
ORDER = ["rdt", "rcc", "rhsn", "scc", "prc"]
VERDICTS = ["works", "deviates", "tested", "not built"]
CLASSES = ("error:", "refuted:", "choice:")
RELATIONS = ("=", "<", "<=", ">", ">=", "~")
NUMBER = re.compile(r"[-+]?\d[\d,]*(\.\d+)?(e[-+]?\d+)?[%,;]?$")
NO_EVIDENCE = {"*", "-", "</svg>", ""}


class Refused(Exception):
    pass


def number(word):
    return float(word.rstrip("%,;").replace(",", "")) if NUMBER.fullmatch(word) else None


def holds(here, relation, there):
    a, b = number(here), number(there)
    if a is None or b is None:
        if relation != "=":
            raise Refused(f'"{here} {relation} {there}" compares what is no number')
        return here == there
    if relation == "~":
        return math.isclose(a, b, rel_tol=0.05)
    return {"=": a == b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[relation]


class Claim:
    def __init__(self, text):
        words = text.split()
        self.relation = self.there = None
        if len(words) > 2 and words[-2] in RELATIONS:
            self.relation, self.there = words[-2:]
            words = words[:-2]
        self.label, self.here = words[:-1], words[-1] if words else ""
        if self.here in NO_EVIDENCE or "*" in words:
            raise Refused(f'"{text}" is no evidence')

    def is_printed(self, lines, has_paper_column, others=()):
        is_between_values = self.relation != "=" and self.there in others
        for words in lines:
            for at in range(len(words) - len(self.label)):
                if words[at:at + len(self.label)] != self.label:
                    continue
                rest = words[at + len(self.label):]
                if rest[0] != self.here:
                    continue
                behind = rest[1] if len(rest) > 1 else ""
                if (has_paper_column and self.relation and not is_between_values
                        and number(behind) is not None):
                    if number(behind) != number(self.there):
                        continue
                return True
        return False


class Row:
    def __init__(self, name, command, line, where):
        self.name, self.command, self.where = name, command, where
        fields = [field.strip() for field in (line.rstrip() + " ").split(" | ")]
        if len(fields) not in (4, 5):
            raise Refused(f"{len(fields)} fields instead of 4 or 5")
        self.section, self.statement, self.quotation, self.evidence = fields[:4]
        self.reason = fields[4] if len(fields) == 5 else ""
        if not self.section or not self.statement:
            raise Refused("a row without a section or a statement")
        if not 3 <= len(self.quotation.split()) <= 15:
            raise Refused(f"a quotation of {len(self.quotation.split())} words, not 3 to 15")
        self.claims = []
        self.verdict = self.derived()

    def derived(self):
        if self.evidence.startswith("none:"):
            if self.reason or not self.evidence[5:].strip():
                raise Refused("what is not built has its reason behind none:")
            return "not built"
        if self.command.startswith("ctest"):
            if self.reason or self.evidence:
                raise Refused("a test is its own evidence")
            return "tested"
        self.claims = [Claim(text) for text in self.evidence.split(" ;; ")]
        with_value = [c for c in self.claims if c.relation]
        if not with_value:
            raise Refused("no claim with a value of the paper")
        if all(holds(c.here, c.relation, c.there) for c in with_value):
            if self.reason:
                raise Refused("all claims hold, so there is nothing to explain")
            return "works"
        if not self.reason.startswith(CLASSES) or not self.reason.split(":", 1)[1].strip():
            raise Refused(f"a deviation without a reason that begins with {', '.join(CLASSES)}")
        if "unexplained" in self.reason:
            raise Refused("a reason that explains nothing")
        return "deviates"


def read_paper(text, name):
    head, command, rows = None, "", []
    for at, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if line.startswith("= "):
            head = [field.strip() for field in line[2:].split("|")]
        elif line.startswith("$ "):
            command = line[2:].strip()
        else:
            where = f"{name}.txt:{at}"
            try:
                rows.append(Row(f"{head[0]}-{len(rows) + 1}", command, line, where))
            except Refused as why:
                raise Refused(f"{where}: {why}: {line[:100]}") from None
    return head, rows


def read():
    return [read_paper((FOLDER / f"{name}.txt").read_text(), name) for name in ORDER]


# --- quotations

def plain(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


def digest(paper, quotation):
    return hashlib.sha256(f"{paper}:{plain(quotation)}".encode()).hexdigest()[:16]


def look_up(papers, folder):
    """The digests of all quotations, each of which is in its paper's text."""
    digests, wrong = set(), []
    for head, rows in papers:
        texts = list(pathlib.Path(folder).glob(head[3]))
        if len(texts) != 1:
            raise Refused(f"{folder}: {len(texts)} texts {head[3]}")
        text = plain(texts[0].read_text())
        for row in rows:
            if plain(row.quotation) in text:
                digests.add(digest(head[0], row.quotation))
            else:
                wrong.append(f"{row.where}: {row.name}: not in the paper: {row.quotation}")
    if wrong:
        raise Refused("\n".join(wrong))
    return digests


def check_quotations(papers, digests):
    return [f"{row.where}: {row.name}: a quotation that was not looked up: {row.quotation}"
            for head, rows in papers for row in rows
            if digest(head[0], row.quotation) not in digests]


# --- the page

def page(papers):
    text = ["# Every statement of the five papers", "",
            "Made by `python3 -m tb.statements --write`. `python3 -m tb.statements --check build/bin/rdt`, a",
            "test, runs every command of this page. It refuses a row whose command does not print the",
            "row's evidence, whose verdict does not follow from the printed values, or whose quotation",
            "was not found in the paper.", "",
            "*Works*: every printed value has the stated relation to the paper's. *Deviates*: one has",
            "not; the reason is an error of the paper, a refutation by experiment, or a choice of this",
            "project. *Tested*: a test of that name asserts it. [paper.md](paper.md) explains further.",
            "", "| paper | statements | " + " | ".join(VERDICTS) + " |", "|---|---|---|---|---|---|"]
    total = dict.fromkeys(VERDICTS, 0)
    for head, rows in papers:
        count = {v: sum(row.verdict == v for row in rows) for v in VERDICTS}
        for verdict, n in count.items():
            total[verdict] += n
        text.append(f"| {head[0]}: {head[1]} | {len(rows)} | " +
                    " | ".join(str(count[v]) for v in VERDICTS) + " |")
    text.append(f"| all | {sum(total.values())} | " +
                " | ".join(str(total[v]) for v in VERDICTS) + " |")
    for head, rows in papers:
        text += ["", f"## {head[1]}", "", head[2] + ".", "",
                 "| | section | statement, and the paper's words | verdict | here | command |",
                 "|---|---|---|---|---|---|"]
        for row in rows:
            verdict = row.verdict
            if row.reason:
                verdict += f": {row.reason}"
            if row.verdict == "not built":
                verdict += f": {row.evidence[5:].strip()}"
            shown = "; ".join(f"{c.here} {c.relation} {c.there}" for c in row.claims if c.relation)
            command = f"`{row.command}`" if row.verdict != "not built" else ""
            text.append(f'| {row.name} | {row.section} | {row.statement}: "{row.quotation}" | '
                        f"{verdict} | {shown} | {command} |")
    return "\n".join(text) + "\n"


def page_faults(text, papers):
    return [] if text == page(papers) else \
        ["docs/statements.md is not what python3 -m tb.statements --write makes"]


# --- the commands

def run(command, rdt):
    words = shlex.split(command)
    if words[0] != "rdt":
        raise Refused(f"{command}: is no command of rdt")
    done = subprocess.run([rdt, *words[1:]], capture_output=True, text=True, cwd=ROOT)
    lines = [line.split() for line in (done.stdout + done.stderr).splitlines()]
    # "rdt net route" begins with "4 hops".
    return lines + [words[::-1] for words in lines if words[1:] == ["hops"]]


def tests_there():
    names = set()
    for path in (ROOT / "tb").rglob("*.cpp"):
        for suite, test in re.findall(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)", path.read_text(), re.M):
            names.add(f"{suite}.{test}")
    return names


def check_row(row, rdt, outputs, tests):
    if row.verdict == "not built":
        return []
    if row.verdict == "tested":
        pattern = row.command.split(" -R ")[1]
        return [] if any(pattern in name for name in tests) else [f"there is no test {pattern}"]
    if row.command not in outputs:
        outputs[row.command] = run(row.command, rdt)
    lines, has_column = outputs[row.command], row.command.startswith("rdt paper")
    return [f"`{row.command}` does not print \"{' '.join([*c.label, c.here])}\""
            + (f" beside {c.there}" if c.relation and has_column else "")
            for c in row.claims
            if not c.is_printed(lines, has_column, {o.here for o in row.claims if o is not c})]


def check(papers, rdt, only):
    wrong = check_quotations(papers, set(DIGESTS.read_text().split()))
    checked, outputs, tests = 0, {}, tests_there()
    for _, rows in papers:
        for row in rows:
            if only in row.command:
                checked += 1
                wrong += [f"{row.where}: {row.name}: {why}"
                          for why in check_row(row, rdt, outputs, tests)]
    for line in wrong:
        print(line)
    print(f"{checked} rows checked, {len(outputs)} commands run; {len(wrong)} wrong")
    return 0 if not wrong and checked > 0 else 1


# --- injected errors

VALID = ["= RDT | title | source | 003*", "$ rdt net info rdt:64",
         "IV-A | Table II: RDT | the diameter and degree of the | diameter 8 = 8 ;; degree 8 = 8",
         "abstract | diameter 11 | it is 11 for | diameter 8 = 11 | error: for 4096 nodes",
         "$ rdt paper table3 --quick",
         "IV-A | cut | bisection bandwidth is sum of those | rdt:64/1, cut between columns 1664 = 1664",
         "$ ctest -R geometry.missing_ranks_can_be_rank_1", "II-B | ranks | one of upper rank tori is | "]
# Line of VALID, its text, and the replacement.
ERRORS = [
    (2, "diameter 8 = 8", "diameter 9 = 9"), (2, "diameter 8 = 8", "diameter 8 = 7"),
    (2, "diameter 8 = 8", "diameter 8 < 8"), (2, "diameter 8 = 8 ;; degree 8 = 8", "diameter 8 ;; degree 8"),
    (2, "degree 8 = 8", "degree 9 = 9"), (2, "degree 8 = 8", "* 8 = 8"),
    (2, "degree 8 = 8", "</svg>"), (2, "degree 8 = 8", "degree -"),
    (2, "the diameter and degree of the", "the diameter and radius of the"),
    (2, "the diameter and degree of the", "the diameter"),
    (2, "the diameter and degree of the", "word " * 16), (2, "IV-A", ""),
    (3, " | error: for 4096 nodes", ""), (3, "error: for 4096 nodes", "because it is"),
    (3, "error: for 4096 nodes", "error: unexplained"), (3, "8 = 11 | error", "8 = 8 | error"),
    (5, "1664 = 1664", "1665 = 1665"), (5, "1664 = 1664", "1664 = 1665 | choice: another value"),
    (5, "cut between columns", "cut between rows"),
    (6, "missing_ranks_can_be_rank_1", "missing_ranks_can_be_rank_2"),
    (2, "degree 8 = 8", "nodes 4096 = many"), (5, "1664 = 1664", "1664 < 1665"),
    (5, "1664 = 1664", "1664 < 1728 ;; rdt:64/1, cut between columns 1728")]


def faults_of(lines, digests, rdt, outputs, tests):
    try:
        head, rows = read_paper("\n".join(lines), "valid")
    except Refused as why:
        return [str(why)]
    found = check_quotations([(head, rows)], digests)
    for row in rows:
        found += check_row(row, rdt, outputs, tests)
    return found


def inject(rdt):
    """Each error has to be refused, and the rows without one accepted."""
    head, rows = read_paper("\n".join(VALID), "valid")
    digests = {digest(head[0], row.quotation) for row in rows}
    outputs, tests, missed = {}, tests_there(), []
    for why in faults_of(VALID, digests, rdt, outputs, tests):
        missed.append(f"refused without an error: {why}")
    for at, old, new in ERRORS:
        lines = copy.copy(VALID)
        if old not in lines[at]:
            raise SystemExit(f"{old} is not in {lines[at]}")
        lines[at] = lines[at].replace(old, new)
        if not faults_of(lines, digests, rdt, outputs, tests):
            missed.append(f"accepted: {lines[at]}")
    sound = page([(head, rows)])
    for old, new in (("| works |", "| deviates |"), ("1664 = 1664", "1664 = 1665")):
        if not page_faults(sound.replace(old, new, 1), [(head, rows)]):
            missed.append(f"accepted: {new} on the page")
    for line in missed:
        print(line)
    print(f"{len(ERRORS) + 2} injected errors, {len(missed)} missed")
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(prog="python3 -m tb.statements", )
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--papers", metavar="DIR", default=os.environ.get("RDT_PAPERS"))
    parser.add_argument("--check", metavar="RDT")
    parser.add_argument("--inject", metavar="RDT")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    if args.inject:
        return inject(args.inject)
    try:
        papers = read()
        if args.papers:
            digests = look_up(papers, args.papers)
            if args.write:
                DIGESTS.write_text("\n".join(sorted(digests)) + "\n")
        if args.write:
            PAGE.write_text(page(papers))
    except Refused as why:
        print(why)
        return 1
    if not args.check:
        return 0
    for fault in page_faults(PAGE.read_text(), papers):
        print(fault)
        return 1
    return check(papers, args.check, args.only)


if __name__ == "__main__":
    sys.exit(main())
