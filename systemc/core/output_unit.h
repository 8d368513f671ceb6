// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_output_unit.sv: one port of Outputs.
#pragma once

#include "core/outputs.h"

namespace rdt::core {

class OutputUnit {
public:
    struct In {
        bool link_en = false;
        bool raw = false;  // a packet is dumped as it stands in the buffer
        bool tick = false;
        uint32_t rank = 0;
        stream_t x = 0;
        bool gnt = false;
        bool cand_any = false;
        bool line_gnt = false;
        bool line_void = false;
        uint32_t cred = 0;
        bool loc_want = false;
        stream_t loc_x = 0;
    };
    struct Regs {
        flit_t d;
        bool oe;
        uint32_t req;
        uint32_t credit;
        bool tx;
    };

    OutputUnit(uint32_t out_port, uint32_t num_vc, flit_t lanes = OneLane)
        : m_outputs({{uint8_t(out_port)}, {uint8_t(num_vc)}, lanes}) {}

    void reset() { m_outputs.reset(); }
    Regs q() const {
        const auto& q = m_outputs.q();
        return {q.d[0], q.oe != 0, q.req.of(0), q.credit[0], q.tx != 0};
    }

    uint32_t credit(bool link_en) const { return link_en ? m_outputs.q().credit[0] : 0; }

    // Nothing to send and nothing under way: clock() would change nothing, unless a
    // tick finds a credit that is owed.
    bool quiet(bool asked_for, uint32_t cred, bool tick) const {
        const auto& q = m_outputs.q();
        return !asked_for && cred == 0 && !tick && (q.tx | q.oe | q.req.any()) == 0;
    }

    // Who uses a line that was given to this end, LOCAL or the crossbar. One bit a port.
    static Ports xb_gnt(Ports line_gnt, Ports loc_want) { return line_gnt & ~loc_want; }
    static Ports loc_gnt(Ports line_gnt, Ports loc_want) { return line_gnt & loc_want; }

    bool ev_cred(uint32_t cred) const { return m_outputs.ev_cred(0, cred); }
    bool ev_owed(const In& in) const {
        return m_outputs.ev_owed(one_of(in), [&in](uint32_t) { return in.x; }) != 0;
    }

    void clock(const In& in) {
        m_outputs.clock(
            one_of(in), [&in](uint32_t) { return in.x; }, [](auto&&) { return Outputs<1>::Ends{}; },
            [](uint32_t, flit_t) {});
    }

    // The same in the middle of a packet, when nothing else happens.
    void pass(flit_t flit) { m_outputs.pass(0, flit); }

private:
    static Outputs<1>::In one_of(const In& in) {
        Outputs<1>::In one;
        one.gnt = in.gnt;
        one.cand_any = in.cand_any;
        one.line_gnt = in.line_gnt;
        one.line_void = in.line_void;
        one.loc_want = in.loc_want;
        one.raw = in.raw;
        one.cred = {in.cred & 1, in.cred >> 1 & 1};
        one.tick = in.tick;
        one.rank[0] = uint8_t(in.rank);
        one.loc_x[0] = in.loc_x;
        return one;
    }

    Outputs<1> m_outputs;
};

}  // namespace rdt::core
