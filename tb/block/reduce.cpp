// SPDX-License-Identifier: MIT
// Reductions of random children, orders, operations and faults: RTL, SystemC module and fast engine
// agree in every cycle, and what leaves is the result of a reference that knows only the operands.
#include <algorithm>
#include <map>

#include <gtest/gtest-spi.h>

#include "Vrdt_reduce_16.h"
#include "Vrdt_reduce_32.h"
#include <rdt/fast/reduce.h>
#include <rdt/reduce.h>
#include "common/block_bench.h"
#include "common/stimulus.h"

namespace rdt::tb {
namespace {

constexpr uint32_t Parity = 1u << 17;

// Written from docs/packet.md and section 4.11 of the specification.
struct Result {
    uint32_t op = 0;
    uint32_t value = 0;
    bool valid = true;
};

class Reference {
public:
    explicit Reference(uint32_t width) : m_mask(width == 32 ? ~0u : 0xFFFFu) {}
    void add(uint32_t op, uint32_t value) {
        if (op == 0) return;
        value &= m_mask;
        if (m_sum.op == 0) m_sum = {op, value, m_sum.valid};
        else if (m_sum.op != op) m_sum.valid = false;
        else if (op == 1) m_sum.value |= value;
        else if (op == 2) m_sum.value = std::max(m_sum.value, value);
        else m_sum.value = (m_sum.value + value) & m_mask;
    }
    void spoil() { m_sum.valid = false; }
    const Result& result() const { return m_sum; }

private:
    uint32_t m_mask;
    Result m_sum;
};

template <typename Rtl>
struct ReduceBench : BlockBench<Rtl, rdt::reduce> {
    using Base = BlockBench<Rtl, rdt::reduce>;
    using Base::in, Base::in_word, Base::rtl, Base::model;

    explicit ReduceBench(uint32_t width, const TestRun& run = TestRun{})
        : Base(run, "reduce" + std::to_string(width), width), core(width) {
        tick(2);
        rst_n = 1;
        for (auto& t : ack_tag) t = 7;
    }

    bool clocked = this->has_clock(rtl().clk_i, model().clk_i);
    Input rst_n = in("rst_ni", 1, rtl().rst_ni, model().rst_ni);
    Input rx_valid = in_word("rx_valid_i", 1, rtl().rx_valid_i, model().rx_valid_i);
    Input rx_first = in_word("rx_first_i", 1, rtl().rx_first_i, model().rx_first_i);
    std::vector<Input> rx_d = in("rx_d_i", 18, rtl().rx_d_i, model().rx_d_i);
    Input ack_take = in_word("ack_take_i", 1, rtl().ack_take_i, model().ack_take_i);
    std::vector<Input> ack_tag = in("ack_tag_i", 3, rtl().ack_tag_i, model().ack_tag_i);
    Input stray = in("stray_i", 1, rtl().stray_i, model().stray_i);
    Input ent_gnt = in_word("ent_gnt_i", 1, rtl().ent_gnt_i, model().ent_gnt_i);
    Input ent_new = in("ent_new_i", 3, rtl().ent_new_i, model().ent_new_i);
    Input put = in("put_i", 1, rtl().put_i, model().put_i);
    Input look_tag = in("look_tag_i", 3, rtl().look_tag_i, model().look_tag_i);
    Input snd_take = in("snd_take_i", 1, rtl().snd_take_i, model().snd_take_i);
    Input snd_tag = in("snd_tag_i", 3, rtl().snd_tag_i, model().snd_tag_i);
    Input want = in_word("want_i", 1, rtl().want_i, model().want_i);
    Input gnt = in_word("gnt_i", 1, rtl().gnt_i, model().gnt_i);
    Input lost = in("lost_i", 1, rtl().lost_i, model().lost_i);
    Output flip = this->out("flip_o", 18, rtl().flip_o, model().flip_o);

    fast::Reduce core;
    uint64_t now = 100;

