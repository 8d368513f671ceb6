// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/gate_routers.h>

#include <fmt/core.h>

#include <cstring>
#include <stdexcept>

#include <rdt/machine/machine.h>

namespace rdt::machine {

namespace {

// Rows become columns: bit c of row r is bit r of row c afterwards (Hacker's Delight, 7-3).
template <unsigned Half = 32>
void transpose(std::array<uint64_t, 64>& rows) {
    constexpr uint64_t Mask = ~uint64_t(0) / ((uint64_t(1) << Half) + 1);
    for (unsigned first = 0; first < 64; first += 2 * Half)
        for (unsigned r = first; r < first + Half; ++r) {
            const uint64_t swap = (rows[r] >> Half ^ rows[r + Half]) & Mask;
            rows[r] ^= swap << Half;
            rows[r + Half] ^= swap;
        }
    if constexpr (Half > 1) transpose<Half / 2>(rows);
}

const GatePort& port_of(const GateModel& model, const char* name) {
    for (size_t i = 0; i < model.num_ports; ++i)
        if (std::strcmp(name, model.ports[i].name) == 0) return model.ports[i];
    throw std::logic_error(fmt::format("the gates have no port {}", name));
}

}  // namespace

GateRouters::GateRouters(size_t routers, const GateModel& model)
    : m_model(model), m_routers(routers), m_groups((routers + 63) / 64) {
    const auto add = [&model](std::vector<PinPlace>& to, const char* name, uint32_t width,
                              uint32_t ports, uint32_t bit) {
        const GatePort& port = port_of(model, name);
        if (port.width != width * ports)
            throw std::logic_error(fmt::format("the gates have another width of {}", name));
        for (uint32_t i = 0; i < port.width; ++i)
            to.push_back({i / width / 2, i / width % 2 * 32 + bit + i % width, port.words[i]});
    };
    add(m_in, "d_i", 18, NumPorts, 0);
    add(m_in, "req_i", 2, NumPorts, pin_field::Req);
    add(m_in, "cred_i", 2, NumPorts, pin_field::Cred);
    add(m_in, "shoot_i", 1, 1, pin_field::ShootOrErr);
    add(m_in, "slice_i", 1, 1, pin_field::Slice);
    add(m_out, "d_o", 18, NumPorts, 0);
    add(m_out, "d_oe_o", 1, NumPorts, pin_field::Oe);
    add(m_out, "req_o", 2, NumPorts, pin_field::Req);
    add(m_out, "cred_o", 2, NumPorts, pin_field::Cred);
    add(m_out, "err_o", 1, 1, pin_field::ShootOrErr);
    add(m_out, "slice_o", 1, 1, pin_field::Slice);
    m_reset = port_of(model, "rst_ni").words[0];
    for (Group& group : m_groups) {
        group.words.assign(model.words, 0);
        model.edge(group.words.data());  // in reset: gates have their values, from registers at 0
        model.edge(group.words.data());
        read_outputs(group);
    }
}

void GateRouters::set_inputs(uint32_t router, const core::PinsIn& pins) {
    for (uint32_t w = 0; w < PinWords; ++w)
        in(router, w) = pin_field::pack(pins.link[2 * w]) |
                        uint64_t(pin_field::pack(pins.link[2 * w + 1])) << 32;
    in(router, 0) |= uint64_t(pins.shoot) << pin_field::ShootOrErr | uint64_t(pins.slice)
                                                                         << pin_field::Slice;
}

void GateRouters::settle(const std::vector<core::PinsIn>& in, bool rst_n) {
    for (uint32_t k = 0; k < m_routers; ++k) set_inputs(k, in[k]);
    m_rst_n = rst_n;
}

void GateRouters::edge() {
    for (Group& group : m_groups) {
        PinBits bits = group.in;
        for (auto& rows : bits) transpose(rows);
        for (const PinPlace& pin : m_in) group.words[size_t(pin.place)] = bits[pin.word][pin.bit];
        group.words[size_t(m_reset)] = m_rst_n ? ~uint64_t(0) : 0;
        m_model.edge(group.words.data());
        read_outputs(group);
    }
}

void GateRouters::read_outputs(Group& group) const {
    for (auto& rows : group.out) rows.fill(0);
    for (const PinPlace& pin : m_out)
        group.out[pin.word][pin.bit] = pin.place >= 0    ? group.words[size_t(pin.place)]
                                       : pin.place == -2 ? ~uint64_t(0)
                                                         : 0;
    for (auto& rows : group.out) transpose(rows);
}

ChipPins GateRouters::pins(uint32_t router) const {
    ChipPins all;
    for (uint32_t p = 0; p < NumPorts; ++p) all.link[p] = pins(router, p);
    all.err = err(router);
    all.slice = slice(router);
    return all;
}

SignalView GateRouters::signal_view(uint32_t router) {
    return {"rtl", [this, router] { return pins(router); }, {}};
}

size_t GateRouters::bytes() const {
    return m_groups.size() * (sizeof(Group) + m_model.words * sizeof(uint64_t));
}

}  // namespace rdt::machine
