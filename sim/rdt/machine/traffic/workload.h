// SPDX-License-Identifier: MIT
// What the nodes of a machine do: who sends what and when. A workload of one's own derives from
// Workload and is given to run() (measure/run.h), which measures everything that it sends; one that
// registers itself (WorkloadKind, below) is started by the program, too.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include <rdt/machine/transport.h>
#include <rdt/support/plugin.h>

namespace rdt::machine {

class Workload {
public:
    virtual ~Workload() = default;

    // Before every clock; may send.
    virtual void clock(Transport& transport) = 0;
    // Calls of clock() from now on that would do nothing, as long as nothing is delivered or
    // answered; so many at most are left out at once where nothing is under way either.
    virtual uint64_t idle_cycles() const { return 0; }
    virtual void skip(uint64_t /*cycles*/) {}
    // After the clock in which it happened; may send, and what is sent is on its way from the next
    // clock on.
    virtual void delivered(Transport&, const Packet&, const Delivery&) {}
    virtual void acked(Transport&, const Packet&, uint32_t /*status*/) {}
    virtual void done(Transport&, const Packet&) {}

    // The clocks that are measured begin, or are over.
    virtual void measure(bool /*on*/) {}
    // Sends no more, whatever comes; the run ends when everything has arrived.
    virtual bool finished() const { return false; }
    // No new work from now on; answers to what is under way may still be sent.
    virtual void stop() {}
    // Packets that it would have sent, had there been room in the queues.
    virtual uint64_t refused() const { return 0; }
    // Figures of its own, for the result.
    virtual void add_figures(nlohmann::ordered_json&) const {}
    // The same as lines of the table, if it has more to say than its settings.
    virtual std::string table() const { return {}; }
    // What went wrong, in one line; the run is then in error.
    virtual std::string error() const { return {}; }
};

// A workload that --traffic NAME of the program starts: a static object in its own file makes it
// known. `make` gets what the options of packets say (load, flits, seed ...) and takes of it what
// it needs; it throws std::invalid_argument for what it cannot take.
struct SyntheticOptions;
struct WorkloadKind {
    using Make = std::unique_ptr<Workload> (*)(const Machine&, const SyntheticOptions&);
    struct Entry {
        std::string name;
        std::string about;
        Make make;
    };
    // Throws std::invalid_argument if there is one, or a traffic pattern, of that name.
    WorkloadKind(std::string name, std::string about, Make make);
    static std::vector<Entry>& all();
};
// The workload of that name, or the traffic pattern.
std::unique_ptr<Workload> make_workload(const Machine& machine, const SyntheticOptions& options);

// A line of the table.
std::string table_row(const std::string& name, const std::string& value);

}  // namespace rdt::machine
