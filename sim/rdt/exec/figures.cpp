// SPDX-License-Identifier: MIT
#include <rdt/exec/figures.h>

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace rdt::exec {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t TopLines = 10;

struct Range {
    uint64_t min = ~uint64_t(0);
    uint64_t max = 0;
    double mean = 0;
};

template <class F>
Range over_harts(uint32_t harts, F&& value) {
    Range r;
    uint64_t sum = 0;
    for (uint32_t h = 0; h < harts; ++h) {
        const uint64_t v = value(h);
        r.min = std::min(r.min, v);
        r.max = std::max(r.max, v);
        sum += v;
    }
    r.mean = double(sum) / double(harts);
    return r;
}

Json json_of(const Range& r) { return {{"min", r.min}, {"mean", r.mean}, {"max", r.max}}; }

double ratio(uint64_t part, uint64_t of) { return of == 0 ? 0 : double(part) / double(of); }

std::string words_of(const char* name) {
    std::string text = name;
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

// Advice on what to try first, if one cause dominates.
std::string advice(const Counts& total, const Profile& profile, const Image& image) {
    const double all = double(std::max<uint64_t>(total.total(), 1));
    const auto lines = profile.hottest_lines(1);
    const uint64_t shared = profile.causes()[size_t(Cause::FalseSharing)];
    if (ratio(shared, total.misses) > 0.25) {
        for (const auto& [line, l] : profile.hottest_lines(TopLines))
            if (l.causes[size_t(Cause::FalseSharing)] * 2 > l.misses)
                return fmt::format(
                    "{:.0f} % of the misses are false sharing; pad {} to lines of "
                    "{} bytes",
                    100 * ratio(shared, total.misses),
                    image.elf().name_of(image.shared_base() + uint64_t(line) * dsm::LineBytes,
                                        false),
                    dsm::LineBytes);
    }
    const double sync = double(total.of(CycleKind::Sync)) / all;
    if (sync > 0.5)
        return fmt::format(
            "{:.0f} % of the cycles are locks and barriers: compare "
            "rdt_barrier_network(), or RDT_UPDATE for what is spun on",
            100 * sync);
    if (double(total.of(CycleKind::Idle)) / all > 0.5)
        return "most harts are idle: is the work divided among all nodes?";
    if (double(total.of(CycleKind::Read)) / all > 0.5 && !lines.empty())
        return fmt::format(
            "{:.0f} % of the cycles wait for loads, most for {}",
            100 * double(total.of(CycleKind::Read)) / all,
            image.elf().name_of(image.shared_base() + uint64_t(lines[0].first) * dsm::LineBytes,
                                false));
    return "";
}

// Lines and functions with the most stall cycles.
std::string hottest(const Programs& programs) {
    const auto& row = machine::table_row;
    const Profile& profile = programs.profile();
    const Image& image = programs.image();
    const dsm::Options& m = programs.memory().options();
    std::string t;
    const auto lines = profile.hottest_lines(TopLines);
    if (!lines.empty())
        t += row("hottest lines", fmt::format("{:>12} {:>8} {:>5} {:>8} {:>8}  {}", "stall cycles",
                                              "misses", "home", "readers", "writers", "cause"));
    for (const auto& [line, p] : lines) {
        const uint64_t address = image.shared_base() + uint64_t(line) * dsm::LineBytes;
        const auto most = std::max_element(p.causes.begin(), p.causes.end());
        t += row(
            "  " + image.elf().name_of(address, false),
            fmt::format("{:>12} {:>8} {:>5} {:>8} {:>8}  {}", p.stall, p.misses,
                        m.home_of(line, programs.num_nodes()), p.readers.count(), p.writers.count(),
                        words_of(CauseNames[size_t(most - p.causes.begin())])));
    }
    const auto functions = profile.functions(TopLines);
    if (!functions.empty())
        t += row("functions", fmt::format("{:>12} {:>8}", "stall cycles", "misses"));
    for (const auto& [address, p] : functions)
        t += row("  " + image.elf().name_of(address, true),
                 fmt::format("{:>12} {:>8}", p.stall, p.misses));
    return t;
}

}  // namespace

void add_figures(const Programs& programs, Json& j) {
    const Profile& profile = programs.profile();
    const Image& image = programs.image();
    const dsm::Memory& memory = programs.memory();
    const NetworkBarrier* const barrier = programs.barrier();
    const Counts all = programs.total();
    const uint32_t harts = programs.options().harts;
    j["nodes"] = harts;
    j["ended"] = programs.has_ended();
    j["exit_code"] = programs.exit_code();
    j["has_region_of_interest"] = programs.has_interest();
    j["cycles"] = programs.interest_cycles();
    j["instructions"] = all.instructions;
    j["cpi"] = all.instructions == 0 ? 0 : double(all.total()) / double(all.instructions);
    for (uint32_t k = 0; k < NumCycleKinds; ++k)
        j["cpi_stack"][CycleKindNames[k]] = ratio(all.cycles[k], all.total());
    for (uint32_t k = 0; k < NumCycleKinds; ++k)
        j["cycles_per_node"][CycleKindNames[k]] =
            json_of(over_harts(harts, [&](uint32_t h) { return programs.counts(h).cycles[k]; }));
    j["instructions_per_node"] =
        json_of(over_harts(harts, [&](uint32_t h) { return programs.counts(h).instructions; }));
    j["loads"] = all.loads;
    j["stores"] = all.stores;
    j["misses"] = all.misses;
    for (uint32_t c = 0; c < NumCauses; ++c)
        j["misses_by_cause"][CauseNames[c]] = profile.causes()[c];
    const Latency l = profile.latency().summary();
    j["miss_latency"] = {{"mean", l.mean}, {"p99", l.p99}, {"max", l.max}};
    j["lines"] = Json::array();
    for (const auto& [line, p] : profile.hottest_lines(TopLines)) {
        const uint64_t address = image.shared_base() + uint64_t(line) * dsm::LineBytes;
        Json one{{"address", address},
                 {"name", image.elf().name_of(address, false)},
                 {"home", memory.options().home_of(line, programs.num_nodes())},
                 {"readers", p.readers.count()},
                 {"writers", p.writers.count()},
                 {"misses", p.misses},
                 {"stall_cycles", p.stall}};
        for (uint32_t c = 0; c < NumCauses; ++c)
            if (p.causes[c] != 0) one["misses_by_cause"][CauseNames[c]] = p.causes[c];
        j["lines"].push_back(std::move(one));
    }
    j["functions"] = Json::array();
    for (const auto& [address, p] : profile.functions(TopLines))
        j["functions"].push_back({{"name", image.elf().name_of(address, true)},
                                  {"misses", p.misses},
                                  {"stall_cycles", p.stall}});
    j["total_cycles"] = programs.cycles();
    j["total_instructions"] = programs.instructions();
    j["network_barriers"] = barrier ? barrier->completed() : 0;
    j["advice"] = advice(all, profile, image);
    memory.add_figures(j["memory"]);
    for (const char* key : {"pattern", "read_share", "rate", "operations_offered",
                            "operations_accepted", "operation_latency", "processing_latency"})
        j["memory"].erase(key);
}

std::string table_of(const Programs& programs) {
    const auto& row = machine::table_row;
    const Profile& profile = programs.profile();
    const Image& image = programs.image();
    const dsm::Memory& memory = programs.memory();
    const NetworkBarrier* const barrier = programs.barrier();
    const Counts all = programs.total();
    const uint32_t harts = programs.options().harts;
    const dsm::Options& m = memory.options();
    std::string t =
        row("nodes", fmt::format("{} of {} with a hart, {} KiB shared, {} protocol, {} "
                                 "directory",
                                 harts, programs.num_nodes(), image.shared().size() / 1024,
                                 m.is_mixed ? "mixed" : dsm::to_string(m.protocol),
                                 dsm::to_string(m.directory)));
    t += row(
        programs.has_interest() ? "region of interest" : "cycles",
        fmt::format("{} cycles, {} instructions, CPI {:.2f}", programs.interest_cycles(),
                    all.instructions,
                    all.instructions == 0 ? 0 : double(all.total()) / double(all.instructions)));
    std::string stack;
    for (uint32_t k = 0; k < NumCycleKinds; ++k)
        stack += fmt::format("{}{} {:.1f} %", k == 0 ? "" : ", ", words_of(CycleKindNames[k]),
                             100 * ratio(all.cycles[k], all.total()));
    t += row("CPI stack", stack);
    t += row("per node", fmt::format("{:>12} {:>12} {:>12}", "min", "mean", "max"));
    const auto node_row = [&](const std::string& name, const Range& r) {
        t += row("  " + name, fmt::format("{:>12} {:>12.0f} {:>12}", r.min, r.mean, r.max));
    };
    node_row("instructions",
             over_harts(harts, [&](uint32_t h) { return programs.counts(h).instructions; }));
    for (uint32_t k = 0; k < NumCycleKinds; ++k)
        if (all.cycles[k] != 0)
            node_row(words_of(CycleKindNames[k]) + " cycles",
                     over_harts(harts, [&](uint32_t h) { return programs.counts(h).cycles[k]; }));
    const Latency l = profile.latency().summary();
    t += row("shared accesses",
             fmt::format("{} loads, {} stores, {} misses ({:.2f} %)", all.loads, all.stores,
                         all.misses, 100 * ratio(all.misses, all.loads + all.stores)));
    std::string causes;
    for (uint32_t c = 0; c < NumCauses; ++c)
        if (profile.causes()[c] != 0)
            causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", profile.causes()[c],
                                  words_of(CauseNames[c]));
    if (!causes.empty()) {
        t += row("misses by cause", causes);
        t += row("miss latency",
                 fmt::format("{:.1f} cycles mean, {} 99 %, {} max", l.mean, l.p99, l.max));
    }
    t += hottest(programs);
    const dsm::Statistics& s = memory.statistics();
    t += row("whole run", fmt::format("{} cycles, {} instructions; {} multicasts, {} unicasts to "
                                      "sharers, {} recalls, {} network barriers",
                                      programs.cycles(), programs.instructions(), s.multicasts,
                                      s.unicasts, s.recalls, barrier ? barrier->completed() : 0));
    if (s.retries + s.timeouts + s.damaged + s.resends + s.failed != 0)
        t += row("faults", fmt::format("{} retry, {} time-out, {} damaged; {} requests sent again",
                                       s.retries, s.timeouts, s.damaged, s.resends));
    t += row("checked", m.is_checked ? fmt::format("{} violations", memory.violations()) : "no");
    const std::string hint = advice(all, profile, image);
    if (!hint.empty()) t += row("advice", hint);
    return t;
}

}  // namespace rdt::exec
