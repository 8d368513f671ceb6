# SPDX-License-Identifier: MIT
"""From a property to a verdict: Yosys makes an and-inverter graph of harness and RTL, ABC decides it.

PDR gives an unbounded proof, or finds a run that breaks the property. A property with the invariants of its
block is proven by induction: a bounded search finds no run that breaks it, and no step leaves it. Where neither
comes to an end in its time the property is checked up to a depth (BMC) and called bounded.
"""
import functools
import os
import re
import resource
import signal
import subprocess
import tempfile
import threading

from rtl.flow.synth import abc_program

HARNESSES = "tb/formal"
YOSYS_SECONDS = 600
spent = threading.local()  # CPU time of the programs that this thread has run


class Failure(Exception):
    """A tool failed or an input is not as it has to be; one line."""


def sources(root):
    lines = (root / "rtl/rdt_router.f").read_text().split()
    return [line for line in lines if not line.startswith("+")]


def needed(folder, files, tops):
    """The files that hold packages, or modules that the tops use, in their order."""
    texts = {f: (folder / f).read_text() for f in files}
    name = {f: f.split("/")[-1].removesuffix(".sv") for f in files}
    use, fresh = set(), [text for f, text in texts.items() if f in tops]
    while fresh:
        words = set(re.findall(r"\brdt_\w+", fresh.pop()))
        for f in files:
            if f not in use and name[f] in words:
                use.add(f)
                fresh.append(texts[f])
    return [f for f in files if f in use or name[f].endswith("_pkg")]


def copy_sources(root, folder, edits):
    """A copy of the RTL and the harnesses with the edits in it."""
    for file in [*sorted((root / "rtl").glob("*.sv*")), *sorted((root / HARNESSES).glob("*.sv*"))]:
        text, path = file.read_text(), str(file.relative_to(root))
        for where, old, new in edits:
            if where == path:
                if text.count(old) != 1:
                    raise Failure(f"{path}: not exactly once: {old}")
                text = text.replace(old, new)
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def ports_of(text, module, params):
    """(direction, width, name) of the ports of a module, with parameters and their defaults in place; the parameters it has."""
    header = text[text.index(f"module {module}"):]
    header = re.sub(r"//[^\n]*", "", header[:header.index(");")])
    ports = re.findall(r"(input|output)\s+logic\s*(\[[^\]]*\])?\s*(\w+)", header)
    defaults = dict(re.findall(r"parameter (?:int|bit) (\w+)\s*=\s*([\w:']+)", header))
    for k, v in {**defaults, **params}.items():
        ports = [(d, re.sub(rf"\b{k}\b", str(v), w), n) for d, w, n in ports]
    return ports, set(defaults)


@functools.lru_cache
def else_if_scope():
    """Whether this Yosys puts the blocks of an `else if` generate into a scope of their own, genblk<n>."""
    text = "module m #(parameter N = 2); if (N == 1) begin : a end else if (N == 2) begin : b wire x; end endmodule"
    with tempfile.NamedTemporaryFile("w", suffix=".sv") as file:
        file.write(text)
        file.flush()
        done = subprocess.run(["yosys", "-Q", "-p", f"read_verilog -sv {file.name}; hierarchy -top m; select -list w:*"],
                              capture_output=True, text=True)
    return "genblk1.b.x" in done.stdout


def hierarchical(path):
    """A path of a signal as this Yosys names it; <n> stands before a block of the n-th unnamed generate."""
    return re.sub(r"<(\d+)>", r"genblk\1." if else_if_scope() else "", path)


