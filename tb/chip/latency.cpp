// SPDX-License-Identifier: MIT
// Six cycles through the chip, then a flit per cycle. Both models in lockstep, so
// what is measured holds for both.
#include <gtest/gtest.h>

#include "common/bring_up.h"
#include "common/chip_net.h"
#include "common/run_options.h"

namespace rdt::tb {
namespace {

class Pairs {
public:
    Pairs() : m_net(1, "latency", 0, "build/bin/chip_latency") {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            Endpoint& end = m_net.attach(0, p);
            end.on_start = [this](const Endpoint::Sent&, uint64_t clock) { m_in = clock; };
            end.on_receive = [this, p](const Endpoint::Received& r) {
                m_out_port = p;
                m_received = r;
                ++m_count;
            };
        }
        m_net.reset();
        configure(m_net, 0, {{1, 0, 0}, 0xFF, 0, 0, 0});
        m_net.drain(1000);
    }

    // One packet through an otherwise idle chip.
    void pass(uint32_t from, uint32_t to, uint32_t flits) {
        PacketSpec packet = leaving_by(to);
        packet.body.resize(flits - 3, 0x155AA);
        m_count = 0;
        m_net.endpoint(0, from).send(0, encode(packet));
        const LinkChecker& out = m_net.link(0, to);
        uint64_t first = 0;
        uint64_t last = 0;
        for (int n = 0; n < 80; ++n) {
            const uint64_t before = out.flits(0);
            ASSERT_TRUE(m_net.clock()) << m_net.error();
            if (out.flits(0) == before) continue;
            if (first == 0) first = m_net.now();
            last = m_net.now();
        }
        ASSERT_EQ(m_count, 1u) << "from " << to_string(Port(from)) << " to " << to_string(Port(to));
        EXPECT_EQ(m_out_port, to);
        EXPECT_EQ(m_received.flits.size(), flits);
        EXPECT_EQ(m_received.clock - m_in, 6u)
            << "H0 in to H0 out from " << to_string(Port(from)) << " to " << to_string(Port(to));
        EXPECT_EQ(last - first + 1, flits) << "not one flit per cycle";
    }

private:
    ChipNet m_net;
    uint64_t m_in = 0;
    uint32_t m_out_port = 0;
    uint64_t m_count = 0;
    Endpoint::Received m_received{};
};

TEST(latency, header_takes_six_cycles_between_every_pair_of_ports) {
    Pairs pairs;
    int passed = 0;
    for (uint32_t from = 0; from < NumPorts; ++from)
        for (uint32_t to = 0; to < NumPorts; ++to, ++passed) {
            pairs.pass(from, to, 3);
            if (HasFatalFailure()) return;
        }
    EXPECT_EQ(passed, 100);
}

// A packet of 16 flits still comes in on its line when it would go out on the
// same one, so a port is not paired with itself here.
TEST(latency, longest_packet_takes_six_cycles_then_one_flit_per_cycle) {
    Pairs pairs;
    for (uint32_t from = 0; from < NumPorts; ++from)
        for (uint32_t to = 0; to < NumPorts; ++to) {
            if (from == to) continue;
            pairs.pass(from, to, 16);
            if (HasFatalFailure()) return;
        }
}

}  // namespace
}  // namespace rdt::tb
