// SPDX-License-Identifier: MIT
// Records all internal signals of a node's router in all its models, and compares the models.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rdt/cosim/inside.h>
#include <rdt/cosim/save_file.h>
#include <rdt/cosim/wave_file.h>

namespace rdt::machine {

class InsideRecorder {
public:
    // Scopes are n<node>.systemc and n<node>.rtl; of the RTL there is what the SystemC design has
    // under the same name.
    InsideRecorder(uint32_t node, std::vector<Inside> insides, WaveFile& file);

    void record(uint64_t now);
    // The signals that differed in the first cycle with a difference.
    const std::optional<std::string>& first_difference() const { return m_difference; }
    // For the save file.
    SaveInside shown() const;

private:
    struct Recorded {
        size_t side;
        size_t signal;
        size_t id;
    };
    const InsideValues& systemc() const { return *m_sides[0]; }
    const InsideValues& rtl() const { return *m_sides[1]; }
    void add(size_t side, size_t signal);
    void compare(uint64_t now);
    void look_for_crossing();

    uint32_t m_node;
    WaveFile& m_file;
    std::vector<std::unique_ptr<InsideValues>> m_sides;
    std::unique_ptr<InsidePair> m_pair;
    std::vector<Recorded> m_recorded;
    size_t m_differ = 0;  // how many signals differ
    std::optional<std::string> m_difference;
    std::optional<size_t> m_grants;                  // signal of the arbiter, an element per input
    std::optional<SaveInside::Crossing> m_crossing;  // the first
};

}  // namespace rdt::machine
