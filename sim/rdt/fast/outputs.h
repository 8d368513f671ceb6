// SPDX-License-Identifier: MIT
// The output machine of rtl/rdt_output_unit.sv for many ports at once: takes streams from the
// crossbar or from LOCAL, rewrites their headers, drives D and REQ, and keeps the credits.
//
// As in Lines, words have one bit per port. Only a port whose packet begins or ends, or to which a
// credit comes, is looked at by itself; in between a flit is moved and nothing else.
#pragma once

#include <array>

#include <rdt/core/bitmap.h>
#include <rdt/fast/lines.h>

namespace rdt::fast {

// Registers of one output, as in Outputs::Regs.
struct OutputRegs {
    uint8_t req = 0;
    bool oe = false;
    bool tx = false;
    bool txloc = false;
    bool sunk = false;
    bool rw = false;
    bool mc = false;
    uint8_t vc = 0;
    uint8_t hidx = 0;
    uint8_t in = 0;
    bool gap = false;
    uint8_t gone = 0;
    std::array<uint8_t, 3> owed{};  // a credit is in hand where it is 0
    uint8_t tag = 0;
    flit_t d = 0;
};

template <uint32_t NumOutputs>
class Outputs {
public:
    static constexpr uint32_t MaxVc = 3;

    static constexpr uint32_t Chips = (NumOutputs + PortBits - 1) / PortBits;

    // Registers of every router's outputs. PortLocal is the far end of a link: it rewrites nothing.
    struct Params {
        std::array<uint8_t, PortBits> port{};
        std::array<uint8_t, PortBits> num_vc{};
        flit_t lanes = OneLane;
        uint32_t entries = NumEntries;  // entries of the ack table
    };
    struct In {
        Ports gnt = 0;
        Ports cand_any = 0;
        Ports offer = 0;      // the line is free for a stream, see offer()
        Ports line_void = 0;  // of the line, as all up to `ann`
        Ports hush = 0;
        Ports ask = 0;
        Ports call = 0;
        Ports down = 0;
        Ports up = 0;
        Ports ann = 0;
        Ports loc_want = 0;
        Ports raw = 0;   // a packet is dumped as it stands in the buffer
        Ports body = 0;  // the crossbar brings flits behind the header, as they stand in a buffer
        TwoBits cred;
        Ports tick = 0;
        Ports slow = 0;
        Ports sink = 0;
        std::array<uint8_t, Chips> rank{};
        std::array<uint64_t, Chips> gen{};  // generations of the ack entries, AckTable::gens()
        std::array<stream_t, Chips> loc_x{};
    };
    struct Regs {
        TwoBits req;
        Ports oe = 0;
        Ports tx = 0;
        Ports txloc = 0;
        Ports sunk = 0;  // the stream goes nowhere
        Ports rw = 0;    // unicast: the header is rewritten
        Ports mc = 0;    // multicast: the used-up map byte is cleared
        TwoBits vc;      // of the packet
        TwoBits hidx;    // of the flit that is sent: 0, 1, 2 in the header, then 3
        TwoBits in;      // the first half of a credit
        Ports gap = 0;   // after a credit CRED has to be 0 first
        TwoBits gone;    // ticks that the other end has not been there
        // 0 in hand, 1 away, 2 for a slow tick, 3 late. While the link is down: 1 was in hand when
        // it went, 3 was away.
        std::array<TwoBits, MaxVc> owed{};
        std::array<uint32_t, Chips> credit{};  // those in hand: bit 3 * port + VC
        std::array<uint8_t, NumOutputs> tag{};
        std::array<flit_t, NumOutputs> d{};
    };
    struct Events {
        Ports cred = 0;  // CRED was disturbed
        Ports owed = 0;  // a credit that was away is announced: what it was used for may be lost
        Ports sunk = 0;
    };

    explicit Outputs(const Params& params) : m_params(params) {
        for (uint32_t c = 0; c < Chips; ++c)
            for (uint32_t p = 0; p < PortBits && c * PortBits + p < NumOutputs; ++p) {
                for (uint32_t v = 0; v < params.num_vc[p]; ++v) m_vcs[v] |= bit(c * PortBits + p);
                m_mbps |= Ports(is_mbp(params.port[p])) << (c * PortBits + p);
            }
        reset();
    }

