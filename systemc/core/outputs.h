// SPDX-License-Identifier: MIT
// The output machine of rtl/rdt_output_unit.sv for many ports at once: takes streams from the
// crossbar or from LOCAL, rewrites their headers, drives D and REQ, and keeps the credits.
//
// As in Lines, words have one bit a port. Only a port whose packet begins or ends is looked at by
// itself; in between a flit is moved and nothing else.
#pragma once

#include <array>

#include "core/bitmap.h"
#include "core/lines.h"

namespace rdt::core {

// What has become of a credit that was used.
enum class Owed : uint8_t { Nothing, Used, Ticked, Overdue };

template <uint32_t NumOutputs>
class Outputs {
public:
    static constexpr uint32_t MaxVc = 3;

    static constexpr uint32_t Chips = (NumOutputs + PortBits - 1) / PortBits;

    // Of every chip's outputs.
    struct Params {
        std::array<uint8_t, PortBits> port{};
        std::array<uint8_t, PortBits> num_vc{};
        flit_t lanes = OneLane;
    };
    struct In {
        Ports gnt = 0;
        Ports cand_any = 0;
        Ports line_gnt = 0;
        Ports line_void = 0;
        Ports loc_want = 0;
        Ports raw = 0;   // a packet is dumped as it stands in the buffer
        Ports body = 0;  // the crossbar brings flits behind the header, as they stand in a buffer
        TwoBits cred;
        Ports tick = 0;
        std::array<uint8_t, Chips> rank{};
        std::array<uint32_t, Chips> gen{};
        std::array<stream_t, Chips> loc_x{};
    };
    struct Regs {
        TwoBits req;
        Ports oe = 0;
        Ports tx = 0;
        Ports txloc = 0;
        Ports rw = 0;        // unicast: the header is rewritten
        Ports mc = 0;        // multicast: the used-up map byte is cleared
        Ports transfer = 0;  // ... unless nothing was used up
        TwoBits hidx;        // of the flit that is sent: 0, 1, 2 in the header, then 3
        std::array<uint32_t, Chips> credit{};  // bit 3 * port + VC
        std::array<std::array<Owed, MaxVc>, NumOutputs> owed{};
        std::array<flit_t, NumOutputs> d{};
        std::array<uint8_t, NumOutputs> tag{};
    };

    explicit Outputs(const Params& params) : m_params(params) {}

    void reset() {
        m_q = Regs{};
        m_touched = 0;
    }
    const Regs& q() const { return m_q; }

    bool ev_cred(uint32_t o, uint32_t cred) const {
        return cred > num_vc(o) ||
               (cred != 0 && (m_q.credit[chip_of(o)] & credit_bit(o, cred)) != 0);
    }
    // Outputs whose credits have changed in the last clock.
    Ports touched() const { return m_touched; }

    // Ports to which a credit comes that is not owed.
    Ports ev_cred(const TwoBits& cred) const {
        Ports events = 0;
        for (const uint32_t o : each(cred.any())) events |= Ports(ev_cred(o, cred.of(o))) << o;
        return events;
    }

    // A credit becomes overdue: the packet it was used for was lost, or its buffer is stuck.
    // `x_of(port)` is the stream of the crossbar.
    template <typename StreamOf>
    Ports ev_owed(const In& in, StreamOf&& x_of) const {
        Ports events = 0;
        for (const uint32_t o : each(in.tick)) {
            const uint32_t used = is_first(o) ? credit_used(o, stream(o, in, x_of)) : 0;
            for (uint32_t v = 0; v < num_vc(o); ++v)
                if (m_q.owed[o][v] == Owed::Ticked && in.cred.of(o) != v + 1 && used != v + 1)
                    events |= bit(o);
        }
        return events;
    }

    // Which outputs in `body` send one of the last two flits, and which the last.
    struct Ends {
        Ports last_two = 0;
        Ports last = 0;
    };

    // `move(drive)` calls drive(port, flit) for the ports in `body`, and tells the Ends;
    // `x_of(port)` is asked for the others. `driven(port, flit)` hears of everything that is then
    // on D.
    template <typename StreamOf, typename Move, typename Driven>
    void clock(const In& in, StreamOf&& x_of, Move&& move, Driven&& driven) {
        const Ports from_local = in.line_gnt & in.loc_want;
        const Ports want = in.cand_any | in.loc_want;
        const Ports tx = m_q.tx;
        m_touched = in.cred.any();
        if (in.tick != 0) age(in.tick);
        m_q.oe = tx;
        const auto drive = [this, &driven](uint32_t o, flit_t flit) {
            m_q.d[o] = flit;
            driven(o, flit);
        };
        const Ends ends = move(drive);
        m_q.req = {want & ((~tx & ~in.line_void) | ends.last_two), in.body & ~ends.last_two};
        m_q.tx &= ~ends.last;
        for (const uint32_t o : each(tx & ~in.body))
            drive(o, send(o, in, stream(o, in, x_of), (want >> o & 1) != 0));
        for (const uint32_t o : each(in.cred.any())) take_credit(o, in.cred.of(o));
        const Ports starts = in.gnt | from_local;
        m_q.tx |= starts;
        m_q.txloc = (m_q.txloc & ~starts) | from_local;
        // Counts up to 3.
        const Ports both = m_q.hidx.low & m_q.hidx.high;
        m_q.hidx = TwoBits{~m_q.hidx.low | both, m_q.hidx.low | m_q.hidx.high} & tx & ~starts;
    }

