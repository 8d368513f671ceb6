// SPDX-License-Identifier: MIT
#include "common/watched_load.h"

#include <fmt/core.h>

#include <rdt/core/entry_class.h>
#include <rdt/machine/packets.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::tb {

using machine::Endpoint;

namespace {

constexpr size_t FirstBody = 3;  // two flits with the packet's serial, then a pattern of it
constexpr uint64_t SerialBits = 17;
// Between two clearings of a chip's error pin: more than a SETUP packet waits at this load.
constexpr uint64_t ClearGap = 200;

uint32_t pattern(uint64_t serial, size_t k) {
    return uint32_t((serial * 16 + k) * 0x9E3779B97F4A7C15 >> 40) & PayloadMask;
}

constexpr uint64_t Unreadable = ~uint64_t(0);
uint64_t serial_of(const Flits& flits) {
    if (flits.size() < FirstBody + 2) return Unreadable;
    for (size_t k = FirstBody; k < FirstBody + 2; ++k)
        if (!is_good(uint32_t(flits[k]), k)) return Unreadable;
    return payload_of(flits[FirstBody]) | uint64_t(payload_of(flits[FirstBody + 1])) << SerialBits;
}

bool has_pattern(const Flits& flits, uint64_t serial) {
    for (size_t k = FirstBody + 2; k < flits.size(); ++k)
        if (flits[k] != with_parity(pattern(serial, k))) return false;
    return true;
}

bool is_sound(const Flits& flits) {
    if (flits.size() != size_t(get(uint32_t(flits[0]), H0Len)) + 1) return false;
    for (size_t k = 0; k < flits.size(); ++k)
        if (!is_good(uint32_t(flits[k]), k)) return false;
    return true;
}

}  // namespace

WatchedLoad::WatchedLoad(machine::Machine& machine, const LoadOptions& options)
    : m_machine(machine), m_options(options), m_random(options.seed), m_tags(2 * Nodes) {
    for (uint32_t n = 0; n < Nodes; ++n) m_due[n] = double(n) / Nodes;
    for (uint32_t at = 0; at < 2 * Nodes; ++at) attach(at);
}

WatchedLoad::~WatchedLoad() {
    for (uint32_t at = 0; at < 2 * Nodes; ++at) {
        Endpoint& end = m_machine.mbp(at / 2, at % 2);
        end.on_start = nullptr;
        end.on_receive = nullptr;
        end.on_ack = nullptr;
        end.on_sync = nullptr;
    }
}

void WatchedLoad::disturb(uint32_t node, uint32_t port, bool lasting, uint64_t most_lost) {
    const LinkEnd end{node, port};
    const LinkEnd far =
        is_network(port) ? LinkEnd{m_machine.geometry().neighbor(node, port), opposite(port)} : end;
    m_faults.push_back({now(), {end, far}, lasting, most_lost});
}

void WatchedLoad::attach(uint32_t at) {
    Endpoint& end = m_machine.mbp(at / 2, at % 2);
    end.on_start = [this](const Endpoint::Sent& sent, uint64_t clock) {
        if (get(sent.flits[0], H0Type) == int(TypeSetup)) return;
        if (Record* r = find(serial_of({sent.flits.begin(), sent.flits.end()}))) r->started = clock;
    };
    end.on_receive = [this, at](const Endpoint::Received& r) {
        receive(at, {r.flits.begin(), r.flits.end()});
    };
    end.on_ack = [this, at](const core::AckNote& ack) { answered(at, ack.tag, ack.status); };
    end.on_sync = [this, at] { m_seen.push_back({now(), at / 2, 1u << (PortM0 + at % 2)}); };
}

WatchedLoad::SliceCount& WatchedLoad::slice(uint64_t clock) {
    if (m_slices.size() <= clock / Slice) m_slices.resize(clock / Slice + 1);
    return m_slices[clock / Slice];
}

void WatchedLoad::blame(const std::string& what) {
    if (m_wrong.size() < 1000) m_wrong += fmt::format("cycle {}: {}\n", now(), what);
}

void WatchedLoad::clocks(uint64_t n, bool sends) {
    for (; n > 0; --n) {
        for (uint32_t node = 0; node < Nodes && sends; ++node) {
            m_due[node] += m_options.load / m_options.flits;
            if (m_due[node] < 1) continue;
            m_due[node] -= 1;
            send(node);
        }
        m_machine.clock();
        if (now() % 4 == 0) watch_pins();
        if (now() % 64 == 0) judge(false);
    }
}

