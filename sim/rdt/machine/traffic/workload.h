// SPDX-License-Identifier: MIT
// The behavior of the nodes of a machine: packets and their times. A custom workload derives from
// Workload and is passed to run() (measure/run.h), which measures everything that it sends; one
// that registers itself (WorkloadKind, below) is started by the program, too.
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

    // Before every cycle; may send.
    virtual void clock(Transport& transport) = 0;
    // Calls of clock() from now on that would do nothing, as long as nothing is delivered or
    // answered; at most this many are skipped at once where nothing is in flight either.
    virtual uint64_t idle_cycles() const { return 0; }
    virtual void skip(uint64_t /*cycles*/) {}
    // After the cycle in which it happened; may send, and packets leave from the next cycle on.
    virtual void delivered(Transport&, const Packet&, const Delivery&) {}
    virtual void acked(Transport&, const Packet&, uint32_t /*status*/) {}
    virtual void done(Transport&, const Packet&) {}

    // Whether delivered(), acked() and done() do nothing, and clock() does not depend on what was
    // delivered: the run may then leave out these calls for a UnicastStream.
    virtual bool ignores_deliveries() const { return false; }
    // The measured cycles begin, or are over.
    virtual void measure(bool /*on*/) {}
    // Sends no more, whatever comes; the run ends when everything has arrived.
    virtual bool finished() const { return false; }
    // No new work from now on; answers to packets in flight may still be sent.
    virtual void stop() {}
    // Packets that it could not send because of full queues.
    virtual uint64_t refused() const { return 0; }
    // Figures of its own, for the result.
    virtual void add_figures(nlohmann::ordered_json&) const {}
    // The same as lines of the table, if it has results beyond its settings.
    virtual std::string table() const { return {}; }
    // The error in one line; the run then fails.
    virtual std::string error() const { return {}; }
};

// A workload that --traffic NAME of the program starts: a static object in its own file makes it
// known. `make` gets the packet options (load, flits, seed ...) and uses those it needs; it throws
// std::invalid_argument for unsupported values.
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
