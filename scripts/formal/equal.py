# SPDX-License-Identifier: MIT
"""Netlist = RTL, block by block: the block as make synth maps it, against its RTL, by induction.

Both are compared register by register (equiv_make, equiv_simple, equiv_induct); what is read of the
library are its functions.
"""
import time

from formal import engine
from synth import flow, liberty


def decide(root, proof, folder):
    start = time.monotonic()
    lib = liberty.find(None)
    if lib is None:
        raise engine.Failure(f"no cell library; install {liberty.PACKAGE}")
    engine.plant(root, folder, [])
    params = "".join(f"chparam -set {k} {v} {proof['block']}\n" for k, v in proof.get("params", {}).items())
    area = flow.AREA if proof["block"] in flow.AREA_BLOCKS else ""
    script = f"""
        read_verilog -sv -DSYNTHESIS -Irtl {' '.join(engine.sources(root))}
        {params}
        hierarchy -check -top {proof['block']}
        proc
        flatten
        opt_clean
        rename -top gold
        design -save gold
        synth -nofsm -noabc -top gold
        dfflibmap -liberty {lib}
        opt
        abc -liberty {lib} {area}
        opt_clean -purge
        rename gold gate
        design -stash gate
        design -load gold
        memory -nomap
        opt_clean
        design -copy-from gate -as gate gate
        read_liberty -ignore_miss_func -overwrite {lib}
        equiv_make gold gate equiv
        hierarchy -top equiv
        flatten
        clk2fflogic -nolower t:none
        opt_clean
        equiv_simple -undef
        equiv_induct -undef -seq 4
        tee -o status.txt equiv_status
        """.replace("        clk2fflogic -nolower t:none\n", "")
    code, out = engine.run(["yosys", "-q", "-s", "-"], folder, "yosys.log", proof.get("limit", 120), script)
    status = (folder / "status.txt").read_text() if (folder / "status.txt").is_file() else ""
    result = {"name": proof["name"], "block": proof["block"], "kind": "netlist", "depth": None,
              "says": "the netlist is the RTL", "seconds": round(time.monotonic() - start, 1)}
    if code:
        raise engine.Failure(f"{proof['name']}: {[l for l in out.splitlines() if 'ERROR' in l][:1]}")
    result["result"] = "proven" if "Equivalence successfully proven" in status else "open"
    return result
