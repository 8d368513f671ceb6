// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_input_unit.sv: the buffers of one port, the state of the packet in each, the
// packet presented to the arbiter and the one being read. The parts of a cycle can be skipped:
//   look_at()          arriving flits                     unless none, or store() is enough
//   present()          picks the packet to present        unless neither packets nor credits change
//   (grants are made from want(), streams are pulled with stream())
//   read_on()          the running pass                   unless there is none
//   store()            a flit of a body goes to its buffer, instead of all others
//   fill_buffer()      the same for the flit of look_at(), if it only_fills_buffer()
//   latch_presented()  the choice of present()            enough without arrival, grant, ack, tick
//   update()           all registers but those of read_on()
#pragma once

#include <rdt/fast/input_state.h>

namespace rdt::fast {

class alignas(64) InputUnit : public InputState {
public:
    InputUnit(uint32_t num_vc, uint32_t in_port, flit_t lanes = OneLane,
              uint32_t entries = NumEntries)
        : InputState(num_vc, in_port, lanes, entries) {}

    void reset() {
        m_q = Regs{};
        m_sum = SlotSummary{};
        m_found = Findings{};
    }

    // `rx_vc` is that of the packet coming in.
    void load(const Regs& q, const std::array<std::array<flit_t, 16>, MaxVc>& ram, uint32_t rx_vc) {
        reset();
        m_q = q;
        m_found.rx.vc = rx_vc;
        m_found.sel = q.sel;
        m_found.cand = q.want;
        for (uint32_t v = 0; v < MaxVc; ++v) {
            summarize(v);
            for (uint32_t k = 0; k < ram[v].size(); ++k) m_ram[v].write(k, ram[v][k]);
        }
    }

    // Picks the packet to present; returns the outputs it requests (cand_o).
    uint32_t present(uint32_t credit, const Shot& shot) {
        m_found.sel = m_q.sel;
        m_found.cand = 0;
        uint32_t vcs = 0;  // whose packet may continue
        for (uint32_t v = 0; v < MaxVc; ++v)
            vcs |= uint32_t(((is_new(v) ? m_found.new_needs : m_sum.needs[v]) & credit) != 0) << v;
        if (shot.halt) vcs = when_halted(credit, shot);
        if (vcs == 0) return 0;
        const uint32_t later = vcs >> m_found.sel << m_found.sel;
        m_found.sel = uint8_t(__builtin_ctz(later != 0 ? later : vcs));
        const bool open = !m_q.rd_busy || ((m_q.rd_idx != 0) & (m_q.rd_idx + 1 >= m_q.rd_len));
        if (!open) return 0;
        const Slot& s = slot(m_found.sel);
        const bool several = (s.pend & (s.pend - 1)) != 0;
        m_found.cand = uint16_t(shot.halt ? outputs_when_halted(m_found.sel, credit, shot)
                                : several ? s.ready_outputs(credit)
                                          : s.pend);
        return m_found.cand;
    }

    // Results of look_at() that take effect in the same cycle.
    enum Found : uint32_t { Nothing = 0, Fresh = 1, Eventful = 2, Bad = 4, Recall = 8 };
    // Fresh: a new packet, its header complete. Eventful: there may be events(). Error: the flits
    // are not a packet, or no buffer is free, so the link has to resynchronize. Recall: an MBP
    // takes its packet back.
    uint32_t look_at(const Rx& rx, const RouteConfig& cfg, const Shot& shot) {
        Findings& f = m_found;
        f.rx = rx;
        f.events = Events{};
        f.fresh = false;
        f.is_short = false;
        f.ack_lands = false;
        f.second_lands = false;
        if (!rx.valid) return Nothing;
        f.is_ack =
            rx.first ? get(rx.d, H0Type) == int(TypeAck) && is_good_head(rx.d, m_lanes) : m_q.ackp;
        const bool recalls = f.is_ack && is_mbp(m_in_port) && get(rx.d, H0Tag) == 0;
        f.ack_lands = rx.first && f.is_ack && !recalls;
        f.second_lands = !rx.first && m_q.half;
        f.idx = rx.first ? 0 : m_q.wr_idx;
        f.drop = rx.first ? is_full(rx.vc) : m_q.drop;
        f.spoilt = false;
        if (f.is_ack)
            return f.ack_lands || f.second_lands ? Eventful
                   : rx.first && recalls         ? Recall
                                                 : Nothing;
        f.events.over = rx.first && f.drop;
        f.spoilt = !f.drop && is_spoilt(f.idx, rx.d);
        f.events.bad = f.events.over || f.spoilt;
        if (f.events.bad) return Eventful | Bad;
        if (f.drop || f.idx < 2) return Nothing;
        f.events.body = is_body(f.idx) && !is_good_flit(rx.d, m_lanes);
        f.fresh = f.idx == 2;
        if (f.fresh) {
            f.routed = routed({m_q.hdr0, m_ram[rx.vc].read(1), rx.d}, rx.vc, cfg, shot.raw);
            f.new_needs = f.routed.credits_needed();
        }
        const bool err = f.fresh ? f.new_err : m_q.cur_err;
        if (rx.last && !err) {
            const uint32_t len = uint32_t(get(m_q.hdr0, H0Len));
            f.events.frame = f.idx != len;
            f.is_short = f.idx < len;
        }
        return (f.fresh ? Fresh : Nothing) | (f.events.body || f.events.frame ? Eventful : Nothing);
    }

