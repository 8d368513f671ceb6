# SPDX-License-Identifier: MIT
"""SystemRDL 2.0 of the registers."""
from .registers import WIDTH, registers_of

SOFTWARE = {"rw": ["sw = rw"], "ro": ["sw = r"], "w1c": ["sw = rw", "onwrite = woclr"],
            "pulse": ["sw = w", "singlepulse"]}


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def hardware(field):
    if field["access"] == "ro":
        return "hw = w" if field["volatile"] else "hw = na"
    return "hw = rw" if field["volatile"] else "hw = r"


def field_lines(field):
    properties = [*SOFTWARE[field["access"]], hardware(field)]
    if field["reset"] is not None:
        properties.append(f"reset = {field['bits']}'h{field['reset']:x}")
    if field["values"]:
        properties.append(f"encode = {field['values']}_e")
    high = field["low"] + field["bits"] - 1
    return [f"    field {{ {'; '.join(properties)};",
            f"            desc = {quoted(field['about'])}; }} {field['name']}[{high}:{field['low']}];"]


def systemrdl(fmt, note):
    registers = registers_of(fmt)
    out = ["// SPDX-License-Identifier: MIT", f"// {note}", ""]
    for name in dict.fromkeys(f["values"] for r in registers for f in r["fields"] if f["values"]):
        enum = fmt["enums"][name]
        out.append(f"enum {name}_e {{")
        for value, number, about in enum["values"]:
            out.append(f"  {value} = {enum['width']}'h{number:x} {{ desc = {quoted(about)}; }};")
        out += ["};", ""]
    out += ["addrmap rdt_router {",
            '  name = "Registers of the RDT router";',
            '  desc = "SETUP packets name a register by its number. The number is half the address here.";',
            f"  default regwidth = {WIDTH};", f"  default accesswidth = {WIDTH};"]
    for register in registers:
        out += ["", "  reg {", f"    name = {quoted(register['name'])};"]
        if len(register["fields"]) > 1:
            out.append(f"    desc = {quoted(register['about'])};")
        for field in register["fields"]:
            out += field_lines(field)
        out.append(f"  }} {register['name']} @ 0x{WIDTH // 8 * register['number']:x};")
    return "\n".join(out + ["};"]) + "\n"
