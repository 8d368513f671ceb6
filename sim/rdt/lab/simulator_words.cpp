// SPDX-License-Identifier: MIT
#include <rdt/lab/simulator_words.h>

#include <algorithm>
#include <type_traits>

#include <rdt/lab/simulator_buffers.h>

namespace rdt::lab {

namespace {

// One of the requests of each link: the first after the channel that was served last. The words of
// the virtual channels are `stride` apart.
template <uint32_t Vcs>
RDT_PART_OF_PASS void grant(Bits* request, uint64_t* last, size_t stride, uint32_t vcs) {
    if (Vcs == 1) return;
    Bits any = {};
    Bits after = {};
    Bits behind = {};  // a request comes behind the last one
#pragma GCC unroll 4
    for (uint32_t v = 0; v < vcs; ++v) {
        any |= request[v];
        behind |= request[v] & after;
        after |= load<Bits>(last + v * stride);
    }
    after = ~behind;
    Bits open = ~Bits{};
#pragma GCC unroll 4
    for (uint32_t v = 0; v < vcs; ++v) {
        const Bits served = load<Bits>(last + v * stride);
        request[v] &= after & open;
        open &= ~request[v];
        after |= served;
        store(last + v * stride, (served & ~any) | request[v]);
    }
}

// f(number) for each bit of a pack of words.
template <bool Avx2, typename F>
RDT_PART_OF_PASS void for_channels(size_t pack, const Bits& bits, F f) {
    if (!any_bit<Avx2>(bits)) return;
    uint64_t words[Pack];
    store(words, bits);
    for_bits(words_with_bits<Avx2>(bits), [&](uint32_t i) {
        for_bits(words[i], [&](uint32_t b) { f(Index((pack * Pack + i) * 64 + b)); });
    });
}

// At the other end of an ejection channel: always takes a flit.
struct Processor {
    RDT_PART_OF_PASS static Bits full(const uint64_t*) { return Bits{}; }
    RDT_PART_OF_PASS static Bits filled(const uint64_t*) { return Bits{}; }
};

// Output buffers of the virtual channels of links or sinks.
template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
struct Senders {
    static constexpr uint32_t Most = Vcs != 0 ? Vcs : 256;
    static constexpr size_t Size = (Plane::Count + InPlanes + LeftPlanes) * Pack;
    const uint32_t vcs;
    const OutputBuffers output;

    Senders(const Channels& c, bool is_usual) : vcs(Vcs != 0 ? Vcs : c.vcs), output(c, is_usual) {}

    // Output buffers send flits to the input buffers of their channels; f(vc, its planes, those
    // that send, those that became full or are no longer full) if anything happens in this pack.
    template <bool Avx2, typename Input, typename F>
    RDT_PART_OF_PASS void clock(const Input& input, uint64_t* pack, F f) const {
        Bits request[Most];
        Bits busy = {};
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v) {
            const uint64_t* own = pack + v * Size;
            const Bits filled = OutputBuffers::filled(own);
            request[v] = filled & ~input.full(own);
            busy |= filled | load_plane(own, Plane::InputIsReady) | input.filled(own);
        }
        if (!any_bit<Avx2>(busy)) {
            for (uint32_t v = 0; v < vcs; ++v)
                store_plane(pack + v * Size, Plane::OutChanged, Bits{});
            return;
        }
        grant<Vcs>(request, pack + Plane::Last * Pack, Size, vcs);
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v)
            f(v, pack + v * Size, request[v], output.clock(pack + v * Size, request[v]));
    }
};

}  // namespace

WordPasses::WordPasses(const Options& options, Channels& channels, Processors& processors)
    : m_channels(channels),
      m_processors(processors),
      m_injection(options.injection),
      m_source_left(size_t(channels.end_words) * channels.left_planes) {
    for (size_t i = 0; i < m_source_left.size(); ++i)
        m_source_left[i] = channels.last_flit.plane[i / Pack % channels.left_planes];
    choose_passes();
}

