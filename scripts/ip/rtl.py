# SPDX-License-Identifier: MIT
"""Parameters, ports and file list of the router, read from the SystemVerilog source."""
import re

PARAMETER = re.compile(r"^\s*parameter int (\w+)\s*=\s*([^,/\s]+)\s*,?\s*(?://\s*(.*))?$", re.M)
PORT = re.compile(r"^\s*(input|output)\s+logic\s+(?:\[([^:\]]+(?:::[^:\]]+)*):0\]\s*)?(\w+),?\s*$", re.M)


class Module:
    """parameters: (name, default, meaning); ports: (name, "in" or "out", left index as an expression
    of parameters, or None for a single bit)."""

    def __init__(self, text, constants):
        self.name = re.search(r"^module (\w+)", text, re.M)[1]
        header, ports = re.search(r"^module \w+ #\((.*?)^\) \((.*?)^\);", text, re.M | re.S).groups()
        ports = re.sub(r"//.*", "", ports)

        def plain(expression):
            known = re.sub(r"rdt_pkg::(\w+)", lambda m: str(constants[m[1]]), expression).replace(" ", "")
            return str(eval(known)) if re.fullmatch(r"[\d*+-]+", known) else known

        self.parameters = [(name, int(plain(value)), about or "") for name, value, about in PARAMETER.findall(header)]
        self.ports = [(name, "in" if direction == "input" else "out", plain(left) if left else None)
                      for direction, left, name in PORT.findall(ports)]
        if len(self.ports) != len(re.findall(r"\b(?:input|output)\b", ports)):
            raise SystemExit(f"{self.name}: a port is declared in a form that scripts/ip/rtl.py does not read")


def router(root, fmt):
    constants = {name: value for name, value, _ in fmt["consts"] + fmt["rtl_consts"]}
    return Module((root / "rtl/rdt_router.sv").read_text(), constants)


def file_list(root):
    """Names of rtl/rdt_router.f, relative to rtl/."""
    lines = (re.sub(r"(//|#).*", "", line).strip() for line in (root / "rtl/rdt_router.f").read_text().splitlines())
    return [line.removeprefix("rtl/") for line in lines if line and not line.startswith("+incdir+")]
