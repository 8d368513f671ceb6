// SPDX-License-Identifier: MIT
// A routing with several virtual channels for each of the original routing; a packet may use any of
// them. So a deterministic routing has as many channels as an adaptive one that it is compared
// with. It stays free of deadlock: channels that stand for one wait for what that one waited for.
#pragma once

#include <memory>

#include <rdt/net/graph/network.h>

namespace rdt::lab {

class Lanes : public Routing {
public:
    Lanes(std::unique_ptr<Routing> routing, uint32_t lanes)
        : m_routing(std::move(routing)), m_lanes(lanes) {}

    uint32_t vcs() const override { return m_routing->vcs() * m_lanes; }
    RouteTag start(NodeId src, NodeId dst) const override { return m_routing->start(src, dst); }
    uint32_t draws() const override { return m_routing->draws(); }
    bool keeps_tag() const override { return m_routing->keeps_tag(); }
    RouteTag start_drawn(NodeId src, NodeId dst, uint32_t draw) const override {
        return m_routing->start_drawn(src, dst, draw);
    }
    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel in,
              Choices& out) const override {
        Choices own;
        m_routing->next(at, dst, tag, {in.port, uint8_t(in.vc / m_lanes)}, own);
        out.clear();
        for (const OutChannel& c : own)
            for (uint32_t lane = 0; lane < m_lanes && out.size() < Choices::Max; ++lane)
                out.add(c.port, c.vc * m_lanes + lane);
    }
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        return m_routing->advance(at, tag, {taken.port, uint8_t(taken.vc / m_lanes)});
    }

private:
    const std::unique_ptr<Routing> m_routing;
    const uint32_t m_lanes;
};

// One virtual channel more, which a packet may take wherever it may take channel `beside`: as many
// as adaptive routing has, for the way that has none to choose.
class ExtraVc : public Routing {
public:
    ExtraVc(std::unique_ptr<Routing> routing, uint32_t beside)
        : m_routing(std::move(routing)), m_own(m_routing->vcs()), m_beside(beside) {}

    uint32_t vcs() const override { return m_own + 1; }
    RouteTag start(NodeId src, NodeId dst) const override { return m_routing->start(src, dst); }
    uint32_t draws() const override { return m_routing->draws(); }
    bool keeps_tag() const override { return m_routing->keeps_tag(); }
    RouteTag start_drawn(NodeId src, NodeId dst, uint32_t draw) const override {
        return m_routing->start_drawn(src, dst, draw);
    }
    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel in,
              Choices& out) const override {
        Choices own;
        m_routing->next(at, dst, tag, seen(in), own);
        out.clear();
        for (const OutChannel& c : own) {
            out.add(c.port, c.vc);
            if (c.vc == m_beside && out.size() < Choices::Max) out.add(c.port, m_own);
        }
    }
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        return m_routing->advance(at, tag, seen(taken));
    }

private:
    OutChannel seen(OutChannel c) const {
        return {c.port, c.vc == m_own ? uint8_t(m_beside) : c.vc};
    }
    const std::unique_ptr<Routing> m_routing;
    const uint32_t m_own, m_beside;
};

}  // namespace rdt::lab