def wrapper(folder, proof):
    """A top around a module alone: reset first, and whenever it pleases; all other inputs anything.

    With "spec" a module that is written from the specification gets the same inputs, and each output has to
    be the same; one of "when" only under its condition. "inside" names signals of either (u_dut, u_spec) for
    "and", conditions that hold too: how the registers of one follow from those of the other.
    """
    module, params = proof["wrap"], proof.get("params", {})
    ports, _ = ports_of((folder / f"rtl/{module}.sv").read_text(), module, params)

    def instance(kind, known, name, connect):
        values = ", ".join(f".{k}({v})" for k, v in params.items() if k in known)
        return f"  {kind} #({values}) {name} ({connect});"

    clocked = any(n == "clk_i" for _, _, n in ports)
    inputs = [f"  input logic {w} {n}" for d, w, n in ports if d == "input" and n != "rst_ni"]
    lines = [f"  logic {w} {n};" for d, w, n in ports if d == "output"]
    if clocked or "spec" in proof:
        if not clocked:
            inputs.append("  input logic clk_i")
        inputs.append("  input logic reset_i")
        lines += ["  logic on_q, rst_ni;", "  initial on_q = 1'b0;", "  always_ff @(posedge clk_i) on_q <= 1'b1;",
                  "  assign rst_ni = on_q && !reset_i;"]
    lines.append(instance(module, params, "u_dut", ", ".join(f".{n}({n})" for _, _, n in ports)))
    if "spec" in proof:
        spec, known = ports_of((folder / HARNESSES / f"{proof['spec']}.sv").read_text(), proof["spec"], params)
        for name, (path, width) in proof.get("inside", {}).items():
            path = hierarchical(path)
            lines += [f"  (* hierconn *) wire [{width - 1}:0] \\{path} ;", f"  wire [{width - 1}:0] {name} = \\{path} ;"]
        lines += [f"  logic {w} spec_{n};" for d, w, n in spec if d == "output"]
        lines.append(instance(proof["spec"], known, "u_spec",
                              ", ".join(f".{n}({'spec_' * (d == 'output')}{n})" for d, w, n in spec)))
        own = {n for _, _, n in ports}
        same = [f"{n} == spec_{n}" for d, w, n in spec if d == "output" and n in own]
        same = [f"!({proof['when'][c.split()[0]]}) || {c}" if c.split()[0] in proof.get("when", {}) else c for c in same]
        lines += ['`include "rdt_assert.svh"', *(f'  `RDT_PROMISE("as specified", {c})' for c in [*same, *proof.get("and", [])]),
                  f"  `RDT_COVER({proof['reached']})"]
    (folder / HARNESSES / "wrap.sv").write_text("module wrap (\n" + ",\n".join(inputs) + "\n);\n" + "\n".join(lines) + "\nendmodule\n")


def run(command, folder, log, limit, text=None):
    """(exit code, output) of a program; the code is None if it was stopped after the limit, in seconds of CPU time.

    Seconds of CPU time, since a busy machine must not change a verdict.
    """
    (folder / "input.txt").write_text(text or "")
    with open(folder / "input.txt") as fed, open(folder / log, "w") as printed:
        program = subprocess.Popen(command, cwd=folder, stdin=fed, stdout=printed, stderr=subprocess.STDOUT)
        resource.prlimit(program.pid, resource.RLIMIT_CPU, (limit, limit + 5))
        _, status, used = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
    spent.seconds = getattr(spent, "seconds", 0) + used.ru_utime + used.ru_stime
    stopped = -program.returncode in (signal.SIGXCPU, signal.SIGKILL)
    return None if stopped else program.returncode, (folder / log).read_text(errors="replace")


@functools.lru_cache
def lowering():
    """The command that turns `$check` cells, which newer versions of Yosys read, into `$assert` and `$assume`.

    Selections by type do not match a `$check`: without this, an assumption of another block would stay.
    """
    done = subprocess.run(["yosys", "-Q", "-p", "help chformal"], capture_output=True, text=True)
    return "chformal -lower" if "-lower" in done.stdout else ""


def graph(root, proof, folder, covers=False):
    """Yosys: model.aig in the folder; with covers also cover.aig, in which a cover that is reached breaks a property."""
    proof = dict(proof)
    if "wrap" in proof:
        wrapper(folder, proof)
        spec = [f"{HARNESSES}/spec_pkg.sv", f"{HARNESSES}/{proof['spec']}.sv"] if "spec" in proof else []
        proof.update(top="wrap", files=[*spec, f"{HARNESSES}/wrap.sv"], params={})
    replaced = {f.split("/")[-1]: f for f in proof.get("instead", [])}
    files = [replaced.get(f.split("/")[-1], f) for f in sources(root)]
    files = [f for f in needed(folder, files + proof["files"], proof["files"]) if f not in proof["files"]]
    keep = " ".join(f"a:src=*/{m}.svh:*" for m in proof.get("promises", []))
    relied = " ".join(f"a:src=*/{m}.svh:*" for m in proof.get("relies", []))
    checked = " ".join(f"a:src=*/{m}.svh:*" for m in proof.get("checks", []))
    lemmas = " ".join(f"a:src=*/{m}.svh:*" for m in proof.get("lemmas", []))
    params = "".join(f"chparam -set {k} {v} {proof['top']}\n" for k, v in proof.get("params", {}).items())
    defines = " ".join(f"-D{d}" for d in proof.get("defines", []))
    initial = "zinit -all" if "spec" in proof else ""
    # Both graphs have the same assumptions and come from one netlist, which takes most of the time.
    also = f"""
        design -push-copy
        chformal -remove t:$assert a:rdt_cover %d
        opt_clean
        {initial}
        tee -o cover.txt select -count t:$assert
        write_aiger -zinit cover.aig
        design -pop
        chformal -remove t:$assert a:rdt_cover %i
        opt_clean
        """
    script = f"""
        read_verilog -sv -formal -Irtl {defines} {' '.join(files)} {' '.join(proof['files'])}
        {params}
        hierarchy -check -top {proof['top']}
        proc
        setattr -set rdt_cover 1 c:*rdt_cover
        {lowering()}
        select -set mine a:src=*{HARNESSES}/* {keep}
        select -set relied a:src=*{HARNESSES}/* {relied}
        select -set checked {checked or 'a:src=none'}
        select -set lemmas {lemmas or 'a:src=none'}
        chformal -remove t:$assert a:rdt_cover %d @mine %d @lemmas %d
        chformal -remove t:$assert a:rdt_cover %i{' @mine %d' if covers else ''}
        chformal -assume2assert t:$assume @checked %i
        chformal -remove t:$assume @relied %d
        chformal -assert2assume t:$assert a:rdt_cover %d @lemmas %i
        prep -flatten -nordff -top {proof['top']}
        tee -q -o check.txt check
        memory_map
        opt -full -nodffe -nosdff
        async2sync
        dffunmap
        techmap
        dffunmap
        opt -full -nodffe -nosdff
        simplemap
        abc -g AND
        opt_clean
        tee -o stat.txt stat
        {also if covers else ''}
        {initial}
        write_aiger -zinit -vmap model.map model.aig
        """
    code, out = run(["yosys", "-q", "-s", "-"], folder, "yosys.log", YOSYS_SECONDS, script)
    if code is None:
        raise Failure(f"Yosys did not finish within {YOSYS_SECONDS} s (log: {folder}/yosys.log)")
    if code:
        lines = [line for line in out.splitlines() if "ERROR" in line]
        raise Failure(f"{lines[0] if lines else 'Yosys failed'} (log: {folder}/yosys.log)")
    if covers and not re.search(r"[1-9]", (folder / "cover.txt").read_text()):
        raise Failure(f"{proof['name']} has no cover statement (log: {folder}/yosys.log)")
    # A register of the specification may have bits that a variant does not drive; a signal that does not exist has none.
    undriven = re.findall(r"Wire wrap\.\\(\S+)(?: \[\d+\])? is used but has no driver", (folder / "check.txt").read_text())
    for name, (path, width) in proof.get("inside", {}).items():
        if undriven.count(name) == width or undriven.count(hierarchical(path)) == width:
            raise Failure(f"{path}: no such signal")


