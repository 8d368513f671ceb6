// SPDX-License-Identifier: MIT
// All registers of one router except LOCAL's: the state from which any engine can continue.
#pragma once

#include <array>

#include <rdt/fast/arbiter.h>
#include <rdt/fast/chip_state.h>
#include <rdt/fast/outputs.h>

namespace rdt::fast {

struct ChipImage {
    struct Input {
        InputUnit::Regs q;
        uint8_t rx_vc = 0;  // arriving packet
        uint16_t pass = 0;  // outputs that the packet being read goes to
        std::array<std::array<flit_t, 16>, MaxVc> ram{};
    };
    std::array<LinkIo::Regs, NumPorts> link;
    std::array<OutputRegs, NumPorts> out;
    std::array<Input, NumPorts> in;
    Arbiter::Regs arbiter;
    AckTable ack;
    Inject inject;
};

}  // namespace rdt::fast
