// SPDX-License-Identifier: MIT
// Cycles that threads share. Lanes meet twice per cycle: after the passes and after what they have
// found. The result at a node does not depend on the thread that simulates it. One thread generates
// and counts packets in between, in the order of a single-threaded run.
#include <rdt/lab/simulator.h>

#include <algorithm>

namespace rdt::lab {

void Simulator::make_lanes() {
    // Lanes of whole cache lines. Cycles of smaller networks are too short to share.
    const uint32_t lines = m_channels.node_words / LineWords;
    const uint32_t count = std::min(m_options.threads, lines);
    if (count <= 1 || m_channels.link_words * m_channels.vcs <= 64) return;
    m_lanes.reserve(count);
    for (uint32_t i = 0; i < count; ++i) {
        Lane& lane = m_lanes.emplace_back(m_channels);
        lane.first_word = lines * i / count * LineWords;
        lane.end_word = i + 1 == count ? m_channels.end_words : lines * (i + 1) / count * LineWords;
        const uint32_t end = std::min(lane.end_word, m_channels.node_words);
        for (uint32_t port = 0; port < m_channels.ports; ++port)
            lane.links.emplace_back(rounded_to_pack(port * m_channels.node_words + lane.first_word),
                                    rounded_to_pack(port * m_channels.node_words + end));
        lane.spare = m_channels.add_spare_side();
        lane.own.resize((lane.spare >> 6) + 1);
        lane.own[lane.spare >> 6] = ~0ull;
        lane.outputs = &lane.own[m_channels.words];
    }
    set_own_channels();
    m_workers = std::make_unique<WorkerPool>(count, m_options.sharing != Sharing::IfItPays);
}

// An input buffer belongs to the lane of its node, an output buffer to that of the sender.
void Simulator::set_own_channels() {
    for (Index in = 0; in < m_channels.first_sink * 64; ++in)
        if (m_channels.channel[in].at != NoIndex)
            lane_of(m_channels.channel[in].at).own[in >> 6] |= 1ull << (in & 63);
    for (uint32_t w = 0; w < m_channels.words; ++w) {
        lane_of(m_channels.place[w].node).own[m_channels.words + w] = ~0ull;
        const auto has_any = [&](const Lane& lane) { return lane.own[w] != 0; };
        if (std::count_if(m_lanes.begin(), m_lanes.end(), has_any) == 1)
            std::find_if(m_lanes.begin(), m_lanes.end(), has_any)->own[w] = ~0ull;
    }
    for (Lane& lane : m_lanes) {
        lane.own_words.resize(m_channels.words / 64 + 1);
        for (uint32_t w = 0; w < m_channels.words; ++w) {
            const bool any = lane.own_inputs(w) != 0 || lane.own_outputs(w) != 0;
            lane.own_words[w / 64] |= uint64_t(any) << w % 64;
        }
    }
}

Lane& Simulator::lane_of(NodeId node) {
    size_t i = 0;
    while (node >> 6 >= m_lanes[i].end_word) ++i;
    return m_lanes[i];
}

bool Simulator::is_shared() {
    const bool paused = m_options.sharing == Sharing::Sometimes && m_now / 7 % 2 == 0;
    const bool shared = !paused && m_workers->meet();
    if (shared != m_is_parted) shared ? part() : unite();
    return shared;
}

void Simulator::part() {
    for (const Index in : m_whole.new_headers)
        lane_of(m_channels.channel[in].at).new_headers.push_back(in);
    for (const Index out : m_whole.freed) lane_of(m_channels.node_of(out)).freed.push_back(out);
    for (NodeId node = 0; node < m_channels.nodes; ++node)
        for (Index in = m_router.first_waiting(node); in != NoIndex;
             in = m_channels.channel[in].next_waiting)
            ++lane_of(node).waiters;
    m_lanes[0].free_choices.swap(m_whole.free_choices);
    m_whole.new_headers.clear();
    m_whole.freed.clear();
    m_whole.waiters = 0;
    m_is_parted = true;
}

void Simulator::unite() {
    const auto move = [](std::vector<Index>& from, std::vector<Index>& to) {
        to.insert(to.end(), from.begin(), from.end());
        from.clear();
    };
    for (Lane& lane : m_lanes) {
        move(lane.new_headers, m_whole.new_headers);
        move(lane.freed, m_whole.freed);
        move(lane.free_choices, m_whole.free_choices);
        m_whole.waiters += std::exchange(lane.waiters, 0);
    }
    std::sort(m_whole.new_headers.begin(), m_whole.new_headers.end());
    m_router.note_used_choices(m_router.num_choices() - m_whole.free_choices.size());
    m_is_parted = false;
}

void Simulator::step_shared(bool generate_packets) {
    m_workers->share([this](unsigned lane) { pass(m_lanes[lane]); });
    for (uint32_t at = m_channels.first_sink / 64; at < m_whole.marked.size(); ++at)
        for_bits(marks_of_all(at), [&](uint32_t i) {
            const uint32_t word = at * 64 + i;
            if (is_of_sinks(word)) deliver_arrived(word);
        });
    if (generate_packets) m_processors.generate(m_now);
    for (Lane& lane : m_lanes) m_router.provide_choices(lane);
    m_workers->share([this](unsigned lane) {
        try {
            look_after(m_lanes[lane]);
        } catch (...) {
            m_lanes[lane].error = std::current_exception();
        }
    });
    hand_over();
    ++m_shared_clocks;
    ++m_now;
}

void Simulator::pass(Lane& lane) {
    MarkedWords& marked = lane.marked;
    marked.forget();
    for (const auto& [from, to] : lane.links) m_passes.clock_links(marked, from, to);
    m_passes.clock_sources(marked, lane.first_word, lane.end_word, m_now);
    m_passes.clock_sinks(marked, lane.first_word, lane.end_word);
}

uint64_t Simulator::marks_of_all(uint32_t at) const {
    uint64_t marks = 0;
    for (const Lane& lane : m_lanes) marks |= lane.marked[at];
    return marks;
}

// Single channels at nodes of the partition, in order, independent of the thread that found them.
void Simulator::look_after(Lane& lane) {
    m_router.route(lane, m_now);
    for (uint32_t at = 0; at < lane.marked.size(); ++at)
        for_bits(marks_of_all(at) & lane.own_words[at],
                 [&](uint32_t i) { look_at(lane, at * 64 + i); });
}

// Data that partitions pass to others or to all.
void Simulator::hand_over() {
    size_t used = m_router.num_choices();
    for (Lane& lane : m_lanes) {
        if (lane.error) std::rethrow_exception(lane.error);
        used -= lane.fewest_free;
        for (const Index out : lane.elsewhere) {
            m_router.release(out);
            lane_of(m_channels.node_of(out)).freed.push_back(out);
        }
        lane.elsewhere.clear();
    }
    m_router.note_used_choices(used);
}

}  // namespace rdt::lab
