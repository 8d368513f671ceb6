// SPDX-License-Identifier: MIT
// What happens to whole words of channels. Each pass goes over all words without a branch, notes
// where single channels need attention, and then looks after those.
#include <rdt/lab/simulator.h>

namespace rdt::lab {

namespace {

// Calls f(channel) for every set bit of the words that are marked, in order.
template <typename F>
inline void for_channels(const std::vector<uint8_t>& marks, const uint64_t* bits, F f) {
    static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "marks are read eight at a time");
    for (size_t at = 0; at < marks.size(); at += sizeof(uint64_t)) {
        uint64_t words;
        std::memcpy(&words, &marks[at], sizeof words);
        for_bits(words, [&](uint32_t i) {
            const uint32_t w = (uint32_t(at) + i / 8) * Pack + i % 8;
            for_bits(bits[w], [&](uint32_t b) { f(w * 64 + b); });
        });
    }
}

// One of the requests of each link: the first after the channel that was served last. The words of
// the virtual channels are `stride` apart.
template <uint32_t Vcs>
RDT_PART_OF_PASS void grant(Bits* request, uint64_t* last, uint32_t stride, uint32_t vcs) {
    if (Vcs == 1) return;
    Bits any = {};
    Bits after = {};
    Bits behind = {};  // a request comes behind the last one
#pragma GCC unroll 4
    for (uint32_t v = 0; v < vcs; ++v) {
        any |= request[v];
        behind |= request[v] & after;
        after |= load(last + v * size_t(stride));
    }
    after = ~behind;
    Bits open = ~Bits{};
#pragma GCC unroll 4
    for (uint32_t v = 0; v < vcs; ++v) {
        const Bits served = load(last + v * size_t(stride));
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
    (this->*m_crossbar)();
    (this->*m_links)();
    (this->*m_sinks)();
    (this->*m_sources)();
    for_channels(m_tail_marks, m_tails.data(), [&](Index channel) {
        if (channel < m_first_sink * 64) tail_left(channel);
        else deliver(channel);
    });
    // To those that send: an output buffer has become full, or is no longer.
    for_channels(m_full_marks, m_changed.data(), [&](Index out) {
        const Index in = m_from[out];
        m_in.space[in >> 6] ^= 1ull << (in & 63);
    });
    route();
    for_channels(m_begun_marks, m_begun.data(),
                 [&](Index source) { start_packet(m_first_source * 64 + source); });
    for_channels(m_ended_marks, m_ended.data(), [&](Index node) { queue_next(node); });
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

template <uint32_t LeftPlanes>
RDT_FOR_EACH_MACHINE void Simulator::crossbar() {
    const uint64_t* filled = m_in.filled.data();
    const uint64_t* space = m_in.space.data();
    uint64_t* connected = m_in.connected.data();
    uint64_t* idle = m_in.idle.data();
    uint64_t* sends = m_in.sends.data();
    uint64_t* told = m_in.told.data();
    uint64_t* left = m_left.data();
    uint64_t* changed = m_changed.data();
    uint64_t* tails = m_tails.data();
    const Constant& flits = m_last_flit;
    const uint32_t end = m_first_sink;
    uint8_t* told_marks = m_told_marks.data();
    uint8_t* tail_marks = m_tail_marks.data();
    for (uint32_t w = 0; w < end; w += Pack) {
        const Bits was_connected = load(connected + w);
        const Bits now = was_connected & load(filled + w) & load(space + w);
        const Bits differs = now ^ load(told + w);
        Slices<LeftPlanes> counter;
        counter.load(left + w, end);
        const Bits tail = counter.count_down(now, flits);
        counter.store(left + w, end);
        told_marks[w / Pack] = words_with_any(differs);
        tail_marks[w / Pack] = words_with_any(tail);
        store(changed + w, differs);
        store(sends + w, now);
        store(told + w, now & ~tail);
        store(tails + w, tail);
        store(connected + w, was_connected & ~tail);
        store(idle + w, load(idle + w) | tail);
    }
    tell_receivers();
}

// That flits begin or cease to come, for any other reason than a new connection or a tail.
void Simulator::tell_receivers() {
    for_channels(m_told_marks, m_changed.data(), [&](Index in) {
        const Index out = m_to[in];
        m_out.gets[out >> 6] ^= 1ull << (out & 63);
    });
}

void Simulator::tail_left(Index in) {
    const Index out = m_to[in];
    m_out.gets[out >> 6] &= ~(1ull << (out & 63));
    ++m_channel[in].first_packet;
    m_from[out] = m_words * 64;
    if (!m_until_empty || !is_link(out)) m_freed_now.push_back(out);
    if (m_until_empty && is_link(in)) m_freed_now.push_back(in);
}

// Output buffers after a clock, in m_changed those that became full or are no longer full.
struct Simulator::OutputPass {
    const uint64_t* gets;
    uint64_t* filled;
    uint64_t* full;
    uint64_t* count;
    uint64_t* changed;
    uint8_t* marks;
    uint32_t stride;
    const Constant& depth;

    explicit OutputPass(Simulator& e)
        : gets(e.m_out.gets.data()),
          filled(e.m_out.filled.data()),
          full(e.m_out.full.data()),
          count(e.m_out.count.data()),
          changed(e.m_changed.data()),
          marks(e.m_full_marks.data()),
          stride(e.m_words),
          depth(e.m_out_depth) {}

    RDT_PART_OF_PASS void operator()(uint32_t w, Bits sent) const {
        const Bits got = load(gets + w);
        const Bits was_full = load(full + w);
        Slices<2> flits;
        flits.load(count + w, stride);
        flits.count(got & ~sent, sent & ~got);
        const Bits now_full = flits.reached(depth);
        flits.store(count + w, stride);
        store(filled + w, flits.any());
        store(changed + w, now_full ^ was_full);
        store(full + w, now_full);
        marks[w / Pack] = words_with_any(now_full ^ was_full);
    }
};

// Input buffers after a clock, in m_headers those that have got a header together.
template <uint32_t InPlanes>
struct Simulator::InputPass {
    const uint64_t* sends;
    uint64_t* filled;
    uint64_t* full;
    uint64_t* idle;
    uint64_t* count;
    uint64_t* headers;
    uint8_t* marks;
    uint32_t stride;
    const Constant& depth;
    const Constant& header;

    explicit InputPass(Simulator& e)
        : sends(e.m_in.sends.data()),
          filled(e.m_in.filled.data()),
          full(e.m_in.full.data()),
          idle(e.m_in.idle.data()),
          count(e.m_in.count.data()),
          headers(e.m_headers.data()),
          marks(e.m_header_marks.data()),
          stride(e.m_first_sink),
          depth(e.m_in_depth),
          header(e.m_header) {}

    RDT_PART_OF_PASS void operator()(uint32_t w, Bits arrived) const {
        const Bits left = load(sends + w);
        const Bits was_idle = load(idle + w);
        Slices<InPlanes> flits;
        flits.load(count + w, stride);
        flits.count(arrived & ~left, left & ~arrived);
        flits.store(count + w, stride);
        const Bits complete = was_idle & flits.at_least(header);
        store(filled + w, flits.any());
        store(full + w, flits.reached(depth));
        store(headers + w, complete);
        marks[w / Pack] = words_with_any(complete);
        store(idle + w, was_idle & ~complete);
    }
};

template <uint32_t Vcs, uint32_t InPlanes>
RDT_FOR_EACH_MACHINE void Simulator::links() {
    constexpr uint32_t Most = Vcs != 0 ? Vcs : MaxVcs;
    const uint32_t vcs = Vcs != 0 ? Vcs : m_vcs;
    const uint32_t stride = m_link_words;
    const OutputPass output(*this);
    const InputPass<InPlanes> input(*this);
    uint64_t* last = m_out.last.data();
    for (uint32_t w = 0; w < stride; w += Pack) {
        Bits request[Most];
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v)
            request[v] = load(output.filled + w + v * stride) & ~load(input.full + w + v * stride);
        grant<Vcs>(request, last + w, stride, vcs);
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v) {
            output(w + v * stride, request[v]);
            input(w + v * stride, request[v]);
        }
    }
}

template <uint32_t Vcs, uint32_t LeftPlanes>
RDT_FOR_EACH_MACHINE void Simulator::sinks() {
    constexpr uint32_t Most = Vcs != 0 ? Vcs : MaxVcs;
    const uint32_t vcs = Vcs != 0 ? Vcs : m_vcs;
    const uint32_t stride = m_source_words;
    const Constant& flits = m_last_flit;
    const OutputPass output(*this);
    uint64_t* last = m_out.last.data();
    uint64_t* left = m_sink_left.data();
    uint64_t* tails = m_tails.data();
    uint8_t* tail_marks = m_tail_marks.data();
    const uint32_t first = m_first_sink;
    for (uint32_t i = 0; i < stride; i += Pack) {
        const uint32_t w = first + i;
        Bits request[Most];
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v) request[v] = load(output.filled + w + v * stride);
        grant<Vcs>(request, last + w, stride, vcs);
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v) {
            output(w + v * stride, request[v]);
            Slices<LeftPlanes> counter;
            counter.load(left + i + v * stride, stride * vcs);
            const Bits tail = counter.count_down(request[v], flits);
            store(tails + w + v * stride, tail);
            tail_marks[(w + v * stride) / Pack] = words_with_any(tail);
            counter.store(left + i + v * stride, stride * vcs);
        }
    }
}

