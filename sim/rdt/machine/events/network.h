// SPDX-License-Identifier: MIT
// Routers and MBPs of a machine that only carries packets, simulated by grants: a grant in cycle g
// determines the whole hop of a packet of n flits, so most cycles of most packets have no event.
//   g+1, g+3      the credit of its buffer is on CRED after the last pass; the other end has it
//   g+2           H0 on the pins; the credit of the next buffer counts as used
//   g+5           the header is complete at the next node: routed and presented
//   g+n-1, g+n    the input may present its next packet; the same end may get the line again
//   g+n+1, g+n+2  last flit, a tie goes to the other end; at an MBP delivered, credit in g+n+5
// Any link that misses a credit for too long resynchronizes (network_acks.cpp). Set-up, faults and
// buffer time-outs have no events: is_irregular() is then true, and a cycle-based engine continues
// from images() (network_image.cpp); loader.h returns to events.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include <rdt/core/pins.h>
#include <rdt/fast/image.h>
#include <rdt/machine/events/lane.h>
#include <rdt/net/rdt/rdt_geometry.h>
#include <rdt/support/worker_pool.h>

#define RDT_INLINE __attribute__((always_inline))

namespace rdt::machine::events {

// Sender and receiver. MBPs are counted two per node. Bodies are the client's: a number that goes
// with each packet. Calls for nodes of different lanes may come from different threads; in each
// lane, deliveries come in the order of MBPs.
class Client {
public:
    virtual ~Client() = default;
    // H0 will be on the pins in this cycle.
    virtual void started(uint32_t mbp, uint32_t body, uint64_t clock) = 0;
    virtual void delivered(uint32_t mbp, const Record& packet, uint64_t clock) = 0;
    virtual void acked(uint32_t mbp, uint32_t h0) = 0;
    // A multicast has so many copies more, or less; a unicast is one.
    virtual void counted(uint32_t body, int copies) = 0;
    virtual flit_t flit(uint32_t body, uint32_t k) const = 0;
    // Returns the outputs for copies of a multicast that are not pruned; at least one.
    virtual uint32_t pruned(uint32_t /*node*/, uint32_t /*input*/, const Record& /*packet*/,
                            uint32_t outputs) {
        return outputs;
    }
};

// State of an MBP: its link, the packets it sends and receives, and its queue.
struct MbpImage {
    struct Waiting {
        std::array<uint32_t, 3> header;
        uint32_t body;
    };
    fast::LinkIo::Regs link;
    fast::OutputRegs out;
    std::vector<flit_t> sending;   // the packet in flight,
    uint32_t sent = 0;             // ... so many flits of which are gone
    std::vector<flit_t> received;  // of a packet that comes
    uint64_t head = 0;             // clock of its H0 on the pins
    uint64_t ack_from = 0;
    std::vector<uint32_t> acks;  // H0
    std::vector<Waiting> packets;
};

// Complete result of images().
struct Registers {
    std::vector<fast::ChipImage> chips;
    std::vector<MbpImage> mbps;
    uint32_t links = 0;  // ports that have one, by bit
};

// State of a node. A chip that was shot down has stood still, and ticks at other cycles than the
// others.
struct Ticks {
    uint64_t entry = 0;         // clock of one,
    uint64_t entry_period = 0;  // ... and cycles from one to the next; 0: there are none
    uint64_t ack = 0;
    uint64_t ack_period = 0;
    uint64_t slow = 0;

    bool operator==(const Ticks& o) const {
        return entry == o.entry && entry_period == o.entry_period && ack == o.ack &&
               ack_period == o.ack_period && slow == o.slow;
    }
};

class Network {
public:
    // `now` is the first cycle. All links are up, and nothing is in flight.
    // One partition per worker thread. `ticks` by node, or one for all.
    Network(const Geometry& geometry, const std::vector<RouteConfig>& configs,
            const std::vector<Ticks>& ticks, uint64_t now, Client& client, WorkerPool& workers);
    uint32_t lane_number(uint32_t node) const {
        return uint32_t(uint64_t(node) * m_num_lanes >> m_node_bits);
    }
    // Whether the client is called by one thread only, from now on.
    void be_serial(bool is_serial) { m_is_serial = is_serial; }

    // Between cycles, and from the client.
    void send(uint32_t mbp, const std::array<uint32_t, 3>& header, uint32_t body);
    void send_ack(uint32_t mbp, uint32_t h0);

