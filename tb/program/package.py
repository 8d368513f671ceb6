#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs the project, looks for paths of the tree in what was installed, and builds and runs the
examples against it.

usage: package.py SOURCE BUILD [--examples NAME,...]
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PLAIN = ["embed", "own_workload", "own_network", "own_pattern", "own_routing"]
OF_SYSTEMC = ["systemc_chip", "own_block", "tlm", "tlm_program"]
OF_VERILATOR = ["rtl_chip"]
OF_RTL = ["rtl_bench"]
# Beside headers and libraries, which the examples need.
DOCUMENTS = ["share/doc/rdt/docs/machine.md", "share/man/man1/rdt.1.gz", "share/bash-completion/completions/rdt",
             "share/zsh/site-functions/_rdt", "share/rdt/rtl/rdt_router.rdl", "share/rdt/rtl/rdt_router.xml"]


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def find_paths(prefix, paths):
    """Installed files that hold one of the paths, at the beginning of a path: a tree in /rdt is not meant
    by include/rdt."""
    found = []
    patterns = {path: re.compile(rb"(?<![\w.})*-])" + re.escape(path.encode()) + rb"(?![\w.-])") for path in paths}
    for file in prefix.rglob("*"):
        if file.is_file() and not file.is_symlink():
            data = file.read_bytes()
            found += [f"{file.relative_to(prefix)} holds {path}" for path, p in patterns.items() if p.search(data)]
    return found


def expect(text, *parts):
    for part in parts:
        if part not in text:
            sys.exit(f"no {part!r} in\n{text}")


def try_example(name, source, prefix, work):
    build = work / name
    run("cmake", "-S", source / "examples" / name, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", build)
    rdt = prefix / "bin/rdt"
    plugin = build / f"lib{name}.so"
    if name == "embed":
        expect(run(build / name), "packet 0 is at node 37", "packet 1 is answered")
    elif name == "own_workload":
        expect(run(rdt, "--plugin", plugin, "run", "--traffic", "ring", "--cycles", "2000"), "times passed on")
        expect(run(rdt, "--plugin", plugin, "run", "--help"), "a token that goes round")
    elif name == "own_network":
        expect(run(rdt, "--plugin", plugin, "net", "info", "wheel:12"), "nodes          13", "diameter       2")
        expect(run(rdt, "--plugin", plugin, "net", "cdg", "wheel:12"), "acyclic")
    elif name == "own_pattern":
        expect(run(rdt, "--plugin", plugin, "run", "--traffic", "butterfly", "--cycles", "2000"), "offered")
        expect(run(rdt, "--plugin", plugin, "lab", "--net", "torus:8x8", "--traffic", "butterfly"), "butterfly traffic")
    elif name == "own_routing":
        expect(run(rdt, "--plugin", plugin, "net", "cdg", "turning:8x8", "--routing", "yx"), "acyclic")
        expect(run(rdt, "--plugin", plugin, "lab", "--net", "turning:8x8", "--routing", "yx", "--cycles", "2000"), "yx")
    elif name == "rtl_bench":
        expect(run("ctest", "--test-dir", build, "--no-tests=error"), "100% tests passed")
    else:
        expect(run(build / name), "PASS")
    print(f"{name}: builds and runs")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--examples", help="only these (default: those whose tools are here)")
    args = parser.parse_args()
    source, build = args.source.resolve(), args.build.resolve()
    with tempfile.TemporaryDirectory(prefix="rdt_package_") as folder:
        work = pathlib.Path(folder)
        prefix = work / "prefix"
        run("cmake", "--install", build, "--prefix", prefix)
        missing = [name for name in DOCUMENTS if not (prefix / name).is_file()]
        if missing:
            sys.exit(f"not installed: {' '.join(missing)}")
        found = find_paths(prefix, [str(source), str(build)])
        if found:
            sys.exit("\n".join(found))
        headers = sorted(str(f.relative_to(prefix / "include")) for f in (prefix / "include/rdt").rglob("*.h"))
        public = [name for name in headers if not name.startswith("rdt/detail/")]
        if not 20 <= len(public) <= 40:
            sys.exit(f"{len(public)} public headers are installed, not 20 to 40")
        plain = [n for n in public if n.count("/") > 1 and not n.startswith(("rdt/tlm/", "rdt/cosim/"))]
        (work / "headers.cpp").write_text("".join(f"#include <{name}>\n" for name in plain))
        run("g++", "-std=c++17", "-fsyntax-only", f"-I{prefix}/include", f"-I{prefix}/include/rdt/detail", work / "headers.cpp")
        print(f"{len(public)} public headers, {len(headers) - len(public)} private ones; {len(plain)} compile together")
        # The check itself: a file that does hold it is found.
        injected = prefix / "share/injected"
        injected.write_text(f"made in {source}/x")
        if len(find_paths(prefix, [str(source)])) != 1:
            sys.exit("a injected path was not found")
        injected.unlink()
        names = list(PLAIN)
        if subprocess.run(["pkg-config", "--exists", "systemc"]).returncode == 0:
            names += OF_SYSTEMC
        if shutil.which("verilator"):
            names += OF_VERILATOR
        if shutil.which("verilator") or shutil.which("iverilog"):
            names += OF_RTL
        for name in args.examples.split(",") if args.examples else names:
            try_example(name, source, prefix, work)
        flags = run("pkg-config", "--cflags", "--libs", "rdt",
                    env={"PKG_CONFIG_PATH": str(next(prefix.rglob("pkgconfig"))), "PATH": "/usr/bin:/bin"}).split()
        run("g++", source / "examples/embed/main.cpp", "-o", work / "by_pkg_config", *flags)
        expect(run(work / "by_pkg_config"), "packet 0 is at node 37")
        print("pkg-config: builds and runs")


if __name__ == "__main__":
    main()
