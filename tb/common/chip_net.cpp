// SPDX-License-Identifier: MIT
#include "common/chip_net.h"

#include "machine/rtl_probe.h"

namespace rdt::tb {

ChipNet::ChipNet(uint32_t nodes, const std::string& name, uint64_t seed, const std::string& rerun)
    : m_clk("clk"), m_lockstep(name, seed, rerun) {
    for (uint32_t n = 0; n < nodes; ++n) {
        Chip chip;
        chip.rtl = std::make_unique<RtlChip<Vrdt_router>>(&m_context, fmt::format("n{}", n));
        chip.systemc = std::make_unique<ScChip>(fmt::format("n{}", n), m_clk);
        m_chips.push_back(std::move(chip));
    }
    for (uint32_t n = 0; n < nodes; ++n) compare_chip(n);
}

ChipNet::~ChipNet() { m_chips.clear(); }

// Every output pin, and every buffer's occupancy: what has been written, what
// waits, what is being read.
void ChipNet::compare_chip(uint32_t node) {
    RtlChip<Vrdt_router>* rtl = m_chips[node].rtl.get();
    const ScChip* model = m_chips[node].systemc.get();
    const core::Router::PinsIn* in = &m_chips[node].in;
    const ChipPins* out = &m_chips[node].out;
    const auto pair = [&](const std::string& signal, unsigned width, auto of_rtl, auto of_model) {
        m_lockstep.add(fmt::format("n{}.{}", node, signal), width, of_rtl, of_model);
    };
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const std::string at = fmt::format("{}.", to_string(Port(p)));
        const core::LinkPinsOut* pins = &out->link[p];
        pair(
            at + "d_o", 18, [rtl, p] { return rtl->d_o(p); }, [pins] { return pins->d; });
        pair(
            at + "d_oe_o", 1, [rtl, p] { return rtl->d_oe_o(p); }, [pins] { return pins->oe; });
        pair(
            at + "req_o", 2, [rtl, p] { return rtl->req_o(p); }, [pins] { return pins->req; });
        pair(
            at + "cred_o", 2, [rtl, p] { return rtl->cred_o(p); }, [pins] { return pins->cred; });
        m_lockstep.note(fmt::format("n{}.{}d_i", node, at), 18, [in, p] { return in->link[p].d; });
        m_lockstep.note(fmt::format("n{}.{}req_i", node, at), 2,
                        [in, p] { return in->link[p].req; });
        m_lockstep.note(fmt::format("n{}.{}cred_i", node, at), 2,
                        [in, p] { return in->link[p].cred; });
        for (const machine::RtlProbe& probe :
             machine::probes_of(m_context, fmt::format("n{}", node), p))
            pair(at + probe.name, probe.width, probe.read,
                 [model, p, get = probe.of_model] { return get(model->state(), p); });
    }
    pair(
        "err_o", 1, [rtl] { return rtl->model().err_o; }, [out] { return out->err; });
    pair(
        "slice_o", 1, [rtl] { return rtl->model().slice_o; }, [out] { return out->slice; });
}

void ChipNet::wire(uint32_t node_a, uint32_t port_a, uint32_t node_b, uint32_t port_b) {
    m_link_of[{node_a, port_a}] = m_links.size();
    m_link_of[{node_b, port_b}] = m_links.size();
    const std::string name = fmt::format("n{}.{}-n{}.{}", node_a, to_string(Port(port_a)), node_b,
                                         to_string(Port(port_b)));
    m_links.push_back({{node_a, port_a}, At{node_b, port_b}, LinkChecker(name, vcs_of(port_a))});
}

Endpoint& ChipNet::attach(uint32_t node, uint32_t port, bool bad_flits) {
    m_link_of[{node, port}] = m_links.size();
    const std::string name = fmt::format("n{}.{}", node, to_string(Port(port)));
    m_links.push_back({{node, port}, std::nullopt, LinkChecker(name, vcs_of(port), bad_flits)});
    return *(m_ends[{node, port}] = std::make_unique<Endpoint>(port));
}

void ChipNet::reset() {
    m_in_reset = true;
    clocks(2);
    m_in_reset = false;
}

void ChipNet::fail(const std::string& what) {
    if (m_error.empty()) m_error = what;
}

void ChipNet::drive() {
    for (const Link& link : m_links) {
        const core::LinkPinsOut a = m_chips[link.a.first].out.link[link.a.second];
        const core::LinkPinsOut b =
            link.b ? m_chips[link.b->first].out.link[link.b->second] : m_ends[link.a]->pins();
        const flit_t d = a.oe ? a.d : b.oe ? b.d : 0;
        m_chips[link.a.first].in.link[link.a.second] = {d, b.req, b.cred};
        if (link.b) m_chips[link.b->first].in.link[link.b->second] = {d, a.req, a.cred};
    }
    for (Chip& chip : m_chips) {
        chip.in.slice = chip.out.slice;
        chip.rtl->drive(chip.in, !m_in_reset);
        chip.systemc->drive(chip.in, !m_in_reset);
    }
}

bool ChipNet::clock() {
    if (!m_error.empty()) return false;
    drive();
    if (!m_in_reset) {
        for (Link& link : m_links) {
            const core::LinkPinsOut& a = m_chips[link.a.first].out.link[link.a.second];
            const auto wrong =
                link.b ? link.checker.check(a, m_chips[link.b->first].out.link[link.b->second])
                       : link.checker.check(a, m_ends[link.a]->pins());
            if (wrong) fail(*wrong);
        }
        for (auto& [at, end] : m_ends) end->clock(m_chips[at.first].out.link[at.second], m_now);
    }
    for (Chip& chip : m_chips) chip.rtl->edge();
    m_clk.write(true);
    sc_core::sc_start(1, sc_core::SC_NS);
    m_clk.write(false);
    sc_core::sc_start(1, sc_core::SC_NS);
    for (Chip& chip : m_chips) chip.out = chip.systemc->pins();
    if (auto difference = m_lockstep.compare()) fail(*difference);
    ++m_now;
    return m_error.empty();
}

bool ChipNet::idle() const {
    for (const auto& [at, end] : m_ends)
        if (end->queued() + end->held() + end->acks_queued() != 0 || end->sending() ||
            end->receiving())
            return false;
    for (const Chip& chip : m_chips)
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const core::Router& r = chip.systemc->state();
            if (!r.input(p).quiet(r.link(p).q().rx_valid) || chip.out.link[p].oe) return false;
            if (r.local().q().st != core::Local::Idle) return false;
            if (!r.ack().quiet(0, 0) || r.inject().q().st != core::Inject::Idle) return false;
        }
    for (const Link& link : m_links)
        if (!link.checker.idle()) return false;
    return true;
}

bool ChipNet::drain(uint64_t limit) {
    for (uint64_t quiet = 0, n = 0; quiet < 8; ++n) {
        if (n > limit) {
            fail(fmt::format("not drained after {} clocks; flits held at {}", limit, holders()));
            return false;
        }
        if (!clock()) return false;
        quiet = idle() ? quiet + 1 : 0;
    }
    return true;
}

std::string ChipNet::holders() const {
    std::string text;
    for (uint32_t n = 0; n < m_chips.size(); ++n)
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const core::InputUnit& in = m_chips[n].systemc->state().input(p);
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
