// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/gate_machine.h>

namespace rdt::machine {

namespace {

constexpr uint32_t NetworkWords = NumNetworkPorts / 2;
constexpr uint32_t MbpWord = PortM0 / 2;

constexpr uint64_t both(uint64_t field) { return field | field << 32; }

// The other end sees this of the fields of two links: D reads 0 where it is not driven.
uint64_t seen_of(uint64_t fields) {
    const uint64_t driven = fields >> pin_field::Oe & both(1);
    return fields & (both(pin_field::SignalMask) | ((driven << pin_field::Oe) - driven));
}

}  // namespace

GateMachine::GateMachine(const Config& config) : Machine(config), m_routers(nodes()) {
    for (uint32_t n = 0; n < nodes(); ++n)
        for (uint32_t p = 0; p < NumNetworkPorts; ++p) m_far.push_back(geometry().neighbor(n, p));
}

void GateMachine::step(bool rst_n) {
    drive_links();
    m_routers.settle(rst_n);
    if (rst_n) clock_mbps();
    m_routers.edge();
    count_flits();
}

// A word has the ports of both directions, so a link leads from one half to the other.
void GateMachine::drive_links() {
    for (uint32_t n = 0; n < nodes(); ++n) {
        const uint32_t* const far = &m_far[size_t(n) * NumNetworkPorts];
        for (uint32_t w = 0; w < NetworkWords; ++w)
            m_routers.in(n, w) = seen_of(m_routers.out(far[2 * w], w) >> 32 |
                                         m_routers.out(far[2 * w + 1], w) << 32);
        m_routers.in(n, MbpWord) = seen_of(pin_field::pack(mbp(n, 0).pins()) |
                                           uint64_t(pin_field::pack(mbp(n, 1).pins())) << 32);
        m_routers.in(n, 0) |= uint64_t(slice_seen(n)) << pin_field::Slice;
        if (disturbances().are_at(n)) m_routers.set_inputs(n, inputs(n));
    }
}

void GateMachine::clock_mbps() {
    const bool is_slow = Endpoint::is_slow(now());
    for (uint32_t n = 0; n < nodes(); ++n)
        for (uint32_t m = 0; m < 2; ++m) {
            const auto field = uint32_t(m_routers.out(n, MbpWord) >> m * 32);
            const bool is_silent = (field & (pin_field::SignalMask | 1u << pin_field::Oe)) == 0;
            Endpoint& end = mbp(n, m);
            if (is_silent && end.quiet() && !disturbances().are_at(n) &&
                (!is_slow || end.has_all_credits()))
                continue;
            end.clock(seen_by_mbp(n, m, pin_field::unpack(field)), now());
        }
}

void GateMachine::count_flits() {
    constexpr uint32_t Nodes = LinkCounter::NodesOfWord;
    for (uint32_t word = 0; word < nodes() / Nodes; ++word) {
        uint64_t driven = 0;
        for (uint32_t k = 0; k < Nodes; ++k) {
            const uint32_t n = word * Nodes + k;
            uint64_t ends = 0;
            for (uint32_t w = 0; w < GateRouters::PinWords; ++w) {
                const uint64_t oe = m_routers.out(n, w) >> pin_field::Oe;
                ends |= ((oe & 1) | (oe >> 31 & 2)) << 2 * w;
            }
            for (uint32_t m = 0; m < 2; ++m)
                ends |= uint64_t(mbp(n, m).pins().oe) << (NumPorts + m);
            driven |= ends << k * LinkCounter::EndsOfNode;
        }
        flits().add(word, driven);
    }
    flits().end_clock();
}

}  // namespace rdt::machine
