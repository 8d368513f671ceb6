// SPDX-License-Identifier: MIT
// The arbiter of the crossbar, twin of rtl/rdt_arbiter.sv: one round-robin arbiter per output, all
// in one cycle. Traffic in transit goes before packets that the MBPs inject, so that a loaded
// network drains; an MBP whose packet has waited AgedAt cycles counts as a link, so that it is not
// starved. An input may win several outputs at once: they all take part in the same pass of a
// multicast.
//
// The two slices of a node arbitrate apart from each other. Each makes a signature of all its
// grants and shows a bit of it to the other.
#pragma once

#include <string>

#include <rdt/core/format.h>
#include <rdt/arbiter_ports.h>
#include <rdt/ports.h>

namespace rdt {

class arbiter : public arbiter_ports {
public:
    explicit arbiter(sc_core::sc_module_name name) : arbiter_ports(name) {
        RDT_CLOCKED(clock);
        RDT_METHOD(comb);
        sensitive << m_clocked;
        for (auto& want : want_i) sensitive << want;
        for (auto& line_gnt : line_gnt_i) sensitive << line_gnt;
        RDT_METHOD(comb_cand);
        for (auto& cand : cand_i) sensitive << cand;
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        for (int o = 0; o < NumOuts; ++o) visit("xsel_q_" + std::to_string(o), NumPorts, q.xsel[o]);
        for (int k = 0; k < NumMbps; ++k) visit("age_q_" + std::to_string(k), 5, q.age[k]);
        visit("sig_q", 4, q.sig);
    }

private:
    static constexpr int NumMbps = NumPorts - PortM0;
    static constexpr int None = -1;

    struct Regs {
        uint32_t xsel[NumOuts] = {};  // the last winner, one bit; it stays while its stream runs
        uint32_t local_turn = 0;      // ... of LOCAL, without those out of turn
        uint32_t age[NumMbps] = {};   // cycles that the MBP's packet has waited
        uint32_t sig = 0;
    };
    struct Grants {
        int winner[NumOuts];           // or None
        uint32_t outs[NumPorts] = {};  // what each input has won
    };

    // At LOCAL, MBP 0 waits for one packet of another input at most: it goes first, out of turn,
    // unless it went last.
    bool goes_first(int o, uint32_t inputs) const {
        return o == int(PortLocal) && ((inputs & ~q.xsel[o]) >> PortM0 & 1) != 0;
    }
    uint32_t last_in_turn(int o) const { return o == int(PortLocal) ? q.local_turn : q.xsel[o]; }

    bool is_aged(int mbp) const { return q.age[mbp] == AgedAt; }

    // The first requesting input after the last winner, cyclically.
    static int round_robin(uint32_t req, uint32_t last_winner) {
        int i = 0;
        while (last_winner >> i != 0) ++i;
        for (int n = 0; n < NumPorts; ++n, ++i)
            if ((req >> i % NumPorts & 1) != 0) return i % NumPorts;
        return None;
    }

    Grants grant() const {
        uint32_t transit[NumOuts] = {};
        uint32_t injected[NumOuts] = {};
        for (int i = 0; i < NumPorts; ++i) {
            const bool young = i >= int(PortM0) && !is_aged(i - int(PortM0));
            for (auto want = uint32_t(want_i[i].read()); want != 0; want &= want - 1)
                (young ? injected : transit)[lowest(want)] |= 1u << i;
        }
        Grants g;
        for (int o = 0; o < NumOuts; ++o) {
            g.winner[o] = None;
            if ((transit[o] | injected[o]) == 0 || !line_gnt_i[o].read()) continue;
            const int i =
                goes_first(o, transit[o] | injected[o])
                    ? int(PortM0)
                    : round_robin(transit[o] != 0 ? transit[o] : injected[o], last_in_turn(o));
            g.winner[o] = i;
            if (i != None) g.outs[i] |= 1u << o;
        }
        return g;
    }

    static uint32_t rotl(uint32_t a, int n) { return (a << n | a >> (4 - n)) & 15; }

    void clock() {
        Regs before = q;
        if (!rst_ni.read()) {
            q = Regs{};
        } else {
            const Grants& g = m_grants;
            q.sig = rotl(q.sig, 1);
            for (int o = 0; o < NumOuts; ++o) {
                if (g.winner[o] == None) continue;
                const uint32_t winner = 1u << g.winner[o];
                if (o == int(PortLocal) && !goes_first(o, winner)) q.local_turn = winner;
                q.xsel[o] = winner;
                q.sig ^= rotl(uint32_t(g.winner[o]) + 1, o % 4);
            }
            for (int k = 0; k < NumMbps; ++k) {
                if (g.outs[PortM0 + k] != 0) q.age[k] = 0;
                else if (pkt_i[k].read() && !is_aged(k)) ++q.age[k];
            }
        }
        slice_o.write((q.sig & 8) != 0);
        before.sig = q.sig;  // has no part in grants
        if (!changed(before, q)) return;
        for (int o = 0; o < NumOuts; ++o) xsel_o[o].write(q.xsel[o]);
        m_clocked.notify();
    }

    void comb() {
        m_grants = grant();
        for (int i = 0; i < NumPorts; ++i) gnt_o[i].write(m_grants.outs[i]);
        for (int o = 0; o < NumOuts; ++o) gnt_out_o[o].write(m_grants.winner[o] != None);
    }

    void comb_cand() {
        uint32_t any = 0;
        for (auto& cand : cand_i) any |= uint32_t(cand.read());
        for (int o = 0; o < NumPorts; ++o) cand_any_o[o].write((any >> o & 1) != 0);
    }

    Regs q;
    Grants m_grants;  // grants of this cycle, from the last comb()
    delta_event m_clocked;
};

}  // namespace rdt
