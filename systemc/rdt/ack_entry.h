// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_ack_entry.sv: one entry of the ack table, a multicast whose copies have not all
// been answered. Specification 4.9.
//
// After a time-out it answers its parent and stays in quarantine until the acks still missing have
// come, or for six ticks since no copy with its tag is held in the chip any more: a late ack is not
// taken for one of a later multicast.
#pragma once

#include <rdt/core/format.h>
#include <rdt/ports.h>

namespace rdt {

class ack_entry : public block {
public:
    const bool IsLane;  // for barriers: waits until end_i, regardless of ticks

    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    in<1> tick_i{"tick_i"};
    in<1> end_i{"end_i"};
    // allocation, or an entry put back
    in<1> new_i{"new_i"};
    in<1> put_i{"put_i"};    // it is put back, with the status st_i and the generation gen_i
    in<1> quar_i{"quar_i"};  // into quarantine
    in<4> port_i{"port_i"};
    in<TagW> tag_i{"tag_i"};
    in<10> set_i{"set_i"};
    in<1> empty_i{"empty_i"};  // set_i is 0
    in<4> gen_i{"gen_i"};
    // an ack that the entry waits for
    in<1> land_i{"land_i"};
    in<10> ack_oh_i{"ack_oh_i"};  // its port
    in<6> st_i{"st_i"};
    in<1> more_i{"more_i"};  // others are missing
    // the ack to the parent
    in<1> sent_i{"sent_i"};
    out<1> full_o{"full_o"};
    out<4> port_o{"port_o"};
    out<TagW> tag_o{"tag_o"};
    out<6> status_o{"status_o"};
    // state
    in<1> held_i{"held_i"};  // a copy with its tag waits in a buffer of this chip
    out<1> free_o{"free_o"};
    out<1> quar_o{"quar_o"};
    out<1> late_o{"late_o"};  // time-out in this cycle
    out<10> pend_o{"pend_o"};
    out<4> gen_o{"gen_o"};

    explicit ack_entry(sc_core::sc_module_name name, bool is_lane = false)
        : block(name), IsLane(is_lane) {
        RDT_METHOD(show);
        sensitive << m_clocked;
        RDT_METHOD(comb);
        sensitive << m_clocked << tick_i << end_i << new_i << land_i << more_i;
    }

    bool is_free() const { return q.st == StFree; }

    // At the edge; the ack table calls it.
    void clock() {
        const Regs before = q;
        if (!rst_ni.read()) q = Regs{};
        else if (new_i.read()) begin();
        else if (q.st != StFree) go_on();
        if (changed(before, q)) m_clocked.notify();
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("owes_q", 1, q.st == StWait || q.st == StLate);
        visit("late_q", 1, q.st == StLate || q.st == StQuar);
        visit("port_q", 4, q.port);
        visit("tag_q", bits_of(TagW), q.tag);
        visit("pend_q", 10, q.pend);
        visit("done_q", 1, q.pend == 0);
        visit("status_q", 6, q.status);
        visit("age_q", 3, q.age);
        visit("gen_q", 4, q.gen);
    }

private:
    enum State : uint32_t {
        StFree,
        StWait,  // for acks
        StLate,  // a port did not answer in time, and the parent has no answer yet
        StQuar,  // it has one; the tag is in quarantine
    };
    struct Regs {
        uint32_t st = StFree;
        uint32_t port = 0;  // parent
        uint32_t tag = 0;
        uint32_t pend = 0;    // ports whose ack is missing
        uint32_t status = 0;  // of all acks so far
        uint32_t age = 0;     // ticks
        uint32_t gen = 0;     // how often it was taken
    };

    static constexpr uint32_t QuarTicks = 6;

    // Acks are missing after this cycle's landing.
    bool left() const { return land_i.read() ? more_i.read() : q.pend != 0; }
    bool gives_up() const {
        const bool is_over = IsLane ? end_i.read() : q.age == 1 && tick_i.read();
        return q.st == StWait && is_over && left() && !new_i.read();
    }

    void show() {
        full_o.write((q.st == StWait && q.pend == 0) || q.st == StLate);
        port_o.write(q.port);
        tag_o.write(q.tag);
        status_o.write(q.status);
        free_o.write(q.st == StFree);
        quar_o.write(q.st == StQuar);
        pend_o.write(q.pend);
        gen_o.write(q.gen);
    }

    void comb() { late_o.write(gives_up()); }

    void begin() {
        const bool put = put_i.read();
        q.st = quar_i.read() ? StQuar : StWait;
        q.port = port_i.read();
        q.tag = tag_i.read();
        q.pend = set_i.read();
        q.status = put ? uint32_t(st_i.read()) : 0;
        q.age = 0;
        q.gen = put ? uint32_t(gen_i.read()) : (q.gen + 1) % 16;
    }

    void go_on() {
        const bool tick = tick_i.read();
        const bool late = gives_up();
        const bool missing = left();
        if (land_i.read()) {
            q.pend &= ~uint32_t(ack_oh_i.read());
            if (q.st == StWait) q.status |= uint32_t(st_i.read());
        }
        switch (q.st) {
        case StWait:
            if (sent_i.read()) {
                q.st = StFree;
            } else if (late) {
                q.st = StLate;
                q.status |= 1u << AckTimeout;
            } else if (tick && missing && !IsLane) {
                q.age = 1;
            }
            break;
        case StLate:
            if (sent_i.read()) {
                q.st = missing ? StQuar : StFree;
                q.age = 0;
            }
            break;
        case StQuar:
            if (tick) q.age = held_i.read() ? 0 : q.age + 1;
            if (!missing || q.age == QuarTicks) q.st = StFree;
            break;
        default: break;
        }
    }

    Regs q;
    delta_event m_clocked;
};

}  // namespace rdt
