// SPDX-License-Identifier: MIT
#include <rdt/lab/simulator_channels.h>

namespace rdt::lab {

namespace {

uint32_t ring_size_for(const Options& options) {
    // Whole packets in both buffers, one that is leaving and one that is entering.
    const uint32_t packets = (options.buffer + options.out_buffer) / options.flits + 2;
    uint32_t size = 2;
    while (size < packets) size *= 2;
    return size;
}

// Each replica has whole words.
uint32_t replica_shift_for(uint32_t replicas, uint32_t nodes) {
    uint32_t shift = replicas == 1 ? 31 : 6;
    while (nodes > 1u << shift) ++shift;
    return shift;
}

}  // namespace

Channels::Channels(const Network& network, const Routing& routing, const Options& options,
                   uint32_t num_replicas)
    : replicas(num_replicas),
      replica_shift(replica_shift_for(replicas, network.nodes())),
      nodes(replicas == 1 ? network.nodes() : replicas << replica_shift),
      ports(network.ports()),
      node_words((nodes + 63) / 64),
      vcs(routing.vcs()),
      link_words(rounded_to_pack(ports * node_words)),
      end_words(rounded_to_pack(node_words)),
      first_source(link_words * vcs),
      first_sink(first_source + end_words * options.injection),
      words(first_sink + end_words * vcs),
      is_large(replicas == 1 && words > 64),
      until_empty(resolve(options.reuse, network, routing) == Reuse::Empty),
      last_flit(options.flits - 1),
      in_depth(options.buffer),
      out_depth(options.out_buffer),
      header(options.header),
      in_planes(options.buffer < 8    ? 3
                : options.buffer < 32 ? 5
                                      : 8),
      left_planes(options.flits <= 16    ? 4
                  : options.flits <= 128 ? 7
                                         : 12),
      planes(Plane::Count + in_planes + left_planes),
      is_usual(options.out_buffer == 2 && options.header == 2 &&
               options.buffer == 1u << (in_planes - 1) && options.flits == 1u << left_planes),
      full_plane(is_usual ? Plane::OutputCount + 1 : Plane::OutputFull),
      held(words),
      place(words + 1),
      channel(size_t(words) * 64, {NoIndex}),
      ring_size(ring_size_for(options)),
      ring_shift(uint32_t(__builtin_ctz(ring_size))),
      ring(size_t(words) * 64 * ring_size) {
    set_state(options.threads);
    set_places(options);
    set_links(network, options);
}

void Channels::set_state(uint32_t threads) {
    state.reserve(size_t(words) * planes + (threads + 2) * LineWords);
    state.resize(size_t(words) * planes);
    const uint32_t left = Plane::Count + in_planes;
    for (uint32_t w = 0; w < words; ++w) {
        state[place_of(w, Plane::Idle)] = ~0ull;
        for (uint32_t i = 0; i < left_planes; ++i)
            state[place_of(w, left + i)] = last_flit.plane[i];
    }
    for (const uint32_t plane : {Plane::OutputIsReady, Plane::InputIsReady})
        for (uint32_t w = 0; w < words; ++w) ready_at.push_back(uint32_t(place_of(w, plane)));
    other.resize(size_t(words) * 2 * 64, add_spare_side());
}

size_t Channels::place_of(uint32_t w, uint32_t plane) const {
    const bool link = w < first_source;
    const uint32_t first = link ? 0 : w < first_sink ? first_source : first_sink;
    const uint32_t all = link ? link_words : end_words;  // words per channel
    const uint32_t channels = link || w >= first_sink ? vcs : (first_sink - first_source) / all;
    const uint32_t pack = first / Pack + (w - first) % all / Pack * channels + (w - first) / all;
    return (size_t(pack) * planes + plane) * Pack + w % Pack;
}

// In a cache line of its own.
Index Channels::add_spare_side() {
    const size_t at = (state.size() + LineWords - 1) / LineWords * LineWords;
    state.resize(at + LineWords);
    ready_at.push_back(uint32_t(at));
    return Index(ready_at.size() - 1) * 64;
}

void Channels::set_places(const Options& options) {
    for (uint32_t w = 0; w < words; ++w) {
        const bool link = w < first_source;
        const uint32_t among = link ? w : w < first_sink ? w - first_source : w - first_sink;
        const uint32_t of_vc = link ? link_words : end_words;
        place[w] = {among % of_vc % node_words * 64, uint16_t(among % of_vc / node_words),
                    uint8_t(among / of_vc)};
        const bool source = !link && w < first_sink;
        if (place[w].vc == (source ? options.injection : vcs) - 1)
            state[place_of(w, Plane::Last)] = ~0ull;
    }
}

void Channels::set_links(const Network& network, const Options& options) {
    for (NodeId node = 0; node < nodes; ++node) {
        const NodeId own_node = in_replica(node);
        if (own_node >= network.nodes()) continue;
        for (uint32_t i = 0; i < options.injection; ++i) channel[injection(node, i)].at = node;
        for (uint32_t port = 0; port < ports; ++port) {
            const auto other = network.neighbor(own_node, port);
            for (uint32_t vc = 0; other && vc < vcs; ++vc) {
                ChannelState& own = channel[link_channel(node, port, vc)];
                own.at = node - own_node + *other;
                // A directed link has no number at its end; the sender's stands in for it.
                own.in_port =
                    uint16_t(network.directed() ? port : network.port_back(own_node, port));
            }
        }
    }
}

uint64_t Channels::value_of(uint32_t first, uint32_t end, Index number) const {
    uint64_t value = 0;
    for (uint32_t i = first; i < end; ++i)
        value |= (state[place_of(number >> 6, i)] >> (number & 63) & 1) << (i - first);
    return value;
}

size_t Channels::bytes() const {
    return (size_t(words) * planes + LineWords) * sizeof(uint64_t) +
           (2 * words + 1) * sizeof(uint32_t) + bytes_of(other) + bytes_of(held) + bytes_of(place) +
           bytes_of(channel) + bytes_of(ring);
}

}  // namespace rdt::lab
