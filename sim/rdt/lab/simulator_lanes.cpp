// SPDX-License-Identifier: MIT
// Cycles that threads share. Lanes meet twice per cycle: after the passes and after what they have
// found. The result at a node does not depend on the thread that simulates it. One thread generates
// and counts packets in between, in the order of a single-threaded run.
#include <rdt/lab/simulator_lanes.h>

#include <algorithm>

namespace rdt::lab {

void Simulator::make_lanes() {
    // Lanes of whole cache lines. Cycles of smaller networks are too short to share.
    const uint32_t lines = m_node_words / LineWords;
    const uint32_t count = std::min(m_options.threads, lines);
    if (count <= 1 || m_link_words * m_vcs <= 64) return;
    m_lanes.reserve(count);
    for (uint32_t i = 0; i < count; ++i) {
        Lane& lane = m_lanes.emplace_back(*this);
        lane.first_word = lines * i / count * LineWords;
        lane.end_word = i + 1 == count ? m_node_words : lines * (i + 1) / count * LineWords;
        for (uint32_t port = 0; port < m_ports; ++port)
            lane.links.emplace_back(rounded_to_pack(port * m_node_words + lane.first_word),
                                    rounded_to_pack(port * m_node_words + lane.end_word));
        lane.spare += (i + 1) * LineWords * 64;
        m_sides.other_is_ready.resize((lane.spare >> 6) + LineWords);
        lane.own.resize((lane.spare >> 6) + 1);
        lane.own[lane.spare >> 6] = ~0ull;
        lane.outputs = &lane.own[m_words];
    }
    for (Index in = 0; in < m_first_sink * 64; ++in)
        if (m_channel[in].at != None) lane_of(m_channel[in].at).own[in >> 6] |= 1ull << (in & 63);
    for (uint32_t w = 0; w < m_words; ++w) {
        lane_of(m_place[w].node).own[m_words + w] = ~0ull;
        const auto has_any = [&](const Lane& lane) { return lane.own[w] != 0; };
        if (std::count_if(m_lanes.begin(), m_lanes.end(), has_any) == 1)
            std::find_if(m_lanes.begin(), m_lanes.end(), has_any)->own[w] = ~0ull;
    }
    for (Lane& lane : m_lanes) {
        lane.own_words.resize(2 * m_words / 64 + 1);
        for (uint32_t w = 0; w < 2 * m_words; ++w)
            lane.own_words[w / 64] |= uint64_t(lane.own[w] != 0) << w % 64;
    }
    m_workers = std::make_unique<WorkerPool>(count, m_options.sharing != Sharing::IfItPays);
}

Simulator::Lane& Simulator::lane_of(NodeId node) {
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
    for (const Index in : m_whole.new_headers) lane_of(m_channel[in].at).new_headers.push_back(in);
    for (const Index out : m_whole.freed) lane_of(node_of(out)).freed.push_back(out);
    for (NodeId node = 0; node < m_nodes; ++node)
        for (Index in = m_waiting[node].first; in != None; in = m_channel[in].next_waiting)
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
    m_is_parted = false;
}

void Simulator::step_shared(bool generate_packets) {
    m_workers->share([this](unsigned lane) { pass(m_lanes[lane]); });
    deliver_arrived();
    if (generate_packets && m_trials.has_any(m_now)) generate();
    provide_choices();
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
    Marked& marked = lane.marked;
    marked.forget();
    for (const auto& [from, to] : lane.links) (this->*m_links)(marked, from, to);
    (this->*m_sources)(marked, lane.first_word, lane.end_word);
    (this->*m_sinks)(marked, lane.first_word, lane.end_word);
}

// A lane may need one for each header.
void Simulator::provide_choices() {
    for (Lane& lane : m_lanes)
        while (lane.free_choices.size() < lane.new_headers.size()) {
            lane.free_choices.push_back(Index(m_choices.size()));
            m_choices.emplace_back();
        }
}

// Data that partitions pass to others or to all.
void Simulator::hand_over() {
    size_t used = m_choices.size();
    for (Lane& lane : m_lanes) {
        if (lane.error) std::rethrow_exception(lane.error);
        used -= lane.fewest_free;
        for (const Index out : lane.elsewhere) {
            m_out.held[out >> 6] &= ~(1ull << (out & 63));
            lane_of(node_of(out)).freed.push_back(out);
        }
        lane.elsewhere.clear();
    }
    m_most_choices = std::max(m_most_choices, used);
}

}  // namespace rdt::lab
