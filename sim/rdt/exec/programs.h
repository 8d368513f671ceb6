// SPDX-License-Identifier: MIT
// A program on the machine: a hart at each of the first nodes, over the shared memory.
//
// A hart executes one instruction per cycle and waits for its memory operations. Instructions that
// concern the hart alone, and hits in its cache, are executed ahead of their cycle, up to the next
// one that does neither. A message about a line they used takes those after it back. A hart that
// spins on copies its cache holds sleeps until a message comes for the cache; its cycles,
// instructions and loads are counted as if it had not. Neither changes a result.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include <rdt/exec/console.h>
#include <rdt/exec/hart_wheel.h>
#include <rdt/exec/image.h>
#include <rdt/exec/network_barrier.h>
#include <rdt/exec/profile.h>
#include <rdt/exec/run_ahead.h>
#include <rdt/exec/spin_loop.h>

namespace rdt::exec {

struct Options {
    uint32_t harts = 64;
    dsm::Options memory{};
    std::string arguments{};
    bool has_prefix = false;  // lines of the console begin with the node
    bool sleeps = true;
    bool runs_ahead = true;
    Console::Write console{};
};

class Programs : public machine::Workload {
public:
    // Throws std::invalid_argument for a program or options that do not fit.
    Programs(const machine::Machine& machine, Elf elf, const Options& options);

    void clock(machine::Transport& transport) override;
    void delivered(machine::Transport& transport, const machine::Packet& packet,
                   const machine::Delivery& delivery) override;
    void acked(machine::Transport& transport, const machine::Packet& packet,
               uint32_t status) override;
    uint64_t idle_cycles() const override;
    void skip(uint64_t cycles) override;
    bool finished() const override { return m_is_done; }
    void stop() override;
    // Those of figures.h.
    void add_figures(nlohmann::ordered_json& json) const override;
    std::string table() const override;
    std::string error() const override;

    // The program itself has ended; false also where it was stopped or failed.
    bool has_ended() const { return m_has_ended; }
    bool is_over() const { return m_is_over; }  // no hart executes any more
    int exit_code() const { return m_exit_code; }
    uint64_t cycles() const { return m_end - m_first; }  // since the start
    uint64_t instructions() const;                       // of all harts, in this time
    // Where the harts are, of the first few that have not halted.
    std::string places() const;
    bool has_interest() const { return m_has_interest; }
    uint64_t interest_cycles() const;
    // In the region of interest, or the whole run if there is none.
    Counts counts(uint32_t hart) const;
    Counts total() const;
    uint64_t sleeps() const { return m_sleeps; }
    // How often a hart has returned to an earlier cycle.
    uint64_t hits_taken_back() const { return m_hits_taken_back; }
    const Options& options() const { return m_options; }
    uint32_t num_nodes() const { return m_side * m_side; }  // with or without a hart
    const Profile& profile() const { return m_profile; }
    const dsm::Memory& memory() const { return m_memory; }
    const NetworkBarrier* barrier() const { return m_barrier.get(); }
    const Image& image() const { return m_image; }

    // For a debugger: between cycles, with runs_ahead and sleeps off.
    hart::Hart& hart(uint32_t h) { return m_nodes[h].hart; }
    dsm::Memory& memory() { return m_memory; }
    bool is_halted(uint32_t h) const { return m_nodes[h].state == State::Halted; }
    // A memory operation of a hart that ends.
    std::function<void(uint32_t hart, const hart::MemoryRequest&)> on_access;

private:
    enum class State : uint8_t { Ready, Pending, AtBarrier, Asleep, Halted };
    struct Node {
        Node(uint32_t id, hart::Text& text, dsm::Memory& memory, const Image& image)
            : hart(id, text),
              ahead(memory, id, hart, image.shared_base(), image.shared().size()),
              stack(StackBytes) {}
        // Kind of the cycles in which it waits.
        CycleKind wait_kind() const;

        hart::Hart hart;
        RunAhead ahead;
        std::vector<uint8_t> stack;
        State state = State::Ready;
        CycleKind kind = CycleKind::Busy;  // kind of the instructions executed last
        uint64_t due = 0;                  // Ready: cycle of the next instruction
        uint64_t since = 0;                // otherwise: cycle in which it began
        Cause cause = Cause::Cold;
        Counts counts;
        Counts before;  // the region of interest
        SpinLoop spin;
        uint32_t barrier_result = 0;
        uint64_t access_cycle = 0;  // cycle of the last access to shared data
        bool access_loads = false;
        uint64_t period = 0;  // period of the loop of a sleeping hart
    };

    void step(uint32_t h);
    // Whether it has ended at once.
    bool access(uint32_t h);
    bool access_shared(uint32_t h, uint64_t offset);
    bool access_device(uint32_t h);
    bool access_register(uint32_t h, uint64_t offset);
    bool refuse(uint32_t h, hart::Cause cause);
    void completed(uint32_t h, const dsm::Result& result);
    void resume(uint32_t h, uint64_t value);
    void schedule(uint32_t h, uint64_t cycle);
    // The hart has executed all cycles before this one, and none from it on that anything outside
    // the hart depends on.
    void settle(uint32_t h, uint64_t cycle);
    void settle_all();
    void commit(uint32_t h);
    void sleep(uint32_t h);
    // State of a sleeping hart before this cycle.
    uint64_t loads_asleep(const Node& node, uint64_t cycle) const;
    void wake(uint32_t h);
    void set_interest(bool is_on);
    void finish();
    void fail(uint32_t h, const std::string& why);
    void check_deadlock();
    void drain(machine::Transport& transport);
    // Sum over all cycles before m_end.
    Counts counts_now(const Node& node) const;
    std::string place_of(const Node& node) const;
    uint64_t next_cycle() const { return m_is_early ? m_now : m_now + 1; }

    const Options m_options;
    const uint32_t m_side;
    const bool m_hits_ahead;
    std::unique_ptr<NetworkBarrier> m_barrier;
    Image m_image;
    hart::Text m_text;
    dsm::Memory m_memory;
    Profile m_profile;
    Console m_console;
    std::deque<Node> m_nodes;
    machine::Transport* m_transport = nullptr;

    HartWheel m_ready;
    uint32_t m_num_pending = 0;

    uint64_t m_now = 0;
    uint64_t m_first = 0;
    uint64_t m_end = 0;          // the harts have executed all cycles before it
    uint64_t m_last_active = 0;  // cycle in which a hart was ready or pending
    bool m_has_begun = false;
    bool m_is_early = false;         // messages of this cycle come before the harts
    uint32_t m_stepping = MaxHarts;  // hart that executes; those before it have, in this cycle
    bool m_has_ended = false;
    bool m_is_over = false;  // no hart executes any more
    bool m_is_done = false;  // and the memory has come to rest
    uint64_t m_drain_from = 0;
    int m_exit_code = 0;
    std::string m_error;
    uint64_t m_sleeps = 0;
    uint64_t m_hits_taken_back = 0;

    bool m_has_interest = false;
    bool m_is_interest = false;
    uint64_t m_interest_from = 0;
    uint64_t m_interest_cycles = 0;
    std::vector<Counts> m_interest;
};

}  // namespace rdt::exec
