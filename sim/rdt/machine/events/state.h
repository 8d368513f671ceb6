// SPDX-License-Identifier: MIT
// Data that all parts of the event-driven engine share: nodes and MBPs, the partitions of nodes
// with their calendars, packets, and the time.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <rdt/machine/events/client.h>
#include <rdt/machine/events/lane.h>
#include <rdt/net/rdt/rdt_geometry.h>
#include <rdt/support/worker_pool.h>

#define RDT_INLINE __attribute__((always_inline))

namespace rdt::machine::events {

constexpr uint32_t AckFlits = 3;
constexpr uint32_t HeaderFlits = 3;
constexpr uint32_t MostFlits = 16;
constexpr uint64_t MostAge = 1 << 29;  // limit of a time stamp of 32 bits

// An end of a link: a port, or an MBP behind those of its node.
struct End {
    uint32_t node;
    uint32_t port;

    bool operator==(const End& o) const { return node == o.node && port == o.port; }
    bool is_chip() const { return port < NumPorts; }
    uint32_t mbp() const { return 2 * node + port - NumPorts; }
};
constexpr End end_of_mbp(uint32_t mbp) { return {mbp / 2, NumPorts + mbp % 2}; }
constexpr Side other_side(Side side) { return side == First ? Second : First; }

struct State {
    State(const Geometry& geometry, const std::vector<RouteConfig>& configs, uint64_t first,
          Client& called, uint32_t partitions);

    // Partitions.
    uint32_t lane_number(uint32_t node) const { return lane_of_block[node >> block_bits]; }
    Lane& lane_of(uint32_t node) { return lanes[lane_number(node)]; }
    const Lane& lane_of(uint32_t node) const { return lanes[lane_number(node)]; }
    Day& day(uint32_t node, uint64_t clock) { return lane_of(node).calendar.at(clock); }
    // To a node that may be in another partition.
    RDT_INLINE void post(Lane& lane, Mail::Kind kind, uint64_t clock, uint32_t where,
                         uint32_t packet = 0) {
        if (lane.has(node_of(where))) put(lane.calendar.at(clock), kind, where, packet);
        else
            mail_to(lane, node_of(where))
                .push_back({kind, uint8_t(clock % Calendar::Days), where, packet});
    }
    Outbox& outbox(uint32_t from, uint32_t to) { return outboxes[from * num_lanes + to]; }
    std::vector<Mail>& mail_to(const Lane& from, uint32_t node) {
        return outbox(from.number, lane_number(node)).mail[now & 1].items;
    }
    // Between cycles.
    bool has_mail() const {
        return std::any_of(outboxes.begin(), outboxes.end(),
                           [](const Outbox& outbox) { return outbox.has_mail(); });
    }
    static void put(Day& day, Mail::Kind kind, uint32_t where, uint32_t packet) {
        switch (kind) {
        case Mail::Decide: day.decide.push_back(where); break;
        case Mail::Back: day.back.push_back(where); break;
        case Mail::Fresh: day.fresh.push_back({where, packet}); break;
        default: day.land.push_back({where, packet});
        }
    }

    // An input has to present, an MBP to request.
    void mark(Lane& lane, uint32_t node, uint32_t input) { mark_inputs(lane, node, 1u << input); }
    void mark_inputs(Lane& lane, uint32_t node, uint32_t inputs) {
        Node& n = nodes[node];
        if (n.marked == 0) lane.marked.push_back(node);
        n.marked = uint16_t(n.marked | inputs);
    }
    void mark_mbp(uint32_t mbp) {
        if (std::exchange(mbps[mbp].marked, true)) return;
        lane_of(mbp / 2).marked_mbps.push_back(mbp);
    }
    // The line that a packet came by may still be in the middle of it.
    void drop_later(Lane& lane, uint32_t record) {
        lane.calendar.at(now + MostFlits).gone.push_back(record);
    }

    // Links and their ends.
    End end_of(uint32_t link, uint32_t side) const;
    uint32_t link_of(const End& end) const;
    Side side_of(uint32_t link, const End& end) const {
        return end_of(link, First) == end ? First : Second;
    }
    End far_end(const End& end) const {
        const uint32_t link = link_of(end);
        return end_of(link, other_side(side_of(link, end)));
    }

    // Data is prefetched while other data is processed. Where all nodes are in the cache anyway
    // that would only cost time.
    static constexpr size_t LargeFrom = 4096;
    bool is_large() const { return nodes.size() >= LargeFrom; }
    // g++ takes a function that does nothing else for one without effect, and leaves out calls of
    // it: so all of these are inline by order.
    RDT_INLINE void fetch_inputs(uint32_t node) const { __builtin_prefetch(&nodes[node].credit); }
    RDT_INLINE void fetch_lines(uint32_t node) const { __builtin_prefetch(&nodes[node].asks); }
    RDT_INLINE void fetch_at(uint32_t name) const { fetch_inputs(node_of(name)); }
    RDT_INLINE void fetch_at(const Coming& c) const {
        fetch_inputs(node_of(c.where));
        __builtin_prefetch(&nodes[node_of(c.where)].packet[what_of(c.where)]);
        __builtin_prefetch(&packets[record_of(c.packet)]);
    }
    RDT_INLINE void fetch_far_end(uint32_t link) const {
        const uint32_t port = port_of_link(what_of(link));
        if (port < PortM0) fetch_lines(nodes[node_of(link)].next[port]);
        else __builtin_prefetch(&mbps[2 * node_of(link)]);
    }
    // Nodes that are named in a list, with their inputs; packets that come, with their buffers.
    template <typename Item, typename F>
    RDT_INLINE void for_each(const std::vector<Item>& items, F&& f) const {
        constexpr size_t Ahead = 16;
        const Item* const end = items.data() + items.size();
        const Item* const fetched = is_large() && items.size() > Ahead ? end - Ahead : nullptr;
        for (const Item* item = items.data(); item != end; ++item) {
            if (item < fetched) fetch_at(item[Ahead]);
            f(*item);
        }
    }

    Client& client;
    const uint32_t num_lanes;
    const uint32_t block_bits;
    const std::vector<uint16_t> lane_of_block;  // by block of nodes
    uint64_t now;
    Packets packets;
    Notes notes;
    std::vector<Lane> lanes;
    std::vector<Outbox> outboxes;  // by sender and receiver
    std::vector<Node, LargePages<Node>> nodes;
    std::vector<Mbp, LargePages<Mbp>> mbps;
};

inline End State::end_of(uint32_t link, uint32_t side) const {
    const uint32_t node = node_of(link);
    const uint32_t port = port_of_link(what_of(link));
    if (side == First) return {node, port};
    if (is_mbp(port)) return {node, NumPorts + port - PortM0};
    return {nodes[node].next[port], opposite(port)};
}

inline uint32_t State::link_of(const End& end) const {
    if (!end.is_chip()) return name_of(end.node, link_at(end.port - NumPorts + PortM0));
    if (has_priority(end.port)) return name_of(end.node, link_at(end.port));
    return name_of(nodes[end.node].next[end.port], link_at(end.port));
}

}  // namespace rdt::machine::events
