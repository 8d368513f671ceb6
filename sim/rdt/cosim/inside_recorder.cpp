// SPDX-License-Identifier: MIT
#include <rdt/cosim/inside_recorder.h>

#include <fmt/core.h>

#include <utility>

#include <rdt/core/format.h>
#include <rdt/cosim/module_tree.h>

namespace rdt::machine {

namespace {

constexpr unsigned CountBits = 16;

}  // namespace

InsideRecorder::InsideRecorder(uint32_t node, std::vector<Inside> insides, WaveFile& file)
    : m_node(node), m_file(file) {
    for (Inside& inside : insides)
        m_sides.push_back(std::make_unique<InsideValues>(std::move(inside)));
    for (size_t i = 0; i < systemc().signals().size(); ++i) {
        add(0, i);
        if (systemc().signals()[i].path() == "u_arbiter.gnt_o") m_grants = i;
    }
    if (m_sides.size() < 2) return;
    m_pair = std::make_unique<InsidePair>(systemc(), rtl(), module_kinds());
    for (const InsidePair::Both& both : m_pair->both()) add(1, both.rtl);
    m_differ = m_file.add(fmt::format("n{}.differ", m_node), CountBits);
}

void InsideRecorder::add(size_t side, size_t signal) {
    const InsideSignal& s = m_sides[side]->signals()[signal];
    const std::string name =
        fmt::format("n{}.{}.{}", m_node, m_sides[side]->inside().side, s.path());
    if (s.name == "clk_i") m_file.add_edge(name);
    else m_recorded.push_back({side, signal, m_file.add(name, s.width)});
}

void InsideRecorder::record(uint64_t now) {
    for (const auto& side : m_sides) side->read();
    for (const Recorded& r : m_recorded) m_file.value(r.id, m_sides[r.side]->words(r.signal));
    if (m_pair) compare(now);
    if (m_grants && !m_crossing) look_for_crossing();
}

void InsideRecorder::look_for_crossing() {
    for (uint32_t in = 0; in < NumPorts; ++in) {
        const uint64_t outs = systemc().bits(*m_grants, in * NumOuts, NumOuts);
        for (uint32_t out = 0; out < NumPorts && !m_crossing; ++out)
            if ((outs >> out & 1) != 0) m_crossing = {in, out};
    }
}

SaveInside InsideRecorder::shown() const {
    SaveInside shown{m_node, {}, m_pair != nullptr, m_crossing, {}};
    for (const InsideSignal& s : systemc().signals())
        shown.signals.push_back({s.module, s.name, s.width, s.element, false});
    if (m_pair)
        for (const InsidePair::Both& both : m_pair->both())
            shown.signals[both.systemc].is_in_both = true;
    return shown;
}

void InsideRecorder::compare(uint64_t now) {
    const std::vector<InsidePair::Both> found = m_pair->differences();
    m_file.value(m_differ, found.size());
    if (found.empty() || m_difference) return;
    const InsidePair::Both& first = found.front();
    m_difference = fmt::format("difference in cycle {}: n{}.{} rtl={} systemc={}", now, m_node,
                               systemc().signals()[first.systemc].path(), rtl().text(first.rtl),
                               systemc().text(first.systemc));
    if (found.size() > 1) *m_difference += fmt::format(" and {} more", found.size() - 1);
}

}  // namespace rdt::machine
