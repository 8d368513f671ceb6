// SPDX-License-Identifier: MIT
// A netlist of gates and D flip-flops on one cycle, 64 copies of it at once: bit
// k of every net belongs to copy k. Copies get the same inputs and differ in the
// values their flip-flops start with and in the mistakes injected in them.
//
// The file is written by rtl/flow/synth/netlist.py, gates in order of dependence.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/dice.h"

namespace rdt::tb {

using Lanes = uint64_t;

class Gates {
public:
    struct Gate {
        uint32_t table;  // bit i: output for the inputs' value i
        uint32_t output;
        std::vector<uint32_t> inputs;
        std::string name;
        // Copies in which the gate is another one.
        struct Mistake {
            Lanes in;
            uint32_t table;
        };
        std::vector<Mistake> mistakes;
    };

    explicit Gates(const std::string& path) {
        std::ifstream file(path);
        std::string kind;
        while (file >> kind) {
            if (kind == "gate") {
                Gate gate;
                file >> gate.name >> gate.table >> gate.output;
                gate.inputs = nets(file);
                m_gates.push_back(gate);
            } else if (kind == "ff") {
                Flop flop{};
                file >> flop.output >> flop.data;
                m_flops.push_back(flop);
            } else {
                std::string name;
                file >> name;
                m_ports[name] = nets(file);
                if (kind == "output") m_seen_from.push_back(name);
            }
        }
        if (m_gates.empty() || m_flops.empty()) throw std::runtime_error("no netlist in " + path);
        build();
    }

    size_t gates() const { return m_gates.size(); }
    const std::string& name(size_t index) const { return m_gates.at(index).name; }
    size_t flops() const { return m_flops.size(); }

    // Gates from which a way leads to some output, if need be through flip-flops. There are
    // others: outputs of blocks that the chip has no use for.
    std::vector<size_t> heard() const {
        std::map<uint32_t, std::vector<uint32_t>> from;  // net -> nets it depends on
        for (const Gate& g : m_gates) from[g.output] = g.inputs;
        for (const Flop& f : m_flops) from[f.output] = {f.data};
        std::vector<uint32_t> todo;
        for (const std::string& port : m_seen_from)
            for (uint32_t net : m_ports.at(port)) todo.push_back(net);
        std::vector<uint8_t> reached(m_value.size());
        while (!todo.empty()) {
            const uint32_t net = todo.back();
            todo.pop_back();
            if (reached[net]) continue;
            reached[net] = true;
            for (uint32_t before : from[net]) todo.push_back(before);
        }
        std::vector<size_t> list;
        for (size_t i = 0; i < m_gates.size(); ++i)
            if (reached[m_gates[i].output]) list.push_back(i);
        return list;
    }

    // Any value in any flip-flop, as after power-on.
    void scramble(Dice& random) {
        for (const Flop& f : m_flops) set(f.output, Lanes(random.bits(32)) << 32 | random.bits(32));
    }

    // Replaces one gate of one copy by its dual (NAND by NOR, AOI by OAI), or by its
    // inverse where that is the same gate. Returns the new gate's table.
    uint32_t inject(size_t index, unsigned copy) {
        const Gate& gate = m_gates[index];
        const uint32_t rows = 1u << gate.inputs.size();
        uint32_t dual = 0;
        for (uint32_t i = 0; i < rows; ++i)
            if ((gate.table >> (rows - 1 - i) & 1) == 0) dual |= 1u << i;
        const uint32_t all = uint32_t((uint64_t(1) << rows) - 1);
        const uint32_t other = dual == gate.table ? ~gate.table & all : dual;
        inject(index, copy, other);
        return other;
    }
    void inject(size_t index, unsigned copy, uint32_t table) {
        m_gates.at(index).mistakes.push_back({Lanes(1) << copy, table});
        m_dirty[index] = true;
    }

    // Notes which flip-flops of these copies hold something else than those of copy 0.
    void note_others(Lanes copies) {
        for (Flop& f : m_flops) {
            const Lanes value = m_value[f.output];
            f.other |= (value ^ (Lanes(0) - (value & 1))) & copies;
        }
    }
    // The nets of those that ever did.
    std::vector<uint32_t> others(unsigned copy) const {
        std::vector<uint32_t> list;
        for (const Flop& f : m_flops)
            if ((f.other >> copy & 1) != 0) list.push_back(f.output);
        return list;
    }

