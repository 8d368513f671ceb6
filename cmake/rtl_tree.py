#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write the instance tree of the RTL, as Verilator elaborates it, to a C++ header.

Newer versions of Verilator print the tree as JSON, older ones as XML. Both give the same header
(scripts/test/test_rtl_tree.py).

usage: rtl_tree.py [--from json|xml] OUT_HEADER VERILATOR ARGUMENT...
  --from   the format to read; without it JSON, or XML where Verilator has no JSON
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

from verilate import TOP, relative

OPTIONS = {"json": ["--json-only", "--json-only-output"], "xml": ["--xml-only", "--xml-output"]}


class Unsupported(Exception):
    """This Verilator does not write this format."""


class XmlNetlist:
    """Verilator's XML: ports in the order of pinIndex, widths in a table of types."""

    def __init__(self, path):
        netlist = ET.parse(path).getroot().find("netlist")
        self.modules = {m.get("name"): m for m in netlist.findall("module")}
        self.types = {t.get("id"): t for t in netlist.find("typetable")}
        self.top = next(m for m in self.modules.values() if m.get("topModule"))

    @staticmethod
    def name(module):
        return module.get("name")

    @staticmethod
    def kind(module):
        return module.get("origName")

    def width(self, dtype):
        node = self.types[dtype]
        return int(node.get("left")) - int(node.get("right")) + 1 if "left" in node.attrib else 1

    def ports(self, module):
        found = [v for v in module.findall("var") if v.get("dir") and v.get("pinIndex")]  # no arguments of functions
        found.sort(key=lambda v: int(v.get("pinIndex")))
        return [(v.get("name"), v.get("dir") == "input", self.width(v.get("dtype_id"))) for v in found]

    def children(self, node):
        """(label of a generate block or name of an instance, node, whether it is an instance)"""
        for child in node:
            if child.tag == "begin":
                yield child.get("name", ""), child, False
            elif child.tag == "instance":
                yield child.get("name"), self.modules[child.get("defName")], True


class JsonNetlist:
    """Verilator's JSON: ports in the order of their declaration; nodes refer to each other by address."""

    def __init__(self, path):
        netlist = json.loads(path.read_text())
        self.modules = {m["addr"]: m for m in netlist["modulesp"] if m["type"] == "MODULE"}
        table = next(n for n in netlist["miscsp"] if n["type"] == "TYPETABLE")
        self.types = {t["addr"]: t for t in table["typesp"]}
        self.top = min(self.modules.values(), key=lambda m: m["level"])

    @staticmethod
    def name(module):
        return module["name"]

    @staticmethod
    def kind(module):
        return module["origName"]

    def width(self, dtype):
        node = self.types[dtype]
        if not node.get("range"):
            return 1
        left, right = node["range"].split(":")
        return int(left) - int(right) + 1

    def ports(self, module):
        found = [v for v in module["stmtsp"] if v["type"] == "VAR" and v["direction"] != "NONE"]
        return [(v["name"], v["direction"] == "INPUT", self.width(v["dtypep"])) for v in found]

    def children(self, node):
        """As in XmlNetlist. The lists of a node hold its children, whatever this version calls them."""
        for child in (c for value in node.values() if isinstance(value, list) for c in value):
            if child["type"] in ("BEGIN", "GENBLOCK"):
                yield child["name"], child, False
            elif child["type"] == "CELL":
                yield child["name"], self.modules[child["modp"]], True


NETLISTS = {"json": JsonNetlist, "xml": XmlNetlist}


def walk(netlist, module, path, out):
    ports = [{"name": name, "direction": "in" if is_input else "out", "width": width}
             for name, is_input, width in netlist.ports(module)]
    out.append({"path": path, "kind": netlist.kind(module), "ports": ports})

    def visit(node, scope):
        for name, child, is_instance in netlist.children(node):
            if is_instance:
                walk(netlist, child, f"{scope}.{name}", out)
            else:
                # A generate loop is listed as a whole, without index, and once per iteration.
                visit(child, f"{scope}.{name}" if name.endswith("]") else scope)
    visit(module, path)


def read(kind, verilator, args):
    """The netlist in one format. Raises Unsupported where Verilator does not know the option."""
    only, output = OPTIONS[kind]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rtl.out"
        run = subprocess.run([verilator, only, output, str(path), "--Mdir", folder, *map(relative, args)], cwd=TOP,
                             text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if run.returncode:
            if f"Invalid option: {only}" in run.stdout:
                raise Unsupported(f"{verilator} has no {only}")
            sys.exit(run.stdout.rstrip() or f"{verilator} {only} failed")
        return NETLISTS[kind](path)


def netlist_of(verilator, args):
    for kind in NETLISTS:
        try:
            return read(kind, verilator, args)
        except Unsupported:
            pass
    sys.exit(f"rtl_tree: {verilator} has neither --json-only nor --xml-only")


def header(netlist):
    """A line per module (path, kind) and, indented, one per port (name, direction, width)."""
    tree = []
    walk(netlist, netlist.top, netlist.name(netlist.top), tree)
    lines = []
    for entry in tree:
        lines.append(f"{entry['path']} {entry['kind']}")
        lines += [f" {port['name']} {port['direction']} {port['width']}" for port in entry["ports"]]
    # Some compilers limit the length of a literal, so every line is one.
    text = "\n".join(f'"{line}\\n"' for line in lines)
    return f"// Generated by cmake/rtl_tree.py.\n{text}\n"


def main():
    arguments = sys.argv[1:]
    kind = None
    if arguments[0] == "--from":
        kind, arguments = arguments[1], arguments[2:]
    out, verilator, args = pathlib.Path(arguments[0]), arguments[1], arguments[2:]
    try:
        netlist = read(kind, verilator, args) if kind else netlist_of(verilator, args)
    except Unsupported as error:
        sys.exit(f"rtl_tree: {error}")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(header(netlist))


if __name__ == "__main__":
    main()
