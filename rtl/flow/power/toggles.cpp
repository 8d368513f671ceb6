// SPDX-License-Identifier: MIT
// How often each net of the synthesized chip changes under a load, for `make power`.
//
//     toggles FILE CYCLES LOAD [SEED]
//
// LOAD is the chance, in percent, with which each of the ten ends that has nothing to
// send gets a packet in a cycle. Unicasts of 16 flits with random payload to any port.
// Gates have no delay here, so there are no glitches.
// Prints `cycles`, `flits_in` and `flits_out` of all links, then a line for each
// flip-flop and for each gate in the file's order: how often its output changed.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "netlist/gates.h"
#include "netlist/packets.h"
#include "netlist/peer.h"
#include <rdt/core/format.h>

namespace rdt::tb {
namespace {

constexpr uint64_t WarmUp = 2000;  // cycles: links come up, registers are written

class Load {
public:
    Load(const std::string& file, uint64_t seed) : m_random(seed), m_gates(file) {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            m_ends[p].emplace(p).on_receive = [this](const Flits& flits) {
                m_flits_out += flits.size();
            };
            m_pins[p] = nets_of(p);
        }
        reset();
    }

    void run(uint64_t clocks, uint32_t percent) {
        m_ends[PortM0]->send(
            0, setup_write({{RegRank, 1}, {RegXfer, 3}, {RegLink, 0xFF}, {RegRanks, 15}}));
        for (uint64_t n = 0; n < WarmUp; ++n) step(n < WarmUp / 2 ? 0 : percent);
        m_flits_in = m_flits_out = 0;
        m_gates.count_changes();
        for (uint64_t n = 0; n < clocks; ++n) step(percent);
        std::printf("cycles %" PRIu64 "\nflits_in %" PRIu64 "\nflits_out %" PRIu64 "\n", clocks,
                    m_flits_in, m_flits_out);
        for (const uint32_t changes : m_gates.changes()) std::printf("%u\n", changes);
    }

private:
    struct Nets {
        std::vector<uint32_t> d_in, req_in, cred_in, d, oe, req, cred;
    };

    std::vector<uint32_t> part(const char* port, uint32_t width, uint32_t p) const {
        const auto& all = m_gates.nets_of(port);
        return {all.begin() + width * p, all.begin() + width * (p + 1)};
    }
    Nets nets_of(uint32_t p) const {
        return {part("d_i", 18, p),   part("req_i", 2, p), part("cred_i", 2, p), part("d_o", 18, p),
                part("d_oe_o", 1, p), part("req_o", 2, p), part("cred_o", 2, p)};
    }

    uint32_t read(const std::vector<uint32_t>& nets) const {
        uint32_t value = 0;
        for (size_t b = 0; b < nets.size(); ++b) value |= uint32_t(m_gates.value(nets[b]) & 1) << b;
        return value;
    }
    void drive(const std::vector<uint32_t>& nets, uint32_t value) {
        for (size_t b = 0; b < nets.size(); ++b) m_gates.drive(nets[b], (value >> b & 1) != 0);
    }

    void reset() {
        m_gates.drive(m_gates.nets_of("rst_ni")[0], false);
        for (int n = 0; n < 3; ++n) m_gates.clock();
        m_gates.drive(m_gates.nets_of("rst_ni")[0], true);
    }

    void step(uint32_t percent) {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            if (m_ends[p]->queued() == 0 && m_random.chance(percent)) send(p);
            const Nets& nets = m_pins[p];
            const PinsOut chip{read(nets.d), read(nets.oe) != 0, read(nets.req), read(nets.cred)};
            const PinsOut end = m_ends[p]->pins();
            const uint32_t line = chip.oe ? chip.d : end.oe ? end.d : 0;
            if (end.oe) ++m_flits_in;
            drive(nets.d_in, line);
            drive(nets.req_in, end.req);
            drive(nets.cred_in, end.cred);
            m_ends[p]->clock(chip, line);
        }
        m_gates.clock();
    }

    // Anywhere: on rank 0 or 1 in some direction, or to an MBP of this node.
    void send(uint32_t p) {
        PacketSpec packet;
        packet.mbp = m_random.bits(1);
        const uint32_t way = m_random.below(5);
        const int far = m_random.chance(50) ? 2 : -2;
        if (way < 4) {
            auto& v = packet.v[way / 2];
            (way % 2 == 0 ? v.x : v.y) = far;
        }
        packet.body.resize(13);
        for (uint32_t& payload : packet.body) payload = m_random.bits(17);
        m_ends[p]->send(0, encode(packet));
    }

    Dice m_random;
    Gates m_gates;
    std::array<std::optional<Peer>, NumPorts> m_ends;
    std::array<Nets, NumPorts> m_pins;
    uint64_t m_flits_in = 0, m_flits_out = 0;
};

}  // namespace
}  // namespace rdt::tb

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: toggles FILE CYCLES LOAD [SEED]\n");
        return 2;
    }
    rdt::tb::Load load(argv[1], argc > 4 ? std::strtoull(argv[4], nullptr, 0) : 1);
    load.run(std::strtoull(argv[2], nullptr, 0), uint32_t(std::strtoul(argv[3], nullptr, 0)));
}
