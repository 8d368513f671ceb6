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
template <typename F>
RDT_PART_OF_PASS void for_channels(size_t pack, const Bits& bits, F f) {
    if (!any_bit(bits)) return;
    uint64_t words[Pack];
    store(words, bits);
    for (uint32_t i = 0; i < Pack; ++i)
        for_bits(words[i], [&](uint32_t b) { f(Index((pack * Pack + i) * 64 + b)); });
}

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

size_t WordPasses::bytes() const { return bytes_of(m_source_left); }

template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
RDT_FOR_EACH_MACHINE void WordPasses::links(MarkedPacks& marked, size_t from, size_t to,
                                            uint64_t /*now*/) {
    if (m_channels.is_usual) links_if<Vcs, InPlanes, LeftPlanes>(marked, from, to, true);
    else links_if<Vcs, InPlanes, LeftPlanes>(marked, from, to, false);
}

template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
RDT_PART_OF_PASS void WordPasses::links_if(MarkedPacks& marked, size_t from, size_t to,
                                           bool usual) {
    constexpr uint32_t Most = Vcs != 0 ? Vcs : MaxVcs;
    constexpr size_t Size = (Plane::Count + InPlanes + LeftPlanes) * Pack;
    const uint32_t vcs = Vcs != 0 ? Vcs : m_channels.vcs;
    const size_t packs = m_channels.link_words / Pack;  // per virtual channel
    const OutputBuffers output(m_channels, usual);
    const InputBuffers<InPlanes, LeftPlanes> input(m_channels, usual);
    for (size_t first = from / Pack; first < to / Pack; first += 64) {
        const size_t end = std::min(first + 64, to / Pack);
        uint64_t found[Most] = {};
        uint64_t* pack = m_channels.pack(first);
        for (size_t i = first; i < end; ++i, pack += vcs * Size) {
            Bits request[Most];
            Bits busy = {};
#pragma GCC unroll 4
            for (uint32_t v = 0; v < vcs; ++v) {
                const uint64_t* own = pack + v * Size;
                const Bits filled = output.filled(own);
                request[v] = filled & ~input.full(own);
                busy |=
                    filled | load_plane(own, Plane::InputIsReady) | load_plane(own, Plane::Filled);
            }
            if (!any_bit(busy)) {
                for (uint32_t v = 0; v < vcs; ++v)
                    store_plane(pack + v * Size, Plane::OutChanged, Bits{});
                continue;
            }
            grant<Vcs>(request, pack + Plane::Last * Pack, Size, vcs);
#pragma GCC unroll 4
            for (uint32_t v = 0; v < vcs; ++v) {
                uint64_t* own = pack + v * Size;
                const Bits changed = output.clock(own, request[v]);
                const bool any = any_bit(input.clock(own, request[v], changed));
                found[v] |= uint64_t(any) << (i - first);
            }
        }
        for (uint32_t v = 0; v < vcs; ++v) marked.mark(first + v * packs, found[v]);
    }
}

template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
RDT_FOR_EACH_MACHINE void WordPasses::sinks(MarkedPacks& marked, size_t from, size_t to,
                                            uint64_t /*now*/) {
    if (m_channels.is_usual) sinks_if<Vcs, InPlanes, LeftPlanes>(marked, from, to, true);
    else sinks_if<Vcs, InPlanes, LeftPlanes>(marked, from, to, false);
}

template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
RDT_PART_OF_PASS void WordPasses::sinks_if(MarkedPacks& marked, size_t from, size_t to,
                                           bool usual) {
    constexpr uint32_t Most = Vcs != 0 ? Vcs : MaxVcs;
    constexpr size_t Size = (Plane::Count + InPlanes + LeftPlanes) * Pack;
    constexpr size_t Left = (Plane::Count + InPlanes) * Pack;
    const uint32_t vcs = Vcs != 0 ? Vcs : m_channels.vcs;
    const size_t packs = m_channels.end_words / Pack;  // per virtual channel
    const ConstantRef flits = flits_of<LeftPlanes>(m_channels, usual);
    const OutputBuffers output(m_channels, usual);
    const size_t first = m_channels.first_sink / Pack;
    uint64_t* const sinks = m_channels.pack(first);
    for (size_t i = from / Pack; i < to / Pack; ++i) {
        uint64_t* pack = sinks + i * vcs * Size;
        Bits request[Most];
        Bits busy = {};
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v) {
            request[v] = output.filled(pack + v * Size);
            busy |= request[v] | load_plane(pack + v * Size, Plane::InputIsReady);
        }
        if (!any_bit(busy)) {
            for (uint32_t v = 0; v < vcs; ++v)
                store_plane(pack + v * Size, Plane::OutChanged, Bits{});
            continue;
        }
        grant<Vcs>(request, pack + Plane::Last * Pack, Size, vcs);
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v) {
            uint64_t* own = pack + v * Size;
            const Bits changed = output.clock(own, request[v]);
            store_plane(own, Plane::OutChanged, changed);
            Slices<LeftPlanes, Bits> left;
            left.load(own + Left);
            const Bits tails = left.count_down(request[v], flits);
            left.store(own + Left);
            store_plane(own, Plane::Tails, tails);
            marked.mark_pack(first + i + v * packs, any_bit(changed | tails));
        }
    }
}