def abc(folder, commands, limit, model="model.aig"):
    """The status that ABC writes after the commands, as fields; none if it was stopped at the limit.

    The file has one format in all versions, unlike what ABC prints: `snl_SAT`, `snl_UNSAT` or `snl_UNK`, a
    number of frames, the engine, and of a counterexample its output and its frame.
    """
    status = folder / "status.txt"
    status.unlink(missing_ok=True)
    script = f"read_aiger {model}; fold; orpos; strash; {commands}; write_status {status.name}"
    code, out = run([abc_program.program(), "-c", script], folder, "abc.log", limit + 60)
    if code is None:
        return []
    if code or not status.is_file():
        lines = out.strip().splitlines()
        raise Failure(f"ABC failed: {lines[-1] if lines else 'no output'} (log: {folder}/abc.log)")
    return status.read_text().split("\n", 1)[0].split()


def verdict(status):
    """("proven", None), ("refuted", frame) or (None, None)."""
    if status[:1] == ["snl_SAT"]:
        return "refuted", int(status[4])
    if status[:1] == ["snl_UNSAT"]:
        return "proven", None
    return None, None


def decide(folder, limit, ways=("scorr", "scorr -F 2")):
    """The cheap refutation first, then PDR after simplification.

    How hard PDR finds a model depends on the version of Yosys that made it. Two simplifications get a
    tenth of the time each before the first one gets all of it.
    """
    left = folder / "left.aig"
    for simplify, seconds in ((ways[0], limit // 10), (ways[1], limit // 10), (ways[0], limit)):
        left.unlink(missing_ok=True)
        kind, frame = verdict(abc(folder, f"bmc3 -F 12 -T 5; {simplify}; write_aiger {left.name}; pdr -T {seconds}", seconds + 30))
        if kind is None and abc_program.is_constant_zero(left):
            kind = "proven"
        if kind:
            break
    return kind, frame


def holds_by_induction(folder, limit):
    """Whether the property holds in a cycle if it holds in the one before, in any state: the step of an induction.

    ABC numbers frames: in frame 0 the property is assumed, in frame 1 it has to hold.
    """
    return verdict(abc(folder, f"ind -F 2 -T {limit}", limit))[0] == "proven"


def reach(folder, depth, limit, model="model.aig"):
    """Whether a run up to the depth breaks the property, and the frame; without one the frames that were searched."""
    registers = int((folder / model).read_bytes()[:80].split()[3])
    status = abc(folder, f"bmc3 -F {depth} -T {limit}" if registers else f"pdr -T {limit}", limit, model)
    kind, frame = verdict(status)
    if kind == "refuted":
        return True, frame
    # A proof covers every depth: a model without registers, or one whose states were all visited.
    return False, depth if kind == "proven" else int(status[1]) + 1 if status else 0
