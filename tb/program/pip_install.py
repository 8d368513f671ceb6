#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`pip install .` in a virtual environment, without network, gives a module with the program's results.

usage: pip_install.py PROGRAM     (by the interpreter that the environment is for)
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUN = {"load": 0.3, "cycles": 3000}
CODE = f"import json, rdt; print(json.dumps([rdt.__file__, rdt.__version__, rdt.run(**{RUN})]))"


def output(*words, **more):
    run = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if run.returncode:
        sys.exit(f"{' '.join(map(str, words))}: exit code {run.returncode}\n{run.stdout[-4000:]}")
    return run.stdout


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    before = {p.name for p in ROOT.iterdir()} | {"build_pip"}
    with tempfile.TemporaryDirectory(prefix="rdt_pip_") as folder:
        python = pathlib.Path(folder, "venv/bin/python")
        output(sys.executable, "-m", "venv", "--system-site-packages", python.parent.parent)
        output(python, "-m", "pip", "install", "--no-build-isolation", "--no-index", ROOT, cwd=folder)
        file, version, result = json.loads(output(python, "-c", CODE, cwd=folder))
        inside = pathlib.Path(folder).resolve() in pathlib.Path(file).resolve().parents
    words = [w for name, value in RUN.items() for w in (f"--{name}", str(value))]
    expected = json.loads(output(program, "run", "--engine", result["engine"], *words, "--json", "-"))
    wrong = [] if inside else [f"the module is {file}, outside of the environment"]
    if version != output(program, "--version").split()[-1]:
        wrong.append(f"the module has version {version}")
    wrong += [f"{key}: {result[key]}, not {expected[key]}" for key in ("latency", "packets", "hops_mean")
              if result[key] != expected[key]]
    wrong += [f"the build left {name} in the source tree" for name in {p.name for p in ROOT.iterdir()} - before]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"pip installs rdt {version}; its results are those of the program")


if __name__ == "__main__":
    main()