    void clock();
    uint64_t now() const { return m_now; }
    // Whether nothing happens in the next cycles, however many, unless something is sent; and
    // leaves them out. Time stamps of 32 bits are only kept right over long enough stretches.
    bool can_skip(uint64_t cycles) const;
    void skip(uint64_t cycles);

    // Something has begun that only a clocked engine does.
    bool is_irregular() const {
        return std::any_of(m_lanes.begin(), m_lanes.end(),
                           [](const Lane& lane) { return lane.is_irregular; });
    }
    // Whether LOCAL received a report in the last cycle.
    bool told_local(uint32_t node, fast::Local::In& heard) const;

    // For the next cycle.
    core::LinkPinsOut pins(uint32_t node, uint32_t port) const;
    core::LinkPinsOut mbp_pins(uint32_t mbp) const;
    // On the pins so far, by port and then MBP.
    uint64_t flits_sent(uint32_t node, uint32_t sender) const;
    // Registers that the next cycle sees, of all chips and MBPs.
    using OfChip = std::function<void(uint32_t node, const fast::ChipImage&)>;
    using OfMbp = std::function<void(uint32_t mbp, const MbpImage&)>;
    void images(const OfChip& of_chip, const OfMbp& of_mbp) const;
    // Continues from registers, before anything else. A body is made of each packet by `adopt`.
    // Returns whether they show nothing but what has events; if not, this is of no use.
    using Adopt = std::function<uint32_t(std::vector<flit_t> flits)>;
    bool load(const Registers& registers, const Adopt& adopt);
    // Nothing is held, and no ack is awaited.
    bool idle() const;
    uint32_t links_down() const;
    bool err(uint32_t node) const { return m_control[node] && m_control[node]->err; }
    size_t bytes() const;

private:
    friend class Loader;

    // Nodes that tick at the same cycles.
    struct Ticking {
        Ticks at;
        bool is_entry = false;  // in this cycle
        bool is_ack = false;
        bool is_slow = false;
    };
    Ticking& ticking_of(uint32_t node) { return m_ticking[m_kind.empty() ? 0 : m_kind[node]]; }
    const Ticking& ticking_of(uint32_t node) const {
        return m_ticking[m_kind.empty() ? 0 : m_kind[node]];
    }
    void find_kinds(const std::vector<Ticks>& ticks);
    void find_ticks();
    void limit_ages(uint64_t skipped);

    // Lanes.
    Lane& lane_of(uint32_t node) { return m_lanes[lane_number(node)]; }
    Day& day(uint32_t node, uint64_t clock) { return lane_of(node).calendar.at(clock); }
    static void put(Day& day, Mail::Kind kind, uint32_t where, uint32_t packet) {
        switch (kind) {
        case Mail::Decide: day.decide.push_back(where); break;
        case Mail::Back: day.back.push_back(where); break;
        case Mail::Fresh: day.fresh.push_back({where, packet}); break;
        default: day.land.push_back({where, packet});
        }
    }
    // From a node to one that may be another lane's.
    void post(uint32_t from, Mail::Kind kind, uint64_t clock, uint32_t where, uint32_t packet = 0) {
        Lane& lane = lane_of(from);
        const uint32_t to = lane_number(node_of(where));
        if (to == lane.number) put(lane.calendar.at(clock), kind, where, packet);
        else
            lane.mail[to][m_now & 1].push_back(
                {kind, uint8_t(clock % Calendar::Days), where, packet});
    }
    void read_mail(Lane& lane);
    static bool has_mail(const Lane& lane);
    template <typename Half>
    void for_lanes(Half&& half);
    void first_half(Lane& lane);
    void second_half(Lane& lane);

