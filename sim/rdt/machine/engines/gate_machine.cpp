// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/gate_machine.h>

namespace rdt::machine {

GateMachine::GateMachine(const Config& config)
    : Machine(config), m_routers(nodes()), m_links(geometry()) {}

void GateMachine::step(bool rst_n) {
    drive_links();
    m_routers.settle(rst_n);
    if (rst_n) clock_mbps();
    m_routers.edge();
    count_flits();
}

void GateMachine::drive_links() {
    const auto out = [this](uint32_t n, uint32_t w) { return m_routers.out(n, w); };
    for (uint32_t n = 0; n < nodes(); ++n) {
        for (uint32_t w = 0; w < PinWordLinks::NetworkWords; ++w)
            m_routers.in(n, w) = m_links.seen_by(n, w, out);
        m_routers.in(n, PinWordLinks::MbpWord) =
            PinWordLinks::seen_of_mbps(mbp(n, 0).pins(), mbp(n, 1).pins());
        m_routers.in(n, 0) |= uint64_t(slice_seen(n)) << pin_field::Slice;
        if (disturbances().are_at(n)) m_routers.set_inputs(n, inputs(n));
    }
}

void GateMachine::clock_mbps() {
    const bool is_slow = Endpoint::is_slow(now());
    for (uint32_t n = 0; n < nodes(); ++n)
        for (uint32_t m = 0; m < 2; ++m) {
            const auto field = uint32_t(m_routers.out(n, PinWordLinks::MbpWord) >> m * 32);
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
            for (uint32_t w = 0; w < GateRouters::NumPinWords; ++w) {
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
