// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include <rdt/dsm/memory.h>
#include <rdt/machine/traffic/scheme_names.h>

namespace rdt::dsm {

namespace {

double excess_of(const Statistics& s) {
    const uint64_t sent = s.multicasts + s.unicasts;
    return sent == 0 ? 0 : double(s.receivers - s.needed) / double(sent);
}

const char* protocol_name(const Options& o) { return o.is_mixed ? "mixed" : to_string(o.protocol); }

nlohmann::ordered_json json_of(const Latency& l) {
    return {{"mean", l.mean}, {"p99", l.p99}, {"max", l.max}};
}

nlohmann::ordered_json json_of(const MbpCosts& costs) {
    const auto handler = [](const HandlerCycles& h) {
        return nlohmann::ordered_json{{"hardware", h.hardware}, {"software", h.software}};
    };
    return {{"request", handler(costs.request)},   {"home", handler(costs.home)},
            {"reply", handler(costs.reply)},       {"recall", handler(costs.recall)},
            {"answer", handler(costs.answer)},     {"replacement", costs.replacement},
            {"memory_cycles", costs.memory_cycles}};
}

}  // namespace

void Memory::add_figures(nlohmann::ordered_json& j) const {
    const Statistics& s = m_statistics;
    j["pattern"] = "dsm-" + m_options.pattern;
    j["protocol"] = protocol_name(m_options);
    j["directory"] = to_string(m_options.directory);
    j["lines"] = m_options.lines;
    j["page"] = m_options.page;
    j["scheme"] = machine::scheme_name(m_options.scheme);
    j["directory_entries"] = directory_entries();
    j["directory_bits"] = directory_entries() * entry_bits();
    j["read_share"] = m_options.reads;
    j["rate"] = m_options.rate;
    j["processors"] = m_options.processors;
    j["store_buffer"] = m_options.store_buffer;
    j["cache_lines"] = m_options.cache_lines;
    j["cache_ways"] = m_options.cache_lines == 0 ? 0 : m_options.cache_ways;
    j["home_cycles"] = m_options.home_cycles;
    j["memory_cycles"] = m_options.memory_cycles;
    j["mbp"] = json_of(m_options.mbp);
    j["pruning"] = m_pruning;
    j["operations"] = operations();
    j["operations_offered"] = offered();
    j["operations_accepted"] = accepted();
    j["operation_latency"] = json_of(s.latency.summary());
    j["processing_latency"] = json_of(s.processing.summary());
    j["reads"] = s.reads;
    j["writes"] = s.writes;
    j["atomics"] = s.atomics;
    j["conditional_stores"] = s.conditionals;
    j["conditional_stores_refused"] = s.refused;
    j["forwarded_reads"] = s.forwarded;
    j["buffered_writes"] = s.buffered;
    j["read_misses"] = s.read_misses;
    j["write_misses"] = s.write_misses;
    j["read_miss_latency"] = json_of(s.read_miss.summary());
    j["write_miss_latency"] = json_of(s.write_miss.summary());
    j["recalls"] = s.recalls;
    j["multicasts"] = s.multicasts;
    j["unicasts"] = s.unicasts;
    j["releases"] = s.releases;
    j["release_waits"] = s.release_waits;
    j["evictions"] = s.evictions;
    j["write_backs"] = s.write_backs;
    j["multicast_receivers"] = s.receivers;
    j["excess_receivers_mean"] = excess_of(s);
    j["retries"] = s.retries;
    j["timeouts"] = s.timeouts;
    j["damaged"] = s.damaged;
    j["undetected"] = s.undetected;
    j["resends"] = s.resends;
    j["failed"] = s.failed;
    j["lost_lines"] = s.lost_lines;
    j["checked"] = m_options.is_checked;
    j["violations"] = violations();
}

std::string Memory::table() const {
    const Statistics& s = m_statistics;
    const auto& row = machine::table_row;
    // A dash where nothing was measured.
    const auto share = [](uint64_t part, uint64_t of) {
        return of == 0 ? "-" : fmt::format("{:.1f} %", 100 * double(part) / double(of));
    };
    const auto cycles = [](const Latency& l) {
        return l.count == 0
                   ? "- cycles mean, - 99 %, - max"
                   : fmt::format("{:.1f} cycles mean, {} 99 %, {} max", l.mean, l.p99, l.max);
    };
    const Latency all = s.latency.summary();
    const Latency read = s.read_miss.summary();
    const Latency write = s.write_miss.summary();
    std::string t = row("memory", fmt::format("{} lines, {} sharing, {} protocol", m_options.lines,
                                              m_options.pattern, protocol_name(m_options)));
    if (m_options.processors > 1)
        t += row("processors", fmt::format("{} per node", m_options.processors));
    t += row("operations", fmt::format("{}: {} reads, {} writes", operations(), s.reads, s.writes));
    t += row(
        "operation throughput",
        fmt::format("{:.5f} operations per node and cycle, {:.5f} offered", accepted(), offered()));
    t +=
        row("operation latency",
            fmt::format("{}; {} without waiting for others", cycles(all),
                        all.count == 0 ? "-" : fmt::format("{:.1f}", s.processing.summary().mean)));
    t += row("read misses", fmt::format("{} ({}), {}", s.read_misses, share(s.read_misses, s.reads),
                                        cycles(read)));
    t += row("writes by the home", fmt::format("{} ({}), {}", s.write_misses,
                                               share(s.write_misses, s.writes), cycles(write)));
    if (m_options.directory == DirectoryKind::Multicast)
        t += row("directory",
                 fmt::format("{} multicasts, {:.2f} receivers and {:.2f} too many, mean; {} "
                             "releases, {} recalls",
                             s.multicasts,
                             s.multicasts == 0 ? 0 : double(s.receivers) / double(s.multicasts),
                             excess_of(s), s.releases, s.recalls));
    else
        t += row("directory", fmt::format("{} unicasts to sharers, {} releases, {} recalls",
                                          s.unicasts, s.releases, s.recalls));
    t += row("directory entries",
             fmt::format("{} of {} bits, {}, {}", directory_entries(), entry_bits(),
                         m_options.directory == DirectoryKind::Exact
                             ? "exact"
                             : std::string("by ") + machine::scheme_name(m_options.scheme),
                         m_options.page == 1 ? "one per line"
                                             : fmt::format("one for {} lines", m_options.page)));
    if (m_pruning != 0) t += row("pruning", fmt::format("{} entries per router", m_pruning));
    if (m_options.cache_lines != 0)
        t += row("replacement", fmt::format("{} lines replaced, {} of them written back",
                                            s.evictions, s.write_backs));
    if (m_options.store_buffer != 0)
        t += row("store buffer",
                 fmt::format("{} writes buffered, {} reads forwarded", s.buffered, s.forwarded));
    if (s.atomics + s.conditionals != 0)
        t += row("atomic operations", fmt::format("{}; {} conditional stores, {} of them refused",
                                                  s.atomics, s.conditionals, s.refused));
    t += row("answers", fmt::format("{} retry, {} time-out, {} damaged; {} requests sent again",
                                    s.retries, s.timeouts, s.damaged, s.resends));
    t += row("checked",
             fmt::format("{}; {} operations ended with an error, {} lines abandoned",
                         m_options.is_checked ? fmt::format("{} violations", violations()) : "no",
                         s.failed, s.lost_lines));
    return t;
}

}  // namespace rdt::dsm
