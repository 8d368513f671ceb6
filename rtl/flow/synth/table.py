# SPDX-License-Identifier: MIT
"""What `make synth` prints: this chip beside the paper's, in two weights.

Comparisons, with the paper and with an earlier chip, are those of the OSU library; with any other one
the columns stay empty.
"""
from .before import BEFORE
from .paper import BLOCKS, PAPER, PAPER_LOGIC, PAPER_RAM, RAM, RAM_BITS, SUMS
from .roles import ARRAY

MOST_LOADS = 12  # fan-out of a cell, before it gets a buffer


def buffers(loads):
    """Buffers of a tree for so many loads."""
    count = 0
    while loads > MOST_LOADS:
        loads = -(-loads // MOST_LOADS)
        count += loads
    return count


def paper_of(blocks):
    return sum(PAPER[b][1] * PAPER[b][2] for b in blocks if b in PAPER)


def sums(figures):
    """Gates of blocks that belong together; flat keys."""
    result = {}
    for number, (_, blocks) in enumerate(SUMS.items()):
        for weight in ("gates_total", "buffer_gates_total", "array_gates_total"):
            result[f"sum{number}.{weight}"] = sum(figures[f"{b}.{weight}"] for b in blocks)
    return result


def count_injected(f, prefix):
    """The sentence about injected wrong gates."""
    text = f"{f[f'{prefix}injected_seen']} of {f[f'{prefix}injected']} injected wrong gates were detected"
    for kind, what in (("harmless", "proven to change nothing"), ("undecided", "undecided")):
        if number := f[f"{prefix}injected_{kind}"]:
            text += f", {number} {what} and replaced ({f[f'{prefix}injected_{kind}_are']})"
    return text


def _ratio(have, paper):
    return f"{have / paper:.2f}" if paper else ""


def _count(value):
    return f"{value:,}" if value != "" else ""


def show(f, changed, process, nand):
    compared = process.documented

    def line(*columns):
        print("{:<46} {:>5} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>6} {:>6}".format(*columns).rstrip())

    def row(name, key, count, blocks, largest=""):
        cell, extra, array = (f[f"{key}.{w}_total"] for w in ("gates", "buffer_gates", "array_gates"))
        own = [name, count, _count(largest), _count(cell), "", _count(extra), _count(array), "", "", ""]
        if compared:
            paper, added = paper_of(blocks), cell - sum(BEFORE[b] for b in blocks)
            own[4] = f"{added:+,}" if added else "0"
            own[7:] = _count(paper) if paper else "", _ratio(cell, paper), _ratio(array, paper)
        line(*own)

    print()
    line("", "", "one,", "all,", "", "", "all,", *(("", "ratio", "ratio") if compared else ("", "", "")))
    line("block (in the paper)", "count", "area", "area", "added" if compared else "", "buffers", "array",
         *(("paper", "area", "array") if compared else ("", "", "")))
    for block in BLOCKS:
        if block == RAM:
            continue
        name = f"{block} ({PAPER[block][0]})" if block in PAPER else f"{block} (not listed)"
        name = "between the blocks (not listed)" if block == "rdt_router" else name
        row(name, block, f[f"{block}.count"], [block], f[f"{block}.gates_largest"])
    print()
    for number, (name, blocks) in enumerate(SUMS.items()):
        row(name, f"sum{number}", "", blocks)
    row("all logic", "chip.logic", "", [b for b in BLOCKS if b != RAM])
    row(f"RAM in flip-flops, of {RAM_BITS} bits", RAM, f[f"{RAM}.count"], [RAM], f[f"{RAM}.gates_largest"])
    print()
    source = "the LEF file" if process.lef else "the Liberty file"
    wrong = ", ".join(f"{c} {there:.2f}, not {here:.2f}" for c, (here, there) in changed.items() if here)
    print(f"area: in {nand}, from {source}{f' ({wrong} from the Liberty file)' if wrong else ''}.")
    print("array: gate-array weights, " + ", ".join(f"{c} {w}" for c, w in ARRAY.items()) + ", all else by area.")
    print(f"buffers: what a limit of {MOST_LOADS} loads per cell would add in each block, not in the netlist; no clock tree, no scan.")
    print("All blocks are mapped by one script, for area. Their time, and the gates of a chip mapped for it: make sta.")
    if compared:
        print("added: against the chip without recovery of links, fair turns and protection, by the same script "
              f"({BEFORE['commit']}).")
        print(f"chip, RAM as the paper's macro of {PAPER_RAM // 20:,} gates, which is then the same in both: "
              f"{f['chip.gates_with_ram_as_macro']:,} by area,")
        print(f"{f['chip.array_gates_with_ram_as_macro']:,} by array weights, of the paper's {PAPER_LOGIC + PAPER_RAM:,}.")
    else:
        print(f"library: {process.note}.")
    print(f"longest path: {f['chip.levels']} cells, {f['chip.path_start']} -> {f['chip.path_end']}")
