#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces of other programs: their conversion, dependencies that are kept, and refused files."""
import json
import re
import struct

import netrace_writer as netrace
import program


class Netrace(program.Program):
    def lines(self, *words):
        return [line for line in self.accept("trace", "netrace", *words).splitlines() if not line.startswith("#")]

    def test_messages_and_dependencies_arrive_as_they_were_written(self):
        for seed, packed, streams in ((1, True, 1), (2, False, 1), (3, True, 4)):
            packets = netrace.program(seed, 3000)
            netrace.write(self.folder / "x.tra", packets, packed, streams, notes=b"made by a test\0")
            self.assertEqual(self.lines("x.tra"), netrace.expected(packets), f"seed {seed}")
        self.assertEqual(self.lines("x.tra", "--delay", "8"), netrace.expected(packets, delay=8))
        said = self.accept("trace", "netrace", "x.tra", "-o", "x.trace")
        self.assertIn("3000 messages as ", said)
        self.assertEqual((self.folder / "x.trace").read_text().splitlines()[1:], netrace.expected(packets))

    def test_a_part_of_a_program(self):
        packets = netrace.program(5, 1000)
        counts = [300, 500, 200]
        clocks = [packets[300][0], packets[800][0] - packets[300][0], 50]
        netrace.write(self.folder / "x.tra", packets, regions=[(0, c, n) for c, n in zip(clocks, counts)])
        self.assertEqual(self.lines("x.tra", "--region", "0"), netrace.expected(packets, 0, 300))
        self.assertEqual(self.lines("x.tra", "--region", "1"), netrace.expected(packets, 300, 500, clocks[0]))
        self.assertEqual(self.lines("x.tra", "--packets", "20"), netrace.expected(packets, 0, 20))
        self.refuse("trace", "netrace", "x.tra", "--region", "3", says="region 3")

    def test_no_packet_leaves_before_its_dependencies(self):
        """Over the machine, by its own log: cycles of arrival and departure."""
        packets = netrace.program(7, 400)
        netrace.write(self.folder / "x.tra", packets)
        self.accept("trace", "netrace", "x.tra", "-o", "x.trace")
        self.accept("run", "--trace", "x.trace", "--json", "x.json", "--packet-log", "x.log")
        result = json.loads((self.folder / "x.json").read_text())
        lines = netrace.expected(packets)
        self.assertEqual(result["injected"], len(lines))
        self.assertTrue(result["drained"])
        self.check_waits((self.folder / "x.log").read_text(), lines)

    def check_waits(self, log, lines):
        """The log counts in the order of leaving, so only those are looked at that are alone with their source,
        destination and length."""
        left = {}
        for line in log.splitlines():
            found = re.fullmatch(r"\d+ (\d+)\.M0 to (\d+)\.M0, (\d+) flits: generated (\d+); .*; delivered (\d+)", line)
            source, destination, flits, born, done = map(int, found.groups())
            left.setdefault((source, destination, flits), []).append((born, done))
        of_way = {}
        for number, line in enumerate(lines):
            words = line.split()
            of_way.setdefault(tuple(map(int, words[1:4])), []).append(number)
        alone = {numbers[0]: left[way][0] for way, numbers in of_way.items() if len(numbers) == 1}
        checked = 0
        for number, line in enumerate(lines):
            if number not in alone or "after:" not in line:
                continue
            for other in map(int, line.split("after:")[1].split(",")):
                if other in alone:
                    self.assertLessEqual(alone[other][1], alone[number][0], f"{number} left before {other} came")
                    checked += 1
        self.assertGreater(checked, 50)

    def test_from_a_pipe_to_the_machine(self):
        packets = netrace.program(9, 200)
        netrace.write(self.folder / "x.tra", packets)
        with open(self.folder / "x.tra", "rb") as file:
            first = self.start("trace", "netrace", "/dev/stdin", stdin=file)
        with first, first.stdout, first.stderr:
            out = self.accept("run", "--trace", "-", "--json", "-", stdin=first.stdout)
        self.assertEqual(first.wait(), 0)
        self.assertEqual(json.loads(out)["injected"], len(netrace.expected(packets)))

    def test_from_standard_input(self):
        """Input - and output - are not the same file."""
        (self.folder / "x.trace").write_text("0 0 1\n5 1 mc:0f 5\n")
        with open(self.folder / "x.trace") as file:
            by_name = self.accept("run", "--trace", "x.trace", "--packet-log", "-")
            by_input = self.accept("run", "--trace", "-", "--packet-log", "-", stdin=file)
        self.assertEqual(*(re.sub(r"speed .*", "", out) for out in (by_name, by_input)))
        self.refuse("run", "--trace", "-", says="there is no packet in")

    def wrong(self, data, says):
        (self.folder / "w.tra").write_bytes(data)
        self.assertIn("w.tra", self.refuse("trace", "netrace", "w.tra", "-o", "w.trace", says=says))

    def test_malformed_trace_is_refused_in_one_line(self):
        one = netrace.packet(5, 3, 0, 1)
        self.wrong(b"", "no netrace file")
        self.wrong(b"0 1 2\n", "no netrace file")
        self.wrong(netrace.header(1, magic=1) + one, "no netrace file")
        self.wrong(netrace.header(1)[:40], "ends within its header")
        self.wrong(netrace.header(1, version=2.0) + one, "version 2")
        self.wrong(netrace.header(1, nodes=0) + one, "no nodes")
        self.wrong(netrace.header(1, nodes=65) + one, "65 nodes")
        self.wrong(netrace.header(0), "no packet")
        self.wrong(netrace.header(2) + one, "ends after 1 of 2")
        self.wrong(netrace.header(1) + one + one, "more packets than the 1")
        self.wrong(netrace.header(1) + one[:20], "ends within packet 0")
        self.wrong(netrace.header(1) + netrace.packet(5, 3, 0, 1, waiting=[9])[:-1], "ends within packet 0")
        self.wrong(netrace.header(1) + netrace.packet(5, 3, 0, 1, kind=9), "type 9")
        self.wrong(netrace.header(1) + netrace.packet(5, 3, 0, 64), "node 64")
        self.wrong(netrace.header(1) + netrace.packet(5, 3, 0, 1, waiting=[3]), "not after it")
        self.wrong(netrace.header(2) + one + netrace.packet(4, 4, 0, 1), "cycle 4 after cycle 5")
        self.wrong(netrace.header(2) + one + netrace.packet(5, 3, 0, 1), "id 3 after id 3")
        self.wrong(netrace.header(1, regions=[(0, 1, 2)]) + one, "regions 2")
        self.wrong(netrace.header(1)[:56] + struct.pack("<II", 9000, 0) + b"\0" * 8, "notes of 9000")
        packets = netrace.program(1, 2000)
        netrace.write(self.folder / "x.tra", packets)
        whole = (self.folder / "x.tra").read_bytes()
        self.wrong(whole[:-20], "ends too early")
        self.wrong(whole[:200] + bytes([whole[200] ^ 64]) + whole[201:], "damaged")
        self.refuse("trace", "netrace", "none", says="none")
        self.refuse("trace", "netrace", "x.tra", "-o", "x.tra", says="x.tra")
        self.refuse("trace", says="subcommand")


