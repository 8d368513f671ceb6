// SPDX-License-Identifier: MIT
// Two nodes whose eight network links lead to each other, with their MBPs; each node as RTL, as the
// SystemC design of blocks and in the fast engine.
#pragma once

#include <fmt/core.h>

#include <memory>
#include <random>

#include <rdt/fast/router.h>
#include <rdt/cosim/chip.h>
#include <rdt/machine/endpoint.h>
#include <rdt/router.h>
#include "common/answer.h"
#include "common/node_traffic.h"

namespace rdt::tb {

using machine::ChipPins;
using machine::Endpoint;

inline constexpr uint32_t Nodes = 2;

// Wires and MBPs of two nodes, whatever the chips are.
class Surroundings {
public:
    explicit Surroundings(uint64_t seed) : m_random(seed) {
        for (uint32_t n = 0; n < Nodes; ++n)
            for (uint32_t m = 0; m < 2; ++m) {
                m_ends[n][m] = std::make_unique<Endpoint>(PortM0 + m);
                m_ends[n][m]->on_receive = [this, n, m](const Endpoint::Received& r) {
                    ++m_received;
                    answer(*m_ends[n][m], PortM0 + m, r.flits);
                };
            }
    }
    // Operands of the answers with the tag of barriers; without it: none.
    std::function<core::Operand()> operand;
    // The first tie on a ring goes to VC 1 behind node 0.
    void configure() {
        for (uint32_t n = 0; n < Nodes; ++n) {
            end(n, 0).send_first(setup_write({{RegRank, 1},
                                              {RegRanks, 1},
                                              {RegDateline, n == 0 ? 0xFFu : 0u},
                                              {RegTEnt, 200},
                                              {RegTAck, 2500},
                                              {RegLink, 0xFF}}));
        }
    }
    // Inputs of the routers in this cycle.
    const std::array<core::PinsIn, Nodes>& clock(const std::array<ChipPins, Nodes>& chips,
                                                 bool noisy) {
        for (uint32_t n = 0; n < Nodes; ++n) {
            for (uint32_t p = 0; p < PortM0; ++p) {
                const core::LinkPinsOut& own = chips[n].link[p];
                const core::LinkPinsOut& far = chips[1 - n].link[p ^ 1];
                m_in[n].link[p] = {(own.oe ? own.d : 0) | (far.oe ? far.d : 0), far.req, far.cred};
                m_both_drive += uint64_t(own.oe && far.oe);
                m_flits += uint64_t(own.oe);
            }
            for (uint32_t m = 0; m < 2; ++m) {
                const core::LinkPinsOut& own = chips[n].link[PortM0 + m];
                const core::LinkPinsOut far = end(n, m).pins();
                m_in[n].link[PortM0 + m] = {own.oe ? own.d : far.oe ? far.d : 0, far.req, far.cred};
                end(n, m).clock(own, m_now);
            }
            m_in[n].slice = chips[n].slice;
            m_in[n].shoot = false;
            if (noisy && m_random() % 500 == 0) disturb(m_in[n].link[m_random() % PortM0]);
        }
        ++m_now;
        return m_in;
    }
    void offer() {
        for (uint32_t n = 0; n < Nodes; ++n)
            for (uint32_t m = 0; m < 2; ++m)
                if (end(n, m).queued() < 3) end(n, m).send(0, any_packet(m_random));
    }

    Endpoint& end(uint32_t n, uint32_t m) { return *m_ends[n][m]; }
    std::mt19937_64& random() { return m_random; }
    uint64_t received() const { return m_received; }
    uint64_t flits() const { return m_flits; }
    uint64_t both_drive() const { return m_both_drive; }

private:
    void answer(Endpoint& end, uint32_t port, const Flits& flits) {
        const bool is_barrier =
            asks_for_ack(flits) && get(uint32_t(flits[0]), H0Tag) == int(LaneTag);
        if (!operand || !is_barrier) answer_copy(end, port, flits, 8);
        else end.send_ack(LaneTag, 8, Endpoint::generation_of(flits), operand());
    }
    void disturb(core::LinkPinsIn& pins) {
        switch (m_random() % 3) {
        case 0: pins.req ^= 1 + uint32_t(m_random() % 3); break;
        case 1: pins.cred ^= 1 + uint32_t(m_random() % 3); break;
        default: pins.d ^= flit_t(1) << m_random() % FlitW; break;
        }
    }

    std::mt19937_64 m_random;
    std::unique_ptr<Endpoint> m_ends[Nodes][2];
    std::array<core::PinsIn, Nodes> m_in{};
    uint64_t m_now = 0;
    uint64_t m_received = 0;
    uint64_t m_flits = 0;
    uint64_t m_both_drive = 0;
};

template <typename Rtl, uint32_t NumNodes = Nodes>
class Models {
public:
    explicit Models(const ChipOptions& options) : m_clk("clk") {
        m_context.fatalOnError(false);
        for (uint32_t n = 0; n < NumNodes; ++n) {
            const std::string name = fmt::format("n{}", n);
            m_rtl[n] = std::make_unique<machine::RtlChip<Rtl>>(&m_context, name);
            m_systemc[n] =
                std::make_unique<machine::ModuleChip<router>>(name, m_clk, blocks(options));
            m_fast[n] = std::make_unique<fast::Router>(options);
        }
    }
    const std::array<ChipPins, NumNodes>& pins() const { return m_pins; }

    // The difference after this cycle, or empty.
    std::string clock(const std::array<core::PinsIn, NumNodes>& in, bool rst_n) {
        for (uint32_t n = 0; n < NumNodes; ++n) {
            m_rtl[n]->drive(in[n], rst_n);
            m_rtl[n]->edge();
            m_systemc[n]->drive(in[n], rst_n);
            if (rst_n) m_fast[n]->clock(in[n]);
            else m_fast[n]->reset();
        }
        m_clk.write(false);
        sc_core::sc_start(1, sc_core::SC_NS);
        m_clk.write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
        if (m_context.gotError()) return "an assertion of the RTL failed";
        for (uint32_t n = 0; n < NumNodes; ++n) {
            m_pins[n] = m_rtl[n]->pins();
            if (!(m_systemc[n]->pins() == m_pins[n]))
                return fmt::format("node {}: SystemC differs from RTL", n);
            if (!(machine::pins_of(*m_fast[n]) == m_pins[n]))
                return fmt::format("node {}: fast core differs from RTL", n);
        }
        return {};
    }

private:
    machine::Kernel m_kernel;
    VerilatedContext m_context;
    sc_core::sc_signal<bool> m_clk;
    std::unique_ptr<machine::RtlChip<Rtl>> m_rtl[NumNodes];
    std::unique_ptr<machine::ModuleChip<router>> m_systemc[NumNodes];
    std::unique_ptr<fast::Router> m_fast[NumNodes];
    std::array<ChipPins, NumNodes> m_pins;
};

}  // namespace rdt::tb
