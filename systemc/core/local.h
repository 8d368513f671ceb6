// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_local.sv: the eleventh crossbar output. Carries out SETUP
// packets, turns bad packets and time-outs into ERR packets for the MBP, and
// keeps the configuration.
#pragma once

#include <array>

#include "core/route.h"

namespace rdt::core {

class Local {
public:
    enum State : uint32_t { Idle, Recv, Send, Tx };
    enum Kind : uint32_t { KindErr, KindNotice, KindAnswer };

    struct In {
        bool shoot = false;
        bool own_slice = false;
        bool slice = false;
        stream_t x = 0;
        bool gnt = false;
        uint32_t sel_port = 0;  // input selected by the crossbar column
        uint32_t rd_err = 0;    // of that input
        uint32_t rd_vc = 0;
        uint32_t to_pend = 0;
        uint32_t to_vc = 0;  // of the lowest port in to_pend
        uint32_t loc_gnt = 0;
        uint32_t ev_body = 0;
        uint32_t ev_frame = 0;
        uint32_t ev_over = 0;
        uint32_t ev_cred = 0;
        bool ev_table = false;
        bool bad_ack = false;  // an ack nobody waits for
        uint32_t bad_port = 0;
        uint32_t bad_tag = 0;
    };
    struct Config {
        RouteConfig route;
        uint32_t x = 0;
        uint32_t y = 0;
        uint32_t link = 0;
        uint32_t timeout = 0;
        uint32_t t_ent = 0;
        uint32_t t_ack = 0;
        uint32_t ctrl = 0;
        uint32_t status = 0;
        uint32_t link_err = 0;
        uint32_t err_cnt = 0;
        uint32_t body_cnt = 0;
    };
    struct Regs {
        uint32_t st = Idle;
        uint32_t ridx = 0;
        uint32_t kind = KindErr;
        uint32_t code = 0;
        uint32_t port = 0;
        uint32_t vc = 0;
        uint32_t h0 = 0;
        uint32_t h1 = 0;
        uint32_t h2 = 0;
        bool cmd = false;
        uint32_t addr = 0;
        uint32_t e = 0;
        uint32_t tag = 0;
        bool quiesce = false;
        uint32_t cnt = 0;
        uint32_t cnt_ent = 0;
        uint32_t cnt_ack = 0;
        Config cfg;
    };

    void reset() { m_q = Regs{}; }
    const Regs& q() const { return m_q; }
    const Config& config() const { return m_q.cfg; }

    bool ready() const { return m_q.st == Idle; }
    bool x_gnt(uint32_t to_pend, bool bad_ack) const {
        return m_q.st == Idle && to_pend == 0 && !bad_ack && !m_q.quiesce;
    }
    bool bad_take(uint32_t to_pend, bool bad_ack) const {
        return m_q.st == Idle && to_pend == 0 && bad_ack;
    }
    uint32_t to_ack(uint32_t to_pend) const { return m_q.st == Idle ? to_pend & -to_pend : 0; }
    bool tick() const { return m_q.cfg.timeout != 0 && m_q.cnt == 0; }
    bool tick_ent() const { return m_q.cfg.t_ent != 0 && m_q.cnt_ent == 0; }
    bool tick_ack() const { return m_q.cfg.t_ack != 0 && m_q.cnt_ack == 0; }
    bool err() const { return m_q.cfg.status != 0; }

    uint32_t loc_want(uint32_t m_credit) const {
        if (m_q.st != Send) return 0;
        return m_credit & (destination() != 0 ? 2u : 1u);
    }

    stream_t loc_x() const {
        if (m_q.st != Tx) return 0;
        return make_stream(code_of(m_q.ridx, last_flit(), VcVc0), make_flit(payload(m_q.ridx)));
    }

