// SPDX-License-Identifier: MIT
// What happens to whole words of channels. Each pass goes over all words without a branch, notes
// where single channels need attention, and then looks after those.
#include <rdt/lab/simulator_buffers.h>
#include <rdt/lab/simulator_lanes.h>

#include <algorithm>

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

// First all that happens to words, then what that means for single channels. The routing sets up
// connections for the next cycle, of headers that were complete before this one; a channel that a
// tail releases in this cycle can be allocated in the next one.
void Simulator::step(bool generate_packets) {
    if (m_workers && is_shared()) {
        step_shared(generate_packets);
        return;
    }
    Marked& marked = m_whole.marked;
    (this->*m_links)(marked, 0, m_link_words);
    (this->*m_sources)(marked, 0, m_node_words);
    (this->*m_sinks)(marked, 0, m_node_words);
    marked.changed.take_each(
        m_changed, [&](Index side) { m_whole.flip(m_sides.other_is_ready, m_sides.other[side]); });
    deliver_arrived();
    route(m_whole);
    marked.tails.take_each(m_tails, [&](Index in) { tail_left(m_whole, in); });
    marked.headers.take_each(m_headers, [&](Index in) { note_header(m_whole, in); });
    if (generate_packets && m_trials.has_any(m_now)) generate();
    ++m_now;
}

RDT_PART_OF_PASS void Simulator::note_header(Keeper& keeper, Index in) const {
    // It is looked at in the next cycle; by then it has come into the cache.
    if (m_is_large) {
        __builtin_prefetch(&m_channel[in]);
        __builtin_prefetch(&m_ring[in * size_t(m_ring_size)]);
    }
    keeper.new_headers.push_back(in);
}

template <typename K>
void Simulator::tail_left(K& keeper, Index in) {
    const Index side = m_sides.other[in];
    const Index out = to(in);
    m_sides.other_is_ready[side >> 6] &= ~(1ull << (side & 63));
    m_sides.other[side] = keeper.spare;
    ++m_channel[in].first_packet;
    if (!m_until_empty || !is_link(out)) give_up(keeper, out);
    if (m_until_empty && is_link(in)) give_up(keeper, in);
}

template <typename K>
void Simulator::give_up(K& keeper, Index out) {
    if (!keeper.has_output(out)) {
        keeper.given_up_elsewhere(out);
        return;
    }
    m_out.held[out >> 6] &= ~(1ull << (out & 63));
    keeper.freed.push_back(out);
}

// f(channel or side) for those at nodes of the partition, in order, independent of the thread that
// found them.
template <typename F>
void Simulator::for_own(const Lane& lane, MarkedWords Marked::*kind, const Words& words,
                        F f) const {
    const uint32_t size = (lane.marked.*kind).size();
    for (uint32_t at = 0; at < size; ++at) {
        uint64_t marks = 0;
        for (const Lane& other : m_lanes) marks |= (other.marked.*kind)[at];
        for_bits(marks & lane.own_words[at], [&](uint32_t i) {
            const uint32_t w = at * 64 + i;
            for_bits(words[w] & lane.own[w], [&](uint32_t b) { f(w * 64 + b); });
        });
    }
}

void Simulator::look_after(Lane& lane) {
    for_own(lane, &Marked::changed, m_changed,
            [&](Index side) { lane.flip(m_sides.other_is_ready, m_sides.other[side]); });
    route(lane);
    for_own(lane, &Marked::tails, m_tails, [&](Index in) { tail_left(lane, in); });
    for_own(lane, &Marked::headers, m_headers, [&](Index in) { note_header(lane, in); });
}

RDT_PART_OF_PASS void Simulator::mark_inputs(Marked& marked, size_t first,
                                             const InputMarks<Bits>& marks) {
    marked.tails.mark(first, marks.tails.all());
    marked.headers.mark(first, marks.headers.all());
    marked.changed.mark(first, marks.changed.all());
}
RDT_PART_OF_PASS void Simulator::mark_inputs(Marked& marked, size_t w,
                                             const InputMarks<uint64_t>& marks) {
    marked.tails.mark_word(w, marks.tails.noted != 0);
    marked.headers.mark_word(w, marks.headers.noted != 0);
    marked.changed.mark_word(w, marks.changed.noted != 0);
}

