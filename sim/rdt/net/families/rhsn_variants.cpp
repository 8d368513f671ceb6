// SPDX-License-Identifier: MIT
#include <rdt/net/families/rhsn_variants.h>

#include <fmt/core.h>

#include <rdt/net/graph/parameters.h>

namespace rdt {

namespace {

constexpr const char* CopiesForm = "rhsn-copies:BLOCKS,L,...,L,NUCLEUS";
constexpr const char* PartForm = "rhsn-part:CLUSTERS,L,...,L,NUCLEUS";

uint32_t copies_of(const Rhsn& one, uint32_t blocks) {
    const SwapShape& shape = one.shape();
    if (blocks < 1 || blocks > shape.levels(shape.depth()))
        throw NetworkError(fmt::format("{} has {} blocks; of these 1 to all number the copies",
                                       one.name(), shape.levels(shape.depth())));
    const uint32_t copies = checked_power(shape.block_size(shape.depth()), blocks);
    checked_nodes(uint64_t(copies) * one.nodes());
    return copies;
}

uint32_t cluster_of(const Rhsn& whole, uint32_t clusters) {
    const uint32_t all = whole.shape().block_size(whole.shape().depth());
    if (clusters < 1 || clusters > all)
        throw NetworkError(
            fmt::format("{} has {} topmost clusters, not {}", whole.name(), all, clusters));
    return whole.nodes() / all;
}

// The number in front, and the RHSN behind it.
std::pair<uint32_t, std::shared_ptr<const Rhsn>> parsed(const std::string& text, const char* form) {
    const size_t comma = text.find(',');
    if (comma == std::string::npos)
        throw NetworkError(fmt::format("cannot read \"{}\"; the form is {}", text, form));
    const uint32_t number = parse_number(text.substr(0, comma), form, 1, 1u << 22);
    std::shared_ptr<const Network> network = make_network("rhsn:" + text.substr(comma + 1));
    return {number, std::dynamic_pointer_cast<const Rhsn>(network)};
}

const NetworkKind copies_kind{
    "rhsn-copies", CopiesForm, "copies of an RHSN joined by one more link per node",
    [](const std::string& text) {
        const auto [blocks, one] = parsed(text, CopiesForm);
        return std::make_unique<RhsnCopies>("rhsn-copies:" + text, one, blocks);
    }};
const NetworkKind part_kind{
    "rhsn-part", PartForm, "the first topmost clusters of an RHSN", [](const std::string& text) {
        const auto [clusters, whole] = parsed(text, PartForm);
        return std::make_unique<RhsnPart>("rhsn-part:" + text, *whole, clusters);
    }};

}  // namespace

RhsnCopies::RhsnCopies(const std::string& name, std::shared_ptr<const Rhsn> one, uint32_t blocks)
    : GraphNetwork(name, one->nodes() * copies_of(*one, blocks), one->ports() + 1,
                   [&](NodeId v, uint32_t port) -> std::optional<NodeId> {
                       const uint32_t copies = copies_of(*one, blocks), nodes = one->nodes();
                       const uint32_t copy = v / nodes, node = v % nodes;
                       if (port == one->ports())
                           return node % copies * nodes + node - node % copies + copy;
                       const auto to = one->neighbor(node, port);
                       if (!to) return std::nullopt;
                       return copy * nodes + *to;
                   }),
      m_one(std::move(one)),
      m_blocks(blocks) {}

RhsnPart::RhsnPart(const std::string& name, const Rhsn& whole, uint32_t clusters)
    : GraphNetwork(name, clusters * cluster_of(whole, clusters), whole.ports(),
                   [&](NodeId v, uint32_t port) {
                       const uint32_t nodes = clusters * cluster_of(whole, clusters);
                       const auto to = whole.neighbor(v, port);
                       return to && *to < nodes ? to : std::nullopt;
                   }) {}

}  // namespace rdt
