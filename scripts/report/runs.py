# SPDX-License-Identifier: MIT
"""What the last runs left in the folder of the build. Nothing is made up: what is not there, or is
no result, is None."""
import datetime
import functools
import json
import pathlib
import re
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LOCKSTEP = re.compile(r"^lockstep: (\d+) signals x (\d+) cycles", re.M)
FUZZ = re.compile(r"^(\d+) cycles of four chips, (\d+) seeds: (.*)$", re.M)
PINS = 42  # signals that a chip drives
# What the tests of faults print.
FAULTS = re.compile(r"^\s+(\d+ (?:sent|cases|packets), .*)$", re.M)


class Source:
    """A file of results, or what several hold together."""

    def __init__(self, command, about, files):
        self.command, self.about, self.files = command, about, files
        self.value = None
        self.when = max((f.stat().st_mtime for f in files), default=None)

    def there(self):
        return self.value is not None

    def date(self):
        return datetime.datetime.fromtimestamp(self.when).strftime("%Y-%m-%d %H:%M") if self.there() else ""


class Outcome:
    """Result of one test: "passed", "failed" or "skipped"."""

    def __init__(self, result, seconds, output):
        self.result, self.seconds, self.output = result, seconds, output


def present_names(pairs):
    """Keys of version 0.2.0 by their present names, so that older results can be shown."""
    return {re.sub(r"\bplanted", "injected", re.sub(r"(?<![a-z])clocks(?![a-z])", "cycles", key)): value for key, value in pairs}


def read_json(path):
    try:
        return json.loads(path.read_text(), object_pairs_hook=present_names)
    except (OSError, ValueError):
        return None


def read_junit(path):
    """(name of the test, outcome) of ctest and of GoogleTest. A test that was not run is not there."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError):
        return None
    found = {}
    for case in root.iter("testcase"):
        status = case.get("status")
        if status in ("notrun", "disabled"):
            continue
        failed = status == "fail" or case.find("failure") is not None or case.find("error") is not None
        result = "failed" if failed else "skipped" if case.find("skipped") is not None else "passed"
        output = case.findtext("system-out") or ""
        output += "".join(f"{p.get('name')}={p.get('value')}\n" for p in case.iter("property"))
        found[case.get("name")] = Outcome(result, float(case.get("time") or 0), output)
    return found


class Runs:
    def __init__(self, build):
        self.build = build

        def one(command, about, name, read=read_json):
            path = build / name
            source = Source(command, about, [path] if path.is_file() else [])
            source.value = read(path) if source.files else None
            return source

        def logs(command, about, pattern):
            source = Source(command, about, sorted(build.glob(pattern)))
            text = "".join(f.read_text(errors="replace") for f in source.files)
            source.value = text if text.strip() else None
            return source

        def seeds(command, about, name):  # a file of GoogleTest for each, NAME.SEED.xml
            source = Source(command, about, sorted(build.glob(f"{name}.*.xml")))
            found = {f"{test}, seed {path.suffixes[-2][1:]}": outcome for path in source.files
                     for test, outcome in (read_junit(path) or {}).items()}
            source.value = found or None
            return source

        self.tests = self._tests([one("make quick", "quick tests", "quick.xml", read_junit),
                                  one("make test", "tests", "test.xml", read_junit),
                                  one("make rest", "other tests", "rest.xml", read_junit)])
        self.coverage = one("make cov", "coverage of the RTL", "cov.json")
        self.proofs = one("make formal", "proofs", "formal.json")
        self.mutants = one("make mutate", "mutants", "mutate.json")
        self.few_mutants = one("make test", "a hundred mutants", "mutate_quick.json")
        self.synthesis = one("make synth", "gates", "synth.json")
        self.timing = one("make sta", "timing", "sta.json")
        self.speed = one("make bench", "speed", "bench.json")
        self.machine = one("make run", "64 nodes, RTL compared with SystemC", "run.json")
        # Kept in the tree.
        kept = "soak.json" if (build / "soak.json").is_file() else "../docs/soak.json"
        self.soak = one("make soak", "chips, machines and fuzz in lockstep, long", kept)
        self.fuzz = seeds("make fuzz", "fuzz, long", "fuzz")
        self.memory = one("make memory", "shared memory, long", "memory.xml", read_junit)
        self.flips = logs("make flips", "inverted pins", "flips.*.log")
        self.faults = logs("make faults", "broken parts", "faults.*.log")
        self.options = logs("make fuzz-cli", "options at random", "fuzz_cli.*.log")

    def _tests(self, sources):
        """One table of results; of a test that several runs know, the last. Runs by the age of their
        files."""
        self.junit = sources
        known = {}
        for source in sorted((s for s in sources if s.there()), key=lambda s: s.when):
            known.update(source.value)
        return known

    def sources(self):
        return [*self.junit, self.machine, self.soak, self.fuzz, self.memory, self.flips, self.faults, self.options,
                self.coverage, self.proofs, self.mutants, self.few_mutants, self.synthesis, self.timing, self.speed]

    def by_command(self):
        return {source.command: source for source in self.sources()}

    def lockstep(self):
        """(who, signals, cycles) of all runs that compared two models in every cycle."""
        rows = []
        for name, test in self.tests.items():
            rows += [(name, int(m[1]), int(m[2]), test.result) for m in LOCKSTEP.finditer(test.output)]
        for entry in (self.soak.value or {}).get("entries", []):
            wrong = {d["kind"] for d in entry["differences"]}
            rows += [(f"make soak on {entry['commit']}: {kind}, {row['seeds']} seeds", PINS * row["chip_cycles"] // row["cycles"],
                      row["cycles"], "failed" if kind in wrong else "passed") for kind, row in entry["kinds"].items()]
        run = self.machine.value
        if isinstance(run, dict) and run.get("signals_compared"):
            rows.append(("make run", run["signals_compared"], run["cycles_simulated"],
                         "failed" if run.get("error") else "passed"))
        return rows

    def fuzzed(self):
        rows = []
        for name, test in self.tests.items():
            rows += [(name, int(m[1]), int(m[2]), m[3]) for m in FUZZ.finditer(test.output)]
        for test in (self.fuzz.value or {}).values():
            told = dict(re.findall(r"^(\w+)=(\d+)$", test.output, re.M))
            if "cycles" in told and "seeds" in told:
                rows.append(("make fuzz", int(told["cycles"]), int(told["seeds"]), test.result))
        return rows

    def fault_lines(self):
        """(test or run, its text) of tests and long runs."""
        rows = [(name, line) for name, test in self.tests.items() if name.startswith(("attack/", "machine/faults"))
                for line in FAULTS.findall(test.output)]
        for source in (self.flips, self.faults):
            if source.there():
                rows += [(source.command, line) for line in FAULTS.findall(source.value)]
        return rows


@functools.lru_cache
def newest_change(root=ROOT, folders=("rtl", "systemc", "sim", "tb")):
    """When a source was last written."""
    return max((f.stat().st_mtime for folder in folders for f in (root / folder).rglob("*") if f.is_file()), default=0)
