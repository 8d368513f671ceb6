// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_notice.sv: pending reports of LOCAL to MBP 0: a buffer that timed out, a stray
// ack, a link that lost synchronization or stays down, a dead output that consumes packets.
// Reported in this order, and per kind the lowest port first; repeated events of the same kind and
// port are reported once. A notice is reported in a cycle of idle_i; the two following cycles of
// idle_i are for packets. Specification 4.8.
#pragma once

#include <rdt/core/format.h>
#include <rdt/ports.h>

namespace rdt {

class notice : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    in<1> idle_i{"idle_i"};  // LOCAL reports a notice
    // time-outs
    ins<1> to_pend_i{"to_pend_i", NumPorts};
    ins<2> to_vc_i{"to_vc_i", NumPorts};
    outs<1> to_ack_o{"to_ack_o", NumPorts};
    out<1> late_o{"late_o"};  // a time-out is reported
    // the others
    in<1> stray_i{"stray_i"};
    in<4> stray_port_i{"stray_port_i"};
    in<3> stray_tag_i{"stray_tag_i"};
    ins<1> ev_sync_i{"ev_sync_i", NumPorts};
    ins<1> ev_sunk_i{"ev_sunk_i", NumPorts};
    // the notice
    out<1> any_o{"any_o"};
    out<4> code_o{"code_o"};
    out<4> port_o{"port_o"};
    out<2> vc_o{"vc_o"};
    out<3> tag_o{"tag_o"};

    explicit notice(sc_core::sc_module_name name) : block(name) {
        RDT_METHOD(comb);
        sensitive << m_clocked << idle_i;
        for (int i = 0; i < NumPorts; ++i) sensitive << to_pend_i[i] << to_vc_i[i];
        RDT_METHOD(gather);
        for (int i = 0; i < NumPorts; ++i) sensitive << ev_sync_i[i] << ev_sunk_i[i];
    }

    // At the edge; LOCAL calls it.
    void clock() {
        const Regs before = q;
        if (!rst_ni.read()) {
            q = Regs{};
        } else {
            if (idle_i.read()) {
                if (q.turn != 0) --q.turn;
                else if (any_o.read()) tell(next());
            }
            // One that comes while another is kept is only counted.
            if (stray_i.read() && !before.stray) {
                q.stray = 1;
                q.stray_port = stray_port_i.read();
                q.stray_tag = stray_tag_i.read();
            }
            q.sync |= uint32_t(new_sync.read());
            q.sunk |= uint32_t(new_sunk.read());
        }
        if (changed(before, q)) m_clocked.notify();
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("stray_q", 1, q.stray);
        visit("stray_port_q", 4, q.stray_port);
        visit("stray_tag_q", 3, q.stray_tag);
        visit("sync_q", 10, q.sync);
        visit("sunk_q", 10, q.sunk);
        visit("turn_q", 2, q.turn);
    }

private:
    struct Regs {
        uint32_t stray = 0;  // a stray ack to be reported, and its data
        uint32_t stray_port = 0;
        uint32_t stray_tag = 0;
        uint32_t sync = 0;  // links to be reported
        uint32_t sunk = 0;  // outputs
        uint32_t turn = 0;  // cycles of idle_i without a report
    };

    // The next report.
    struct Next {
        uint32_t code = ErrNone;
        uint32_t port = 0;
        uint32_t vc = 0;
        uint32_t tag = 0;
    };

    Next next() const {
        if (q.turn != 0) return {};
        if (const uint32_t late = word_of(to_pend_i)) {
            const uint32_t port = lowest(late);
            return {ErrTimeout, port, uint32_t(to_vc_i[port].read()), 0};
        }
        if (q.stray) return {ErrUnexpectedAck, q.stray_port, 0, q.stray_tag};
        if ((q.sync | q.sunk) == 0) return {};
        const uint32_t port = lowest(q.sync | q.sunk);
        return {(q.sync >> port & 1) != 0 ? ErrLinkSync : ErrSunk, port, 0, 0};
    }

    void comb() {
        const Next n = next();
        const bool late = n.code == ErrTimeout && idle_i.read();
        any_o.write(n.code != ErrNone);
        code_o.write(n.code);
        port_o.write(n.port);
        vc_o.write(n.vc);
        tag_o.write(n.tag);
        late_o.write(late);
        write_word(to_ack_o, late ? 1u << n.port : 0);
    }

    // Not for MBP 0's own port, because the report would have to use the failing link.
    void gather() {
        new_sync.write(word_of(ev_sync_i) & ~(1u << PortM0));
        new_sunk.write(word_of(ev_sunk_i) & ~(1u << PortM0));
    }

    void tell(const Next& n) {
        q.turn = 2;
        if (n.code == ErrUnexpectedAck) q.stray = 0;
        if (n.code == ErrLinkSync) q.sync &= ~(1u << n.port);
        if (n.code == ErrSunk) q.sunk &= ~(1u << n.port);
    }

    net<10> new_sync{"new_sync"}, new_sunk{"new_sunk"};

    Regs q;
    delta_event m_clocked;
};

}  // namespace rdt
