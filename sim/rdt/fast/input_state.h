// SPDX-License-Identifier: MIT
// State of an input unit and its outputs to the rest of the router, as in rtl/rdt_input_unit.sv.
// Nothing here changes a register.
#pragma once

#include <array>

#include <rdt/fast/ack.h>
#include <rdt/fast/buffer_ram.h>
#include <rdt/fast/slot.h>

namespace rdt::fast {

class InputState {
public:
    static constexpr uint32_t MaxVc = fast::MaxVc;
    static constexpr uint32_t LocalCredit = fast::LocalCredit;
    static constexpr uint32_t RetryAt = 3;  // ewait

    struct Rx {
        bool valid = false;
        bool first = false;
        bool last = false;
        uint32_t vc = 0;
        flit_t d = 0;
    };
    struct In {
        uint32_t gnt = 0;  // outputs granted
        bool tick = false;
        bool to_ack = false;
        bool drop = false;  // with to_ack: the packet is consumed
        bool ack_take = false;
        bool ent_gnt = false;
        uint32_t ent_new = 0;
        bool slow = false;
        bool tick_ent = false;
        bool retry_ack = false;
        uint32_t consumed = 0;  // VCs whose packet is recalled or dropped
    };
    // LOCAL's access to this port's buffers while the router is halted.
    struct Shot {
        bool halt = false;
        bool raw = false;   // the packet coming in is one that was dumped
        bool keep = false;  // the credit of the packet that leaves stays away
        bool free = false;  // the buffer that was kept for a packet is given back
        bool dump = false;  // the packet in the buffer of `look` is to be dumped
        uint32_t look = 0;  // one VC at most
        bool put_we = false;
        bool put_set = false;
        uint32_t put_addr = 0;
        flit_t put_d = 0;
        Context put_ctx;
    };
    struct Events {
        bool body = false;
        bool frame = false;
        bool over = false;
        bool bad = false;  // the packet is dropped and the link goes to Sync
    };
    // Those first that count in every cycle of a packet.
    struct Regs {
        uint8_t wr_idx = 0;
        bool rd_busy = false;
        uint8_t rd_vc = 0;
        uint8_t rd_idx = 0;
        uint8_t rd_len = 0;
        bool rd_pois = false;
        bool drop = false;
        bool ackp = false;  // the packet arriving is an ack
        uint16_t want = 0;
        uint8_t sel = 0;
        bool ack_v = false;
        uint8_t ewait = 0;  // ticks that the packet of wvc has waited for an entry
        uint8_t wvc = 0;
        uint8_t evc = 0;  // VC that may request an entry, round-robin
        uint8_t rsv = 0;  // VCs whose empty buffer is promised to the packet dumped from it
        bool cur_err = false;
        uint8_t rd_ty = 0;
        bool rd_loc = false;
        bool rd_raw = false;  // dumped
        bool rd_up = false;
        bool rd_fin = false;  // the last pass over this packet
        std::array<Slot, MaxVc> slot{};
        flit_t hdr0 = 0;
        AckNote ack{0, 0, 0, 0};     // landed; its port is this one
        AckNote second{0, 0, 0, 0};  // with it, if the tag is not 0
        bool half = false;           // its second flit has not come
    };

    const Regs& q() const { return m_q; }
    uint32_t want() const { return m_q.want; }
    uint32_t cand() const { return m_found.cand; }  // as present() found
    std::array<flit_t, 16> ram(uint32_t v) const { return m_ram[v].all(); }
    uint32_t pkt_mask() const { return m_sum.pkt; }

    // Nothing arrives, waits or is being read: a cycle would change nothing.
    bool quiet(bool rx_valid) const {
        return !rx_valid && !m_q.rd_busy && m_q.want == 0 && m_sum.pkt == 0 && !m_q.ack_v;
    }

