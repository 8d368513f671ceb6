// SPDX-License-Identifier: MIT
#include "machine/fast_machine.h"

#include <cstring>

namespace rdt::machine {

using core::Ports;
using core::TwoBits;

namespace {

constexpr Ports MbpPorts = 3u << PortM0;

TwoBits changed(const TwoBits& a, const TwoBits& b) { return {a.low ^ b.low, a.high ^ b.high}; }

// Others may change other bits of the same word at the same time.
void invert(Ports& word, Ports bits) {
    if (bits != 0) __atomic_fetch_xor(&word, bits, __ATOMIC_RELAXED);
}
void wake(uint8_t& flag) { __atomic_store_n(&flag, 1, __ATOMIC_RELAXED); }

}  // namespace

FastMachine::FastMachine(const Config& config)
    : Machine(config), m_chips(nodes()), m_crew(lanes()) {
    for (uint32_t n = 0; n < nodes(); ++n)
        for (uint32_t p = 0; p < NumPorts; ++p)
            m_far.push_back(is_network(p) ? geometry().neighbour(n, p) * Senders + opposite(p)
                                          : n * Senders + p + 2);
    reset();
}

void FastMachine::reset() {
    for (core::Router& chip : m_chips) chip.reset();
    m_nodes.assign(nodes(), {});
    for (auto& d : m_d) d.assign(nodes() * Senders, 0);
    std::fill(awake().begin(), awake().end(), uint8_t(1));
}

void FastMachine::step(bool rst_n) {
    if (!rst_n) {
        reset();
        return;
    }
    m_crew.run([this](unsigned lane) { for_awake(lane, [this](uint32_t n) { compute(n); }); });
    m_crew.run([this](unsigned lane) {
        for_awake(lane, [this](uint32_t n) {
            if (m_nodes[n].clocked) tell(n);
        });
    });
    ++m_clock;
}

// Nodes of a lane that are awake, a block at a look.
template <typename Work>
void FastMachine::for_awake(unsigned lane, Work&& work) {
    const uint32_t blocks = nodes() / Block;
    const auto first_of = [&](unsigned l) { return (l * blocks + lanes() - 1) / lanes(); };
    for (uint32_t block = first_of(lane); block < first_of(lane + 1); ++block) {
        uint64_t flags = 0;
        static_assert(sizeof flags == Block);
        std::memcpy(&flags, &awake()[block * Block], Block);
        if (flags == 0) continue;
        for (uint32_t n = block * Block; n < (block + 1) * Block; ++n)
            if (awake()[n] != 0) work(n);
    }
}

// Whether nothing can happen at a node in this clock.
bool FastMachine::falls_asleep(uint32_t n) {
    Node& node = m_nodes[n];
    if (!node.at_rest || (node.seen.req.any() | node.seen.cred.any()) != 0 || is_disturbed(n) ||
        !mbp(n, 0).quiet() || !mbp(n, 1).quiet())
        return false;
    node.asleep_since = m_clock + 1;
    awake()[n] = 0;
    return true;
}

void FastMachine::compute(uint32_t n) {
    Node& node = m_nodes[n];
    core::Router& chip = m_chips[n];
    if (node.asleep_since != 0) {
        chip.skip(m_clock + 1 - node.asleep_since);
        node.asleep_since = 0;
    } else if (falls_asleep(n)) {
        return;
    }
    for (uint32_t m = 0; m < 2; ++m) {
        Endpoint& end = mbp(n, m);
        const uint32_t p = PortM0 + m;
        const bool shown = ((node.shown.req.any() | node.shown.cred.any() | node.oe) >> p & 1) != 0;
        if (shown || !end.quiet()) end.clock(chip.pins(p), now());
    }
    if (is_disturbed(n)) clock_disturbed(n);
    else
        chip.clock(
            Pins{node.seen.req, node.seen.cred, m_d[m_clock & 1].data(), &m_far[n * NumPorts]});
    node.clocked = true;
}

void FastMachine::clock_disturbed(uint32_t n) {
    const Node& node = m_nodes[n];
    core::Router::PinsIn in;
    for (uint32_t p = 0; p < NumPorts; ++p) {
        in.link[p] = {m_d[m_clock & 1][m_far[n * NumPorts + p]], node.seen.req.of(p),
                      node.seen.cred.of(p)};
        disturb(n, p, in.link[p]);
    }
    m_chips[n].clock(in);
}

void FastMachine::tell(uint32_t n) {
    Node& node = m_nodes[n];
    const core::Router& chip = m_chips[n];
    node.clocked = false;
    flit_t* d = &m_d[(m_clock + 1) & 1][n * Senders];

    // A port that has stopped is cleared for the two clocks that its flits stay readable.
    const Ports oe = chip.oe();
    for (Ports left = oe | node.oe | node.oe_before; left != 0; left &= left - 1) {
        const uint32_t p = uint32_t(__builtin_ctz(left));
        d[p] = (oe >> p & 1) != 0 ? chip.d(p) : 0;
    }
    node.oe_before = node.oe;
    node.oe = oe;

    const Signals change{changed(chip.req(), node.shown.req),
                         changed(chip.cred(), node.shown.cred)};
    for (Ports left = (change.req.any() | change.cred.any()) & ~MbpPorts; left != 0;
         left &= left - 1)
        tell_neighbour(n, uint32_t(__builtin_ctz(left)), change);
    node.shown = {chip.req(), chip.cred()};

    Signals mbps;
    Ports mbp_oe = 0;
    bool quiet = true;
    for (uint32_t m = 0; m < 2; ++m) {
        const Endpoint& end = mbp(n, m);
        const core::LinkPinsOut out = end.pins();
        const uint32_t p = PortM0 + m;
        mbps.req.set(p, out.req);
        mbps.cred.set(p, out.cred);
        mbp_oe |= uint32_t(out.oe) << p;
        if (((mbp_oe | node.mbp_oe | node.mbp_oe_before) >> p & 1) != 0)
            d[p + 2] = out.oe ? out.d : 0;
        quiet = quiet && end.quiet();
    }
    node.mbp_oe_before = node.mbp_oe;
    node.mbp_oe = mbp_oe;
    const Signals from_mbps{changed(mbps.req, node.mbp_shown.req),
                            changed(mbps.cred, node.mbp_shown.cred)};
    node.mbp_shown = mbps;
    invert(node.seen.req.low, from_mbps.req.low);
    invert(node.seen.req.high, from_mbps.req.high);
    invert(node.seen.cred.low, from_mbps.cred.low);
    invert(node.seen.cred.high, from_mbps.cred.high);

    const Ports pins = chip.req().any() | chip.cred().any() | mbps.req.any() | mbps.cred.any() |
                       node.oe | node.oe_before | mbp_oe | node.mbp_oe_before;
    node.at_rest = quiet && pins == 0 && chip.quiet();
}

void FastMachine::tell_neighbour(uint32_t n, uint32_t port, const Signals& change) {
    const uint32_t to = geometry().neighbour(n, port);
    Signals& seen = m_nodes[to].seen;
    const uint32_t at = opposite(port);
    const auto moved = [port, at](Ports word) { return (word >> port & 1) << at; };
    invert(seen.req.low, moved(change.req.low));
    invert(seen.req.high, moved(change.req.high));
    invert(seen.cred.low, moved(change.cred.low));
    invert(seen.cred.high, moved(change.cred.high));
    wake(awake()[to]);
}

LinkFlits FastMachine::link_flits() const {
    LinkFlits flits;
    for (uint32_t n = 0; n < nodes(); ++n) {
        if (awake()[n] == 0) continue;
        const Node& node = m_nodes[n];
        flits.rank0 += uint32_t(__builtin_popcount(node.oe & 0xFu));
        flits.upper += uint32_t(__builtin_popcount(node.oe & 0xFu << PortE1));
        flits.mbp +=
            uint32_t(__builtin_popcount(node.oe & MbpPorts) + __builtin_popcount(node.mbp_oe));
    }
    return flits;
}

size_t FastMachine::bytes() const {
    return nodes() * (sizeof(core::Router) + sizeof(Node) + 2 * sizeof(Endpoint) +
                      NumPorts * sizeof(uint32_t) + 2 * Senders * sizeof(flit_t));
}

}  // namespace rdt::machine
