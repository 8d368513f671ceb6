// SPDX-License-Identifier: MIT
// Packets that leave their buffers: a granted input passes its packet, or copies of it, to outputs.
#pragma once

#include <rdt/machine/events/inputs.h>

namespace rdt::machine::events {

class Passes {
public:
    Passes(State& state, Controls& controls, Inputs& inputs, Lines& lines, SentPackets& sent,
           CreditReturns& returns)
        : m_state(state),
          m_controls(controls),
          m_inputs(inputs),
          m_lines(lines),
          m_sent(sent),
          m_returns(returns),
          m_copy_masks(state.num_lanes) {}

    // A unicast leaves at once; outputs that a multicast was granted are collected.
    void pass(Lane& lane, const InputGrant& won);
    RDT_INLINE void pass_multicasts(Lane& lane) {
        for (const uint32_t input : lane.won_multicasts)
            pass_multicast(lane, node_of(input), what_of(input));
        lane.won_multicasts.clear();
    }
    // Requests that a multicast had when it was granted an output stay on REQ for one more cycle,
    // although they are not used.
    RDT_INLINE void show_stale_requests(Lane& lane) {
        for (const LingeringRequest& h : lane.lingering_requests) show_stale(lane, h);
        lane.lingering_requests.clear();
    }
    RDT_INLINE void clear_stale_requests(Lane& lane) {
        for (const uint32_t output : lane.stale_requests)
            m_state.nodes[node_of(output)].asks[what_of(output)] &= uint16_t(~AsksStale);
        lane.stale_requests.clear();
    }
    // Records that are no longer needed.
    RDT_INLINE void drop_packets(Lane& lane, const Day& today) {
        for (const uint32_t record : today.gone) {
            m_state.client.counted(m_state.packets[record].body, -1);
            m_state.packets.drop(lane.pool, record);
        }
    }

    using Header = std::array<uint32_t, 3>;
    // The header of a copy of a multicast that leaves by an output. `up`: one does by the upper
    // rank.
    Header copy_header(uint32_t node, const fast::Slot& plan, const Header& header, uint32_t output,
                       bool up);

private:
    // Bits of the stored header that a copy keeps, and those that it sets, but for its tag.
    struct CopyMasks {
        uint32_t key = 0;  // plan, output and transfer in one number; 0: empty
        Header keep{};
        Header set{};
    };
    // Those that were used last, of a partition.
    struct alignas(64) KnownMasks {
        std::array<CopyMasks, 256> masks;
    };
    static CopyMasks copy_masks(const CopyPlan& plan, uint32_t output, bool transfers);
    void pass_multicast(Lane& lane, uint32_t node, uint32_t input);
    struct Leaving {
        uint32_t node;
        uint32_t output;
        uint32_t vcs;  // as in Sent
    };
    void send(Lane& lane, const Node& n, const Leaving& leaving, uint32_t packet);
    void close(Lane& lane, Node& n, uint32_t name, uint32_t flits);
    void show_stale(Lane& lane, const LingeringRequest& request);

    State& m_state;
    Controls& m_controls;
    Inputs& m_inputs;
    Lines& m_lines;
    SentPackets& m_sent;
    CreditReturns& m_returns;
    std::vector<KnownMasks> m_copy_masks;
};

}  // namespace rdt::machine::events