    // A clock in which an output sends the flit after one in the middle of a packet, which is in
    // the middle itself, and nothing else happens.
    void pass(uint32_t o, flit_t flit) { m_q.d[o] = flit; }

private:
    uint32_t port(uint32_t o) const { return m_params.port[port_of(o)]; }
    uint32_t num_vc(uint32_t o) const { return m_params.num_vc[port_of(o)]; }
    // Of a VC code.
    static uint32_t credit_bit(uint32_t o, uint32_t code) {
        return 1u << (3 * port_of(o) + code - 1);
    }

    bool is_first(uint32_t o) const { return (m_q.tx & ~m_q.hidx.any()) >> o & 1; }

    template <typename StreamOf>
    stream_t stream(uint32_t o, const In& in, StreamOf&& x_of) const {
        return (m_q.txloc >> o & 1) != 0 ? in.loc_x[chip_of(o)] : x_of(o);
    }
    // An MBP has one VC, whatever VC the other copies of the pass take.
    uint32_t vc_code(uint32_t o, stream_t x) const {
        return is_mbp(port(o)) ? uint32_t(VcVc0) : stream_code(x);
    }
    // VC code of the credit that a first flit uses up, 0 if none. An ack needs none.
    uint32_t credit_used(uint32_t o, stream_t x) const {
        return get(stream_flit(x), H0Type) == int(TypeAck) ? 0 : vc_code(o, x);
    }

    void age(Ports outputs) {
        for (const uint32_t o : each(outputs))
            for (Owed& owed : m_q.owed[o])
                if (owed == Owed::Used || owed == Owed::Ticked) owed = Owed(uint8_t(owed) + 1);
    }

    flit_t send(uint32_t o, const In& in, stream_t x, bool want) {
        const flit_t flit = stream_flit(x);
        const uint32_t hidx = m_q.hidx.of(o);
        if (hidx == 0) {
            const uint32_t code = vc_code(o, x);
            m_q.req.set(o, code);
            if (const uint32_t used = credit_used(o, x)) use_credit(o, used);
            m_q.tag[o] = uint8_t(get(uint32_t(flit), H0Tag));
            set_bit(m_q.rw, o, is_rewritten(flit));
            set_bit(m_q.mc, o, is_multicast(flit));
            set_bit(m_q.transfer, o, code == VcVcT && port(o) <= PortW0);
        } else if (stream_code(x) == CodeMore) {
            m_q.req.set(o, ReqMore);
        } else {
            m_q.req.set(o, want ? ReqWant : ReqIdle);
            if (stream_code(x) == CodeLast) m_q.tx &= ~bit(o);
        }
        return (in.raw >> o & 1) != 0 ? flit : outgoing(o, hidx, flit, in.rank[chip_of(o)], in.gen[chip_of(o)]);
    }

    void use_credit(uint32_t o, uint32_t code) {
        m_q.credit[chip_of(o)] &= ~credit_bit(o, code);
        m_touched |= bit(o);
        m_q.owed[o][code - 1] = Owed::Used;
    }
    void take_credit(uint32_t o, uint32_t code) {
        if (code > num_vc(o)) return;
        m_q.credit[chip_of(o)] |= credit_bit(o, code);
        m_q.owed[o][code - 1] = Owed::Nothing;
    }

    flit_t outgoing(uint32_t o, uint32_t hidx, flit_t flit, uint32_t rank, uint32_t gens) const {
        if ((m_q.txloc >> o & 1) != 0 || hidx == 3) return flit;
        if ((m_q.mc >> o & 1) != 0) {
            flit = leave_through(flit, hidx, port(o), rank, (m_q.transfer >> o & 1) != 0,
                                 m_params.lanes);
            const uint32_t tag = m_q.tag[o];
            if (!is_mbp(port(o)) || hidx != 2 || tag == 0 || tag > NumEntries) return flit;
            return carry_parity(flit, with(uint32_t(flit), H2Gen, int(gens >> 4 * (tag - 1) & 15)),
                                m_params.lanes);
        }
        if ((m_q.rw >> o & 1) == 0 || !is_network(port(o))) return flit;
        return rewrite(flit, hidx, port(o), rank, m_params.lanes);
    }

    Regs m_q;
    Ports m_touched = 0;
    Params m_params;
};

}  // namespace rdt::core
