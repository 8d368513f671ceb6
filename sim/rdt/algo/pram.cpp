// SPDX-License-Identifier: MIT
// Programs on the PRAM.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/random_access.h>
#include <rdt/algo/inputs.h>

namespace rdt::algo {

std::vector<std::optional<uint64_t>> Pram::read(const std::vector<uint64_t>& memory,
                                                const RandomAccess::Addresses& addresses) {
    ++m_reads;
    return m_access.read(memory, addresses);
}

void Pram::write(std::vector<uint64_t>& memory, const RandomAccess::Addresses& addresses,
                 const std::vector<uint64_t>& values) {
    ++m_writes;
    m_access.write(memory, addresses, values);
}

std::vector<uint64_t> Pram::prefix_sums(std::vector<uint64_t> x) {
    const uint32_t n = m_access.nodes();
    std::vector<uint64_t> mine = x;
    RandomAccess::Addresses before(n), own(n);
    for (uint32_t i = 0; i < n; ++i) own[i] = i;
    for (uint32_t distance = 1; distance < n; distance *= 2) {
        for (uint32_t i = 0; i < n; ++i)
            before[i] = i >= distance ? std::optional<uint32_t>(i - distance) : std::nullopt;
        const auto found = read(x, before);
        for (uint32_t i = 0; i < n; ++i) mine[i] += found[i].value_or(0);
        write(x, own, mine);
    }
    return x;
}

std::vector<uint64_t> Pram::list_ranks(std::vector<uint64_t> next) {
    const uint32_t n = m_access.nodes();
    std::vector<uint64_t> my_next = next, my_rank(n);
    for (uint32_t i = 0; i < n; ++i) my_rank[i] = next[i] == i ? 0 : 1;
    std::vector<uint64_t> rank = my_rank;
    RandomAccess::Addresses successor(n), own(n);
    for (uint32_t i = 0; i < n; ++i) own[i] = i;
    for (uint32_t reach = 1; reach < n; reach *= 2) {
        for (uint32_t i = 0; i < n; ++i) successor[i] = uint32_t(my_next[i]);
        const auto ranks = read(rank, successor), nexts = read(next, successor);
        for (uint32_t i = 0; i < n; ++i) {
            my_rank[i] += *ranks[i];
            my_next[i] = *nexts[i];
        }
        write(rank, own, my_rank);
        write(next, own, my_next);
    }
    return rank;
}

// Every round the root of a tree is hung below that of a smaller one, if an edge joins them, and
// all trees are made flat; of several edges that would move a root the write decides.
std::vector<uint64_t> Pram::components(uint32_t vertices, const std::vector<Edge>& edges) {
    const uint32_t n = m_access.nodes();
    std::vector<uint64_t> parent(n), flag(n, 0);
    std::iota(parent.begin(), parent.end(), 0);
    RandomAccess::Addresses one(n), other(n), all(n, 0u);
    for (uint32_t e = 0; e < edges.size(); ++e) {
        one[e] = edges[e].first;
        other[e] = edges[e].second;
    }
    for (bool changed = true; changed;) {
        const auto a = read(parent, one), b = read(parent, other);
        RandomAccess::Addresses root(n), signal(n);
        std::vector<uint64_t> below(n, 0);
        for (uint32_t e = 0; e < edges.size(); ++e) {
            if (*a[e] == *b[e]) continue;
            root[e] = uint32_t(std::max(*a[e], *b[e]));
            below[e] = std::min(*a[e], *b[e]);
            signal[e] = 0;
        }
        write(parent, root, below);
        std::fill(flag.begin(), flag.end(), 0);
        write(flag, signal, std::vector<uint64_t>(n, 1));
        changed = *read(flag, all)[0] != 0;
        RandomAccess::Addresses own(n), up(n);
        for (uint32_t height = 1; changed && height < vertices; height *= 2) {
            std::vector<uint64_t> mine(n, 0);
            for (uint32_t v = 0; v < vertices; ++v) own[v] = v;
            const auto parents = read(parent, own);
            for (uint32_t v = 0; v < vertices; ++v) up[v] = uint32_t(*parents[v]);
            const auto grandparents = read(parent, up);
            for (uint32_t v = 0; v < vertices; ++v) mine[v] = *grandparents[v];
            write(parent, own, mine);
        }
    }
    parent.resize(vertices);
    return parent;
}

namespace {

bool prefix_sums_are_right(Pram& pram, uint32_t nodes, Random& random) {
    const std::vector<uint64_t> x = random_words(nodes, random);
    std::vector<uint64_t> plain(nodes);
    std::partial_sum(x.begin(), x.end(), plain.begin());
    return pram.prefix_sums(x) == plain;
}

bool list_ranks_are_right(Pram& pram, uint32_t nodes, Random& random) {
    const auto order = random_order<uint64_t>(nodes, random);
    std::vector<uint64_t> next(nodes), plain(nodes);
    for (uint32_t i = 0; i < nodes; ++i) {
        next[order[i]] = order[std::min(i + 1, nodes - 1)];
        plain[order[i]] = nodes - 1 - i;
    }
    return pram.list_ranks(next) == plain;
}

bool components_are_right(Pram& pram, uint32_t nodes, Random& random) {
    std::vector<Pram::Edge> edges(nodes / 2);
    for (auto& [a, b] : edges) {
        a = random.below(nodes);
        b = random.below(nodes);
    }
    std::vector<uint64_t> plain(nodes);
    std::iota(plain.begin(), plain.end(), 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [a, b] : edges) {
            const uint64_t least = std::min(plain[a], plain[b]);
            changed = changed || plain[a] != plain[b];
            plain[a] = plain[b] = least;
        }
    }
    return pram.components(nodes, edges) == plain;
}

Outcome run_pram(const Network& network, const Parameters& parameters) {
    struct Program {
        const char* name;
        bool (*is_right)(Pram&, uint32_t, Random&);
    };
    constexpr Program Programs[] = {{"prefix", prefix_sums_are_right},
                                    {"list", list_ranks_are_right},
                                    {"components", components_are_right}};
    const std::string& wanted = parameters.word("program", {"all", "prefix", "list", "components"});
    RandomAccess access(as_rcc(network));
    Outcome o;
    o.correct = true;
    o.bound = 0;
    uint64_t reads = 0, writes = 0;
    for (const Program& program : Programs) {
        if (wanted != "all" && wanted != program.name) continue;
        Random random(parameters.seed());
        Pram pram(access);
        const uint64_t before = access.steps();
        const bool right = program.is_right(pram, network.nodes(), random);
        o.correct = o.correct && right;
        *o.bound += pram.reads() * access.read_steps() + pram.writes() * access.write_steps();
        reads += pram.reads();
        writes += pram.writes();
        o.text +=
            fmt::format("{:<14} {} reads, {} writes, {} steps, {}\n", program.name, pram.reads(),
                        pram.writes(), access.steps() - before, right ? "right" : "wrong");
    }
    o.steps = access.steps();
    o.counts = {{"reads", reads}, {"writes", writes}};
    return o;
}

const Algorithm pram{"rcc",
                     "pram",
                     "CRCW PRAM programs",
                     {{"program", "all", "or prefix, list, components"}, seed_parameter()},
                     run_pram};

}  // namespace

}  // namespace rdt::algo
