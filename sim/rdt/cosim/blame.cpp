// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>

#include <rdt/cosim/blame.h>
#include <rdt/cosim/blame_finder.h>
#include <rdt/cosim/block_replicas.h>
#include <rdt/cosim/lockstep.h>
#include <rdt/cosim/meanings.h>
#include <rdt/cosim/module_chip.h>
#include <rdt/cosim/module_tree.h>
#include <rdt/cosim/rtl_beside.h>
#include <rdt/cosim/signals.h>
#include <rdt/cosim/systemc_inside.h>
#include <rdt/cosim/inside_recorder.h>
#include <rdt/router.h>

namespace rdt::machine {

namespace {

// Cycles that the save file shows before a difference.
constexpr uint64_t CyclesBefore = 20;

// Ports of the router, and of its blocks.
Inside boundaries_of(Inside inside) {
    keep_boundaries(inside);
    return inside;
}
Inside as_in(Inside inside, const Inside& other) {
    keep_paths_of(inside, other);
    return inside;
}

// The router in all its forms on the same pins.
class Rerun {
public:
    Rerun(const blocks& parts, uint32_t node, uint64_t cycles, const std::string& wave)
        : m_clk("clk"),
          m_systemc("router", m_clk, parts),
          m_rtl(RtlBeside::maker()()),
          m_rtl_values(m_rtl->inside()),
          m_systemc_ports(boundaries_of(systemc_inside(m_systemc.module()))),
          m_rtl_ports(as_in(m_rtl->inside(), m_systemc_ports.inside())),
          m_ports(m_systemc_ports, m_rtl_ports, module_kinds()),
          m_replicas(m_rtl_values, parts),
          m_cycles(cycles),
          m_wave(wave) {
        if (wave.empty()) return;
        m_file = std::make_unique<WaveFile>(wave);
        m_recorder = std::make_unique<InsideRecorder>(
            node, std::vector<Inside>{systemc_inside(m_systemc.module()), m_rtl->inside()},
            *m_file);
    }

    void clock(const core::PinsIn& in, bool rst_n) {
        settle(in, rst_n);
        m_replicas.edge();
        m_rtl->edge();
        m_clk.write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
        if (rst_n) m_core.clock(in);
        else m_core.reset();
        m_had_reset |= !rst_n;
        if (rst_n) ++m_now;
        m_in = in;
    }

    // Values after the last clock edge are valid once the model has settled.
    void finish() {
        settle(m_in, true);
        if (!m_recorder || !m_first) return;
        m_file->time(m_now + 1);
        m_file->close();
        SaveInside shown = m_recorder->shown();
        if (m_block) shown.blamed = {m_block->block, m_block->signal, m_block_at};
        const uint64_t cycle = m_block             ? m_block_at
                               : m_systemc_differs ? m_systemc_differs->cycle
                                                   : m_cycles;
        const uint64_t from = cycle > CyclesBefore ? cycle - CyclesBefore : 0;
        const std::string save = write_save_file(m_wave, {shown}, std::max(*m_first, from));
        m_file->commit();
        m_show = fmt::format("\n  waveform of the blocks: {}\n  show: gtkwave {}", m_wave, save);
    }

    std::string report() const { return verdict() + m_show; }

private:
    // A signal of the router that differs in two of its forms.
    struct Difference {
        uint64_t cycle;
        std::string text;
    };

    void settle(const core::PinsIn& in, bool rst_n) {
        m_rtl->settle(in, rst_n);
        m_rtl_values.read();
        m_replicas.settle();
        m_systemc.drive(in, rst_n);
        m_clk.write(false);
        sc_core::sc_start(1, sc_core::SC_NS);
        if (m_had_reset) compare(rst_n);
        if (m_recorder && rst_n && m_now + Lockstep::WaveClocks > m_cycles) record();
    }
    // Nothing has a meaning before the first reset.
    void compare(bool rst_n) {
        if (!m_block) {
            m_block = m_replicas.difference();
            m_block_at = m_now;
        }
        m_systemc_ports.read();
        m_rtl_ports.read();
        if (!m_systemc_differs) {
            const auto found = m_ports.differences();
            if (!found.empty())
                m_systemc_differs = {m_now,
                                     fmt::format("{} rtl={} systemc={}",
                                                 m_systemc_ports.signals()[found[0].systemc].path(),
                                                 m_rtl_ports.text(found[0].rtl),
                                                 m_systemc_ports.text(found[0].systemc))};
        }
        if (!rst_n) return;
        const ChipPins rtl = m_rtl->pins();
        const ChipPins systemc = m_systemc.pins();
        const ChipPins fast = pins_of(m_core);
        compare(m_fast_differs, rtl, fast);
        compare(m_fast_from_systemc, systemc, fast);
    }
    void compare(std::optional<Difference>& found, const ChipPins& a, const ChipPins& fast) {
        if (found || a == fast) return;
        for (const NamedSignal& s : chip_signals()) {
            if (s.signal->of_pins == nullptr) continue;
            const uint64_t values[] = {s.signal->of_pins(a, s.port),
                                       s.signal->of_pins(fast, s.port)};
            if (values[0] == values[1]) continue;
            found = {m_now,
                     fmt::format("{} {:#x} in the RTL, {:#x} here", s.name, values[0], values[1])};
            return;
        }
    }
    void record() {
        if (!m_first) m_first = m_now;
        m_file->time(m_now);
        m_recorder->record(m_now);
    }

