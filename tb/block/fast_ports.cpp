// SPDX-License-Identifier: MIT
// The line machine and the output of a port are written twice in C++: as SystemC blocks, and in
// words for all ports at once. Here the ten ports of a chip are both, on the same pins and with the
// same streams, and have the same registers after every cycle. At the other end of each link is
// another port, in words only; now and then a pin between them lies.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>

#include "common/run_options.h"
#include <rdt/fast/link_io.h>
#include <rdt/link_io.h>
#include <rdt/cosim/kernel.h>
#include <rdt/output_unit.h>
#include "block/fast_ports_words.h"

namespace rdt::tb {
namespace {

// One port as blocks.
struct BlockPort {
    BlockPort(uint32_t p, sc_core::sc_signal<bool>& clk, sc_core::sc_signal<bool>& rst_n)
        : link(fmt::format("u_link_io_{}", p).c_str(), vcs_of(p), has_priority(p), is_mbp(p)),
          out(fmt::format("u_output_unit_{}", p).c_str(), p, vcs_of(p)) {
        link.clk_i(clk), out.clk_i(clk);
        link.rst_ni(rst_n), out.rst_ni(rst_n);
        link.link_en_i(link_en);
        link.slow_i(slow), out.slow_i(slow);
        link.d_i(d_i), link.req_i(req_i);
        link.cred_i(cred_i), out.cred_i(cred_i);
        link.cred_o(cred_o);
        link.own_req_i(req_o), out.req_o(req_o);
        link.own_oe_i(oe_o), out.d_oe_o(oe_o);
        link.tx_i(tx), out.tx_o(tx);
        link.late_i(late), out.late_o(late);
        link.line_gnt_o(line_gnt), out.line_gnt_i(line_gnt);
        link.line_void_o(line_void), out.line_void_i(line_void);
        link.hush_o(hush), out.hush_i(hush);
        link.ask_o(ask), out.ask_i(ask);
        link.call_o(call), out.call_i(call);
        link.down_o(down), out.down_i(down);
        link.up_o(up), out.up_i(up);
        link.ann_o(ann), out.ann_i(ann);
        link.ev_sync_o(ev_sync);
        link.bad_i(bad), link.cred_ret_i(cred_ret), link.cred_vc_i(cred_vc);
        link.cred_add_i(cred_add), link.room_i(room);
        link.rx_valid_o(rx_valid), link.rx_first_o(rx_first), link.rx_last_o(rx_last);
        link.rx_vc_o(rx_vc), link.rx_d_o(rx_d);
        out.raw_i(raw), out.tick_i(tick), out.sink_i(sink), out.rank_i(rank);
        out.x_i(x), out.gnt_i(gnt), out.cand_any_i(cand_any);
        out.xb_gnt_o(xb_gnt), out.credit_o(credit);
        out.loc_want_i(loc_want), out.loc_x_i(loc_x), out.loc_gnt_o(loc_gnt), out.gen_i(gen);
        out.ev_cred_o(ev_cred), out.ev_owed_o(ev_owed), out.ev_sunk_o(ev_sunk);
        out.d_o(d_o);
    }

    void show(uint32_t p, const Rest& r, Ports granted) {
        const auto of = [p](Ports word) { return (word >> p & 1) != 0; };
        const auto vcs = [&of](const AllLines::PerVc& v) {
            return uint32_t(of(v[0])) | uint32_t(of(v[1])) << 1 | uint32_t(of(v[2])) << 2;
        };
        link_en.write(of(r.link_en)), bad.write(of(r.bad));
        slow.write(r.slow), tick.write(r.tick), sink.write(r.sink);
        rank.write(rank_wires(r.rank)), gen.write(r.gen), raw.write(of(r.raw));
        cand_any.write(of(r.cand_any)), gnt.write(of(granted));
        loc_want.write(of(r.loc_want));
        loc_x.write(to_wires(r.loc_x)), x.write(to_wires(r.x[p]));
        cred_ret.write(of(r.back.cred_ret)), cred_vc.write(r.back.cred_vc.of(p));
        cred_add.write(vcs(r.back.cred_add)), room.write(vcs(r.back.room));
    }

