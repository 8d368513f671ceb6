// SPDX-License-Identifier: MIT
// What happens to whole words of channels. Each pass goes over all words without a branch, notes
// where single channels need attention, and then looks after those.
#include <rdt/lab/bit_slices.h>
#include <rdt/lab/simulator.h>

namespace rdt::lab {

namespace {

// Calls f(channel) for every set bit, in order. The words that have any are collected first, which
// costs less than a branch for each that cannot be foreseen.
template <typename F>
inline void for_channels(const uint64_t* bits, uint32_t first, uint32_t end, uint32_t* found, F f) {
    uint32_t count = 0;
    for (uint32_t w = first; w < end; ++w) {
        found[count] = w;
        count += bits[w] != 0 ? 1 : 0;
    }
    for (uint32_t i = 0; i < count; ++i)
        for_bits(bits[found[i]], [&](uint32_t b) { f(found[i] * 64 + b); });
}

// One of the requests of each link: the first after the channel that was served last. The words of
// the virtual channels are `stride` apart.
template <uint32_t Vcs>
inline void grant(Lanes* request, uint64_t* last, uint32_t stride, uint32_t vcs) {
    if (Vcs == 1) return;
    Lanes any = {};
    Lanes after = {};
    Lanes behind = {};  // a request comes behind the last one
#pragma GCC unroll 4
    for (uint32_t v = 0; v < vcs; ++v) {
        any |= request[v];
        behind |= request[v] & after;
        after |= load(last + v * size_t(stride));
    }
    after = ~behind;
    Lanes open = ~Lanes{};
#pragma GCC unroll 4
    for (uint32_t v = 0; v < vcs; ++v) {
        const Lanes served = load(last + v * size_t(stride));
        request[v] &= after & open;
        open &= ~request[v];
        after |= served;
        store(last + v * size_t(stride), (served & ~any) | request[v]);
    }
}

}  // namespace

// The crossbar comes before the routing, which sets up connections for the next clock; what the
// crossbar frees in this clock can be taken in the next one. Links and sources come after both:
// a header they complete is routed in the next clock.
void Simulator::step(bool generate_packets) {
    (this->*m_crossbar)();
    route();
    (this->*m_links)();
    (this->*m_sinks)();
    (this->*m_sources)();
    if (generate_packets) generate();
    ++m_now;
}

template <uint32_t LeftPlanes>
void Simulator::crossbar() {
    const uint64_t* connected = m_in.connected.data();
    const uint64_t* filled = m_in.filled.data();
    const uint64_t* space = m_in.space.data();
    uint64_t* sends = m_in.sends.data();
    uint64_t* left = m_left.data();
    uint64_t* changed = m_changed.data();
    uint64_t* tails = m_tails.data();
    const Constant<LeftPlanes> flits(m_options.flits - 1);
    const uint32_t end = m_first_sink;
    for (uint32_t w = 0; w < end; w += Pack) {
        const Lanes now = load(connected + w) & load(filled + w) & load(space + w);
        Slices<LeftPlanes> counter;
        counter.load(left + w, end);
        store(changed + w, now ^ load(sends + w));
        store(sends + w, now);
        store(tails + w, counter.count_down(now, flits));
        counter.store(left + w, end);
    }
    for_channels(changed, 0, end, m_found.data(), [&](Index in) {
        const Index out = m_to[in];
        m_out.gets[out >> 6] ^= 1ull << (out & 63);
    });
    for_channels(tails, 0, end, m_found.data(), [&](Index in) { tail_left(in); });
}

void Simulator::tail_left(Index in) {
    const Index out = m_to[in];
    m_in.connected[in >> 6] &= ~(1ull << (in & 63));
    m_in.idle[in >> 6] |= 1ull << (in & 63);
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
    uint32_t stride;
    Constant<2> depth;

    explicit OutputPass(Simulator& e)
        : gets(e.m_out.gets.data()),
          filled(e.m_out.filled.data()),
          full(e.m_out.full.data()),
          count(e.m_out.count.data()),
          changed(e.m_changed.data()),
          stride(e.m_words),
          depth(e.m_options.out_buffer) {}

    void operator()(uint32_t w, Lanes sent) const {
        const Lanes got = load(gets + w);
        const Lanes was_full = load(full + w);
        Slices<2> flits;
        flits.load(count + w, stride);
        flits.count(got & ~sent, sent & ~got);
        const Lanes now_full = flits.equal(depth);
        flits.store(count + w, stride);
        store(filled + w, flits.any());
        store(changed + w, now_full ^ was_full);
        store(full + w, now_full);
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
    uint32_t stride;
    Constant<InPlanes> depth;
    Constant<InPlanes> header;

    explicit InputPass(Simulator& e)
        : sends(e.m_in.sends.data()),
          filled(e.m_in.filled.data()),
          full(e.m_in.full.data()),
          idle(e.m_in.idle.data()),
          count(e.m_in.count.data()),
          headers(e.m_headers.data()),
          stride(e.m_first_sink),
          depth(e.m_options.buffer),
          header(e.m_options.header) {}

    void operator()(uint32_t w, Lanes arrived) const {
        const Lanes left = load(sends + w);
        const Lanes was_idle = load(idle + w);
        Slices<InPlanes> flits;
        flits.load(count + w, stride);
        flits.count(arrived & ~left, left & ~arrived);
        flits.store(count + w, stride);
        const Lanes complete = was_idle & flits.at_least(header);
        store(filled + w, flits.any());
        store(full + w, flits.equal(depth));
        store(headers + w, complete);
        store(idle + w, was_idle & ~complete);
    }
};

void Simulator::tell_senders(uint32_t first, uint32_t end) {
    for_channels(m_changed.data(), first, end, m_found.data(), [&](Index out) {
        const Index in = m_from[out];
        m_in.space[in >> 6] ^= 1ull << (in & 63);
    });
}

void Simulator::collect_headers(uint32_t first, uint32_t end) {
    for_channels(m_headers.data(), first, end, m_found.data(), [&](Index in) {
        // It is looked at in the next clock; by then it has come into the cache.
        __builtin_prefetch(&m_channel[in]);
        __builtin_prefetch(&m_ring[in * size_t(m_ring_size)]);
        m_new_headers.push_back(in);
    });
}

template <uint32_t Vcs, uint32_t InPlanes>
void Simulator::links() {
    constexpr uint32_t Most = Vcs != 0 ? Vcs : MaxVcs;
    const uint32_t vcs = Vcs != 0 ? Vcs : m_vcs;
    const uint32_t stride = m_link_words;
    const OutputPass output(*this);
    const InputPass<InPlanes> input(*this);
    uint64_t* last = m_out.last.data();
    for (uint32_t w = 0; w < stride; w += Pack) {
        Lanes request[Most];
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
    tell_senders(0, m_first_source);
    collect_headers(0, m_first_source);
}

template <uint32_t Vcs, uint32_t LeftPlanes>
void Simulator::sinks() {
    constexpr uint32_t Most = Vcs != 0 ? Vcs : MaxVcs;
    const uint32_t vcs = Vcs != 0 ? Vcs : m_vcs;
    const uint32_t stride = m_source_words;
    const Constant<LeftPlanes> flits(m_options.flits - 1);
    const OutputPass output(*this);
    uint64_t* last = m_out.last.data();
    uint64_t* left = m_sink_left.data();
    for (uint32_t i = 0; i < stride; i += Pack) {
        const uint32_t w = m_first_sink + i;
        Lanes request[Most];
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v) request[v] = load(output.filled + w + v * stride);
        grant<Vcs>(request, last + w, stride, vcs);
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vcs; ++v) {
            output(w + v * stride, request[v]);
            Slices<LeftPlanes> counter;
            counter.load(left + i + v * stride, stride * vcs);
            store(&m_tails[w + v * stride], counter.count_down(request[v], flits));
            counter.store(left + i + v * stride, stride * vcs);
        }
    }
    tell_senders(m_first_sink, m_words);
    for_channels(m_tails.data(), m_first_sink, m_words, m_found.data(),
                 [&](Index out) { deliver(out); });
}

template <uint32_t InPlanes, uint32_t LeftPlanes>
void Simulator::sources() {
    const InputPass<InPlanes> input(*this);
    const Constant<LeftPlanes> flits(m_options.flits - 1);
    uint64_t* begun = m_changed.data() + m_first_source;
    uint64_t* ended = m_tails.data() + m_first_source;
    for (uint32_t i = 0; i < m_source_words; i += Pack) {
        const uint32_t w = m_first_source + i;
        const Lanes fresh = load(&m_source_fresh[i]);
        const Lanes sent = load(&m_source_busy[i]) & ~load(&m_in.full[w]);
        Slices<LeftPlanes> counter;
        counter.load(&m_source_left[i], m_source_words);
        const Lanes tails = counter.count_down(sent, flits);
        counter.store(&m_source_left[i], m_source_words);
        store(begun + i, sent & fresh);
        store(ended + i, tails);
        store(&m_source_fresh[i], (fresh & ~sent) | tails);
        input(w, sent);
    }
    for_channels(begun, 0, m_node_words, m_found.data(), [&](Index node) { start_packet(node); });
    for_channels(ended, 0, m_node_words, m_found.data(), [&](Index node) { queue_next(node); });
    collect_headers(m_first_source, m_first_sink);
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

template <uint32_t InPlanes>
void Simulator::choose_sources() {
    m_sources = m_left_planes == 4   ? &Simulator::sources<InPlanes, 4>
                : m_left_planes == 7 ? &Simulator::sources<InPlanes, 7>
                                     : &Simulator::sources<InPlanes, 12>;
}

// The passes are compiled for the usual numbers of virtual channels and bit planes.
void Simulator::choose_passes() {
    m_crossbar = m_left_planes == 4   ? &Simulator::crossbar<4>
                 : m_left_planes == 7 ? &Simulator::crossbar<7>
                                      : &Simulator::crossbar<12>;
    switch (m_in_planes) {
    case 3: choose_sources<3>(); break;
    case 5: choose_sources<5>(); break;
    default: choose_sources<8>(); break;
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
