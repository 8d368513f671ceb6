// SPDX-License-Identifier: MIT
// 64 initiators at once on every engine: every byte that is read is checked, and every transaction
// ends at the same time on all of them. RDT_TRANSACTIONS is how many there are altogether; those of
// the engines that are slow are the first of the fast one's.
#include <gtest/gtest.h>

#include "common/run_options.h"
#include "machine/tlm_bench.h"

#include <deque>
#include <map>
#include <random>

#include <rdt/cosim/kernel.h>

namespace rdt::tb {
namespace {

using machine::Config;
using machine::Engine;
using tlm_memory::SharedMemory;

constexpr uint32_t Lines = 256, Nodes = 64;
constexpr uint64_t All = 100000;

struct Outcome {
    std::vector<std::vector<uint64_t>> times;  // by node: when its transactions ended
    uint64_t wrong = 0;
    std::string error;
    uint64_t recalls = 0;
};

// Every node has bytes of its own in lines that all write, so that a lost part of a line is seen,
// and reads the bytes of others as well, which may only have values that these have written.
class Bytes {
public:
    explicit Bytes(uint32_t node) : m_node(node), m_random(node + 1) {}

    // One transaction; false if what it read is wrong.
    bool next(Initiator& i) {
        // 32 lines; byte node % 32 of those with the parity of node / 32 is the node's.
        const bool is_own = m_random() % 4 != 0;
        const uint32_t other = is_own ? m_node : m_random() % Nodes;
        const uint64_t address = 32 * (m_random() % 16 * 2 + other / 32) + other % 32;
        if (is_own && m_random() % 2 == 0) {
            // The upper bits hold the writer.
            auto byte = uint8_t(m_node << 2 | (m_random() & 3));
            if (i.access(tlm::TLM_WRITE_COMMAND, address, &byte, 1) != tlm::TLM_OK_RESPONSE)
                return false;
            m_own[address] = byte;
            return true;
        }
        uint8_t byte = 0xEE;
        if (i.access(tlm::TLM_READ_COMMAND, address, &byte, 1) != tlm::TLM_OK_RESPONSE)
            return false;
        if (!is_own) return byte == 0 || byte >> 2 == int(other);
        const auto it = m_own.find(address);
        return byte == (it == m_own.end() ? 0 : it->second);
    }

private:
    const uint32_t m_node;
    std::mt19937 m_random;
    std::map<uint64_t, uint8_t> m_own;
};

Outcome run(const Config& config, uint64_t transactions) {
    machine::Kernel kernel;
    // Modules with threads are not taken apart: it takes long, and the process ends soon.
    kernel.abandon();
    auto* memory = new SharedMemory("memory", config, Lines);
    Outcome outcome;
    outcome.times.resize(Nodes);
    std::deque<Initiator*> initiators;
    for (uint32_t node = 0; node < Nodes; ++node) {
        auto* i = new Initiator(("initiator_" + std::to_string(node)).c_str());
        i->socket.bind(memory->socket(node));
        const uint64_t own = transactions / Nodes + (node < transactions % Nodes ? 1 : 0);
        i->program = [&outcome, node, own, memory](Initiator& self) {
            Bytes bytes(node);
            for (uint64_t n = 0; n < own; ++n) {
                if (!bytes.next(self)) ++outcome.wrong;
                outcome.times[node].push_back(sc_time_stamp().value() / memory->period().value());
            }
        };
        initiators.push_back(i);
    }
    const auto is_over = [&] {
        for (const Initiator* i : initiators)
            if (!i->has_ended) return false;
        return true;
    };
    const auto play = [&](const std::function<bool()>& until) {
        for (uint64_t i = 0; i < 1000 * transactions && !until(); ++i)
            sc_core::sc_start(50 * memory->period());
        if (!until()) outcome.error = "it does not come to an end";
    };
    play(is_over);
    play([&] { return memory->is_quiet(); });  // write-backs
    if (outcome.error.empty()) outcome.error = memory->check();
    outcome.recalls = memory->memory().statistics().recalls;
    return outcome;
}

uint64_t ended(const Outcome& outcome) {
    uint64_t count = 0;
    for (const auto& times : outcome.times) count += times.size();
    return count;
}

TEST(tlm_engines, a_hundred_thousand_transactions_of_64_initiators_on_the_fast_engine) {
    const uint64_t count = from_environment("RDT_TRANSACTIONS", All);
    const Outcome outcome = run({}, count);
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.wrong, 0u);
    EXPECT_EQ(ended(outcome), count);
    EXPECT_GT(outcome.recalls, count / 20) << "the nodes do not share";
}

struct Case {
    const char* name;
    Engine engine;
    std::vector<Engine> check;
    std::vector<uint32_t> rtl_nodes;
    uint64_t transactions;  // unless set in the environment
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Engines : public testing::TestWithParam<Case> {};

TEST_P(Engines, end_every_transaction_at_the_same_time) {
    const Case& c = GetParam();
    const uint64_t count = from_environment("RDT_TRANSACTIONS", c.transactions);
    Config config;
    const Outcome fast = run(config, count);
    config.engine = c.engine;
    config.check = c.check;
    config.rtl_nodes = c.rtl_nodes;
    const Outcome other = run(config, count);
    EXPECT_EQ(other.error, "");
    EXPECT_EQ(other.wrong, 0u);
    EXPECT_EQ(ended(other), count);
    EXPECT_EQ(other.times, fast.times);
}

INSTANTIATE_TEST_SUITE_P(tlm, Engines,
                         testing::Values(Case{"systemc", Engine::SystemC, {}, {}, 64},
                                         Case{"rtl_nodes", Engine::SystemC, {}, {5, 9}, 64},
                                         Case{"rtl", Engine::Rtl, {}, {}, 1280},
                                         Case{"checked", Engine::Rtl, {Engine::Fast}, {}, 640}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace rdt::tb
