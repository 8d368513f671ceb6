// SPDX-License-Identifier: MIT
#include "bench/stimulus.h"

#include <random>

#include <rdt/machine/packets.h>

namespace rdt::bench {

namespace {

// For a node of rank 1, to leave it through the given port.
machine::Flits packet_for(uint32_t port, uint32_t body_flits, std::mt19937_64& random) {
    Vectors v;
    const int step = port % 2 == 0 ? 1 : -1;
    if (is_network(port)) (port % 4 < 2 ? v[port / 4].x : v[port / 4].y) = step;
    const int mbp = is_network(port) ? 0 : int(port - PortM0);
    machine::Flits flits =
        machine::flits_of(make_header(v, mbp, TypeUni, 2 + int(body_flits), 0, MaxHops));
    for (uint32_t k = 0; k < body_flits; ++k)
        flits.push_back(make_flit(uint32_t(random()) & 0x1FFFF));
    return flits;
}

}  // namespace

Stimulus record(uint64_t clocks, uint64_t seed) {
    std::mt19937_64 random(seed);
    fast::Router chip;
    std::vector<machine::Endpoint> ends;
    for (uint32_t p = 0; p < NumPorts; ++p) ends.emplace_back(p);
    ends[PortM0].send(0, machine::setup_packet({{RegRank, 1}, {RegLink, 0xFF}}));

    Stimulus s;
    s.pins.resize(clocks);
    for (uint64_t t = 0; t < clocks; ++t) {
        core::PinsIn& in = s.pins[t];
        for (uint32_t p = 0; p < NumPorts; ++p) {
            if (t > 100 && ends[p].queued() < 4) {
                const auto to = uint32_t(random() % NumPorts);
                const auto body_flits = uint32_t(random() % 14);
                const machine::Flits packet = packet_for(to, body_flits, random);
                ends[p].send(uint32_t(random() % vcs_of(p)), packet);
            }
            const core::LinkPinsOut mine = chip.pins(p);
            const core::LinkPinsOut theirs = ends[p].pins();
            in.link[p] = {mine.oe ? mine.d : theirs.oe ? theirs.d : 0, theirs.req, theirs.cred};
            ends[p].clock(mine, t);
        }
        chip.clock(in);
        for (uint32_t p = 0; p < NumPorts; ++p) {
            s.flits += chip.pins(p).oe ? 1 : 0;
            s.checksum = fold(s.checksum, chip.pins(p));
        }
    }
    return s;
}

}  // namespace rdt::bench
