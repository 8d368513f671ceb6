// SPDX-License-Identifier: MIT
// What happens to whole words of channels in a cycle. Each pass goes over packs of words that
// have any flit, and notes where single channels need attention (Plane::Tails and so on).
#pragma once

#include <rdt/lab/simulator_lanes.h>
#include <rdt/lab/simulator_processors.h>

namespace rdt::lab {

class WordPasses {
public:
    WordPasses(const Options& options, Channels& channels, Processors& processors);
    WordPasses(const WordPasses& other, Channels& channels, Processors& processors);

    // Words of a virtual channel of the links, and words of nodes.
    void clock_links(MarkedWords& marked, size_t first, size_t end) {
        (this->*m_links)(marked, first, end, 0);
    }
    void clock_sources(MarkedWords& marked, size_t first, size_t end, uint64_t now) {
        (this->*m_sources)(marked, first, end, now);
    }
    void clock_sinks(MarkedWords& marked, size_t first, size_t end) {
        (this->*m_sinks)(marked, first, end, 0);
    }

    size_t bytes() const;

private:
    using Pass = void (WordPasses::*)(MarkedWords&, size_t first, size_t end, uint64_t now);

    // Passes with a function clock<Avx2>(passes, marked, from, to, now, usual).
    template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
    struct Links;
    template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
    struct Sinks;
    template <uint32_t InPlanes, uint32_t LeftPlanes, uint32_t NumChannels>
    struct Sources;

    template <bool Avx2, typename P>
    void run(MarkedWords& marked, size_t from, size_t to, uint64_t now);
    template <typename P>
    void run_anywhere(MarkedWords& marked, size_t from, size_t to, uint64_t now);
    template <typename P>
    void run_avx2(MarkedWords& marked, size_t from, size_t to, uint64_t now);
    // For this machine.
    template <typename P>
    static Pass chosen();

    void choose_passes();
    template <uint32_t LeftPlanes>
    void choose_for_flits();
    template <uint32_t Vcs, uint32_t LeftPlanes>
    void choose_for_vcs();
    template <uint32_t LeftPlanes, uint32_t NumChannels>
    void choose_sources();

    Channels& m_channels;
    Processors& m_processors;
    const uint32_t m_injection;  // channels per node
    Words m_source_left;         // flits of the first packet in the queue that have to come, less 1
    Pass m_links, m_sinks, m_sources;
};

}  // namespace rdt::lab