bool WatchedLoad::drain(uint64_t limit) {
    for (uint64_t n = 0, quiet = 0; quiet < 16; ++n) {
        if (n > limit) return false;
        clocks(1, false);
        quiet = m_machine.idle() ? quiet + 1 : 0;
    }
    return true;
}

void WatchedLoad::send(uint32_t node) {
    Record r;
    const uint32_t m = m_random.bits(1) | (m_options.mbp0_sends ? 0 : 1);
    r.from = 2 * node + m;
    if (is_dead && is_dead(r.from)) return;
    r.mbp = m_random.bits(1);
    uint32_t to = m_random.below(Nodes - 1);
    to += to >= node ? 1 : 0;
    auto& tags = m_tags[r.from];
    uint64_t maps = 0;
    if (m_random.below(1 << 20) < m_options.multicasts * (1 << 20)) {
        for (r.tag = 1; r.tag <= MaxOrdinaryTag && tags[r.tag] != 0;) ++r.tag;
        if (r.tag > MaxOrdinaryTag) r.tag = 0;
    }
    if (r.tag != 0) {
        maps = map_byte(0, 1 + m_random.below(255));
        if (m_random.chance(25)) maps |= map_byte(1, m_random.bits(8));
        const std::vector<uint32_t> count = receipts(m_machine.geometry(), node, maps);
        for (uint32_t n = 0; n < Nodes; ++n) r.waiting |= uint64_t(count[n] != 0) << n;
        if (r.waiting == 0) r.tag = 0;
    }
    if (r.tag == 0) {
        maps = 0;
        r.waiting = uint64_t(1) << to;
        r.counts = !counts || counts(node, to);
    } else {
        r.answered = false;
        r.maps = maps;
        r.counts = !counts;
        tags[r.tag] = m_sent + 1;
    }
    if (is_held && is_held(node)) r.counts = false;
    r.to = r.waiting;
    r.born = now();
    if (r.counts) slice(now()).sent += m_options.flits;
    m_records.push_back(r);
    const Flits flits = encode(r, m_sent, maps);
    ++m_sent;
    m_machine.mbp(node, m).send(0, {flits.begin(), flits.end()});
}

Flits WatchedLoad::encode(const Record& r, uint64_t serial, uint64_t maps) {
    const int len = int(m_options.flits) - 1;
    const uint32_t node = r.from / 2;
    const auto header = r.tag != 0
                            ? multicast_header(maps, int(r.mbp), TypeMcSm, len, int(r.tag))
                            : m_machine.geometry().make_header(
                                  node, uint32_t(__builtin_ctzll(r.to)), int(r.mbp), TypeUni, len);
    const machine::Flits head = machine::flits_of(header);
    Flits flits(head.begin(), head.end());
    flits.push_back(with_parity(uint32_t(serial) & PayloadMask));
    flits.push_back(with_parity(uint32_t(serial >> SerialBits) & PayloadMask));
    for (size_t k = flits.size(); k < m_options.flits; ++k)
        flits.push_back(with_parity(pattern(serial, k)));
    return flits;
}

WatchedLoad::Record* WatchedLoad::find(uint64_t serial) {
    if (serial >= m_first && serial < m_sent) return &m_records[serial - m_first];
    const auto it = m_given_up.find(serial);
    return it == m_given_up.end() ? nullptr : &it->second;
}

// Two flits of its pattern identify the packet; a truncated packet has none.
WatchedLoad::Record* WatchedLoad::find_damaged(uint32_t at, const Flits& flits) {
    for (uint64_t k = 0; k < m_records.size(); ++k) {
        Record& r = m_records[k];
        if ((r.waiting >> (at / 2) & 1) == 0 || r.mbp != at % 2) continue;
        size_t same = 0;
        for (size_t f = FirstBody + 2; f < flits.size(); ++f)
            same += flits[f] == with_parity(pattern(m_first + k, f)) ? 1 : 0;
        if (same >= 2) return &r;  // 17 bits each, derived from the serial number
    }
    return nullptr;
}