WordPasses::WordPasses(const WordPasses& other, Channels& channels, Processors& processors)
    : m_channels(channels),
      m_processors(processors),
      m_injection(other.m_injection),
      m_source_left(other.m_source_left),
      m_links(other.m_links),
      m_sinks(other.m_sinks),
      m_sources(other.m_sources) {}

size_t WordPasses::bytes() const { return bytes_of(m_source_left); }

template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
struct WordPasses::Links {
    template <bool Avx2>
    RDT_PART_OF_PASS static void clock(WordPasses& passes, MarkedWords& marked, size_t from,
                                       size_t to, uint64_t /*now*/, bool usual) {
        using All = Senders<Vcs, InPlanes, LeftPlanes>;
        constexpr size_t Packs = 64 / Pack;  // have marks in one word
        Channels& channels = passes.m_channels;
        const All senders(channels, usual);
        const InputBuffers<InPlanes, LeftPlanes> input(channels, usual);
        for (size_t first = from / Pack; first < to / Pack; first += Packs) {
            const size_t end = std::min(first + Packs, to / Pack);
            uint64_t found[All::Most] = {};
            uint64_t* pack = channels.pack(first);
            for (size_t i = first; i < end; ++i, pack += senders.vcs * All::Size)
                senders.template clock<Avx2>(
                    input, pack,
                    [&](uint32_t v, uint64_t * own, const Bits& sent, const Bits& changed)
                        __attribute__((always_inline)) {
                            const Bits any = input.clock(own, sent, changed);
                            found[v] |= uint64_t(words_with_bits<Avx2>(any)) << (i - first) * Pack;
                        });
            for (uint32_t v = 0; v < senders.vcs; ++v)
                marked.mark(first * Pack + v * channels.link_words, found[v]);
        }
    }
};

template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
struct WordPasses::Sinks {
    template <bool Avx2>
    RDT_PART_OF_PASS static void clock(WordPasses& passes, MarkedWords& marked, size_t from,
                                       size_t to, uint64_t /*now*/, bool usual) {
        using All = Senders<Vcs, InPlanes, LeftPlanes>;
        constexpr size_t Left = (Plane::Count + InPlanes) * Pack;
        Channels& channels = passes.m_channels;
        const All senders(channels, usual);
        const size_t packs = channels.end_words / Pack;  // per virtual channel
        const ConstantRef flits = flits_of<LeftPlanes>(channels, usual);
        const size_t first = channels.first_sink / Pack;
        uint64_t* const sinks = channels.pack(first);
        for (size_t i = from / Pack; i < to / Pack; ++i)
            senders.template clock<Avx2>(
                Processor(), sinks + i * senders.vcs * All::Size,
                [&](uint32_t v, uint64_t * own, const Bits& sent,
                    const Bits& changed) __attribute__((always_inline)) {
                    store_plane(own, Plane::OutChanged, changed);
                    Slices<LeftPlanes, Bits> left;
                    left.load(own + Left);
                    const Bits tails = left.count_down(sent, flits);
                    left.store(own + Left);
                    store_plane(own, Plane::Tails, tails);
                    marked.mark_pack(first + i + v * packs, words_with_bits<Avx2>(changed | tails));
                });
    }
};

