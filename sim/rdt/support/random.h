// SPDX-License-Identifier: MIT
// Random numbers that are the same on every machine and in every thread that starts from the same
// seed.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace rdt {

// splitmix64 (Steele, Lea and Flood): one word of state, for seeds and for what needs few numbers.
class SplitMix {
public:
    explicit SplitMix(uint64_t seed) : m_state(seed) {}
    uint64_t next() {
        m_state += 0x9E3779B97F4A7C15;
        uint64_t z = (m_state ^ (m_state >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }

private:
    uint64_t m_state;
};

// xoshiro256** (Blackman and Vigna).
class Random {
public:
    explicit Random(uint64_t seed) {
        SplitMix words(seed);
        for (uint64_t& word : m_state) word = words.next();
    }
    uint64_t next() {
        auto& s = m_state;
        const uint64_t result = rotated(s[1] * 5, 7) * 9;
        const uint64_t t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = rotated(s[3], 45);
        return result;
    }
    // 0 .. limit-1, each as likely as the others to one part in 2^32.
    uint32_t below(uint32_t limit) { return uint32_t(((next() >> 32) * limit) >> 32); }
    // In (0, 1].
    double unit() { return double((next() >> 11) + 1) * 0x1p-53; }

private:
    static uint64_t rotated(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }
    std::array<uint64_t, 4> m_state;
};

// One Bernoulli trial for every node in every cycle, in that order. Only the successes are drawn:
// the number of failures before a success is geometric, so that jumping from success to success
// gives the same process as tossing every coin.
class BernoulliTrials {
public:
    BernoulliTrials(uint32_t nodes, double probability, Random& random)
        : m_nodes(nodes),
          m_per_log(probability > 0 && probability < 1 ? 1 / std::log1p(-probability) : 0),
          m_never(probability <= 0),
          m_random(random) {
        if (!m_never) advance(0);
    }
    // Calls found(node) for every success of a cycle. Cycles must not go back; omitted cycles are
    // cycles without success, as next_clock() returns.
    template <typename Found>
    void clock(uint64_t now, Found found) {
        while (has_any(now)) {
            found(m_node);
            advance(1);
        }
    }
    bool has_any(uint64_t now) const { return !m_never && m_clock <= now; }
    uint64_t next_clock() const { return m_never ? UINT64_MAX : m_clock; }

private:
    // To the next success, at least so many trials on.
    void advance(uint32_t trials) {
        const double gap = m_per_log == 0 ? 0 : std::log(m_random.unit()) * m_per_log;
        const uint64_t next = m_node + trials + (gap < 0x1p63 ? uint64_t(gap) : 0);
        m_never = !(gap < 0x1p63) || next / m_nodes > UINT64_MAX - m_clock;
        m_clock += next / m_nodes;
        m_node = uint32_t(next % m_nodes);
    }
    uint32_t m_nodes;
    double m_per_log;  // 0: every trial succeeds
    bool m_never;
    Random& m_random;
    uint64_t m_clock = 0;  // cycle of the next success
    uint32_t m_node = 0;   // ... and its node
};

}  // namespace rdt
