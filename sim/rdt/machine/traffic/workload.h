// SPDX-License-Identifier: MIT
// What the nodes of a machine do: who sends what and when. A workload of one's own derives from
// Workload and is given to run() (machine/run.h), which measures everything that it sends.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include <rdt/machine/transport.h>

namespace rdt::machine {

class Workload {
public:
    virtual ~Workload() = default;

    // Before every clock; may send.
    virtual void clock(Transport& transport) = 0;
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

// A line of the table.
std::string table_row(const std::string& name, const std::string& value);

}  // namespace rdt::machine