    void clock(const In& in) {
        Config& cfg = m_q.cfg;
        const bool body_event = in.ev_body != 0;
        m_q.cnt = m_q.cnt == 0 ? cfg.timeout : m_q.cnt - 1;
        m_q.cnt_ent = m_q.cnt_ent == 0 ? cfg.t_ent : m_q.cnt_ent - 1;
        m_q.cnt_ack = m_q.cnt_ack == 0 ? cfg.t_ack : m_q.cnt_ack - 1;
        m_q.quiesce = in.shoot;

        m_written = NoRegister;
        m_set = 0;
        const bool counts = m_q.st == Send && in.loc_gnt != 0 && m_q.kind != KindAnswer;
        const uint32_t old_ctrl = cfg.ctrl;
        advance(in);

        if (body_event) m_set |= 1u << StatusBody;
        if (in.ev_frame != 0) m_set |= 1u << StatusFrame;
        if (in.ev_over != 0) m_set |= 1u << StatusOverrun;
        if (in.ev_cred != 0) m_set |= 1u << StatusCredit;
        if (in.ev_table) m_set |= 1u << StatusTable;
        if (old_ctrl != 0 && in.own_slice != in.slice) m_set |= 1u << StatusSlice;
        cfg.status |= m_set;
        cfg.link_err |= in.ev_body | in.ev_frame | in.ev_over | in.ev_cred;
        if (m_written != RegErrCnt && counts && cfg.err_cnt < 255) ++cfg.err_cnt;
        if (m_written != RegBodyCnt && body_event && cfg.body_cnt < 255) ++cfg.body_cnt;
    }

    uint32_t read(uint32_t addr) const {
        const Config& c = m_q.cfg;
        switch (addr) {
        case RegId: return IdValue;
        case RegX: return c.x;
        case RegY: return c.y;
        case RegRank: return c.route.rank;
        case RegXfer: return c.route.xfer;
        case RegDateline: return c.route.dateline;
        case RegLink: return c.link;
        case RegTimeout: return c.timeout;
        case RegCtrl: return c.ctrl;
        case RegStatus: return c.status;
        case RegLinkErr: return c.link_err;
        case RegErrCnt: return c.err_cnt;
        case RegBodyCnt: return c.body_cnt;
        case RegMask: return c.route.mask;
        case RegTEnt: return c.t_ent;
        case RegTAck: return c.t_ack;
        default: return 0;
        }
    }

private:
    static constexpr uint32_t NoRegister = ~0u;
    static bool exists(uint32_t addr) { return addr <= RegTAck; }

    void write(uint32_t addr, uint32_t d) {
        Config& c = m_q.cfg;
        m_written = addr;
        switch (addr) {
        case RegX: c.x = d & 0xFF; break;
        case RegY: c.y = d & 0xFF; break;
        case RegRank: c.route.rank = d & 7; break;
        case RegXfer: c.route.xfer = d & 0xF; break;
        case RegDateline: c.route.dateline = d & 0xFF; break;
        case RegLink: c.link = d & 0xFF; break;
        case RegTimeout: c.timeout = d & 0xFFFF; break;
        case RegCtrl: c.ctrl = d & 1; break;
        case RegStatus: c.status &= ~d; break;
        case RegLinkErr: c.link_err &= ~d; break;
        case RegErrCnt: c.err_cnt = d & 0xFF; break;
        case RegBodyCnt: c.body_cnt = d & 0xFF; break;
        case RegMask: c.route.mask = d & 0xFF; break;
        case RegTEnt: c.t_ent = d & 0xFFFF; break;
        case RegTAck: c.t_ack = d & 0xFFFF; break;
        default: break;
        }
    }

    void advance(const In& in) {
        switch (m_q.st) {
        case Idle:
            if (in.to_pend != 0) {
                report(KindNotice, ErrTimeout, StatusTimeout);
                m_q.port = uint32_t(__builtin_ctz(in.to_pend));
                m_q.vc = in.to_vc;
                m_q.tag = 0;
            } else if (in.bad_ack) {
                report(KindNotice, ErrUnexpectedAck, StatusAck);
                m_q.port = in.bad_port;
                m_q.vc = 0;
                m_q.tag = in.bad_tag;
            } else if (in.gnt) {
                m_q.st = Recv;
                m_q.ridx = 0;
                m_q.e = ErrNone;
                m_q.cmd = false;
            }
            break;
        case Recv: receive(in); break;
        case Send:
            if ((in.loc_gnt >> destination() & 1) != 0) {
                m_q.st = Tx;
                m_q.ridx = 0;
            }
            break;
        default:
            if (m_q.ridx == last_flit()) m_q.st = Idle;
            m_q.ridx = (m_q.ridx + 1) & 15;
            break;
        }
    }