void WatchedLoad::receive(uint32_t at, const Flits& flits) {
    const uint32_t node = at / 2;
    const auto h0 = uint32_t(flits[0]);
    const int type = get(h0, H0Type);
    const bool sound = is_sound(flits);
    if (sound && type == int(TypeErr)) {
        const uint32_t code = h0 & 15;
        ++m_reports[node][code];
        const auto port = uint32_t(get(uint32_t(flits[1]), H1Slotport));
        if (code == ErrLinkSync || code == ErrSunk) m_seen.push_back({now(), node, 1u << port});
    }
    if (sound && (type == int(TypeErr) || type == int(TypeSetup))) return;
    const auto tag = uint32_t(get(h0, H0Tag));
    if (is_multicast(h0) && tag != 0 && is_good(h0, 0))
        m_machine.mbp(node, at % 2)
            .send_ack(tag, sound ? 0 : 1u << AckError,
                      Endpoint::generation_of({flits.begin(), flits.end()}));
    const uint64_t serial = serial_of(flits);
    Record* r = sound ? find(serial) : find_damaged(at, flits);
    if (!sound) {
        if (r != nullptr) r->marked = true;
        else m_damaged.push_back({now(), at});
        return;
    }
    if (r == nullptr)
        return blame(fmt::format("MBP {} received a valid packet that is not in flight", at));
    if (!has_pattern(flits, serial)) {
        if (!beats_parity(*r, serial, flits))
            return blame(fmt::format("MBP {} took a packet that is not as it was sent", at));
        ++m_beaten;
        r->marked = true;
        return;
    }
    const uint64_t bit = uint64_t(1) << node;
    if ((r->to & bit) == 0 || r->mbp != at % 2)
        return blame(fmt::format("MBP {} took a packet that was not for it", at));
    if ((r->waiting & bit) == 0)
        return blame(fmt::format("MBP {} took a packet of MBP {} twice", at, r->from));
    r->waiting &= ~bit;
    slice(now()).received += flits.size();
    if (r->waiting != 0) return;
    ++m_delivered;
    if (r->counts && now() - r->born <= InTime) slice(r->born).in_time += m_options.flits;
}

void WatchedLoad::answered(uint32_t at, uint32_t tag, uint32_t status) {
    const uint64_t serial = m_tags[at][tag];
    if (serial == 0) return blame(fmt::format("MBP {} was answered without a question", at));
    m_tags[at][tag] = 0;
    Record& r = m_records[serial - 1 - m_first];
    r.answered = true;
    if (status == 0 && r.waiting != 0)
        blame(fmt::format(
            "MBP {} got an ack without error, but nodes {:#x} did not receive the packet", at,
            r.waiting));
    if (status != 0) r.marked = true;  // its sender knows
}

// Reads the counters, so that an event is seen while the previous one is cleared. It clears only
// values that it has read, and never counters and bits at once.
void WatchedLoad::watch_pins() {
    for (uint32_t n = 0; n < Nodes; ++n) {
        const core::Config& registers = m_machine.state(n)->local().q().cfg;
        const Events events{registers.sync_cnt, registers.sunk_cnt};
        if (events.sync > m_events[n].sync || events.sunk > m_events[n].sunk)
            m_seen.push_back({now(), n, registers.link_err != 0 ? registers.link_err : ~0u});
        m_events[n] = events;
        if (!m_machine.err(n) || !m_options.clears_errors) continue;
        if (now() < m_cleared[n] + ClearGap) continue;
        m_cleared[n] = now();
        const bool full =
            std::max(registers.sync_cnt, registers.sunk_cnt) > core::Config::MaxCount / 2;
        m_machine.mbp(n, 0).send_first(
            full ? machine::setup_packet({{RegSyncCnt, 0}, {RegSunkCnt, 0}})
                 : machine::setup_packet(
                       {{RegStatus, registers.status}, {RegLinkErr, registers.link_err}}));
    }
}

// Two pins inverted in one flit: parity does not detect this. Only where two met the packet.
bool WatchedLoad::beats_parity(const Record& r, uint64_t serial, const Flits& flits) const {
    for (size_t k = FirstBody + 2; k < flits.size(); ++k) {
        const auto changed = uint32_t(flits[k]) ^ uint32_t(with_parity(pattern(serial, k)));
        if (changed != 0 && __builtin_popcount(changed) != 2) return false;
    }
    uint32_t met = 0;
    for (const Fault& f : m_faults)
        met += f.clock >= r.born && f.clock <= now() && leads_over(r, f) ? 1 : 0;
    return met >= 2;
}

void WatchedLoad::close() { judge(true); }

double WatchedLoad::share(uint64_t from, uint64_t to) const {
    SliceCount sum;
    for (uint64_t s = (from + Slice - 1) / Slice; s < to / Slice && s < m_slices.size(); ++s) {
        sum.sent += m_slices[s].sent;
        sum.in_time += m_slices[s].in_time;
    }
    return sum.sent == 0 ? 0 : double(sum.in_time) / double(sum.sent);
}

std::string WatchedLoad::summary() const {
    return fmt::format(
        "{} sent, {} delivered, {} lost and reported, {} at most by one disturbance, {} with two "
        "inverted pins in one flit, {} whose answer was lost on the sender's own link",
        m_sent, m_delivered, m_lost, m_most_lost, m_beaten, m_unanswered);
}

}  // namespace rdt::tb
