// SPDX-License-Identifier: MIT
#include "common/all_faces.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "fuzz/pin_difference.h"

namespace rdt::tb {

namespace {

template <typename Module>
void read(const Module& module, std::vector<uint64_t>& values) {
    module.registers(
        [&values](const auto&, unsigned, auto value) { values.push_back(uint64_t(value)); });
}
template <typename Module>
void name(const Module& module, std::vector<std::string>& names) {
    module.registers([&names](const std::string& name, unsigned, auto) { names.push_back(name); });
}

}  // namespace

const uint64_t* AllFaces::Registers::find(const std::string& name) const {
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? nullptr : &values[size_t(at - names.begin())];
}

AllFaces::AllFaces() : WiredChips(1) {
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const auto& input = dynamic_cast<input_unit&>(*m_blocks.module().u_input_unit[p]);
        name(input, m_inputs[p].names);
        name(input.u_arrival, m_inputs[p].names);
        name(input.u_read_pass, m_inputs[p].names);
        name(dynamic_cast<link_io&>(*m_blocks.module().u_link_io[p]), m_links[p].names);
    }
    read_blocks();
    for (uint32_t p = 0; p < NumPorts; ++p)
        for (const machine::RtlProbe& probe : machine::probes_of(m_context, "chip", p)) {
            const uint64_t* in_input = m_inputs[p].find(probe.name);
            const uint64_t* in_blocks =
                in_input != nullptr ? in_input : m_links[p].find(probe.name);
            if (in_blocks == nullptr) throw std::logic_error("no block has a " + probe.name);
            m_watched.push_back({p, probe, in_blocks});
        }
}

void AllFaces::read_blocks() {
    const router& chip = m_blocks.module();
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const auto& input = static_cast<input_unit&>(*chip.u_input_unit[p]);
        m_inputs[p].values.clear();
        m_links[p].values.clear();
        read(input, m_inputs[p].values);
        read(input.u_arrival, m_inputs[p].values);
        read(input.u_read_pass, m_inputs[p].values);
        read(static_cast<link_io&>(*chip.u_link_io[p]), m_links[p].values);
    }
}

void AllFaces::clock_chips(bool rst_n) {
    const core::PinsIn& in = chip(0).in;
    m_rtl.drive(in, rst_n);
    m_rtl.edge();
    m_blocks.drive(in, rst_n);
    m_quick.drive(in, rst_n);
    m_clk.write(false);
    sc_core::sc_start(1, sc_core::SC_NS);
    m_clk.write(true);
    sc_core::sc_start(1, sc_core::SC_NS);
    if (rst_n) m_fast.clock(in);
    else m_fast.reset();
    m_rtl_pins = m_rtl.pins();
    chip(0).out = m_rtl_pins;
    read_blocks();
    const std::string found = difference();
    if (!found.empty()) fail(fmt::format("clock {}: {}", now(), found));
}

std::string AllFaces::difference() const {
    ChipPins of_fast;
    for (uint32_t p = 0; p < NumPorts; ++p) of_fast.link[p] = m_fast.pins(p);
    of_fast.err = m_fast.err();
    of_fast.slice = m_fast.slice();
    std::string found = fuzz::pin_difference(m_rtl_pins, m_blocks.pins(), "blocks") +
                        fuzz::pin_difference(m_rtl_pins, m_quick.pins(), "one process") +
                        fuzz::pin_difference(m_rtl_pins, of_fast, "fast");
    for (const Watched& w : m_watched) {
        const uint64_t rtl = w.rtl.read();
        const uint64_t fast = w.rtl.of_model(m_fast, w.port);
        if (!found.empty() || (rtl == fast && rtl == *w.blocks)) continue;
        found = fmt::format("{} {}: rtl {:x}, blocks {:x}, fast {:x}", to_string(Port(w.port)),
                            w.rtl.name, rtl, *w.blocks, fast);
    }
    return found;
}

}  // namespace rdt::tb