template <uint32_t InPlanes, uint32_t LeftPlanes, uint32_t NumChannels>
RDT_FOR_EACH_MACHINE void WordPasses::sources(MarkedPacks& marked, size_t from, size_t to,
                                              uint64_t now) {
    if (m_channels.is_usual)
        sources_if<InPlanes, LeftPlanes, NumChannels>(marked, from, to, now, true);
    else sources_if<InPlanes, LeftPlanes, NumChannels>(marked, from, to, now, false);
}

template <uint32_t InPlanes, uint32_t LeftPlanes, uint32_t NumChannels>
RDT_PART_OF_PASS void WordPasses::sources_if(MarkedPacks& marked, size_t from, size_t to,
                                             uint64_t now, bool usual) {
    constexpr size_t Size = (Plane::Count + InPlanes + LeftPlanes) * Pack;
    const InputBuffers<InPlanes, LeftPlanes> input(m_channels, usual);
    const ConstantRef flits = flits_of<LeftPlanes>(m_channels, usual);
    const uint32_t channels = NumChannels != 0 ? NumChannels : m_injection;
    const size_t packs = m_channels.end_words / Pack;  // per channel of a node
    const size_t first = m_channels.first_source / Pack;
    uint64_t* const sources = m_channels.pack(first);
    for (size_t i = from / Pack; i < to / Pack; ++i) {
        uint64_t* pack = sources + i * channels * Size;
        const Bits waiting = load<Bits>(&m_processors.busy[i * Pack]);
        const Bits fresh = load<Bits>(&m_processors.fresh[i * Pack]);
        // A packet continues in the channel in which it began.
        Bits request[NumChannels != 0 ? NumChannels : MostInjection];
        Bits busy = waiting;
        for (uint32_t v = 0; v < channels; ++v) {
            const uint64_t* own = pack + v * Size;
            request[v] = waiting & ~input.full(own);
            if (NumChannels != 1) request[v] &= fresh | load_plane(own, Plane::Last);
            busy |= load_plane(own, Plane::Filled);
        }
        if (!any_bit(busy)) continue;
        grant<NumChannels>(request, pack + Plane::Last * Pack, Size, channels);
        Bits sent = {};
        for (uint32_t v = 0; v < channels; ++v) {
            const size_t number = first + i + v * packs;
            sent |= request[v];
            marked.mark_pack(number, any_bit(input.clock(pack + v * Size, request[v], Bits{})));
            for_channels(number, request[v] & fresh,
                         [&](Index channel) { m_processors.start_packet(channel, now); });
        }
        Slices<LeftPlanes, Bits> left;
        left.load(&m_source_left[i * Pack * LeftPlanes]);
        const Bits ended = left.count_down(sent, flits);
        left.store(&m_source_left[i * Pack * LeftPlanes]);
        store(&m_processors.fresh[i * Pack], (fresh & ~sent) | ended);
        for_channels(i, ended, [&](Index node) { m_processors.queue_next(node); });
    }
}

template <uint32_t Vcs, uint32_t LeftPlanes>
void WordPasses::choose_for_vcs() {
    const auto choose = [&](auto in_planes) {
        m_links = &WordPasses::links<Vcs, in_planes, LeftPlanes>;
        m_sinks = &WordPasses::sinks<Vcs, in_planes, LeftPlanes>;
    };
    switch (m_channels.in_planes) {
    case 3: choose(std::integral_constant<uint32_t, 3>()); break;
    case 5: choose(std::integral_constant<uint32_t, 5>()); break;
    default: choose(std::integral_constant<uint32_t, 8>()); break;
    }
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
