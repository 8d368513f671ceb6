// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_output_unit.sv: one port of Outputs.
#pragma once

#include <rdt/fast/outputs.h>

namespace rdt::fast {

class OutputUnit {
public:
    struct In {
        bool raw = false;  // a packet is dumped as it stands in the buffer
        bool tick = false;
        bool slow = false;
        bool sink = false;
        uint32_t rank = 0;
        stream_t x = 0;
        bool gnt = false;
        bool cand_any = false;
        bool line_gnt = false;  // state of the link, as all up to `ann`
        bool line_void = false;
        bool hush = false;
        bool ask = false;
        bool call = false;
        bool down = false;
        bool up = false;
        bool ann = false;
        uint32_t cred = 0;
        bool loc_want = false;
        stream_t loc_x = 0;
        uint32_t gen = 0;  // generations of the ack entries, four bits each
    };
    struct Regs {
        flit_t d;
        bool oe;
        uint32_t req;
        uint32_t credit;  // in hand
        bool tx;
    };
    struct Events {
        bool cred;
        bool owed;
        bool sunk;
    };

    OutputUnit(uint32_t out_port, uint32_t num_vc, flit_t lanes = OneLane)
        : m_outputs({{uint8_t(out_port)}, {uint8_t(num_vc)}, lanes}) {}

    void reset() { m_outputs.reset(); }
    Regs q() const {
        const auto& q = m_outputs.q();
        return {q.d[0], q.oe != 0, q.req.of(0), q.credit[0], q.tx != 0};
    }

    OutputRegs regs() const { return m_outputs.regs_of(0); }
    void load(const OutputRegs& r) { m_outputs.load(0, r); }

    uint32_t credit(bool sink) const { return m_outputs.credit(0, sink); }
    bool late(bool up) const { return m_outputs.late(up) != 0; }

    // Nothing to send and nothing in flight on a link that is up: clock() would change nothing,
    // unless a tick finds a credit that is away.
    bool quiet(bool asked_for, uint32_t cred, bool tick) const {
        const auto& q = m_outputs.q();
        return !asked_for && cred == 0 && !tick && hears_nothing() &&
               (q.tx | q.oe | q.req.any()) == 0;
    }
    bool hears_nothing() const { return m_outputs.hears_nothing(); }
    uint32_t confirms(uint32_t cred) const { return m_outputs.confirms(0, cred); }

    bool offer(bool line_gnt, bool sink) const { return m_outputs.offer(line_gnt, sink) != 0; }

    // The result clock() would have.
    Events events(const In& in) const {
        OutputUnit after = *this;
        after.clock(in);
        const auto& found = after.m_outputs.events();
        return {found.cred != 0, found.owed != 0, found.sunk != 0};
    }

    void clock(const In& in) {
        m_outputs.clock(
            one_of(in), [&in](uint32_t) { return in.x; }, [](auto&&) { return Outputs<1>::Ends{}; },
            [](uint32_t, flit_t) {});
    }

    // Result of the last clock(): a lost credit, or its packet, was found.
    bool was_owed() const { return m_outputs.events().owed != 0; }

    // The same in the middle of a packet, when nothing else happens.
    void pass(flit_t flit) { m_outputs.pass(0, flit); }

private:
    Outputs<1>::In one_of(const In& in) const {
        Outputs<1>::In one;
        one.gnt = in.gnt;
        one.cand_any = in.cand_any;
        one.offer = m_outputs.offer(in.line_gnt, in.sink);
        one.line_void = in.line_void;
        one.hush = in.hush;
        one.ask = in.ask;
        one.call = in.call;
        one.down = in.down;
        one.up = in.up;
        one.ann = in.ann;
        one.loc_want = in.loc_want;
        one.raw = in.raw;
        one.cred = {in.cred & 1, in.cred >> 1 & 1};
        one.tick = in.tick;
        one.slow = in.slow;
        one.sink = in.sink;
        one.rank[0] = uint8_t(in.rank);
        one.gen[0] = in.gen;
        one.loc_x[0] = in.loc_x;
        return one;
    }

    Outputs<1> m_outputs;
};

}  // namespace rdt::fast