    void reset() {
        m_q = Regs{};
        for (uint32_t v = 0; v < MaxVc; ++v) m_q.owed[v].low = m_vcs[v];
        m_touched = 0;
        m_events = {};
    }
    const Regs& q() const { return m_q; }
    OutputRegs regs_of(uint32_t o) const {
        const auto is = [o](Ports ports) { return (ports >> o & 1) != 0; };
        OutputRegs r{uint8_t(m_q.req.of(o)),
                     is(m_q.oe),
                     is(m_q.tx),
                     is(m_q.txloc),
                     is(m_q.sunk),
                     is(m_q.rw),
                     is(m_q.mc),
                     uint8_t(m_q.vc.of(o)),
                     uint8_t(m_q.hidx.of(o)),
                     uint8_t(m_q.in.of(o)),
                     is(m_q.gap),
                     uint8_t(m_q.gone.of(o)),
                     {},
                     m_q.tag[o],
                     m_q.d[o]};
        for (uint32_t v = 0; v < MaxVc; ++v) r.owed[v] = uint8_t(m_q.owed[v].of(o));
        return r;
    }
    void load(uint32_t o, const OutputRegs& r) {
        m_q.req.set(o, r.req);
        m_q.vc.set(o, r.vc);
        m_q.hidx.set(o, r.hidx);
        m_q.in.set(o, r.in);
        m_q.gone.set(o, r.gone);
        set_bit(m_q.oe, o, r.oe);
        set_bit(m_q.tx, o, r.tx);
        set_bit(m_q.txloc, o, r.txloc);
        set_bit(m_q.sunk, o, r.sunk);
        set_bit(m_q.rw, o, r.rw);
        set_bit(m_q.mc, o, r.mc);
        set_bit(m_q.gap, o, r.gap);
        m_q.tag[o] = r.tag;
        m_q.d[o] = r.d;
        uint32_t& credit = m_q.credit[chip_of(o)];
        for (uint32_t v = 0; v < num_vc(o); ++v) {
            m_q.owed[v].set(o, r.owed[v]);
            credit = (credit & ~credit_bit(o, v + 1)) | (r.owed[v] == 0 ? credit_bit(o, v + 1) : 0);
        }
        m_touched |= bit(o);
    }
    // Outputs whose credits changed in the last cycle, and its results.
    Ports touched() const { return m_touched; }
    const Events& events() const { return m_events; }

    // Outputs whose other end is gone: what goes there is consumed.
    Ports dead(Ports sink) const { return sink & m_q.gone.high; }
    // Outputs that may begin a stream, given the free lines.
    Ports offer(Ports line_gnt, Ports sink) const {
        const Ports gone = dead(sink);
        return (gone & ~m_q.tx) | (line_gnt & ~gone & ~(m_q.tx & m_q.sunk));
    }
    uint32_t credit(uint32_t chip, Ports sink) const {
        uint32_t credits = m_q.credit[chip];
        for (const uint32_t p : each(of_chip(dead(sink), chip)))
            credits |= ((1u << num_vc(p)) - 1) << 3 * p;
        return credits;
    }
    // Links on which a credit has been away for too long.
    Ports late(Ports up) const { return up & (is_late(0) | is_late(1) | is_late(2)); }

    // As long as the lines are idle and without requests, clock() would change nothing.
    bool quiet(Ports up) const {
        const Ports away = m_q.owed[0].any() | m_q.owed[1].any() | m_q.owed[2].any();
        const Ports hears = m_q.in.any() | m_q.gap | away | (m_q.gone.any() & up);
        return (m_q.tx | m_q.oe | m_q.sunk | (up & (hears | m_q.req.any()))) == 0;
    }
    bool hears_nothing() const { return (m_q.in.any() | m_q.gap) == 0; }
    // The second half of a credit comes: its VC + 1, else 0.
    uint32_t confirms(uint32_t o, uint32_t cred) const { return m_q.in.of(o) == cred ? cred : 0; }

    // Which outputs in `body` send one of the last two flits, and which the last.
    struct Ends {
        Ports last_two = 0;
        Ports last = 0;
    };

    // `x_of(port)` is the stream of the crossbar. `move(drive)` calls drive(port, flit) for the
    // ports in `body`, and updates the Ends; `x_of(port)` is called for the others. `driven(port,
    // flit)` is called for every flit that is then on D.
    template <typename StreamOf, typename Move, typename Driven>
    void clock(const In& in, StreamOf&& x_of, Move&& move, Driven&& driven) {
        const Ports gone = dead(in.sink);
        const Ports from_local = in.offer & in.loc_want;
        const Ports starts = in.gnt | from_local;
        const Ports want = ((in.cand_any | in.loc_want) & ~gone & ~in.hush) | in.ask;
        const Ports tx = m_q.tx;
        const Ports sends = tx & ~m_q.sunk;
        m_touched = 0;
        m_events = {0, 0, starts & gone};
        if ((in.tick | m_q.gone.any()) != 0) miss(in);
        hear(in);

        m_q.oe = sends & ~in.down;
        const auto drive = [this, &driven](uint32_t o, flit_t flit) {
            m_q.d[o] = flit;
            if ((m_q.oe >> o & 1) != 0) driven(o, flit);
        };
        const Ends ends = move(drive);
        m_q.req = {want & ((~sends & ~in.line_void) | (ends.last_two & sends)),
                   in.body & sends & ~ends.last_two};
        m_q.tx &= ~ends.last;
        for (const uint32_t o : each(tx & ~in.body))
            drive(o, send(o, in, stream(o, in, x_of), (want >> o & 1) != 0));
        if (in.down != 0) {
            m_q.req = (m_q.req & ~in.down) | TwoBits{in.call, in.call};
            fall(in);
        }

        m_q.tx |= starts;
        m_q.txloc = (m_q.txloc & ~starts) | from_local;
        m_q.sunk = (m_q.sunk & ~starts & m_q.tx) | (starts & gone);
        // Counts up to 3.
        const Ports both = m_q.hidx.low & m_q.hidx.high;
        m_q.hidx = TwoBits{~m_q.hidx.low | both, m_q.hidx.low | m_q.hidx.high} & tx & ~starts;
    }

