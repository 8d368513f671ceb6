# SPDX-License-Identifier: MIT
"""Finds the texts that people read: prose of pages, comments, string literals and test names."""
import io
import re
import tokenize

import docs.pages as md

C_LIKE = (".h", ".cpp", ".c", ".sv", ".svh", ".v", ".js")
C_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\((?:.*?)\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
JS_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`', re.S)
TEST = re.compile(r"^\s*(?:TEST|TEST_F|TEST_P|TYPED_TEST)\(\s*(\w+),\s*(\w+)\s*\)", re.M)
CHECK = re.compile(r"^\s*(?:rdt_check|rdt_test)\(\s*([\w/]+)", re.M)
ASSERTION = re.compile(r"`RDT_(?:PROMISE|GIVEN|RELY)\s*\(\s*$")
LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^()\s]*(?:\([^()]*\))?[^()\s]*\)")
ENDS = re.compile(r"(?<=[.!?])[\"')*_]*\s+(?=[\"'(*_`\[]*[A-Z0-9`])")
ABBREVIATIONS = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|Fig|fig|No|Dr|Prof|al|approx|Sec|Eq)\.$|\b[A-Z]\.$")


class Text:
    """kind: prose, heading, cell, comment, message, assertion or name; line: where it begins."""

    def __init__(self, path, line, kind, text):
        self.path, self.line, self.kind, self.text = path, line, kind, text
        self.end = line + text.count("\n")


def plain(text):
    """Without the targets of links, HTML and emphasis."""
    text = LINK.sub(lambda m: m[1], text)
    text = re.sub(r"<[^>\n]+>", "", text)
    return re.sub(r"[*]{1,3}|(?<!\w)_|_(?!\w)", "", text)


def without_code(text):
    return re.sub(r"`[^`]*`", "`code`", text)


def sentences(paragraph):
    parts, whole = ENDS.split(paragraph.strip()), []
    for part in parts:
        if whole and ABBREVIATIONS.search(whole[-1]):
            whole[-1] += " " + part
        else:
            whole.append(part)
    return [s for s in whole if s]


def words(sentence):
    return [w for w in sentence.split() if re.search(r"\w", w)]


def page(path, text):
    """Paragraphs, list items, headings and cells of tables; blocks of code are left out."""
    found, current, start = [], [], 0

    def close():
        if current:
            found.append(Text(path, start, "prose", plain(" ".join(current))))
            current.clear()

    for number, line, language in md.lines(text):
        stripped = line.strip()
        if language is not None or not stripped:
            close()
        elif stripped.startswith("|"):
            close()
            if not re.fullmatch(r"[|\s:-]+", stripped):
                cells = re.split(r"(?<!\\)\|", stripped.strip("|"))
                found += [Text(path, number, "cell", plain(cell.strip())) for cell in cells if cell.strip()]
        elif stripped.startswith("#"):
            close()
            found.append(Text(path, number, "heading", plain(stripped.lstrip("# "))))
        elif line.startswith("    ") and not current:
            continue  # a block of code by indentation
        else:
            item = re.match(r"\s*(?:[-*]|\d+\.) +(.*)", line)
            if item:
                close()
            if not current:
                start = number
            current.append(item[1] if item else stripped.lstrip("> "))
    close()
    return found


def name_of_test(words_of):
    return words_of.replace("_", " ").strip()


def joined_comments(found):
    """Comment lines that follow each other are one text."""
    whole = []
    for text in found:
        last = whole[-1] if whole else None
        if last and last.kind == text.kind == "comment" and text.line == last.end + 1:
            last.text += "\n" + text.text
            last.end = text.end
        else:
            whole.append(text)
    return whole


def c_like(path, text):
    comments, messages = [], []
    pattern = JS_TOKEN if path.endswith(".js") else C_TOKEN
    line, at = 1, 0
    last_end = -1
    for match in pattern.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        token = match[0]
        if token.startswith("//"):
            comments.append(Text(path, line, "comment", token.lstrip("/ !<")))
        elif token.startswith("/*"):
            comments.append(Text(path, line, "comment", re.sub(r"(?m)^\s*\*+ ?", "", token[2:-2])))
        elif token.startswith("'") and not path.endswith(".js"):
            continue
        else:
            if re.search(r"#\s*include\s*$|`include\s*$|`line\s*$", text[max(0, match.start() - 20):match.start()]):
                continue
            content = token[1:-1] if token[0] != "R" else token[token.index("(") + 1:token.rindex(")")]
            if messages and not text[last_end:match.start()].strip():
                messages[-1].text += content  # adjacent literals
            else:
                kind = "assertion" if ASSERTION.search(text[max(0, match.start() - 40):match.start()]) else "message"
                messages.append(Text(path, line, kind, content))
            last_end = match.end()
    names = [Text(path, text.count("\n", 0, m.start(1)) + 1, "name", name_of_test(m[2])) for m in TEST.finditer(text)]
    return joined_comments(comments) + messages + names


def python(path, text):
    comments, messages = [], []
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return []
    middle = getattr(tokenize, "FSTRING_MIDDLE", None)
    fresh, last = True, None
    for token in tokens:
        kind, string, row = token.type, token.string, token.start[0]
        if kind == tokenize.COMMENT:
            comments.append(Text(path, row, "comment", string.lstrip("#! ")))
        elif kind == tokenize.STRING:
            content = re.sub(r"^\w*(\"\"\"|'''|\"|')|(\"\"\"|'''|\"|')$", "", string)
            if fresh and string.lstrip("rRbBuU").startswith(('"""', "'''")):
                comments.append(Text(path, row, "comment", content))
            elif last == tokenize.STRING and messages:
                messages[-1].text += content
            else:
                messages.append(Text(path, row, "message", content))
        elif middle is not None and kind == middle:
            messages.append(Text(path, row, "message", string))
        if kind in (tokenize.NL, tokenize.COMMENT):
            continue
        fresh = kind in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)
        last = kind
    return joined_comments(comments) + messages


def hash_comments(path, text):
    """CMake, make, shell, YAML: comments, messages in double quotes, names of tests."""
    found, messages = [], []
    for number, line in enumerate(text.splitlines(), 1):
        comment = re.search(r"(?:^|\s)#+(?!\{)(.*)$", re.sub(r'"[^"]*"', lambda m: "x" * len(m[0]), line))
        if comment:
            found.append(Text(path, number, "comment", line[comment.start(1):].strip()))
            line = line[:comment.start()]
        messages += [Text(path, number, "message", m) for m in re.findall(r'"([^"]*\s[^"]*)"', line)]
    names = [Text(path, text.count("\n", 0, m.start(1)) + 1, "name", name_of_test(m[1].split("/", 1)[1]))
             for m in CHECK.finditer(text) if "/" in m[1]]
    return joined_comments(found) + messages + names


def texts(path, content):
    if path.endswith(".md"):
        return page(path, content)
    if path.endswith(C_LIKE):
        return c_like(path, content)
    if path.endswith(".py"):
        return python(path, content)
    return hash_comments(path, content)
