# SPDX-License-Identifier: MIT
"""The targets of the Makefile, how each runs in a minute, and the record of their last successful runs
(docs/nightly.json)."""
import functools
import json
import pathlib
import re
import subprocess
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = ROOT / "docs/nightly.json"
KEPT_RUNS = 30  # per target


class Target(NamedTuple):
    name: str
    short: str = ""  # variables of `make` for a short run
    night: str = ""  # for a run of `make nightly`: all together take three to five hours of CPU time
    needs: str = ""  # programs and files that a short run is skipped without; setup installs them for a full run
    test: str = ""  # a test of ctest that does the same in short, in place of a short run


# In the order of README and docs/start.md.
TARGETS = [
    Target("setup", test="program/setup_installs_what_each_system_has"),
    Target("run", "RUN_CYCLES=300"),
    Target("test", "PART=chip_pins"),
    Target("build"),
    Target("wave", needs="gtkwave Xvfb import"),
    Target("live", "LIVE_PARTS=runs", needs="emcc chromium"),
    Target("docs", needs="mkdocs"),
    Target("python", "PIP=0", needs="/usr/include/pybind11/pybind11.h"),
    Target("install", "PREFIX=build/installed", needs="/usr/include/pybind11/pybind11.h"),
    Target("deb", needs="dpkg-deb /usr/include/pybind11/pybind11.h"),
    Target("synth", test="silicon/generic_cells_match_their_models"),
    Target("sta", test="silicon/generic_cells_match_their_models", night="ARGS='--runs=1 --chip-only --no-place'"),
    Target("power", test="silicon/generic_cells_match_their_models"),
    Target("layout", test="silicon/generic_cells_match_their_models"),
    Target("formal", "ARGS=--only=crossbar", needs="yosys"),
    Target("mutate", test="mutate/a_hundred_mutants_are_seen_but_for_few", night="MUTANTS=150"),
    Target("cov", "ARGS='block_crossbar block_fast_ports'", needs="lcov yosys"),
    Target("inject", test="injected/bugs_of_regress_are_detected", night="ARGS=--draw=6"),
    Target("mistakes", "ARGS='--draw=1 --only=arbiter'", needs="yosys", night="ARGS=--draw=2"),
    Target("unprotect", test="injected/bugs_of_regress_are_detected"),
    Target("bench", "ARGS=--only=lab"),
    Target("soak", "ARGS=--length=200 CYCLES=1000", night="CYCLES=30000000"),
    Target("fuzz", "FUZZ_CYCLES=2000", night="FUZZ_CYCLES=1000000"),
    Target("fuzz-cli", "CLI_CASES=20", night="CLI_CASES=1500"),
    Target("flips", "FLIPS=4", night="FLIPS=1500"),
    Target("faults", "CASES=2 PACKETS=2000 FAULTS=1", night="CASES=150 PACKETS=300000 FAULTS=1"),
    Target("memory", "OPERATIONS=500", night="OPERATIONS=20000"),
    Target("mpi", needs="mpicc mpirun"),
    Target("programs", "ARGS=--nodes=1,4", needs="riscv64-unknown-elf-gcc"),
    Target("programs-isa", needs="riscv64-unknown-elf-gcc qemu-system-riscv64"),
    Target("slurm", needs="sbatch slurmctld munged"),
    Target("collectives", "ARGS=--only-draw"),
    Target("campaigns", "ARGS='--scale=0.001 --only=drain,registers,flips,barriers'", night="ARGS=--scale=0.01"),
    Target("report"),
    Target("browse", "SITE_PAGES=tour", needs="mkdocs chromium"),
    Target("pictures"),
    Target("format"),
    Target("quick", test="quick/chip_lockstep"),
    Target("lint", test="lint/file_lists_agree"),
    Target("rest", test="fuzz/blame.systemc_blocks_are_as_those_of_the_rtl",
           night="LEAVE_OUT='targets/short_runs|injected/bugs'"),  # the reverse runs and `make inject` have these
    Target("regress", test="fuzz/blame.systemc_blocks_are_as_those_of_the_rtl"),
    Target("nightly", test="targets/short_runs_pass"),
    Target("clean"),
]
# Not run by `make nightly`: itself, what only installs packages, and what others contain (quick is in test, which is
# with rest what regress runs).
NOT_IN_NIGHTLY = {"nightly", "quick", "regress", "setup"}
IN_NIGHTLY = [t for t in TARGETS if t.name not in NOT_IN_NIGHTLY]


def public_targets():
    """Targets that `make help` lists."""
    return re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.M)


def disagreements(public, tests):
    """One line for everything in which the Makefile, the table above and ctest's tests differ."""
    names = [t.name for t in TARGETS]
    return ([f"make {name}: scripts/report/make_targets.py has no short run of it" for name in public if name not in names] +
            [f"scripts/report/make_targets.py: there is no make {name}" for name in names if name not in public] +
            [f"make {t.name}: there is no test {t.test}" for t in TARGETS if t.test and t.test not in tests] +
            [f"make {name}: twice in scripts/report/make_targets.py" for name in set(names) if names.count(name) > 1])


def read_record():
    return json.loads(RECORD.read_text()) if RECORD.exists() else {}


@functools.lru_cache
def commits_since(commit):
    """Commits between this one and the present state; None if it is not in the history."""
    done = subprocess.run(["git", "rev-list", "--count", f"{commit}..HEAD"], cwd=ROOT, capture_output=True, text=True)
    return int(done.stdout) if done.returncode == 0 else None


def last_run(name, record):
    """Text for the record of one target: "never", or when, where and how long ago it passed on each system."""
    def passed(system, entry):
        since = commits_since(entry["commit"])
        age = "" if since == 0 else "stale, of another history: " if since is None else f"stale by {since} commits: "
        return f"{age}{entry['date']}, {entry['commit']}, {entry['seconds']} s, {system}"
    systems = record.get(name, {}).get("passed", {})
    return "; ".join(passed(system, entry) for system, entry in systems.items()) or "never"


def trend(name, record):
    """Text for the recorded runs of one target: how many passed, and the seconds of the last ten."""
    runs = record.get(name, {}).get("runs", [])
    if not runs:
        return "none recorded"
    passed = sum(run["result"] == "passed" for run in runs)
    seconds = ", ".join(f"{run['seconds']}" + ("" if run["result"] == "passed" else " (failed)") for run in runs[-10:])
    return f"{passed} of {len(runs)} passed; seconds: {seconds}"
