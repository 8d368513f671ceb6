#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the pictures of README and of the tour into docs/images: the network with packets on it and
the multicast from packet logs of the program, the folders from include lines, timing diagrams from
docs/timing.md, whose columns a test compares with the pins of the chips.

usage: python3 -m scripts.draw PROGRAM [--check]
  --check   write nothing; fail if a picture is not what would be drawn now
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

from . import chip, messages, network, rooms, timing

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs/images"


def packet_log(program, *options, trace=None):
    with tempfile.TemporaryDirectory() as folder:
        if trace:
            file = pathlib.Path(folder) / "trace"
            file.write_text(trace)
            options += ("--trace", str(file))
        return subprocess.run([program, "run", *options, "--packet-log", "-"], check=True, capture_output=True,
                              text=True).stdout


def heatmap(program, *options):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "use.svg"
        subprocess.run([program, "run", *options, "--heatmap", file], check=True, capture_output=True)
        return file.read_text()


def pictures(program):
    return {
        "rdt64.svg": network.traffic(packet_log(program, "--load", "0.15", "--multicast", "0.02", "--density", "0.4",
                                                "--cycles", "1000", "--warmup", "200")),
        "heatmap.svg": heatmap(program, "--traffic", "transpose", "--load", "0.4"),
        "links.svg": network.plain(),
        "multicast.svg": network.multicast(packet_log(program, trace="0 27 mc:ff:ff 16 ack\n")),
        "dsm_write.svg": messages.write(packet_log(program, "--traffic", "dsm-all-to-all", "--protocol", "update",
                                                   "--reads", "0.8", "--rate", "0.0005", "--operations", "3000")),
        "chip.svg": chip.blocks(),
        "rooms.svg": rooms.picture(),
        **timing.diagrams((ROOT / "docs/timing.md").read_text()),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    stale = []
    for name, text in pictures(args.program).items():
        file = IMAGES / name
        if args.check:
            if not file.exists() or file.read_text() != text:
                stale.append(f"docs/images/{name} is not what make pictures draws")
        else:
            file.write_text(text)
    if stale:
        sys.exit("\n".join(stale))


if __name__ == "__main__":
    main()
