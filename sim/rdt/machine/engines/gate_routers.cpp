// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/gate_routers.h>

#include <fmt/core.h>

#include <cstring>
#include <stdexcept>

#include <rdt/machine/machine.h>

namespace rdt::machine {

namespace {

// Bits of the 32 that a port has in a word: data, enable of the driver, REQ, CRED; and in the
// fields of the first port what belongs to the chip.
constexpr uint32_t BitOe = 18;
constexpr uint32_t BitReq = 19;
constexpr uint32_t BitCred = 21;
constexpr uint32_t BitShootOrErr = 23;
constexpr uint32_t BitSlice = 24;

// Rows become columns: bit c of row r is bit r of row c afterwards (Hacker's Delight, 7-3).
void transpose(std::array<uint64_t, 64>& rows) {
    uint64_t mask = 0x00000000FFFFFFFF;
    for (unsigned half = 32; half != 0; half >>= 1, mask ^= mask << half)
        for (unsigned r = 0; r < 64; r = ((r | half) + 1) & ~half) {
            const uint64_t swap = (rows[r] >> half ^ rows[r | half]) & mask;
            rows[r] ^= swap << half;
            rows[r | half] ^= swap;
        }
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
    add(m_in, "req_i", 2, NumPorts, BitReq);
    add(m_in, "cred_i", 2, NumPorts, BitCred);
    add(m_in, "shoot_i", 1, 1, BitShootOrErr);
    add(m_in, "slice_i", 1, 1, BitSlice);
    add(m_out, "d_o", 18, NumPorts, 0);
    add(m_out, "d_oe_o", 1, NumPorts, BitOe);
    add(m_out, "req_o", 2, NumPorts, BitReq);
    add(m_out, "cred_o", 2, NumPorts, BitCred);
    add(m_out, "err_o", 1, 1, BitShootOrErr);
    add(m_out, "slice_o", 1, 1, BitSlice);
    m_reset = port_of(model, "rst_ni").words[0];
    for (Group& group : m_groups) {
        group.words.assign(model.words, 0);
        model.edge(group.words.data());  // in reset: gates have their values, from registers at 0
        model.edge(group.words.data());
        read_outputs(group);
    }
}

void GateRouters::settle(const std::vector<core::PinsIn>& in, bool rst_n) {
    for (size_t g = 0; g < m_groups.size(); ++g) {
        PinBits bits{};
        for (uint32_t k = 0; k < 64 && g * 64 + k < m_routers; ++k) {
            const core::PinsIn& pins = in[g * 64 + k];
            for (uint32_t w = 0; w < PinWords; ++w) {
                const auto field = [&pins](uint32_t p) {
                    const core::LinkPinsIn& l = pins.link[p];
                    return l.d | l.req << BitReq | l.cred << BitCred;
                };
                bits[w][k] = field(2 * w) | uint64_t(field(2 * w + 1)) << 32;
            }
            bits[0][k] |= uint64_t(pins.shoot) << BitShootOrErr | uint64_t(pins.slice) << BitSlice;
        }
        for (auto& rows : bits) transpose(rows);
        std::vector<uint64_t>& words = m_groups[g].words;
        for (const PinPlace& pin : m_in) words[size_t(pin.place)] = bits[pin.word][pin.bit];
        words[size_t(m_reset)] = rst_n ? ~uint64_t(0) : 0;
    }
}

void GateRouters::edge() {
    for (Group& group : m_groups) {
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
    const Group& group = m_groups[router / 64];
    const uint32_t k = router % 64;
    ChipPins out;
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const auto field = uint32_t(group.out[p / 2][k] >> p % 2 * 32);
        out.link[p] = {field & 0x3FFFF, (field >> BitOe & 1) != 0, field >> BitReq & 3,
                       field >> BitCred & 3};
    }
    out.err = group.out[0][k] >> BitShootOrErr & 1;
    out.slice = group.out[0][k] >> BitSlice & 1;
    return out;
}

SignalView GateRouters::signal_view(uint32_t router) {
    return {"rtl", [this, router] { return pins(router); }, {}};
}

size_t GateRouters::bytes() const {
    return m_groups.size() * (sizeof(Group) + m_model.words * sizeof(uint64_t));
}

}  // namespace rdt::machine
