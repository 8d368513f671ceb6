// SPDX-License-Identifier: MIT
#include "common/wired_chips.h"

namespace rdt::tb {

void WiredChips::wire(uint32_t node_a, uint32_t port_a, uint32_t node_b, uint32_t port_b) {
    m_link_of[{node_a, port_a}] = m_links.size();
    m_link_of[{node_b, port_b}] = m_links.size();
    const std::string name = fmt::format("n{}.{}-n{}.{}", node_a, to_string(Port(port_a)), node_b,
                                         to_string(Port(port_b)));
    m_links.push_back(
        {{node_a, port_a}, At{node_b, port_b}, LinkChecker(name, vcs_of(port_a)), true});
}

Endpoint& WiredChips::attach(uint32_t node, uint32_t port, bool bad_flits) {
    m_link_of[{node, port}] = m_links.size();
    const std::string name = fmt::format("n{}.{}", node, to_string(Port(port)));
    m_links.push_back(
        {{node, port}, std::nullopt, LinkChecker(name, vcs_of(port), bad_flits), true});
    return *(m_ends[{node, port}] = std::make_unique<Endpoint>(port));
}

void WiredChips::reset() {
    for (auto& [at, end] : m_ends) end->reset();
    for (Link& link : m_links) link.checker.reset();
    m_in_reset = true;
    clocks(2);
    m_in_reset = false;
}

void WiredChips::forfeit(uint32_t node, uint32_t port, uint32_t vc) {
    endpoint(node, port).forfeit(vc);
    m_links[m_link_of.at({node, port})].checker.forfeit(1, vc);
}

core::LinkPinsOut WiredChips::far_end(const Link& link) const {
    return link.b ? m_chips[link.b->first].out.link[link.b->second] : m_ends.at(link.a)->pins();
}

void WiredChips::drive() {
    for (const Link& link : m_links) {
        const core::LinkPinsOut a = m_chips[link.a.first].out.link[link.a.second];
        const core::LinkPinsOut b = far_end(link);
        const flit_t d = a.oe ? a.d : b.oe ? b.d : 0;
        m_chips[link.a.first].in.link[link.a.second] = {d, b.req, b.cred};
        if (link.b) m_chips[link.b->first].in.link[link.b->second] = {d, a.req, a.cred};
    }
    for (const Stuck& s : m_stuck) {
        core::LinkPinsIn& in = m_chips[s.at.first].in.link[s.at.second];
        in.d = s.value ? in.d | s.bits.d : in.d & ~s.bits.d;
        in.req = s.value ? in.req | s.bits.req : in.req & ~s.bits.req;
        in.cred = s.value ? in.cred | s.bits.cred : in.cred & ~s.bits.cred;
    }
    for (const Flip& f : m_flips) m_chips[f.at.first].in.link[f.at.second].d ^= f.bits;
    m_flips.clear();
    for (Chip& chip : m_chips) chip.in.slice = m_chips[chip.partner].out.slice;
}

bool WiredChips::clock() {
    if (!m_error.empty()) return false;
    drive();
    if (!m_in_reset) {
        for (Link& link : m_links) {
            if (!link.watched) continue;
            if (auto wrong = link.checker.check(m_chips[link.a.first].out.link[link.a.second],
                                                far_end(link)))
                fail(*wrong);
        }
        for (auto& [at, end] : m_ends) end->clock(m_chips[at.first].out.link[at.second], m_now);
    }
    clock_chips(!m_in_reset);
    ++m_now;
    return m_error.empty();
}

bool WiredChips::acks_idle() const {
    for (const auto& [at, end] : m_ends)
        if (end->acks_queued() != 0) return false;
    for (uint32_t n = 0; n < nodes(); ++n) {
        const fast::ChipState& r = state(n);
        if (r.inject().q().st != fast::Inject::Idle) return false;
        for (const fast::AckTable::Entry& e : r.ack().q().entry)
            if (e.st == fast::AckTable::Late || (e.st == fast::AckTable::Wait && e.pend == 0))
                return false;
        for (uint32_t p = 0; p < NumPorts; ++p)
            if (r.input(p).q().ack_v || r.link(p).rx_valid || m_chips[n].out.link[p].oe)
                return false;
    }
    return true;
}

bool WiredChips::is_chip_idle(uint32_t node) const {
    const fast::ChipState& r = state(node);
    for (uint32_t p = 0; p < NumPorts; ++p)
        if (!r.input(p).quiet(r.link(p).rx_valid) || m_chips[node].out.link[p].oe) return false;
    return r.local().q().st == fast::Local::Idle && r.ack().quiet(0, 0) &&
           r.inject().q().st == fast::Inject::Idle;
}

bool WiredChips::idle() const {
    for (const auto& [at, end] : m_ends)
        if (end->queued() + end->held() + end->acks_queued() != 0 || end->sending() ||
            end->receiving())
            return false;
    for (uint32_t n = 0; n < nodes(); ++n)
        if (!is_chip_idle(n)) return false;
    for (const Link& link : m_links)
        if (link.watched && (!link.checker.idle() || link.checker.comes_up())) return false;
    return true;
}

bool WiredChips::drain(uint64_t limit) {
    for (uint64_t quiet = 0, n = 0; quiet < 8; ++n) {
        if (n > limit) {
            fail(fmt::format("not drained after {} cycles; flits held at {}", limit, holders()));
            return false;
        }
        if (!clock()) return false;
        quiet = idle() ? quiet + 1 : 0;
    }
    return true;
}

std::string WiredChips::holders() const {
    std::string text;
    for (uint32_t n = 0; n < nodes(); ++n)
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const fast::InputUnit& in = state(n).input(p);
            if (in.pkt_mask() != 0 || in.q().rd_busy)
                text +=
                    fmt::format(" n{}.{}(waiting VCs {:#b})", n, to_string(Port(p)), in.pkt_mask());
        }
    for (const auto& [at, end] : m_ends)
        if (end->queued() != 0)
            text += fmt::format(" endpoint n{}.{}({} queued)", at.first, to_string(Port(at.second)),
                                end->queued());
    return text.empty() ? " none" : text;
}

}  // namespace rdt::tb
