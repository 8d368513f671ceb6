// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_reduce.sv: combines the operands of the acks of a barrier while the ack table
// combines the acks, and puts the result into H1 and H2 of the ack to the parent. Specification
// 4.10a.
#pragma once

#include <array>

#include <rdt/core/reduction.h>
#include <rdt/ports.h>
#include <rdt/reduce_ports.h>

namespace rdt {

class reduce : public reduce_ports {
public:
    const uint32_t Width;  // bits of an operand

    explicit reduce(sc_core::sc_module_name name, uint32_t width = 32)
        : reduce_ports(name), Width(width) {
        RDT_CLOCKED(clock);
        RDT_METHOD(show);
        sensitive << m_clocked;
    }

private:
    static constexpr uint32_t Whole = 3;
    // Events of entry 7 in a cycle.
    struct Event {
        uint32_t land = 0;  // ports
        uint32_t sent = 0;
        uint32_t given = 0;
        uint32_t put = 0;
    };
    struct Regs {
        std::array<uint32_t, NumPorts> flits{};  // arrived; Whole: good and complete
        std::array<uint32_t, NumPorts> h1{};
        std::array<uint32_t, NumPorts> h2{};
        Event before, before2;
        uint32_t op = ReduceNone;  // operation so far
        uint32_t acc = 0;
        uint32_t bad = 0;
        uint32_t out_op = 0;  // result for the ack that is sent
        uint32_t out = 0;
        uint32_t out_bad = 0;
        uint32_t hold = 0;  // the injector has it
        uint32_t idx = 0;   // 1 to 3: it sends H0, H1, H2
    };

    Event event() const {
        Event e;
        const uint32_t taken = stray_i.read() ? 0 : word_of(ack_take_i);
        for (uint32_t left = taken; left != 0; left &= left - 1) {
            const uint32_t p = lowest(left);
            if (ack_tag_i[p].read() == LaneTag) e.land |= 1u << p;
        }
        e.sent = snd_take_i.read() && snd_tag_i.read() == LaneTag;
        e.given = word_of(ent_gnt_i) != 0 && ent_new_i.read() == LaneTag;
        e.put = put_i.read() && look_tag_i.read() == LaneTag;
        return e;
    }

    void show() {
        uint32_t flip = 0;
        if (q.idx >= 2) {
            const uint32_t op = q.out_op >> (q.idx - 2) & 1;
            const uint32_t half = q.out >> 16 * (q.idx - 2) & 0xFFFF;
            flip = make_head(op << 16 | half) ^ (q.out_bad != 0 ? ParityBit : 0);
        }
        flip_o.write(flip);
    }

    void clock() {
        const Regs before = q;
        if (!rst_ni.read()) q = Regs{};
        else step(event());
        if (changed(before, q)) m_clocked.notify();
    }

    void step(const Event& now) {
        apply(q.before2);
        q.before2 = q.before;
        q.before = now;
        for (uint32_t p = 0; p < NumPorts; ++p)
            if (rx_valid_i[p].read()) land(p, rx_first_i[p].read(), uint32_t(rx_d_i[p].read()));
        const bool granted = q.hold != 0 && (word_of(want_i) & word_of(gnt_i)) != 0;
        q.idx = granted ? 1 : q.idx == 0 ? 0 : (q.idx + 1) % 4;
        q.hold = now.sent != 0 || (q.hold != 0 && !granted && !lost_i.read());
    }

    void land(uint32_t p, bool is_first, uint32_t d) {
        if (is_first) {
            const bool starts =
                get(d, H0Type) == int(TypeAck) && get(d, H0Tag) == int(LaneTag) && is_good_head(d);
            q.flits[p] = starts ? 1 : q.flits[p] == Whole ? Whole : 0;
        } else if (q.flits[p] == 1) {
            q.h1[p] = d & PayloadMask;
            q.flits[p] = odd(d) ? 2 : 0;
        } else if (q.flits[p] == 2) {
            q.h2[p] = d & PayloadMask;
            q.flits[p] = odd(d) ? Whole : 0;
        }
    }

    void apply(const Event& e) {
        if (e.sent != 0) {
            q.out = q.op != ReduceNone ? q.acc : 0;
            q.out_op = q.op;
            q.out_bad = q.bad;
        }
        if (e.land != 0) add(lowest(e.land));
        if (e.given != 0 || e.put != 0) {
            q.op = ReduceNone;
            q.bad = e.put;
        }
    }

    void add(uint32_t p) {
        const uint32_t op = q.h1[p] >> 16 | q.h2[p] >> 16 << 1;
        if (q.flits[p] != Whole || (op != ReduceNone && q.op != ReduceNone && op != q.op)) {
            q.bad = 1;
            return;
        }
        if (op == ReduceNone) return;
        const uint32_t high = Width > 16 ? (q.h2[p] & 0xFFFF) << 16 : 0;
        q.acc = core::combined(Reduce(q.op), q.acc, high | (q.h1[p] & 0xFFFF), Width);
        q.op = op;
    }

    Regs q;
    delta_event m_clocked;
};

}  // namespace rdt