template <uint32_t InPlanes, uint32_t LeftPlanes, uint32_t Channels>
RDT_FOR_EACH_MACHINE void Simulator::sources() {
    const InputPass<InPlanes> input(*this);
    const Constant& flits = m_last_flit;
    const uint32_t channels = Channels != 0 ? Channels : m_options.injection;
    const uint32_t stride = m_source_words;
    uint64_t* last = m_out.last.data() + m_first_source;
    uint64_t* is_fresh = m_source_fresh.data();
    const uint64_t* is_busy = m_source_busy.data();
    uint64_t* left = m_source_left.data();
    uint64_t* begun = m_begun.data();
    uint64_t* ended = m_ended.data();
    uint8_t* begun_marks = m_begun_marks.data();
    uint8_t* ended_marks = m_ended_marks.data();
    for (uint32_t i = 0; i < stride; i += Pack) {
        const uint32_t w = m_first_source + i;
        const Bits fresh = load(is_fresh + i);
        const Bits busy = load(is_busy + i);
        // A packet goes on in the channel in which it began.
        Bits request[Channels != 0 ? Channels : MostInjection];
        for (uint32_t v = 0; v < channels; ++v) {
            request[v] = busy & ~load(input.full + w + v * stride);
            if (Channels != 1) request[v] &= fresh | load(last + i + v * stride);
        }
        grant<Channels>(request, last + i, stride, channels);
        Bits sent = {};
        for (uint32_t v = 0; v < channels; ++v) {
            sent |= request[v];
            store(begun + i + v * stride, request[v] & fresh);
            begun_marks[(i + v * stride) / Pack] = words_with_any(request[v] & fresh);
            input(w + v * stride, request[v]);
        }
        Slices<LeftPlanes> counter;
        counter.load(left + i, stride);
        const Bits tails = counter.count_down(sent, flits);
        counter.store(left + i, stride);
        store(ended + i, tails);
        ended_marks[i / Pack] = words_with_any(tails);
        store(is_fresh + i, (fresh & ~sent) | tails);
    }
}