    void report(Kind kind, uint32_t code, Status bit) {
        m_q.st = Send;
        m_q.kind = kind;
        m_q.code = code;
        m_set |= 1u << bit;
    }

    void receive(const In& in) {
        const flit_t flit = stream_flit(in.x);
        const uint32_t ridx = m_q.ridx;
        const bool last = ridx != 0 && stream_code(in.x) == CodeLast;
        m_q.ridx = (ridx + 1) & 15;
        if (ridx == 0) {
            m_q.h0 = flit & PayloadMask;
            m_q.code = in.rd_err;
            m_q.port = in.sel_port;
            m_q.vc = in.rd_vc;
        } else if (ridx == 1) {
            m_q.h1 = flit & PayloadMask;
        } else if (ridx == 2) {
            m_q.h2 = flit & PayloadMask;
        } else if (m_q.code == ErrNone) {
            const uint32_t found = (ridx & 1) != 0 ? command(flit, last) : data(flit);
            if (m_q.e == ErrNone) m_q.e = found;
        }
        if (!last) return;
        if (m_q.code != ErrNone) report(KindErr, m_q.code, StatusHeader);
        else if (m_q.e != ErrNone) report(KindErr, m_q.e, StatusSetup);
        else if (get(m_q.h0, H0Len) == 3) {
            m_q.st = Send;
            m_q.kind = KindAnswer;
        } else m_q.st = Idle;
    }

    uint32_t command(flit_t flit, bool last) {
        const bool write = (flit >> 15 & 1) != 0;
        const uint32_t addr = flit & 0x7FFF;
        m_q.cmd = false;
        if (!odd(flit)) return ErrBodyParity;
        if (write ? last : get(m_q.h0, H0Len) != 3) return ErrBadLength;
        if (!exists(addr) || (write && addr == RegId)) return ErrUnknownReg;
        m_q.cmd = write;
        m_q.addr = addr;
        return ErrNone;
    }

    uint32_t data(flit_t flit) {
        const bool wanted = m_q.cmd;
        m_q.cmd = false;
        if (!wanted) return ErrNone;
        if (!odd(flit)) return ErrBodyParity;
        write(m_q.addr, flit & 0xFFFF);
        return ErrNone;
    }

    uint32_t destination() const {
        return m_q.kind == KindAnswer ? uint32_t(get(m_q.h0, H0Mbp)) : 0;
    }
    uint32_t last_flit() const { return m_q.kind == KindErr ? 5 : m_q.kind == KindNotice ? 2 : 4; }

    uint32_t noted_tag() const { return m_q.kind == KindNotice ? m_q.tag : 0; }

    uint32_t payload(uint32_t k) const {
        const bool answer = m_q.kind == KindAnswer;
        switch (k) {
        case 0: {
            flit_t h0 = with(0, H0Type, answer ? int(TypeSetup) : int(TypeErr));
            h0 = with(h0, H0Len, int(last_flit()));
            return answer ? h0 | (m_q.h0 & (mask(H0Tag) | mask(H0Mbp))) : h0 | m_q.code;
        }
        case 1: return answer ? 0 : m_q.port << 13 | m_q.vc << 11 | noted_tag() << 8;
        case 2: return m_q.cfg.x << 8 | m_q.cfg.y;
        case 3: return answer ? m_q.addr : m_q.h0;
        case 4: return answer ? read(m_q.addr) : m_q.h1;
        default: return m_q.h2;
        }
    }

    Regs m_q;
    uint32_t m_written = NoRegister;
    uint32_t m_set = 0;
};

}  // namespace rdt::core
