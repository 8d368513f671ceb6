#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every statement of the five papers, what became of it, and the command that shows it.

    statements.py --write            docs/statements.md from scripts/statements/*.txt
    statements.py --check RDT        runs every command and fails where it prints something else,
                                     or where a number that was changed on purpose is not found out
    statements.py --check RDT --only TEXT   only commands that contain the text

In the files, "= ID | title | source" begins a paper and "$ command" says what shows the rows that
follow: "W | statement | output" works, "D | statement | because | output" deviates, and
"N | statement | because [| output]" is not built. The output is a run of words in a line that the
command prints, up to the last number of a value; "*" is any word, for what a synthesis says that
need not have run. Several outputs have ";;" between them. An output that begins with "text:" quotes
a sentence instead. "ctest" commands are tests of their own: here it
is only checked that they are there.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "statements.md"
ORDER = ["rdt", "rcc", "rhsn", "scc", "prc"]
VERDICTS = {"W": "works", "D": "deviates", "N": "not built"}


class Row:
    def __init__(self, number, command, fields, where):
        self.number, self.command, self.where = number, command, where
        kind = fields[0]
        if kind not in VERDICTS or len(fields) < 3:
            raise SystemExit(f"{where}: no row of the three kinds: {' | '.join(fields)}")
        self.kind, self.statement = kind, fields[1]
        self.because = "" if kind == "W" else fields[2]
        self.output = fields[2] if kind == "W" else fields[3] if len(fields) > 3 else ""
        if kind != "W" and not self.because:
            raise SystemExit(f"{where}: a row without a reason: {self.statement}")
        if kind != "N" and not self.output and not command.startswith("ctest"):
            raise SystemExit(f"{where}: a row without what its command prints: {self.statement}")

    def shows_nothing(self):
        return self.kind == "N" and not self.output


def read():
    papers = []
    for name in ORDER:
        path = pathlib.Path(__file__).parent / "statements" / f"{name}.txt"
        command, rows, head = "", [], None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.strip():
                continue
            where = f"{path.name}:{number}"
            if line.startswith("= "):
                head = [field.strip() for field in line[2:].split("|")]
            elif line.startswith("$ "):
                command = line[2:].strip()
            else:
                fields = [field.strip() for field in line.split(" | ")]
                fields[-1] = fields[-1].rstrip("|").strip()
                if line.rstrip().endswith(" |"):
                    fields = [f.strip() for f in line.rstrip()[:-2].split(" | ")] + [""]
                rows.append(Row(f"{head[0]}-{len(rows) + 1}", command, fields, where))
        papers.append((head, rows))
    return papers


def page(papers):
    text = ["# Every statement of the five papers", "",
            "Made by `scripts/statements.py --write`; `scripts/statements.py --check build/bin/rdt`,",
            "which is a test, runs every command of this page and fails where it prints something",
            "else. What deviates is explained further in [paper.md](paper.md).", "",
            "| paper | statements | works | deviates | not built |", "|---|---|---|---|---|"]
    total = dict.fromkeys(VERDICTS, 0)
    for (name, title, _), rows in papers:
        count = {kind: sum(row.kind == kind for row in rows) for kind in VERDICTS}
        for kind, n in count.items():
            total[kind] += n
        text.append(f"| {name}: {title} | {len(rows)} | {count['W']} | {count['D']} | "
                    f"{count['N']} |")
    text.append(f"| all | {sum(total.values())} | {total['W']} | {total['D']} | {total['N']} |")
    for (name, title, source), rows in papers:
        text += ["", f"## {title}", "", source + ".", "",
                 "| | statement | | command |", "|---|---|---|---|"]
        for row in rows:
            verdict = VERDICTS[row.kind] + (f" because: {row.because}" if row.because else "")
            command = "" if row.shows_nothing() else f"`{row.command}`"
            text.append(f"| {row.number} | {row.statement} | {verdict} | {command} |")
    return "\n".join(text) + "\n"


TEXT = "text:"
# What is no number, and what it would be.
VERDICT_WORDS = {"acyclic": "cyclic", "acyclic,": "cyclic,", "</svg>": "</sv>"}
NUMBER = re.compile(r"\d[\d.]*%?")


def found(output, lines):
    """Whole words, and not short of a value: the word behind is no number."""
    wanted = output.removeprefix(TEXT).split()
    for words in lines:
        for at in range(len(words) - len(wanted) + 1):
            if any(w not in ("*", word) for w, word in zip(wanted, words[at:])):
                continue
            behind = words[at + len(wanted):at + len(wanted) + 1]
            is_whole = output.startswith(TEXT) or wanted[-1] == "=" or not behind
            if is_whole or not NUMBER.fullmatch(behind[0]):
                return True
    return False


def changed(lines):
    """As a program would print them that computes something else."""
    return [[VERDICT_WORDS.get(word, re.sub(r"\d", lambda d: str((int(d[0]) + 1) % 10), word))
             for word in words] for words in lines]


def run(command, rdt):
    words = shlex.split(command)
    assert words[0] == "rdt", command
    done = subprocess.run([rdt, *words[1:]], capture_output=True, text=True, cwd=ROOT)
    return [line.split() for line in (done.stdout + done.stderr).splitlines()]


def tests_there():
    names = set()
    for path in (ROOT / "tb").rglob("*.cpp"):
        for suite, test in re.findall(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)", path.read_text(), re.M):
            names |= {f"{suite}.{test}"}
    return names


def check(papers, rdt, only):
    wrong, quoted, checked, outputs, tests = [], 0, 0, {}, tests_there()
    for _, rows in papers:
        for row in rows:
            if row.shows_nothing() or only not in row.command:
                continue
            checked += 1
            if row.command.startswith("ctest"):
                pattern = row.command.split(" -R ")[1]
                if not any(pattern in name for name in tests):
                    wrong.append(f"{row.where}: {row.number}: there is no test {pattern}")
                continue
            if row.command not in outputs:
                outputs[row.command] = run(row.command, rdt)
            lines = outputs[row.command]
            for output in row.output.split(" ;; "):
                quoted += output.startswith(TEXT)
                if not found(output, lines):
                    wrong.append(f"{row.where}: {row.number}: `{row.command}` does not print "
                                 f"\"{output}\"")
                elif not output.startswith(TEXT) and found(output, changed(lines)):
                    wrong.append(f"{row.where}: {row.number}: \"{output}\" would stand whatever "
                                 f"the numbers are")
    for line in wrong:
        print(line)
    print(f"{checked} rows checked, {len(outputs)} commands run, {quoted} outputs quote a sentence; "
          f"{len(wrong)} wrong")
    return 0 if not wrong and checked > 0 else 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", metavar="RDT")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    papers = read()
    if args.write:
        PAGE.write_text(page(papers))
    if not args.check:
        return 0
    if not args.write and PAGE.read_text() != page(papers):
        print("docs/statements.md is not what scripts/statements.py --write makes")
        return 1
    return check(papers, args.check, args.only)


if __name__ == "__main__":
    sys.exit(main())
