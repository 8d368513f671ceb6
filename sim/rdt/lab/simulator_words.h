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

    // Words of a virtual channel of the links, and words of nodes.
    void clock_links(MarkedPacks& marked, size_t first, size_t end) {
        (this->*m_links)(marked, first, end, 0);
    }
    void clock_sources(MarkedPacks& marked, size_t first, size_t end, uint64_t now) {
        (this->*m_sources)(marked, first, end, now);
    }
    void clock_sinks(MarkedPacks& marked, size_t first, size_t end) {
        (this->*m_sinks)(marked, first, end, 0);
    }

    size_t bytes() const;

private:
    static constexpr uint32_t MaxVcs = 256;
    using Pass = void (WordPasses::*)(MarkedPacks&, size_t first, size_t end, uint64_t now);

    void choose_passes();
    template <uint32_t LeftPlanes>
    void choose_for_flits();
    template <uint32_t Vcs, uint32_t LeftPlanes>
    void choose_for_vcs();
    template <uint32_t LeftPlanes, uint32_t NumChannels>
    void choose_sources();
    template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
    void links(MarkedPacks& marked, size_t from, size_t to, uint64_t now);
    template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
    void links_if(MarkedPacks& marked, size_t from, size_t to, bool usual);
    template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
    void sinks(MarkedPacks& marked, size_t from, size_t to, uint64_t now);
    template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
    void sinks_if(MarkedPacks& marked, size_t from, size_t to, bool usual);
    template <uint32_t InPlanes, uint32_t LeftPlanes, uint32_t NumChannels>
    void sources_if(MarkedPacks& marked, size_t from, size_t to, uint64_t now, bool usual);
    template <uint32_t InPlanes, uint32_t LeftPlanes, uint32_t NumChannels>
    void sources(MarkedPacks& marked, size_t from, size_t to, uint64_t now);
    Channels& m_channels;
    Processors& m_processors;
    const uint32_t m_injection;  // channels per node
    Words m_source_left;         // flits of the first packet in the queue that have to come, less 1
    Pass m_links, m_sinks, m_sources;
};

}  // namespace rdt::lab
