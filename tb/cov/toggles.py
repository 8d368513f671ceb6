# SPDX-License-Identifier: MIT
"""Verilator counts the toggles of a vector by a statement for each bit:

    if ((4U & (a ^ b))) { ++vlSymsp->__Vcoverage[9]; b = ((3U & b) | (4U & a)); }

Most of the code of a model that counts is made of these. Here those of bits beside each other become one
statement, which compiles in a fraction of the time and has nothing to do in a cycle in which nothing changes.
Other lines stay unchanged.
"""
import re

NAME = r"(?:vlSelf\s*->)?\w+(?:\s*\[\w+\])?"
OPERAND = rf"(?:\(IData\)\s*\({NAME}\)|{NAME})"
BIT = re.compile(rf"""\s*if\s*\(\((\w+)U\s*&\s*\(\s*({OPERAND})\s*\^\s*({OPERAND})\)\)\)\s*\{{
                      \s*\+\+vlSymsp->__Vcoverage\[(\d+)\];
                      \s*({NAME})\s*=\s*\(\s*\((\w+)U\s*&\s*({OPERAND})\)\s*\|\s*\((\w+)U\s*&\s*({OPERAND})\)\);
                      \s*\}}\n""", re.X)


def plain(operand):
    return re.sub(r"\s+|\(IData\)|[()]", "", operand)


def bit_of(found):
    """(now, before, its counter less its number, number), if the statement does what it is taken for."""
    mask, now, before, counter, target, others, kept, again, value = found.groups()
    mask, others = int(mask, 0), int(others, 0)
    if (mask & (mask - 1) or mask & others or int(again, 0) != mask or plain(target) != plain(before) or
            plain(kept) != plain(before) or plain(value) != plain(now)):
        return None
    number = mask.bit_length() - 1
    return plain(now), plain(before), int(counter) - number, number


def gather(text):
    out, at, run = [], 0, []

    def flush():
        if len(run) == 1:
            out.append(run[0][1])
        elif run:
            now, before, first, _ = run[0][0]
            mask = sum(1 << bit[3] for bit, _ in run)
            out.append(f"\n    if (const uint32_t changed = {mask:#x}U & ({now} ^ {before})) {{\n"
                       f"        rdt::cov::toggled(vlSymsp->__Vcoverage, {first}, changed);\n"
                       f"        {before} ^= changed;\n    }}\n")
        run.clear()

    for found in BIT.finditer(text):
        bit = bit_of(found)
        if run and (found.start() != at or bit is None or bit[:3] != run[0][0][:3]):
            flush()
        out.append(text[at:found.start()])
        at = found.end()
        if bit is None:
            out.append(found.group(0))
        else:
            run.append((bit, found.group(0)))
    flush()
    return "".join(out) + text[at:]
