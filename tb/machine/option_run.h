// SPDX-License-Identifier: MIT
// A whole run with an option set: everything that `rdt run` would write, to be compared between
// engines.
#pragma once

#include <fmt/core.h>

#include <memory>
#include <sstream>
#include <string>

#include "machine/event_bench.h"
#include "machine/option_set.h"
#include "machine/whole_run.h"
#include <rdt/machine/engines/event_machine.h>
#include <rdt/machine/measure/timeline.h>
#include <rdt/machine/traffic/trace.h>

namespace rdt::tb {

// The results of a run, without the name of the engine, times and memory.
struct Results {
    std::string json;
    std::string timeline;
    std::string packet_log;
    std::string callbacks;  // every packet sent, delivered and done, with its cycle
    uint64_t delivered = 0;
    uint64_t changes = 0;  // between events and cycles, of the event engine
    uint64_t skipped = 0;  // cycles
};

inline void apply(machine::Machine& machine, const LinkFault& f) {
    switch (f.kind) {
    case LinkFault::Kind::Flip: machine.flip({f.node, f.port, f.pins}); break;
    case LinkFault::Kind::Cut: machine.cut(f.node, f.port); break;
    case LinkFault::Kind::Stuck: machine.stick(f.node, f.port, f.pins, f.value); break;
    }
}

inline std::unique_ptr<machine::Workload> workload_of(const OptionSet& o,
                                                      const machine::Machine& m) {
    if (o.source == OptionSet::Source::Memory) return std::make_unique<dsm::Memory>(m, o.memory);
    if (o.source == OptionSet::Source::Synthetic)
        return std::make_unique<machine::Synthetic>(m, o.traffic);
    return std::make_unique<machine::Trace>(std::make_unique<std::istringstream>(o.trace), "trace",
                                            m.geometry(), o.config.upper_rank);
}

// How often the event engine has changed between events and cycles.
class ChangeCounter {
public:
    explicit ChangeCounter(const machine::Machine& machine)
        : m_events(dynamic_cast<const machine::EventMachine*>(&machine)), m_was(is_by_events()) {}
    void clock() {
        if (is_by_events() == m_was) return;
        m_was = !m_was;
        ++count;
    }
    uint64_t count = 0;

private:
    bool is_by_events() const { return m_events != nullptr && m_events->is_by_events(); }
    const machine::EventMachine* m_events;
    bool m_was;
};

// Everything that may watch a run.
class RunObservers {
public:
    RunObservers(machine::Machine& machine, const OptionSet& o, const Files& files, bool skips)
        : m_machine(machine), m_options(o), m_skips(skips), m_changes(machine) {
        if (o.logs_packets)
            m_log = std::make_unique<machine::PacketLog>(machine, files.path("log"));
        if (o.interval != 0)
            m_timeline = std::make_unique<machine::TimelineFile>(machine, files.path("timeline"),
                                                                 o.interval);
    }
    void attach(machine::RunOptions& run, Results& results) {
        run.after_clock = [this](const machine::Transport& transport) { clock(transport); };
        if (m_skips)
            run.after_skip = [this, &results](const machine::Transport& transport,
                                              uint64_t cycles) {
                if (m_timeline) m_timeline->skip(transport, cycles);
                m_cycle += cycles;
                results.skipped += cycles;
            };
        run.after_send = [this, &results](const machine::Packet& p) {
            if (m_timeline) m_timeline->sent(p);
            results.callbacks += fmt::format("{} sent {}\n", m_machine.now(), p.number);
        };
        run.after_delivery = [this, &results](const machine::Packet& p,
                                              const machine::Delivery& d) {
            if (m_timeline) m_timeline->delivered(p, d);
            ++results.delivered;
            results.callbacks +=
                fmt::format("{} delivered {} {}.{} {} {} {} {} {}\n", m_machine.now(), p.number,
                            d.node, d.mbp, d.head, d.tail, d.hops, d.intact, d.sound);
        };
        run.after_packet = [this, &results](const machine::Packet& p) {
            if (m_log) m_log->done(p, m_machine.now());
            results.callbacks +=
                fmt::format("{} done {} started {}\n", m_machine.now(), p.number, p.started);
        };
    }
    void finish(const Files& files, Results& results) {
        if (m_log) {
            m_log->finish();
            results.packet_log = files.text("log");
        }
        if (m_timeline) {
            m_timeline->finish();
            results.timeline = files.text("timeline");
        }
        results.changes = m_changes.count;
    }

private:
    void clock(const machine::Transport& transport) {
        if (m_log) m_log->clock(transport);
        if (m_timeline) m_timeline->clock(transport);
        ++m_cycle;
        for (const LinkFault& f : m_options.faults)
            if (f.cycle == m_cycle) apply(m_machine, f);
        m_changes.clock();
    }

    machine::Machine& m_machine;
    const OptionSet& m_options;
    const bool m_skips;
    ChangeCounter m_changes;
    std::unique_ptr<machine::PacketLog> m_log;
    std::unique_ptr<machine::TimelineFile> m_timeline;
    uint64_t m_cycle = 0;
};

// `skips`: cycles in which nothing is pending may be left out; faults come in theirs only if they
// are not in such a cycle.
inline Results run_options(const OptionSet& options, By by, bool skips) {
    OptionSet o = options;
    o.config.event_driven = by == By::Events;
    Results results;
    const Files files;
    const auto machine = machine::make_machine(o.config);
    for (const LinkFault& f : o.faults)
        if (f.cycle == 0) apply(*machine, f);
    machine->bring_up();
    RunObservers observers(*machine, o, files, skips);
    observers.attach(o.run, results);
    const auto workload = workload_of(o, *machine);
    const machine::RunResult r = machine::run(*machine, *workload, o.run);
    observers.finish(files, results);
    nlohmann::ordered_json json = machine::to_json(r, o.config);
    for (const char* own : {"engine", "seconds", "cycles_per_second", "cpu_seconds",
                            "cycles_per_cpu_second", "bytes_per_node"})
        json.erase(own);
    for (uint32_t n = 0; n < machine->nodes(); ++n) json["err"].push_back(machine->err(n));
    results.json = json.dump(0);
    return results;
}

// The first line that differs, or nothing.
inline std::string difference(const Results& a, const Results& b) {
    const auto compare = [](const char* what, const std::string& x, const std::string& y) {
        if (x == y) return std::string();
        std::istringstream left(x), right(y);
        std::string one, other;
        do {
            one.clear();
            other.clear();
            std::getline(left, one);
            std::getline(right, other);
        } while (one == other && (left || right));
        return fmt::format("{}: \"{}\" and \"{}\"", what, one, other);
    };
    for (const auto& [what, of] :
         {std::pair{"callbacks", &Results::callbacks},
          std::pair{"packet log", &Results::packet_log}, std::pair{"timeline", &Results::timeline},
          std::pair{"result", &Results::json}}) {
        const std::string found = compare(what, a.*of, b.*of);
        if (!found.empty()) return found;
    }
    return "";
}

}  // namespace rdt::tb
