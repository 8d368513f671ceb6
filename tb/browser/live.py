#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens the live page in a headless Chromium and compares it with the program.

usage: live.py [--screenshots DIR] PAGE RDT    RDT: the program

  - every figure of a run in the page is that of the command line which the page shows, for three
    seeds, two loads, multicasts with acks, a link that is cut, a plain torus and a trace
  - programs on the machine have the figures and the output of rdt exec
  - 2,000 cycles per second, and less than 1.5 MB
  - what can be clicked, pressed and dropped does what it should
  - the networks have the figures of rdt net
  - the page requests nothing, logs no error, and nothing is wider than the page
  - each of these checks detects an injected bug
"""
import argparse
import json
import math
import pathlib
import shlex
import subprocess
import sys
import tempfile
import urllib.parse

import chromium

LARGEST = 1_500_000
SLOWEST = 2_000
# Measured again by every run, or of the program alone.
OWN = {"version", "command", "plugins", "parameters", "seconds", "cycles_per_second", "bytes_per_node",
       "cpu_seconds", "cycles_per_cpu_second"}
MIXED = "traffic=uniform&flits=5-16&multicast=0.05&density=0.3&acks=1"
TRACE = "0 0 9 16\n0 5 mc:ff:0f 8 ack\n40 63 1,2 5 after:0+10\n41 7 lpra:13:81\n"
CASES = [f"load={load}&seed={seed}&cycles=5000&{MIXED}" for load in (0.1, 0.4) for seed in (1, 2, 3)] + [
    "load=0.3&seed=4&cycles=5000&multicast=0&cut=9.E0",
    f"load=0.2&seed=5&cycles=5000&{MIXED}&cut=9.E0,30.N1&timeout=500&sink=1",
    "load=0.2&seed=6&cycles=5000&traffic=transpose&multicast=0.1&scheme=lpra&acks=0&torus=1&warmup=100",
    "seed=7&acks=0&traceName=test.trace&trace=" + urllib.parse.quote(TRACE),
]
PROGRAMS = {"ocean": "16 1", "barrier": "3 4", "false_sharing": "8 5"}
NETWORKS = ["rdt:8", "torus:8x8", "hypercube:6", "scc:4", "rhsn:3,q2", "rcc:8,1", "prc:64,4,16"]


class Failure(Exception):
    pass


def require(condition, text):
    if not condition:
        raise Failure(text)


def is_same(a, b):
    """Equal values. Half intervals come from functions whose last digit depends on the C library."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(
            math.isclose(a[k], b[k], rel_tol=1e-12) if k == "half_interval" and None not in (a[k], b[k]) else is_same(a[k], b[k])
            for k in a)
    return a == b