    static std::string text_of(const char* what, const Difference& d) {
        return fmt::format("\n  block: none; {}, first in cycle {}: {}", what, d.cycle, d.text);
    }
    std::string of_block() const {
        const auto list = [](const auto& values) {
            std::string text;
            for (const auto& [name, value] : values) text += fmt::format(" {}={:#x}", name, value);
            return text.empty() ? std::string(" all 0") : text;
        };
        const BlockDifference& d = *m_block;
        return fmt::format(
            "\n  block: {} ({}) in cycle {}: {} rtl={:#x} systemc={:#x} on equal inputs\n"
            "  its inputs in that cycle, if not 0:{}\n  its inputs one cycle before:{}",
            d.block, d.kind, m_block_at, d.signal, d.rtl, d.systemc, list(d.inputs),
            list(d.before));
    }
    std::string of_fast() const {
        const char* const which = m_fast_differs && m_fast_from_systemc ? "neither"
                                  : m_fast_differs                      ? "the SystemC design"
                                  : m_fast_from_systemc                 ? "the RTL"
                                                                        : "both so far";
        return fmt::format("\n  the pins of the fast engine match {}", which);
    }
    std::string verdict() const {
        if (m_block) return of_block() + of_fast();
        if (m_systemc_differs)
            return text_of("all blocks match their RTL, the wiring between them does not",
                           *m_systemc_differs);
        if (m_fast_differs)
            return text_of("the SystemC design matches the RTL, the fast engine does not",
                           *m_fast_differs);
        return fmt::format(
            "\n  block: none; run again by itself for {} cycles, the SystemC design, all its "
            "blocks "
            "and the fast engine match the RTL",
            m_now);
    }

