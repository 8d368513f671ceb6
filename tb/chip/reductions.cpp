// SPDX-License-Identifier: MIT
// Routers that combine operands: RTL, SystemC design and fast engine are equal on every pin, and
// the answer of a barrier has the result of a reference that knows only the operands of the
// children.
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "Vrdt_router_sum.h"
#include "chip/chip_pair.h"
#include "common/run_options.h"
#include "common/setup.h"

namespace rdt::tb {
namespace {

using core::Operand;

constexpr uint32_t Width = 32;
constexpr ChipOptions Options{OneLane, NumEntries, false, Width};

// Traffic of all kinds; of the second half pins are disturbed, and there are resets.
TEST(reductions, chips_are_equal_on_every_pin_with_disturbed_links) {
    const uint64_t seed = seed_or(1);
    const uint64_t cycles = cycles_or(60000);
    SCOPED_TRACE(rerun_line("chip_reductions", "*every_pin*", seed, cycles));
    Models<Vrdt_router_sum> models(Options);
    Surroundings around(seed);
    uint64_t operands = 0;
    around.operand = [&] {
        ++operands;
        const bool differs = around.random()() % 8 == 0;
        return Operand{differs ? Reduce(around.random()() % 4) : ReduceAdd,
                       uint32_t(around.random()()), around.random()() % 16 != 0};
    };
    uint64_t reset_until = 2;
    for (uint64_t now = 0; now < cycles; ++now) {
        const bool noisy = now > cycles / 2;
        if (now == reset_until) around.configure();
        if (noisy && around.random()() % 20000 == 0) reset_until = now + 3;
        if (now > 150) around.offer();
        const std::string found =
            models.clock(around.clock(models.pins(), noisy), now >= reset_until);
        ASSERT_EQ(found, "") << "cycle " << now << " seed=" << seed;
    }
    EXPECT_GT(operands, cycles / 2000);
    print_count(operands, "operands beside other packets");
}

// Operands that are not added: an injected difference.
TEST(reductions, models_of_another_width_are_detected) {
    Models<Vrdt_router_sum> models({OneLane, NumEntries, false, 16});
    Surroundings around(seed_or(1));
    around.operand = [&] { return Operand{ReduceMax, uint32_t(around.random()()), true}; };
    std::string found;
    for (uint64_t now = 0; now < 50000 && found.empty(); ++now) {
        if (now == 2) around.configure();
        if (now > 150) around.offer();
        found = models.clock(around.clock(models.pins(), false), now >= 2);
    }
    EXPECT_NE(found, "");
}

// The reference: the operand of the answer to a multicast.
Operand expected_of(const std::vector<Operand>& operands) {
    Operand sum;
    for (const Operand& x : operands) {
        if (!x.is_good) sum.is_good = false;
        if (!x.is_good || x.operation == ReduceNone) continue;
        if (sum.operation != ReduceNone && sum.operation != x.operation) sum.is_good = false;
        else if (sum.operation == ReduceNone) sum.value = x.value;
        else if (x.operation == ReduceOr) sum.value |= x.value;
        else if (x.operation == ReduceMax) sum.value = std::max(sum.value, x.value);
        else sum.value += x.value;
        if (sum.operation == ReduceNone) sum.operation = x.operation;
    }
    return sum;
}

// One chip with an endpoint at each port, which answer after random times.
class Children {
public:
    explicit Children(uint64_t seed) : m_models(Options), m_random(seed) {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            m_end.push_back(std::make_unique<Endpoint>(p));
            m_end[p]->on_receive = [this, p](const Endpoint::Received& r) { copy(p, r.flits); };
            m_end[p]->on_ack = [this, p](const core::Ack& ack) { answered(p, ack); };
        }
    }

