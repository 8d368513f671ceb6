// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/array_machine.h>

namespace rdt::machine {

void ArrayMachine::step(bool rst_n) {
    for (uint32_t n = 0; n < nodes(); ++n) m_in[n] = inputs(n);
    m_routers->settle(m_in, rst_n);
    if (m_routers->has_insides()) settled();
    m_routers->edge();
    for (uint32_t n = 0; n < nodes(); ++n) {
        if (rst_n)
            for (uint32_t m = 0; m < 2; ++m)
                mbp(n, m).clock(seen_by_mbp(n, m, m_out[n].link[PortM0 + m]), now());
        m_out[n] = m_routers->pins(n);
    }
    constexpr uint32_t Nodes = LinkCounter::NodesOfWord;
    for (uint32_t word = 0; word < nodes() / Nodes; ++word) {
        uint64_t driven = 0;
        for (uint32_t k = 0; k < Nodes; ++k) {
            const uint32_t n = word * Nodes + k;
            const uint32_t first = k * LinkCounter::EndsOfNode;
            for (uint32_t p = 0; p < NumPorts; ++p)
                driven |= uint64_t(m_out[n].link[p].oe) << (first + p);
            for (uint32_t m = 0; m < 2; ++m)
                driven |= uint64_t(mbp(n, m).pins().oe) << (first + NumPorts + m);
        }
        flits().add(word, driven);
    }
    flits().end_clock();
}

}  // namespace rdt::machine