template <uint32_t InPlanes, uint32_t LeftPlanes, uint32_t NumChannels>
struct WordPasses::Sources {
    template <bool Avx2>
    RDT_PART_OF_PASS static void clock(WordPasses& passes, MarkedWords& marked, size_t from,
                                       size_t to, uint64_t now, bool usual) {
        constexpr size_t Size = (Plane::Count + InPlanes + LeftPlanes) * Pack;
        Processors& processors = passes.m_processors;
        const Channels& channels = passes.m_channels;
        const InputBuffers<InPlanes, LeftPlanes> input(channels, usual);
        const ConstantRef flits = flits_of<LeftPlanes>(channels, usual);
        const uint32_t count = NumChannels != 0 ? NumChannels : passes.m_injection;
        const size_t packs = channels.end_words / Pack;  // per channel of a node
        const size_t first = channels.first_source / Pack;
        uint64_t* const sources = passes.m_channels.pack(first);
        for (size_t i = from / Pack; i < to / Pack; ++i) {
            uint64_t* pack = sources + i * count * Size;
            const Bits waiting = load<Bits>(&processors.busy[i * Pack]);
            const Bits fresh = load<Bits>(&processors.fresh[i * Pack]);
            // A packet continues in the channel in which it began.
            Bits request[NumChannels != 0 ? NumChannels : MostInjection];
            Bits busy = waiting;
            for (uint32_t v = 0; v < count; ++v) {
                const uint64_t* own = pack + v * Size;
                request[v] = waiting & ~input.full(own);
                if (NumChannels != 1) request[v] &= fresh | load_plane(own, Plane::Last);
                busy |= input.filled(own);
            }
            if (!any_bit<Avx2>(busy)) continue;
            grant<NumChannels>(request, pack + Plane::Last * Pack, Size, count);
            Bits sent = {};
            for (uint32_t v = 0; v < count; ++v) {
                const size_t number = first + i + v * packs;
                sent |= request[v];
                const Bits any = input.clock(pack + v * Size, request[v], Bits{});
                marked.mark_pack(number, words_with_bits<Avx2>(any));
                for_channels<Avx2>(number, request[v] & fresh,
                                   [&](Index channel) { processors.start_packet(channel, now); });
            }
            uint64_t* const source_left = &passes.m_source_left[i * Pack * LeftPlanes];
            Slices<LeftPlanes, Bits> left;
            left.load(source_left);
            const Bits ended = left.count_down(sent, flits);
            left.store(source_left);
            store(&processors.fresh[i * Pack], (fresh & ~sent) | ended);
            for_channels<Avx2>(i, ended, [&](Index node) { processors.queue_next(node); });
        }
    }
};

template <bool Avx2, typename P>
RDT_PART_OF_PASS void WordPasses::run(MarkedWords& marked, size_t from, size_t to, uint64_t now) {
    if (m_channels.is_usual) P::template clock<Avx2>(*this, marked, from, to, now, true);
    else P::template clock<Avx2>(*this, marked, from, to, now, false);
}

template <typename P>
void WordPasses::run_anywhere(MarkedWords& marked, size_t from, size_t to, uint64_t now) {
    run<false, P>(marked, from, to, now);
}

#ifdef RDT_AVX2
template <typename P>
RDT_AVX2 void WordPasses::run_avx2(MarkedWords& marked, size_t from, size_t to, uint64_t now) {
    run<true, P>(marked, from, to, now);
}
#endif

template <typename P>
WordPasses::Pass WordPasses::chosen() {
#ifdef RDT_AVX2
    if (__builtin_cpu_supports("avx2")) return &WordPasses::run_avx2<P>;
#endif
    return &WordPasses::run_anywhere<P>;
}

template <uint32_t Vcs, uint32_t LeftPlanes>
void WordPasses::choose_for_vcs() {
    const auto choose = [&](auto in_planes) {
        m_links = chosen<Links<Vcs, in_planes, LeftPlanes>>();
        m_sinks = chosen<Sinks<Vcs, in_planes, LeftPlanes>>();
    };
    switch (m_channels.in_planes) {
    case 3: choose(std::integral_constant<uint32_t, 3>()); break;
    case 5: choose(std::integral_constant<uint32_t, 5>()); break;
    default: choose(std::integral_constant<uint32_t, 8>()); break;
    }
}

template <uint32_t LeftPlanes, uint32_t NumChannels>
void WordPasses::choose_sources() {
    m_sources = m_channels.in_planes == 3   ? chosen<Sources<3, LeftPlanes, NumChannels>>()
                : m_channels.in_planes == 5 ? chosen<Sources<5, LeftPlanes, NumChannels>>()
                                            : chosen<Sources<8, LeftPlanes, NumChannels>>();
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