    Kernel m_kernel;
    sc_core::sc_signal<bool> m_clk;
    ModuleChip<router> m_systemc;
    std::unique_ptr<RtlBeside> m_rtl;
    InsideValues m_rtl_values;
    InsideValues m_systemc_ports;
    InsideValues m_rtl_ports;
    InsidePair m_ports;
    BlockReplicas m_replicas;
    fast::Router m_core;
    const uint64_t m_cycles;
    const std::string m_wave;
    std::unique_ptr<WaveFile> m_file;
    std::unique_ptr<InsideRecorder> m_recorder;
    std::optional<uint64_t> m_first;  // recorded cycle
    std::string m_show;
    core::PinsIn m_in;
    uint64_t m_now = 0;  // cycles since reset
    bool m_had_reset = false;
    std::optional<BlockDifference> m_block;
    uint64_t m_block_at = 0;
    std::optional<Difference> m_systemc_differs;
    std::optional<Difference> m_fast_differs;
    std::optional<Difference> m_fast_from_systemc;
};

const bool is_set = [] {
    blame_finder() = [](PinRecord& record, uint32_t chip, const std::string& wave) {
        return blame(record, chip, {}, wave);
    };
    return true;
}();

}  // namespace

std::string blame(PinRecord& record, uint32_t chip, const blocks& parts, const std::string& wave) {
    if (record.is_lost())
        return "\n  block: unknown, there was no disk space to record the input pins";
    uint64_t cycles = 0;
    for (PinRecord::Reader pins(record, chip); pins.next();) cycles += pins.rst_n() ? 1 : 0;
    Rerun rerun(parts, chip, cycles, wave);
    for (PinRecord::Reader pins(record, chip); pins.next();) rerun.clock(pins.in(), pins.rst_n());
    rerun.finish();
    return rerun.report();
}

BlockReplicas::BlockReplicas(const InsideValues& rtl, const blocks& parts) : m_rtl(rtl) {
    const auto ten = [this](const char* kind, const auto& make) {
        for (uint32_t p = 0; p < NumPorts; ++p)
            add(kind, make(fmt::format("u_{}_{}", kind, p).c_str(), p));
    };
    const auto one = [this](const char* kind, const auto& make) {
        add(kind, make(fmt::format("u_{}", kind).c_str()));
    };
    ten("link_io", parts.link_io);
    ten("input_unit", parts.input_unit);
    ten("output_unit", parts.output_unit);
    one("arbiter", parts.arbiter);
    one("crossbar", parts.crossbar);
    one("local", parts.local);
    one("ack", parts.ack);
    one("inject", parts.inject);
    add("glue", std::make_unique<glue>("u_glue", parts.entries));
    for (Replica& replica : m_replicas) find_meanings(replica);
}

void BlockReplicas::add(const std::string& kind, std::unique_ptr<sc_core::sc_module> module) {
    std::map<std::string, size_t> of_rtl;
    const std::string prefix = std::string(module->basename()) + ".";
    for (size_t i = 0; i < m_rtl.signals().size(); ++i)
        if (m_rtl.signals()[i].path().rfind(prefix, 0) == 0)
            of_rtl[m_rtl.signals()[i].path().substr(prefix.size())] = i;
    Replica replica;
    replica.name = module->basename();
    replica.kind = kind;
    for (const BoundPort& port : bind_ports(*module)) {
        if (port.name == "clk_i") {
            replica.clocks.push_back(port.elements.front());
            continue;
        }
        const auto found = of_rtl.find(port.name);
        if (found == of_rtl.end())
            throw std::logic_error(fmt::format("the RTL has no {}{}", prefix, port.name));
        for (unsigned i = 0; i < port.elements.size(); ++i) {
            const std::string name =
                port.is_vector ? fmt::format("{}[{}]", port.name, i) : port.name;
            auto& lines = port.direction == "in" ? replica.inputs : replica.outputs;
            lines.push_back(
                {name, port.elements[i], found->second, i * port.width, port.width, 0, 0, {}});
        }
    }
    replica.module = std::move(module);
    m_replicas.push_back(std::move(replica));
}

void BlockReplicas::find_meanings(Replica& replica) const {
    const auto of = [&replica](const char* name) -> const Line* {
        for (const auto* lines : {&replica.inputs, &replica.outputs})
            for (const Line& line : *lines)
                if (line.name == name) return &line;
        return nullptr;
    };
    for (const Meaning& m : meanings()) {
        if (replica.kind != m.kind) continue;
        for (Line& line : replica.outputs)
            if (line.name == m.output) line.strobes.emplace_back(of(m.strobe), m.mask);
    }
}

void BlockReplicas::settle() {
    for (Replica& replica : m_replicas) {
        for (const BoundPort::Element& clk : replica.clocks) clk.write(0);
        for (Line& line : replica.inputs) {
            line.value = of_rtl(line);
            line.port.write(line.value);
        }
    }
}

void BlockReplicas::edge() {
    for (Replica& replica : m_replicas) {
        for (const BoundPort::Element& clk : replica.clocks) clk.write(1);
        for (Line& line : replica.inputs) line.before = line.value;
    }
}

bool BlockReplicas::means_something(const Line& output) const {
    for (const auto& [strobe, mask] : output.strobes)
        if (((strobe->port.read() | of_rtl(*strobe)) & mask) == 0) return false;
    return true;
}

std::optional<BlockDifference> BlockReplicas::difference() const {
    for (const Replica& replica : m_replicas)
        for (const Line& line : replica.outputs) {
            const uint64_t mask = ~uint64_t(0) >> (64 - line.width);
            const uint64_t systemc = line.port.read() & mask;
            if (of_rtl(line) == systemc || !means_something(line)) continue;
            BlockDifference found{replica.name, replica.kind, line.name, of_rtl(line),
                                  systemc,      {},           {}};
            for (const Line& in : replica.inputs) {
                if (in.before != 0) found.before.emplace_back(in.name, in.before);
                if (in.value != 0) found.inputs.emplace_back(in.name, in.value);
            }
            return found;
        }
    return std::nullopt;
}

}  // namespace rdt::machine