class Mpi(program.Program):
    """Folders as librdt_mpi.so leaves them, made by hand."""
    def ranks(self, *events, size=None):
        (self.folder / "t").mkdir(exist_ok=True)
        for p in (self.folder / "t").iterdir():
            p.unlink()
        for rank, lines in enumerate(events):
            text = f"rdt-mpi 1 {size or len(events)} {rank}\n" + "".join(f"{line}\n" for line in lines)
            (self.folder / "t" / f"rank.{rank}").write_text(text)

    def lines(self):
        return [line for line in self.accept("trace", "mpi", "t").splitlines() if not line.startswith("#")]

    def test_an_answer_waits_for_the_question(self):
        self.ranks(["s 1 7 8", "r 1 7", "end"], ["r 0 7", "s 0 7 8", "end"])
        self.assertEqual(self.lines(), ["0 0 1 5", "0 1 0 5 after:0"])
        # Three ranks; the last waits for both others, and for the newest message of each.
        self.ranks(["s 2 1 4", "s 2 1 4", "end"], ["s 2 9 0", "end"], ["r 0 1", "r 1 9", "r 0 1", "s 0 0 4", "end"])
        self.assertEqual(self.lines()[-1], "0 2 0 5 after:1,2")

    def test_long_messages_are_several_packets(self):
        self.ranks(["s 1 0 52", "s 1 0 53", "end"], ["r 0 0", "r 0 0", "s 0 0 200", "end"])
        self.assertEqual(self.lines(), ["0 0 1 16", "0 0 1 10", "0 0 1 10"] + ["0 1 0 16 after:2"] * 2 +
                         ["0 1 0 15 after:2"] * 2)

    def test_order_of_tags_does_not_matter(self):
        self.ranks(["s 1 1 4", "s 1 2 4", "end"], ["r 0 2", "s 0 0 4", "r 0 1", "s 0 0 4", "end"])
        self.assertEqual(self.lines()[2:], ["0 1 0 5 after:1", "0 1 0 5 after:1"])

    def test_collectives_of_the_chip_are_multicasts(self):
        def tree(rank, root, size=16):
            """A broadcast as librdt_mpi.so records it."""
            own = (rank - root) % size
            distance = next((1 << k for k in range(5) if own >> k & 1), size)
            lines = [f"b {root} -1000 52"] + ([f"r {(own - distance + root) % size} -1000"] if own else [])
            while distance := distance >> 1:
                lines.append(f"s {(own + distance + root) % size} -1000 52")
            return lines
        self.ranks(*([*tree(rank, 3), *([] if rank else ["s 5 1 4"]), *(["r 0 1"] if rank == 5 else []), "end"]
                     for rank in range(16)))
        size = "--size", 4
        plain = [line for line in self.accept("trace", "mpi", "t", *size).splitlines() if not line.startswith("#")]
        self.assertEqual(len(plain), 16)
        chip = self.accept("trace", "mpi", "t", *size, "--collectives", "chip", "-o", "chip.trace")
        self.assertIn("16 ranks, 2 messages", chip)
        lines = (self.folder / "chip.trace").read_text().splitlines()[1:]
        self.assertRegex(lines[0], "^0 3 mc:ff(:ff)* 16$")
        self.assertEqual(lines[1:], ["0 0 5 5 after:0"])
        # A barrier: 15 unicasts up the tree, and a multicast that waits for those of rank 0.
        self.ranks(*([f"w -{1000 + n}" for n in range(2)] + ["end"] for rank in range(16)))
        self.accept("trace", "mpi", "t", *size, "--collectives", "chip", "-o", "chip.trace")
        lines = (self.folder / "chip.trace").read_text().splitlines()[1:]
        self.assertEqual(len(lines), 2 * 16)
        multicasts = [n for n, line in enumerate(lines) if "mc:" in line]
        to_root = [n for n, line in enumerate(lines) if line.split()[2] == "0"]
        self.assertEqual(lines[multicasts[0]].split()[-1], "after:" + ",".join(map(str, sorted(
            to_root[:4], key=lambda n: int(lines[n].split()[1])))))
        for line in lines[multicasts[0] + 1:multicasts[1]]:
            self.assertIn(str(multicasts[0]), line.split("after:")[1].split(","))
        out = json.loads(self.accept("run", *size, "--trace", "chip.trace", "--json", "-"))
        self.assertTrue(out["drained"])
        self.refuse("trace", "mpi", "t", "--collectives", "chip", says="16 ranks")
        self.refuse("trace", "mpi", "t", "--collectives", "none", says="none")
        self.ranks(["b 0 -1000 4", "end"], *([["end"]] * 15))
        self.accept("trace", "mpi", "t", *size, "--collectives", "chip")
        self.ranks(["end"], ["b 0 -1000 4", "end"], *([["end"]] * 14))
        self.refuse("trace", "mpi", "t", *size, "--collectives", "chip", "-o", "w.trace", says="rank 0 does not send")

    def test_all_reduces_are_reductions_of_the_routers(self):
        def all_reduce(rank, tag, size):
            """As librdt_mpi.so records it: up a tree, and down."""
            up, down = [f"a {tag} {size}"], [f"b 0 {tag - 1} {size}"]
            distance = 1
            while distance < 16:
                if rank & distance:
                    up.append(f"s {rank - distance} {tag} {size}")
                    break
                up.append(f"r {rank + distance} {tag}")
                distance *= 2
            if rank:
                down.append(f"r {rank - distance} {tag - 1}")
            while distance := distance >> 1:
                down.append(f"s {rank + distance} {tag - 1} {size}")
            return up + down
        self.ranks(*([*all_reduce(rank, -1000, 4), *([] if rank else ["s 5 1 4"]), *(["r 0 1"] if rank == 5 else []),
                      *all_reduce(rank, -1002, 2), "end"] for rank in range(16)))
        chip = "trace", "mpi", "t", "--size", 4, "--collectives", "chip"
        self.accept(*chip, "-o", "plain.trace")
        self.assertEqual((self.folder / "plain.trace").read_text().count("\n"), 1 + 1 + 2 * (15 + 1))
        for width, reductions in ((32, 2), (16, 1)):
            self.accept(*chip, "--reduce-width", width, "-o", "chip.trace")
            lines = (self.folder / "chip.trace").read_text().splitlines()[1:]
            self.assertEqual(sum("reduce:ff:ff" in line for line in lines), reductions)
            self.assertEqual(sum("answer:" in line for line in lines), 16 * reductions)
            out = json.loads(self.accept("run", "--size", 4, "--trace", "chip.trace", "--reduce-width", width, "--json", "-"))
            self.assertTrue(out["drained"])
            self.assertEqual(out["workload"]["results"], reductions)
        # The second reduction begins when the first has its result, and rank 5 answers it when it has the message.
        self.accept(*chip, "--reduce-width", 32, "-o", "chip.trace")
        lines = (self.folder / "chip.trace").read_text().splitlines()[1:]
        first, second = (n for n, line in enumerate(lines) if "reduce:" in line)
        result = next(n for n, line in enumerate(lines) if "mc:" in line)
        message = next(n for n, line in enumerate(lines) if line.startswith("0 0 5 5"))
        self.assertTrue(lines[second].endswith(f"after:{first}"))
        self.assertTrue(lines[result].endswith(f"after:{first}"))
        answer = next(line for line in lines if line.startswith(f"0 5 answer:{second}"))
        self.assertEqual(answer.split("after:")[1], str(message))
        self.assertEqual(lines[message], f"0 0 5 5 after:{result}")
        self.refuse("run", "--size", 4, "--trace", "chip.trace", says="needs --reduce-width")
        self.refuse("trace", "mpi", "t", "--size", 4, "--reduce-width", 32, says="needs --collectives chip")
        self.ranks(["a -1000 4", "end"], ["a -1000 4", "end"], *([["a -1000 4", "end"]] * 14))
        self.refuse(*chip, "--reduce-width", 32, "-o", "w.trace", says="needs the broadcast")

    def test_invalid_trace_is_refused_in_one_line(self):
        self.refuse("trace", "mpi", "none", says="none/rank.0")
        for events, says in (([["s 1 0 4", "end"], ["s 0 0 4"]], "no end"),
                             ([["s 0 0 4", "x", "end"]], "rank.0:3"),
                             ([["s 1 0 4", "end"]], "rank.0:2"),
                             ([["s 0 0 -x", "end"]], "rank.0:2"),
                             ([["s 1 0 4 5", "end"], ["end"]], "rank.0:2"),
                             ([["r 1 0", "end"], ["end"]], "rank 1 does not send"),
                             ([["end"]], "no message")):
            self.ranks(*events)
            self.refuse("trace", "mpi", "t", "-o", "w.trace", says=says)
        self.ranks(["s 1 0 4", "end"], size=2)
        self.refuse("trace", "mpi", "t", "-o", "w.trace", says="rank.1")
        self.ranks(["s 1 0 4", "end"], size=65)
        self.refuse("trace", "mpi", "t", "-o", "w.trace", says="65 ranks")


if __name__ == "__main__":
    program.main()
