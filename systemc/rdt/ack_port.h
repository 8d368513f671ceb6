// SPDX-License-Identifier: MIT
// Acknowledge combining of an input unit, twin of rtl/rdt_ack_port.sv: the landing register for one
// ack, and the requests of packets that need an ack entry. One request at a time; the waiting VCs
// request round-robin, another one in every cycle. The wait of one VC is counted: its request is
// old after a slow tick, and retry_o comes two periods of tick_ent_i later. Specification 4.4. With
// banks of entries a packet may have two acks, in H0 and H1; they count when H1 is there.
#pragma once

#include <rdt/core/entry_class.h>
#include <rdt/block.h>

namespace rdt {

class ack_port : public block {
public:
    const uint32_t num_vc;
    const uint32_t in_port;

    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    // landing
    in<LandW> land_i{"land_i"};
    in<TagW> land_tag_i{"land_tag_i"};
    in<6> land_st_i{"land_st_i"};
    in<4> land_gen_i{"land_gen_i"};
    in<1> ack_take_i{"ack_take_i"};
    out<1> ack_v_o{"ack_v_o"};
    out<AckTagW> ack_tag_o{"ack_tag_o"};
    out<AckStW> ack_st_o{"ack_st_o"};
    out<4> ack_gen_o{"ack_gen_o"};
    out<1> ev_over_o{"ev_over_o"};
    // entries
    in<1> halt_i{"halt_i"};
    in<3> wait_i{"wait_i"};  // VC v holds a packet without an entry
    ins<11> pend_i{"pend_i", num_vc};
    ins<TagW> tag_i{"tag_i", num_vc};
    in<1> ent_gnt_i{"ent_gnt_i"};
    in<1> slow_i{"slow_i"};
    in<1> tick_ent_i{"tick_ent_i"};
    in<1> retry_ack_i{"retry_ack_i"};
    out<3> ent_oh_o{"ent_oh_o"};  // the requesting VC
    out<1> ent_req_o{"ent_req_o"};
    out<10> ent_set_o{"ent_set_o"};
    out<TagW> ent_tag_o{"ent_tag_o"};
    out<1> ent_vct_o{"ent_vct_o"};  // VC-T requests
    out<1> ent_old_o{"ent_old_o"};  // it has waited long and goes first
    out<1> retry_o{"retry_o"};

    ack_port(sc_core::sc_module_name name, uint32_t vcs, uint32_t port)
        : block(name), num_vc(vcs), in_port(port) {}

    // Without an ack and without a packet that waits for an entry.
    bool is_idle() const {
        return land_i.read() == 0 && !q.ack_v && wait_i.read() == 0 && q.ewait == 0;
    }

    void clock() {
        if (!rst_ni.read()) {
            q = Regs{};
            m_shows_ack = m_shows_request = true;
            return;
        }
        const uint32_t v = asking();
        if (land_i.read() != 0) land();
        else if (ack_take_i.read()) q.ack_v = false;
        if (v == NoVc) q.ewait = 0;
        else wait_for_entry(v);
    }

    void landing() {
        const bool holds = q.ack_v || land_i.read() != 0;
        if (!holds && !m_shows_ack) return;
        m_shows_ack = holds;
        ack_v_o.write(q.ack_v);
        ack_tag_o.write(q.ack_tag);
        ack_st_o.write(q.ack_st);
        ack_gen_o.write(q.ack_gen);
        ev_over_o.write((land_i.read() & FirstAck) != 0 && q.ack_v && !ack_take_i.read());
    }

    void entry() {
        const uint32_t v = asking();
        if (v == NoVc && !m_shows_request) return;
        m_shows_request = v != NoVc;
        if (v == NoVc) {
            ent_oh_o.write(0);
            ent_req_o.write(false);
            ent_set_o.write(0);
            ent_tag_o.write(0);
            ent_vct_o.write(false);
            ent_old_o.write(false);
            retry_o.write(false);
            return;
        }
        const bool req = !halt_i.read();
        ent_oh_o.write(1u << v);
        ent_req_o.write(req);
        ent_set_o.write(pend_i[v].read() & 0x3FF);
        ent_tag_o.write(tag_i[v].read());
        const bool counted = req && v == q.wvc;
        ent_vct_o.write(in_port < PortN0 && v == TransferVc);
        ent_old_o.write(counted && q.ewait != 0);
        retry_o.write(counted && q.ewait == WaitedTooLong);
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("ack_v_q", 1, q.ack_v);
        visit("ack_tag_q", bits_of(AckTagW), q.ack_tag);
        visit("ack_st_q", bits_of(AckStW), q.ack_st);
        if (in_port >= PortM0) visit("ack_gen_q", 4, q.ack_gen);
        if (num_vc > 1) visit("evc_q", num_vc - 1, q.evc);
        if (num_vc > 1) visit("wvc_q", num_vc - 1, q.wvc);
        visit("ewait_q", 2, q.ewait);
    }

private:
    enum Land : uint32_t { FirstAck = 1, SecondAck = 2 };
    static constexpr uint32_t NoVc = 3;
    static constexpr uint32_t WaitedTooLong = 3;

    struct Regs {
        bool ack_v = false;  // an ack has landed, or both of a packet
        uint32_t ack_tag = 0;
        uint32_t ack_st = 0;
        uint32_t ack_gen = 0;  // kept of an MBP's acks only
        uint32_t evc = 0;      // next VC, round-robin
        uint32_t wvc = 0;      // VC whose wait is counted
        uint32_t ewait = 0;
    };

    uint32_t after(uint32_t v) const { return v + 1 == num_vc ? 0 : v + 1; }

    // The requesting VC: the first waiting one from evc.
    uint32_t asking() const {
        const uint32_t waits = wait_i.read();
        if (waits == 0) return NoVc;
        uint32_t v = q.evc;
        while ((waits >> v & 1) == 0) v = after(v);
        return v;
    }

    void land() {
        const uint32_t tag = land_tag_i.read();
        const uint32_t st = land_st_i.read();
        if ((land_i.read() & SecondAck) != 0) {
            q.ack_v = true;
            q.ack_tag = (q.ack_tag & 31) | tag << 5;
            q.ack_st = (q.ack_st & 63) | st << 6;
            return;
        }
        q.ack_v = !is_banked() || in_port >= PortM0;
        q.ack_tag = (q.ack_tag & ~31u) | tag;
        q.ack_st = (q.ack_st & ~63u) | st;
        q.ack_gen = in_port >= PortM0 ? uint32_t(land_gen_i.read()) : 0;
    }

    void wait_for_entry(uint32_t v) {
        const bool answered = ent_gnt_i.read() || retry_ack_i.read();
        q.evc = after(v);
        if ((wait_i.read() >> q.wvc & 1) == 0) q.wvc = v;
        if (halt_i.read() || (answered && v == q.wvc)) {
            q.ewait = 0;
        } else if (q.ewait == 0) {
            q.ewait = slow_i.read() ? 1 : 0;
        } else if (tick_ent_i.read() && q.ewait < WaitedTooLong) {
            ++q.ewait;
        }
    }

    Regs q;
    bool m_shows_ack = true;  // on the outputs, otherwise they are 0
    bool m_shows_request = true;
};

}  // namespace rdt
