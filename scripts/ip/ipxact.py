# SPDX-License-Identifier: MIT
"""IP-XACT (IEEE 1685-2014) component of the router: registers, parameters, ports and files."""
import re
import xml.etree.ElementTree as ET

from .registers import WIDTH, registers_of
from .rtl import file_list, router

SPACE = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"
SCHEMA = "http://www.w3.org/2001/XMLSchema-instance"
ACCESS = {"rw": "read-write", "ro": "read-only", "w1c": "read-write", "pulse": "write-only"}


def add(parent, tag, text=None, **attributes):
    element = ET.SubElement(parent, f"{{{SPACE}}}{tag}", attributes)
    if text is not None:
        element.text = str(text)
    return element


def add_register(block, fmt, register):
    node = add(block, "register")
    add(node, "name", register["name"])
    add(node, "description", register["about"])
    add(node, "addressOffset", f"'h{register['number']:x}")
    add(node, "size", WIDTH)
    for f in register["fields"]:
        field = add(node, "field")
        add(field, "name", f["name"])
        add(field, "description", f["about"])
        add(field, "bitOffset", f["low"])
        if f["reset"] is not None:
            add(add(add(field, "resets"), "reset"), "value", f"'h{f['reset']:x}")
        add(field, "bitWidth", f["bits"])
        if f["volatile"]:
            add(field, "volatile", "true")
        add(field, "access", ACCESS[f["access"]])
        if f["values"]:
            values = add(field, "enumeratedValues")
            for name, number, about in fmt["enums"][f["values"]]["values"]:
                value = add(values, "enumeratedValue")
                add(value, "name", name)
                add(value, "description", about)
                add(value, "value", f"'h{number:x}")
        if f["access"] == "w1c":
            add(field, "modifiedWriteValue", "oneToClear")


def add_memory_map(component, fmt):
    memory_map = add(add(component, "memoryMaps"), "memoryMap")
    add(memory_map, "name", "setup")
    add(memory_map, "description", "registers that SETUP packets read and write, by number")
    block = add(memory_map, "addressBlock")
    add(block, "name", "registers")
    add(block, "baseAddress", 0)
    registers = registers_of(fmt)
    add(block, "range", max(r["number"] for r in registers) + 1)
    add(block, "width", WIDTH)
    add(block, "usage", "register")
    for register in registers:
        add_register(block, fmt, register)
    add(memory_map, "addressUnitBits", WIDTH)


def add_model(component, module):
    model = add(component, "model")
    view = add(add(model, "views"), "view")
    add(view, "name", "rtl")
    add(view, "componentInstantiationRef", "rtl")
    instance = add(add(model, "instantiations"), "componentInstantiation")
    add(instance, "name", "rtl")
    add(instance, "language", "SystemVerilog")
    add(instance, "moduleName", module.name)
    parameters = add(instance, "moduleParameters")
    for name, _, _ in module.parameters:
        parameter = add(parameters, "moduleParameter", dataType="int", usageType="nontyped")
        add(parameter, "name", name)
        add(parameter, "value", name)
    add(add(instance, "fileSetRef"), "localName", "rtl")
    ports = add(model, "ports")
    for name, direction, left in module.ports:
        port = add(ports, "port")
        add(port, "name", name)
        wire = add(port, "wire")
        add(wire, "direction", direction)
        if left is not None:
            vector = add(add(wire, "vectors"), "vector")
            add(vector, "left", left)
            add(vector, "right", 0)


def add_files(component, root):
    files = add(add(component, "fileSets"), "fileSet")
    add(files, "name", "rtl")
    listed = file_list(root)
    for name in sorted(p.name for p in (root / "rtl").glob("*.svh")) + listed:
        file = add(files, "file")
        add(file, "name", name)
        add(file, "fileType", "systemVerilogSource")
        if name.endswith(".svh"):
            add(file, "isIncludeFile", "true")


def component_xml(fmt, root, note):
    module = router(root, fmt)
    ET.register_namespace("ipxact", SPACE)
    ET.register_namespace("xsi", SCHEMA)
    component = ET.Element(f"{{{SPACE}}}component", {f"{{{SCHEMA}}}schemaLocation": f"{SPACE} {SPACE}/index.xsd"})
    add(component, "vendor", "rdt")
    add(component, "library", "chip")
    add(component, "name", module.name)
    add(component, "version", re.search(r'RDT_VERSION "(.+)"', (root / "sim/rdt/version.h").read_text())[1])
    add_memory_map(component, fmt)
    add_model(component, module)
    add_files(component, root)
    add(component, "description", "Router of the Recursive Diagonal Torus")
    parameters = add(component, "parameters")
    for name, value, about in module.parameters:
        parameter = add(parameters, "parameter", parameterId=name, type="int", resolve="user")
        add(parameter, "name", name)
        add(parameter, "description", about)
        add(parameter, "value", value)
    ET.indent(component)
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- SPDX-License-Identifier: MIT -->\n<!-- {note} -->\n'
    return head + ET.tostring(component, encoding="unicode") + "\n"
