#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks rtl/rdt_router.rdl and rtl/rdt_router.xml against rtl/rdt_format.json and the RTL.

It shares no code with the generator (scripts/ip): it reads SystemRDL with a parser of its own, widths
and reset values from rtl/rdt_regs.sv, and ports and parameters from Yosys, where it is installed.

usage: check_ip.py [--inject]
  --inject   change the descriptions in memory, one fact at a time; each change must be detected
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

ROOT = pathlib.Path(__file__).resolve().parent.parent
RDL, XML = "rtl/rdt_router.rdl", "rtl/rdt_router.xml"
SPACE = {"x": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\d+\'h[0-9a-f]+|0x[0-9a-f]+|\w+|[{};=@:\[\]]', re.S)


def number(text):
    """A number of either language: 12, 0x1a, 8'h1a, 'h1a."""
    text = re.sub(r"^\d*'h", "0x", text)
    return int(text, 0)


def read_rdl(text):
    """{register: (number, {field: (high, low, access, reset)})}"""
    tokens = TOKEN.findall(re.sub(r"//.*", "", text))
    registers, fields, properties, scopes = {}, {}, {}, []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if tokens[at + 1:at + 2] == ["{"] and token in ("reg", "field"):
            scopes.append(token)
            if token == "reg":
                fields = {}
            else:
                properties = {}
            at += 2
        elif token == "{":
            scopes.append("other")
            at += 1
        elif token == "}":
            scope = scopes.pop()
            if scope == "field":
                name, high, low = tokens[at + 1], int(tokens[at + 3]), int(tokens[at + 5])
                fields[name] = (high, low, rdl_access(properties),
                                number(properties["reset"]) if "reset" in properties else None)
                at += 7
            elif scope == "reg":
                registers[tokens[at + 1]] = (number(tokens[at + 3]) // 2, fields)
                at += 4
            else:
                at += 1
        else:
            if scopes and scopes[-1] == "field" and token != ";":
                assigned = tokens[at + 1] == "="
                properties[token] = tokens[at + 2] if assigned else "true"
                at += 2 if assigned else 0
            at += 1
    return registers


def rdl_access(properties):
    if properties.get("onwrite") == "woclr":
        return "w1c"
    if "singlepulse" in properties:
        return "pulse" if properties["sw"] == "w" else "?"
    return {"rw": "rw", "r": "ro"}.get(properties["sw"], "?")


def read_xml(text):
    """Registers as read_rdl() gives them, {parameter: default}, {port: (direction, left index)}, files."""
    component = ET.fromstring(text)

    def texts(node, tag):
        return node.findtext(f"x:{tag}", namespaces=SPACE)

    registers = {}
    for register in component.findall(".//x:register", SPACE):
        fields = {}
        for f in register.findall("x:field", SPACE):
            low = int(texts(f, "bitOffset"))
            access = {"read-write": "rw", "read-only": "ro", "write-only": "pulse"}[texts(f, "access")]
            if texts(f, "modifiedWriteValue") == "oneToClear":
                access = "w1c"
            reset = texts(f, "resets/x:reset/x:value")
            fields[texts(f, "name")] = (low + int(texts(f, "bitWidth")) - 1, low, access,
                                        number(reset) if reset is not None else None)
        registers[texts(register, "name")] = (number(texts(register, "addressOffset")), fields)
    parameters = {texts(p, "name"): int(texts(p, "value"))
                  for p in component.findall("x:parameters/x:parameter", SPACE)}
    ports = {texts(p, "name"): (texts(p, "wire/x:direction"), texts(p, "wire/x:vectors/x:vector/x:left"))
             for p in component.findall(".//x:port", SPACE)}
    files = [texts(f, "name") for f in component.findall(".//x:file", SPACE)]
    return registers, parameters, ports, files


def expected_registers(fmt):
    """The same from rtl/rdt_format.json."""
    registers = {}
    for name, index, _ in fmt["enums"]["Reg"]["values"]:
        entry = fmt["registers"][name]
        listed = entry.get("fields", [])
        if isinstance(listed, str):
            listed = [{"name": n, "bit": b, "access": entry["access"]} for n, b, _ in fmt["enums"][listed]["values"]]
        reset = entry.get("reset")
        fields = {f["name"]: (f["bit"], f["bit"], f["access"], None if reset is None else reset >> f["bit"] & 1)
                  for f in listed} or {name: (entry["bits"] - 1, 0, entry["access"], reset)}
        registers[name] = (index, fields)
    return registers


def compare(what, found, expected):
    wrong = [f"{what}: {name} is missing" for name in expected if name not in found]
    wrong += [f"{what}: {name} is not expected" for name in found if name not in expected]
    return wrong + [f"{what}: {name} is {found[name]}, not {expected[name]}" for name in expected
                    if name in found and found[name] != expected[name]]


def check_rtl_registers(registers):
    """Widths, reset values and access against rtl/rdt_regs.sv and rtl/rdt_setup.sv."""
    text = (ROOT / "rtl/rdt_regs.sv").read_text()
    wrong = []
    unused = {name: int(n) for name, n in re.findall(r"Reg(\w+)\[4:0\]: +rdata_o = \{(\d+)'d0,", text)}
    whole = re.findall(r"Reg(\w+)\[4:0\]: +rdata_o = (?:16'\(rdt_pkg::IdValue\)|\w+_q);", text)
    unused.update({name: 0 for name in whole})
    unused["Ctrl"] = int(re.search(r"assign ctrl = \{(\d+)'d0", text)[1])
    unused["SunkCnt"] = int(re.search(r"default: +rdata_o = \{(\d+)'d0, sunk_cnt", text)[1])
    resets = {name: int(value, {"d": 10, "b": 2}[base]) for name, base, value in
              re.findall(r"(\w+)_q +<= \d+'([db])(\d+);", text)}
    resets["id"] = int(re.search(r"IdValue = (\d+)", (ROOT / "rtl/rdt_pkg.sv").read_text())[1])
    cleared = {name for name in re.findall(r"Reg(\w+)\[4:0\]: +\w+_keep +=.*& ~w", text)}
    refused = set(re.findall(r"number == rdt_pkg::Reg(\w+)", (ROOT / "rtl/rdt_setup.sv").read_text()))
    wrong += compare("rtl/rdt_regs.sv", dict.fromkeys(registers), dict.fromkeys(unused))
    for name, (_, fields) in registers.items():
        bits = 1 + max(high for high, _, _, _ in fields.values())
        if name in unused and bits != 16 - unused[name]:
            wrong.append(f"{name} has {bits} bits, in rtl/rdt_regs.sv {16 - unused[name]}")
        kinds = {access for _, _, access, _ in fields.values()}
        if ("w1c" in kinds) != (name in cleared) or ("ro" in kinds) != (name in refused):
            wrong.append(f"{name}: access {sorted(kinds)} is not that of the RTL")
        values = [(reset or 0) << low for _, low, _, reset in fields.values()]
        if name.lower() in resets and sum(values) != resets[name.lower()]:
            wrong.append(f"{name}: reset value {sum(values)}, in the RTL {resets[name.lower()]}")
    return wrong


def yosys_module(data_width):
    """Ports {name: (direction, bits)} and default parameters of rdt_router with another DataW."""
    text = (ROOT / "rtl/rdt_router.sv").read_text()
    changed = re.sub(r"(parameter int DataW *= )[\w:]+", rf"\g<1>{data_width}", text)
    with tempfile.TemporaryDirectory() as folder:
        source, out = pathlib.Path(folder, "router.sv"), pathlib.Path(folder, "router.json")
        source.write_text(changed if data_width else text)
        script = f"read_verilog -sv -lib {ROOT}/rtl/rdt_pkg.sv {ROOT}/rtl/rdt_ports_pkg.sv {source}; write_json {out}"
        subprocess.run(["yosys", "-q", "-p", script], check=True)
        module = json.loads(out.read_text())["modules"]["rdt_router"]
    ports = {name: (port["direction"].removesuffix("put"), len(port["bits"])) for name, port in module["ports"].items()}
    return ports, {name: int(value, 2) for name, value in module["parameter_default_values"].items()}


def check_ports(parameters, ports, elaborated):
    if not elaborated:
        return []
    wrong = compare(f"{XML}: parameter", parameters, elaborated[0][1])
    for found, values in elaborated:
        widths = {}
        for name, (direction, left) in ports.items():
            index = re.sub(r"[A-Z]\w*", lambda m: str(values.get(m[0], m[0])), left or "0")
            if not re.fullmatch(r"[\d*+-]+", index):
                return wrong + [f"{XML}: port {name}: cannot evaluate {left}"]
            widths[name] = (direction, eval(index) + 1)
        wrong += compare(f"{XML}: port", widths, found)
    return wrong


def check(texts, fmt, elaborated):
    expected = expected_registers(fmt)
    registers, parameters, ports, files = read_xml(texts[XML])
    wrong = compare(f"{RDL}: register", read_rdl(texts[RDL]), expected)
    wrong += compare(f"{XML}: register", registers, expected) + check_rtl_registers(registers)
    on_disk = {p.name for p in (ROOT / "rtl").glob("*.sv*")}
    wrong += compare(f"{XML}: file", dict.fromkeys(files), dict.fromkeys(on_disk))
    return wrong + check_ports(parameters, ports, elaborated)


INJECTED = [
    ("RDL: another address", RDL, r"Link @ 0xc", "Link @ 0xe"),
    ("RDL: a field one bit narrower", RDL, r"Rank\[2:0\]", "Rank[1:0]"),
    ("RDL: another reset value", RDL, r"reset = 4'h0", "reset = 4'h7"),
    ("RDL: a read-only register writable", RDL, r"sw = r; hw = w; reset", "sw = rw; hw = w; reset"),
    ("RDL: write 1 to clear lost", RDL, r"sw = rw; onwrite = woclr; hw = rw; reset = 10'h0", "sw = rw; hw = rw; reset = 10'h0"),
    ("RDL: a field renamed", RDL, r"Guard\[3:3\]", "Gard[3:3]"),
    ("RDL: a register missing", RDL, r"(?s)  reg \{\n    name = \"Down\".*?@ 0x26;\n", ""),
    ("IP-XACT: another address", XML, r"<ipxact:addressOffset>'h6<", "<ipxact:addressOffset>'h7<"),
    ("IP-XACT: another field width", XML, r"<ipxact:bitWidth>3<", "<ipxact:bitWidth>4<"),
    ("IP-XACT: another reset value", XML, r"<ipxact:value>'h0<", "<ipxact:value>'h1<"),
    ("IP-XACT: another access", XML, r"<ipxact:access>write-only<", "<ipxact:access>read-write<"),
    ("IP-XACT: write 1 to clear lost", XML, r"<ipxact:modifiedWriteValue>oneToClear</ipxact:modifiedWriteValue>", ""),
    ("IP-XACT: a file missing", XML, r"<ipxact:name>rdt_pads.sv<", "<ipxact:name>rdt_pad.sv<"),
]
INJECTED_PORTS = [
    ("IP-XACT: another direction", XML, r"<ipxact:direction>out<", "<ipxact:direction>in<"),
    ("IP-XACT: a width that ignores DataW", XML, r"<ipxact:left>DataW\*10-1<", "<ipxact:left>179<"),
    ("IP-XACT: a port renamed", XML, r"<ipxact:name>shoot_i<", "<ipxact:name>shoot<"),
    ("IP-XACT: another default", XML, r"<ipxact:value>18<", "<ipxact:value>36<"),
]


def inject(texts, fmt, elaborated):
    wrong = [f"without a change: {w}" for w in check(texts, fmt, elaborated)]
    for what, file, pattern, replacement in INJECTED + (INJECTED_PORTS if elaborated else []):
        changed = re.sub(pattern, lambda _: replacement, texts[file], count=1)
        found = check({**texts, file: changed}, fmt, elaborated) if changed != texts[file] else []
        print(f"{what}: {found[0] if found else 'NOT DETECTED'}")
        if not found:
            wrong.append(f"not detected: {what}")
    # Both descriptions and the definition agree, but the RTL does not.
    altered = json.loads(json.dumps(fmt))
    altered["registers"]["Rank"]["reset"] = 1
    both = {RDL: texts[RDL].replace("reset = 3'h0", "reset = 3'h1"),
            XML: re.sub(r"(<ipxact:name>Rank<.*?<ipxact:value>)'h0", r"\g<1>'h1", texts[XML], count=1, flags=re.S)}
    found = check(both, altered, elaborated)
    print(f"the definition itself: {found[0] if found else 'NOT DETECTED'}")
    return wrong + ([] if found else ["not detected: a definition that differs from the RTL"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inject", action="store_true")
    args = parser.parse_args()
    texts = {name: (ROOT / name).read_text() for name in (RDL, XML)}
    fmt = json.loads((ROOT / "rtl/rdt_format.json").read_text())
    elaborated = [yosys_module(None), yosys_module(36)] if shutil.which("yosys") else []
    wrong = (inject if args.inject else check)(texts, fmt, elaborated)
    if wrong:
        sys.exit("\n".join(wrong))
    ports = f"{len(elaborated[0][0])} ports" if elaborated else "no ports (Yosys is not installed)"
    if args.inject:
        print(f"all injected mismatches of registers and {ports} are detected")
    else:
        print(f"{len(fmt['registers'])} registers and {ports} match {RDL}, {XML} and the RTL")


if __name__ == "__main__":
    main()
