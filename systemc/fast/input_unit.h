// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_input_unit.sv: the buffers of one port, what is known about
// the packet in each, the one packet presented to the arbiter and the one being read.
//
// In a clock: present() first, then grants are made from want() and the streams
// are pulled with stream(), then clock(). present() and stream() change no register.
#pragma once

#include <array>

#include "fast/ack.h"
#include "fast/buffer_ram.h"
#include "fast/slot.h"

namespace rdt::fast {

class alignas(64) InputUnit {
public:
    static constexpr uint32_t MaxVc = fast::MaxVc;
    static constexpr uint32_t LocalCredit = fast::LocalCredit;

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
        bool ack_take = false;
        bool ent_gnt = false;
        uint32_t ent_new = 0;
        bool tick_ent = false;
        bool retry_ack = false;
    };
    // What LOCAL does to this port's buffers while the chip is halted.
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
    // Those first that count in every clock of a packet.
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
        uint8_t ewait = 0;
        uint8_t evc = 0;  // VC that asks for an entry in the ack table, or whose turn is next
        uint8_t rsv = 0;  // VCs whose empty buffer is promised to the packet dumped from it
        bool cur_err = false;
        uint8_t rd_ty = 0;
        bool rd_loc = false;
        bool rd_raw = false;  // dumped
        bool rd_up = false;
        bool rd_fin = false;  // the last pass over this packet
        std::array<Slot, MaxVc> slot{};
        flit_t hdr0 = 0;
        AckNote ack{0, 0, 0, 0};  // landed; its port is this one
    };

    InputUnit(uint32_t num_vc, uint32_t in_port, flit_t lanes = OneLane)
        : m_num_vc(uint8_t(num_vc)), m_in_port(uint8_t(in_port)), m_lanes(lanes) {}

    void reset() {
        m_q = Regs{};
        m_sum = SlotSummary{};
        m_found = Findings{};
    }
    const Regs& q() const { return m_q; }
    uint32_t want() const { return m_q.want; }
    uint32_t cand() const { return m_found.cand; }  // as present() found
    uint32_t pkt_mask() const { return m_sum.pkt; }

    // Nothing arrives, waits or is being read: clock() would change nothing.
    bool quiet(bool rx_valid) const {
        return !rx_valid && !m_q.rd_busy && m_q.want == 0 && m_sum.pkt == 0 && !m_q.ack_v;
    }

    // VCs whose buffer is empty and promised to nobody.
    uint32_t room() const { return ~(m_sum.pkt | m_q.rsv) & ((1u << m_num_vc) - 1); }
    // A packet may be put back there: nobody holds a credit for the buffer.
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

    // Looks at the arriving flit and picks the packet to present; returns the
    // outputs it asks for (cand_o).
    uint32_t present(const Rx& rx, const RouteConfig& cfg, uint32_t credit, const Shot& shot) {
        look_at(rx, cfg, shot);
        return present(credit, shot);
    }
    // The same in two steps; look_at() may be left out while nothing arrives, and present() while
    // neither credits nor packets change.
    uint32_t present(uint32_t credit, const Shot& shot) {
        m_found.sel = m_q.sel;
        m_found.cand = 0;
        uint32_t vcs = 0;  // whose packet may go on
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

    // What is found that counts before take().
    enum Found : uint32_t { Nothing = 0, Fresh = 1, Eventful = 2, Bad = 4 };
    // Fresh: a new packet, its header complete. Eventful: there may be events(). Bad: what comes
    // is no packet, or there is no room for it, so that the link has to start anew.
    uint32_t look_at(const Rx& rx, const RouteConfig& cfg, const Shot& shot) {
        Findings& f = m_found;
        f.rx = rx;
        f.events = Events{};
        f.fresh = false;
        f.is_short = false;
        f.ack_lands = false;
        if (!rx.valid) return Nothing;
        f.is_ack =
            rx.first ? get(rx.d, H0Type) == int(TypeAck) && is_good_head(rx.d, m_lanes) : m_q.ackp;
        f.ack_lands = rx.first && f.is_ack;
        f.idx = rx.first ? 0 : m_q.wr_idx;
        f.drop = rx.first ? is_full(rx.vc) : m_q.drop;
        f.spoilt = false;
        if (f.is_ack) return f.ack_lands ? Eventful : Nothing;
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

    // The VC whose packet asks for an entry in the ack table, or MaxVc. It asks until it is
    // answered; then another's turn comes.
    uint32_t without_entry() const {
        const uint32_t later = uint32_t(m_sum.ent) >> m_q.evc << m_q.evc;
        return lowest(later != 0 ? later : m_sum.ent);
    }
    bool retry() const { return m_q.ewait == 2 && without_entry() != MaxVc; }

    // Valid between present() and clock().
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
    // VCs whose credit goes back without a grant: of a multicast that is answered RETRY, and of a
    // buffer that waited for a packet which does not come back.
    uint32_t cred_add(bool retry_ack, bool free, bool halt) const {
        return (retry_ack ? 1u << without_entry() : 0) | (free || !halt ? m_q.rsv : 0);
    }

    // A flit is put back while another comes in.
    static bool clash(const Shot& shot, bool rx_valid) {
        return shot.put_we && shot.look != 0 && rx_valid;
    }

    void clock(const In& in, const Shot& shot) {
        if (m_q.rd_busy) read_on();
        act(in, shot);
    }

    // The parts of clock(), for whoever knows which of them would change something.

    // The pass under way goes on by a flit.
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
    // What look_at() has seen does no more than fill a buffer.
    bool is_plain() const { return !m_found.fresh && !m_found.is_short && !m_found.ack_lands; }
    void take() { take(false); }
    // Packets are presented as present() found.
    void settle() {
        m_q.want = m_found.cand;
        m_q.sel = m_found.sel;
    }
    // All but read_on(). Without a grant, an ack or a time-out it does no more than settle() and
    // take what comes.
    void act(const In& in, const Shot& shot) {
        if (in.tick || in.to_ack) age(in);
        const uint32_t presented = m_q.sel;
        const ShortAction poison = m_found.is_short ? on_short(in, shot) : ShortAction{};
        if (m_sum.ent != 0 || m_q.ewait != 0) wait_for_entry(in, shot.halt);
        if (in.gnt != 0) start_reading(in.gnt, shot);
        if (poison.pass) m_q.rd_pois = true;
        if (m_q.rsv != 0 && (shot.free || !shot.halt)) m_q.rsv = 0;
        if (shot.look != 0) put_back(m_found.rx, shot);
        if (in.gnt != 0 && m_q.rd_fin) reserve(presented, shot);
        if (in.ack_take) m_q.ack_v = false;
        if (m_found.rx.valid) take(poison.slot);
        if (in.gnt != 0) {
            m_found.cand = 0;
            m_found.sel = uint8_t(next_vc(presented));
        }
        settle();
    }

    // What comes next on the line, unless it is the last flit, is for store() alone.
    bool stores() const { return !m_q.drop && !m_q.ackp && is_body(m_q.wr_idx); }
    static bool is_body(uint32_t k) { return (0xFFF8u >> k & 1) != 0; }  // of the 16 flits at most
    // stream() is flit(), as it stands in the buffer, and its code tells only where the end is.
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
    bool is_special() const {
        return (m_sum.aged | m_sum.ent | m_q.ewait | m_q.rsv) != 0 || m_q.ack_v;
    }

private:
    // Where the mark of a short packet goes: to its slot, to the pass being read, or both.
    struct ShortAction {
        bool slot = false;
        bool pass = false;
    };

    // This clock's, made by look_at() and present() for act(). One struct, so that a reset forgets
    // all of them: what a busy chip has found must not outlive it.
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
        bool new_err = false;
        Events events;
        uint32_t new_needs = 0;
        Slot routed;
        Rx rx;
    };
    static uint32_t lowest(uint32_t vcs) { return vcs == 0 ? MaxVc : uint32_t(__builtin_ctz(vcs)); }
    void summarize(uint32_t v) { m_sum.note(v, m_q.slot[v]); }

    uint32_t next_vc(uint32_t v) const { return v + 1 == m_num_vc ? 0 : v + 1; }

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

    Slot routed(const Header& h, uint32_t vc, const RouteConfig& cfg, bool raw) {
        Slot s;
        const bool multicast = is_multicast(h.h0) && !raw;
        const Bitmap map = multicast ? bitmap(h, m_in_port, cfg) : Bitmap{};
        const Route r = raw ? route_raw(h) : route(h, m_in_port, vc, cfg, map.bad);
        m_found.new_err = r.err != ErrNone;
        s.pkt = true;
        s.tag = uint32_t(get(h.h0, H0Tag));
        s.mc = multicast && !m_found.new_err;
        if (!s.mc) {
            s.pend = 1u << r.dst;
            s.aux = m_found.new_err ? r.err : r.ovc;
            return s;
        }
        s.pend = map.set;
        s.plan_copies(map.relay, map.expl, map.xfer, map.exp0);
        s.ent = s.tag != 0;
        return s;
    }

    bool is_full(uint32_t vc) const {
        return vc >= m_num_vc || ((m_sum.pkt | m_q.rsv) >> vc & 1) != 0;
    }
    // A header flit that is none. The line reads as 0 where nobody drives it.
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
        const uint32_t reported = in.to_ack ? timed_out() : MaxVc;
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
        if (v != MaxVc) m_q.evc = uint8_t(v);
        if (v == MaxVc || halt) {
            m_q.ewait = 0;
            return;
        }
        Slot& s = m_q.slot[v];
        if (in.ent_gnt) {
            s.ent = false;
            s.tag = uint8_t(in.ent_new);
        } else if (in.retry_ack) {
            s.pkt = false;
        } else if (in.tick_ent && m_q.ewait < 2) {
            ++m_q.ewait;
        }
        if (in.ent_gnt || in.retry_ack) {
            m_q.ewait = 0;
            m_q.evc = uint8_t(next_vc(v));
        }
        summarize(v);
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

    // Into the buffer of `look`; nothing while a packet comes in.
    void put_back(const Rx& rx, const Shot& shot) {
        const uint32_t v = uint32_t(__builtin_ctz(shot.look));
        if (shot.put_we && !rx.valid) m_ram[v].write(shot.put_addr, shot.put_d);
        if (!shot.put_set) return;
        m_q.slot[v] = Slot::of(shot.put_ctx);
        m_q.rsv &= uint8_t(~(1u << v));
        summarize(v);
    }

    void take(bool poison) {
        const Rx& rx = m_found.rx;
        if (m_found.ack_lands) {
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
    }

    Regs m_q;
    SlotSummary m_sum;
    uint8_t m_num_vc;
    uint8_t m_in_port;

    Findings m_found;

    flit_t m_lanes;
    std::array<BufferRam, MaxVc> m_ram;
};

}  // namespace rdt::fast