class Test:
    def __init__(self, browser, page, rdt, folder):
        self.browser = browser
        self.address = page.resolve().as_uri()
        self.rdt = rdt
        self.folder = folder
        self.speeds = []

    def program(self, words):
        done = subprocess.run([self.rdt, *words, "--json", "-"], capture_output=True, text=True,
                              cwd=self.folder)
        if done.returncode > 1 or not done.stdout:
            raise Failure(f"{' '.join(words)}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def run_in_page(self, case):
        address = f"#selftest&{case}"
        before = self.browser.cpu_seconds()
        self.browser.open(self.address + address)
        self.browser.wait("document.getElementById('selftest')?.dataset.done === "
                          f"{json.dumps(address)}", timeout=300)
        answer = json.loads(self.browser.evaluate("document.getElementById('selftest').textContent"))
        require("error" not in answer, f"{case}: {answer.get('error')}")
        answer["cpu_seconds"] = self.browser.cpu_seconds() - before
        return answer

    def compare(self, answer, expected):
        found = answer["result"]
        keys = set(expected) - OWN
        return sorted(k for k in keys if not is_same(found.get(k), expected[k]))

    def runs(self):
        (self.folder / "test.trace").write_text(TRACE)
        first = None
        for case in CASES:
            answer = self.run_in_page(case)
            first = first or answer
            expected = self.program(shlex.split(answer["command"])[1:])
            require(expected["injected"] > 0 and expected["delivered"] > 0, f"{case}: nothing was sent")
            different = self.compare(answer, expected)
            require(not different, f"{case}: differs from {answer['command']} in {', '.join(different)}")
            if "cut" not in case:
                require(answer["result"]["mistaken"] == 0, f"{case}: took packets for others")
            if "cycles" in case:
                clocks = expected["cycles_simulated"]
                self.speeds.append((clocks / answer["cpu_seconds"], clocks / answer["seconds"]))
            print(f"  {expected['injected']:6} sent {expected['delivered']:6} delivered, "
                  f"mean {expected['latency']['mean']:.3f}: {answer['command']}")
        require(self.compare(first, expected), "another run's figures were not detected")
        # The first one brings the browser up. Others may use the machine, too, so its own time counts.
        for time, speeds in zip(("of its own time", "by the clock on the wall"), zip(*self.speeds[1:])):
            print(f"  {min(speeds):.0f} to {max(speeds):.0f} cycles per second {time}")
        slowest = min(speed for speed, _ in self.speeds[1:])
        require(slowest >= SLOWEST, f"{slowest:.0f} cycles per second are fewer than {SLOWEST}")

    def programs(self):
        examples = pathlib.Path(__file__).resolve().parents[2] / "examples"
        (self.folder / "examples").symlink_to(examples)
        first = None
        for name, arguments in PROGRAMS.items():
            case = f"program={name}&args={urllib.parse.quote(arguments)}"
            answer = self.run_in_page(case)
            words = shlex.split(answer["command"])[1:]
            require(words[:4] == ["exec", f"examples/program/{name}.elf", "--args", arguments], f"{case}: {words}")
            expected = self.program(words)
            found = answer["result"]["program"]
            first = first or found
            different = [k for k in found if k != "console" and not is_same(found[k], expected[k])]
            require(not different, f"{case}: differs from {answer['command']} in {', '.join(different)}")
            require(found["cycles"] > 0 and found["instructions"] > 0, f"{case}: nothing was executed")
            flat = subprocess.run([self.rdt, *words[:4], "--flat"], capture_output=True, text=True, cwd=self.folder)
            require(found["console"] != "" and found["console"] in flat.stdout,
                    f"{case}: prints {found['console']!r} instead of {flat.stdout!r}")
            print(f"  {found['cycles']:6} cycles {found['instructions']:6} instructions: {answer['command']}")
        require(any(not is_same(first[k], expected[k]) for k in ("cycles", "instructions", "cpi_stack")),
                "another program's figures were not detected")
        # In the view: packets on their way, and in the end what the program has printed.
        b = self.browser
        b.resize(1280, 900)
        self.open_view("pause&program=barrier&args=0%202&speed=13")
        b.evaluate("for (let i = 0; i < 300; ++i) document.getElementById('step').click()")
        b.press("p")
        require("Its way" in self.text("inspect"), "a program on its way shows no packet")
        b.evaluate("document.getElementById('run').click()")
        b.wait("document.getElementById('message').textContent.includes('printed: barrier')", timeout=120)
        require("instructions" in self.text("figures"), "the figures have no instructions")

    def open_view(self, hash_text):
        self.browser.open("about:blank")
        self.browser.open(self.address + "#" + hash_text)
        self.browser.wait("document.documentElement?.dataset.ready === '1'")

    def text(self, name):
        return self.browser.evaluate(f"document.getElementById('{name}').textContent")

    def clock(self):
        return int(self.text("clock").replace(",", ""))

    def place(self, name):
        box = self.browser.evaluate(
            f"(b => [b.left, b.top, b.width])(document.getElementById('{name}').getBoundingClientRect())")
        return box

    def machine(self):
        b = self.browser
        b.resize(1280, 900)
        self.open_view("pause&load=0.5&speed=9")
        before = self.clock()
        b.evaluate("document.getElementById('step').click()")
        require(self.clock() == before + 1, "one step is not one cycle")
        # A chip in the middle: 20 buffers.
        left, top, width = self.place("map")
        step = width / (7 + 2 * 0.72)
        b.click(left + (0.72 + 3) * step, top + (0.72 + 4) * step)
        require("Chip 27" in self.text("inspect"), f"a click on chip 27 shows {self.text('inspect')[:60]}")
        require(b.evaluate("document.querySelectorAll('#inspect .grid20 button').length") == 20,
                "a chip does not show 20 buffers")
        # In the middle between two chips is a flit or the bare link.
        seen = set()
        for x in range(7):
            for y in range(8):
                if len(seen) < 2:
                    b.click(left + (0.72 + x + 0.5) * step, top + (0.72 + y) * step)
                    seen.add(self.text("inspect").split()[0])
        require(len(seen & {"Packet", "Multicast"}) > 0 and any(s.startswith("Link") for s in seen),
                f"clicks between chips show {seen}")
        b.click(left + (0.72 + 3) * step, top + (0.72 + 4) * step)
        # A packet by its key, and its way.
        b.evaluate("document.getElementById('map').focus()")
        b.press("p")
        require("Its way" in self.text("inspect"), "the key P shows no packet")
        self.compare_way()
        b.press("Escape")
        for key in ("ArrowRight", "ArrowUp"):
            b.press(key)
        require("Chip 9 " in self.text("inspect"), "arrows do not choose chip 9")
        b.press("1")
        require("Link 9.E0" in self.text("inspect"), "the key 1 does not choose the link E0")
        b.press("x")
        cut = f"cut=9.E0@{self.clock()}"
        require(cut in b.evaluate("location.hash"), f"the address does not contain {cut}")
        b.evaluate("document.getElementById('run').click()")
        b.wait(f"Number(document.getElementById('clock').textContent.replaceAll(',', '')) > {before + 400}")
        b.press(" ")
        require("links cut, found down1, " in self.text("figures"), "a link that was cut is not counted")
        # Opening the address shows the same.
        address, clock = b.evaluate("location.hash"), self.clock()
        shown = b.evaluate("[...document.querySelectorAll('#figures dd')].slice(0, 7).map(e => e.textContent).join()")
        self.open_view(address[1:] + f"&until={clock}&speed=13")
        b.wait("document.getElementById('run').textContent === 'Run'")
        require(self.clock() == clock, f"until={clock} ends in clock {self.clock()}")
        again = b.evaluate("[...document.querySelectorAll('#figures dd')].slice(0, 7).map(e => e.textContent).join()")
        require(shown == again, f"the same link shows {again} and not {shown}")

    def settings(self):
        b = self.browser
        self.open_view("pause&load=0.5")
        b.evaluate("""(() => {
            const field = document.querySelector('#settings [name=load]');
            field.value = 0.1;
            field.dispatchEvent(new Event('input', {bubbles: true}));
        })()""")
        b.wait("location.hash.includes('load=0.1&')")
        b.wait("document.getElementById('command').textContent.includes('--load 0.1 ')")
        for theme in ("dark", "light"):
            b.press("t")
            require(b.evaluate("document.documentElement.dataset.theme") == theme, f"T does not make it {theme}")
        # Other parts of the address are left unchanged.
        self.open_view("pause&load=x&seed=-1.5&cut=99.E0,9.Q0&warmup=1e1&speed=77.7&view=nowhere&%%%")
        require("--load 0.3 " in self.text("command") and "--seed 1" in self.text("command"),
                f"wrong settings make {self.text('command')}")
        for wrong, told in (("traffic=none", "--traffic none: must be one of"), ("flits=99", "--flits 99: must be 5 to 16"),
                            ("sink=1", "--sink: needs --timeout")):
            self.open_view("pause&" + wrong)
            require(told in self.text("message"), f"{wrong} is answered with {self.text('message')}")

    def compare_way(self):
        """The chosen packet's way is what rdt run --packet-log writes of it."""
        number = self.browser.evaluate("document.querySelector('#inspect h3').textContent").split()[-1]
        rows = self.browser.evaluate("[...document.querySelectorAll('#inspect tbody tr')].map("
                                     "r => [...r.cells].map(c => c.textContent))")
        self.program(shlex.split(self.text("command"))[1:] + ["--packet-log", "packets.log"])
        lines = (self.folder / "packets.log").read_text().splitlines()
        line = next((l for l in lines if l.startswith(number + " ")), "")
        require(line, f"packet {number} is in no log")
        # "12.E0/1@345" and "12.M0@345".
        logged = [step.replace("/", "@").split("@") for step in line.split(";")[1].split()]
        expected = [[step[-1], *step[0].split(".")] for step in logged]
        shown = [[row[0], row[1], "M" + row[2][-1] if "MBP" in row[2] else row[2]] for row in rows]
        require(shown == expected and shown, f"packet {number} went {expected}, the page shows {shown}")

    def trace(self):
        b = self.browser
        self.open_view("pause&multicast=0")
        b.evaluate("""(() => {
            const data = new DataTransfer();
            data.items.add(new File([%s], 'dropped.trace'));
            window.dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true}));
        })()""" % json.dumps(TRACE))
        b.wait("document.getElementById('trace-name').textContent.includes('dropped.trace')")
        b.wait("document.getElementById('message').textContent.includes('Everything has arrived')")
        require("4, " in b.evaluate("document.querySelectorAll('#figures dd')[1].textContent"),
                "not all packets of the trace were sent")
        b.evaluate("""(() => {
            const data = new DataTransfer();
            data.items.add(new File(['0 0 99'], 'wrong.trace'));
            window.dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true}));
        })()""")
        b.wait("document.getElementById('message').textContent.includes('wrong.trace:1: there is no node 99')")

    def zoo(self):
        b = self.browser
        self.open_view("pause&view=zoo&net=rdt:8")
        b.wait("[...document.querySelectorAll('#zoo-table tbody tr')].length === 7 && "
               "!document.getElementById('zoo-table').textContent.includes('…')", timeout=300)
        rows = b.evaluate("[...document.querySelectorAll('#zoo-table tbody tr')].map("
                          "r => [...r.cells].map(c => c.textContent))")
        for name, row in zip(NETWORKS, rows):
            info = self.program(["net", "info", name])
            expected = [name, *(str(info[k]) for k in ("nodes", "degree", "links", "diameter")),
                        f"{info['mean_distance']:.2f}"]
            require(row[:6] == expected, f"the page has {row[:6]}, the program {expected}")
            require(int(row[6].strip("≤ ")) >= info["bisection"], f"{name}: bisection {row[6]}")
        b.evaluate("for (const n of [0, 27]) document.querySelector(`#zoo-picture [data-node='${n}']`)"
                   ".dispatchEvent(new MouseEvent('click'))")
        hops = self.program(["net", "route", "rdt:8", "0", "27"])["hops"]
        require(f"{hops} hops" in self.text("zoo-path"), f"the path is not {hops} hops: {self.text('zoo-path')}")
        b.evaluate("document.querySelector('#zoo-run button').click()")
        b.wait("document.getElementById('zoo-message').textContent.startsWith('Latency')", timeout=300)

    def fits(self, what):
        b = self.browser
        require(b.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what} is wider than the window")
        cut = b.evaluate("""[...document.querySelectorAll('button, label, dd, dt, h2, h3, p, summary')]
            .filter(e => e.offsetParent && !e.closest('.scroll') &&
                         (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline' ||
                          e.getBoundingClientRect().right > innerWidth + 1))
            .map(e => e.textContent.trim().slice(0, 40))""")
        require(not cut, f"{what} cuts off: {cut}")

    def layout(self, pictures):
        b = self.browser
        for width, height, dark in ((1280, 900, False), (1280, 900, True), (390, 844, False), (390, 844, True)):
            b.resize(width, height, phone=width < 600, dark=dark)
            for view in ("machine", "zoo", "help"):
                self.open_view(f"load=0.3&speed=8&view={view}")
                if view == "machine":
                    b.wait("Number(document.getElementById('clock').textContent.replaceAll(',', '')) > 2400")
                    b.press(" ")
                    b.evaluate("document.getElementById('map').focus()")
                    for key in ("ArrowRight", "ArrowUp"):
                        b.press(key)
                elif view == "zoo":
                    b.wait("!document.getElementById('zoo-table').textContent.includes('…')", timeout=300)
                self.fits(f"{view} at {width} pixels")
                if pictures:
                    b.screenshot(pictures / f"live-{view}-{width}{'-dark' if dark else ''}.png", whole=True)

    def injected(self):
        """The checks of end() have to detect the errors injected here."""
        b = self.browser
        self.open_view("pause")
        for name, style in (("run", "style.cssText = 'width: 12px; min-width: 0; overflow: hidden'"),
                            ("clock", "style.cssText = 'display: block; width: 3000px'")):
            b.evaluate(f"document.getElementById('{name}').{style}")
            try:
                self.fits("injected")
            except Failure:
                b.evaluate(f"document.getElementById('{name}').style.cssText = ''")
            else:
                raise Failure(f"an injected style of {name} was not seen")
        self.fits("without injected styles")
        b.evaluate("fetch('http://example.invalid/injected').catch(() => 0)")
        b.evaluate("console.error('injected')")
        b.wait("true")
        require(any("injected" in c for c in b.complaints), "an injected complaint was not seen")
        require(b.requests or any("Content Security Policy" in c for c in b.complaints),
                "an injected request was not seen")
        b.complaints.clear()
        b.requests.clear()

    def end(self, what):
        require(not self.browser.requests, f"{what}: the page requests {self.browser.requests[:3]}")
        require(not self.browser.complaints, f"{what}: {self.browser.complaints[:3]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--screenshots", type=pathlib.Path)
    parser.add_argument("--only", help="parts, as machine,zoo")
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("rdt", type=pathlib.Path)
    arguments = parser.parse_args()
    size = arguments.page.stat().st_size
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    parts = (arguments.only or "runs,programs,machine,settings,trace,zoo,layout,injected").split(",")
    try:
        require(size < LARGEST, f"the page has {size} bytes")
        with tempfile.TemporaryDirectory() as folder, chromium.Browser() as browser:
            test = Test(browser, arguments.page, arguments.rdt.resolve(), pathlib.Path(folder))
            for part in parts:
                print(part, flush=True)
                if part == "layout":
                    test.layout(arguments.screenshots)
                else:
                    getattr(test, part)()
                test.end(part)
    except (Failure, chromium.BrowserError) as error:
        sys.exit(f"live: {error}")
    print(f"live page: {size} bytes, all is well")


if __name__ == "__main__":
    main()
