// SPDX-License-Identifier: MIT
#include <rdt/net/graph/traffic_table.h>

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>

#include <rdt/net/graph/text_file.h>

namespace rdt {

namespace {

constexpr const char* Prefix = "table:";
constexpr uint64_t MostPlaces = 1 << 24;
constexpr uint64_t MostShares = 4096;

std::optional<double> number(const std::string& word) {
    double value = 0;
    const char* end = word.data() + word.size();
    const auto [at, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc() || at != end || !std::isfinite(value)) return std::nullopt;
    return value;
}

using Rates = std::map<NodeId, std::map<NodeId, double>>;

void read_line(const std::vector<std::string>& words, const Network& network, Rates& rates) {
    if (words.size() < 2) throw NetworkError("needs a source and a destination");
    const NodeId from = network.parse(words[0]);
    const NodeId to = network.parse(words[1]);
    if (from == to) throw NetworkError(fmt::format("node {} sends to itself", words[0]));
    const auto rate = words.size() > 2 ? number(words[2]) : 1;
    if (!rate || *rate < 0 || *rate > 1e9)
        throw NetworkError(fmt::format("{} is no rate, 0 or more", words[2]));
    if (words.size() > 3 && number(words[3]) != rate)
        throw NetworkError("has a rate of retransmission other than its rate; there is none here");
    if (words.size() > 4)
        throw NetworkError(
            "has times between which it sends; traffic of the lab is the same "
            "at all times");
    if (!rates[from].insert({to, *rate}).second)
        throw NetworkError(fmt::format("has {} to {} a second time", words[0], words[1]));
}

// List positions in proportion to the rates; the largest remainders get the positions left by
// rounding.
void add_places(const std::map<NodeId, double>& rates, double scale, std::vector<NodeId>& list) {
    double sum = 0;
    std::vector<std::pair<double, NodeId>> rests;
    uint64_t given = 0;
    for (const auto& [to, rate] : rates) {
        const double share = rate * scale;
        sum += share;
        const auto whole = uint64_t(share);
        given += whole;
        list.insert(list.end(), whole, to);
        rests.push_back({whole - share, to});  // the largest rest first
    }
    std::sort(rests.begin(), rests.end());
    const auto total = uint64_t(std::llround(sum));
    for (uint64_t i = 0; given < total && i < rests.size(); ++i, ++given)
        list.push_back(rests[i].second);
}

}  // namespace

bool is_traffic_table(const std::string& name) { return name.rfind(Prefix, 0) == 0; }
std::string traffic_table_path(const std::string& name) { return name.substr(std::strlen(Prefix)); }

DrawLists parse_traffic_table(const std::string& text, const std::string& path,
                              const Network& network) {
    Rates rates;
    std::istringstream lines(text);
    std::string line;
    for (uint64_t at = 1; std::getline(lines, line); ++at) {
        std::istringstream in(line.substr(0, line.find_first_of("%#")));
        const std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
        if (words.empty()) continue;
        try {
            read_line(words, network, rates);
        } catch (const NetworkError& e) {
            throw NetworkError(fmt::format("{}:{}: {}", path, at, e.what()));
        }
    }
    double most = 0;
    for (const auto& [from, list] : rates) {
        double sum = 0;
        for (const auto& [to, rate] : list) sum += rate;
        most = std::max(most, sum);
    }
    if (most == 0)
        throw NetworkError(
            fmt::format("{}: no node sends: at least one rate must be above 0", path));
    const auto shares = std::clamp<uint64_t>(MostPlaces / network.nodes(), 1, MostShares);
    DrawLists result;
    for (NodeId node = 0; node < network.nodes(); ++node) {
        result.first.push_back(uint32_t(result.list.size()));
        const auto it = rates.find(node);
        if (it == rates.end()) continue;
        add_places(it->second, double(shares) / most, result.list);
        const uint64_t used = result.list.size() - result.first.back();
        if (used < shares) result.list.insert(result.list.end(), shares - used, node);
    }
    result.first.push_back(uint32_t(result.list.size()));
    return result;
}

DrawLists read_traffic_table(const std::string& path, const Network& network) {
    return parse_traffic_table(text_of_file(path), path, network);
}

std::string traffic_fingerprint(const std::string& name) {
    if (!is_traffic_table(name)) return {};
    uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
    for (const char c : text_of_file(traffic_table_path(name)))
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return fmt::format("{:016x}", hash);
}

}  // namespace rdt
