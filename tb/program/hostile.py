#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Input that the program refuses, and its files after a failure.

usage: hostile.py PROGRAM [tests of unittest]
"""
import os
import resource
import subprocess

import program
from program import Program, main

SHORT = ["--cycles", "300", "--warmup", "50"]
DSM = ["--traffic", "dsm-stencil"]


class EmptyValues(Program):
    """$SEED that is not set must not become seed 0."""

    def test_no_option_of_any_subcommand_takes_an_empty_value(self):
        for option in ("--seed --cycles --load --queue --outstanding --warmup --multicast --density --flips "
                       "--rtl-nodes --size --engine --traffic --flits --t-ent --t-ack --timeout --threads "
                       "--converge --cut --json --packet-log --trace --config --rtl").split():
            self.refuse("run", *SHORT, option, "", says=option)
        for option in ("--reads", "--lines", "--operations", "--protocol", "--rate"):
            self.refuse("run", *DSM, option, "", says=option)
        for option in ("--from", "--to", "--step", "--jobs", "--csv", "--svg", "--converge"):
            self.refuse("sweep", option, "", says=option)
        for option in ("--seed", "--load", "--warmup", "--queue", "--net", "--routing", "--traffic"):
            self.refuse("lab", "--net", "torus:4x4", option, "", says=option)
        self.refuse("net", "route", "torus:4x4", "0", "5", "--routing", "", says="--routing")
        self.refuse("paper", "table1", "--output", "", says="--output")

    def test_lists_have_no_empty_part(self):
        for nodes in ("0,,1", ",1", "1,", ","):
            self.refuse("run", *SHORT, "--rtl-nodes", nodes)
            self.refuse("run", *SHORT, "--wave", "a.vcd", f"--wave-nodes={nodes}")

    def test_a_protocol_is_a_name(self):
        for name in ("0", "1", "Update"):
            self.refuse("run", *DSM, "--protocol", name, says="--protocol")


class Numbers(Program):
    def test_numbers_above_64_bits_are_refused(self):
        for option in ("--cycles", "--seed", "--warmup", "--queue", "--lines"):
            for value in ("18446744073709551616", "99999999999999999999999", "-1", "+1", "1e3", "0x10", " 1"):
                self.refuse("run", option, value, says=option)
        for seed in ("-1", "18446744073709551616"):
            self.refuse("lab", "--net", "torus:4x4", "--seed", seed, says="--seed")

    def test_infinite_numbers_are_refused(self):
        for option in ("--load", "--flips", "--converge", "--multicast", "--density"):
            for value in ("nan", "inf", "-inf", "1e999", "0.1x"):
                self.refuse("run", option, value, says=option)
        for option, value in (("--converge", "-1"), ("--converge", "2"), ("--from", "nan"), ("--step", "inf")):
            self.refuse("sweep", option, value, says=option)
        self.refuse("run", "--traffic", "hotspot:0")
        self.refuse("run", "--traffic", "hotspot:nan")

    def test_leading_zeros_are_not_octal(self):
        with_zero = self.accept("run", *SHORT, "--seed", "010")
        self.assertIn("seed 10\n", with_zero)
        self.assertTrue(self.accept("run", *SHORT, "--size", "016").startswith("16 x 16 nodes"))
        self.refuse("run", *SHORT, "--wave", "a.vcd", "--wave-nodes", "0100", says="--wave-nodes 100")
        self.refuse("lab", "--net", "torus:4x4", "--lanes", "-1", says="--lanes")
        for threads in ("0", "65", "-1", "two", "1.5"):
            self.refuse("lab", "--net", "torus:4x4", "--threads", threads, says="--threads")

    def test_a_closed_loop_has_a_limit(self):
        for count in ("1000000", "4294967295", "1025"):
            self.refuse("run", "--outstanding", count, "--cycles", "1000", says="--outstanding")
        self.refuse("run", "--size", "128", "--outstanding", "1024", says="256")
        self.accept("run", *SHORT, "--outstanding", "1024")

    def test_a_flag_takes_no_value(self):
        for flag in ("--torus=xyz", "--drain=5", "--drain=false", "--acks=1", "--print-config=x"):
            self.refuse("run", "--multicast", "0.1", *SHORT, flag)

    def test_a_parameter_of_an_algorithm_is_given_once(self):
        self.accept("net", "run", "rcc:4,2", "sort", "seed=1")
        self.refuse("net", "run", "rcc:4,2", "sort", "seed=1", "seed=2", says="seed")


class Ignored(Program):
    """An option that would change nothing is refused by its name."""

    def test_of_packets_with_a_shared_memory(self):
        for option, value in (("--load", "0.9"), ("--flits", "5"), ("--multicast", "0.5"), ("--density", "0.5"),
                              ("--queue", "1"), ("--outstanding", "7")):
            self.refuse("run", *DSM, option, value, says=option)
        self.refuse("run", *DSM, "--acks", says="--acks")
        self.refuse("run", *DSM, "--drain", says="--drain")
        for option, value in (("--flits", "5"), ("--multicast", "0.5")):
            self.refuse("sweep", *DSM, option, value, says=option)

    def test_of_a_shared_memory_without_one(self):
        for option, value in (("--operations", "9"), ("--lines", "9"), ("--reads", "0.5"), ("--protocol", "update")):
            self.refuse("sweep", option, value, says=option)
            self.refuse("run", *SHORT, option, value, says=option)

    def test_options_that_need_another_are_refused(self):
        self.refuse("run", *SHORT, "--outstanding", "3", "--load", "0.2", says="--load")
        self.refuse("run", *SHORT, "--outstanding", "3", "--queue", "2", says="--queue")
        self.refuse("run", *SHORT, "--acks", says="--acks")
        self.refuse("run", *SHORT, "--density", "0.3", says="--density")
        self.refuse("run", *SHORT, "--engine", "systemc", "--threads", "2", says="--engine fast or --check")
        self.refuse("lab", "--net", "torus:4x4", "--load", "0.1", "sweep", says="--load")
        for after in ("sweep", "saturation"):
            self.refuse("lab", "--net", "torus:4x4", "--threads", "2", after, says="--threads")

    def test_unknown_options_are_refused(self):
        self.refuse("net", "foo", says="foo")
        self.refuse("foo", says="foo")
        self.refuse("run", "--siz", "16", says="option --siz")
        self.refuse("run", "extra", says="extra")
        self.refuse("net", says="subcommand")
        self.refuse("run", "--lod", "0.3", says="did you mean --load?")
        self.refuse("run", "--packet-lgo=x", says="did you mean --packet-log?")
        self.refuse("rnu", says="did you mean run?")
        self.refuse("net", "darw", says="did you mean draw?")
        self.refuse("lab", "--net", "torus:4x4", "satration", says="did you mean saturation?")
        self.assertNotIn("mean", self.refuse("run", "--nothing-like-it"))


class OneFileForTwo(Program):
    def test_is_refused(self):
        self.write("t.trace", "0 0 5\n")
        for words in (["run", "--json", "x", "--packet-log", "x"],
                      ["run", "--json", "x", "--packet-log", "./x"],
                      ["run", "--json", "w.vcd", "--wave", "w.vcd"],
                      ["run", "--packet-log", "w.gtkw", "--wave", "w.vcd"],
                      ["run", "--packet-log", "line.flt", "--wave", "w.vcd"],
                      ["run", "--json", "-", "--packet-log", "-"],
                      ["run", "--trace", "t.trace", "--json", "t.trace"],
                      ["run", "--trace", "t.trace", "--packet-log", "t.trace"],
                      ["run", "--json", "h", "--heatmap", "h"],
                      ["run", "--json", "h", "--timeline", "h"],
                      ["sweep", "--csv", "x.csv", "--svg", "x.csv"],
                      ["sweep", "--svg", "sweep.csv"],
                      ["lab", "--net", "torus:4x4", "sweep", "--csv", "x", "--svg", "x"],
                      ["lab", "--net", "torus:4x4", "sweep", "--csv", "-", "--json", "-"],
                      ["lab", "--net", "torus:4x4", "sweep", "--csv", "-", "--svg", "-"],
                      ["ranks", "--svg", "-", "--json", "-"],
                      ["net", "draw", "torus:4x4", "-o", "-", "--json", "-"]):
            self.refuse(*words, says="both be")

    def test_inputs_within_values_are_refused_as_results(self):
        self.write("c", "load = 0.1\n")
        self.write("t", "0 1 1\n1 0 1\n")
        self.write("g.graphml", '<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/>'
                                '<edge source="a" target="b"/></graph></graphml>')
        self.write("n.nt", "")
        os.mkdir(self.folder / "ranks")
        self.write("ranks/0", "")
        os.link(self.folder / "c", self.folder / "hard")
        for words in (["run", "--config", "c", "--json", "c"],
                      ["run", "--config=c", "--json", "./c"],
                      ["run", "--config", "c", "--json", "hard"],
                      ["run", "--traffic", "table:t", "--json", "t"],
                      ["sweep", "--traffic", "table:t", "--csv", "t"],
                      ["lab", "--net", "torus:4x4", "--traffic", "table:t", "--json", "t"],
                      ["lab", "--net", "file:g.graphml", "--json", "g.graphml"],
                      ["lab", "--net", "file:g.graphml", "sweep", "--csv", "g.graphml"],
                      ["net", "info", "file:g.graphml", "--json", "g.graphml"],
                      ["net", "draw", "file:g.graphml", "-o", "g.graphml"],
                      ["trace", "netrace", "n.nt", "-o", "n.nt"],
                      ["trace", "mpi", "ranks", "-o", "ranks/0"]):
            self.refuse(*words, says="both be")

    def test_also_by_a_link(self):
        self.write("real", "")
        os.symlink("real", self.folder / "name")
        self.refuse("run", "--json", "real", "--packet-log", "name", says="both be")

    def test_devices_may_be_named_twice(self):
        self.accept("run", *SHORT, "--json", "/dev/null", "--packet-log", "/dev/null")


class Files(Program):
    def test_a_read_only_folder_suffices_for_commands_without_files(self):
        for words in (["run", *SHORT], ["run", "--print-config"], ["lab", "--net", "torus:4x4", "--cycles", "1200"],
                      ["lab", "--net", "torus:4x4", "--cycles", "1200", "saturation"],
                      ["lab", "--net", "torus:4x4", "--cycles", "1200", "sweep", "--to", "0.04"],
                      ["sweep", *SHORT, "--to", "0.04", "--csv", "-"], ["net", "list"], ["net", "info", "torus:4x4"],
                      ["net", "route", "torus:4x4", "0", "5"], ["ranks", "--help"], ["paper", "table1"], ["cdg", "8"],
                      ["tree", "--help"], ["compare", "--help"]):
            self.accept(*words, cwd="/proc")
        # The report names the error, not an unwritable file that was not requested.
        self.refuse("run", "--trace", "unreadable", says="unreadable", cwd="/proc")

    def test_a_missing_value_is_not_the_next_option(self):
        for option in ("--json", "--packet-log", "--wave", "--heatmap", "--timeline", "--report", "--config",
                       "--trace", "--cut"):
            self.refuse("run", *SHORT, option, "--drain", says=option)
        self.refuse("net", "draw", "torus:4x4", "-o", "--json", says="-o")
        self.refuse("run", "--plugin", "--drain", says="--plugin")

    def test_a_link_to_itself_is_refused(self):
        os.symlink("round", self.folder / "round")
        os.symlink("b", self.folder / "a")
        os.symlink("a", self.folder / "b")
        for name in ("round", "a", "b"):
            self.refuse("run", *SHORT, "--json", name, says=name)
            self.refuse("sweep", *SHORT, "--csv", name, says=name)
            self.assertTrue((self.folder / name).is_symlink())

    def test_write_protected_files_stay(self):
        self.write("x.json", "precious")
        (self.folder / "x.json").chmod(0o444)
        self.refuse("run", *SHORT, "--json", "x.json", says="x.json")

    def test_a_link_to_nothing_gets_its_file(self):
        os.symlink("there.json", self.folder / "link.json")
        self.accept("run", *SHORT, "--json", "link.json")
        self.assertTrue((self.folder / "link.json").is_symlink())
        self.assertTrue((self.folder / "there.json").is_file())

    def test_unwritable_files_are_detected_before_the_run(self):
        for name in ("/proc/x", "x" * 300, "/nowhere/x", "."):
            self.refuse("run", "--cycles", "1000000000", "--json", name)
        self.refuse("run", "--cycles", "1000", "--wave", "w.vcd", "--wave-from", "100000", says="--wave-from")

    def test_a_full_device_is_an_error(self):
        code, _, err = self.run_it("run", *SHORT, "--json", "/dev/full")
        self.assertEqual((code, err.count("\n")), (2, 1), err)

    def test_a_leftover_of_the_same_number_does_no_harm(self):
        # The process number comes from a shell that becomes the program.
        line = f': >a.json.tmp$$; exec {program.RDT} run --cycles 300 --json a.json'
        run = subprocess.run(["sh", "-c", line], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn('"engine"', (self.folder / "a.json").read_text())

    def test_folder_errors_name_the_reason(self):
        self.write("file", "")
        self.refuse("paper", "table1", "--output", "file/d", says="file/d: Not a directory")

    def test_a_named_result_of_synthesis_has_to_be_one(self):
        self.write("broken.json", "{")
        for name in ("broken.json", "nothere"):
            self.refuse("paper", "table8", "--synth", name, says="--synth")
        for text in ("[1,2]", '{"blocks":{"x":"y"}}', "{}", "7", '{"chip.logic_gates":"many"}'):
            self.write("broken.json", text)
            self.refuse("paper", "table8", "--synth", "broken.json", says="--synth")
        self.write("good.json", '{"chip.logic_gates":50000}')
        self.accept("paper", "table8", "--synth", "good.json")

    def test_a_long_word_of_a_trace_is_cut(self):
        self.write("t", "0 0 " + "x" * 10_000_000 + "\n")
        self.assertLess(len(self.refuse("run", "--trace", "t", says="t:1")), 200)
        self.write("t", "0 1 " + "x" * 10_000_000 + "\n")
        self.assertLess(len(self.refuse("run", "--traffic", "table:t", says="t:1")), 200)

    def test_a_torus_refuses_multicasts_that_it_cannot_expand(self):
        self.write("t", "0 0 mc:ff:0f 16 ack\n")
        self.refuse("run", "--torus", "--trace", "t", says="t:1: ff:0f has more levels")
        self.write("t", "0 0 mc:0f 16 ack\n")
        self.accept("run", "--torus", "--t-ent", "60", "--t-ack", "10000", "--trace", "t")


class FullDisk(Program):
    """A file may not grow beyond a limit: as on a full disk, writes come to nothing."""

    def test_a_waveform_ends_with_one_line_and_leaves_nothing(self):
        endings = [".vcd"] + ([".fst"] if program.has_engine("rtl") else [])
        for ending in endings:
            for limit in (0, 1, 100, 512, 1024, 4096, 8192, 16384, 32768):
                def small():
                    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
                code, out, err = self.run_it("run", "--cycles", "3000", "--load", "0.3", "--wave", "w" + ending,
                                             preexec_fn=small)
                self.assertEqual(code, 2, f"{ending} {limit}: {err}")
                self.assertEqual(err.count("\n"), 1, f"{ending} {limit}: {err}")
                # Filters may be complete before the waveform is abandoned.
                left = [n for n in self.files() if not n.endswith((".flt", ".gtkw"))]
                self.assertEqual(left, [], f"{ending} {limit}")


class ClosedDoors(Program):
    def test_standard_error_may_be_closed_or_full(self):
        for where in ("2>&-", "2>/dev/full"):
            for words, code in (("run --bogus", 2), ("run --cycles 300", 0)):
                run = subprocess.run(f"{program.RDT} {words} {where}", shell=True, cwd=self.folder,
                                     stdout=subprocess.DEVNULL)
                self.assertEqual(run.returncode, code, f"{words} {where}")

    def test_standard_output_may_not(self):
        for where in (">&-", ">/dev/full"):
            run = subprocess.run(f"{program.RDT} run --cycles 300 --json x.json {where}", shell=True,
                                 cwd=self.folder, stderr=subprocess.PIPE, text=True)
            self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1), where)
            if (self.folder / "x.json").exists():
                self.assertTrue((self.folder / "x.json").read_text().startswith("{"))

    def test_failed_threads_are_reported(self):
        # Stacks of 8 MB each do not fit.
        for megabytes in (250, 400):
            def few():
                resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, resource.RLIM_INFINITY))
                resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
            self.refuse("run", *SHORT, "--threads", "64", preexec_fn=few, says="64 threads")
            self.accept("net", "info", "torus:8x8", "--threads", "64", preexec_fn=few)

    def test_missing_memory_is_reported(self):
        def little():
            resource.setrlimit(resource.RLIMIT_AS, (80 << 20, 80 << 20))  # too little for the nodes themselves
        self.refuse("run", "--size", "256", preexec_fn=little, says="out of memory")

    def test_missing_file_numbers_are_reported(self):
        def few():
            resource.setrlimit(resource.RLIMIT_NOFILE, (6, 6))
        code, out, err = self.run_it("sweep", "--cycles", "300", "--csv", "s.csv", "--jobs", "16", preexec_fn=few)
        self.assertEqual((code, err.count("\n")), (2, 1), err)


class SweepState(Program):
    WORDS = ["sweep", "--cycles", "300", "--warmup", "50", "--from", "0.1", "--step", "0.1", "--to", "0.3"]

    def test_changed_file_is_refused(self):
        self.accept(*self.WORDS)
        good = (self.folder / "sweep.csv").read_text()
        lines = good.splitlines(keepends=True)
        nan = lines[3].replace("0.2,", "nan,", 1)
        negative = "-" + lines[3]
        for text in ("".join(lines[:3]) + nan + lines[4],
                     "".join(lines[:3]) + negative + lines[4],
                     good + lines[3],
                     "".join(lines[:3]) + lines[4] + lines[3],
                     "".join(lines[:3]) + lines[3].replace(",", ",-", 1) + lines[4],
                     "\ufeff" + good, good.replace("\n", "\r\n"), good.replace(",", ";")):
            self.write("sweep.csv", text)
            self.refuse(*self.WORDS, says="sweep.csv")

    def test_is_only_a_file(self):
        os.mkfifo(self.folder / "pipe")
        self.refuse(*self.WORDS, "--csv", "pipe", says="must be a regular file")
        code, _, err = self.run_it(*self.WORDS, "--csv", "/dev/full")
        self.assertEqual((code, err.count("\n")), (2, 1), err)
        self.accept(*self.WORDS, "--csv", "/dev/null")

    def test_is_written_by_one_at_a_time(self):
        long = ["sweep", "--cycles", "1000000", "--csv", "s.csv", "--jobs", "1"]
        process = self.start(*long)
        self.wait_for((self.folder / "s.csv.lock").exists, process, "lock")
        code, _, err = self.run_it(*long)
        self.assertEqual((code, err.count("\n")), (2, 1), err)
        self.assertIn("in use", err)
        self.stop(process)
        self.assertFalse((self.folder / "s.csv.lock").exists())


if __name__ == "__main__":
    main()