    void bring_up() {
        clocks(4);
        m_rst_n = true;
        clocks(20);
        end(PortM0).send_first(
            setup_write({{RegRank, 1}, {RegRanks, 1}, {RegTAck, 60}, {RegLink, 0xFF}}));
        clocks(400);
    }
    // Returns the difference between models, or between the result and the reference.
    std::string reduce(bool times_out) {
        m_silent = times_out ? pick(3) : NumPorts;
        m_is_silenced = false;
        m_operands.clear();
        m_result.reset();
        m_operation = Reduce(pick(4));
        m_faults = pick(3) == 0 ? 1 + pick(3) : 0;
        McSpec mc;
        mc.type = TypeMcSm;
        mc.map[0] = 1 + pick(255);
        mc.map[1] = pick(256);
        mc.mbp = pick(2);
        mc.tag = LaneTag;
        m_source = PortM0 + pick(2);
        end(m_source).send(0, encode(mc));
        for (uint32_t n = 0; n < 3000 && !m_result; ++n) {
            if (n == 400 && times_out)
                end(PortM0).send_first(setup_write({{RegCtrl, core::Config::CtrlEndLane}}));
            clock();
            if (!m_error.empty()) return m_error;
        }
        if (!m_result) return "no answer";
        if (m_is_silenced) {
            if ((m_result->status >> AckTimeout & 1) == 0) return "no time-out";
            clocks(800);  // past the quarantine; a late operand is not added
            return m_error;
        }
        const Operand& is = m_result->operand;
        const Operand should = expected_of(m_operands);
        if (is.is_good != should.is_good)
            return should.is_good ? "a good result is marked as invalid"
                                  : "an invalid result is not marked";
        (is.is_good ? m_valid : m_invalid) += 1;
        if (is.is_good && (is.operation != should.operation || is.value != should.value))
            return fmt::format("operation {} result {:x}, not {} {:x}", uint32_t(is.operation),
                               is.value, uint32_t(should.operation), should.value);
        // An ack of a neighbor has no generation: a second one would answer the next multicast.
        clocks(m_faults == 3 ? 200 : pick(2) * pick(40));
        return m_error;
    }
    uint64_t valid() const { return m_valid; }
    uint64_t invalid() const { return m_invalid; }

private:
    Endpoint& end(uint32_t port) { return *m_end[port]; }
    uint32_t pick(uint32_t n) { return uint32_t(m_random() % n); }
    void clocks(uint32_t n) {
        for (; n != 0; --n) clock();
    }

    void clock() {
        const ChipPins& chip = m_models.pins()[0];
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const core::LinkPinsOut own = chip.link[p];
            const core::LinkPinsOut far = end(p).pins();
            m_in[0].link[p] = {own.oe ? own.d : far.oe ? far.d : 0, far.req, far.cred};
        }
        m_in[0].slice = chip.slice;
        for (uint32_t p = 0; p < NumPorts; ++p)
            if (m_rst_n) end(p).clock(chip.link[p], m_now);
        for (auto due = m_due.begin(); due != m_due.end() && due->first <= m_now;
             due = m_due.erase(due))
            due->second();
        const std::string found = m_models.clock(m_in, m_rst_n);
        if (m_error.empty() && !found.empty()) m_error = fmt::format("cycle {}: {}", m_now, found);
        ++m_now;
    }

    void copy(uint32_t p, const Flits& flits) {
        if (!asks_for_ack(flits)) return;
        const uint32_t generation =
            is_mbp(p) ? Endpoint::generation_of(flits) : uint32_t(core::AckNote::OfRouter);
        Operand x{m_operation, uint32_t(m_random()), true};
        if (pick(10) == 0) x = {};
        if (m_faults == 1 && pick(3) == 0) x.operation = Reduce(pick(4));
        if (m_faults == 2 && pick(3) == 0) x.is_good = false;
        if (x.operation == ReduceNone) x.value = 0;
        const auto answer = [this, p, generation, x] {
            end(p).send_ack(LaneTag, 0, generation, x);
        };
        if (!m_is_silenced && m_silent != NumPorts) {
            m_is_silenced = true;
            m_due.emplace(m_now + 700 + pick(100), answer);  // late
            return;
        }
        m_operands.push_back(x);
        m_due.emplace(m_now + 1 + pick(60), answer);
        // The same again: a stray ack.
        if (m_faults == 3) m_due.emplace(m_now + 1 + pick(60), answer);
    }
    void answered(uint32_t p, const core::Ack& ack) {
        if (p == m_source && ack.tag == LaneTag) m_result = ack;
    }

    Models<Vrdt_router_sum, 1> m_models;
    std::mt19937_64 m_random;
    std::vector<std::unique_ptr<Endpoint>> m_end;
    std::array<core::PinsIn, 1> m_in{};
    bool m_rst_n = false;
    uint64_t m_now = 0;
    std::string m_error;
    std::multimap<uint64_t, std::function<void()>> m_due;
    std::vector<Operand> m_operands;
    std::optional<core::Ack> m_result;
    Reduce m_operation = ReduceNone;
    uint32_t m_source = PortM0;
    uint32_t m_faults = 0;
    uint32_t m_silent = NumPorts;  // not NumPorts: a child answers too late
    bool m_is_silenced = false;
    uint64_t m_valid = 0;
    uint64_t m_invalid = 0;
};

TEST(reductions, answer_of_random_children_has_the_result_of_their_operands) {
    const uint64_t seed = seed_or(1);
    const uint64_t number = cycles_or(300);
    SCOPED_TRACE(rerun_line("chip_reductions", "*random_children*", seed, number));
    Children children(seed);
    children.bring_up();
    for (uint64_t n = 0; n < number; ++n)
        ASSERT_EQ(children.reduce(n % 20 == 19), "") << "reduction " << n << " seed=" << seed;
    EXPECT_GT(children.valid(), number / 2);
    EXPECT_GT(children.invalid(), number / 50);
    print_count(children.valid(), "results");
    print_count(children.invalid(), "results marked as invalid");
}

}  // namespace
}  // namespace rdt::tb
