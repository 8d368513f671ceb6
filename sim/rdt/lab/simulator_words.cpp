// SPDX-License-Identifier: MIT
#include <rdt/lab/simulator_words.h>

#include <algorithm>

#include <rdt/lab/simulator_buffers.h>

namespace rdt::lab {

namespace {

// One of the requests of each link: the first after the channel that was served last. The words of
// the virtual channels are `stride` apart.
template <uint32_t Vcs, typename W>
RDT_PART_OF_PASS void grant(W* request, uint64_t* last, size_t stride, uint32_t vcs) {
    if (Vcs == 1) return;
    W any = {};
    W after = {};
    W behind = {};  // a request comes behind the last one
#pragma GCC unroll 4
    for (uint32_t v = 0; v < vcs; ++v) {
        any |= request[v];
        behind |= request[v] & after;
        after |= load<W>(last + v * stride);
    }
    after = ~behind;
    W open = ~W{};
#pragma GCC unroll 4
    for (uint32_t v = 0; v < vcs; ++v) {
        const W served = load<W>(last + v * stride);
        request[v] &= after & open;
        open &= ~request[v];
        after |= served;
        store(last + v * stride, (served & ~any) | request[v]);
    }
}

}  // namespace

WordPasses::WordPasses(const Options& options, Channels& channels, Processors& processors)
    : m_channels(channels),
      m_processors(processors),
      m_injection(options.injection),
      m_sink_left(size_t(channels.node_words) * channels.vcs * channels.left_planes),
      m_source_left(size_t(channels.node_words) * channels.left_planes) {
    m_results.tails.resize(channels.first_sink);
    m_results.changed.resize(2 * channels.words);
    m_results.headers.resize(channels.first_sink);
    m_results.arrived.resize(channels.words - channels.first_sink);
    for (Words* counters : {&m_sink_left, &m_source_left})
        for (size_t i = 0; i < counters->size(); ++i)
            (*counters)[i] = channels.last_flit.plane[i % channels.left_planes];
    choose_passes();
}

size_t WordPasses::bytes() const {
    size_t sum = 0;
    for (const Words* w : {&m_results.tails, &m_results.changed, &m_results.headers,
                           &m_results.arrived, &m_sink_left, &m_source_left})
        sum += bytes_of(*w);
    return sum;
}

RDT_PART_OF_PASS void WordPasses::mark_inputs(Marked& marked, size_t first,
                                              const InputMarks<Bits>& marks) {
    marked.tails.mark(first, marks.tails.all());
    marked.headers.mark(first, marks.headers.all());
    marked.changed.mark(first, marks.changed.all());
}
RDT_PART_OF_PASS void WordPasses::mark_inputs(Marked& marked, size_t w,
                                              const InputMarks<uint64_t>& marks) {
    marked.tails.mark_word(w, marks.tails.noted != 0);
    marked.headers.mark_word(w, marks.headers.noted != 0);
    marked.changed.mark_word(w, marks.changed.noted != 0);
}

template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
RDT_FOR_EACH_MACHINE void WordPasses::links(Marked& marked, size_t from, size_t to,
                                            uint64_t /*now*/) {
    if (m_channels.is_usual) links_if<Vcs, InPlanes, LeftPlanes>(marked, from, to, true);
    else links_if<Vcs, InPlanes, LeftPlanes>(marked, from, to, false);
}

template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
RDT_PART_OF_PASS void WordPasses::links_if(Marked& marked, size_t from, size_t to, bool usual) {
    constexpr uint32_t Most = Vcs != 0 ? Vcs : MaxVcs;
    const uint32_t vcs = Vcs != 0 ? Vcs : m_channels.vcs;
    const size_t stride = m_channels.link_words;
    const OutputBuffers output(m_channels, m_results, usual);
    const InputBuffers<InPlanes, LeftPlanes> input(m_channels, m_results, usual);
    uint64_t* last = m_channels.out.last.data();
    for (size_t first = from; first < to; first += 64) {
        const size_t end = std::min(first + 64, to);
        InputMarks<Bits> in_marks[Most];
        Marks<Bits> full_marks[Most];
        Bits place = Marks<Bits>::first_place();
        for (size_t w = first; w < end; w += Pack, place <<= Pack) {
            Bits request[Most];
#pragma GCC unroll 4
            for (uint32_t v = 0; v < vcs; ++v)
                request[v] = output.filled<Bits>(w + v * stride) &
                             ~input.template full<Bits>(w + v * stride);
            grant<Vcs>(request, last + w, stride, vcs);
#pragma GCC unroll 4
            for (uint32_t v = 0; v < vcs; ++v) {
                full_marks[v].note(place, output.clock(w + v * stride, request[v]));
                input.clock(w + v * stride, request[v], place, in_marks[v]);
            }
        }
        // Marks of a small network fit in one word; it has no lanes.
        const bool join = stride * vcs <= 64;
        for (uint32_t v = 0; v < vcs; ++v) {
            if (join && v > 0) {
                full_marks[0].join(full_marks[v], v * stride);
                in_marks[0].join(in_marks[v], v * stride);
            } else if (!join) {
                marked.changed.mark(m_channels.words + first + v * stride, full_marks[v].all());
                mark_inputs(marked, first + v * stride, in_marks[v]);
            }
        }
        if (join) {
            marked.changed.mark(m_channels.words, full_marks[0].all());
            mark_inputs(marked, 0, in_marks[0]);
        }
    }
}

template <uint32_t Vcs, uint32_t LeftPlanes>
void WordPasses::sinks(Marked& marked, size_t from, size_t to, uint64_t /*now*/) {
    constexpr uint32_t Most = Vcs != 0 ? Vcs : MaxVcs;
    const uint32_t vcs = Vcs != 0 ? Vcs : m_channels.vcs;
    const size_t stride = m_channels.node_words;
    const ConstantRef flits = m_channels.last_flit;
    const OutputBuffers output(m_channels, m_results, false);
    for (size_t i = from; i < to; ++i) {
        const size_t first = m_channels.first_sink + i;
        uint64_t request[Most];
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v) request[v] = output.filled<uint64_t>(first + v * stride);
        grant<Vcs>(request, &m_channels.out.last[first], stride, vcs);
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v) {
            const size_t w = first + v * stride;
            marked.changed.mark_word(m_channels.words + w, output.clock(w, request[v]) != 0);
            uint64_t* left = &m_sink_left[(i + v * stride) * LeftPlanes];
            Slices<LeftPlanes, uint64_t> counter;
            counter.load(left);
            m_results.arrived[i + v * stride] = counter.count_down(request[v], flits);
            counter.store(left);
        }
    }
}

