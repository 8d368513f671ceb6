// SPDX-License-Identifier: MIT
// A netlist of gates and D flip-flops on one cycle, 512 copies of it at once: a word of every net
// belongs to a chip with inputs of its own, and bit k of that word to copy k of this chip. Copy 0
// is as it was made, in each of the others one gate may be another one. All gates are computed in
// every cycle, level by level, those of a kind together, which takes a tenth of the time of
// following what changes (rtl/flow/netlist/gates.h).
//
// The file is written by tb/mutate/netlist.py.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/dice.h"

namespace rdt::tb {

// One bit for each copy.
struct alignas(64) Copies {
    static constexpr unsigned Chips = 8;
    static constexpr unsigned OfChip = 64;
    static constexpr unsigned Number = Chips * OfChip;
    std::array<uint64_t, Chips> word{};

    static uint64_t all(bool value) { return uint64_t(0) - uint64_t(value); }
    bool has(unsigned copy) const { return (word[copy / OfChip] >> copy % OfChip & 1) != 0; }
    void set(unsigned copy, bool value = true) {
        word[copy / OfChip] &= ~(uint64_t(1) << copy % OfChip);
        word[copy / OfChip] |= uint64_t(value) << copy % OfChip;
    }
    // Written out, or the compiler takes one after the other.
    bool any() const {
        return ((word[0] | word[1]) | (word[2] | word[3]) | (word[4] | word[5]) |
                (word[6] | word[7])) != 0;
    }
    // Adds the copies that are not as the first of their chip.
    void add_unlike_first(const Copies& o) {
        for (unsigned c = 0; c < Chips; ++c) word[c] |= o.word[c] ^ all((o.word[c] & 1) != 0);
    }
    // Adds those that have it, and all of a chip whose first one has.
    void add_if_first(const Copies& o) {
        for (unsigned c = 0; c < Chips; ++c) word[c] |= o.word[c] | all((o.word[c] & 1) != 0);
    }
    Copies& operator&=(const Copies& o) {
        for (unsigned c = 0; c < Chips; ++c) word[c] &= o.word[c];
        return *this;
    }
};

class WideGates {
public:
    // Something that is looked at in every cycle: a pin, an output of a block, or a register. It
    // means something while each of its strobes has a 1 in some bit.
    struct Watched {
        std::string kind;  // pin, block, register
        std::string name;
        std::vector<uint32_t> nets;
        std::vector<std::vector<uint32_t>> strobes;
    };

    explicit WideGates(const std::string& path);

    const std::vector<Watched>& watched() const { return m_watched; }
    const std::vector<uint32_t>& nets_of(const std::string& port) const { return m_ports.at(port); }
    const Copies& value(uint32_t net) const { return m_value[net]; }
    // Flip-flops that are not looked at, or only while they mean something; and their numbers in
    // the file.
    const std::vector<uint32_t>& hidden() const { return m_hidden; }
    uint32_t number_of(uint32_t net) const { return m_number_of[net]; }

    // Any value in any flip-flop, the same in all copies of a chip; no gate is another one.
    void begin(Dice& random);
    // The gate of this number in the file gives another table in this copy.
    void inject(size_t gate, unsigned copy, uint32_t table);

    void drive(uint32_t net, unsigned chip, bool value) {
        m_value[net].word[chip] = Copies::all(value);
    }
    // All nets follow the inputs; then flip-flops take what they were given.
    void settle();
    void edge();
    // Cycles in which a injected gate gave something else.
    uint64_t active(unsigned copy) const { return m_active[copy]; }

private:
    // Gate functions; the last one has any truth table.
    enum Kind : uint8_t { And, Or, Xor, Not, Mux, AnyTable, NumKinds };
    // Contents of the file.
    struct Gate {
        uint32_t output;
        std::array<uint32_t, 3> inputs;  // those that are not there are net 0
        uint32_t table;                  // of three inputs
        uint32_t number;                 // of inputs
    };
    using Inputs = std::array<uint32_t, 3>;
    struct Group {
        Kind kind;
        uint32_t first;
        uint32_t end;
    };
    struct Level {
        std::vector<Group> groups;
        std::vector<uint32_t> mistakes;
    };
    struct Flop {
        uint32_t output;
        uint32_t data;
    };
    struct Mistake {
        uint32_t gate;  // in the order in which they are computed
        unsigned copy;
        uint32_t table;
    };

    static Kind kind_of(uint32_t table);
    void sort_into_levels(const std::vector<Gate>& gates);
    // Nets get other numbers: inputs and flip-flops, then gates in the order in which they are
    // computed, so that memory is gone through from its beginning to its end.
    void number_nets(const std::vector<Gate>& gates);
    void sort_flops();
    void find_hidden();
    void apply(const Mistake& mistake);

    std::vector<Inputs> m_inputs;      // inputs of the gates, in the order of evaluation
    std::vector<uint32_t> m_table;     // truth table of each gate
    std::vector<uint32_t> m_number;    // number of inputs of each gate
    uint32_t m_first_gate = 0;         // the net that it drives; the others follow
    std::vector<uint32_t> m_place;     // by number in the file
    std::vector<uint32_t> m_level_of;  // by place
    std::vector<Level> m_levels;
    std::vector<Flop> m_flops;
    size_t m_after_flops = 0;  // those up to here take what other flip-flops hold
    std::vector<Copies> m_held;
    std::vector<uint32_t> m_hidden;
    std::vector<uint32_t> m_number_of;  // in the file, by net
    std::vector<Mistake> m_mistakes;
    std::map<std::string, std::vector<uint32_t>> m_ports;
    std::vector<Watched> m_watched;
    std::vector<Copies> m_value;
    std::array<uint64_t, Copies::Number> m_active{};
};

}  // namespace rdt::tb
