// SPDX-License-Identifier: MIT
#include <rdt/machine/cosim/signals.h>

#include <fmt/core.h>

namespace rdt::machine {

using fast::ChipState;

const std::vector<Signal>& signals_of_port() {
    static const std::vector<Signal> all = {
        {"d_o", FlitW, [](const ChipPins& c, uint32_t p) -> uint64_t { return c.link[p].d; }},
        {"d_oe_o", 1, [](const ChipPins& c, uint32_t p) -> uint64_t { return c.link[p].oe; }},
        {"req_o", 2, [](const ChipPins& c, uint32_t p) -> uint64_t { return c.link[p].req; }},
        {"cred_o", 2, [](const ChipPins& c, uint32_t p) -> uint64_t { return c.link[p].cred; }},
        {"wr_idx_q", 5, nullptr, "u_input_unit.u_arrival",
         [](const ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().wr_idx; }},
        {"pkt_q", 3, nullptr, "u_input_unit",
         [](const ChipState& r, uint32_t p) -> uint64_t { return r.input(p).pkt_mask(); }},
        {"rd_busy_q", 1, nullptr, "u_input_unit.u_read_pass",
         [](const ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().rd_busy; }},
        {"rd_vc_q", 2, nullptr, "u_input_unit.u_read_pass",
         [](const ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().rd_vc; }},
        {"rd_idx_q", 4, nullptr, "u_input_unit.u_read_pass",
         [](const ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().rd_idx; }},
        {"st_q", 3, nullptr, "u_link_io",
         [](const ChipState& r, uint32_t p) -> uint64_t { return r.link(p).st; }},
        {"mine_q", 1, nullptr, "u_link_io",
         [](const ChipState& r, uint32_t p) -> uint64_t { return r.link(p).mine; }},
    };
    return all;
}

const std::vector<Signal>& signals_of_chip() {
    static const std::vector<Signal> all = {
        {"err_o", 1, [](const ChipPins& c, uint32_t) -> uint64_t { return c.err; }},
        {"slice_o", 1, [](const ChipPins& c, uint32_t) -> uint64_t { return c.slice; }},
    };
    return all;
}

const std::vector<NamedSignal>& chip_signals() {
    static const std::vector<NamedSignal> all = [] {
        std::vector<NamedSignal> list;
        size_t registers = 0;
        const auto add = [&](const std::string& name, const Signal& s, uint32_t port) {
            list.push_back({name, &s, port, s.of_pins == nullptr ? registers++ : 0});
        };
        for (uint32_t p = 0; p < NumPorts; ++p)
            for (const Signal& s : signals_of_port())
                add(fmt::format("{}.{}", to_string(Port(p)), s.name), s, p);
        for (const Signal& s : signals_of_chip()) add(s.name, s, 0);
        return list;
    }();
    return all;
}

std::optional<size_t> first_difference(const Face& a, const Face& b) {
    if (a == b) return std::nullopt;
    for (size_t i = 0; i < chip_signals().size(); ++i)
        if (a.has(i) && b.has(i) && a.value(i) != b.value(i)) return i;
    return std::nullopt;
}

Registers model_registers(const fast::ChipState& chip) {
    Registers registers;
    for (const NamedSignal& s : chip_signals())
        if (s.signal->of_pins == nullptr)
            registers.push_back({nullptr, &chip, s.signal->of_model, s.port});
    return registers;
}

}  // namespace rdt::machine
