// SPDX-License-Identifier: MIT
// A partition of the nodes, for one thread at a time. Passes go over words of channels that its
// nodes send on; single channels are looked after where their input buffer is. So a word of input
// buffers may have bits of several lanes, and only these words are changed atomically.
#pragma once

#include <utility>

#include <rdt/lab/simulator.h>

namespace rdt::lab {

struct alignas(64) Simulator::Lane : Keeper {
    uint32_t first_word = 0;  // first word of its nodes
    uint32_t end_word = 0;
    std::vector<std::pair<uint32_t, uint32_t>> links;  // words of a virtual channel, from and to
    Words own;        // sides at its nodes; all of a word that no other lane has any of
    Words own_words;  // a bit a word that has any
    std::vector<Index> elsewhere;       // released by its nodes, for nodes of other partitions
    size_t fewest_free = 0;             // choices in the last cycle
    const uint64_t* outputs = nullptr;  // in `own`
    std::exception_ptr error;

    using Keeper::Keeper;
    bool has_output(Index out) const { return outputs[out >> 6] != 0; }
    void given_up_elsewhere(Index out) { elsewhere.push_back(out); }
    void found_wanted() { fewest_free = free_choices.size(); }

    void set(Words& words, Index at) const {
        uint64_t& word = words[at >> 6];
        const uint64_t bit = 1ull << (at & 63);
        if (has_all(at)) word |= bit;
        else __atomic_fetch_or(&word, bit, __ATOMIC_RELAXED);
    }
    void set_to(Words& words, Index at, bool value) const {
        uint64_t& word = words[at >> 6];
        const uint64_t bit = 1ull << (at & 63);
        if (has_all(at)) word = (word & ~bit) | (value ? bit : 0);
        else if (value) __atomic_fetch_or(&word, bit, __ATOMIC_RELAXED);
        else __atomic_fetch_and(&word, ~bit, __ATOMIC_RELAXED);
    }
    void flip(Words& words, Index at) const {
        uint64_t& word = words[at >> 6];
        const uint64_t bit = 1ull << (at & 63);
        if (has_all(at)) word ^= bit;
        else __atomic_fetch_xor(&word, bit, __ATOMIC_RELAXED);
    }

private:
    bool has_all(Index at) const { return own[at >> 6] == ~0ull; }
};

}  // namespace rdt::lab
