// SPDX-License-Identifier: MIT
// An RDT of core::Router chips, wired by the geometry, configured as SETUP packets
// would leave it, with two MBPs at every node. No kernel and no RTL: for large networks.
#pragma once

#include <memory>
#include <vector>

#include "common/endpoint.h"
#include "common/setup.h"
#include "net/multicast.h"

namespace rdt::tb {

class CoreNet {
public:
    explicit CoreNet(const Geometry& geometry)
        : m_geometry(geometry), m_chips(geometry.nodes()), m_in(geometry.nodes()) {
        for (uint32_t n = 0; n < nodes(); ++n)
            for (uint32_t m = 0; m < 2; ++m)
                m_mbp.push_back(std::make_unique<Endpoint>(PortM0 + m));
    }

    uint32_t nodes() const { return m_geometry.nodes(); }
    Endpoint& mbp(uint32_t node, uint32_t m) { return *m_mbp[2 * node + m]; }
    const core::Router& chip(uint32_t node) const { return m_chips[node]; }
    uint64_t now() const { return m_now; }

    // SETUP packets of all nodes, given out at once; clock() on until they are done.
    void configure(uint32_t t_ent, uint32_t t_ack) {
        for (uint32_t n = 0; n < nodes(); ++n) {
            const RouteConfig c = multicast_config(m_geometry, n);
            mbp(n, 0).send(0, setup_write({{RegRank, c.rank},
                                           {RegXfer, c.xfer},
                                           {RegDateline, c.dateline},
                                           {RegMask, c.mask}}));
            mbp(n, 0).send(0, setup_write({{RegTEnt, t_ent}, {RegTAck, t_ack}, {RegLink, 0xFF}}));
        }
        for (int n = 0; n < 200; ++n) clock();
    }

    void clock() {
        for (uint32_t n = 0; n < nodes(); ++n) {
            for (uint32_t p = 0; p < NumNetworkPorts; ++p) {
                const core::LinkPinsOut far = m_chips[m_geometry.neighbour(n, p)].pins(opposite(p));
                m_in[n].link[p] = {far.oe ? far.d : 0, far.req, far.cred};
            }
            for (uint32_t m = 0; m < 2; ++m) {
                const core::LinkPinsOut far = mbp(n, m).pins();
                m_in[n].link[PortM0 + m] = {far.oe ? far.d : 0, far.req, far.cred};
            }
        }
        for (uint32_t n = 0; n < nodes(); ++n) {
            for (uint32_t m = 0; m < 2; ++m) mbp(n, m).clock(m_chips[n].pins(PortM0 + m), m_now);
            m_chips[n].clock(m_in[n]);
        }
        ++m_now;
    }

private:
    const Geometry& m_geometry;
    std::vector<core::Router> m_chips;
    std::vector<core::Router::PinsIn> m_in;
    std::vector<std::unique_ptr<Endpoint>> m_mbp;
    uint64_t m_now = 0;
};

}  // namespace rdt::tb
