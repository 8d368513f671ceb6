// SPDX-License-Identifier: MIT
// rdt run as a user meets it: what it refuses, what it writes, what its options do.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include <rdt/support/output.h>
#include "machine/program.h"

namespace rdt::tb {
namespace {

class RunProgram : public Program {
protected:
    void refuse(const std::string& options) const {
        expect_refused("run --cycles 300 --warmup 50 " + options);
    }
    // All files but those of the program's output.
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(file("")))
            names.push_back(entry.path().filename().string());
        names.erase(std::remove_if(names.begin(), names.end(),
                                   [](const auto& n) { return n == "out" || n == "err"; }),
                    names.end());
        std::sort(names.begin(), names.end());
        return names;
    }
};

TEST_F(RunProgram, wrong_options_are_one_line_and_exit_code_2) {
    for (const char* options : {"--nonsense",
                                "extra",
                                "--size 9",
                                "--size 8x8",
                                "--load x",
                                "--load -1",
                                "--cycles -5",
                                "--flits 4",
                                "--flits 9-5",
                                "--multicast 2",
                                "--converge -1",
                                "--flips -1",
                                "--t-ent 65536",
                                "--sink",
                                "--sink --timeout 0",
                                "--traffic nonsense",
                                "--traffic dsm-nonsense",
                                "--cut 99.E0",
                                "--json ''",
                                "--json /nowhere/x",
                                "--json - --packet-log -",
                                "--wave-from 5",
                                "--trace /nowhere/x"})
        refuse(options);
    EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(RunProgram, a_trace_replaces_all_other_traffic) {
    write_file(file("t"), "2000000 0 5\n");
    ASSERT_EQ(run("run --trace " + file("t")), 0) << text("err");
    EXPECT_NE(text("out").find("1 injected, 1 delivered"), std::string::npos) << text("out");
    for (const char* other : {"--load 0.2", "--traffic hotspot", "--cycles 100", "--rate 0.01",
                              "--traffic dsm-stencil --rate 0.01", "--operations 100"})
        expect_refused("run --trace " + file("t") + " " + other);
}

// Packets that wait for the link would keep the machine busy up to the limit of the drain.
TEST_F(RunProgram, outputs_of_a_cut_link_consume_waiting_packets_with_sink) {
    ASSERT_EQ(run("run --cycles 2000 --drain --cut 9.E0 --timeout 500 --sink --json -"), 0);
    const auto json = nlohmann::json::parse(text("out"));
    EXPECT_EQ(json["sink"], true);
    EXPECT_EQ(json["links_down"], 1);
    EXPECT_GT(json["in_flight"], 0) << "nothing went over the link";
    EXPECT_GT(json["unexpected"], 0) << "no report";
    EXPECT_LT(json["cycles_simulated"], 10000);
}

// Their entries wait for entries of other routers; some must time out.
TEST_F(RunProgram, more_acked_multicasts_than_the_machine_carries_do_not_stop_it) {
    ASSERT_EQ(run("run --load 0.4 --multicast 0.5 --acks --cycles 10000 --json -"), 0);
    EXPECT_GT(nlohmann::json::parse(text("out"))["accepted"], 0.1);
}

TEST_F(RunProgram, registers_are_guarded_unless_switched_off) {
    for (const bool guard : {true, false}) {
        ASSERT_EQ(run(std::string("run --cycles 100 --json -") + (guard ? "" : " --no-guard")), 0);
        EXPECT_EQ(nlohmann::json::parse(text("out"))["guard"], guard);
    }
}

TEST_F(RunProgram, options_of_a_shared_memory_are_refused_where_there_is_none) {
    for (const char* option :
         {"--rate 0.01", "--operations 200", "--lines 128", "--reads 0.5", "--protocol update"}) {
        expect_refused(std::string("run --cycles 300 ") + option);
        EXPECT_NE(text("err").find("needs shared-memory traffic"), std::string::npos)
            << text("err");
        refuse(std::string("--traffic hotspot ") + option);
        EXPECT_EQ(run(std::string("run --cycles 300 --traffic dsm-stencil ") + option), 0)
            << option << ": " << text("err");
    }
}

TEST_F(RunProgram, a_rate_of_operations_is_more_than_0_and_at_most_1) {
    for (const char* rate : {"0", "-0.01", "1.01", "nan", "x", "''"})
        refuse(std::string("--traffic dsm-stencil --rate ") + rate);
    EXPECT_EQ(run("run --traffic dsm-stencil --operations 200 --rate 1"), 0) << text("err");
}

// For one release.
TEST_F(RunProgram, old_names_of_engines_are_accepted_with_a_warning) {
    const std::pair<const char*, const char*> names[] = {
        {"events", "--engine fast"},
        {"blocks", "--engine systemc"},
        {"lockstep", "--engine rtl --check systemc"}};
    for (const auto& [old, now] : names) {
        EXPECT_EQ(run(std::string("run --cycles 5 --warmup 0 --engine ") + old), 0) << text("err");
        EXPECT_EQ(text("err"), std::string("rdt: warning: --engine ") + old +
                                   " is an old name: use " + now + "\n");
    }
    EXPECT_NE(text("out").find("RTL compared with SystemC"), std::string::npos) << text("out");
}

TEST_F(RunProgram, unsupported_checks_are_refused) {
    refuse("--engine rtl --check rtl");
    refuse("--check systemc,systemc");
    refuse("--check lockstep");
    refuse("--check-blocks 0");
    refuse("--check rtl --check-blocks 64");
    refuse("--check rtl --check-blocks 0,x");
    refuse("--engine rtl --rtl-nodes 3");
    refuse("--engine rtl --rtl-blocks arbiter");
}

// The FST writer would replace a device by a file.
TEST_F(RunProgram, a_waveform_is_a_file_with_a_known_extension_and_cycles_in_it) {
    std::filesystem::create_directory(file("folder.fst"));
    ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
    std::filesystem::create_symlink("pipe", file("link.fst"));
    const std::vector<std::string> before = files();
    for (const char* wave : {"pipe", "-", "link.fst", "link.txt", "folder.fst"})
        for (const char* engine : {"fast", "systemc"})
            refuse(std::string("--engine ") + engine + " --wave " + file(wave));
    refuse("--wave " + file("w.fst") + " --wave-from 100 --wave-to 50");
    refuse("--wave " + file("w.fst") + " --wave-nodes 64");
    EXPECT_EQ(files(), before);
    EXPECT_TRUE(std::filesystem::is_fifo(file("pipe")));
    EXPECT_EQ(run("run --cycles 300 --wave " + file("w.fst") + " --wave-from 99999"), 2);
    EXPECT_EQ(files(), before);
    EXPECT_EQ(run("run --cycles 300 --wave " + file("w.fst")), 0) << text("err");
    EXPECT_TRUE(std::filesystem::exists(file("w.gtkw")));
}

// No file may grow beyond this: as on a full disk, the writes fail.
TEST_F(RunProgram, a_waveform_that_does_not_fit_leaves_nothing_behind) {
    const rlimit small{32768, RLIM_INFINITY};
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string many = "run --cycles 3000 --load 0.3 --wave ";
    const std::string inside =
        "run --engine systemc --cycles 100 --warmup 0 --load 0.3 --wave-nodes 0 --wave ";
    for (const std::string& options : {many, inside})
        for (const char* wave : {"w.fst", "w.vcd"}) {
            EXPECT_EQ(run(options + file(wave)), 2) << options << wave;
            EXPECT_EQ(files(), std::vector<std::string>{}) << options << wave;
            const std::string error = text("err");
            EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
        }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, SIG_DFL);
}

TEST_F(RunProgram, failed_writes_to_standard_output_are_reported) {
    std::filesystem::create_symlink("/dev/full", file("out"));
    for (const char* arguments : {"--help", "--version", "run --help", "run --cycles 300"})
        EXPECT_EQ(run(arguments), 2) << arguments;
}

}  // namespace
}  // namespace rdt::tb
