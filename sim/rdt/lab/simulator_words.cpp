// SPDX-License-Identifier: MIT
// What happens to whole words of channels. Each pass goes over all words without a branch, notes
// where single channels need attention, and then looks after those.
#include <rdt/lab/simulator_buffers.h>

#include <algorithm>
#include <utility>

namespace rdt::lab {

namespace {

// Calls f(channel) for every set bit of the words that are marked, in order; the marks are gone.
template <typename F>
inline void for_channels(std::vector<uint64_t>& marks, const uint64_t* bits, F f) {
    for (uint32_t at = 0; at < marks.size(); ++at) {
        if (marks[at] == 0) continue;
        for_bits(std::exchange(marks[at], 0), [&](uint32_t i) {
            const uint32_t w = at * 64 + i;
            for_bits(bits[w], [&](uint32_t b) { f(w * 64 + b); });
        });
    }
}

// Marks of the 64 words from `first` on.
inline void mark(std::vector<uint64_t>& marks, uint32_t first, uint64_t words) {
    marks[first / 64] |= words << first % 64;
    if (first % 64 != 0) marks[first / 64 + 1] |= words >> (64 - first % 64);
}

// One of the requests of each link: the first after the channel that was served last. The words of
// the virtual channels are `stride` apart.
template <uint32_t Vcs, typename W>
RDT_PART_OF_PASS void grant(W* request, uint64_t* last, uint32_t stride, uint32_t vcs) {
    if (Vcs == 1) return;
    W any = {};
    W after = {};
    W behind = {};  // a request comes behind the last one
#pragma GCC unroll 4
    for (uint32_t v = 0; v < vcs; ++v) {
        any |= request[v];
        behind |= request[v] & after;
        after |= load<W>(last + v * size_t(stride));
    }
    after = ~behind;
    W open = ~W{};
#pragma GCC unroll 4
    for (uint32_t v = 0; v < vcs; ++v) {
        const W served = load<W>(last + v * size_t(stride));
        request[v] &= after & open;
        open &= ~request[v];
        after |= served;
        store(last + v * size_t(stride), (served & ~any) | request[v]);
    }
}

}  // namespace

// First all that happens to words, then what that means for single channels. The routing sets up
// connections for the next clock, of headers that were complete before this one; what the crossbar
// frees in this clock can be taken in the next one.
void Simulator::step(bool generate_packets) {
    (this->*m_links)();
    (this->*m_sources)();
    (this->*m_sinks)();
    for_channels(m_tail_marks, m_tails.data(), [&](Index in) { tail_left(in); });
    for (uint32_t w = m_first_sink; w < m_words; ++w)
        for_bits(m_tails[w], [&](uint32_t b) { deliver(w * 64 + b); });
    // To those that send: an output buffer has become full, or is no longer.
    for_channels(m_full_marks, m_changed.data(), [&](Index out) {
        const Index in = m_from[out];
        m_in.space[in >> 6] ^= 1ull << (in & 63);
    });
    // To those they send to: there is nothing left, or there is again.
    for_channels(m_offer_marks, m_offers.data(), [&](Index in) {
        const Index out = m_to[in];
        m_out.offered[out >> 6] ^= 1ull << (out & 63);
    });
    route();
    for_channels(m_header_marks, m_headers.data(), [&](Index in) {
        // It is looked at in the next clock; by then it has come into the cache.
        if (m_is_large) {
            __builtin_prefetch(&m_channel[in]);
            __builtin_prefetch(&m_ring[in * size_t(m_ring_size)]);
        }
        m_new_headers.push_back(in);
    });
    if (generate_packets && m_trials.has_any(m_now)) generate();
    ++m_now;
}

void Simulator::tail_left(Index in) {
    const Index out = m_to[in];
    m_out.offered[out >> 6] &= ~(1ull << (out & 63));
    ++m_channel[in].first_packet;
    m_from[out] = m_words * 64;
    if (!m_until_empty || !is_link(out)) m_freed_now.push_back(out);
    if (m_until_empty && is_link(in)) m_freed_now.push_back(in);
}

template <typename W>
RDT_PART_OF_PASS void Simulator::mark_inputs(uint32_t first, const InputMarks<W>& marks) {
    mark(m_tail_marks, first, marks.tails.all());
    mark(m_header_marks, first, marks.headers.all());
    mark(m_offer_marks, first, marks.offers.all());
}

template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
RDT_FOR_EACH_MACHINE void Simulator::links() {
    constexpr uint32_t Most = Vcs != 0 ? Vcs : MaxVcs;
    const uint32_t vcs = Vcs != 0 ? Vcs : m_vcs;
    const uint32_t stride = m_link_words;
    const OutputBuffers output(*this);
    const InputBuffers<InPlanes, LeftPlanes> input(*this);
    uint64_t* last = m_out.last.data();
    for (uint32_t first = 0; first < stride; first += 64) {
        const uint32_t end = std::min(first + 64, stride);
        InputMarks<Bits> in_marks[Most];
        Marks<Bits> full_marks[Most];
        Bits place = Marks<Bits>::first_place();
        for (uint32_t w = first; w < end; w += Pack, place <<= Pack) {
            Bits request[Most];
#pragma GCC unroll 4
            for (uint32_t v = 0; v < vcs; ++v)
                request[v] =
                    output.filled<Bits>(w + v * stride) & ~input.template full<Bits>(w + v * stride);
            grant<Vcs>(request, last + w, stride, vcs);
#pragma GCC unroll 4
            for (uint32_t v = 0; v < vcs; ++v) {
                full_marks[v].note(place, output.clock(w + v * stride, request[v]));
                input.clock(w + v * stride, request[v], place, in_marks[v]);
            }
        }
        for (uint32_t v = 0; v < vcs; ++v) {
            mark(m_full_marks, first + v * stride, full_marks[v].all());
            mark_inputs(first + v * stride, in_marks[v]);
        }
    }
}

template <uint32_t Vcs, uint32_t LeftPlanes>
void Simulator::sinks() {
    constexpr uint32_t Most = Vcs != 0 ? Vcs : MaxVcs;
    const uint32_t vcs = Vcs != 0 ? Vcs : m_vcs;
    const uint32_t stride = m_node_words;
    const ConstantRef flits = m_last_flit;
    const OutputBuffers output(*this);
    for (uint32_t i = 0; i < stride; ++i) {
        const uint32_t first = m_first_sink + i;
        uint64_t request[Most];
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v) request[v] = output.filled<uint64_t>(first + v * stride);
        grant<Vcs>(request, &m_out.last[first], stride, vcs);
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v) {
            const uint32_t w = first + v * stride;
            if (output.clock(w, request[v]) != 0) mark(m_full_marks, w, 1);
            uint64_t* left = &m_sink_left[(i + v * stride) * LeftPlanes];
            Slices<LeftPlanes, uint64_t> counter;
            counter.load(left);
            m_tails[w] = counter.count_down(request[v], flits);
            counter.store(left);
        }
    }
}