    // The pass in flight continues by a flit.
    void read_on() {
        if (m_q.rd_idx != 0) {
            read_on_body();
            return;
        }
        m_q.rd_ty = uint8_t(get(m_ram[m_q.rd_vc].read(0), H0Type));
        m_q.rd_len = uint8_t(read_len());
        m_q.rd_idx = 1;
    }
    // The same after the first flit.
    void read_on_body() {
        const bool ends = m_q.rd_idx == m_q.rd_len;
        m_q.rd_busy = !ends;
        m_q.rd_idx = uint8_t(m_q.rd_idx + (ends ? 0 : 1));
    }
    // A flit comes while stores(), and is neither the first nor the last; returns its index.
    uint32_t store(flit_t d) {
        const uint32_t k = m_q.wr_idx++;
        m_ram[m_found.rx.vc].write(k, d);
        return k;
    }
    // The flit seen by look_at() only fills a buffer.
    bool only_fills_buffer() const {
        return !m_found.fresh && !m_found.is_short && !m_found.ack_lands && !m_found.second_lands;
    }
    void fill_buffer() { take_arrival(false); }
    // Packets are presented as present() found.
    void latch_presented() {
        m_q.want = m_found.cand;
        m_q.sel = m_found.sel;
    }
    // All but read_on().
    void update(const In& in, const Shot& shot) {
        if (in.tick || in.to_ack) age(in);
        const uint32_t presented = m_q.sel;
        const ShortAction poison = m_found.is_short ? on_short(in, shot) : ShortAction{};
        if (m_sum.ent != 0 || m_q.ewait != 0) wait_for_entry(in, shot.halt);
        if (in.gnt != 0) start_reading(in.gnt, shot);
        if (in.consumed != 0) consume(in.consumed);
        if (poison.pass) m_q.rd_pois = true;
        if (m_q.rsv != 0 && (shot.free || !shot.halt)) m_q.rsv = 0;
        if (shot.look != 0) put_back(shot);
        if (in.gnt != 0 && m_q.rd_fin) reserve(presented, shot);
        if (in.ack_take) m_q.ack_v = false;
        if (m_found.rx.valid) take_arrival(poison.slot);
        if (in.gnt != 0 || in.consumed != 0) m_found.cand = 0;
        if (in.gnt != 0) m_found.sel = uint8_t(next_vc(presented));
        latch_presented();
    }

private:
    // Where the mark of a short packet goes: to its slot, to the pass being read, or both.
    struct ShortAction {
        bool slot = false;
        bool pass = false;
    };

    void summarize(uint32_t v) { m_sum.note(v, m_q.slot[v]); }

    uint32_t next_vc(uint32_t v) const { return v + 1 == m_num_vc ? 0 : v + 1; }