    // VCs whose buffer is empty and not reserved.
    uint32_t room() const { return ~(m_sum.pkt | m_q.rsv) & ((1u << m_num_vc) - 1); }
    // A packet may be put back there: no credit for the buffer is outstanding.
    bool vacant(uint32_t v, bool up) const {
        return (m_sum.pkt >> v & 1) == 0 && ((m_q.rsv >> v & 1) != 0 || m_in_port >= PortM0 || !up);
    }
    // Bit t-1: a copy with the tag t of the ack table waits here.
    uint32_t held() const {
        uint32_t tags = 0;
        for (const Slot& s : m_q.slot)
            if (s.pkt && s.mc && !s.ent) tags |= 1u << s.tag;
        return tags >> 1;
    }

    Context context(uint32_t v) const { return m_q.slot[v].context(); }

    stream_t stream(const RouteConfig& cfg) const {
        if (!m_q.rd_busy) return 0;
        const Slot& s = m_q.slot[m_q.rd_vc];
        const bool in_header = m_q.rd_idx < 3;
        flit_t flit = m_ram[m_q.rd_vc].read(m_q.rd_idx);
        if (s.mc && in_header && !m_q.rd_raw) {
            const uint32_t type = m_q.rd_idx == 0 ? uint32_t(get(flit, H0Type)) : m_q.rd_ty;
            flit = copy_of(flit, m_q.rd_idx,
                           {m_q.rd_up, s.relay, s.expl, s.exp0, cfg.rank, cfg.ranks, type, s.tag},
                           m_lanes);
            if (m_has_banks && m_q.rd_idx == 1)
                flit = carry_parity(flit, with(slice0(flit), H1Bank, int(bank_of(s.tag))), m_lanes);
        }
        if (m_q.rd_pois) flit = in_header ? flit : 0;
        const uint32_t vc = m_q.rd_loc ? 0 : s.mc && m_q.rd_up ? uint32_t(s.relay) : s.aux & 3;
        return make_stream(code_of(m_q.rd_idx, read_len(), (vc + 1) & 3), flit);
    }
    uint32_t rd_err() const {
        const Slot& s = m_q.slot[m_q.rd_vc];
        return m_q.rd_loc && !s.mc ? s.aux : 0;
    }

    // Lowest VC whose packet has timed out and was not reported yet, or MaxVc.
    uint32_t timed_out() const { return lowest(m_sum.aged); }

    // The VC whose packet requests an entry in the ack table in this cycle, or MaxVc. Another's
    // turn comes in every cycle, so that none waits behind one whose class has no free entry.
    uint32_t without_entry() const {
        const uint32_t later = uint32_t(m_sum.ent) >> m_q.evc << m_q.evc;
        return lowest(later != 0 ? later : m_sum.ent);
    }
    // The request has waited long.
    bool entry_aged() const { return m_q.ewait != 0 && without_entry() == m_q.wvc; }
    bool retry() const { return m_q.ewait == RetryAt && without_entry() == m_q.wvc; }

    // Valid between look_at() and update().
    Events events(bool ack_take) const {
        Events e = m_found.events;
        e.over = e.over || (m_found.ack_lands && m_q.ack_v && !ack_take);
        return e;
    }

    // Whether this grant begins the last pass and the credit of cred_vc() goes back. The
    // buffer of a dumped packet is promised to it until it is put back; only MBP 0
    // needs its own again, to talk to the chip.
    bool cred_ret(uint32_t gnt, const Shot& shot) const {
        if (!is_last(gnt, shot) || shot.keep) return false;
        return m_in_port == PortM0 || !is_dump(gnt, shot);
    }
    uint32_t cred_vc() const { return m_q.sel; }
    // The VC whose last outputs are granted, as a bit.
    uint32_t ended(uint32_t gnt, const Shot& shot) const {
        return is_last(gnt, shot) ? 1u << m_q.sel : 0;
    }
    // VCs whose packet its MBP takes back, or is dropped because it has timed out. The latter is
    // not while a flit comes in for it.
    uint32_t consumed(bool recall, bool drop, const Rx& rx) const {
        const uint32_t late = drop ? timed_out() : MaxVc;
        const bool drops = late != MaxVc && !(rx.valid && rx.vc == late);
        return (recall ? uint32_t(m_sum.pkt) & 1 : 0) | (drops ? 1u << late : 0);
    }
    // VCs whose credit goes back without a grant: of a multicast that is answered RETRY, and of a
    // buffer that waited for a packet which does not come back.
    uint32_t cred_add(bool retry_ack, bool free, bool halt) const {
        return (retry_ack ? 1u << without_entry() : 0) | (free || !halt ? m_q.rsv : 0);
    }

