// SPDX-License-Identifier: MIT
// Seven neighbors send to the eighth continuously; the MBPs of the node in between must still be
// served.
#include <gtest/gtest.h>

#include <map>

#include "attack/one_chip.h"

namespace rdt::tb {
namespace {

// After 31 cycles an MBP is one of ten in the round robin of an output. Grants are at most 44
// cycles apart: 16 flits, a change of direction, 16 flits of the other end, a change of direction,
// two acks; plus the time until the other end returns its credit.
constexpr uint64_t longest(uint64_t hold) { return AgedAt + 10 * (44 + hold); }

struct Case {
    uint32_t flits;
    uint64_t hold;  // cycles that the receiver keeps a packet
};

class Starvation : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(starvation, Starvation,
                         ::testing::Values(Case{3, 0}, Case{16, 0}, Case{16, 100}, Case{3, 200}),
                         [](const auto& p) {
                             return fmt::format("{}_{}", p.param.flits, p.param.hold);
                         });

TEST_P(Starvation, traffic_in_transit_does_not_starve_an_mbp) {
    constexpr uint64_t Clocks = 12000;
    OneChip chip("starvation", {});
    chip.at(PortS0).hold = [] { return GetParam().hold; };
    std::map<uint32_t, uint64_t> last;  // by sender
    std::map<uint32_t, uint64_t> most;
    const auto feed = [&](uint32_t port) {
        PacketSpec p = leaving_by(PortS0);
        p.tag = port % 8;
        p.mbp = port / 8;  // whose it is
        p.body.assign(GetParam().flits - 3, port);
        while (chip.at(port).queued() < 2) chip.at(port).send(0, encode(p));
    };
    chip.on_receive = [&](uint32_t, const Flits& f) {
        const auto sender = uint32_t(get(uint32_t(f[0]), H0Tag) + 8 * get(uint32_t(f[0]), H0Mbp));
        const uint64_t now = chip.net().now();
        most[sender] = std::max(most[sender], now - last[sender]);
        last[sender] = now;
    };
    for (uint32_t p = 0; p < NumPorts; ++p) last[p] = chip.net().now();
    for (uint64_t n = 0; n < Clocks; ++n) {
        for (uint32_t p = 0; p < NumPorts; ++p)
            if (p != PortS0) feed(p);
        ASSERT_TRUE(chip.clocks(1)) << chip.error();
    }
    for (const uint32_t mbp : {PortM0, PortM1}) {
        const uint64_t open = chip.net().now() - last[mbp];
        EXPECT_LE(std::max(most[mbp], open), longest(GetParam().hold))
            << "cycles between two packets of " << to_string(Port(mbp));
    }
}

}  // namespace
}  // namespace rdt::tb