    // Data is prefetched while other data is processed. Where all nodes are in the cache anyway
    // that would only cost time.
    static constexpr size_t LargeFrom = 4096;
    bool is_large() const { return m_nodes.size() >= LargeFrom; }
    // g++ takes a function that does nothing else for one without effect, and leaves out calls of
    // it: so all of these are inline by order.
    RDT_INLINE void fetch_inputs(uint32_t node) const { __builtin_prefetch(&m_nodes[node].credit); }
    RDT_INLINE void fetch_lines(uint32_t node) const { __builtin_prefetch(&m_nodes[node].asks); }
    RDT_INLINE void fetch_at(uint32_t name) const { fetch_inputs(node_of(name)); }
    RDT_INLINE void fetch_at(const Coming& c) const {
        fetch_inputs(node_of(c.where));
        __builtin_prefetch(&m_nodes[node_of(c.where)].packet[what_of(c.where)]);
        __builtin_prefetch(&m_packets[record_of(c.packet)]);
    }
    // Nodes that are named in a list, with their inputs; packets that come, with their buffers.
    template <typename Item, typename F>
    void for_each(const std::vector<Item>& items, F&& f) {
        constexpr size_t Ahead = 16;
        const size_t fetched = is_large() ? items.size() : 0;
        for (size_t i = 0; i < items.size(); ++i) {
            if (i + Ahead < fetched) fetch_at(items[i + Ahead]);
            f(items[i]);
        }
    }
    RDT_INLINE void fetch_far_end(uint32_t link) const {
        const uint32_t port = port_of_link(what_of(link));
        if (port < PortM0) fetch_lines(m_nodes[node_of(link)].next[port]);
        else __builtin_prefetch(&m_mbps[2 * node_of(link)]);
    }

    // Steps of a cycle, in this order; links fall after decide().
    void deliver(Lane& lane);
    void decide(Lane& lane);
    void take_grants(Lane& lane);
    void pass_multicasts(Lane& lane);
    void clock_control(Lane& lane);
    void apply(Lane& lane);
    void present_all(Lane& lane);
    void clear_lingering_requests(Lane& lane);
    void plan_asked(Lane& lane);

    // Lines.
    void decide(uint32_t link);
    void rest(uint32_t link, const Hush& hush);
    void void_grant(uint32_t node, uint32_t end, uint32_t link, Line& line);
    void win(uint32_t node, uint32_t output, uint32_t link, Line& line);
    void win_mbp(uint32_t mbp, uint32_t link);
    void plan(uint32_t from, uint32_t link, uint64_t clock) {
        post(from, Mail::Decide, clock, link);
    }
    void take(const Grant& grant);
    void ask_for(Lane& lane, uint32_t link, uint64_t clock);
    void request(uint32_t node, uint32_t port);
    void pass(const Won& won);
    void pass_unicast(const Won& won, uint32_t slot);
    void pass_multicast(uint32_t node, uint32_t input);
    void leave(uint32_t node, uint32_t sender, const Sent& sent);

    // Inputs.
    void mark(uint32_t node, uint32_t input) {
        Node& n = m_nodes[node];
        if (n.marked == 0) lane_of(node).marked.push_back(node);
        n.marked = uint16_t(n.marked | 1u << input);
    }
    void mark_waiting(uint32_t node, uint32_t credit);
    uint32_t present(uint32_t node, uint32_t input);
    void ask(const Asking& asking);
    uint32_t asked_by(uint32_t node, uint32_t input) const;
    void close(uint32_t node, uint32_t input, uint32_t flits);
    void forget(uint32_t node, uint32_t record);
    void give_back(uint32_t node, uint32_t receiver, uint32_t vc);
    void owe(uint32_t node, uint32_t receiver, uint32_t vc);
    void show_credit(uint32_t node, uint32_t receiver, uint32_t vc);
    void bring_back(uint32_t node, uint32_t receiver, uint32_t vc, uint64_t clock);
    std::array<uint32_t, 3> copy_header(uint32_t node, const fast::Slot& plan,
                                        const std::array<uint32_t, 3>& header, uint32_t output,
                                        bool up) const;
    void hand_on(uint32_t node, uint32_t output, uint32_t vcs, uint32_t packet);
    void arrive(uint32_t node, uint32_t slot, uint32_t record);
    void take_slot(uint32_t node, uint32_t slot);

    // Links that resynchronize. MBPs are the ends behind the ports.
    static constexpr uint64_t AnnClocks = 12;
    static constexpr uint64_t MostAge = 1 << 29;  // limit of a time stamp
    struct Down {
        std::array<uint64_t, 2> fall{};  // clock before the first in Sync, of each end
        uint64_t ann = 0;                // first cycle of Ann, of both
        std::array<uint8_t, 2> kept{};   // VCs that are not announced, of each end's buffers,
        std::array<uint8_t, 2> freed{};  // ... of which these are empty again
        std::array<uint8_t, 2> had{};    // VCs whose credit was in hand
        Side owner = Second;             // of the line before
    };
    struct End {
        uint32_t node;
        uint32_t port;
    };
    End end_of(uint32_t link, uint32_t side) const;
    uint32_t link_of(uint32_t node, uint32_t end) const;
    void check_slow_ticks(Lane& lane);
    void note_late(uint32_t node, uint32_t credit, uint32_t port);
    void follow_late();
    void fall(uint32_t link, const Hush& hush);
    void begin_fall(Down& d, uint32_t link, uint32_t side);
    void resynchronize(uint32_t link);
    uint32_t credits_in_hand(const End& end) const;
    uint32_t credits_coming(const End& end, const Down& d, Side side) const;
    void drop_credits(const End& end);
    void keep(uint32_t node, uint32_t receiver, uint32_t vc);
    bool is_forgotten(uint32_t node, uint32_t end) const;
    const Down* down_at(uint32_t node, uint32_t end, uint64_t& fall) const;
    bool is_sending(uint32_t node, uint32_t sender, uint32_t clock) const;