    // A flit is put back where a packet is, or while another flit comes in.
    bool clash(const Shot& shot, bool rx_valid) const {
        if (!shot.put_we || shot.look == 0) return false;
        return rx_valid || (m_sum.pkt & shot.look) != 0;
    }

    // The next flit on the line, unless it is the last, only needs store().
    bool stores() const { return !m_q.drop && !m_q.ackp && is_body(m_q.wr_idx); }
    static bool is_body(uint32_t k) { return (0xFFF8u >> k & 1) != 0; }  // at most 16 flits
    // stream() is flit(), unchanged from the buffer, and its code marks only the end.
    bool in_body() const { return m_q.rd_busy & (m_q.rd_idx >= 3) & !m_q.rd_pois; }
    flit_t flit() const { return m_ram[m_q.rd_vc].read(m_q.rd_idx); }
    // Flits after the one that is read now.
    uint32_t flits_left() const { return uint32_t(m_q.rd_len) - m_q.rd_idx; }
    // The pass has just come so far that the next packet may be presented.
    bool opens() const { return m_q.rd_idx == 1 ? m_q.rd_len <= 2 : m_q.rd_idx + 1 == m_q.rd_len; }
    // Outputs that the packets here wait for.
    uint32_t pend() const {
        uint32_t outs = 0;
        for (uint32_t v = 0; v < MaxVc; ++v)
            outs |= (m_sum.pkt >> v & 1) != 0 ? m_q.slot[v].pend : 0;
        return outs;
    }
    // Packets here may do more than wait for credits and pass on.
    bool needs_control() const {
        return (m_sum.aged | m_sum.ent | m_q.ewait | m_q.rsv) != 0 || m_q.ack_v;
    }

protected:
    InputState(uint32_t num_vc, uint32_t in_port, flit_t lanes, uint32_t entries)
        : m_num_vc(uint8_t(num_vc)),
          m_in_port(uint8_t(in_port)),
          m_has_banks(has_banks(entries)),
          m_lanes(lanes) {}

    // This cycle's, made by look_at() and present() for update(). One struct, so that a reset
    // clears all of them: state of a busy router must not survive it.
    struct Findings {
        uint8_t sel = 0;
        uint8_t idx = 0;
        uint16_t cand = 0;
        bool fresh = false;
        bool is_short = false;
        bool drop = false;
        bool spoilt = false;
        bool is_ack = false;
        bool ack_lands = false;
        bool second_lands = false;
        bool new_err = false;
        Events events;
        uint32_t new_needs = 0;
        Slot routed;
        Rx rx;
    };
    static uint32_t lowest(uint32_t vcs) { return vcs == 0 ? MaxVc : uint32_t(__builtin_ctz(vcs)); }

    // Index of the last flit of the packet being read. A packet with an error
    // is read for its header only: its length cannot be trusted.
    uint32_t read_len() const {
        if (m_q.rd_idx != 0) return m_q.rd_len;
        if (m_q.rd_loc && !m_q.rd_raw && m_q.slot[m_q.rd_vc].aux != 0) return 2;
        return uint32_t(get(m_ram[m_q.rd_vc].read(0), H0Len));
    }

    // The dump takes the packet presented, whatever else it waits for.
    bool is_dump(uint32_t gnt, const Shot& shot) const {
        return shot.halt && shot.dump && (shot.look >> m_q.sel & 1) != 0 &&
               (gnt >> PortM0 & 1) != 0;
    }
    bool is_last(uint32_t gnt, const Shot& shot) const {
        return gnt != 0 && ((m_q.slot[m_q.sel].pend & ~gnt) == 0 || is_dump(gnt, shot));
    }

    Regs m_q;
    SlotSummary m_sum;
    uint8_t m_num_vc;
    uint8_t m_in_port;
    bool m_has_banks;

    Findings m_found;

    flit_t m_lanes;
    std::array<BufferRam, MaxVc> m_ram;
};

}  // namespace rdt::fast