template <uint32_t InPlanes, uint32_t LeftPlanes, uint32_t Channels>
void Simulator::sources() {
    const InputBuffers<InPlanes, LeftPlanes> input(*this);
    const ConstantRef flits = m_last_flit;
    const uint32_t channels = Channels != 0 ? Channels : m_options.injection;
    const uint32_t stride = m_node_words;
    for (uint32_t i = 0; i < stride; ++i) {
        const uint32_t first = m_first_source + i;
        uint64_t* last = &m_out.last[first];
        const uint64_t fresh = m_source_fresh[i];
        // A packet goes on in the channel in which it began.
        uint64_t request[Channels != 0 ? Channels : MostInjection];
        for (uint32_t v = 0; v < channels; ++v) {
            request[v] = m_source_busy[i] & ~input.template full<uint64_t>(first + v * stride);
            if (Channels != 1) request[v] &= fresh | last[v * stride];
        }
        grant<Channels>(request, last, stride, channels);
        uint64_t sent = 0;
        for (uint32_t v = 0; v < channels; ++v) {
            const uint32_t w = first + v * stride;
            sent |= request[v];
            InputMarks<uint64_t> marks;
            input.clock(w, request[v], Marks<uint64_t>::first_place(), marks);
            mark_inputs(w, marks);
            for_bits(request[v] & fresh, [&](uint32_t b) { start_packet(w * 64 + b); });
        }
        uint64_t* left = &m_source_left[i * LeftPlanes];
        Slices<LeftPlanes, uint64_t> counter;
        counter.load(left);
        const uint64_t ended = counter.count_down(sent, flits);
        counter.store(left);
        m_source_fresh[i] = (fresh & ~sent) | ended;
        for_bits(ended, [&](uint32_t b) { queue_next(i * 64 + b); });
    }
}

template <uint32_t Vcs, uint32_t LeftPlanes>
void Simulator::choose_for_vcs() {
    m_links = m_in_planes == 3   ? &Simulator::links<Vcs, 3, LeftPlanes>
              : m_in_planes == 5 ? &Simulator::links<Vcs, 5, LeftPlanes>
                                 : &Simulator::links<Vcs, 8, LeftPlanes>;
    m_sinks = &Simulator::sinks<Vcs, LeftPlanes>;
}

template <uint32_t LeftPlanes, uint32_t Channels>
void Simulator::choose_sources() {
    m_sources = m_in_planes == 3   ? &Simulator::sources<3, LeftPlanes, Channels>
                : m_in_planes == 5 ? &Simulator::sources<5, LeftPlanes, Channels>
                                   : &Simulator::sources<8, LeftPlanes, Channels>;
}

template <uint32_t LeftPlanes>
void Simulator::choose_for_flits() {
    m_options.injection == 1 ? choose_sources<LeftPlanes, 1>() : choose_sources<LeftPlanes, 0>();
    switch (m_vcs) {
    case 1: choose_for_vcs<1, LeftPlanes>(); break;
    case 2: choose_for_vcs<2, LeftPlanes>(); break;
    case 3: choose_for_vcs<3, LeftPlanes>(); break;
    case 4: choose_for_vcs<4, LeftPlanes>(); break;
    default: choose_for_vcs<0, LeftPlanes>(); break;
    }
}

// The passes are compiled for the usual numbers of virtual channels and bit planes.
void Simulator::choose_passes() {
    switch (m_left_planes) {
    case 4: choose_for_flits<4>(); break;
    case 7: choose_for_flits<7>(); break;
    default: choose_for_flits<12>(); break;
    }
}

}  // namespace rdt::lab
