// SPDX-License-Identifier: MIT
// Set-up and the run.
#include <rdt/lab/simulator_lanes.h>

namespace rdt::lab {

namespace {

uint32_t ring_size_for(const Options& options) {
    // Whole packets in both buffers, one that is leaving and one that is entering.
    const uint32_t packets = (options.buffer + options.out_buffer) / options.flits + 2;
    uint32_t size = 2;
    while (size < packets) size *= 2;
    return size;
}

}  // namespace

Simulator::Simulator(const Network& network, const Routing& routing, const Options& options,
                     std::vector<Delivery>* log)
    : m_network(network),
      m_routing(routing),
      m_options(options),
      m_nodes(network.nodes()),
      m_ports(network.ports()),
      m_node_words((m_nodes + 63) / 64),
      m_vcs(routing.vcs()),
      m_link_words(rounded_to_pack(m_ports * m_node_words)),
      m_first_source(m_link_words * m_vcs),
      m_first_sink(m_first_source + m_node_words * options.injection),
      m_words(m_first_sink + m_node_words * m_vcs),
      m_is_large(m_words > 64),
      m_until_empty(resolve(options.reuse, network, routing) == Reuse::Empty),
      m_draws(options.ties == Ties::Random ? routing.draws() : 1),
      m_keeps_tag(routing.keeps_tag()),
      m_last_flit(options.flits - 1),
      m_in_depth(options.buffer),
      m_out_depth(options.out_buffer),
      m_header(options.header),
      m_in_planes(options.buffer < 8    ? 3
                  : options.buffer < 32 ? 5
                                        : 8),
      m_left_planes(options.flits <= 16    ? 4
                    : options.flits <= 128 ? 7
                                           : 12),
      m_input_planes(InputState::Count + m_in_planes + m_left_planes),
      m_is_usual(options.out_buffer == 2 && options.header == 2 &&
                 options.buffer == 1u << (m_in_planes - 1) && options.flits == 1u << m_left_planes),
      m_sink_left(size_t(m_node_words) * m_vcs * m_left_planes),
      m_source_left(size_t(m_node_words) * m_left_planes),
      m_place(m_words + 1),
      m_channel(size_t(m_words) * 64, {None}),
      m_ring_size(ring_size_for(options)),
      m_ring_shift(uint32_t(__builtin_ctz(m_ring_size))),
      m_ring(size_t(m_words) * 64 * m_ring_size),
      m_tails(m_first_sink),
      m_changed(2 * m_words),
      m_headers(m_first_sink),
      m_arrived(m_words - m_first_sink),
      m_waiting(m_nodes),
      m_whole(*this),
      m_source_busy(m_node_words),
      m_source_fresh(m_node_words, ~0ull),
      m_queue(m_nodes),
      m_random(options.seed),
      m_traffic(network, options.traffic, options.seed, options.down),
      m_trials(m_nodes, options.load / options.flits, m_random),
      m_log(log) {
    choose_passes();
    m_statistics.from = options.warmup;
    m_statistics.to = options.cycles;
    m_statistics.divide(options.cycles);
    for (Words* w : {&m_in.connected, &m_out.full, &m_out.held, &m_out.last}) w->resize(m_words);
    // One spare side more, which receives writes that are not used.
    m_sides.other.resize(size_t(m_words) * 2 * 64, spare_side());
    m_sides.other_is_ready.resize(2 * m_words + 1);
    m_out.count.resize(size_t(m_words) * OutPlanes);
    m_in.state.resize(size_t(m_first_sink) * m_input_planes);
    const uint32_t left = InputState::Count + m_in_planes;
    for (uint32_t w = 0; w < m_first_sink; ++w) {
        m_in.state[place_of(w, InputState::Idle, m_input_planes)] = ~0ull;
        for (uint32_t i = 0; i < m_left_planes; ++i)
            m_in.state[place_of(w, left + i, m_input_planes)] = m_last_flit.plane[i];
    }
    for (Words* counters : {&m_sink_left, &m_source_left})
        for (size_t i = 0; i < counters->size(); ++i)
            (*counters)[i] = m_last_flit.plane[i % m_left_planes];
    for (uint32_t w = 0; w < m_words; ++w) {
        const bool link = w < m_first_source;
        const uint32_t among = link ? w : w < m_first_sink ? w - m_first_source : w - m_first_sink;
        const uint32_t of_vc = link ? m_link_words : m_node_words;
        m_place[w] = {among % of_vc % m_node_words * 64, uint16_t(among % of_vc / m_node_words),
                      uint8_t(among / of_vc)};
        const bool source = !link && w < m_first_sink;
        if (m_place[w].vc == (source ? options.injection : m_vcs) - 1) m_out.last[w] = ~0ull;
    }
    for (NodeId node = 0; node < m_nodes; ++node) {
        for (uint32_t i = 0; i < options.injection; ++i) m_channel[injection(node, i)].at = node;
        for (uint32_t port = 0; port < network.ports(); ++port) {
            const auto other = network.neighbor(node, port);
            for (uint32_t vc = 0; other && vc < m_vcs; ++vc) {
                Channel& channel = m_channel[link_channel(node, port, vc)];
                channel.at = *other;
                // A directed link has no number at its end; the sender's stands in for it.
                channel.in_port =
                    uint16_t(network.directed() ? port : network.port_back(node, port));
            }
        }
    }
    make_lanes();
}

Simulator::~Simulator() = default;

size_t Simulator::bytes() const {
    const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
    // As one thread needs them.
    size_t choices = m_most_choices == 0 ? 0 : 1;
    while (choices < m_most_choices) choices *= 2;
    size_t sum = of(m_place) + of(m_channel) + of(m_sides.other) + of(m_ring) + of(m_waiting) +
                 choices * sizeof(m_choices[0]) + of(m_queue) + of(m_packet) +
                 m_statistics.network.bytes() + m_statistics.total.bytes() +
                 m_whole.marked.bytes() + (2 * m_words + 1) * sizeof(uint64_t);
    for (const Words* w : {&m_tails, &m_changed, &m_headers, &m_in.connected, &m_in.state,
                           &m_out.full, &m_out.held, &m_out.last, &m_out.count, &m_sink_left,
                           &m_source_left, &m_arrived, &m_source_busy, &m_source_fresh})
        sum += of(*w);
    return sum;
}

void Simulator::run(uint64_t end, bool generate) {
    while (m_now < end && m_deadlock.empty()) {
        if (drained()) {
            if (!generate) return;
            m_now = std::max(m_now, std::min(end, m_trials.next_clock()));
            if (m_now == end) return;
        }
        step(generate);
        if (m_now >= m_next_watch) watch();
    }
}

}  // namespace rdt::lab
