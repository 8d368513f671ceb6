// SPDX-License-Identifier: MIT
// A netlist of gates and D flip-flops on one clock, 256 copies of it at once: bit k of every net
// belongs to copy k. All copies get the same inputs; copy 0 is as it was made, in each of the
// others one gate may be another one. All gates are computed in every clock, level by level, those
// of a kind together, which takes a tenth of the time of following what changes
// (tb/netlist/gates.h).
//
// The file is written by scripts/mutate/netlist.py.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/dice.h"

namespace rdt::tb {

// One bit for each copy.
struct alignas(32) Copies {
    static constexpr unsigned Words = 4;
    static constexpr unsigned Number = 64 * Words;
    std::array<uint64_t, Words> word{};

    static Copies all(bool value) {
        Copies c;
        c.word.fill(value ? ~uint64_t(0) : 0);
        return c;
    }
    bool has(unsigned copy) const { return (word[copy / 64] >> copy % 64 & 1) != 0; }
    void set(unsigned copy, bool value = true) {
        word[copy / 64] &= ~(uint64_t(1) << copy % 64);
        word[copy / 64] |= uint64_t(value) << copy % 64;
    }
    bool any() const { return (word[0] | word[1] | word[2] | word[3]) != 0; }
    // Copies that are not as copy 0.
    Copies unlike_first() const {
        Copies c;
        const uint64_t first = (word[0] & 1) != 0 ? ~uint64_t(0) : 0;
        for (unsigned w = 0; w < Words; ++w) c.word[w] = word[w] ^ first;
        return c;
    }
    Copies& operator|=(const Copies& o) {
        for (unsigned w = 0; w < Words; ++w) word[w] |= o.word[w];
        return *this;
    }
    Copies& operator&=(const Copies& o) {
        for (unsigned w = 0; w < Words; ++w) word[w] &= o.word[w];
        return *this;
    }
    Copies without(const Copies& o) const {
        Copies c;
        for (unsigned w = 0; w < Words; ++w) c.word[w] = word[w] & ~o.word[w];
        return c;
    }
};

class WideGates {
public:
    // Something that is looked at in every clock: a pin, an output of a block, or a register. It
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

    // Any value in any flip-flop, the same in all copies; no gate is another one.
    void begin(Dice& random);
    // The gate of this number in the file gives another table in this copy.
    void plant(size_t gate, unsigned copy, uint32_t table);

    void drive(uint32_t net, bool value) { m_value[net] = Copies::all(value); }
    // All nets follow the inputs; then flip-flops take what they were given.
    void settle();
    void edge();
    // Clocks in which a planted gate gave something else.
    uint64_t active(unsigned copy) const { return m_active[copy]; }

private:
    // What gates are made of; the last one has any table.
    enum Kind : uint8_t { And, Or, Xor, Not, Mux, AnyTable, NumKinds };
    struct Gate {
        uint32_t output;
        uint32_t inputs[3];  // those that are not there are net 0
        uint32_t table;      // of three inputs
        uint32_t number;     // of inputs
    };
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
    void apply(const Mistake& mistake);

    std::vector<Gate> m_gates;
    std::vector<uint32_t> m_place;     // by number in the file
    std::vector<uint32_t> m_level_of;  // by place
    std::vector<Level> m_levels;
    std::vector<Flop> m_flops;
    std::vector<Copies> m_next;
    std::vector<Mistake> m_mistakes;
    std::map<std::string, std::vector<uint32_t>> m_ports;
    std::vector<Watched> m_watched;
    std::vector<Copies> m_value;
    std::array<uint64_t, Copies::Number> m_active{};
};

}  // namespace rdt::tb
