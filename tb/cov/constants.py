# SPDX-License-Identifier: MIT
"""Bits of the chip that cannot toggle, found by Yosys and not by hand: after elaboration with the chip's own
parameters their nets are constants of the netlist. No assumptions about the pins or the configuration of the router.
"""
import hashlib
import json
import subprocess

TOP = "rdt_router"


def script(root, output):
    files = [line for line in (root / "rtl/rdt_router.f").read_text().split() if not line.startswith("+")]
    return f"""read_verilog -sv -DSYNTHESIS {' '.join(files)}
hierarchy -check -top {TOP}
proc
flatten
opt -full
write_json {output}
"""


class Constants:
    """Names are as in Points.single: an instance, and a bit in it."""

    def __init__(self, bits):
        self.bits = set(bits)

    @classmethod
    def of_chip(cls, root, folder):
        """Kept in the folder for as long as the RTL is the same."""
        hashed = hashlib.sha256(script(root, "").encode())
        for file in sorted((root / "rtl").glob("*.sv*")):
            hashed.update(file.read_bytes())
        path = folder / "constants.json"
        if path.exists():
            known = json.loads(path.read_text())
            if known["rtl"] == hashed.hexdigest():
                return cls(known["bits"])
        folder.mkdir(parents=True, exist_ok=True)
        netlist = folder / "netlist.json"
        done = subprocess.run(["yosys", "-q", "-s", "-"], input=script(root, netlist), cwd=root, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            raise OSError(f"yosys: {done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.returncode}")
        bits = constant_bits(json.loads(netlist.read_text())["modules"][TOP]["netnames"])
        netlist.unlink()
        path.write_text(json.dumps({"rtl": hashed.hexdigest(), "bits": bits}) + "\n")
        return cls(bits)

    def has(self, instance, bit):
        return f"{instance}.{bit}" in self.bits

    def reason(self, places):
        """A bit with all its instances in the router."""
        return "constant in the netlist" if places and all(self.has(*p) for p in places) else None

    def mistakes(self, toggled):
        """Bits that have toggled all the same: either the netlist or the model is wrong."""
        return [f"{i}.{b} is constant in the netlist, and has toggled" for i, b in sorted(toggled) if self.has(i, b)]


def constant_bits(nets):
    """x is not a constant: Yosys uses it for local names of a function, for example."""
    out = []
    for name, net in nets.items():
        for i, bit in enumerate(net["bits"]):
            if bit in ("0", "1"):
                number = net.get("offset", 0) + i
                out.append(f"{TOP}.{name}" + (f"[{number}]" if len(net["bits"]) > 1 else ""))
    return sorted(out)
