// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_link_io.sv: one port of Lines.
//
// A single line has so few states that the actions of Lines are in a look-up table; Lines itself
// handles cycles in which the link is down or has an error.
#pragma once

#include <rdt/fast/lines.h>

namespace rdt::fast {

class LinkIo {
public:
    struct Params {
        uint32_t num_vc;
        bool prio;       // wins the first tie after reset
        bool always_on;  // MBP links need no switching on
        flit_t lanes = OneLane;
    };
    struct In {
        bool link_en = false;
        flit_t d = 0;
        uint32_t req = 0;  // peer's pins
        uint32_t cred = 0;
        uint32_t own_req = 0;  // own pins
        bool own_oe = false;
        bool tx = false;    // the output takes a stream
        bool late = false;  // a credit has been away for too long
        bool bad = false;   // what came is no packet
        bool slow = false;  // tick
        bool cred_ret = false;
        uint32_t cred_vc = 0;
        uint32_t cred_add = 0;  // VCs whose credit is returned when CRED is free
        uint32_t room = 0;      // VCs whose buffer is empty
    };
    // For the output, and LOCAL. Follows from registers and inputs.
    struct Out {
        bool line_gnt = false;
        bool line_void = false;
        bool hush = false;
        bool ask = false;
        bool call = false;
        bool down = false;
        bool ev_sync = false;
    };
    struct Regs {
        uint8_t st = LineSync;
        bool mine = false;
        bool tail = false;
        uint8_t cnt = 0;
        uint8_t p = 0;
        bool told = false;
        bool tick = false;  // found down by a slow tick
        uint8_t pend = 0;
        uint8_t keep = 0;  // VCs announced after Ann, not in it
        bool rep = false;
        bool rx_valid = false;
        bool rx_first = false;
        bool rx_second = false;
        bool rx_last = false;
        uint8_t rx_vc = 0;
        uint8_t cred = 0;
        flit_t rx_d = 0;

        bool up() const { return st <= LineXfer; }
        bool ann() const { return st == LineAnn && cnt != 0; }  // CRED names buffers
    };

    explicit LinkIo(Params params)
        : m_params(params),
          m_steps(&table()[(params.num_vc - 1) << 10 | uint32_t(params.prio) << 8]) {
        reset();
    }

    void reset() { m_q = regs_of(Lines<1>(lines_of(m_params)).q(), 0); }
    const Regs& q() const { return m_q; }
    void load(const Regs& q) { m_q = q; }

    Out out(const In& in) const {
        if (is_plain(in)) {
            const Step& next = step(in);
            if (!next.trouble) return {next.gnt, m_q.st == LineGnt && m_q.mine};
        }
        const auto next = lines().look(words_of(in));
        return {next.gnt != 0,  next.voided != 0, next.hush != 0,   next.ask != 0,
                next.call != 0, next.down != 0,   next.ev_sync != 0};
    }
    // As long as the pins stay as they are, clock() would change nothing but rx_d.
    bool quiet(const In& in) const { return lines().quiet(words_of(in)); }

    // In the middle of a packet: as long as its owner signals more flits, no credit is returned and
    // it is not too long, watch() is a cycle.
    bool mid_packet() const {
        return m_q.st == LineXfer && m_q.rx_valid != m_q.mine && !m_q.tail && !m_q.rx_first &&
               !m_q.rx_second && !m_q.rx_last && (m_q.cred | m_q.pend) == 0;
    }
    bool watches() const { return m_q.cnt < MaxXfer; }
    void watch(flit_t d) {
        m_q.rx_d = d;
        ++m_q.cnt;
    }

    void clock(const In& in) {
        const uint8_t inverts = m_q.rx_first ? VcVcT : m_q.rx_second ? VcVc1 : VcNone;
        const bool inverted = inverts == m_q.rx_vc + 1 && in.req != ReqCall;
        if (is_plain(in) && !step(in).trouble) {
            follow(step(in), in.req);
            give_back(in);
        } else {
            clock_lines(in);
        }
        m_q.rx_d = inverted ? in.d ^ ParityBit * m_params.lanes : in.d;
    }

    // One port of many.
    template <typename LinesRegs>
    static Regs regs_of(const LinesRegs& q, uint32_t p) {
        const auto bit = [p](Ports ports) { return (ports >> p & 1) != 0; };
        const auto vcs = [&bit](const auto& of) {
            return uint8_t(uint32_t(bit(of[0])) | uint32_t(bit(of[1])) << 1 |
                           uint32_t(bit(of[2])) << 2);
        };
        uint32_t cnt = 0;
        for (uint32_t b = 0; b < q.cnt.size(); ++b) cnt |= uint32_t(bit(q.cnt[b])) << b;
        const uint32_t st = bit(q.sync)   ? uint32_t(LineSync)
                            : bit(q.zero) ? uint32_t(LineZero)
                            : bit(q.ann)  ? uint32_t(LineAnn)
                                          : q.st.of(p);
        return {uint8_t(st),
                bit(q.mine),
                bit(q.tail),
                uint8_t(cnt),
                uint8_t(q.p.of(p)),
                bit(q.told),
                bit(q.tick),
                vcs(q.pend),
                vcs(q.keep),
                bit(q.rep),
                bit(q.rx_valid),
                bit(q.rx_first),
                bit(q.rx_second),
                bit(q.rx_last),
                uint8_t(q.rx_vc.of(p)),
                uint8_t(q.cred.of(p)),
                q.rx_d[p]};
    }

private:
    // The actions for a state of a line that is up, and both ends' REQ and OE.
    struct Step {
        uint8_t st = 0;
        bool mine = false;
        bool tail = false;
        bool rx_valid = false;
        bool rx_first = false;
        bool gnt = false;
        bool trouble = false;
    };
    static constexpr uint32_t NumVcs = 3;
    static constexpr uint32_t Steps = NumVcs * 1024;
    static constexpr uint8_t MaxXfer = 15;  // after so many cycles of Xfer the next is too much