template <uint32_t Vcs>
void Simulator::choose_for_vcs() {
    m_links = m_in_planes == 3   ? &Simulator::links<Vcs, 3>
              : m_in_planes == 5 ? &Simulator::links<Vcs, 5>
                                 : &Simulator::links<Vcs, 8>;
    m_sinks = m_left_planes == 4   ? &Simulator::sinks<Vcs, 4>
              : m_left_planes == 7 ? &Simulator::sinks<Vcs, 7>
                                   : &Simulator::sinks<Vcs, 12>;
}

template <uint32_t InPlanes, uint32_t Channels>
void Simulator::choose_sources() {
    m_sources = m_left_planes == 4   ? &Simulator::sources<InPlanes, 4, Channels>
                : m_left_planes == 7 ? &Simulator::sources<InPlanes, 7, Channels>
                                     : &Simulator::sources<InPlanes, 12, Channels>;
}

// The passes are compiled for the usual numbers of virtual channels and bit planes.
void Simulator::choose_passes() {
    m_crossbar = m_left_planes == 4   ? &Simulator::crossbar<4>
                 : m_left_planes == 7 ? &Simulator::crossbar<7>
                                      : &Simulator::crossbar<12>;
    const bool one = m_options.injection == 1;
    switch (m_in_planes) {
    case 3: one ? choose_sources<3, 1>() : choose_sources<3, 0>(); break;
    case 5: one ? choose_sources<5, 1>() : choose_sources<5, 0>(); break;
    default: one ? choose_sources<8, 1>() : choose_sources<8, 0>(); break;
    }
    switch (m_vcs) {
    case 1: choose_for_vcs<1>(); break;
    case 2: choose_for_vcs<2>(); break;
    case 3: choose_for_vcs<3>(); break;
    case 4: choose_for_vcs<4>(); break;
    default: choose_for_vcs<0>(); break;
    }
}

}  // namespace rdt::lab
