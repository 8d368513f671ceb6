// SPDX-License-Identifier: MIT
// Lines of a trace (machine/traffic/trace.h), written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace rdt::traces {

using WriteLine = std::function<void(const std::string& line)>;

// A message of so many bytes as the packets that carry it, of about the same length: a flit of the
// two slices of a node has four bytes.
std::vector<uint32_t> flits_of(uint64_t bytes);

struct Line {
    uint64_t clock = 0;
    uint32_t source = 0;
    uint32_t destination = 0;
    std::string maps;  // not empty: a multicast with these map bytes, as "ff:ff"
    std::string to;    // not empty: replaces destination, maps and length, as "answer:3"
    uint32_t flits = 0;
    std::vector<uint64_t> after;  // numbers of packets
    uint64_t delay = 0;           // cycles, once these have arrived
};
std::string to_text(const Line& line);  // with its end

}  // namespace rdt::traces
