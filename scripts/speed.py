#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The measured speeds that README.md and docs/speed.md quote (docs/speed.json).

usage: speed.py count RDT FILE   count instructions per cycle and per flit by callgrind; add them to FILE
       speed.py record FILE      take build/bench.json of `make bench` as the new figures, with this machine's name
       speed.py write            write the figures into README.md and docs/speed.md
       speed.py check            check that both pages have these figures
"""
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "docs/speed.json"
WORKS = {"0_1": "0.1", "0_3": "0.3", "saturation": "saturation",
         "multicasts_0_3": "0.3, 10 % multicasts with acks"}
# Name -> title, in the order of the table.
ENGINES = {"fast": "fast", "cycles": "fast, every cycle", "gates": "RTL as gates", "rtl": "Verilated RTL",
           "systemc": "SystemC design"}
# Instructions: name -> options; whether they are divided by the flits that links carry.
FAST = "run --queue 4 --warmup 1000"
COUNTED = {
    "fast_0_1": (f"{FAST} --load 0.1", False),
    "fast_saturation": (f"{FAST} --load 1", True),
    "fast_multicasts_0_3": (f"{FAST} --load 0.3 --multicast 0.1 --density 0.3 --acks --t-ent 400", False),
    "lab_0_1": ("lab --net torus:8x8 --load 0.1 --buffer 16", False),
    "lab_0_3": ("lab --net torus:8x8 --load 0.3 --buffer 16", False),
    "lab_0_4": ("lab --net torus:8x8 --load 0.4 --buffer 16", False),
}


def instructions(program, options, cycles, folder):
    """Instructions of a run, and the flits that its links carry in a cycle. Figures of a longer run have more digits,
    and take longer to write, so the run that writes them is not counted."""
    result = folder / "run.json"
    command = [program, *options.split(), "--cycles", str(cycles)]
    if options.startswith("run"):
        subprocess.run([*command, "--json", str(result)], capture_output=True, check=True)
    done = subprocess.run(["valgrind", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={os.devnull}", *command],
                          capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        sys.exit(f"speed: callgrind of `rdt {options}` ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    links = json.loads(result.read_text())["links"] if result.exists() else []
    # Both directions of the links to MBPs; links between routers are listed at both ends.
    return int(found[1]), sum(link["sent"] + link["received"] * (link["port"] in ("M0", "M1")) for link in links)


def count(program, file):
    """The difference of a longer and a shorter run, so that start and end do not count."""
    if not shutil.which("valgrind"):
        print("speed: instructions were not counted: valgrind is not installed")
        return 0
    figures = json.loads(file.read_text())
    print("\ninstructions, counted by callgrind:")
    for name, (options, by_flit) in COUNTED.items():
        with tempfile.TemporaryDirectory() as work:
            short, _ = instructions(program, options, 4000, pathlib.Path(work))
            long, flits = instructions(program, options, 12000, pathlib.Path(work))
        value = figures[f"instructions_{name}_per_cycle"] = (long - short) / 8000
        print(f"  {name:<22}{value:>10.0f} per cycle", end="")
        if by_flit:
            figures[f"instructions_{name}_per_flit"] = value / flits
            print(f", {value / flits:.0f} per flit and link", end="")
        print()
    file.write_text(json.dumps(figures, indent=2) + "\n")
    return 0


def machine_name():
    """Model of the processor and its architecture, with the clock rate where its name has none."""
    fields = dict(re.findall(r"^(.*?):\s+(.*)$", subprocess.run(["lscpu"], capture_output=True, text=True,
                                                               check=True).stdout, re.M))
    model = re.sub(r"\((R|TM)\)| (Processor|CPU)\b", "", fields["Model name"]).strip().replace("-", " ")
    if "Hz" not in model and fields["Architecture"] == "x86_64":
        model += f", {float(fields['BogoMIPS']) / 2000:.1f} GHz"
    return f"{model}, {fields['Architecture'].strip()}"


def rounded(value):
    """Three digits."""
    digits = max(0, len(str(int(value))) - 3)
    return f"{int(round(value, -digits)):,}"


def rate_of(data, engine, work):
    return data["figures"][f"machine_{engine}_{work}_cycles_per_second"]


def table(data):
    lines = ["| injection rate, flits/node/cycle | " + " | ".join(ENGINES.values()) +
             " | fast : RTL | gates : RTL | SystemC : RTL |", "|---" * (len(ENGINES) + 4) + "|"]
    for work, title in WORKS.items():
        rate = {engine: rate_of(data, engine, work) for engine in ENGINES}
        lines.append(f"| {title} | " + " | ".join(rounded(r) for r in rate.values()) +
                     f" | {rate['fast'] / rate['rtl']:.0f} | {rate['gates'] / rate['rtl']:.0f}"
                     f" | {rate['systemc'] / rate['rtl']:.2f} |")
    return "\n".join(lines)


def threads(data):
    found = re.findall(r"^threads_(.+)_(\d+)_cycles_per_second$", "\n".join(data["figures"]), re.M)
    names = list(dict.fromkeys(name for name, _ in found))
    more = sorted({int(n) for _, n in found} - {1})
    lines = ["| run | one thread, cycles per second | " + " | ".join(f"{n} threads" for n in more) + " |",
             "|---|---|" + "---|" * len(more)]
    for name in names:
        rate = {n: data["figures"][f"threads_{name}_{n}_cycles_per_second"] for n in (1, *more)}
        kind, net, load = re.fullmatch(r"(fast|lab_torus)_(\d+x\d+)_(.+)", name).groups()
        lines.append(f"| {kind.replace('_', ', ')} {net}, rate {load.replace('_', '.')} | {rounded(rate[1])} | " +
                     " | ".join(f"{rate[n] / rate[1]:.2f}" for n in more) + " |")
    return "\n".join(lines)


def counts(data):
    lines = ["| run, 8 x 8 | instructions per cycle | per flit and link |", "|---|---|---|"]
    for name in COUNTED:
        each = data["figures"].get(f"instructions_{name}_per_flit")
        kind, _, rate = name.partition("_")
        lines.append(f"| {kind}, rate {WORKS.get(rate, rate.replace('_', '.'))} | "
                     f"{rounded(data['figures'][f'instructions_{name}_per_cycle'])} | "
                     f"{f'{each:.0f}' if each else ''} |")
    return "\n".join(lines)


def chip(data):
    rate = {name: data["figures"][f"chip_{name}_cycles_per_second"] for name in ("core", "systemc", "rtl", "blocks")}
    return (f"One chip under full load, cycles per second: fast engine {rounded(rate['core'])}, fast engine behind a\n"
            f"SystemC process {rounded(rate['systemc'])}, Verilated RTL {rounded(rate['rtl'])}, SystemC design "
            f"{rounded(rate['blocks'])}\n({rate['blocks'] / rate['rtl']:.2f} of the RTL).")


def sentence(data):
    rate = {engine: rounded(rate_of(data, engine, "0_1")) for engine in ENGINES}
    text = (f"**Speed** in cycles per CPU second, 64 nodes at rate 0.1, one core ({data['machine']}): fast "
            f"{rate['fast']}, RTL as gates {rate['gates']}, Verilated RTL {rate['rtl']}, SystemC {rate['systemc']} "
            f"([more](docs/speed.md)).")
    return textwrap.fill(text, 100)


def pages(data):
    """Page -> mark -> text."""
    origin = f"Measured by `make bench` on {data['date']}, by CPU time on one core ({data['machine']})."
    return {"README.md": {"speed": sentence(data)},
            "docs/speed.md": {"table": table(data) + "\n\n" + origin, "chip": chip(data), "threads": threads(data),
                              "instructions": counts(data)}}


def place(name):
    return re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.S)


def changed(data):
    """Page -> text, of the pages that have other figures."""
    result = {}
    for page, marks in pages(data).items():
        old = text = (ROOT / page).read_text()
        for name, words in marks.items():
            text, count = place(name).subn(lambda m, w=words: m[1] + w + "\n" + m[2], text)
            if count != 1:
                sys.exit(f"speed: {page} must have one place <!-- {name} -->, has {count}")
        if text != old:
            result[page] = text
    return result


def main():
    if sys.argv[1:2] == ["count"] and len(sys.argv) == 4:
        return count(sys.argv[2], pathlib.Path(sys.argv[3]))
    if sys.argv[1:2] == ["record"] and len(sys.argv) == 3:
        figures = json.loads(pathlib.Path(sys.argv[2]).read_text())
        data = {"date": datetime.date.today().isoformat(), "machine": machine_name(), "figures": figures}
        try:
            pages(data)
        except KeyError as missing:
            sys.exit(f"speed: {sys.argv[2]} has no {missing}; run the whole of `make bench`")
        FILE.write_text(json.dumps(data, indent=2) + "\n")
        return 0
    if sys.argv[1:] not in (["write"], ["check"]):
        print(__doc__, file=sys.stderr)
        return 2
    stale = changed(json.loads(FILE.read_text()))
    for page, text in stale.items():
        if sys.argv[1] == "write":
            (ROOT / page).write_text(text)
        else:
            print(f"speed: {page} has other figures than docs/speed.json; run scripts/speed.py write", file=sys.stderr)
    return 1 if stale and sys.argv[1] == "check" else 0


if __name__ == "__main__":
    sys.exit(main())