template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
RDT_FOR_EACH_MACHINE void Simulator::links(Marked& marked, size_t from, size_t to) {
    if (m_is_usual) links_if<Vcs, InPlanes, LeftPlanes>(marked, from, to, true);
    else links_if<Vcs, InPlanes, LeftPlanes>(marked, from, to, false);
}

template <uint32_t Vcs, uint32_t InPlanes, uint32_t LeftPlanes>
RDT_PART_OF_PASS void Simulator::links_if(Marked& marked, size_t from, size_t to, bool usual) {
    constexpr uint32_t Most = Vcs != 0 ? Vcs : MaxVcs;
    const uint32_t vcs = Vcs != 0 ? Vcs : m_vcs;
    const size_t stride = m_link_words;
    const OutputBuffers output(*this, usual);
    const InputBuffers<InPlanes, LeftPlanes> input(*this, usual);
    uint64_t* last = m_out.last.data();
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
                marked.changed.mark(m_words + first + v * stride, full_marks[v].all());
                mark_inputs(marked, first + v * stride, in_marks[v]);
            }
        }
        if (join) {
            marked.changed.mark(m_words, full_marks[0].all());
            mark_inputs(marked, 0, in_marks[0]);
        }
    }
}

template <uint32_t Vcs, uint32_t LeftPlanes>
void Simulator::sinks(Marked& marked, size_t from, size_t to) {
    constexpr uint32_t Most = Vcs != 0 ? Vcs : MaxVcs;
    const uint32_t vcs = Vcs != 0 ? Vcs : m_vcs;
    const size_t stride = m_node_words;
    const ConstantRef flits = m_last_flit;
    const OutputBuffers output(*this, false);
    for (size_t i = from; i < to; ++i) {
        const size_t first = m_first_sink + i;
        uint64_t request[Most];
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v) request[v] = output.filled<uint64_t>(first + v * stride);
        grant<Vcs>(request, &m_out.last[first], stride, vcs);
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v) {
            const size_t w = first + v * stride;
            marked.changed.mark_word(m_words + w, output.clock(w, request[v]) != 0);
            uint64_t* left = &m_sink_left[(i + v * stride) * LeftPlanes];
            Slices<LeftPlanes, uint64_t> counter;
            counter.load(left);
            m_arrived[i + v * stride] = counter.count_down(request[v], flits);
            counter.store(left);
        }
    }
}

template <uint32_t InPlanes, uint32_t LeftPlanes, uint32_t Channels>
void Simulator::sources(Marked& marked, size_t from, size_t to) {
    const InputBuffers<InPlanes, LeftPlanes> input(*this, false);
    const ConstantRef flits = m_last_flit;
    const uint32_t channels = Channels != 0 ? Channels : m_options.injection;
    const size_t stride = m_node_words;
    for (size_t i = from; i < to; ++i) {
        const size_t first = m_first_source + i;
        uint64_t* last = &m_out.last[first];
        const uint64_t fresh = m_source_fresh[i];
        // A packet continues in the channel in which it began.
        uint64_t request[Channels != 0 ? Channels : MostInjection];
        for (uint32_t v = 0; v < channels; ++v) {
            request[v] = m_source_busy[i] & ~input.template full<uint64_t>(first + v * stride);
            if (Channels != 1) request[v] &= fresh | last[v * stride];
        }
        grant<Channels>(request, last, stride, channels);
        uint64_t sent = 0;
        for (uint32_t v = 0; v < channels; ++v) {
            const size_t w = first + v * stride;
            sent |= request[v];
            InputMarks<uint64_t> marks;
            input.clock(w, request[v], Marks<uint64_t>::first_place(), marks);
            mark_inputs(marked, w, marks);
            for_bits(request[v] & fresh, [&](uint32_t b) { start_packet(Index(w * 64 + b)); });
        }
        uint64_t* left = &m_source_left[i * LeftPlanes];
        Slices<LeftPlanes, uint64_t> counter;
        counter.load(left);
        const uint64_t ended = counter.count_down(sent, flits);
        counter.store(left);
        m_source_fresh[i] = (fresh & ~sent) | ended;
        for_bits(ended, [&](uint32_t b) { queue_next(Index(i * 64 + b)); });
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
