// SPDX-License-Identifier: MIT
// Random access and its routines on random inputs, for rdt net run.
#include <fmt/core.h>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/inputs.h>
#include <rdt/algo/random_access.h>

namespace rdt::algo {

namespace {

// A random half of the nodes.
std::vector<bool> some_nodes(uint32_t nodes, Random& random) {
    std::vector<bool> selected(nodes);
    for (uint32_t v = 0; v < nodes; ++v) selected[v] = random.below(2) != 0;
    return selected;
}

Outcome outcome(const RandomAccess& access, uint64_t bound, bool correct) {
    Outcome o;
    o.steps = access.steps();
    o.bound = bound;
    o.correct = correct;
    return o;
}

Outcome run_rank(const Network& network, const Parameters& parameters) {
    RandomAccess access(as_rcc(network));
    Random random(parameters.seed());
    const std::vector<bool> selected = some_nodes(network.nodes(), random);
    const std::vector<uint32_t> ranks = access.rank(selected);
    bool correct = true;
    uint32_t plain = 0;
    for (NodeId v = 0; v < network.nodes(); ++v) {
        correct = correct && ranks[v] == plain;
        plain += selected[v] ? 1 : 0;
    }
    Outcome o = outcome(access, access.pass_steps(), correct);
    o.counts = {{"computation steps of a node", access.computations()}};
    return o;
}

Outcome run_compress(const Network& network, const Parameters& parameters) {
    RandomAccess access(as_rcc(network));
    Random random(parameters.seed());
    const std::vector<bool> selected = some_nodes(network.nodes(), random);
    RandomAccess::Packets packets(network.nodes());
    std::vector<uint64_t> values;
    for (NodeId v = 0; v < network.nodes(); ++v) {
        if (!selected[v]) continue;
        const uint64_t value = random.next();
        packets[v] = {uint32_t(values.size()), value};
        values.push_back(value);
    }
    access.compress(packets);
    bool correct = true;
    for (NodeId v = 0; v < network.nodes(); ++v)
        correct = correct &&
                  (v < values.size() ? packets[v] && packets[v]->value == values[v] : !packets[v]);
    return outcome(access, access.pass_steps(), correct);
}

// Packets at the first nodes, for random ones in increasing order; by destination also in `sent`.
RandomAccess::Packets packets_for(const std::vector<bool>& destinations, Random& random,
                                  RandomAccess::Packets& sent) {
    RandomAccess::Packets packets(destinations.size());
    sent.assign(destinations.size(), std::nullopt);
    uint32_t source = 0;
    for (uint32_t v = 0; v < destinations.size(); ++v)
        if (destinations[v]) sent[v] = packets[source++] = RandomAccess::Packet{v, random.next()};
    return packets;
}

Outcome run_distribute(const Network& network, const Parameters& parameters) {
    RandomAccess access(as_rcc(network));
    Random random(parameters.seed());
    RandomAccess::Packets sent;
    RandomAccess::Packets packets = packets_for(some_nodes(network.nodes(), random), random, sent);
    access.distribute(packets);
    bool correct = true;
    for (NodeId v = 0; v < network.nodes(); ++v)
        correct =
            correct && (sent[v] ? packets[v] && packets[v]->value == sent[v]->value : !packets[v]);
    return outcome(access, access.pass_steps(), correct);
}

Outcome run_generalize(const Network& network, const Parameters& parameters) {
    RandomAccess access(as_rcc(network));
    Random random(parameters.seed());
    RandomAccess::Packets sent;
    RandomAccess::Packets packets = packets_for(some_nodes(network.nodes(), random), random, sent);
    access.generalize(packets);
    bool correct = true;
    const RandomAccess::Packet* next = nullptr;
    for (NodeId v = network.nodes(); v-- > 0;) {
        if (sent[v]) next = &*sent[v];
        correct = correct &&
                  (next != nullptr ? packets[v] && packets[v]->value == next->value : !packets[v]);
    }
    Outcome o = outcome(access, access.pass_steps(), correct);
    o.counts = {{"computation steps of a node", access.computations()}};
    return o;
}

// Seven of eight nodes issue a request; many for the same address.
RandomAccess::Addresses some_addresses(uint32_t nodes, Random& random) {
    RandomAccess::Addresses addresses(nodes);
    for (auto& a : addresses)
        if (random.below(8) != 0) a = random.below(2) != 0 ? random.below(nodes) : random.below(4);
    return addresses;
}

Outcome run_read(const Network& network, const Parameters& parameters) {
    RandomAccess access(as_rcc(network));
    Random random(parameters.seed());
    const RandomAccess::Addresses addresses = some_addresses(network.nodes(), random);
    const std::vector<uint64_t> memory = random_words(network.nodes(), random);
    const auto found = access.read(memory, addresses);
    bool correct = true;
    for (NodeId v = 0; v < network.nodes(); ++v)
        correct = correct && (addresses[v] ? found[v] == memory[*addresses[v]] : !found[v]);
    return outcome(access, access.read_steps(), correct);
}

Outcome run_write(const Network& network, const Parameters& parameters) {
    RandomAccess access(as_rcc(network));
    Random random(parameters.seed());
    const RandomAccess::Addresses addresses = some_addresses(network.nodes(), random);
    const std::vector<uint64_t> values = random_words(network.nodes(), random);
    std::vector<uint64_t> memory(network.nodes(), 0), plain = memory;
    access.write(memory, addresses, values);
    for (NodeId v = network.nodes(); v-- > 0;)
        if (addresses[v]) plain[*addresses[v]] = values[v];
    return outcome(access, access.write_steps(), memory == plain);
}

// One step of another network of the same size: every node gets what its neighbors hold, a read
// for each port.
Outcome run_emulate(const Network& network, const Parameters& parameters) {
    const auto guest = make_network(parameters.text("network"));
    if (guest->nodes() != network.nodes())
        throw NetworkError(fmt::format("{} has {} nodes and {} has {}; they have to have the same",
                                       guest->name(), guest->nodes(), network.name(),
                                       network.nodes()));
    RandomAccess access(as_rcc(network));
    Random random(parameters.seed());
    const std::vector<uint64_t> held = random_words(network.nodes(), random);
    bool correct = true;
    for (uint32_t port = 0; port < guest->ports(); ++port) {
        RandomAccess::Addresses addresses(network.nodes());
        for (NodeId v = 0; v < network.nodes(); ++v) addresses[v] = guest->neighbor(v, port);
        const auto found = access.read(held, addresses);
        for (NodeId v = 0; v < network.nodes(); ++v)
            correct = correct && (addresses[v] ? found[v] == held[*addresses[v]] : !found[v]);
    }
    return outcome(access, guest->ports() * access.read_steps(), correct);
}

const std::vector<Parameter> Seed{seed_parameter()};
const Algorithm emulate{"rcc",
                        "emulate",
                        "a step of another network: all neighbors' values",
                        {{"network", "", "of as many nodes"}, seed_parameter()},
                        run_emulate};
const Algorithm rank{"rcc", "rank", "how many selected nodes come before", Seed, run_rank};
const Algorithm compress{"rcc", "compress", "packets to the first nodes", Seed, run_compress};
const Algorithm distribute{"rcc", "distribute", "the reverse of it", Seed, run_distribute};
const Algorithm generalize{"rcc", "generalize", "packets copied to ranges", Seed, run_generalize};
const Algorithm rar{"rcc", "rar", "random access read", Seed, run_read};
const Algorithm raw{"rcc", "raw", "random access write", Seed, run_write};

}  // namespace

}  // namespace rdt::algo