    // One cycle of all three.
    void tick(uint32_t cycles = 1) {
        for (; cycles != 0; --cycles) {
            this->settle();
            EXPECT_EQ(core.flip(now), flip()) << "fast engine, cycle " << now;
            if (rst_n() == 0) core.reset();
            else step_core();
            Base::tick();
            ++now;
        }
    }
    void idle() {
        rx_valid = rx_first = ack_take = stray = ent_gnt = put = snd_take = want = gnt = lost = 0;
    }

private:
    void step_core() {
        for (uint32_t p = 0; p < NumPorts; ++p)
            if ((rx_valid() >> p & 1) != 0)
                core.arrive(now, p, (rx_first() >> p & 1) != 0, rx_d[p]());
        if (ack_take() != 0 && stray() == 0) {
            const auto p = uint32_t(__builtin_ctz(ack_take()));
            if (ack_tag[p]() == 7) core.land(now, p);
        }
        if (snd_take() != 0 && snd_tag() == 7) core.send(now);
        if (ent_gnt() != 0 && ent_new() == 7) core.begin(now);
        if (put() != 0 && look_tag() == 7) core.put_back(now);
        if ((want() & gnt()) != 0) core.grant(now);
        else if (lost() != 0) core.drop();
    }
};

// One multicast after the other through entry 7, with other acks and packets beside it.
template <typename Bench>
class Reductions {
public:
    Reductions(Bench& bench, uint32_t width, uint64_t seed)
        : m_bench(bench), m_width(width), m_rng(seed) {}

    void run(uint32_t number) {
        while (m_done < number) clock();
    }
    uint64_t valid() const { return m_valid; }
    uint64_t invalid() const { return m_invalid; }

private:
    enum class Phase { Idle, Collects, Sends, Leaves };
    struct Child {
        bool is_pending = false;
        uint64_t starts = 0;  // H0 of its ack
        uint64_t taken = 0;
        uint32_t flits = 3;  // fewer: cut off
        std::array<uint32_t, 3> flit{};
        bool is_stray = false;
        bool is_taken = false;
    };

    void begin() {
        m_reference = Reference(m_width);
        m_phase = Phase::Collects;
        const uint32_t op = m_rng.bits(2);
        const uint32_t faults = m_rng.chance(30) ? m_rng.between(1, 4) : 0;
        m_bench.ent_gnt = 1u << m_rng.between(0, 9);
        m_bench.ent_new = 7;
        std::array<bool, 200> is_taken{};
        for (Child& c : m_child) {
            c = Child{};
            if (m_rng.chance(40)) continue;
            c.is_pending = true;
            c.is_stray = m_rng.chance(10);
            uint64_t delay = m_rng.between(4, 30);
            c.starts = m_bench.now + delay;
            delay += m_rng.between(1, 17);
            while (is_taken[delay]) ++delay;  // one per cycle
            delay = std::min<uint64_t>(delay, c.starts - m_bench.now + 17);
            if (is_taken[delay]) {
                c = Child{};
                continue;
            }
            is_taken[delay] = true;
            c.taken = m_bench.now + delay;
            uint32_t own = m_rng.chance(10) ? 0 : op;
            if (faults == 1 && m_rng.chance(30)) own = m_rng.bits(2);
            const uint32_t value =
                m_rng.chance(20) ? m_rng.pick({0u, ~0u, 0xFFFFu, 1u << 31}) : m_rng.bits(32);
            c.flit[0] = TypeAck << 14 | m_rng.bits(4) << 10 | 7u << 7 | m_rng.bits(6);
            c.flit[1] = (own & 1) << 16 | (value & 0xFFFF);
            c.flit[2] = (own >> 1) << 16 | value >> 16;
            for (uint32_t k = 0; k < 3; ++k)
                if (is_odd(c.flit[k]) == (k == 0)) c.flit[k] |= Parity;
            bool is_spoilt = false;
            if (faults == 2 && m_rng.chance(30)) {
                c.flit[m_rng.between(1, 2)] ^= 1u << m_rng.between(0, 17);
                is_spoilt = true;
            }
            if (faults == 3 && m_rng.chance(30)) {
                c.flits = m_rng.between(1, 2);
                is_spoilt = true;
            }
            if (c.is_stray) continue;
            if (is_spoilt) m_reference.spoil();
            else add_later(c.taken, own, value);
        }
        m_put_at = faults == 4 ? m_bench.now + m_rng.between(3, 50) : 0;
    }

