// SPDX-License-Identifier: MIT
// Files, of which a page has none: replaces net/graph/traffic_table.cpp.
#include <rdt/net/graph/traffic_table.h>

namespace rdt {

bool is_traffic_table(const std::string& /*name*/) { return false; }
std::string traffic_table_path(const std::string& name) { return name; }
DrawLists read_traffic_table(const std::string& path, const Network& /*network*/) {
    throw NetworkError("there is no file " + path + " in a page");
}

}  // namespace rdt
