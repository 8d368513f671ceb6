#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/campaigns.py with programs that pass, fail, count too little or read a wrong value: each failure is
counted and ends with exit code 1."""
import json
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/campaigns.py"
PASSED = "#!/bin/sh\necho 'counted: 100000 barriers'\necho '[  PASSED  ] 1 test.'\n"
VALID = {"error": "", "workload": {"operations": 10_000_000, "violations": 0, "undetected": 0}}


def answer(work, **more):
    return f"#!/bin/sh\ncat <<'end'\n{json.dumps({**VALID, **more, 'workload': {**VALID['workload'], **work}})}\nend\n"


# Campaign, program and its text, exit code, failed tasks that the table shows (None: no table).
CASES = [
    ("barriers", "machine_barriers", PASSED, 0, 0),
    ("barriers", "machine_barriers", PASSED.replace("100000", "1"), 1, 0),
    ("barriers", "machine_barriers", PASSED + "exit 3\n", 1, 10),
    ("barriers", "machine_barriers", PASSED.replace("PASSED", "SKIPPED"), 1, 10),
    ("barriers", "machine_barriers", PASSED.replace(" 1 test", " 0 tests"), 1, 10),
    ("flips", "rdt", answer({}), 0, 0),
    ("flips", "rdt", answer({"violations": 1}), 1, 64),
    ("flips", "rdt", answer({"undetected": 1}), 1, 64),
    ("flips", "rdt", answer({}, error="the memory was wrong"), 1, 64),
    ("flips", "rdt", "#!/bin/sh\necho nonsense\n", 1, 64),
    ("nonsense", "rdt", answer({}), 2, None),
]


def main():
    wrong = 0
    for campaign, program, text, code, failures in CASES:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / program).write_text(text)
            (folder / program).chmod(0o755)
            done = subprocess.run([sys.executable, SCRIPT, "--only", campaign, "--bin", folder, "--json", folder / "r.json",
                                   "--jobs", "2"], capture_output=True, text=True)
            row = [line.split() for line in done.stdout.splitlines() if line.startswith(f"{campaign} ")]
            shown = int(row[-1][5]) if row else None
            if (done.returncode, shown) != (code, failures):
                wrong += 1
                print(f"{campaign} with {text!r}: exit code {done.returncode}, {shown} failures; expected {code}, {failures}")
                print(done.stdout, done.stderr)
    print(f"{len(CASES) - wrong} of {len(CASES)} as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