    Slot routed(const Header& h, uint32_t vc, const RouteConfig& cfg, bool raw) {
        Slot s;
        const bool multicast = is_multicast(h.h0) && !raw;
        const Bitmap map = multicast ? bitmap(maps_of_header(h), m_in_port, vc, cfg) : Bitmap{};
        const Route r = raw ? route_raw(h) : route(h, m_in_port, vc, cfg, map.bad);
        m_found.new_err = r.err != ErrNone;
        s.pkt = true;
        s.tag = uint8_t(get(h.h0, H0Tag));
        if (m_has_banks) s.tag |= uint8_t(bank_in(slice0(h.h1), H1Bank));
        s.mc = multicast && !m_found.new_err;
        if (!s.mc) {
            s.pend = 1u << r.dst;
            s.aux = m_found.new_err ? r.err : r.ovc;
            return s;
        }
        s.pend = map.set;
        s.plan_copies(map.relay, map.expl, map.xfer, map.exp0);
        s.ent = tag_in_bank(s.tag) != 0;
        return s;
    }
    // Without the bank of the tag.
    Header maps_of_header(Header h) const {
        if (m_has_banks) h.h1 = with(slice0(h.h1), H1Bank, 0);
        return h;
    }

    bool is_full(uint32_t vc) const {
        return vc >= m_num_vc || ((m_sum.pkt | m_q.rsv) >> vc & 1) != 0;
    }
    // A header flit that is none. An undriven line reads as 0.
    bool is_spoilt(uint32_t idx, flit_t d) const {
        if (idx > 2) return false;
        if (idx != 0) return !is_good_header_flit(d, m_lanes);
        return !is_good_head(d, m_lanes) || (d & PayloadMask) == 0;
    }

    // The packet in a buffer, also one that is just complete enough to be presented.
    bool is_new(uint32_t v) const { return m_found.fresh && m_found.rx.vc == v; }
    const Slot& slot(uint32_t v) const { return is_new(v) ? m_found.routed : m_q.slot[v]; }

    // A packet for LOCAL still gets there; nothing else moves but what is dumped.
    uint32_t outputs_when_halted(uint32_t v, uint32_t credit, const Shot& shot) const {
        if (!slot(v).pkt) return 0;
        if (shot.dump && (shot.look >> v & 1) != 0 && (credit >> 3 * PortM0 & 1) != 0)
            return 1u << PortM0;
        return (credit & LocalCredit) != 0 ? slot(v).pend & 1u << PortLocal : 0;
    }
    uint32_t when_halted(uint32_t credit, const Shot& shot) const {
        uint32_t vcs = 0;
        for (uint32_t v = 0; v < m_num_vc; ++v)
            vcs |= uint32_t(outputs_when_halted(v, credit, shot) != 0) << v;
        return vcs;
    }

    void age(const In& in) {
        const uint32_t reported = in.to_ack && !in.drop ? timed_out() : MaxVc;
        for (uint32_t v = 0; v < m_num_vc; ++v) {
            Slot& s = m_q.slot[v];
            if (v == reported) s.age = 3;
            else if (in.tick && s.pkt && s.age < 2) ++s.age;
            summarize(v);
        }
    }

    ShortAction on_short(const In& in, const Shot& shot) const {
        const uint32_t v = m_found.rx.vc;
        const bool granted = in.gnt != 0 && m_q.sel == v;
        const bool waits =
            m_found.fresh || (m_q.slot[v].pkt && !(granted && is_last(in.gnt, shot)));
        if (!waits) {
            // With an entry still to come it was consumed, unless it is being dumped.
            const bool dumped = granted || (m_q.rd_busy && m_q.rd_raw && m_q.rd_vc == v);
            return {false, !m_q.slot[v].ent || dumped};
        }
        const bool pass_under_way = !m_found.fresh && m_q.rd_busy && m_q.rd_vc == v && !m_q.rd_fin;
        return {true, pass_under_way || granted};
    }

    void wait_for_entry(const In& in, bool halt) {
        const uint32_t v = without_entry();
        if (v == MaxVc) {
            m_q.ewait = 0;
            return;
        }
        m_q.evc = uint8_t(next_vc(v));
        if ((m_sum.ent >> m_q.wvc & 1) == 0) m_q.wvc = uint8_t(v);
        const bool answered = in.ent_gnt || in.retry_ack;
        if (halt || (answered && v == m_q.wvc)) m_q.ewait = 0;
        else if (m_q.ewait == 0) m_q.ewait = in.slow ? 1 : 0;
        else if (in.tick_ent && m_q.ewait < RetryAt) ++m_q.ewait;
        if (!answered) return;
        Slot& s = m_q.slot[v];
        if (in.ent_gnt) {
            s.ent = false;
            s.tag = uint8_t(in.ent_new);
        } else {
            s.pkt = false;
        }
        summarize(v);
    }

