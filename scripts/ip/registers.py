# SPDX-License-Identifier: MIT
"""The registers of rtl/rdt_format.json as a list that both description languages are written from."""
import re
import sys

WIDTH = 16          # bits of every register
ACCESS = ("rw", "ro", "w1c", "pulse")


def fields_of(fmt, name, register, about):
    """(name, low bit, bits, access, reset or None, volatile, meaning, enum of its values or None)"""
    volatile = register.get("volatile", register["access"] == "w1c")
    reset = register.get("reset")

    def one(field, low, bits, access, meaning, values=None):
        part = None if reset is None else reset >> low & ((1 << bits) - 1)
        return {"name": field, "low": low, "bits": bits, "access": access, "reset": part,
                "volatile": volatile, "about": meaning, "values": values}

    listed = register.get("fields")
    if isinstance(listed, str):  # one field per value of an enum, which numbers the bits
        return [one(field, bit, 1, register["access"], meaning)
                for field, bit, meaning in fmt["enums"][listed]["values"]]
    if listed:
        return [one(f["name"], f["bit"], 1, f["access"], f["about"]) for f in listed]
    return [one(name, 0, register["bits"], register["access"], about, register.get("values"))]


def registers_of(fmt):
    return [{"name": name, "number": number, "about": about, "access": fmt["registers"][name]["access"],
             "fields": fields_of(fmt, name, fmt["registers"][name], about)}
            for name, number, about in fmt["enums"]["Reg"]["values"]]


def validate(fmt):
    """Every register of enum Reg is described once, and its fields are its bits."""
    described, named = set(fmt["registers"]), [name for name, _, _ in fmt["enums"]["Reg"]["values"]]
    if described != set(named):
        sys.exit(f"rdt_format.json: registers and enum Reg differ: {sorted(described ^ set(named))}")
    for register in registers_of(fmt):
        entry = fmt["registers"][register["name"]]
        bits = [b for f in register["fields"] for b in range(f["low"], f["low"] + f["bits"])]
        stated = re.search(r"\b(\d+) bits", register["about"])
        if sorted(bits) != list(range(entry["bits"])) or entry["bits"] > WIDTH:
            sys.exit(f"rdt_format.json: fields of {register['name']} do not cover its {entry['bits']} bits exactly once")
        if stated and int(stated[1]) != entry["bits"]:
            sys.exit(f"rdt_format.json: {register['name']} has {entry['bits']} bits, its text has {stated[1]}")
        if any(f["access"] not in ACCESS for f in register["fields"]) or entry.get("reset", 0) >> entry["bits"]:
            sys.exit(f"rdt_format.json: access or reset value of {register['name']} is not possible")
