// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/gate_routers.h>

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include <rdt/machine/engines/bit_matrix.h>
#include <rdt/machine/machine.h>

namespace rdt::machine {

namespace {

// Words of 64 routers side by side, as a power of two.
uint32_t log_sides_for([[maybe_unused]] size_t routers, [[maybe_unused]] const GateModel& model) {
#ifdef RDT_HAS_WIDE_GATES
    if (&model == &router_gates && routers > 128 && __builtin_cpu_supports("avx2")) return 2;
#endif
    return 0;
}

const GatePort& port_of(const GateModel& model, const char* name) {
    for (size_t i = 0; i < model.num_ports; ++i)
        if (std::strcmp(name, model.ports[i].name) == 0) return model.ports[i];
    throw std::logic_error(fmt::format("the gates have no port {}", name));
}

}  // namespace

static_assert(WideWords == 4);

GateRouters::GateRouters(size_t routers, const GateModel& model)
    : m_model(model),
      m_routers(routers),
      m_log_sides(log_sides_for(routers, model)),
      m_sides(1u << m_log_sides),
      m_groups((routers + 64 * m_sides - 1) / (64 * m_sides)) {
    const auto add = [&model](std::vector<PinPlace>& to, const char* name, uint32_t width,
                              uint32_t ports, uint32_t bit) {
        const GatePort& port = port_of(model, name);
        if (port.width != width * ports)
            throw std::logic_error(fmt::format("the gates have another width of {}", name));
        for (uint32_t i = 0; i < port.width; ++i)
            to.push_back(
                {i / width / 2 * 64 + i / width % 2 * 32 + bit + i % width, port.words[i]});
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
    m_reset = size_t(port_of(model, "rst_ni").words[0]);
    for (Group& group : m_groups) {
        group.words = lines(model.words);
        group.in = lines(NumPinWords * 64);
        group.out = lines(NumPinWords * 64);
        clock(group);  // in reset: gates have their values, from registers at 0
        clock(group);
        read_outputs(group);
    }
}

void GateRouters::set_inputs(uint32_t router, const core::PinsIn& pins) {
    const PinWords words = pin_words(pins);
    for (uint32_t w = 0; w < NumPinWords; ++w) in(router, w) = words[w];
}

void GateRouters::settle(uint32_t first, const PinWordsOf64& in, bool rst_n) {
    uint64_t* row = &this->in(first, 0);
    for (uint32_t w = 0; w < NumPinWords; ++w)
        for (uint32_t k = 0; k < 64; ++k, row += m_sides) *row = in[k][w];
    m_groups[group_of(first)].rst_n[side_of(first)] = rst_n ? ~uint64_t(0) : 0;
}

bool GateRouters::shows(uint32_t first, const PinWordsOf64& out) const {
    const uint64_t* row = begin_of(m_groups[group_of(first)].out) + row_of(first, 0);
    uint64_t differences = 0;
    for (uint32_t w = 0; w < NumPinWords; ++w)
        for (uint32_t k = 0; k < 64; ++k, row += m_sides) differences |= *row ^ out[k][w];
    return differences == 0;
}

void GateRouters::settle(const std::vector<core::PinsIn>& in, bool rst_n) {
    for (uint32_t k = 0; k < m_routers; ++k) set_inputs(k, in[k]);
    settle(rst_n);
}

void GateRouters::clock(Group& group) const {
#ifdef RDT_HAS_WIDE_GATES
    if (m_sides == WideWords) return wide_edge(words_of(group));
#endif
    m_model.edge(words_of(group));
}

void GateRouters::transpose_pins(Lines& rows) const {
    for (uint32_t w = 0; w < NumPinWords; ++w) {
        uint64_t* const first = begin_of(rows) + w * 64 * m_sides;
#ifdef RDT_HAS_WIDE_GATES
        if (m_sides == WideWords) {
            wide_transpose(first);
            continue;
        }
#endif
        transpose(first);
    }
}

// The words of 64 routers, or of 256.
void GateRouters::copy_word(uint64_t* to, const uint64_t* from) const {
    if (m_sides == 1) *to = *from;
    else std::memcpy(to, from, sizeof(WideWord));
}

void GateRouters::edge() {
    for (Group& group : m_groups) {
        uint64_t* const words = words_of(group);
        transpose_pins(group.in);
        for (const PinPlace& pin : m_in)
            copy_word(words + size_t(pin.place) * m_sides, begin_of(group.in) + pin.row * m_sides);
        copy_word(words + m_reset * m_sides, group.rst_n.data());
        clock(group);
        read_outputs(group);
    }
}

void GateRouters::read_outputs(Group& group) const {
    constexpr std::array<uint64_t, WideWords> Ones{~uint64_t(0), ~uint64_t(0), ~uint64_t(0),
                                                   ~uint64_t(0)};
    uint64_t* const rows = begin_of(group.out);
    std::fill(rows, rows + NumPinWords * 64 * m_sides, 0);
    for (const PinPlace& pin : m_out) {
        if (pin.place == -1) continue;
        copy_word(rows + pin.row * m_sides,
                  pin.place == -2 ? Ones.data() : words_of(group) + size_t(pin.place) * m_sides);
    }
    transpose_pins(group.out);
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
    return m_groups.size() * m_sides * (m_model.words + 2 * NumPinWords * 64) * sizeof(uint64_t);
}

}  // namespace rdt::machine
