#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every name of the RTL is declared before its first use, as IEEE 1800 requires (6.21, 23.7).

Verilator and Icarus 12 accept a later declaration; Icarus 13 and other simulators do not. Functions and
instance names are exempt: the standard allows them to follow their use. The assertions that a module
includes (rdt_<module>.svh) are read where they are included.

usage: check_declarations.py            check rtl/*.sv
       check_declarations.py --inject   check that injected late declarations are reported
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOKEN = re.compile(r"[A-Za-z_$][\w$]*|\d*'s?[bdohBDOH][\w?]+|\d[\w.]*|::|[^\s\w]")
OPEN = {"module": "endmodule", "package": "endpackage", "function": "endfunction", "begin": "end"}
TYPES = {"logic", "wire", "reg", "bit", "byte", "int", "integer", "genvar", "localparam", "parameter", "input",
         "output", "inout"}
IS_NAME = re.compile(r"[A-Za-z_][\w$]*$")


def text_of(path, folder):
    """The text without comments, strings and macro definitions, included files in place; same line numbers."""
    text = path.read_text()
    text = re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    text = re.sub(r"`define(?:[^\n\\]|\\\n|\\.)*", lambda m: "\n" * m[0].count("\n"), text)

    def included(match):
        file = folder / match[1]
        own = file.name == path.stem + ".svh"
        return " ".join(text_of(file, folder).split()) if own and file.is_file() else ""

    text = re.sub(r'`include\s+"([^"]+)"', included, text)
    text = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
    return re.sub(r"`\w+", "", text)


def tokens_of(text):
    line, last = 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", last, match.start())
        last = match.start()
        yield match[0], line


class Scope:
    def __init__(self, end, parent):
        self.end, self.parent = end, parent
        self.declared = {}  # name -> (token number, line)


class Reader:
    """Declarations by scope and uses of one file."""

    def __init__(self, text):
        self.tokens = list(tokens_of(text))
        self.scope = Scope(None, None)
        self.uses = []  # (name, token number, line, scope)
        self.types = set(TYPES)
        self.read()

    def word(self, i):
        return self.tokens[i][0] if i < len(self.tokens) else ""

    def declare(self, i):
        self.scope.declared.setdefault(self.word(i), (i, self.tokens[i][1]))

    def use(self, i):
        word = self.word(i)
        if IS_NAME.match(word) and self.word(i - 1) not in (".", "::") and self.word(i + 1) != "::":
            self.uses.append((word, i, self.tokens[i][1], self.scope))

    def closing(self, i):
        """The index after the bracket that closes the one at i; what is between is used."""
        depth = 0
        while i < len(self.tokens):
            if self.word(i) in "([{":
                depth += 1
            elif self.word(i) in ")]}":
                depth -= 1
                if depth == 0:
                    return i + 1
            else:
                self.use(i)
            i += 1
        return i

    def enumeration(self, i):
        """typedef enum logic [..] {A, B = x, ...} name;  i is at `{`."""
        i += 1
        while self.word(i) != "}":
            self.declare(i)
            i += 1
            while self.word(i) not in (",", "}"):
                self.use(i)
                i += 1
            i += self.word(i) == ","
        self.types.add(self.word(i + 1))
        return i + 2

    def declaration(self, i):
        """At a type: all names that it declares. Ends at the token after the list."""
        while True:
            while self.word(i) in self.types or self.word(i) in ("signed", "unsigned", "automatic", "::"):
                i += 1
            while self.word(i) == "[":
                i = self.closing(i)
            if self.word(i + 1) == "::" or (IS_NAME.match(self.word(i)) and IS_NAME.match(self.word(i + 1))):
                i += 2 if self.word(i + 1) == "::" else 1  # a type of a package
                continue
            break
        while IS_NAME.match(self.word(i)):
            self.declare(i)
            i += 1
            while self.word(i) not in (",", ";", ")", ""):
                if self.word(i) in "([{":
                    i = self.closing(i)
                else:
                    self.use(i)
                    i += 1
            if self.word(i) != "," or self.word(i + 1) in self.types or self.word(i + 2) == "::":
                break
            i += 1
        return i

    def read(self):
        i = 0
        while i < len(self.tokens):
            word = self.word(i)
            if word == "typedef" and self.word(i + 1) == "enum":
                while self.word(i) != "{":
                    i = self.closing(i) if self.word(i) == "[" else i + 1
                i = self.enumeration(i)
            elif word in ("for",) and self.word(i + 1) == "(":
                self.scope = Scope("for", self.scope)
                i += 2
            elif word in OPEN:
                # The scope of a for loop reaches to the end of its block, or of its statement.
                self.scope = Scope(OPEN[word], self.scope)
                i += 1
                if word == "function":
                    while self.word(i + 1) not in ("(", ";"):
                        i = self.closing(i) if self.word(i) == "[" else i + 1
                    i += 1  # its name
                elif word in ("module", "package"):
                    i += 1
                elif self.word(i) == ":":
                    i += 2
            elif self.scope.end and word == self.scope.end and word != "for":
                self.scope = self.scope.parent
                i += 1
                if self.word(i) == ":":
                    i += 2
                self.leave_loops()
            elif word == ";" and self.scope.end == "for" and self.statement_ends(i):
                self.leave_loops()
                i += 1
            elif word in self.types and self.word(i + 1) not in ("'", "::"):
                i = self.declaration(i)
            else:
                self.use(i)
                i += 1

    def statement_ends(self, i):
        """Whether the semicolon ends the body of a loop: it is in no bracket of the loop's head."""
        depth = 0
        while i >= 0:
            i -= 1
            if self.word(i) in ")]}":
                depth += 1
            elif self.word(i) in "([{":
                depth -= 1
                if depth < 0:
                    return False
            elif self.word(i) in ("begin", "end", "endcase") and depth == 0:
                return True
            elif self.word(i) == "for" and depth == 0:
                return True
        return True

    def leave_loops(self):
        while self.scope.end == "for":
            self.scope = self.scope.parent

    def late(self):
        for name, at, line, scope in self.uses:
            found = None
            while scope:
                if name in scope.declared:
                    where, declared = scope.declared[name]
                    if where < at:
                        found = None
                        break
                    found = found or (name, line, declared)
                scope = scope.parent
            if found:
                yield found


def check(folder):
    """(messages, declarations seen)"""
    wrong, seen = [], 0
    for file in sorted(folder.glob("*.sv")):
        reader = Reader(text_of(file, folder))
        reported = set()
        for name, line, declared in reader.late():
            if name not in reported:
                reported.add(name)
                wrong.append(f"rtl/{file.name}:{line}: {name} is used before its declaration in line {declared}")
        seen += len(re.findall(r"\b(?:logic|wire|localparam|genvar)\b", file.read_text()))
    return wrong, seen


def inject():
    """For each kind of declaration one that is moved behind its use."""
    import tempfile
    cases = {
        "wire": ("module m (input logic a_i, output logic o);\n  assign o = x;\n  logic x, y;\n  assign x = a_i;\n"
                 "endmodule\n", "x"),
        "second name of a list": ("module m (output logic o);\n  assign o = y;\n  logic x, y;\nendmodule\n", "y"),
        "constant": ("module m (output logic [W-1:0] o);\n  localparam int W = 3;\nendmodule\n", "W"),
        "enum": ("module m (output logic o);\n  assign o = (st == StA);\n  typedef enum logic {StA, StB} s_e;\n"
                 "  s_e st;\nendmodule\n", "StA"),
        "block": ("module m (output logic o);\n  if (1) begin : gen_a\n    assign o = z;\n    logic z;\n  end\n"
                  "  logic u;\nendmodule\n", "z"),
        "after a loop": ("module m (output logic [1:0] o);\n  for (genvar g = 0; g < 2; g++) begin : gen_b\n"
                         "    assign o[g] = v[g];\n  end\n  logic [1:0] v;\nendmodule\n", "v"),
    }
    fine = ("module m #(parameter int W = 2) (input logic [W-1:0] a_i, output logic o);\n  function automatic logic f(\n"
            "    input logic x);\n    return x;\n  endfunction\n  always_comb begin\n    o = 1'b0;\n"
            "    for (int k = 0; k < W; k++) if (a_i[k]) o = f(a_i[k]);\n  end\n"
            "  if (W == 2) begin : gen_two\n    logic k;\n    assign k = a_i[0];\n  end\nendmodule\n")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind, (text, late) in cases.items():
            (folder / "m.sv").write_text(text)
            found = check(folder)[0]
            if not any(f": {late} is used" in line for line in found):
                sys.exit(f"not reported: {kind}")
        (folder / "m.sv").write_text(fine)
        if check(folder)[0]:
            sys.exit(f"reported without cause: {check(folder)[0][0]}")
        # The RTL itself, with one declaration moved to the end of its module.
        for file in (ROOT / "rtl").glob("*.sv*"):
            (folder / file.name).write_text(file.read_text())
        (folder / "m.sv").unlink()
        file = folder / "rdt_link_io.sv"
        text = file.read_text()
        line = re.search(r"^ *logic +gnt,.*\n", text, re.M)[0]
        file.write_text(text.replace(line, "").replace("endmodule", line + "endmodule"))
        found = check(folder)[0]
        if not found or not all(l.startswith("rtl/rdt_link_io.sv:") for l in found):
            sys.exit("not reported: a declaration of rdt_link_io.sv moved to the end")
    print(f"{len(cases) + 1} injected late declarations are reported")


def main():
    if sys.argv[1:] == ["--inject"]:
        return inject()
    wrong, seen = check(ROOT / "rtl")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{seen} declarations stand before their first use")


if __name__ == "__main__":
    main()
