#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks conventions that users rely on:

  - the commands of the workflow are make targets that README or CONTRIBUTING name, on a machine
    with the packages of README
  - names of tests are the same in every build: no bytes of values in them
  - make test PART=... builds one program of tests and runs it

usage: check_workflow.py BUILD_DIR
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PREPARE = "apt-get update && apt-get install -y --no-install-recommends git make ca-certificates"


def read(name):
    return (ROOT / name).read_text()


def workflow_commands(text):
    """Lines of the workflow's `run:` entries."""
    commands = []
    for entry in re.findall(r"^\s*(?:- )?run: (\|\n(?:\s{8,}.*\n)+|.*)$", text, re.M):
        commands += [line.strip() for line in entry.lstrip("|").splitlines() if line.strip()]
    return commands


def wrong_commands(commands, documents, targets):
    wrong = []
    for command in commands:
        if command == PREPARE:
            continue
        if not command.startswith("make "):
            wrong.append(f"the workflow runs what is no make target: {command}")
            continue
        target = command.split()[1]
        if target not in targets:
            wrong.append(f"the workflow runs make {target}, which does not exist")
        elif f"make {target}" not in documents:
            wrong.append(f"neither README nor CONTRIBUTING names make {target}")
    return wrong


def unstable_names(build):
    """Only of programs that there still are."""
    listed = [name for file in pathlib.Path(build).rglob("CTestTestfile.cmake")
              for name in re.findall(r'^include\("(.*)_include.cmake"\)', file.read_text(), re.M)]
    if not listed:
        return ["no program of tests is known to ctest"]
    files = [pathlib.Path(name + "_tests.cmake") for name in listed]
    return [f"{file.name} has a test whose name holds bytes of a value"
            for file in files if file.exists() and "-byte object" in file.read_text()]


def planted_name_is_found():
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "injected[1]_tests.cmake"
        (pathlib.Path(folder) / "CTestTestfile.cmake").write_text(f'include("{folder}/injected[1]_include.cmake")\n')
        file.write_text("add_test([=[a.b/0  # GetParam() = 16-byte object <40-00>]=] a)\n")
        return len(unstable_names(folder)) == 1


def wrong_parts():
    """The commands of `make test PART=chip_two_chips`."""
    plan = subprocess.run(["make", "-n", "test", "PART=chip_two_chips", "RDT_SKIP_SETUP=1"], cwd=ROOT,
                          capture_output=True, text=True).stdout
    wrong = []
    if not re.search(r"^cmake --build .* chip_two_chips$", plan, re.M):
        wrong.append("make test PART=chip_two_chips does not build it alone")
    if not re.search(r"^ctest .*-L '\^chip_two_chips\$'.*--no-tests=error", plan, re.M):
        wrong.append("make test PART=chip_two_chips does not run it alone")
    return wrong


def main():
    wrong = []
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.M))
    documents = read("README.md") + read("CONTRIBUTING.md")
    commands = workflow_commands(read(".github/workflows/ci.yml"))
    if not commands:
        wrong.append("the workflow runs nothing")
    wrong += wrong_commands(commands, documents, targets)
    wrong += unstable_names(sys.argv[1])
    wrong += wrong_parts()
    # The checks themselves.
    if not wrong_commands(["make nonsense"], documents, targets) or not wrong_commands(["rm -rf /"], documents, targets):
        wrong.append("an injected command was not found")
    if not planted_name_is_found():
        wrong.append("an injected name was not found")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(commands)} commands of the workflow are in the documents")


if __name__ == "__main__":
    main()
