// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_inject.sv: puts what the chip itself sends behind the crossbar, one packet at a
// time: combined acknowledges of the ack table, RETRY answers to multicasts that got no entry, and
// LOCAL's packets, in this order.
//
// Acks need no buffer at the other end, so they are spaced on each link; an ack that its link does
// not accept is dropped and reported. Specification 4.10. With banks of ack entries another ack for
// the same link goes out in H1.
#pragma once

#include <rdt/core/flit.h>
#include <rdt/ports.h>
#include <rdt/inject_ports.h>

namespace rdt {

class inject : public inject_ports {
public:
    explicit inject(sc_core::sc_module_name name, uint32_t entries = 0)
        : inject_ports(name, entries) {
        RDT_CLOCKED(clock);
        RDT_METHOD(comb);
        sensitive << m_clocked << snd_v_i << loc_want_i;
        for (int i = 0; i < NumPorts; ++i) sensitive << retry_i[i] << ent_gnt_i[i] << gnt_i[i];
        RDT_METHOD(stream);
        sensitive << m_clocked << loc_x_i;
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("st_q", 2, q.st);
        visit("cool_q", 4, q.cool);
        visit("m0_q", 10, q.m0);
        visit("m1_q", 10, q.m1);
        visit("rty_q", 4, q.rty);
        visit("wait_q", 7, q.wait);
        visit("idx_q", 2, q.idx);
        visit("port_q", 4, q.port);
        visit("tag_q", bits_of(TagW), q.tag);
        visit("status_q", 6, q.status);
    }

private:
    enum State : uint32_t {
        StIdle,
        StWant,  // an ack requests its line
        StAck,   // the three flits of the ack
        StLoc,   // a packet of LOCAL
    };
    struct Regs {
        uint32_t st = StIdle;
        uint32_t cool = 0;  // counts 16 cycles while some link is busy
        uint32_t m0 = 0;    // links that got an ack since cool was 0,
        uint32_t m1 = 0;    // and in the 16 cycles before
        uint32_t rty = 9;   // the last RETRY
        uint32_t wait = 0;  // cycles without a grant
        uint32_t idx = 0;   // flit of an ack; 0 at the first flit of LOCAL
        uint32_t port = 0;  // the ack; from H1 on the second one, tag 0 if there is none
        uint32_t tag = 0;
        uint32_t status = 0;
    };

    // The transfer in this cycle; at most one of ack, RETRY and LOCAL's packet begins.
    struct Choice {
        bool ack = false;      // the ack that rdt_ack offers is taken
        bool retry = false;    // a RETRY answer is taken,
        uint32_t port = 0;     // for this port
        uint32_t want = 0;     // links requested
        uint32_t granted = 0;  // granted links
    };

    uint32_t busy() const { return q.m0 | q.m1; }
    // H0 of an ack goes out, and H1 may take another one with it.
    bool takes_second() const {
        return is_banked() && q.st == StAck && q.idx == 0 && is_network(q.port);
    }

    Choice choose() const {
        Choice c;
        if (q.st == StWant) {
            c.want = 1u << q.port & ((1u << NumPorts) - 1);
        } else if (q.st == StIdle) {
            c.ack = snd_v_i.read();
            if (!c.ack) {
                uint32_t retries = word_of(retry_i) & ~busy();
                if (retries != 0) retries &= ~word_of(ent_gnt_i);
                c.retry = retries != 0;
                c.port = next_in_turn(retries, q.rty);
            }
            if (!c.ack && !c.retry) c.want = uint32_t(loc_want_i.read()) << PortM0;
        } else if (takes_second()) {
            c.ack = snd_v_i.read();
        }
        if (c.want != 0) c.granted = c.want & word_of(gnt_i);
        return c;
    }
    bool gives_up(const Choice& c) const {
        return q.st == StWant && c.granted == 0 && q.wait == AckWait - 1;
    }

    void comb() {
        const Choice c = choose();
        snd_take_o.write(c.ack);
        write_word(retry_ack_o, c.retry ? 1u << c.port : 0);
        write_word(want_o, c.want);
        loc_gnt_o.write(q.st == StIdle ? c.granted >> PortM0 : 0);
        ev_lost_o.write(gives_up(c));
        busy_o.write(takes_second() ? ~(1u << q.port) : busy());
    }

    void stream() {
        uint64_t x = 0;
        if (q.st == StLoc) x = loc_x_i.read();
        if (q.st == StAck) {
            const uint32_t h0 = TypeAck << H0Type.lo | q.tag >> 3 << H0Ackbank.lo | 2u << H0Len.lo |
                                (q.tag & 7) << H0Tag.lo | q.status;
            const uint32_t h1 = is_banked() ? q.tag << H1Acktag.lo | q.status : 0;
            const uint32_t payload = q.idx == 0 ? h0 : q.idx == 1 ? h1 : 0;
            x = wires_of(code_of(q.idx, 2, VcVc0), make_flit(payload, q.idx) * DataLanes);
        }
        x_o.write(x);
    }

    void clock() {
        const Regs before = q;
        if (!rst_ni.read()) q = Regs{};
        else step(choose());
        if (changed(before, q)) m_clocked.notify();
    }

    void step(const Choice& c) {
        keep_apart(q.st == StWant ? c.granted : 0);
        switch (q.st) {
        case StIdle:
            if (c.ack) keep(snd_port_i.read(), snd_tag_i.read(), snd_st_i.read());
            if (c.retry) {
                q.rty = c.port;
                keep(c.port, ent_tag_i[c.port].read(), 1u << AckRetry);
            }
            if (c.granted != 0) q.st = StLoc, q.idx = 0;
            break;
        case StWant:
            if (c.granted != 0) q.st = StAck, q.idx = 0;
            else if (gives_up(c)) q.st = StIdle;
            else ++q.wait;
            break;
        case StAck:
            if (q.idx == 0 && is_banked()) {
                q.tag = c.ack ? uint32_t(snd_tag_i.read()) : 0;
                q.status = c.ack ? uint32_t(snd_st_i.read()) : 0;
            }
            if (q.idx == 2) q.st = StIdle;
            else ++q.idx;
            break;
        case StLoc:
            if (q.idx != 0 && code_on(loc_x_i.read()) == CodeLast) q.st = StIdle;
            q.idx = 1;
            break;
        }
    }

    void keep(uint32_t port, uint32_t tag, uint32_t status) {
        q.st = StWant;
        q.wait = 0;
        q.port = port;
        q.tag = tag;
        q.status = status;
    }

    // 18 to 33 cycles from ack to ack, with one counter for all links.
    void keep_apart(uint32_t used) {
        const bool rests = (busy() | used) == 0;
        q.m0 |= used;
        if (q.cool == 15) {
            q.m1 = q.m0;
            q.m0 = 0;
        }
        q.cool = rests ? 0 : (q.cool + 1) % 16;
    }

    Regs q;
    delta_event m_clocked;
};

}  // namespace rdt
