# SPDX-License-Identifier: MIT
"""From a property to a verdict: Yosys makes an and-inverter graph of harness and RTL, ABC decides it.

PDR proves without a bound, or finds a run that breaks the property. Where it comes to no end in its
time the property is checked up to a depth (BMC) and called bounded.
"""
import re
import subprocess
import time

from rtl.flow.synth import abc_program

HARNESSES = "tb/formal"


class Failure(Exception):
    """A tool failed or an input is not as it has to be; one line."""


def sources(root):
    lines = (root / "rtl/rdt_router.f").read_text().split()
    return [line for line in lines if not line.startswith("+")]


def needed(folder, files, tops):
    """Of the files those that hold packages, or modules that the tops use, in their order."""
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


def plant(root, folder, edits):
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


def wrapper(folder, module, params):
    """A top around a module alone: reset first, and whenever it pleases; all other inputs anything."""
    text = (folder / f"rtl/{module}.sv").read_text()
    header = text[text.index(f"module {module}"):]
    header = re.sub(r"//[^\n]*", "", header[:header.index(");")])
    ports = re.findall(r"(input|output)\s+logic\s*(\[[^\]]*\])?\s*(\w+)", header)
    values = ", ".join(f".{k}({v})" for k, v in params.items())
    for k, v in {**dict(re.findall(r"parameter int (\w+)\s*=\s*([\w:]+)", header)), **params}.items():
        ports = [(d, re.sub(rf"\b{k}\b", str(v), w), n) for d, w, n in ports]
    clocked = any(n == "clk_i" for _, _, n in ports)
    inputs = [f"  input logic {w} {n}" for d, w, n in ports if d == "input" and n != "rst_ni"]
    wires = [f"  logic {w} {n};" for d, w, n in ports if d == "output"]
    connect = ", ".join(f".{n}({n})" for _, _, n in ports)
    if clocked:
        inputs.append("  input logic reset_i")
        wires += ["  logic on_q, rst_ni;", "  initial on_q = 1'b0;", "  always_ff @(posedge clk_i) on_q <= 1'b1;",
                  "  assign rst_ni = on_q && !reset_i;"]
    (folder / "wrap.sv").write_text("module wrap (\n" + ",\n".join(inputs) + "\n);\n" + "\n".join(wires) +
                                    f"\n  {module} #({values}) u_{module} ({connect});\nendmodule\n")


def run(command, folder, log, limit, text=None):
    try:
        done = subprocess.run(command, cwd=folder, input=text, text=True, timeout=limit,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired as stopped:
        out = stopped.stdout or b""
        return None, out.decode() if isinstance(out, bytes) else out
    (folder / log).write_text(done.stdout)
    return done.returncode, done.stdout


def graph(root, proof, folder, covers=False):
    """Yosys: model.aig in the folder."""
    proof = dict(proof)
    if "wrap" in proof:
        wrapper(folder, proof["wrap"], proof.get("params", {}))
        proof.update(top="wrap", files=["wrap.sv"], params={})
    replaced = {f.split("/")[-1]: f for f in proof.get("instead", [])}
    files = [replaced.get(f.split("/")[-1], f) for f in sources(root)]
    files = needed(folder, files + proof["files"], proof["files"])
    keep = " ".join(f"a:src=*/{m}.svh:*" for m in proof.get("promises", []))
    relied = " ".join(f"a:src=*/{m}.svh:*" for m in proof.get("relies", []))
    checked = " ".join(f"a:src=*/{m}.svh:*" for m in proof.get("checks", []))
    params = "".join(f"chparam -set {k} {v} {proof['top']}\n" for k, v in proof.get("params", {}).items())
    defines = " ".join(f"-D{d}" for d in [*proof.get("defines", []), *(["RDT_COVERS"] if covers else [])])
    script = f"""
        read_verilog -sv -formal -Irtl {defines} {' '.join(files)} {' '.join(proof['files'])}
        {params}
        hierarchy -check -top {proof['top']}
        proc
        select -set mine a:src=*{HARNESSES}/* {keep}
        select -set relied a:src=*{HARNESSES}/* {relied}
        select -set checked {checked or 'a:src=none'}
        chformal -remove t:$assert @mine %d
        {'' if covers else 'chformal -assume2assert t:$assume @checked %i'}
        chformal -remove t:$assume @relied %d
        prep -flatten -nordff -top {proof['top']}
        memory_map
        opt -full -nodffe -nosdff
        async2sync
        dffunmap
        techmap
        dffunmap
        opt -full -nodffe -nosdff
        abc -g AND
        opt_clean
        tee -o stat.txt stat
        write_aiger -zinit -vmap model.map model.aig
        """
    code, out = run(["yosys", "-q", "-s", "-"], folder, "yosys.log", 300, script)
    if code:
        lines = [line for line in out.splitlines() if "ERROR" in line]
        raise Failure(f"{proof['name']}: {lines[0] if lines else 'Yosys failed'} (log: {folder}/yosys.log)")


def abc(folder, commands, limit):
    return run([abc_program.program(), "-c", f"read_aiger model.aig; fold; orpos; strash; {commands}"], folder, "abc.log", limit + 60)[1]


def verdict(out):
    """("proven", None), ("refuted", frame) or (None, None)."""
    found = re.findall(r"was asserted in frame (\d+)", out)
    if found:
        return "refuted", int(found[-1])
    # Of a model with few registers bmc3 visits all states, and pdr is then skipped.
    if "Property proved" in out or "Explored all reachable states" in out:
        return "proven", None
    return None, None


def decide(folder, limit):
    """The cheap refutation first, then PDR after simplification.

    How hard PDR finds a model depends on the version of Yosys that made it. Two simplifications get a
    tenth of the time each before the first one gets all of it.
    """
    left = folder / "left.aig"
    for simplify, seconds in (("scorr", limit // 10), ("scorr -F 2", limit // 10), ("scorr", limit)):
        left.unlink(missing_ok=True)
        out = abc(folder, f"bmc3 -F 12 -T 5; {simplify}; write_aiger {left.name}; pdr -T {seconds}", seconds + 30)
        kind, frame = verdict(out)
        if kind is None and abc_program.is_constant_zero(left):
            kind = "proven"
        if kind:
            break
    return kind, frame, out


def reach(folder, depth, limit):
    """A run that breaks the property, if there is one up to the depth; the frames looked at."""
    registers = int((folder / "model.aig").read_bytes()[:80].split()[3])
    out = abc(folder, f"bmc3 -F {depth} -T {limit}" if registers else f"pdr -T {limit}", limit)
    kind, frame = verdict(out)
    done = re.findall(r"(?:frames? |\bF =\s*)(\d+)", out)
    return kind == "refuted", frame if kind == "refuted" else int(done[-1]) if done else 0, out


def timed(function, *arguments):
    start = time.monotonic()
    return function(*arguments), time.monotonic() - start
