// SPDX-License-Identifier: MIT
// The broadcasts as `rdt net run` offers them, beside the step counts of Latifi, de Azevedo and
// Bagherzadeh.
#include <fmt/core.h>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/broadcast.h>

namespace rdt::algo {

namespace {

const Parameter Ports{"ports", "one", "one or all: ports a node may use in a step"};
const Parameter From{"from", "0", "node that has the message, by index"};
const Parameter Messages{"messages", "1", "sent behind each other"};
const Parameter Interval{"interval", "round",
                         "between two messages: round, or step (all ports only)"};
constexpr uint32_t MaxMessages = 1000;

uint32_t ceil_log2(uint32_t n) { return n < 2 ? 0 : 1 + ceil_log2((n + 1) / 2); }

PortModel model_of(const Parameters& p) {
    return p.word("ports", {"one", "all"}) == "one" ? PortModel::OnePort : PortModel::AllPort;
}

NodeId source_of(const Parameters& p, const Network& network) {
    return NodeId(p.number("from", 0, network.nodes() - 1));
}

Outcome outcome_of(const Network& network, PortModel model, const Schedule& schedule, NodeId source,
                   uint64_t bound) {
    const BroadcastResult r = run_broadcast(network, model, schedule, source, 1, 1);
    Outcome o{r.steps, bound, r.complete, "", {}};
    o.counts = {{"lateral_steps", schedule.lateral}, {"local_steps", schedule.local()}};
    return o;
}

Outcome on_scc(const Network& network, const Parameters& p) {
    const PortModel model = model_of(p);
    const bool one_port = model == PortModel::OnePort;
    const auto messages = uint32_t(p.number("messages", 1, MaxMessages));
    const bool by_step = p.word("interval", {"round", "step"}) == "step";
    if (by_step && one_port)
        throw NetworkError(
            "interval=step needs ports=all; with one port allowed is interval=round");
    const NodeId source = source_of(p, network);
    const Schedule schedule = scc_broadcast(network, model, source);
    // The theorems' lengths of a round and of the whole.
    const uint32_t n = ring_size(network) + 1;
    const uint32_t round = one_port ? (n + 2) / 2 : (n + 1) / 2;
    const uint32_t rounds = 3 * (n - 1) / 2;
    const uint32_t interval = by_step ? 1 : round;
    const BroadcastResult r = run_broadcast(network, model, schedule, source, messages, interval);
    Outcome o{r.steps, round * rounds + uint64_t(messages - 1) * interval, r.complete, "", {}};
    o.counts = {{"lateral_steps", schedule.lateral},
                {"local_steps", schedule.local()},
                {"running_time", schedule.lateral + schedule.local() / (round - 1)},
                {"buffers", r.buffers}};
    o.text = fmt::format("running time in lateral steps, local links being {} times as fast\n",
                         round - 1);
    return o;
}

Outcome on_ccc(const Network& network, const Parameters& p) {
    const NodeId source = source_of(p, network);
    const Schedule schedule = ccc_broadcast(network, source);
    const uint32_t n = ring_size(network);
    Outcome o = outcome_of(network, PortModel::OnePort, schedule, source, (5 * n + 1) / 2 - 1);
    o.text =
        fmt::format("running time   {:.1f} lateral steps, if local links are {} times as fast\n",
                    n + double(schedule.local()) / (n / 2), n / 2);
    return o;
}

Outcome on_hypercube(const Network& network, const Parameters& p) {
    const NodeId source = source_of(p, network);
    return outcome_of(network, PortModel::OnePort, hypercube_broadcast(network, source), source,
                      network.ports());
}

Outcome on_star(const Network& network, const Parameters& p) {
    const PortModel model = model_of(p);
    const NodeId source = source_of(p, network);
    const uint32_t n = network.ports() + 1;
    if (model == PortModel::AllPort)
        return outcome_of(network, model, flood(network, source), source, 3 * (n - 1) / 2);
    uint64_t bound = 0;
    for (uint32_t i = 2; i <= n; ++i) bound += ceil_log2(i) + 1;
    return outcome_of(network, model, matched_broadcast(network, source), source, bound);
}

const Algorithm scc{"scc",
                    "broadcast",
                    "the cyclic sequence, round by round, also pipelined",
                    {Ports, From, Messages, Interval},
                    on_scc};
const Algorithm ccc{
    "ccc", "broadcast", "alternating lateral and local steps, one port", {From}, on_ccc};
const Algorithm hypercube{
    "hypercube", "broadcast", "a dimension a step, one port", {From}, on_hypercube};
const Algorithm star{"star",
                     "broadcast",
                     "to a neighbor that has it not, or to all of them",
                     {Ports, From},
                     on_star};

}  // namespace

}  // namespace rdt::algo
