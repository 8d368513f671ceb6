// SPDX-License-Identifier: MIT
// Everything inside a chip: the ports, signals and registers of all its modules, of one model of
// it; and two models side by side.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rdt::machine {

struct InsideSignal {
    std::string module;  // below the chip, as u_input_unit_0.u_slot_2; of the chip itself nothing
    std::string name;
    unsigned width;
    unsigned element;  // bits of one, of a vector of signals
    bool is_port;
    // Writes `width` bits, 32 a word, the lowest first.
    std::function<void(uint32_t* words)> read;
    // The net of an element, the same for all ports on it; none if the model does not provide it.
    std::function<const void*(unsigned element)> wire;

    std::string path() const { return module.empty() ? name : module + "." + name; }
};

struct Inside {
    std::string side;  // systemc, rtl
    std::vector<InsideSignal> signals;
    std::function<void()> refresh;  // before they are read
};

// Leaves the ports of the chip and those of its blocks, as far as the model identifies ports.
void keep_boundaries(Inside& inside);
// Leaves the signals that are in `other` under the same path.
void keep_paths_of(Inside& inside, const Inside& other);

// The values of an inside, as they were when they were read last.
class InsideValues {
public:
    explicit InsideValues(Inside inside);

    void read();
    const Inside& inside() const { return m_inside; }
    const std::vector<InsideSignal>& signals() const { return m_inside.signals; }
    const uint32_t* words(size_t signal) const { return m_words[signal].data(); }
    // At most 64 of them.
    uint64_t bits(size_t signal, unsigned lo, unsigned width) const;
    // Digits of 16.
    std::string text(size_t signal) const;

private:
    Inside m_inside;
    std::vector<std::vector<uint32_t>> m_words;
};

// The same chip on both sides, signals with the same path compared with each other. An output that
// means nothing in a cycle (meanings.h) may be different, and so may all that hangs on its wire.
// Signals inside of a module may have a name in common and be something else, as their widths show;
// ports are the same whatever their widths, where the RTL has fewer bits for fewer VCs.
class InsidePair {
public:
    // `kinds`: of the modules, by their path.
    InsidePair(const InsideValues& systemc, const InsideValues& rtl,
               const std::map<std::string, std::string>& kinds);

    struct Both {
        size_t systemc;
        size_t rtl;
    };
    const std::vector<Both>& both() const { return m_both; }

    // Values read last that are valid and differ.
    std::vector<Both> differences() const;

private:
    struct Element {
        size_t signal;
        unsigned number;
        bool operator<(const Element& o) const {
            return signal != o.signal ? signal < o.signal : number < o.number;
        }
    };
    struct Strobe {
        size_t signal;  // index on the SystemC side
        unsigned lo;
        unsigned width;
        uint64_t mask;
    };
    void find_strobes() const;
    void find_strobes(const std::string& module, const std::string& kind) const;
    bool differs(const Both& both) const;
    bool means_something(const Element& element) const;
    uint64_t either(const Strobe& strobe) const;
    const void* wire(const Element& element) const;

    const InsideValues& m_systemc;
    const InsideValues& m_rtl;
    const std::map<std::string, std::string> m_kinds;
    std::vector<Both> m_both;
    std::map<size_t, size_t> m_rtl_of;  // by signal index on the SystemC side
    std::map<std::string, size_t> m_by_path;
    // Wires are known when the design is elaborated, that is, when values are there.
    mutable bool m_has_strobes = false;
    mutable std::map<const void*, std::vector<Strobe>> m_of_wire;
    mutable std::map<Element, std::vector<Strobe>> m_of_element;  // that are on no wire
};

}  // namespace rdt::machine