    // Takes injected bugs out of copies again: they have been seen.
    void heal(Lanes copies) {
        for (size_t i = 0; i < m_gates.size(); ++i) {
            for (Gate::Mistake& m : m_gates[i].mistakes) {
                if ((m.in & copies) != 0) m_dirty[i] = true;
                m.in &= ~copies;
            }
        }
    }
    // Makes copies what copy 0 is.
    void copy_first(Lanes copies) {
        for (uint32_t net = 0; net < m_value.size(); ++net) {
            const Lanes first = (m_value[net] & 1) != 0 ? ~Lanes(0) : 0;
            set(net, (m_value[net] & ~copies) | (first & copies));
        }
    }

    // The nets of a port.
    const std::vector<uint32_t>& nets_of(const std::string& port) const { return m_ports.at(port); }
    Lanes value(uint32_t net) const { return m_value[net]; }
    void drive(uint32_t net, bool value) { set(net, value ? ~Lanes(0) : 0); }

    // From now on: how often copy 0 of each net changes from one cycle to the next.
    void count_changes() {
        m_changes.assign(m_value.size(), 0);
        m_before = m_value;
    }
    // Outputs of the flip-flops, then of the gates, in the file's order.
    std::vector<uint32_t> changes() const {
        std::vector<uint32_t> list;
        for (const Flop& f : m_flops) list.push_back(m_changes[f.output]);
        for (const Gate& g : m_gates) list.push_back(m_changes[g.output]);
        return list;
    }

    void settle() {
        for (size_t i = 0; i < m_gates.size(); ++i) {
            if (!m_dirty[i]) continue;
            m_dirty[i] = false;
            const Gate& gate = m_gates[i];
            Lanes value = look_up(gate, gate.table);
            for (const Gate::Mistake& m : gate.mistakes)
                if (m.in != 0) value = (value & ~m.in) | (look_up(gate, m.table) & m.in);
            set(gate.output, value);
        }
    }

    void clock() {
        settle();
        for (Flop& f : m_flops) f.next = m_value[f.data];
        for (const Flop& f : m_flops) set(f.output, f.next);
        settle();
        for (size_t net = 0; net < m_changes.size(); ++net)
            m_changes[net] += uint32_t((m_value[net] ^ m_before[net]) & 1);
        if (!m_changes.empty()) m_before = m_value;
    }

private:
    struct Flop {
        uint32_t output;
        uint32_t data;
        Lanes next;
        Lanes other;
    };

    static std::vector<uint32_t> nets(std::ifstream& file) {
        size_t n = 0;
        file >> n;
        std::vector<uint32_t> list(n);
        for (uint32_t& net : list) file >> net;
        return list;
    }

    void build() {
        uint32_t last = 1;
        for (const Gate& g : m_gates) last = std::max(last, g.output);
        for (const Flop& f : m_flops) last = std::max(last, f.output);
        for (const auto& [name, list] : m_ports)
            for (uint32_t net : list) last = std::max(last, net);
        m_value.assign(last + 1, 0);
        m_value[1] = ~Lanes(0);
        m_takers.resize(last + 1);
        for (uint32_t i = 0; i < m_gates.size(); ++i)
            for (uint32_t net : m_gates[i].inputs) m_takers.at(net).push_back(i);
        m_dirty.assign(m_gates.size(), true);
    }

    void set(uint32_t net, Lanes value) {
        if (m_value[net] == value) return;
        m_value[net] = value;
        for (uint32_t i : m_takers[net]) m_dirty[i] = true;
    }

    // Halves the table once for each input.
    Lanes look_up(const Gate& gate, uint32_t table) const {
        Lanes rows[16];
        size_t n = size_t(1) << gate.inputs.size();
        for (size_t i = 0; i < n; ++i) rows[i] = (table >> i & 1) != 0 ? ~Lanes(0) : 0;
        for (uint32_t net : gate.inputs) {
            n /= 2;
            const Lanes s = m_value[net];
            for (size_t i = 0; i < n; ++i)
                rows[i] = rows[2 * i] ^ ((rows[2 * i] ^ rows[2 * i + 1]) & s);
        }
        return rows[0];
    }

    std::vector<Gate> m_gates;
    std::vector<Flop> m_flops;
    std::map<std::string, std::vector<uint32_t>> m_ports;
    std::vector<std::string> m_seen_from;  // the output ports
    std::vector<Lanes> m_value;
    std::vector<std::vector<uint32_t>> m_takers;
    std::vector<uint8_t> m_dirty;
    std::vector<uint32_t> m_changes;  // empty: not counted
    std::vector<Lanes> m_before;
};

}  // namespace rdt::tb
