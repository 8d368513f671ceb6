# SPDX-License-Identifier: MIT
"""Pages by lcov's genhtml: the RTL from the models' counts, the C++ core from gcov's."""
import json
import re
import subprocess


def write_info(points, root, path):
    """Lines and branches of the RTL in lcov's format."""
    by_file = {}
    for (file, line, kind, what), count in sorted(points.code.items()):
        lines = by_file.setdefault(file, [])
        if kind == "line":
            lines.append(f"DA:{line},{count}")
        elif kind == "branch":
            lines.append(f"BRDA:{line},0,{what.replace(':', '_')},{count}")
    with open(path, "w") as out:
        for file, lines in by_file.items():
            out.write("\n".join([f"SF:{root / 'rtl' / file}", *lines, "end_of_record"]) + "\n")


def run(command):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise OSError(f"{command[0]}: {done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.returncode}")


def write_core_info(root, build, objects, path):
    """Lines of sim/rdt/core and sim/rdt/fast, as gcov has counted them in these folders of a build. The compiler names
    sources by absolute paths, relative to the build folder (with ccache) or relative to the project."""
    everything = path.with_suffix(".all")
    run(["lcov", "-q", "--capture", *(a for o in objects for a in ("--directory", o)), "--base-directory", build, "--output-file", everything])
    records = [with_source_below(root, record) for record in everything.read_text().split("end_of_record\n")]
    ours = path.with_suffix(".ours")
    ours.write_text("".join(f"{record}end_of_record\n" for record in records if record))
    run(["lcov", "-q", "--add-tracefile", ours, "--output-file", path])  # one record of each source


def with_source_below(root, record):
    """The record of a source of the core, with its path in the project; "" for another file."""
    found = re.search(r"^SF:.*?/(sim/rdt/(?:core|fast)/.*)$", record, re.M)
    if not found or not (root / found[1]).is_file():
        return ""
    return record[:found.start()] + f"SF:{root / found[1]}" + record[found.end():]


def core_figures(path, root):
    """By file: lines and those that have run; and the lines that have not."""
    files, missed, name = {}, [], ""
    for line in path.read_text().splitlines():
        key, _, value = line.partition(":")
        if key == "SF":
            name = value.replace(f"{root}/", "")
            files[name] = {"points": 0, "hit": 0}
        elif key == "DA":
            number, count = value.split(",")[:2]
            files[name]["points"] += 1
            files[name]["hit"] += count != "0"
            if count == "0":
                missed.append({"file": name, "line": int(number)})
    return files, missed


def draw(infos, root, output):
    run(["genhtml", "-q", "--branch-coverage", "--prefix", root, "--title", "RDT", "--output-directory", output, *infos])


def dump(value, path):
    path.write_text(json.dumps(value, indent=1) + "\n")
