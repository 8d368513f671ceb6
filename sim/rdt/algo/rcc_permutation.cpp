// SPDX-License-Identifier: MIT
#include <rdt/algo/rcc_permutation.h>

#include <algorithm>
#include <map>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/rcc_sort.h>
#include <rdt/algo/inputs.h>

namespace rdt::algo {

namespace {

struct Message {
    NodeId source;
    NodeId target;
    NodeId at;
};

class Router {
public:
    Router(StepMachine& machine, const Rcc& network)
        : m_machine(machine), m_network(network), m_side(network.side()) {}

    // The three numbered steps of Algorithm 1. At most `limit` messages go over a transpose link,
    // those from the lowest sources; the others are returned. Messages are in order of sources.
    std::vector<Message> algorithm1(std::vector<Message>& messages, uint32_t limit) {
        // Those that stay in their row arrive in the first step.
        go(messages, [&](const Message& m) {
            const uint32_t row = m.at / m_side;
            return row == m.target / m_side ? m.target : row * m_side + m.target / m_side;
        });
        std::map<NodeId, uint32_t> waiting;
        std::vector<Message> kept, dropped;
        for (const Message& m : messages) {
            const bool crosses = m.at / m_side != m.target / m_side;
            (crosses && ++waiting[m.at] > limit ? dropped : kept).push_back(m);
        }
        messages = std::move(kept);
        cross(messages);
        go(messages, [](const Message& m) { return m.target; });
        return dropped;
    }

    // The four numbered steps of Algorithm 2. Messages that stay in their row go there in the
    // second one, while the others are in theirs.
    void algorithm2(std::vector<Message>& messages) {
        const auto changes_row = [&](const Message& m) {
            return m.source / m_side != m.target / m_side;
        };
        transpose(messages, changes_row);
        go(messages, [&](const Message& m) {
            return changes_row(m) ? m.at / m_side * m_side + m.target / m_side : m.target;
        });
        transpose(messages, changes_row);
        go(messages, [](const Message& m) { return m.target; });
    }

    uint32_t largest_load() const { return m_largest_load; }
    void forget_load() { m_largest_load = 0; }

private:
    // Transpose those that have to change their row.
    void cross(std::vector<Message>& messages) {
        transpose(messages, [&](const Message& m) { return m.at / m_side != m.target / m_side; });
    }

    template <class Who>
    void transpose(std::vector<Message>& messages, Who&& who) {
        const uint32_t level = m_network.level();
        std::map<NodeId, uint32_t> load;
        for (const Message& m : messages)
            if (who(m) && !m_network.is_leader(m.at, level, 2))
                m_largest_load = std::max(m_largest_load, ++load[m.at]);
        go(messages,
           [&](const Message& m) { return who(m) ? m_network.transposed(m.at, level) : m.at; });
    }

    // Every message goes to the node that `where` returns, by Algorithm 1 within the row.
    template <class Where>
    void go(std::vector<Message>& messages, Where&& where) {
        std::vector<Rhsn::Path> paths;
        std::vector<size_t> done(messages.size(), 0);
        for (const Message& m : messages) paths.push_back(m_network.algorithm1(m.at, where(m)));
        for (;;) {
            // One message per link, the first that needs it.
            std::vector<size_t> moving;
            std::map<std::pair<NodeId, uint32_t>, size_t> busy;
            for (size_t i = 0; i < messages.size(); ++i) {
                if (done[i] == paths[i].size()) continue;
                const Rhsn::Hop& hop = paths[i][done[i]];
                if (busy.emplace(std::pair(hop.from, hop.port), i).second) moving.push_back(i);
            }
            if (moving.empty()) return;
            m_machine.step<size_t>(
                [&](auto&& send) {
                    for (size_t i : moving) send(messages[i].at, paths[i][done[i]].port, i);
                },
                [&](NodeId to, NodeId, size_t i) {
                    messages[i].at = to;
                    ++done[i];
                });
        }
    }

