// SPDX-License-Identifier: MIT
// Rates between nodes from a file, as Noxim's traffic tables: one pair a line, % or # begins a
// comment.
//
//   SOURCE DESTINATION [RATE]
//
// Rates are relative, 1 by default. The source with the highest rate sends at the given injection
// rate, the others in proportion. A node is its number or label. Noxim's fields after the rate
// (retransmission, times) are refused, unless they have no effect.
#pragma once

#include <string>
#include <vector>

#include <rdt/net/graph/network.h>

namespace rdt {

// By source, from first[source] to first[source + 1]: destinations, each as often as packets go
// there; the source itself stands for those that are not sent.
struct DrawLists {
    std::vector<uint32_t> first;
    std::vector<NodeId> list;
};

// Throws NetworkError, one line with the path and the number of the line. Rates are rounded to
// 1/4096 of the largest sum of a source, coarser beyond 4096 nodes.
DrawLists read_traffic_table(const std::string& path, const Network& network);
DrawLists parse_traffic_table(const std::string& text, const std::string& path,
                              const Network& network);

// A fingerprint of the file of "table:PATH"; empty for other patterns.
bool is_traffic_table(const std::string& name);
std::string traffic_table_path(const std::string& name);
std::string traffic_fingerprint(const std::string& name);  // empty: not from a file

}  // namespace rdt
