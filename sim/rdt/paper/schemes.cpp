// SPDX-License-Identifier: MIT
// The three schemes of the reduced hierarchical bit-map directory side by side: superfluous copies,
// copies over links, steps to the last receiver, over the number of sharers.
#include <rdt/paper/schemes.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <rdt/net/rdt/multicast_schemes.h>
#include <rdt/support/random.h>

namespace rdt::paper {

namespace {

struct Scheme {
    const char* name;
    Type type;
};
constexpr Scheme Schemes[] = {{"SM", TypeMcSm}, {"LPRA", TypeMcLpra}, {"LARP", TypeMcLarp}};

struct Means {
    double superfluous = 0;
    double hops = 0;
    double steps = 0;
};

// Sharers near the home lie within `reach` of it in x and y, or anywhere.
std::vector<uint32_t> draw_sharers(const Geometry& g, uint32_t home, uint32_t count, int reach,
                                   Random& random) {
    std::vector<uint32_t> sharers;
    while (sharers.size() < count) {
        const uint32_t node =
            reach == 0 ? random.below(g.nodes())
                       : g.shifted(home, {int(random.below(uint32_t(2 * reach))) - reach,
                                          int(random.below(uint32_t(2 * reach))) - reach});
        if (std::find(sharers.begin(), sharers.end(), node) == sharers.end())
            sharers.push_back(node);
    }
    return sharers;
}

Means measure(const Geometry& g, const MapTable& table, Type type, uint32_t count, int reach,
              uint32_t draws) {
    Means m;
    Random random(count);  // the same homes and sharers for all three
    for (uint32_t i = 0; i < draws; ++i) {
        const uint32_t home = random.below(g.nodes());
        const std::vector<uint32_t> sharers = draw_sharers(g, home, count, reach, random);
        const MulticastReach r = follow(g, home, entry_of(table, type, home, sharers));
        for (const uint32_t sharer : sharers)
            if (r.receipts[sharer] != 1)
                throw std::runtime_error("a sharer does not get its copy, or gets two");
        const auto copies =
            g.nodes() - uint32_t(std::count(r.receipts.begin(), r.receipts.end(), 0));
        m.superfluous += double(copies - count) / draws;
        m.hops += double(r.hops) / draws;
        m.steps += double(r.steps) / draws;
    }
    return m;
}

// Writes to lines with four sharers each, through routers with pruning caches: superfluous copies
// per write, once every line has been written.
double superfluous_with_pruning(const Geometry& g, const MapTable& table, Type type,
                                uint32_t entries, uint32_t lines) {
    constexpr uint32_t Sharers = 4, WritesPerLine = 8;
    struct Line {
        uint32_t home;
        DirectoryEntry entry;
        std::vector<bool> is_sharer;
    };
    Random random(Sharers);
    std::vector<Line> memory;
    for (uint32_t i = 0; i < lines; ++i) {
        const uint32_t home = random.below(g.nodes());
        const std::vector<uint32_t> sharers = draw_sharers(g, home, Sharers, 0, random);
        Line line{home, entry_of(table, type, home, sharers), std::vector<bool>(g.nodes(), false)};
        for (const uint32_t sharer : sharers) line.is_sharer[sharer] = true;
        memory.push_back(std::move(line));
    }
    PruningCaches caches(g.nodes(), entries);
    uint64_t superfluous = 0;
    for (uint32_t i = 0; i < lines * (WritesPerLine + 1); ++i) {
        const uint32_t number = i < lines ? i : random.below(lines);
        const Line& line = memory[number];
        const MulticastReach r = follow(g, line.home, line.entry, number, line.is_sharer, caches);
        uint32_t copies = 0;
        for (uint32_t node = 0; node < g.nodes(); ++node) {
            if (line.is_sharer[node] && r.receipts[node] != 1)
                throw std::runtime_error("pruning takes a sharer's copy away, or doubles it");
            copies += r.receipts[node] != 0 ? 1 : 0;
        }
        if (i >= lines) superfluous += copies - Sharers;
    }
    return double(superfluous) / (lines * WritesPerLine);
}

void add_pruning(Report& r, const Geometry& g, const MapTable& table, const Options& options) {
    const uint32_t lines = 64;
    std::vector<uint32_t> sizes{0, 16, 64};
    if (options.pruning) sizes = {0, *options.pruning};
    for (const Scheme& s : Schemes)
        for (const uint32_t entries : sizes) {
            options.say(fmt::format("schemes, {}, pruning of {} entries", s.name, entries));
            r.values.push_back(
                {fmt::format("{} nodes, 4 sharers anywhere, {}, pruning of {} entries: superfluous "
                             "copies",
                             g.nodes(), s.name, entries),
                 superfluous_with_pruning(g, table, s.type, entries, lines),
                 {},
                 1,
                 fmt::format("{} lines, written at random", lines)});
        }
}

}  // namespace

Report schemes(const Options& options) {
    Report r{"schemes", "Directories by SM, LPRA and LARP: what they send too much", {}, {}, {}};
    for (const int side : {8, 32}) {
        const Geometry g(side);
        const MapTable table(g);
        const uint32_t draws = options.quick ? 50 : 1000;
        r.values.push_back(
            {fmt::format("{} nodes, bits of an entry by any of the three", g.nodes()),
             8.0 * (g.top_rank() + 1),
             {},
             0,
             fmt::format("a full map has {}, a pointer {}", g.nodes(), std::log2(g.nodes()))});
        for (const bool near : {false, true}) {
            const int reach = near ? (side == 8 ? 2 : 4) : 0;
            Plot plot{
                fmt::format("{} nodes, sharers {}", g.nodes(), near ? "near the home" : "anywhere"),
                "sharers",
                "superfluous copies",
                {},
                0};
            for (const Scheme& s : Schemes) {
                Curve curve{s.name, {}, false};
                for (uint32_t count = 1; count <= 16; count *= 2) {
                    options.say(fmt::format("schemes, {}, {} sharers", s.name, count));
                    const Means m = measure(g, table, s.type, count, reach, draws);
                    curve.points.push_back({double(count), m.superfluous});
                    r.values.push_back(
                        {fmt::format("{} nodes, {} sharers {}, {}: superfluous copies", g.nodes(),
                                     count, near ? "near" : "anywhere", s.name),
                         m.superfluous,
                         {},
                         1,
                         fmt::format("{:.1f} copies over links, {:.1f} steps", m.hops, m.steps)});
                }
                plot.curves.push_back(curve);
            }
            r.plots.push_back(
                {fmt::format("schemes_{}_{}", g.nodes(), near ? "near" : "anywhere"), plot});
        }
        if (side == 8 || !options.quick) add_pruning(r, g, table, options);
    }
    r.notes = {
        "Homes and sharers are drawn at random, the same for all three; near: within 2 or 4 of",
        "the home in x and y. Followed through the chip's bit-map generator and header changes;",
        "every sharer gets one copy. Steps are hops to the last receiver, without contention.",
        "Pruning: a cache per router remembers through which outputs sharers of a line were "
        "reached."};
    return r;
}

}  // namespace rdt::paper
