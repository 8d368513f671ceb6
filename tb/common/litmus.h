// SPDX-License-Identifier: MIT
// Litmus tests: small concurrent programs, and all outcomes that a memory model allows them. The
// enumerator executes every interleaving of an abstract machine: processors in front of one memory,
// without store buffers (sequential consistency) or with them (total store order).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace rdt::tb {

struct LitmusStep {
    enum class What : uint8_t { Write, Read, Await, Fence };  // Await: read until not 0
    What what;
    uint32_t variable;
    uint32_t value;  // written
};

struct LitmusTest {
    std::string name;
    std::vector<std::vector<LitmusStep>> threads;
    uint32_t variables;
};

// Values of all reads, thread by thread, then of all variables at the end.
using LitmusOutcome = std::vector<uint32_t>;

inline std::vector<LitmusTest> litmus_tests() {
    using What = LitmusStep::What;
    const auto w = [](uint32_t variable, uint32_t value) {
        return LitmusStep{What::Write, variable, value};
    };
    const auto r = [](uint32_t variable) { return LitmusStep{What::Read, variable, 0}; };
    const auto a = [](uint32_t variable) { return LitmusStep{What::Await, variable, 0}; };
    const LitmusStep fence{What::Fence, 0, 0};
    constexpr uint32_t x = 0;
    constexpr uint32_t y = 1;
    constexpr uint32_t z = 2;
    return {
        {"MP", {{w(x, 1), w(y, 1)}, {r(y), r(x)}}, 2},
        {"SB", {{w(x, 1), r(y)}, {w(y, 1), r(x)}}, 2},
        {"LB", {{r(x), w(y, 1)}, {r(y), w(x, 1)}}, 2},
        {"S", {{w(x, 2), w(y, 1)}, {r(y), w(x, 1)}}, 2},
        {"R", {{w(x, 1), w(y, 1)}, {w(y, 2), r(x)}}, 2},
        {"2+2W", {{w(x, 1), w(y, 2)}, {w(y, 1), w(x, 2)}}, 2},
        {"CoRR", {{w(x, 1)}, {r(x), r(x)}}, 1},
        {"WRC", {{w(x, 1)}, {r(x), w(y, 1)}, {r(y), r(x)}}, 2},
        {"IRIW", {{w(x, 1)}, {w(y, 1)}, {r(x), r(y)}, {r(y), r(x)}}, 2},
        {"ISA2", {{w(x, 1), w(y, 1)}, {r(y), w(z, 1)}, {r(z), r(x)}}, 3},
        {"MP+await", {{w(x, 1), w(y, 1)}, {a(y), r(x)}}, 2},
        {"WRC+await", {{w(x, 1)}, {a(x), w(y, 1)}, {a(y), r(x)}}, 2},
        {"IRIW+await", {{w(x, 1)}, {w(y, 1)}, {a(x), r(y)}, {a(y), r(x)}}, 2},
        {"ISA2+await", {{w(x, 1), w(y, 1)}, {a(y), w(z, 1)}, {a(z), r(x)}}, 3},
        {"SB+fences", {{w(x, 1), fence, r(y)}, {w(y, 1), fence, r(x)}}, 2},
        {"R+fences", {{w(x, 1), fence, w(y, 1)}, {w(y, 2), fence, r(x)}}, 2},
    };
}

class LitmusEnumerator {
public:
    LitmusEnumerator(const LitmusTest& test, bool has_store_buffers)
        : m_test(test), m_has_buffers(has_store_buffers) {
        State first;
        first.next.resize(test.threads.size());
        first.reads.resize(test.threads.size());
        first.buffers.resize(test.threads.size());
        first.memory.resize(test.variables);
        explore(first);
    }
    const std::set<LitmusOutcome>& allowed() const { return m_allowed; }

private:
    struct State {
        std::vector<uint32_t> next;  // step, by thread
        std::vector<std::vector<uint32_t>> reads;
        std::vector<std::vector<LitmusStep>> buffers;
        std::vector<uint32_t> memory;
    };

    void explore(const State& state) {
        bool is_over = true;
        for (uint32_t t = 0; t < m_test.threads.size(); ++t) {
            if (!state.buffers[t].empty()) {
                State then = state;
                const LitmusStep oldest = then.buffers[t].front();
                then.buffers[t].erase(then.buffers[t].begin());
                then.memory[oldest.variable] = oldest.value;
                explore(then);
                is_over = false;
            }
            if (state.next[t] == m_test.threads[t].size()) continue;
            is_over = false;
            step(state, t);
        }
        if (!is_over) return;
        LitmusOutcome outcome;
        for (const auto& reads : state.reads)
            outcome.insert(outcome.end(), reads.begin(), reads.end());
        outcome.insert(outcome.end(), state.memory.begin(), state.memory.end());
        m_allowed.insert(outcome);
    }

    void step(const State& state, uint32_t t) {
        const LitmusStep& now = m_test.threads[t][state.next[t]];
        State then = state;
        ++then.next[t];
        switch (now.what) {
        case LitmusStep::What::Fence:
            if (!state.buffers[t].empty()) return;
            break;
        case LitmusStep::What::Write:
            if (m_has_buffers) then.buffers[t].push_back(now);
            else then.memory[now.variable] = now.value;
            break;
        case LitmusStep::What::Await:
        case LitmusStep::What::Read: {
            uint32_t value = state.memory[now.variable];
            for (const LitmusStep& s : state.buffers[t])
                if (s.variable == now.variable) value = s.value;
            if (now.what == LitmusStep::What::Await && value == 0) return;
            then.reads[t].push_back(value);
            break;
        }
        }
        explore(then);
    }

    const LitmusTest& m_test;
    const bool m_has_buffers;
    std::set<LitmusOutcome> m_allowed;
};

}  // namespace rdt::tb