    sig<1> link_en, slow, oe_o, tx, late, line_gnt, line_void, hush, ask, call, down, up, ann;
    sig<1> ev_sync, bad, cred_ret, rx_valid, rx_first, rx_last, raw, tick, sink, gnt, cand_any;
    sig<1> xb_gnt, loc_want, loc_gnt, ev_cred, ev_owed, ev_sunk;
    sig<2> req_i, cred_i, cred_o, req_o, cred_vc, rx_vc;
    sig<3> cred_add, room, credit;
    sig<5> rank;
    sig<FlitW> d_i, rx_d, d_o;
    sig<StreamW> x, loc_x;
    sig<4 * NumEntries> gen;
    link_io link;
    output_unit out;
};

// The difference between the blocks and the words of a port, or empty.
class Comparison {
public:
    explicit Comparison(uint32_t port) : m_port(port) {}

    void same(const char* what, uint64_t blocks, uint64_t words) {
        if (blocks != words && m_found.empty())
            m_found = fmt::format("{} {}: blocks {:x}, words {:x}", to_string(Port(m_port)), what,
                                  blocks, words);
    }
    const std::string& found() const { return m_found; }

private:
    uint32_t m_port;
    std::string m_found;
};

class BothWays {
public:
    BothWays(uint64_t seed, uint32_t lies)
        : m_random(seed), m_near(2 * seed, false), m_far(2 * seed + 1, true), m_lies(lies) {
        for (uint32_t p = 0; p < NumPorts; ++p)
            m_blocks[p] = std::make_unique<BlockPort>(p, m_clk, m_rst_n);
    }

    void reset() {
        m_near.reset();
        m_far.reset();
        m_rst_n.write(false);
        settle();
        edge();
        m_rst_n.write(true);
        settle();
    }

    // Returns what differs in this cycle, or empty.
    std::string clock() {
        fast::TwoBits req = m_far.out().q().req;
        fast::TwoBits cred = m_far.lines().q().cred;
        std::array<flit_t, NumPorts> d = driven(m_far, m_near);
        if (m_lies != 0 && m_random() % m_lies == 0) {
            const auto p = uint32_t(m_random() % NumPorts);
            if (m_random() % 2 != 0) req.set(p, uint32_t(m_random() % 4));
            else cred.set(p, uint32_t(m_random() % 4));
        }
        m_near.look(req, cred);
        m_far.look(m_near.out().q().req, m_near.lines().q().cred);
        for (uint32_t p = 0; p < NumPorts; ++p) {
            BlockPort& b = *m_blocks[p];
            b.req_i.write(req.of(p)), b.cred_i.write(cred.of(p)), b.d_i.write(d[p]);
            b.show(p, m_near.rest(), m_near.gnt());
        }
        settle();
        std::string found = difference_within();
        std::array<uint32_t, NumPorts> events;
        for (uint32_t p = 0; p < NumPorts; ++p)
            events[p] = m_blocks[p]->ev_cred.read() * 4u + m_blocks[p]->ev_owed.read() * 2u +
                        m_blocks[p]->ev_sunk.read();
        const std::array<flit_t, NumPorts> far_d = driven(m_near, m_far);
        m_near.clock(d);
        m_far.clock(far_d);
        edge();
        for (uint32_t p = 0; p < NumPorts && found.empty(); ++p) {
            found = difference_of_line(p);
            if (found.empty()) found = difference_of_output(p, events[p]);
        }
        return found;
    }

    // Line machines: state, owner, tail, count and the inputs from the other end.
    size_t line_states() const { return m_line_states.size(); }
    uint64_t flits() const { return m_flits; }

private:
    static std::array<flit_t, NumPorts> driven(const PortWords& from, const PortWords& to) {
        std::array<flit_t, NumPorts> d{};
        for (uint32_t p = 0; p < NumPorts; ++p)
            for (const PortWords* end : {&from, &to})
                if ((end->out().q().oe >> p & 1) != 0) d[p] = end->out().q().d[p];
        return d;
    }

    // Outputs that follow from registers and inputs.
    std::string difference_within() const {
        const AllLines::Next& n = m_near.next();
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const auto of = [p](Ports word) { return uint64_t(word >> p & 1); };
            const BlockPort& b = *m_blocks[p];
            Comparison c(p);
            c.same("line_gnt_o", b.line_gnt.read(), of(n.gnt));
            c.same("line_void_o", b.line_void.read(), of(n.voided));
            c.same("hush_o", b.hush.read(), of(n.hush));
            c.same("ask_o", b.ask.read(), of(n.ask));
            c.same("call_o", b.call.read(), of(n.call));
            c.same("down_o", b.down.read(), of(n.down));
            c.same("up_o", b.up.read(), of(m_near.lines().up()));
            c.same("ann_o", b.ann.read(), of(m_near.lines().announces()));
            c.same("ev_sync_o", b.ev_sync.read(), of(n.ev_sync));
            const Ports local = m_near.rest().loc_want;
            c.same("xb_gnt_o", b.xb_gnt.read(), of(m_near.offer() & ~local));
            c.same("loc_gnt_o", b.loc_gnt.read(), of(m_near.offer() & local));
            const Ports sink = m_near.rest().sink ? All : 0;
            c.same("credit_o", b.credit.read(), m_near.out().credit(0, sink) >> 3 * p & 7);
            if (!c.found().empty()) return c.found();
        }
        return {};
    }