template <uint32_t InPlanes, uint32_t LeftPlanes, uint32_t NumChannels>
void WordPasses::sources(Marked& marked, size_t from, size_t to, uint64_t now) {
    const InputBuffers<InPlanes, LeftPlanes> input(m_channels, m_results, false);
    const ConstantRef flits = m_channels.last_flit;
    const uint32_t channels = NumChannels != 0 ? NumChannels : m_injection;
    const size_t stride = m_channels.node_words;
    for (size_t i = from; i < to; ++i) {
        const size_t first = m_channels.first_source + i;
        uint64_t* last = &m_channels.out.last[first];
        const uint64_t fresh = m_processors.fresh[i];
        // A packet continues in the channel in which it began.
        uint64_t request[NumChannels != 0 ? NumChannels : MostInjection];
        for (uint32_t v = 0; v < channels; ++v) {
            request[v] = m_processors.busy[i] & ~input.template full<uint64_t>(first + v * stride);
            if (NumChannels != 1) request[v] &= fresh | last[v * stride];
        }
        grant<NumChannels>(request, last, stride, channels);
        uint64_t sent = 0;
        for (uint32_t v = 0; v < channels; ++v) {
            const size_t w = first + v * stride;
            sent |= request[v];
            InputMarks<uint64_t> marks;
            input.clock(w, request[v], Marks<uint64_t>::first_place(), marks);
            mark_inputs(marked, w, marks);
            for_bits(request[v] & fresh,
                     [&](uint32_t b) { m_processors.start_packet(Index(w * 64 + b), now); });
        }
        uint64_t* left = &m_source_left[i * LeftPlanes];
        Slices<LeftPlanes, uint64_t> counter;
        counter.load(left);
        const uint64_t ended = counter.count_down(sent, flits);
        counter.store(left);
        m_processors.fresh[i] = (fresh & ~sent) | ended;
        for_bits(ended, [&](uint32_t b) { m_processors.queue_next(Index(i * 64 + b)); });
    }
}

template <uint32_t Vcs, uint32_t LeftPlanes>
void WordPasses::choose_for_vcs() {
    m_links = m_channels.in_planes == 3   ? &WordPasses::links<Vcs, 3, LeftPlanes>
              : m_channels.in_planes == 5 ? &WordPasses::links<Vcs, 5, LeftPlanes>
                                          : &WordPasses::links<Vcs, 8, LeftPlanes>;
    m_sinks = &WordPasses::sinks<Vcs, LeftPlanes>;
}

template <uint32_t LeftPlanes, uint32_t NumChannels>
void WordPasses::choose_sources() {
    m_sources = m_channels.in_planes == 3   ? &WordPasses::sources<3, LeftPlanes, NumChannels>
                : m_channels.in_planes == 5 ? &WordPasses::sources<5, LeftPlanes, NumChannels>
                                            : &WordPasses::sources<8, LeftPlanes, NumChannels>;
}

template <uint32_t LeftPlanes>
void WordPasses::choose_for_flits() {
    m_injection == 1 ? choose_sources<LeftPlanes, 1>() : choose_sources<LeftPlanes, 0>();
    switch (m_channels.vcs) {
    case 1: choose_for_vcs<1, LeftPlanes>(); break;
    case 2: choose_for_vcs<2, LeftPlanes>(); break;
    case 3: choose_for_vcs<3, LeftPlanes>(); break;
    case 4: choose_for_vcs<4, LeftPlanes>(); break;
    default: choose_for_vcs<0, LeftPlanes>(); break;
    }
}

// The passes are compiled for the usual numbers of virtual channels and bit planes.
void WordPasses::choose_passes() {
    switch (m_channels.left_planes) {
    case 4: choose_for_flits<4>(); break;
    case 7: choose_for_flits<7>(); break;
    default: choose_for_flits<12>(); break;
    }
}

}  // namespace rdt::lab
