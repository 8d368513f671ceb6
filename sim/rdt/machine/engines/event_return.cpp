// SPDX-License-Identifier: MIT
// From clocks back to events.
#include <rdt/machine/engines/event_machine.h>

#include <rdt/machine/endpoint_image.h>
#include <rdt/machine/engines/chip_values.h>

namespace rdt::machine {

bool EventMachine::may_have_events() const {
    return config().timeout == 0 && !config().sink && !m_is_watched;
}

bool EventMachine::go_on_by_events() {
    if (m_network) return true;
    m_try_at = may_have_events() && m_try_at != Never ? now() + m_patience : Never;
    if (m_try_at == Never || has_disturbance()) return false;
    const std::vector<RouteConfig> places = configs();
    std::vector<events::Ticks> all;
    for (uint32_t n = 0; n < nodes(); ++n) {
        if (!is_at_rest(n, places[n])) return false;
        all.push_back(ticks(n));
    }
    // From here on it costs as much as some clocks, so that what lasts is not asked so often.
    const auto start_anew = [this] {
        m_bodies.clear();
        m_free.clear();
        m_patience = std::min(2 * m_patience, MostPatience);
        return false;
    };
    events::Registers registers;
    if (!read(registers)) return start_anew();
    events::Client& client = *this;
    auto network =
        std::make_unique<events::Network>(geometry(), places, all, now(), client, crew());
    if (!network->load(registers, [this](Flits flits) { return adopt(std::move(flits)); }) ||
        !difference(*network, registers).empty())
        return start_anew();
    pause();
    m_network = std::move(network);
    m_network->be_serial(true);
    m_is_carrier = false;
    m_changed_at = now();
    for (uint32_t number = 0; number < 2 * nodes(); ++number) end(number).unload();
    carry_all(this);
    if (m_client != nullptr) m_client->express_begins(*this);
    return true;
}

// Nothing for LOCAL to do, and a node that knows its place.
bool EventMachine::is_at_rest(uint32_t node, const RouteConfig& place) const {
    const fast::Local local = this->local(node);
    const core::Config& q = local.config();
    return local.at_rest() && q.timeout == 0 && !q.sinks() &&
           q.link == (links() & ((1u << NumNetworkPorts) - 1)) && q.route.rank == place.rank &&
           q.route.xfer == place.xfer && q.route.dateline == place.dateline &&
           q.route.mask == place.mask && q.route.ranks == place.ranks;
}

// With the last slow tick, which may have found a link down.
events::Ticks EventMachine::ticks(uint32_t node) const {
    const fast::Local::Regs q = local(node).q();
    const auto period = [](uint32_t reg) { return reg == 0 ? uint64_t(0) : uint64_t(reg) + 1; };
    const uint64_t slow = now() + q.cnt_slow.left;
    return {q.cfg.t_ent == 0 ? 0 : now() + q.cnt_ent.left, period(q.cfg.t_ent),
            q.cfg.t_ack == 0 ? 0 : now() + q.cnt_ack.left, period(q.cfg.t_ack),
            slow >= SlowTick ? slow - SlowTick : slow};
}

bool EventMachine::read(events::Registers& registers) {
    registers.links = links();
    for (uint32_t n = 0; n < nodes(); ++n) registers.chips.push_back(image(n));
    for (uint32_t number = 0; number < 2 * nodes(); ++number) {
        if (!end(number).has_image()) return false;
        Endpoint::Image own = end(number).image();
        events::MbpImage mbp{own.link,     own.out,      std::move(own.sending),
                             own.sent,     own.received, own.head,
                             own.ack_from, {},           {}};
        for (const core::AckNote& ack : own.acks) mbp.acks.push_back(core::head_of(ack));
        for (Flits& flits : own.packets) {
            if (!is_plain(flits)) return false;
            const std::array<uint32_t, 3> header{slice0(flits[0]), slice0(flits[1]),
                                                 slice0(flits[2])};
            mbp.packets.push_back({header, adopt(std::move(flits))});
        }
        registers.mbps.push_back(std::move(mbp));
    }
    return true;
}

// Registers that the event engine would show differently: then there is something in them that it
// does not know of.
std::string EventMachine::difference(const events::Network& network,
                                     const events::Registers& r) const {
    std::string found;
    network.images(
        [&](uint32_t node, const fast::ChipImage& image) {
            if (!found.empty()) return;
            found = ChipValues(r.chips[node], links()).difference(ChipValues(image, links()));
        },
        [&](uint32_t mbp, const events::MbpImage& image) {
            if (!found.empty()) return;
            const events::MbpImage& own = r.mbps[mbp];
            found = ChipValues(own.link, own.out).difference(ChipValues(image.link, image.out));
            const bool same = own.sending.size() == image.sending.size() &&
                              (own.sending.empty() || own.sent == image.sent) &&
                              std::equal(own.sending.begin() + own.sent, own.sending.end(),
                                         image.sending.begin() + own.sent);
            if (!same || own.received != image.received) found = "a packet of an MBP";
        });
    return found;
}

}  // namespace rdt::machine
