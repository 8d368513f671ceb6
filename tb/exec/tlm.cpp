// SPDX-License-Identifier: MIT
// Harts behind TLM-2.0 sockets: programs print what they print on a flat memory, and a program that
// cannot continue ends with the reason.
#include <gtest/gtest.h>

#include <rdt/tlm/hart.h>

#include <elf.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>

#include <rdt/cosim/kernel.h>
#include <rdt/exec/flat.h>

namespace rdt::tb {
namespace {

std::string example(const std::string& name) {
    return std::string(RDT_SOURCE_DIR) + "/examples/program/" + name + ".elf";
}

std::string printed_flat(const std::string& name, uint32_t harts, const std::string& arguments) {
    std::string text;
    exec::FlatRun run(exec::read_elf(example(name)), harts, arguments,
                      [&text](const std::string& more) { text += more; });
    EXPECT_TRUE(run.run(50'000'000));
    return text;
}

struct TlmRun {
    TlmRun(const std::string& file, uint32_t harts, const std::string& arguments)
        : program(file, harts, arguments, [this](const std::string& more) { text += more; }),
          memory("memory", {}, program.lines()) {
        for (uint32_t n = 0; n < harts; ++n) {
            nodes.emplace_back(("hart_" + std::to_string(n)).c_str(), program, n);
            nodes.back().socket.bind(memory.socket(n));
        }
        for (int i = 0; i < 100'000 && !program.has_ended(); ++i)
            sc_core::sc_start(100 * memory.period());
    }
    machine::Kernel kernel;
    std::string text;
    tlm_exec::Program program;
    tlm_memory::SharedMemory memory;
    std::deque<tlm_exec::Hart> nodes;
};

TEST(TlmHarts, print_what_they_print_on_a_flat_memory) {
    struct Case {
        const char* program;
        uint32_t harts;
        const char* arguments;
    };
    for (const Case& c : {Case{"ocean", 4, "16 2"}, Case{"barrier", 8, "0 2"},
                          Case{"barrier", 8, "2 2"}, Case{"false_sharing", 16, "8 10"}}) {
        const TlmRun run(example(c.program), c.harts, c.arguments);
        EXPECT_EQ(run.program.error(), "");
        EXPECT_EQ(run.program.exit_code(), 0);
        EXPECT_EQ(run.text, printed_flat(c.program, c.harts, c.arguments)) << c.program;
        EXPECT_FALSE(run.text.empty());
        EXPECT_EQ(run.memory.memory().error(), "");
        for (const auto& hart : run.nodes) EXPECT_GT(hart.instructions(), 0u);
    }
}

TEST(TlmHarts, refuse_arguments_that_are_too_long) {
    EXPECT_THROW(TlmRun(example("ocean"), 1, std::string(300, '1')), std::invalid_argument);
    EXPECT_THROW(TlmRun(example("missing"), 1, ""), std::invalid_argument);
}

TEST(TlmHarts, end_the_program_at_a_trap_without_a_handler) {
    std::ifstream file(example("barrier"), std::ios::binary);
    std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof header);
    Elf64_Phdr code;
    std::memcpy(&code, bytes.data() + header.e_phoff, sizeof code);
    std::memset(bytes.data() + code.p_offset + (header.e_entry - code.p_paddr), 0, 4);
    const std::string path = "tlm_trap_" + std::to_string(getpid()) + ".elf";
    std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
    const TlmRun run(path, 2, "");
    std::remove(path.c_str());
    EXPECT_NE(run.program.error().find("illegal instruction"), std::string::npos)
        << run.program.error();
    EXPECT_EQ(run.program.exit_code(), 1);
}

}  // namespace
}  // namespace rdt::tb
