// SPDX-License-Identifier: MIT
// Name and value of every register of a chip that counts. Leftovers of an earlier packet, or of a
// missing flit of a truncated packet, do not count: no later cycle depends on them.
#pragma once

#include <fmt/core.h>

#include <string>
#include <vector>

#include <rdt/fast/image.h>

namespace rdt::machine {

class ChipValues {
public:
    struct Value {
        const char* name;
        uint32_t port;
        uint64_t value;
        bool operator!=(const Value& o) const {
            return value != o.value || port != o.port || name != o.name;
        }
    };

    // `links`: ports that have one; the others count for nothing.
    explicit ChipValues(const fast::ChipImage& image, uint32_t links = (1u << NumPorts) - 1) {
        m_all.reserve(800);
        for (uint32_t p = 0; p < NumPorts; ++p) {
            m_port = p;
            if ((links >> p & 1) == 0) continue;
            add_line(image.link[p]);
            add_output(image.out[p]);
            add_input(image.in[p], image.link[p]);
            add("mask", image.arbiter.mask[p]);
            if (image.out[p].tx && !image.out[p].txloc) add("xsel", image.arbiter.xsel[p]);
        }
        for (uint32_t k = 0; k < 2; ++k) add("age", image.arbiter.age[k]);
        add_table(image.ack.q());
        add_injector(image.inject.q());
    }
    // Registers of an MBP's end of its link.
    ChipValues(const fast::LinkIo::Regs& link, const fast::OutputRegs& out) : m_port(PortM0) {
        add_line(link, !link.mine);  // it does not count what it sends
        add_output(out);
    }

    // The first register that differs, or nothing.
    std::string difference(const ChipValues& other) const {
        for (size_t n = 0; n < m_all.size() && n < other.m_all.size(); ++n)
            if (m_all[n] != other.m_all[n])
                return fmt::format("port {} {} {:x}, port {} {} {:x}", m_all[n].port, m_all[n].name,
                                   m_all[n].value, other.m_all[n].port, other.m_all[n].name,
                                   other.m_all[n].value);
        return m_all.size() == other.m_all.size() ? "" : "other registers count";
    }

private:
    void add(const char* name, uint64_t value) { m_all.push_back({name, m_port, value}); }

    void add_line(const fast::LinkIo::Regs& q, bool counts = true) {
        add("st", q.st);
        add("mine", q.mine);
        add("tail", q.tail);
        if (counts) add("cnt", q.cnt);
        add("cred", q.cred);
        add("pend", q.pend);
        add("rep", q.rep);
        add("rx_valid", q.rx_valid);
        add("rx_second", q.rx_second);
        if (q.rx_valid) {
            add("rx_first", q.rx_first);
            add("rx_last", q.rx_last);
            add("rx_vc", q.rx_vc);
            add("rx_d", q.rx_d);
        }
        if (q.up()) return;
        add("p", q.p);
        add("reported", q.told);
        add("tick", q.tick);
        add("keep", q.keep);
    }

    void add_output(const fast::OutputRegs& q) {
        add("req", q.req);
        add("oe", q.oe);
        if (q.oe) add("d", q.d);
        add("tx", q.tx);
        add("discards", q.sunk);
        add("gone", q.gone);
        add("in", q.in);
        add("gap", q.gap);
        for (uint32_t v = 0; v < vcs_of(m_port); ++v) add("missing credits", q.owed[v]);
        if (!q.tx) return;
        add("txloc", q.txloc);
        add("hidx", q.hidx);
        if (q.hidx == 0) return;
        add("out vc", q.vc);
        add("rw", q.rw);
        add("mc", q.mc);
        add("tag", q.tag);
    }

