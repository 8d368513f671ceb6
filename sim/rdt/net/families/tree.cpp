// SPDX-License-Identifier: MIT
// A complete tree, with which the RDT paper compares broadcasts (Table VI).
#include <rdt/net/graph/graph_network.h>
#include <rdt/net/graph/parameters.h>

namespace rdt {

namespace {

// Nodes level by level from the root, 0. Port 0 leads up, the others to the children.
class Tree : public GraphNetwork {
public:
    Tree(uint32_t arity, uint32_t depth, uint32_t nodes)
        : GraphNetwork(
              "tree:" + std::to_string(arity) + "," + std::to_string(depth), nodes, arity + 1,
              [=](NodeId node, uint32_t port) -> std::optional<NodeId> {
                  if (port == 0)
                      return node == 0 ? std::nullopt : std::optional<NodeId>((node - 1) / arity);
                  const uint64_t child = uint64_t(node) * arity + port;
                  return child < nodes ? std::optional<NodeId>(NodeId(child)) : std::nullopt;
              }) {}
};

std::unique_ptr<Network> make_tree(const std::string& parameters) {
    const std::string form = "tree:ARITY,DEPTH";
    const auto p = parse_numbers(parameters, ',', form, 2, 2);
    if (p[0] < 2 || p[0] > 64 || p[1] < 1 || p[1] > 21)
        throw NetworkError(form + ": must have 2 to 64 children per node and a depth of 1 to 21");
    uint64_t nodes = 1, level = 1;
    for (uint32_t d = 0; d < p[1]; ++d) {
        level = checked_nodes(level * p[0]);
        nodes = checked_nodes(nodes + level);
    }
    return std::make_unique<Tree>(p[0], p[1], uint32_t(nodes));
}

const NetworkKind tree_kind{"tree", "tree:ARITY,DEPTH",
                            "complete tree; its last level is DEPTH hops from the root", make_tree};

}  // namespace

}  // namespace rdt
