// SPDX-License-Identifier: MIT
// What is kept from cycle to cycle about the nodes: of the whole network in one, or of a partition
// of the nodes, for one thread at a time. Passes go over words of channels that a partition's nodes
// send on; single channels are looked after where their input buffer is. So a word of input buffers
// may have bits of several lanes, and only these words are changed atomically.
#pragma once

#include <exception>
#include <utility>

#include <rdt/lab/simulator_channels.h>

namespace rdt::lab {

struct Keeper {
    Index spare;                     // side
    MarkedWords marked;              // by the passes
    std::vector<Index> new_headers;  // complete since the last cycle
    std::vector<Index> freed;        // output channels released in the last cycle
    uint32_t waiters = 0;
    std::vector<Index> free_choices;  // places in the router's lists of choices
    Choices next;
    explicit Keeper(const Channels& c) : spare(c.spare_side()), marked(c.words) {}
};

// Lanes of all nodes.
struct Whole : Keeper {
    using Keeper::Keeper;
    static constexpr bool is_partition = false;
    static constexpr bool has_output(Index) { return true; }
    static void given_up_elsewhere(Index) {}
    static void found_wanted() {}
    // In the word of a channel or side.
    static void set(uint64_t& word, Index at) { word |= 1ull << (at & 63); }
    static void set_to(uint64_t& word, Index at, bool value) {
        const uint64_t bit = 1ull << (at & 63);
        word = (word & ~bit) | (value ? bit : 0);
    }
    static void flip(uint64_t& word, Index at) { word ^= 1ull << (at & 63); }
    static constexpr uint64_t own_inputs(uint32_t) { return ~0ull; }
    static constexpr uint64_t own_outputs(uint32_t) { return ~0ull; }
};

// Lanes of a partition.
struct alignas(64) Lane : Keeper {
    static constexpr bool is_partition = true;
    uint32_t first_word = 0;  // first word of its nodes
    uint32_t end_word = 0;
    std::vector<std::pair<uint32_t, uint32_t>> links;  // words of a virtual channel, from and to
    Words own;        // sides at its nodes; all of a word that no other lane has any of
    Words own_words;  // a bit per word that has any
    std::vector<Index> elsewhere;       // released by its nodes, for nodes of other partitions
    size_t fewest_free = 0;             // choices in the last cycle
    const uint64_t* outputs = nullptr;  // in `own`
    std::exception_ptr error;

    using Keeper::Keeper;
    bool has_output(Index out) const { return outputs[out >> 6] != 0; }
    void given_up_elsewhere(Index out) { elsewhere.push_back(out); }
    void found_wanted() { fewest_free = free_choices.size(); }

    void set(uint64_t& word, Index at) const {
        const uint64_t bit = 1ull << (at & 63);
        if (has_all(at)) word |= bit;
        else __atomic_fetch_or(&word, bit, __ATOMIC_RELAXED);
    }
    void set_to(uint64_t& word, Index at, bool value) const {
        const uint64_t bit = 1ull << (at & 63);
        if (has_all(at)) word = (word & ~bit) | (value ? bit : 0);
        else if (value) __atomic_fetch_or(&word, bit, __ATOMIC_RELAXED);
        else __atomic_fetch_and(&word, ~bit, __ATOMIC_RELAXED);
    }
    void flip(uint64_t& word, Index at) const {
        const uint64_t bit = 1ull << (at & 63);
        if (has_all(at)) word ^= bit;
        else __atomic_fetch_xor(&word, bit, __ATOMIC_RELAXED);
    }
    uint64_t own_inputs(uint32_t w) const { return own[w]; }
    uint64_t own_outputs(uint32_t w) const { return outputs[w]; }

private:
    bool has_all(Index at) const { return own[at >> 6] == ~0ull; }
};

}  // namespace rdt::lab
