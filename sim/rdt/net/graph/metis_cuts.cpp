// SPDX-License-Identifier: MIT
#include <rdt/net/graph/partition.h>

#ifdef RDT_METIS
#include <metis.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <map>

namespace rdt {

namespace {

// The larger the network, the fewer: METIS takes a second for 65,536 nodes.
constexpr uint32_t MostSeeds = 160;
constexpr uint32_t FewestSeeds = 6;
constexpr uint32_t Ends = 2'000'000;  // limit of link ends, over all seeds

// METIS takes SIGTERM and SIGABRT for its own errors while it works, and leaves handlers behind
// that are not as they were. Signals wait here until it is done.
class SignalsHeld {
public:
    SignalsHeld() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &m_mask);
        for (size_t i = 0; i < Taken.size(); ++i) sigaction(Taken[i], nullptr, &m_actions[i]);
    }
    ~SignalsHeld() {
        for (size_t i = 0; i < Taken.size(); ++i) sigaction(Taken[i], &m_actions[i], nullptr);
        pthread_sigmask(SIG_SETMASK, &m_mask, nullptr);
    }
    SignalsHeld(const SignalsHeld&) = delete;
    SignalsHeld& operator=(const SignalsHeld&) = delete;

private:
    static constexpr std::array<int, 2> Taken = {SIGTERM, SIGABRT};
    sigset_t m_mask{};
    std::array<struct sigaction, Taken.size()> m_actions{};
};

}  // namespace

std::vector<Halves> metis_cuts(const LinkTable& links) {
    // METIS requires no loops, and parallel links as one with a weight.
    std::vector<idx_t> first{0}, to, weight;
    for (NodeId node = 0; node < links.nodes(); ++node) {
        std::map<NodeId, idx_t> neighbors;
        links.for_neighbors(node, [&](NodeId other) {
            if (other != node) ++neighbors[other];
        });
        for (const auto& [other, count] : neighbors) {
            to.push_back(idx_t(other));
            weight.push_back(count);
        }
        first.push_back(idx_t(to.size()));
    }
    std::vector<Halves> cuts;
    if (links.nodes() < 4) return cuts;
    const uint32_t seeds = std::clamp(Ends / std::max(1u, links.places()), FewestSeeds, MostSeeds);
    for (uint32_t seed = 0; seed < seeds; ++seed) {
        idx_t options[METIS_NOPTIONS];
        METIS_SetDefaultOptions(options);
        options[METIS_OPTION_SEED] = idx_t(seed + 1);
        options[METIS_OPTION_NITER] = 30;
        options[METIS_OPTION_NCUTS] = 4;
        options[METIS_OPTION_UFACTOR] = 1;  // halves that differ by a thousandth at most
        options[METIS_OPTION_CTYPE] = seed % 2 == 0 ? METIS_CTYPE_SHEM : METIS_CTYPE_RM;
        idx_t nodes = idx_t(links.nodes()), constraints = 1, parts = 2, found = 0;
        std::vector<idx_t> part(links.nodes());
        const SignalsHeld held;
        if (METIS_PartGraphRecursive(&nodes, &constraints, first.data(), to.data(), nullptr,
                                     nullptr, weight.data(), &parts, nullptr, nullptr, options,
                                     &found, part.data()) != METIS_OK)
            continue;
        Halves halves(links.nodes());
        for (NodeId node = 0; node < links.nodes(); ++node) halves[node] = part[node] != 0;
        balance(links, halves);
        cuts.push_back(std::move(halves));
    }
    return cuts;
}

}  // namespace rdt
#else
namespace rdt {

std::vector<Halves> metis_cuts(const LinkTable&) { return {}; }

}  // namespace rdt
#endif
