// SPDX-License-Identifier: MIT
// The fast engine: fast::Chips without a kernel, four nodes in a group.
//
// A cycle has two halves. In the first every group that is awake reads what the others drive and
// computes, its MBPs included, and leaves its flits with its neighbors for the next cycle; in the
// second it passes on its changes of REQ and CRED. Groups in which nothing can happen sleep until a
// neighbor or an MBP has something for them. Within each half groups do not depend on each other,
// so threads may share them.
#pragma once

#include <rdt/machine/engines/chip_view.h>
#include <rdt/machine/engines/pin_words.h>
#include <rdt/support/worker_pool.h>
#include <rdt/machine/machine.h>

namespace rdt::machine {

class FastMachine : public Machine, private FastFeatures {
public:
    explicit FastMachine(const Config& config) : FastMachine(config, true) {}

    core::LinkPinsOut pins(uint32_t node, uint32_t port) const override {
        return m_views[node].pins(port);
    }
    bool err(uint32_t node) const override { return m_views[node].err(); }
    const fast::ChipState* state(uint32_t node) const override {
        const_cast<FastMachine*>(this)->count_sleep(node / GroupSize);
        return &m_views[node];
    }
    size_t bytes() const override;
    // All pins, by node.
    void read_pins(PinWords* words);

    // All other registers.
    fast::ChipImage image(uint32_t node) const;
    // LOCAL as it is now, with what its counters have counted while its node slept.
    fast::Local local(uint32_t node) const;

protected:
    // Without chips until build().
    FastMachine(const Config& config, bool has_chips);
    void build();
    void step(bool rst_n) override;
    PacketFastPath* fast_path(PacketFastPath::Client* /*client*/) override { return nullptr; }
    PruningCaches* pruning() const override { return nullptr; }
    unsigned lanes() const final { return m_lanes; }
    unsigned lane_of(uint32_t node) const override {
        return unsigned(uint64_t(node / GroupSize) * m_lanes / (nodes() / GroupSize));
    }
    bool can_skip(uint64_t cycles) const override;
    void do_skip(uint64_t cycles) override { m_clock += cycles; }
    SignalView signal_view(uint32_t node) override {
        return model_signal_view("fast", m_views[node]);
    }
    void on_disturbance(uint32_t node) override { wake(node); }
    WorkerPool& workers() { return m_workers; }

    // From now on another engine simulates the routers.
    void pause();
    // Continues after this many cycles, from registers that are loaded one by one between this and
    // end_load(); those of MBPs are already set.
    void begin_load(uint64_t clocks);
    // The same in clock `now`, with chips that are set up as in `up`.
    void begin_load(const FastMachine& up, uint64_t now);
    void load(uint32_t node, const fast::ChipImage& image, const fast::Local::In* last,
              uint32_t status);
    void end_load();

private:
    static constexpr uint32_t GroupSize = 4;  // consecutive nodes, always in the same lane
    using Four = fast::Chips<GroupSize>;
    using Ports = fast::Ports;
    using View = ChipView<GroupSize>;

    // REQ and CRED of the ends of all links of a group.
    struct Signals {
        fast::TwoBits req;
        fast::TwoBits cred;
        Ports any() const { return req.any() | cred.any(); }
        Signals operator&(Ports ports) const { return {req & ports, cred & ports}; }
        Signals operator|(const Signals& o) const { return {req | o.req, cred | o.cred}; }
        Signals operator^(const Signals& o) const { return {req ^ o.req, cred ^ o.cred}; }
    };
    struct alignas(64) Group {
        Signals seen;               // outputs of the other ends
        Signals shown;              // by the chips, as the others know it
        Ports sending = 0;          // MBPs in the middle of a packet
        Ports receiving = 0;        // ... of an incoming one
        Ports driven = 0;           // by senders, in this cycle
        Ports driven_before = 0;    // and in the one before
        uint64_t asleep_since = 0;  // clock + 1; 0: awake
        Signals seen_asleep;        // a link that is off, or whose other end is, is never silent
        bool has_news = false;      // for its neighbors
        Signals change;
    };
    // Callbacks of fast::Chips::clock().
    struct Pins {
        const fast::TwoBits& req;
        const fast::TwoBits& cred;
        const flit_t* d_in;
        flit_t* d_out;  // by receiver
        const uint32_t* far;
        static constexpr Ports shoot = 0;
        static constexpr Ports slice = 0;
        flit_t d(uint32_t p) const { return d_in[p]; }
        void driven(uint32_t p, flit_t flit) const { d_out[far[p]] = flit; }
    };
    // The same where pins are inverted or links are cut.
    struct DisturbedPins {
        const Pins& pins;
        fast::TwoBits req;
        fast::TwoBits cred;
        std::array<flit_t, Four::Slots> d_in;
        static constexpr Ports shoot = 0;
        static constexpr Ports slice = 0;
        flit_t d(uint32_t p) const { return d_in[p]; }
        void driven(uint32_t p, flit_t flit) const { pins.driven(p, flit); }
    };
    void reset();
    void wake(uint32_t node) {
        m_awake[node / GroupSize] |= fast::at_chip(3u << PortM0, node % GroupSize);
    }
    bool is_disturbed_group(uint32_t group) const {
        if (!disturbances().were_any()) return false;
        const uint32_t first = group * GroupSize;
        bool any = false;
        for (uint32_t k = 0; k < GroupSize; ++k) any |= disturbances().are_at(first + k);
        return any;
    }
    void count_flits();
    void clear_undriven();
    bool sleeps(uint32_t group);
    // Counts the cycles that a group has slept so far: slice_o changes while a chip is idle.
    void count_sleep(uint32_t group) {
        uint64_t& since = m_groups[group].asleep_since;
        if (since == 0) return;
        m_chips[group].skip(m_clock + 1 - since);
        since = m_clock + 1;
    }
    bool stays_asleep(uint32_t group) const {
        const Group& g = m_groups[group];
        return m_awake[group] == 0 && (g.seen ^ g.seen_asleep).any() == 0;
    }
    bool has_all_credits(uint32_t group) const;
    void compute(uint32_t group);
    Signals clock_mbps(uint32_t group, Ports& driven, flit_t* d);
    DisturbedPins disturbed(uint32_t group, const Pins& pins) const;
    template <bool Alone>
    void step();
    template <bool Alone>
    void tell(Group& group, uint32_t first_sender);
    template <typename Work>
    void for_groups(unsigned lane, Work&& work);

    const unsigned m_lanes;
    // By group: MBPs where something may happen, at the bits of their ports. Set by senders and
    // fault injection.
    std::vector<Ports> m_awake;
    std::vector<Four> m_chips;
    std::vector<View> m_views;  // by node
    std::vector<Group> m_groups;
    // The receiver of each of 16 senders per node: the router's ports, then its MBPs. An MBP reads
    // its router directly; values stored for it are not used.
    std::vector<uint32_t> m_far;
    std::vector<flit_t> m_d[2];  // by receiver, 16 per node: what is on D in even and in odd cycles
    bool m_clears = false;
    uint64_t m_clock = 0;
    WorkerPool m_workers;
};

}  // namespace rdt::machine
