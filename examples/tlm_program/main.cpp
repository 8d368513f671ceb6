// SPDX-License-Identifier: MIT
// A RISC-V program on harts that are bound to TLM-2.0 sockets of the machine's shared memory:
//   tlm_program [FILE.elf [HARTS [ARGUMENTS]]]
// Put your own modules between hart and socket, such as a cache or a bus.
#include <systemc>

#include <cstdlib>
#include <deque>
#include <iostream>
#include <stdexcept>

#include <rdt/tlm/hart.h>
#include <rdt/tlm/shared_memory.h>

int sc_main(int argc, char** argv) {
    const std::string file = argc > 1 ? argv[1] : DEFAULT_PROGRAM;
    const int harts = argc > 2 ? std::atoi(argv[2]) : 16;
    const std::string arguments = argc > 3 ? argv[3] : argc > 1 ? "" : "16 1";
    if (harts < 1 || harts > 64) {
        std::cerr << "tlm_program: " << argv[2] << " harts: must be 1 to 64\n";
        return 2;
    }
    try {
        rdt::tlm_exec::Program program(file, uint32_t(harts), arguments,
                                       [](const std::string& text) { std::cout << text; });
        rdt::tlm_memory::SharedMemory memory("memory", {}, program.lines());
        std::deque<rdt::tlm_exec::Hart> nodes;
        for (uint32_t n = 0; n < uint32_t(harts); ++n) {
            nodes.emplace_back(("hart_" + std::to_string(n)).c_str(), program, n);
            nodes.back().socket.bind(memory.socket(n));
        }
        while (!program.has_ended()) sc_core::sc_start(10, sc_core::SC_US);
        uint64_t instructions = 0;
        for (const auto& hart : nodes) instructions += hart.instructions();
        std::cout << instructions << " instructions of " << harts << " harts\n";
        if (!program.error().empty()) std::cerr << "tlm_program: " << program.error() << "\n";
        std::cout << (program.exit_code() == 0 ? "PASS" : "FAIL") << "\n";
        return program.exit_code();
    } catch (const std::invalid_argument& e) {
        std::cerr << "tlm_program: " << e.what() << "\n";
        return 2;
    }
}