    void add_input(const fast::ChipImage::Input& in, const fast::LinkIo::Regs& link) {
        const fast::InputUnit::Regs& q = in.q;
        add("requested outputs", q.want);
        add("sel", q.sel);
        add("ewait", q.ewait);
        add("evc", q.evc);
        add("wvc", q.wvc);
        add("rsv", q.rsv);
        add("ack_v", q.ack_v);
        if (q.ack_v) {
            add("ack tag", q.ack.tag);
            add("ack status", q.ack.status);
            add("ack gen", q.ack.gen);
        }
        const bool comes = link.rx_valid && !link.rx_first;
        if (comes) {
            add("wr_idx", q.wr_idx);
            add("ackp", q.ackp);
            if (!q.ackp) add("drop", q.drop);
            if (!q.ackp) add("length", uint64_t(get(q.hdr0, H0Len)));
        }
        add("rd_busy", q.rd_busy);
        if (q.rd_busy) add_pass(in, comes && !q.ackp && link.rx_vc == q.rd_vc);
        for (uint32_t v = 0; v < vcs_of(m_port); ++v) {
            add("pkt", q.slot[v].pkt);
            if (!q.slot[v].pkt) continue;
            add_slot(q.slot[v]);
            const bool is_here = !comes || q.ackp || link.rx_vc != v;
            const auto flits = is_here ? uint32_t(get(in.ram[v][0], H0Len)) + 1 : q.wr_idx;
            for (uint32_t k = 0; k < flits && !q.slot[v].pois; ++k) add("buffer", in.ram[v][k]);
        }
    }
    // `comes`: something does, to the same buffer: the rest of this packet, unless it is behind.
    void add_pass(const fast::ChipImage::Input& in, bool comes) {
        const fast::InputUnit::Regs& q = in.q;
        add("rd_vc", q.rd_vc);
        add("rd_idx", q.rd_idx);
        add("rd_up", q.rd_up);
        add("rd_fin", q.rd_fin);
        add("rd_pois", q.rd_pois);
        add("rd_loc", q.rd_loc);
        add("rd_raw", q.rd_raw);
        add("pass", in.pass);
        if (q.rd_idx == 0) return;
        add("rd_len", q.rd_len);
        if (q.rd_idx < 3) add("rd_ty", q.rd_ty);  // decides what the header of a copy becomes
        const uint32_t here = comes && q.wr_idx > q.rd_idx ? q.wr_idx : q.rd_len + 1u;
        for (uint32_t k = q.rd_idx; k < here && !q.rd_pois; ++k) add("read", in.ram[q.rd_vc][k]);
    }
    void add_slot(const fast::Slot& s) {
        add("slot pend", s.pend);
        add("slot aux", s.aux);
        add("slot mc", s.mc);
        add("slot tag", s.tag);
        add("slot ent", s.ent);
        add("slot age", s.age);
        add("slot pois", s.pois);
        if (!s.mc) return;
        add("slot relay", s.relay);
        add("slot expl", s.expl);
        add("slot exp0", s.exp0);
    }

    void add_table(const fast::AckTable::Regs& q) {
        m_port = NumPorts;
        add("last", q.last);
        add("ent_last", q.ent_last);
        add("snd_last", q.snd_last);
        for (uint32_t t = 1; t <= NumEntries; ++t) {
            const fast::AckTable::Entry& e = q.entry[t];
            add("entry st", e.st);
            add("entry gen", e.gen);
            if (e.st == fast::AckTable::Free) continue;
            add("entry port", e.port);
            add("entry tag", e.tag);
            add("entry pend", e.pend);
            add("entry status", e.status);
            add("entry age", e.age);
        }
    }
    void add_injector(const fast::Inject::Regs& q) {
        add("inject st", q.st);
        add("inject m0", q.m0);
        add("inject m1", q.m1);
        add("inject cool", q.cool);
        add("inject rty", q.rty);
        if (q.st == fast::Inject::Idle) return;
        add("inject port", q.ack.port);
        add("inject tag", q.ack.tag);
        add("inject status", q.ack.status);
        if (q.st == fast::Inject::Want) add("inject wait", q.wait);
        else add("inject idx", q.idx);
    }

    uint32_t m_port = 0;
    std::vector<Value> m_all;
};

}  // namespace rdt::machine