    // Made with the first link, not at the start of a program: a file that is compiled without
    // optimization and includes this header would make the table, and its functions, slow.
    static const std::array<Step, Steps>& table() {
        static const std::array<Step, Steps> steps = make_steps();
        return steps;
    }
    static std::array<Step, Steps> make_steps() {
        std::array<Step, Steps> steps;
        for (uint32_t n = 0; n < Steps; ++n) {
            Regs q;
            q.st = n & 3;
            q.mine = (n >> 2 & 1) != 0;
            q.tail = (n >> 3 & 1) != 0;
            Lines<1> lines(lines_of({n / 1024 + 1, (n >> 8 & 1) != 0, true}), words_of(q));
            In in;
            in.own_req = n >> 4 & 3;
            in.req = n >> 6 & 3;
            in.own_oe = (n >> 9 & 1) != 0;
            const auto found = lines.look(words_of(in));
            lines.clock(found, {}, [](uint32_t) { return 0; });
            const Regs next = regs_of(lines.q(), 0);
            steps[n] = {next.st,       next.mine,      next.tail,      next.rx_valid,
                        next.rx_first, found.gnt != 0, found.call != 0};
        }
        return steps;
    }
    const Step& step(const In& in) const {
        return m_steps[m_q.st | uint32_t(m_q.mine) << 2 | uint32_t(m_q.tail) << 3 |
                       in.own_req << 4 | in.req << 6 | uint32_t(in.own_oe) << 9];
    }
    // Up, and nothing counts but the line itself.
    bool is_plain(const In& in) const {
        return m_q.up() && (in.link_en || m_params.always_on) && !in.late && !in.bad &&
               m_q.cnt < MaxXfer;
    }
    void follow(const Step& next, uint32_t req) {
        m_q.cnt = uint8_t(m_q.st == LineXfer && next.st == LineXfer ? m_q.cnt + 1 : 0);
        m_q.st = next.st;
        m_q.mine = next.mine;
        m_q.rx_second = m_q.rx_first;
        m_q.rx_valid = next.rx_valid;
        m_q.rx_first = next.rx_first;
        m_q.rx_last = m_q.tail;
        m_q.tail = next.tail;
        m_q.told = m_q.tick = false;
        if (next.rx_first) m_q.rx_vc = uint8_t(req - 1);
    }
    // A credit is shown in two cycles on end, then CRED is 0 for one at least.
    void give_back(const In& in) {
        const uint32_t returned = in.cred_ret ? 1u << in.cred_vc : 0;
        uint32_t waits = m_q.pend | in.cred_add;
        if (m_q.cred != VcNone) {
            if (!m_q.rep) m_q.cred = VcNone;
            m_q.rep = false;
            waits |= returned;
        } else if (returned != 0 || m_q.pend != 0) {
            const uint32_t vc = returned != 0 ? in.cred_vc : uint32_t(__builtin_ctz(m_q.pend));
            if (returned == 0) waits = (m_q.pend & (m_q.pend - 1u)) | in.cred_add;
            m_q.cred = uint8_t(vc + 1);
            m_q.rep = true;
        }
        m_q.pend = uint8_t(waits);
    }
    void clock_lines(const In& in) {
        Lines<1>::Back back;
        back.cred_ret = in.cred_ret;
        back.cred_vc = pair(in.cred_vc);
        back.cred_add = per_vc(in.cred_add);
        back.room = per_vc(in.room);
        Lines<1> one = lines();
        one.clock(one.look(words_of(in)), back, [](uint32_t) { return 0; });
        m_q = regs_of(one.q(), 0);
    }
    Lines<1> lines() const { return Lines<1>(lines_of(m_params), words_of(m_q)); }

    static TwoBits pair(uint32_t value) { return {value & 1u, value >> 1 & 1u}; }
    static Lines<1>::PerVc per_vc(uint32_t vcs) { return {vcs & 1u, vcs >> 1 & 1u, vcs >> 2 & 1u}; }
    static Lines<1>::Params lines_of(Params p) {
        return {per_vc((1u << p.num_vc) - 1), p.prio, p.always_on, p.lanes};
    }
    static Lines<1>::In words_of(const In& in) {
        return {in.link_en, pair(in.req), pair(in.cred), pair(in.own_req), in.own_oe,
                in.tx,      in.late,      in.bad,        in.slow};
    }
    static Lines<1>::Regs words_of(const Regs& q) {
        Lines<1>::Count cnt{};
        for (uint32_t b = 0; b < cnt.size(); ++b) cnt[b] = q.cnt >> b & 1u;
        return {pair(q.up() ? q.st : 0u),
                q.st == LineSync,
                q.st == LineZero,
                q.st == LineAnn,
                q.mine,
                q.tail,
                cnt,
                pair(q.p),
                q.told,
                q.tick,
                per_vc(q.pend),
                per_vc(q.keep),
                q.rep,
                q.rx_valid,
                q.rx_first,
                q.rx_second,
                q.rx_last,
                pair(q.cred),
                pair(q.rx_vc),
                {q.rx_d}};
    }

    Params m_params;
    const Step* m_steps;  // for the link's number of VCs and priority
    Regs m_q;
};

}  // namespace rdt::fast
