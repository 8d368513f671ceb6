// SPDX-License-Identifier: MIT
#include "bench/stimulus.h"

#include <random>

#include "common/setup.h"
#include "machine/endpoint.h"

namespace rdt::bench {
Stimulus record(uint64_t clocks, uint64_t seed) {
    std::mt19937_64 random(seed);
    fast::Router chip;
    std::vector<machine::Endpoint> ends;
    for (uint32_t p = 0; p < NumPorts; ++p) ends.emplace_back(p);
    ends[PortM0].send(0, tb::setup_write({{RegRank, 1}, {RegLink, 0xFF}}));

    Stimulus s;
    s.pins.resize(clocks);
    for (uint64_t t = 0; t < clocks; ++t) {
        core::PinsIn& in = s.pins[t];
        for (uint32_t p = 0; p < NumPorts; ++p) {
            if (t > 100 && ends[p].queued() < 4) {
                tb::PacketSpec packet = tb::leaving_by(uint32_t(random() % NumPorts));
                packet.body.resize(random() % 14);
                for (uint32_t& payload : packet.body) payload = uint32_t(random()) & 0x1FFFF;
                ends[p].send(uint32_t(random() % vcs_of(p)), tb::encode(packet));
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