    // A cycle in which an output sends the flit after one in the middle of a packet, which is in
    // the middle itself, and nothing else happens.
    void pass(uint32_t o, flit_t flit) { m_q.d[o] = flit; }

private:
    uint32_t port(uint32_t o) const { return m_params.port[port_of(o)]; }
    uint32_t num_vc(uint32_t o) const { return m_params.num_vc[port_of(o)]; }
    // VC of a VC code.
    static uint32_t credit_bit(uint32_t o, uint32_t code) {
        return 1u << (3 * port_of(o) + code - 1);
    }
    Ports is_late(uint32_t v) const { return m_q.owed[v].low & m_q.owed[v].high; }

    template <typename StreamOf>
    stream_t stream(uint32_t o, const In& in, StreamOf&& x_of) const {
        return (m_q.txloc >> o & 1) != 0 ? in.loc_x[chip_of(o)] : x_of(o);
    }
    // An MBP has one VC, whatever VC the other copies of the pass take.
    uint32_t vc_code(uint32_t o, stream_t x) const {
        return is_mbp(port(o)) ? uint32_t(VcVc0) : stream_code(x);
    }

    // Outputs without a live other end at a tick; an MBP is alive if it accepts packets.
    void miss(const In& in) {
        const Ports there = in.up & ~(m_mbps & m_q.owed[0].any());
        const Ports missed = in.tick & m_vcs[0] & ~there & ~m_q.gone.high;
        const TwoBits before = m_q.gone;
        m_q.gone = TwoBits{before.low ^ missed, before.high | (before.low & missed)} & ~there;
        m_touched |= before.high ^ m_q.gone.high;
    }

    // Credits: what comes, and what waits for it.
    void hear(const In& in) {
        if (in.slow != 0) wait(in.slow & in.up);
        if ((in.cred.any() | m_q.in.any() | m_q.gap) != 0) listen(in, in.up | in.ann);
        // A buffer that is not announced by the end of Ann is still in use at the other end.
        if (const Ports announced = in.ann & ~in.down)
            for (uint32_t v = 0; v < MaxVc; ++v) m_q.owed[v].high &= ~(announced & is_late(v));
    }
    // A credit is two equal codes, then 0.
    void listen(const In& in, Ports live) {
        const TwoBits cred = in.cred & live;
        const Ports waits = m_q.in.any() & live;
        const Ports same = waits & ~(cred ^ m_q.in).any();
        const Ports begins = cred.any() & ~waits & ~m_q.gap;
        const Ports wrong = begins & cred.high & (~m_vcs[1] | (cred.low & ~m_vcs[2]));
        for (const uint32_t o : each(same)) take_credit(o, m_q.in.of(o), in.ann);
        // A code present when the other end begins to call is not a credit and not an error.
        m_events.cred = (wrong | (waits & ~same)) & ~in.call;
        m_q.gap = wrong | same | (cred.any() & ((m_q.gap & live) | waits));
        m_q.in = cred & begins & ~wrong;
    }
    // A slow tick.
    void wait(Ports outputs) {
        for (TwoBits& owed : m_q.owed) {
            const TwoBits away = owed & outputs;
            const Ports once = away.low & ~away.high;
            owed = {(owed.low & ~once) | away.high, owed.high | once};
        }
    }
    // The link goes down: no credit is in hand any more, but it is remembered which were.
    void fall(const In& in) {
        const Ports from_up = in.call & in.up;
        const Ports falls = from_up | (in.call & in.ann);
        for (uint32_t v = 0; falls != 0 && v < MaxVc; ++v) {
            TwoBits& owed = m_q.owed[v];
            const Ports in_hand = falls & m_vcs[v] & ~owed.any();
            const Ports away = from_up & owed.any();
            for (const uint32_t o : each(in_hand)) drop_credit(o, v + 1);
            owed = {owed.low | in_hand | away, owed.high | away};
        }
    }
    void take_credit(uint32_t o, uint32_t code, Ports ann) {
        TwoBits& owed = m_q.owed[code - 1];
        m_q.credit[chip_of(o)] |= credit_bit(o, code);
        m_touched |= bit(o);
        if (owed.of(o) == 3) m_events.owed |= bit(o) & ann;
        owed.set(o, 0);
    }
    void drop_credit(uint32_t o, uint32_t code) {
        m_q.credit[chip_of(o)] &= ~credit_bit(o, code);
        m_touched |= bit(o);
    }

