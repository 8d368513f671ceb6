// SPDX-License-Identifier: MIT
#include "machine/fast_machine.h"

namespace rdt::machine {

FastMachine::FastMachine(const Config& config) : Machine(config), m_chips(nodes()), m_in(nodes()) {}

void FastMachine::step(bool rst_n) {
    if (!rst_n) {
        for (core::Router& chip : m_chips) chip.reset();
        return;
    }
    for (uint32_t n = 0; n < nodes(); ++n)
        for (uint32_t p = 0; p < NumPorts; ++p) m_in[n].link[p] = seen(n, p, far_pins(n, p));
    for (uint32_t n = 0; n < nodes(); ++n) {
        for (uint32_t m = 0; m < 2; ++m) mbp(n, m).clock(m_chips[n].pins(PortM0 + m), now());
        m_chips[n].clock(m_in[n]);
    }
}

size_t FastMachine::bytes() const {
    return m_chips.size() * (sizeof(core::Router) + sizeof(core::Router::PinsIn)) +
           2 * nodes() * sizeof(Endpoint);
}

}  // namespace rdt::machine