    void consume(uint32_t vcs) {
        for (uint32_t v = 0; v < m_num_vc; ++v) {
            if ((vcs >> v & 1) == 0) continue;
            m_q.slot[v].pkt = false;
            summarize(v);
        }
    }

    void start_reading(uint32_t gnt, const Shot& shot) {
        Slot& s = m_q.slot[m_q.sel];
        const bool dumped = is_dump(gnt, shot);
        m_q.rd_fin = is_last(gnt, shot);
        if (m_q.rd_fin) s.pkt = false;
        else s.pend &= ~gnt;
        s.age = 0;
        m_q.rd_busy = true;
        m_q.rd_vc = m_q.sel;
        m_q.rd_idx = 0;
        m_q.rd_loc = dumped || (gnt >> PortLocal & 1) != 0;
        m_q.rd_raw = dumped;
        m_q.rd_up = (gnt & UpperPorts) != 0;
        m_q.rd_pois = s.pois;
        summarize(m_q.sel);
    }

    // The buffer of a dumped packet is promised to it until it is put back, and that of port 8 to
    // the packet which is on its way back into it.
    void reserve(uint32_t vc, const Shot& shot) {
        if (shot.keep || (m_q.rd_raw && m_in_port != PortM0)) m_q.rsv |= uint8_t(1u << vc);
    }

    // Into the buffer of `look`; put_we is without what would clash.
    void put_back(const Shot& shot) {
        const uint32_t v = uint32_t(__builtin_ctz(shot.look));
        if (shot.put_we) m_ram[v].write(shot.put_addr, shot.put_d);
        if (!shot.put_set) return;
        m_q.slot[v] = Slot::of(shot.put_ctx);
        m_q.rsv &= uint8_t(~(1u << v));
        summarize(v);
    }

    // The flit seen by look_at() goes to its buffer, its slot or the register of acks.
    void take_arrival(bool poison) {
        const Rx& rx = m_found.rx;
        if (m_has_banks) land_two();
        else if (m_found.ack_lands) {
            m_q.ack_v = true;
            m_q.ack = {m_in_port, uint32_t(get(rx.d, H0Tag)), uint32_t(get(rx.d, H0Status)),
                       is_mbp(m_in_port) ? uint32_t(get(rx.d, H0Gen)) : 0};
        }
        if (!m_found.drop && !m_found.is_ack && m_found.idx < 16)
            m_ram[rx.vc].write(m_found.idx, rx.d);
        m_q.ackp = m_found.is_ack;
        m_q.wr_idx = m_found.idx < 16 ? m_found.idx + 1 : 16;
        m_q.drop = m_found.drop || m_found.spoilt;
        if (m_found.idx == 0) m_q.hdr0 = rx.d;
        if (m_found.fresh) {
            m_q.slot[rx.vc] = m_found.routed;
            m_q.cur_err = m_found.new_err;
        }
        if (poison) m_q.slot[rx.vc].pois = true;
        if (m_found.fresh) summarize(rx.vc);
        m_found.rx.valid = m_found.fresh = m_found.is_short = m_found.ack_lands = false;
        m_found.second_lands = false;
    }
    // With banks: the second flit of an ack from a network link may have another ack.
    void land_two() {
        const Rx& rx = m_found.rx;
        if (m_found.ack_lands) {
            const bool is_from_mbp = is_mbp(m_in_port);
            m_q.ack = core::note_in_banks(slice0(rx.d), m_in_port, is_from_mbp);
            m_q.second = {m_in_port, 0, 0, 0};
            m_q.ack_v = is_from_mbp;
            m_q.half = !is_from_mbp;
        } else if (m_found.second_lands) {
            if (is_good_header_flit(rx.d, m_lanes))
                m_q.second = core::second_note(slice0(rx.d), m_in_port);
            m_q.ack_v = true;
            m_q.half = false;
        } else if (rx.first) {
            m_q.half = false;
        }
    }
};

}  // namespace rdt::fast