    flit_t send(uint32_t o, const In& in, stream_t x, bool want) {
        const flit_t flit = stream_flit(x);
        const uint32_t hidx = m_q.hidx.of(o);
        const uint32_t code = hidx == 0 ? vc_code(o, x) : stream_code(x);
        const bool sends = (m_q.sunk >> o & 1) == 0;
        if (hidx == 0) {
            if (sends) use_credit(o, code, flit, in);
            m_q.vc.set(o, code - 1);
            m_q.tag[o] = uint8_t(get(uint32_t(flit), H0Tag));
            set_bit(m_q.rw, o, is_rewritten(flit));
            set_bit(m_q.mc, o, is_multicast(flit));
        } else if (code == CodeLast) {
            m_q.tx &= ~bit(o);
        }
        if (hidx == 1 && has_banks(m_params.entries))
            m_q.tag[o] = uint8_t(tag_in_bank(m_q.tag[o]) | bank_in(slice0(flit), H1Bank));
        if (sends) {
            const bool tells = hidx == 0 || code == CodeMore;
            m_q.req.set(o, tells ? code : want ? uint32_t(ReqWant) : uint32_t(ReqIdle));
        }
        return (in.raw >> o & 1) != 0 ? flit : outgoing(o, hidx, flit, in);
    }
    // An ack needs none. A stream that is cut off uses it too.
    void use_credit(uint32_t o, uint32_t code, flit_t h0, const In& in) {
        if (code == 0 || code > num_vc(o) || get(uint32_t(h0), H0Type) == int(TypeAck)) return;
        if ((in.ann >> o & 1) != 0) return;
        drop_credit(o, code);
        m_q.owed[code - 1].set(o, (in.up >> o & 1) != 0 ? 1 : 3);
    }

    flit_t outgoing(uint32_t o, uint32_t hidx, flit_t flit, const In& in) const {
        if ((m_q.txloc >> o & 1) != 0 || hidx == 3) return flit;
        const uint32_t rank = in.rank[chip_of(o)];
        const uint32_t vc = m_q.vc.of(o);
        if ((m_q.mc >> o & 1) != 0) {
            const bool transfer = vc == 2 && port(o) <= PortW0;
            const flit_t copy = leave_through(flit, hidx, port(o), rank, transfer, m_params.lanes);
            flit = has_banks(m_params.entries) && hidx == 1 ? with_bank_of(flit, copy) : copy;
            if (is_mbp(port(o)) && hidx == 2) flit = with_gen(o, flit, in.gen[chip_of(o)]);
        } else if ((m_q.rw >> o & 1) != 0 && is_network(port(o))) {
            flit = rewrite(flit, hidx, port(o), rank, m_params.lanes);
        }
        return shows_vc(vc, hidx) && vc < num_vc(o) ? flit ^ ParityBit * m_params.lanes : flit;
    }
    // The parity of H2 encodes VC 1, that of H1 encodes VC-T.
    static bool shows_vc(uint32_t vc, uint32_t hidx) {
        return (vc == 1 && hidx == 2) || (vc == 2 && hidx == 1);
    }

    // An MBP sends back which use of the ack entry it answers.
    flit_t with_gen(uint32_t o, flit_t h2, uint64_t gens) const {
        const uint32_t tag = m_q.tag[o];
        if (tag_in_bank(tag) == 0) return h2;
        const uint32_t entry = entry_of_tag(tag, m_params.entries);
        uint64_t gen = 0;
        if (has_banks(m_params.entries))
            gen = entry == 0 ? 0 : bank_of(tag) << 2 | (gens >> 2 * (entry - 1) & 3);
        else if (entry == 0) return h2;
        else gen = gens >> 4 * (entry - 1) & 15;
        return carry_parity(h2, with(uint32_t(h2), H2Gen, int(gen)), m_params.lanes);
    }
    // No output changes the bank of the tag.
    flit_t with_bank_of(flit_t h1, flit_t copy) const {
        const int bank = get(slice0(h1), H1Bank);
        return carry_parity(copy, with(slice0(copy), H1Bank, bank), m_params.lanes);
    }

    Regs m_q;
    Ports m_touched = 0;
    Events m_events;
    std::array<Ports, MaxVc> m_vcs{};  // outputs that have this VC
    Ports m_mbps = 0;
    Params m_params;
};

}  // namespace rdt::fast
