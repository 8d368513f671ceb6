// SPDX-License-Identifier: MIT
// The GTKWave save file that goes with a recorded waveform: a group a port, or a group a block, the
// models one above the other, names instead of numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rdt::machine {

struct SaveGroup {
    uint32_t node;
    uint32_t port;
    std::vector<std::string> sides;  // scopes: rtl, systemc, fast
};

// Save file of a waveform with all internal signals.
struct SaveInside {
    struct Signal {
        std::string module;  // below the chip
        std::string name;
        unsigned width;
        unsigned element;  // bits of one, of a vector
        bool is_in_both;
    };
    // Where a packet was seen to go through the chip.
    struct Crossing {
        uint32_t in;
        uint32_t out;
    };

    // The block to blame for a difference, as u_link_io_3, its signal, as gnt_o[8], and the clock
    // of the difference, where the marker is.
    struct Blamed {
        std::string block;
        std::string signal;
        uint64_t clock;
    };

    uint32_t node;
    std::vector<Signal> signals;
    bool has_both;
    std::optional<Crossing> crossing;
    std::optional<Blamed> blamed;
};

// The same for insides: open, the block to blame with its ports and registers, or else the way of a
// packet through the blocks; closed, for every port, all ports of the blocks on the way through it.
std::string write_save_file(const std::string& wave, const std::vector<SaveInside>& insides,
                            uint64_t first_clock);

// The groups to show, the first few of them open, and the clock to show first. Writes FILE.gtkw
// beside FILE.fst, and the name filters beside both; returns the save file's path.
std::string write_save_file(const std::string& wave, const std::vector<SaveGroup>& groups,
                            uint64_t first_clock);

}  // namespace rdt::machine
