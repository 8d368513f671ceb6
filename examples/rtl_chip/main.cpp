// SPDX-License-Identifier: MIT
// The Verilated RTL in a custom C++ program: MBP 0 sends a packet to MBP 1 of the same node; the
// eight links to other chips are off.
#include <verilated.h>

#include <cstdio>

#include <rdt/cosim/rtl_chip.h>
#include <rdt/machine/endpoint.h>

#include "Vrdt_router.h"

int main() {
    VerilatedContext context;
    rdt::machine::RtlChip<Vrdt_router> chip(&context, "chip");
    rdt::machine::Endpoint m0(rdt::PortM0), m1(rdt::PortM1);
    uint64_t sent = 0, came = 0;
    m0.on_start = [&](const auto&, uint64_t clock) { sent = clock; };
    m1.on_receive = [&](const rdt::machine::Endpoint::Received& r) { came = r.clock; };

    // To MBP 1 of the same node: no vectors, hops to spare (docs/packet.md).
    rdt::machine::Flits flits;
    const uint32_t h0 = rdt::with(rdt::with(0, rdt::H0Type, rdt::TypeUni), rdt::H0Len, 4);
    flits.push_back(rdt::make_head(rdt::with(h0, rdt::H0Mbp, 1)));
    flits.push_back(rdt::make_flit(0));
    flits.push_back(rdt::make_flit(rdt::with(0, rdt::H2Hop, 60)));
    for (const uint32_t data : {0x1234u, 0xCAFEu}) flits.push_back(rdt::make_flit(data));
    m0.send(0, flits);

    for (uint64_t clock = 0; clock < 400 && came == 0; ++clock) {
        const auto pins = chip.pins();
        rdt::core::PinsIn in{};
        in.slice = pins.slice;
        for (auto* m : {&m0, &m1}) {
            const uint32_t port = m == &m0 ? rdt::PortM0 : rdt::PortM1;
            const rdt::core::LinkPinsOut own = m->pins();
            in.link[port] = {own.oe ? own.d : 0, own.req, own.cred};
            m->clock(pins.link[port], clock);
        }
        chip.drive(in, clock > 2);
        chip.settle();  // REQ reaches logic before the edge
        chip.edge();
    }
    const int clocks = came == 0 ? -1 : int(came - sent);
    std::printf("%s: first flit after %d cycles\n", clocks == 6 ? "PASS" : "FAIL", clocks);
    return clocks == 6 ? 0 : 1;
}
