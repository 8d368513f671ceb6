// SPDX-License-Identifier: MIT
// Networks in files: GraphML, which networkx, igraph, Gephi and yEd read and write, and the anynet
// format of BookSim. `file:PATH` is the name of such a network wherever a name is taken.
#pragma once

#include <string>
#include <vector>

#include <rdt/net/graph/network.h>

namespace rdt {

// A network read from a file: the fingerprint changes with the contents of the file.
class WithFingerprint {
public:
    virtual ~WithFingerprint() = default;
    virtual std::string fingerprint() const = 0;
};
// Empty for a network that is known by its name.
std::string fingerprint_of(const Network& network);

// Contents of a file.
struct FileGraph {
    struct Node {
        std::string label;
        Position position;
        double order = 0;
    };
    // Ports are NoPort where the file does not number them; of a directed link, the target's always
    // is.
    struct Link {
        NodeId from;
        NodeId to;
        uint32_t from_port = NoPort;
        uint32_t to_port = NoPort;
    };
    bool directed = false;
    bool has_positions = false;
    bool has_order = false;  // nodes, for a first cut (net/graph/partition.h)
    Position period;
    std::vector<Node> nodes;
    std::vector<Link> links;
};

// Parse the text of a file; `path` is used in messages only. Throw NetworkError, one line that
// begins with the path.
FileGraph parse_graphml(const std::string& text, const std::string& path);
FileGraph parse_anynet(const std::string& text, const std::string& path);

// The network of a text. Throws NetworkError for one that no packet can live in: a link from a node
// to itself, a node that cannot be reached, two links at one port.
std::unique_ptr<Network> make_file_network(FileGraph graph, const std::string& path);
// By the ending of the name, .graphml, .xml or .anynet.
std::unique_ptr<Network> read_network(const std::string& path);

// Any network as text. GraphML keeps everything: labels, ports, places of nodes in the picture.
// anynet keeps the links alone, and has no directed ones, nor two between the same two nodes:
// NetworkError.
std::string to_graphml(const Network& network);
std::string to_anynet(const Network& network);

}  // namespace rdt