    StepMachine& m_machine;
    const Rcc& m_network;
    const uint32_t m_side;
    uint32_t m_largest_load = 0;
};

}  // namespace

Permutation permute(const Rcc& network, const std::vector<NodeId>& to, int algorithm) {
    StepMachine machine(network, PortModel::AllPort);
    Router router(machine, network);
    const uint32_t side = network.side();
    std::vector<Message> messages;
    for (NodeId v = 0; v < network.nodes(); ++v) messages.push_back({v, to[v], v});
    std::vector<uint32_t> arrivals(network.nodes(), 0);
    bool right = true;
    const auto arrive = [&](const std::vector<Message>& all) {
        for (const Message& m : all) {
            right = right && m.at == m.target && to[m.source] == m.at;
            ++arrivals[m.at];
        }
    };
    Permutation p;
    std::vector<Message> late;
    if (algorithm == 2) std::swap(messages, late);
    const uint32_t limit = algorithm == 3 ? quarter_of(side) : network.nodes();
    p.dropped = uint32_t(router.algorithm1(messages, limit).size());
    arrive(messages);
    if (algorithm == 3) {
        std::vector<Message> acks;
        for (const Message& m : messages) acks.push_back({m.at, m.source, m.at});
        std::sort(acks.begin(), acks.end(),
                  [](const Message& a, const Message& b) { return a.source < b.source; });
        router.forget_load();
        router.algorithm1(acks, network.nodes());
        p.largest_acks = router.largest_load();
        // A sender without an acknowledgment sends the message again.
        std::vector<bool> heard(network.nodes(), false);
        for (const Message& ack : acks) heard[ack.at] = true;
        for (NodeId v = 0; v < network.nodes(); ++v)
            if (!heard[v]) late.push_back({v, to[v], v});
    }
    router.forget_load();
    router.algorithm2(late);
    p.largest_late = router.largest_load();
    arrive(late);
    p.steps = machine.steps();
    p.delivered = right && std::all_of(arrivals.begin(), arrivals.end(),
                                       [](uint32_t count) { return count == 1; });
    return p;
}

namespace {

std::vector<NodeId> destinations(const Rcc& network, const std::string& pattern, uint64_t seed) {
    if (pattern == "random") {
        Random random(seed);
        return random_order<NodeId>(network.nodes(), random);
    }
    const uint32_t side = network.side();
    std::vector<NodeId> to(network.nodes());
    for (NodeId v = 0; v < to.size(); ++v) {
        const uint32_t i = v / side, j = v % side;
        to[v] = pattern == "rows" ? (i + 1) % side * side + j : (j + 1) % side * side + i;
    }
    return to;
}

Outcome run_permutation(const Network& network, const Parameters& parameters) {
    const Rcc& rcc = as_rcc(network);
    if (rcc.level() == 0) throw NetworkError("permute takes rcc:NA,L with L from 1");
    const std::string& pattern = parameters.word("pattern", {"random", "rows", "columns"});
    const auto algorithm = int(parameters.number("algorithm", 1, 3));
    const Permutation p = permute(rcc, destinations(rcc, pattern, parameters.seed()), algorithm);
    Outcome o;
    o.steps = p.steps;
    if (algorithm == 3) o.bound = RccFormulas{rcc.atom(), rcc.level()}.permutation_steps();
    o.correct = p.delivered;
    o.counts = {
        {"dropped", p.dropped}, {"largest_acks", p.largest_acks}, {"largest_late", p.largest_late}};
    return o;
}

const Algorithm permutation{"rcc",
                            "permute",
                            "a message from every node, by Algorithm 1, 2 or 3",
                            {{"algorithm", "3", "1 to 3"},
                             {"pattern", "random", "or rows: to the next row; columns: to a row"},
                             seed_parameter()},
                            run_permutation};

}  // namespace

}  // namespace rdt::algo