    std::string difference_of_line(uint32_t p) {
        const fast::LinkIo::Regs q = fast::LinkIo::regs_of(m_near.lines().q(), p);
        const std::array<uint64_t, 17> words{
            q.st,  q.mine,     q.tail,     q.cnt,       q.p,       q.told,  q.tick, q.pend, q.keep,
            q.rep, q.rx_valid, q.rx_first, q.rx_second, q.rx_last, q.rx_vc, q.rx_d, q.cred};
        Comparison c(p);
        size_t n = 0;
        m_blocks[p]->link.registers([&](const char* name, unsigned, auto value) {
            const bool counts = std::string_view(name) != "rx_d_q" || q.rx_valid;
            if (counts) c.same(name, uint64_t(value), words[n]);
            ++n;
        });
        m_line_states.insert(uint32_t(q.st) | uint32_t(q.mine) << 3 | uint32_t(q.tail) << 4 |
                             uint32_t(q.cnt) << 5 | uint32_t(q.p) << 10);
        m_flits += q.rx_valid ? 1 : 0;
        return c.found();
    }

    std::string difference_of_output(uint32_t p, uint32_t events) const {
        const auto& q = m_near.out().q();
        const auto of = [p](Ports word) { return uint64_t(word >> p & 1); };
        const auto& e = m_near.out().events();
        Comparison c(p);
        c.same("events", events, of(e.cred) * 4 + of(e.owed) * 2 + of(e.sunk));
        m_blocks[p]->out.registers([&](const std::string& name, unsigned, auto value) {
            const auto same = [&](uint64_t words) { c.same(name.c_str(), uint64_t(value), words); };
            if (name == "tx_q") same(of(q.tx));
            if (name == "d_q") same(q.d[p]);
            if (name == "oe_q") same(of(q.oe));
            if (name == "req_q") same(q.req.of(p));
            if (name == "in_q") same(q.in.of(p));
            if (name == "gap_q") same(of(q.gap));
            if (name == "gone_q") same(q.gone.of(p));
            for (uint32_t v = 0; v < vcs_of(p); ++v)
                if (name == "owed_q_" + std::to_string(v)) same(q.owed[v].of(p));
        });
        return c.found();
    }

    void settle() {
        m_clk.write(false);
        sc_core::sc_start(1, sc_core::SC_NS);
    }
    void edge() {
        m_clk.write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
    }

    std::mt19937_64 m_random;
    machine::Kernel m_kernel;
    sc_core::sc_signal<bool> m_clk{"clk"}, m_rst_n{"rst_n"};
    std::array<std::unique_ptr<BlockPort>, NumPorts> m_blocks;
    PortWords m_near;
    PortWords m_far;
    uint32_t m_lies;
    std::set<uint32_t> m_line_states;
    uint64_t m_flits = 0;
};

// One cycle in so many a pin shows anything; 0: never.
class FastPorts : public ::testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(fast_ports, FastPorts, ::testing::Values(0, 500, 20),
                         [](const auto& p) { return "lies" + std::to_string(p.param); });

TEST_P(FastPorts, in_words_are_those_of_the_blocks) {
    const uint64_t seed = seed_or(1 + GetParam());
    const uint64_t cycles = cycles_or(200000);  // cycles of ten ports
    const std::string rerun =
        rerun_line("block_fast_ports", "*lies" + std::to_string(GetParam()), seed, cycles);
    BothWays ports(seed, GetParam());
    for (uint64_t now = 0; now < cycles; ++now) {
        if (now % 20000 == 0) ports.reset();
        ASSERT_EQ(ports.clock(), "")
            << "in cycle " << now << "\nseed=" << seed << "\nrerun: " << rerun;
    }
    EXPECT_GT(ports.flits(), cycles);
    EXPECT_GT(ports.line_states(), 200u);
    RecordProperty("line_states", std::to_string(ports.line_states()));
}

}  // namespace
}  // namespace rdt::tb
