#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks rdt.core (FuseSoC, CAPI2) and Bender.yml: keys, files, top modules, parameters and defaults.

Where FuseSoC is installed, it also sets up every target. Order and completeness of the RTL files are
checked by check_file_lists.py.

usage: check_core.py [--inject]
  --inject   change the files in memory, one fact at a time; each change must be detected
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORE, BENDER = "rdt.core", "Bender.yml"
# The part of CAPI2 that a core of plain source files can use.
CORE_KEYS = {"name", "description", "license", "filesets", "targets", "parameters", "provider", "generate", "virtual"}
TARGET_KEYS = {"description", "filesets", "toplevel", "parameters", "flow", "flow_options", "hooks", "generate"}
FILE_KEYS = {"is_include_file", "include_path", "file_type", "logical_name", "tags", "copyto", "define"}
FLOW_TOOLS = {"lint": {"verilator"}, "sim": {"icarus", "verilator"}, "generic": {"yosys"}}
NEEDED_TARGETS = {"default", "lint", "sim", "synth"}
BENDER_KEYS = {"package", "dependencies", "sources", "export_include_dirs", "workspace", "plugins", "frozen"}
GROUP_KEYS = {"target", "include_dirs", "defines", "files"}
BENDER_TARGETS = {"synthesis", "not(synthesis)", "test"}


def unknown(where, entry, known):
    return [f"{where}: unknown key {key}" for key in entry if key not in known]


def modules_of(files):
    """{module: text of its parameter list}"""
    found = {}
    for name in files:
        if (ROOT / name).is_file():
            text = (ROOT / name).read_text()
            found.update(re.findall(r"^module (\w+)\s*(?:#\((.*?)^\))?", text, re.M | re.S))
    return found


def default_of(text):
    """A default as a number; constants of rdt_pkg are looked up."""
    if text.isdigit():
        return int(text)
    constant = re.search(rf"localparam int {text.split('::')[-1]} = (\d+);", (ROOT / "rtl/rdt_pkg.sv").read_text())
    return int(constant[1]) if constant else text


def check_core(core):
    wrong = unknown(CORE, core, CORE_KEYS)
    if not re.fullmatch(r"[\w.-]+:[\w.-]+:[\w.-]+:\d+\.\d+\.\d+", core.get("name", "")):
        wrong.append(f"{CORE}: name is not vendor:library:name:version")
    files = {}
    for name, fileset in core["filesets"].items():
        files[name] = []
        for entry in fileset["files"]:
            path, attributes = (entry, {}) if isinstance(entry, str) else next(iter(entry.items()))
            wrong += unknown(f"{CORE}: {path}", attributes, FILE_KEYS)
            if not (ROOT / path).is_file():
                wrong.append(f"{CORE}: no such file: {path}")
            files[name].append(path)
    wrong += [f"{CORE}: no target {t}" for t in sorted(NEEDED_TARGETS - set(core["targets"]))]
    for name, target in core["targets"].items():
        wrong += check_target(f"{CORE}: target {name}", target, files, core.get("parameters", {}))
    return wrong


def check_target(where, target, files, parameters):
    wrong = unknown(where, target, TARGET_KEYS)
    absent = [f for f in target["filesets"] if f not in files]
    if absent:
        return wrong + [f"{where}: no fileset {absent[0]}"]
    tool = target.get("flow_options", {}).get("tool")
    if tool not in FLOW_TOOLS.get(target.get("flow"), ()):
        wrong.append(f"{where}: flow {target.get('flow')} with tool {tool}")
    modules = modules_of([f for name in target["filesets"] for f in files[name]])
    top = target["toplevel"]
    if top not in modules:
        return wrong + [f"{where}: no module {top} in its files"]
    defaults = dict(re.findall(r"parameter int (\w+)\s*=\s*([\w:]+)", modules[top] or ""))
    if set(defaults) != set(target.get("parameters", [])):
        wrong.append(f"{where}: parameters {target.get('parameters')}, the module has {sorted(defaults)}")
    for name in target.get("parameters", []):
        entry = parameters.get(name)
        if not entry or entry.get("paramtype") != "vlogparam":
            wrong.append(f"{where}: {name} is not declared as a vlogparam")
        elif name in defaults and entry["default"] != default_of(defaults[name]):
            wrong.append(f"{where}: default of {name} is {entry['default']}, in the RTL {defaults[name]}")
    return wrong


