# SPDX-License-Identifier: MIT
"""Yosys and ABC for speed: flat, with buffers and sizes, knowing the wires.

`make synth` maps each block by itself for area, so no block knows what it drives. Here the chip is
mapped as one piece. Names of registers survive that, names inside the logic do not.
"""
import hashlib
import json
import pathlib
import subprocess

from rtl.flow.synth import flow
from rtl.flow.synth.flow import Failure

# The path through ABC that gave the best periods: restructuring for depth (if -g) before a mapping for delay that recovers area off the
# critical paths. The target (ps) is out of reach on purpose.
ABC = """strash
{permute}
ifraig
scorr
dc2
strash
if -g -K 6
strash
dch -f
map -B 0.9 -D 13000
topo
buffer -c -N 12
topo
upsize -I 200 -D 13000
dnsize -D 13000
stime -p
"""
CONSTRAINTS = """set_driving_cell {driver}
set_load 0.1 [all_outputs]
"""


def key(directory, lib):
    """Hash of all inputs of a mapping."""
    digest = hashlib.sha256(subprocess.run(["yosys", "-V"], capture_output=True).stdout)
    for path in (directory / "elaborated.il", directory / f"{lib}.lib", directory / f"{lib}_abc.lib", __file__):
        digest.update(pathlib.Path(path).read_bytes())
    return digest.hexdigest()


def prepare(module, others, directory, lib):
    """Everything before ABC: one module, flat, in Yosys' own gates and in flip-flops of the library.
    Blocks in it that are measured by themselves are cut out, their pins become pins of this one."""
    blackbox, cut = "", ""
    if others:
        blackbox = f"blackbox {' '.join(others)}"
        # By plain names: OpenSTA loses pins whose names have brackets and dots in them.
        cut = """
        rename -hide t:rdt_*
        rename -enumerate -pattern cut% t:rdt_*
        expose -evert -sep _ t:rdt_*"""
    flow.yosys(f"""
        read_rtlil {directory / 'elaborated.il'}
        hierarchy -top {module.name}
        {blackbox}
        flatten
        {cut}
        synth -nofsm -noabc -top {module.name}
        dfflibmap -liberty {directory / lib}.lib
        opt
        write_json {directory / module.name}.logic.json
        opt_clean -purge
        write_rtlil {directory / module.name}.il
        """, directory / f"{module.name}.log", module.name)


def map_logic(name, result, directory, lib, driver, seed=0):
    """<result>.v and .json, in cells of the library; pins are driven by the cell `driver`. Seeds
    other than 0 give ABC the same logic in another order, which shows the noise of a figure. Cells
    are numbered, the same in both files; what a flip-flop drives has its register's name."""
    script, constraints = directory / f"{result}.abc", directory / "pins.constr"
    script.write_text(ABC.format(permute=f"permute -S {seed}" if seed else "").replace("\n\n", "\n"))
    constraints.write_text(CONSTRAINTS.format(driver=driver))
    flow.yosys(f"""
        read_rtlil {directory / name}.il
        abc -liberty {directory / lib}_abc.lib -constr {constraints} -script {script}
        opt_clean -purge
        splitnets
        read_liberty -lib -ignore_miss_func {directory / lib}.lib
        check -mapped -assert
        rename -enumerate
        write_verilog -noattr -noexpr -nohex -nodec -simple-lhs {directory / result}.v.part
        write_json {directory / result}.json.part
        """, directory / f"{result}.log", result)
    for suffix in (".json", ".v"):
        (directory / f"{result}{suffix}.part").replace(directory / f"{result}{suffix}")


def module_of(path, name):
    try:
        return json.loads(path.read_text())["modules"][name]
    except (ValueError, KeyError) as error:
        raise Failure(f"{path}: not the netlist of {name} ({error})") from None
