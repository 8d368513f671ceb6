// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/fast_machine.h>

#include <rdt/fast/chips_image.h>

namespace rdt::machine {

using fast::bit;
using fast::each;
using fast::PortBits;
using fast::TwoBits;

namespace {

constexpr fast::Ports Nodes = 0x0001000100010001;  // the first bit of each
constexpr fast::Ports NetworkPorts = Nodes * ((1u << PortM0) - 1);
constexpr fast::Ports MbpPorts = Nodes * (3u << PortM0);
constexpr uint32_t Mbps = NumPorts - PortM0;  // senders: from a port's number to that of its MBP

// While other threads may invert other bits, unless there are none.
template <bool Alone>
void invert(fast::Ports& word, fast::Ports bits) {
    if constexpr (Alone) word ^= bits;
    else __atomic_fetch_xor(&word, bits, __ATOMIC_RELAXED);
}

}  // namespace

FastMachine::FastMachine(const Config& config, bool has_chips)
    : Machine(config, this), m_lanes(std::max(config.threads, 1u)), m_workers(m_lanes) {
    if (has_chips) build();
}

void FastMachine::build() {
    m_awake.resize(nodes() / GroupSize);
    const ChipOptions options{OneLane, config().entries, false, config().reduce_width};
    m_chips = std::vector<Four>(nodes() / GroupSize, Four(options));
    m_far.resize(nodes() * PortBits);
    for (uint32_t n = 0; n < nodes(); ++n) {
        for (uint32_t m = 0; m < 2; ++m)
            mbp(n, m).wakes(m_awake[n / GroupSize], fast::at_chip(bit(PortM0 + m), n % GroupSize));
        m_views.emplace_back(m_chips[n / GroupSize], n % GroupSize);
        for (uint32_t p = 0; p < PortM0; ++p)
            m_far[n * PortBits + p] = geometry().neighbor(n, p) * PortBits + opposite(p);
        for (uint32_t p = PortM0; p < NumPorts; ++p) {
            m_far[n * PortBits + p] = n * PortBits + p + Mbps;
            m_far[n * PortBits + p + Mbps] = n * PortBits + p;
        }
    }
    reset();
}

fast::Local FastMachine::local(uint32_t node) const {
    const uint64_t since = m_groups[node / GroupSize].asleep_since;
    const uint64_t slept = since == 0 ? 0 : m_clock + 1 - since;
    return m_chips[node / GroupSize].local_after(node % GroupSize, slept);
}

void FastMachine::read_pins(PinWords* words) {
    for (uint32_t g = 0; g < m_chips.size(); ++g) {
        count_sleep(g);
        for (uint32_t k = 0; k < GroupSize; ++k) *words++ = pin_words(m_chips[g], k);
    }
}

void FastMachine::reset() {
    for (Four& chips : m_chips) chips.reset();
    m_groups.assign(m_chips.size(), {});
    for (auto& d : m_d) d.assign(nodes() * PortBits, 0);
    for (uint32_t n = 0; n < nodes(); ++n) wake(n);
}

void FastMachine::step(bool rst_n) {
    if (!rst_n) {
        reset();
        return;
    }
    if (disturbances().were_any() && !m_clears) clear_undriven();
    if (m_lanes == 1) step<true>();
    else step<false>();
    ++m_clock;
    count_flits();
}

void FastMachine::count_flits() {
    static_assert(LinkCounter::NodesOfWord == GroupSize && LinkCounter::EndsOfNode == PortBits);
    for (uint32_t g = 0; g < m_groups.size(); ++g)
        if (m_groups[g].driven != 0) flits().add(g, m_groups[g].driven);
    flits().end_clock();
}

template <bool Alone>
void FastMachine::step() {
    m_workers.run([this](unsigned lane) {
        for_groups(lane, [this](uint32_t g) {
            if (!sleeps(g)) compute(g);
        });
    });
    m_workers.run([this](unsigned lane) {
        for_groups(lane, [this](uint32_t g) {
            if (m_groups[g].has_news) tell<Alone>(m_groups[g], g * Four::Slots);
        });
    });
}

// D is 0 where it is not driven. Clearing costs time, and has no effect while both ends of every
// link agree.
void FastMachine::clear_undriven() {
    m_clears = true;
    for (size_t g = 0; g < m_groups.size(); ++g)
        for (const uint32_t p : each(~m_groups[g].driven & Nodes * 0xFFF))
            for (auto& d : m_d) d[m_far[g * Four::Slots + p]] = 0;
}

template <typename Work>
void FastMachine::for_groups(unsigned lane, Work&& work) {
    const auto groups = uint32_t(m_groups.size());
    // As lane_of() divides them.
    const auto first_of = [&](unsigned l) {
        return uint32_t((uint64_t(l) * groups + m_lanes - 1) / m_lanes);
    };
    const uint32_t end = first_of(lane + 1);
    for (uint32_t g = first_of(lane); g < end; ++g) work(g);
}

// Whether nothing can happen in a group in this cycle.
bool FastMachine::sleeps(uint32_t g) {
    Group& group = m_groups[g];
    if (group.asleep_since != 0) {
        if (stays_asleep(g)) return true;
        m_chips[g].skip(m_clock + 1 - group.asleep_since);
        group.asleep_since = 0;
        return false;
    }
    if (m_awake[g] != 0 || (group.driven | group.driven_before) != 0 ||
        ((group.seen | group.shown) & MbpPorts).any() != 0 || is_disturbed_group(g) ||
        !m_chips[g].quiet(group.seen) || !has_all_credits(g))
        return false;
    group.seen_asleep = group.seen;
    group.asleep_since = m_clock + 1;
    return true;
}

// Every group counts the cycles that it sleeps when it wakes up.
bool FastMachine::can_skip(uint64_t /*cycles*/) const {
    for (uint32_t g = 0; g < m_groups.size(); ++g)
        if (m_groups[g].asleep_since == 0 || !stays_asleep(g)) return false;
    return true;
}

// No MBP of a group waits for a credit: slow ticks do not count.
bool FastMachine::has_all_credits(uint32_t g) const {
    for (uint32_t n = g * GroupSize; n < (g + 1) * GroupSize; ++n)
        if (!mbp(n, 0).has_all_credits() || !mbp(n, 1).has_all_credits()) return false;
    return true;
}

// Outputs of the MBPs after this cycle; only their own routers read them.
FastMachine::Signals FastMachine::clock_mbps(uint32_t g, Ports& driven, flit_t* d) {
    Group& group = m_groups[g];
    const Four& chips = m_chips[g];
    const auto end_of = [&](uint32_t p) -> Endpoint& {
        return mbp(g * GroupSize + fast::chip_of(p), fast::port_of(p) - PortM0);
    };
    Ports& awake = m_awake[g];
    // Routers whose inputs may differ from the stored values are evaluated.
    const bool is_disturbed = is_disturbed_group(g);
    Ports busy = (awake | group.shown.any() | group.driven) & MbpPorts;
    Ports plain = ~group.shown.cred.any();
    if (is_disturbed || Endpoint::is_slow(now())) {
        busy = MbpPorts;
        plain = 0;
    }
    for (const uint32_t p : each(group.sending & plain & ~group.shown.req.high)) {
        Endpoint& end = end_of(p);
        if (!end.sends_on()) continue;
        d[p] = end.send_on();
        busy &= ~bit(p);
    }
    for (const uint32_t p :
         each(group.receiving & plain & group.shown.req.high & ~group.shown.req.low)) {
        Endpoint& end = end_of(p);
        if (!end.receives_on()) continue;
        end.receive_on((group.driven >> p & 1) != 0 ? chips.d(p) : 0);
        busy &= ~bit(p);
    }

    Signals shows = group.seen & MbpPorts;
    driven = group.driven & MbpPorts << Mbps;
    for (const uint32_t p : each(busy)) {
        Endpoint& end = end_of(p);
        end.clock(
            seen_by_mbp(g * GroupSize + fast::chip_of(p), fast::port_of(p) - PortM0, chips.pins(p)),
            now());
        const core::LinkPinsOut out = end.pins();
        if (out.oe) d[p] = out.d;
        shows.req.set(p, out.req);
        shows.cred.set(p, out.cred);
        fast::set_bit(driven, p + Mbps, out.oe);
        fast::set_bit(awake, p, !end.quiet());
        fast::set_bit(group.sending, p, end.sends_on());
        fast::set_bit(group.receiving, p, end.receives_on());
    }
    return shows;
}

void FastMachine::compute(uint32_t g) {
    Group& group = m_groups[g];
    Four& chips = m_chips[g];
    const uint32_t first = g * Four::Slots;
    flit_t* const d = m_d[(m_clock + 1) & 1].data();
    Ports driven = 0;
    const Signals mbps = clock_mbps(g, driven, d + first);

    const uint32_t* const far = &m_far[first];
    const Pins pins{group.seen.req, group.seen.cred, &m_d[m_clock & 1][first], d, far};
    if (is_disturbed_group(g)) chips.clock(disturbed(g, pins));
    else chips.clock(pins);

    driven |= chips.oe();
    // An end that has stopped is cleared for the two cycles in which its flits stay readable.
    if (m_clears)
        for (const uint32_t p : each((group.driven | group.driven_before) & ~driven)) d[far[p]] = 0;
    group.driven_before = group.driven;
    group.driven = driven;

    // In this half of a cycle no other thread writes the inputs of a group.
    const Signals shows{chips.req(), chips.cred()};
    group.seen = (group.seen & NetworkPorts) | mbps;
    group.change = (shows ^ group.shown) & NetworkPorts;
    group.has_news = group.change.any() != 0;
    group.shown = shows;
}

FastMachine::DisturbedPins FastMachine::disturbed(uint32_t g, const Pins& pins) const {
    DisturbedPins out{pins, pins.req, pins.cred, {}};
    for (uint32_t n = 0; n < GroupSize; ++n)
        for (uint32_t port = 0; port < NumPorts; ++port) {
            const uint32_t p = n * PortBits + port;
            core::LinkPinsIn in{pins.d(p), pins.req.of(p), pins.cred.of(p)};
            disturbances().apply(g * GroupSize + n, port, in);
            out.d_in[p] = in.d;
            out.req.set(p, in.req);
            out.cred.set(p, in.cred);
        }
    return out;
}

template <bool Alone>
void FastMachine::tell(Group& group, uint32_t first_sender) {
    group.has_news = false;
    const auto move = [&](const TwoBits& change, TwoBits Signals::*of) {
        for (const uint32_t p : each(change.any())) {
            const uint32_t to = m_far[first_sender + p];
            TwoBits& seen = m_groups[to / Four::Slots].seen.*of;
            const uint32_t at = to % Four::Slots;
            invert<Alone>(seen.low, (change.low >> p & 1) << at);
            invert<Alone>(seen.high, (change.high >> p & 1) << at);
        }
    };
    move(group.change.req, &Signals::req);
    move(group.change.cred, &Signals::cred);
}

size_t FastMachine::bytes() const {
    return m_chips.size() * (sizeof(Four) + sizeof(Group)) +
           nodes() * (2 * sizeof(Endpoint) + sizeof(View) +
                      PortBits * (sizeof(uint32_t) + 2 * sizeof(flit_t)));
}

// Registers out of the fast engine and into it.
using fast::PortBits;

fast::ChipImage FastMachine::image(uint32_t node) const {
    fast::ChipImage image = m_chips[node / GroupSize].image(node % GroupSize);
    const uint64_t since = m_groups[node / GroupSize].asleep_since;
    if (since != 0) image.inject.skip(m_clock + 1 - since);
    return image;
}

void FastMachine::pause() {
    for (uint32_t g = 0; g < m_chips.size(); ++g) {
        const uint64_t since = std::exchange(m_groups[g].asleep_since, 0);
        if (since != 0) m_chips[g].skip(m_clock + 1 - since);
    }
}

void FastMachine::begin_load(uint64_t clocks) {
    for (Four& chips : m_chips) chips.skip(clocks);
}

void FastMachine::begin_load(const FastMachine& up, uint64_t now) {
    for (uint32_t g = 0; g < m_chips.size(); ++g) {
        const uint64_t since = up.m_groups[g].asleep_since;
        m_chips[g] = up.m_chips[g];
        m_chips[g].skip((since == 0 ? 0 : up.m_clock + 1 - since) + now - up.now());
    }
}

// Links that are off stay as they are.
void FastMachine::load(uint32_t node, const fast::ChipImage& image, const fast::Local::In* last,
                       uint32_t status) {
    Four& chips = m_chips[node / GroupSize];
    fast::ChipImage all = image;
    const fast::ChipImage before = chips.image(node % GroupSize);
    for (uint32_t p = 0; p < NumPorts; ++p) {
        if (has_link(p)) continue;
        all.link[p] = before.link[p];
        all.out[p] = before.out[p];
    }
    chips.load(node % GroupSize, all, last, status);
}

// Values that all groups read from the others.
void FastMachine::end_load() {
    m_clock = 0;
    m_groups.assign(m_chips.size(), {});
    for (auto& d : m_d) d.assign(nodes() * PortBits, 0);
    for (uint32_t n = 0; n < nodes(); ++n) {
        Group& group = m_groups[n / GroupSize];
        const uint32_t first = n % GroupSize * PortBits;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const core::LinkPinsOut own = FastMachine::pins(n, p);
            const core::LinkPinsOut far =
                is_network(p) ? FastMachine::pins(geometry().neighbor(n, p), opposite(p))
                              : mbp(n, p - PortM0).pins();
            group.shown.req.set(first + p, own.req);
            group.shown.cred.set(first + p, own.cred);
            group.seen.req.set(first + p, far.req);
            group.seen.cred.set(first + p, far.cred);
            fast::set_bit(group.driven, first + p, own.oe);
            if (!is_network(p)) fast::set_bit(group.driven, first + p + NumPorts - PortM0, far.oe);
            m_d[0][n * PortBits + p] = far.oe ? far.d : 0;
        }
        group.driven_before = group.driven;
        wake(n);
    }
}

}  // namespace rdt::machine