    void add_later(uint64_t at, uint32_t op, uint32_t value) { m_operands[at] = {op, value, true}; }

    void clock() {
        Bench& b = m_bench;
        b.idle();
        for (uint32_t p = 0; p < NumPorts; ++p) b.ack_tag[p] = 7;
        if (m_phase == Phase::Idle && m_rng.chance(50)) begin();
        else if (m_phase == Phase::Collects) collect();
        else if (m_phase == Phase::Sends) send();
        arrive();
        b.tick();
        if (m_phase == Phase::Leaves) leave();
        // Acks of other entries, and those that RETRY gives.
        if (m_phase == Phase::Idle && m_rng.chance(20)) {
            b.idle();
            b.snd_take = 1;
            b.snd_tag = m_rng.between(0, 6);
            b.tick();
            b.idle();
            b.want = b.gnt = 1;
            b.tick();
            b.idle();
            for (int k = 0; k < 4; ++k) {
                b.settle();
                EXPECT_EQ(b.flip(), 0u);
                b.tick();
            }
        }
    }

    void arrive() {
        Bench& b = m_bench;
        uint32_t valid = 0;
        uint32_t first = 0;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const Child& c = m_child[p];
            const uint64_t k = b.now - c.starts;
            if (c.is_pending && k < c.flits) {
                valid |= 1u << p;
                first |= uint32_t(k == 0) << p;
                b.rx_d[p] = c.flit[k];
            } else if (!c.is_pending || k > 3) {
                // Packets, and acks of other entries. After a whole operand they change nothing.
                const bool starts = m_rng.chance(20);
                uint32_t d = m_rng.bits(18);
                if (starts && (d >> 7 & 7) == 7) d ^= 1u << 7;
                if (!starts && m_rng.chance(50)) continue;
                if (c.is_pending && c.flits != 3) continue;
                valid |= 1u << p;
                first |= uint32_t(starts) << p;
                b.rx_d[p] = d;
            }
        }
        b.rx_valid = valid;
        b.rx_first = first;
    }

    void collect() {
        Bench& b = m_bench;
        bool all = true;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            Child& c = m_child[p];
            if (!c.is_pending || c.is_taken) continue;
            all = false;
            if (c.taken != b.now) continue;
            c.is_taken = true;
            b.ack_take = 1u << p;
            b.stray = uint32_t(c.is_stray);
            if (const auto x = m_operands.find(b.now); x != m_operands.end() && !c.is_stray)
                m_reference.add(x->second.op, x->second.value);
        }
        if (m_put_at == b.now && b.ack_take() == 0) {
            b.put = 1;
            b.look_tag = 7;
            m_is_put = true;
        }
        if (all && m_put_at <= b.now && m_rng.chance(60) && b.put() == 0) {
            b.snd_take = 1;
            b.snd_tag = 7;
            m_phase = Phase::Sends;
        }
    }

    void send() {
        Bench& b = m_bench;
        if (!m_rng.chance(50)) {
            b.want = 1;
            return;
        }
        m_operands.clear();
        if (m_rng.chance(5)) {
            b.lost = 1;
            finish();
            return;
        }
        b.want = b.gnt = 1u << m_rng.between(0, 9);
        m_phase = Phase::Leaves;
    }

    void leave() {
        Bench& b = m_bench;
        b.idle();
        std::array<uint32_t, 3> flit{};
        // The next multicast may have the entry already.
        const bool is_next = m_rng.chance(50);
        for (uint32_t k = 0; k < 3; ++k) {
            b.settle();
            flit[k] = Parity ^ b.flip();
            if (is_next && k == 0) {
                b.ent_gnt = 1;
                b.ent_new = 7;
            }
            b.tick();
            b.idle();
        }
        EXPECT_EQ(flit[0], Parity) << "H0 does not change";
        const Result& r = m_reference.result();
        const bool valid = r.valid && !m_is_put;
        EXPECT_EQ(is_odd(flit[1]), valid);
        EXPECT_EQ(is_odd(flit[2]), valid);
        if (valid) {
            EXPECT_EQ(flit[1] & 0x1FFFF, (r.op & 1) << 16 | (r.value & 0xFFFF));
            EXPECT_EQ(flit[2] & 0x1FFFF, (r.op >> 1) << 16 | r.value >> 16);
        }
        (valid ? m_valid : m_invalid) += 1;
        finish();
    }