    // Acks.
    Control& control_of(uint32_t node);
    void wake(uint32_t node);
    void clock_control(uint32_t node);
    uint32_t asks_for_entries(const Control& c, fast::AckTable::In& in) const;
    static void pass_turns(Control& c);
    void answer_entries(uint32_t node, const fast::AckTable::Out& out, uint32_t retried);
    void consume(uint32_t node, uint32_t slot);
    void clock_injector(uint32_t node, fast::Inject::In& in);
    void send_router_ack(uint32_t node, const core::AckNote& ack);
    void note_table(Control& c) const;
    bool is_table_idle(const Control& c, const Ticking& ticks) const;
    uint32_t held(uint32_t node) const;
    void tell_local(uint32_t node, const fast::AckTable::Out& out, bool lost);

    void mark_mbp(uint32_t mbp) {
        if (std::exchange(m_mbps[mbp].marked, true)) return;
        lane_of(mbp / 2).marked_mbps.push_back(mbp);
    }
    void ask_mbp(uint32_t mbp);

    core::LinkPinsOut pins_of(uint32_t node, uint32_t sender, bool asks) const;
    flit_t flit_of(uint32_t node, uint32_t sender, const Sent& sent, uint32_t k) const;
    static bool shows_vc(const Sent& sent, uint32_t k) {
        return !sent.is_ack && ((sent.out_vc() == 1 && k == 2) || (sent.out_vc() == 2 && k == 1));
    }

    // Registers (network_image.cpp).
    const Sent* sent_before(const End& end, uint32_t clocks) const;
    flit_t stored_flit(const End& from, const Sent& sent, uint32_t k) const;
    End far_end(const End& end) const;
    fast::LinkIo::Regs link_image(const End& end) const;
    bool ticked(const End& end, uint64_t from) const;
    void down_image(const End& end, const Down& d, Side side, fast::LinkIo::Regs& q) const;
    void down_image(const End& end, const Down& d, Side side, uint32_t credit,
                    fast::OutputRegs& r) const;
    fast::OutputRegs output_image(const End& end, uint32_t credit) const;
    uint32_t error_of(uint32_t node, uint32_t slot, const Record& record) const;
    fast::Slot slot_image(uint32_t node, uint32_t slot) const;
    void read_image(uint32_t node, uint32_t input, fast::ChipImage::Input& in) const;
    fast::ChipImage::Input input_image(uint32_t node, uint32_t input) const;
    fast::ChipImage chip_image(uint32_t node, uint32_t credits) const;
    MbpImage mbp_image(uint32_t mbp, uint32_t credit) const;

    Client& m_client;
    WorkerPool& m_workers;
    std::vector<Ticking> m_ticking;
    std::vector<uint32_t> m_kind;  // by node, in m_ticking; empty: all are alike
    uint64_t m_next_tick = 0;      // of any
    uint64_t m_limited_at;         // cycle in which no time stamp was older than MostAge
    const uint32_t m_num_lanes;
    const uint32_t m_node_bits;
    uint64_t m_now;
    bool m_is_serial = false;
    bool m_is_ack_tick = false;  // somewhere, in this cycle
    bool m_is_slow_tick = false;
    Packets m_packets;
    std::vector<Lane> m_lanes;
    std::vector<Node, LargePages<Node>> m_nodes;
    std::vector<Mbp, LargePages<Mbp>> m_mbps;
    std::vector<Pins, LargePages<Pins>> m_pins;
    std::vector<Credits, LargePages<Credits>> m_credits;
    std::vector<std::unique_ptr<Control>> m_control;
    std::unordered_map<uint32_t, Down> m_down;  // by link
    std::vector<uint32_t> m_late;               // nodes
};

}  // namespace rdt::machine::events