def check_bender(bender):
    wrong = unknown(BENDER, bender, BENDER_KEYS)
    wrong += [f"{BENDER}: package has no {key}" for key in ("name", "authors") if key not in bender["package"]]
    folders = list(bender.get("export_include_dirs", []))
    for group in bender["sources"]:
        wrong += unknown(f"{BENDER}: sources", group, GROUP_KEYS)
        folders += group.get("include_dirs", [])
        wrong += [f"{BENDER}: no such file: {f}" for f in group["files"] if not (ROOT / f).is_file()]
        # Every file that a source includes is found in one of the folders.
        for file in group["files"]:
            text = (ROOT / file).read_text() if (ROOT / file).is_file() else ""
            for name in re.findall(r'^\s*`include "([^"]+)"', text, re.M):
                if not any((ROOT / folder / name).is_file() for folder in group.get("include_dirs", [])):
                    wrong.append(f"{BENDER}: {file} includes {name}, which is in no include_dirs")
    wrong += [f"{BENDER}: no such folder: {f}" for f in folders if not (ROOT / f).is_dir()]
    targets = {group.get("target") for group in bender["sources"]}
    return wrong + [f"{BENDER}: no sources for target {t}" for t in sorted(BENDER_TARGETS - targets)]


def set_up_targets(core):
    """FuseSoC itself reads the file and makes the tools' input for every target."""
    wrong = []
    for name in core["targets"]:
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run(["fusesoc", "--cores-root", ROOT, "run", "--build-root", folder, f"--target={name}",
                                  "--setup", core["name"]], capture_output=True, text=True, cwd=folder)
            if run.returncode:
                wrong.append(f"fusesoc, target {name}: {(run.stderr or run.stdout).strip().splitlines()[-1]}")
    return wrong


def check(texts):
    try:
        return check_core(yaml.safe_load(texts[CORE].split("\n", 1)[1])) + check_bender(yaml.safe_load(texts[BENDER]))
    except (yaml.YAMLError, KeyError, TypeError) as error:
        return [f"cannot be read: {error!r}"]


INJECTED = [
    ("a misspelled key", CORE, "filesets: [rtl, tb]", "fileset: [rtl, tb]"),
    ("a file that does not exist", CORE, "tb/icarus/router_tb.sv", "tb/icarus/bench.sv"),
    ("a top module that does not exist", CORE, "toplevel: router_tb", "toplevel: router_bench"),
    ("no flow", CORE, "    flow: lint\n", ""),
    ("no synth target", CORE, "  synth:", "  synthesis:"),
    ("another default", CORE, "default: 7", "default: 6"),
    ("a parameter that the RTL does not have", CORE, "parameters: [DataW,", "parameters: [DataWidth, DataW,"),
    ("an undeclared parameter", CORE, "  RegReq:\n", "  RegRequest:\n"),
    ("a version of two numbers", CORE, re.search(r"rdt_router:(.*)", (ROOT / CORE).read_text())[0], "rdt_router:1.0"),
    ("Bender: no authors", BENDER, "  authors:\n", "  author:\n"),
    ("Bender: a file that does not exist", BENDER, "- rtl/rdt_pkg.sv", "- rtl/rdt_package.sv"),
    ("Bender: no include folder", BENDER, "include_dirs: [., rtl]", "include_dirs: [rtl]"),
    ("Bender: no test target", BENDER, "target: test", "target: tests"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inject", action="store_true")
    args = parser.parse_args()
    texts = {name: (ROOT / name).read_text() for name in (CORE, BENDER)}
    wrong = check(texts)
    if args.inject:
        for what, file, old, new in INJECTED:
            found = check({**texts, file: texts[file].replace(old, new, 1)}) if old in texts[file] else []
            print(f"{what}: {found[0] if found else 'NOT DETECTED'}")
            if not found:
                wrong.append(f"not detected: {what}")
    elif not wrong and shutil.which("fusesoc"):
        wrong += set_up_targets(yaml.safe_load(texts[CORE].split("\n", 1)[1]))
    if wrong:
        sys.exit("\n".join(wrong))
    by = "FuseSoC set up every target" if shutil.which("fusesoc") else "FuseSoC is not installed: structure only"
    print(f"all {len(INJECTED)} injected bugs are detected" if args.inject else f"{CORE} and {BENDER} are valid; {by}")


if __name__ == "__main__":
    main()
