// SPDX-License-Identifier: MIT
#include "common/all_models.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include <rdt/input_unit.h>
#include <rdt/link_io.h>

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

const uint64_t* AllModels::Registers::find(const std::string& name) const {
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? nullptr : &values[size_t(at - names.begin())];
}

AllModels::AllModels() : WiredChips(1) {
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const auto& input = dynamic_cast<input_unit&>(*m_blocks.module().u_input_unit[p]);
        name(input, m_inputs[p].names);
        name(input.u_arrival, m_inputs[p].names);
        name(input.u_read_pass, m_inputs[p].names);
        name(dynamic_cast<link_io&>(*m_blocks.module().u_link_io[p]), m_links[p].names);
    }
    read_blocks();
    m_models = {machine::rtl_signal_view(m_rtl, m_context, "chip"),
                machine::pins_signal_view("blocks", m_blocks),
                machine::module_signal_view("one process", m_quick),
                machine::model_signal_view("fast", m_fast)};
    for (size_t i = 0; i < machine::chip_signals().size(); ++i) {
        const machine::NamedSignal& s = machine::chip_signals()[i];
        if (s.signal->block == nullptr) continue;
        const uint64_t* in_input = m_inputs[s.port].find(s.signal->name);
        const uint64_t* in_blocks =
            in_input != nullptr ? in_input : m_links[s.port].find(s.signal->name);
        if (in_blocks == nullptr) throw std::logic_error("no block has a " + s.name);
        m_watched.push_back({i, in_blocks});
    }
}

void AllModels::read_blocks() {
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

void AllModels::clock_chips(bool rst_n) {
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
    chip(0).out = m_rtl.pins();
    for (machine::SignalView& view : m_models) view.read();
    read_blocks();
    const std::string found = difference();
    if (!found.empty()) fail(fmt::format("cycle {}: {}", now(), found));
}

std::string AllModels::difference() const {
    const machine::SignalView& rtl = m_models[0];
    for (const machine::SignalView& view : m_models)
        if (const auto i = machine::first_difference(rtl, view))
            return fmt::format("{}: rtl {:x}, {} {:x}", machine::chip_signals()[*i].name,
                               rtl.value(*i), view.name(), view.value(*i));
    for (const Watched& w : m_watched)
        if (rtl.value(w.signal) != *w.blocks)
            return fmt::format("{}: rtl {:x}, blocks {:x}", machine::chip_signals()[w.signal].name,
                               rtl.value(w.signal), *w.blocks);
    return {};
}

}  // namespace rdt::tb