    void finish() {
        ++m_done;
        m_phase = Phase::Idle;
        m_is_put = false;
        m_put_at = 0;
        m_operands.clear();
        for (Child& c : m_child) c = Child{};
    }

    Bench& m_bench;
    uint32_t m_width;
    Dice m_rng;
    Phase m_phase = Phase::Idle;
    Reference m_reference{32};
    std::array<Child, NumPorts> m_child{};
    std::map<uint64_t, Result> m_operands;  // by the cycle in which they are taken
    uint64_t m_put_at = 0;
    bool m_is_put = false;
    uint64_t m_done = 0;
    uint64_t m_valid = 0;
    uint64_t m_invalid = 0;
};

using reduce = BlockTest;

template <typename Rtl>
void run(uint32_t width) {
    const TestRun test(2000);
    ReduceBench<Rtl> bench(width, test);
    Reductions<ReduceBench<Rtl>> reductions(bench, width, test.seed);
    reductions.run(uint32_t(test.cycles));
    EXPECT_GT(reductions.valid(), test.cycles / 2);
    EXPECT_GT(reductions.invalid(), test.cycles / 50);
    std::printf("%llu results, %llu marked as invalid\n",
                static_cast<unsigned long long>(reductions.valid()),
                static_cast<unsigned long long>(reductions.invalid()));
}

TEST_F(reduce, result_of_32_bits_is_that_of_the_operands) { run<Vrdt_reduce_32>(32); }
TEST_F(reduce, result_of_16_bits_is_that_of_the_operands) { run<Vrdt_reduce_16>(16); }

// The root's next arm may be answered while the ack of the last one still waits.
TEST_F(reduce, result_that_waits_for_its_line_is_kept_while_the_next_operands_arrive) {
    ReduceBench<Vrdt_reduce_32> b(32);
    const auto begin = [&b] {
        b.ent_gnt = 1;
        b.ent_new = 7;
        b.tick();
        b.idle();
    };
    const auto land = [&b](uint32_t port, uint32_t value) {
        const uint32_t flit[] = {TypeAck << 14 | 2u << 10 | 7u << 7, 1u << 16 | (value & 0xFFFF),
                                 1u << 16 | value >> 16};
        for (uint32_t k = 0; k < 3; ++k) {
            b.rx_valid = 1u << port;
            b.rx_first = k == 0 ? 1u << port : 0;
            b.rx_d[port] = flit[k] | (is_odd(flit[k]) == (k == 0) ? Parity : 0);
            b.ack_take = k == 1 ? 1u << port : 0;
            b.tick();
            b.idle();
        }
    };
    begin();
    land(3, 0x12345678);
    b.snd_take = 1;
    b.snd_tag = 7;
    b.tick();
    b.idle();
    begin();
    land(4, 0x0BADF00D);
    b.tick(10);
    b.want = b.gnt = 1;
    b.tick();
    b.idle();
    b.tick();
    b.settle();
    EXPECT_EQ(b.flip() & 0xFFFF, 0x5678u);
    b.tick();
    b.settle();
    EXPECT_EQ(b.flip() & 0xFFFF, 0x1234u);
}

TEST_F(reduce, twins_of_another_width_differ) {
    const TestRun test(300);
    bool differs = false;
    try {
        ReduceBench<Vrdt_reduce_32> bench(16, test);
        Reductions<ReduceBench<Vrdt_reduce_32>> reductions(bench, 16, test.seed);
        // Only what the models show counts here.
        ::testing::TestPartResultArray results;
        const ::testing::ScopedFakeTestPartResultReporter reporter(
            ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
        reductions.run(uint32_t(test.cycles));
    } catch (const Difference&) {
        differs = true;
    }
    EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace rdt::tb
