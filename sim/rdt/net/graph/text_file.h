// SPDX-License-Identifier: MIT
// Files that users give as networks and traffic, read whole.
#pragma once

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include <rdt/net/graph/network.h>

namespace rdt {

// Throws NetworkError, one line with the path and the reason.
inline std::string text_of_file(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad() || (text.empty() && errno != 0))
        throw NetworkError(
            fmt::format("cannot read {}: {}", path, std::strerror(errno != 0 ? errno : EIO)));
    return text;
}

}  // namespace rdt
