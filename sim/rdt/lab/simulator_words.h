// SPDX-License-Identifier: MIT
// What happens to whole words of channels in a cycle. Each pass goes over all words without a
// branch and notes where single channels need attention.
#pragma once

#include <rdt/lab/simulator_lanes.h>
#include <rdt/lab/simulator_processors.h>

namespace rdt::lab {

// Single channels that the passes of a cycle have found.
struct PassResults {
    Words tails;    // input buffers that a packet has left
    Words changed;  // sides whose readiness changed, to be passed to the other side
    Words headers;  // input buffers in which a header has become complete
    Words arrived;  // sinks that the tail of a packet has left
};

// Input buffer state per channel.
template <typename W>
struct InputMarks {
    Marks<W> tails, headers, changed;
    RDT_PART_OF_PASS void join(const InputMarks& others, size_t further) {
        tails.join(others.tails, further);
        headers.join(others.headers, further);
        changed.join(others.changed, further);
    }
};

class WordPasses {
public:
    WordPasses(const Options& options, Channels& channels, Processors& processors);

    // Words of a virtual channel of the links, and words of nodes.
    void clock_links(Marked& marked, size_t first, size_t end) {
        (this->*m_links)(marked, first, end, 0);
    }
    void clock_sources(Marked& marked, size_t first, size_t end, uint64_t now) {
        (this->*m_sources)(marked, first, end, now);
    }
    void clock_sinks(Marked& marked, size_t first, size_t end) {
        (this->*m_sinks)(marked, first, end, 0);
    }

    const PassResults& results() const { return m_results; }
    // Packets that have arrived at their processors.
    RDT_PART_OF_PASS void deliver_arrived(uint64_t now) {
        for (uint32_t i = 0; i < m_results.arrived.size(); ++i)
            for_bits(m_results.arrived[i], [&](uint32_t b) {
                m_processors.deliver((m_channels.first_sink + i) * 64 + b, now);
            });
    }
    size_t bytes() const;

private:
    static constexpr uint32_t MaxVcs = 256;
    using Pass = void (WordPasses::*)(Marked&, size_t first, size_t end, uint64_t now);

    void choose_passes();
    template <uint32_t LeftPlanes>
    void choose_for_flits();
    template <uint32_t Vcs, uint32_t LeftPlanes>
    void choose_for_vcs();
    template <uint32_t LeftPlanes, uint32_t NumChannels>
    void choose_sources();
    template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
    void links(Marked& marked, size_t from, size_t to, uint64_t now);
    template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
    void links_if(Marked& marked, size_t from, size_t to, bool usual);
    template <uint32_t Vcs, uint32_t LeftPlanes>
    void sinks(Marked& marked, size_t from, size_t to, uint64_t now);
    template <uint32_t InPlanes, uint32_t LeftPlanes, uint32_t NumChannels>
    void sources(Marked& marked, size_t from, size_t to, uint64_t now);
    static void mark_inputs(Marked& marked, size_t first, const InputMarks<Bits>& marks);
    static void mark_inputs(Marked& marked, size_t w, const InputMarks<uint64_t>& marks);

    Channels& m_channels;
    Processors& m_processors;
    const uint32_t m_injection;  // channels per node
    Words m_sink_left;    // flits of the front packet that have to go to the processor, less 1
    Words m_source_left;  // and that have to come from it
    PassResults m_results;
    Pass m_links, m_sinks, m_sources;
};

}  // namespace rdt::lab
