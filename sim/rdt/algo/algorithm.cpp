// SPDX-License-Identifier: MIT
#include <rdt/algo/algorithm.h>

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace rdt::algo {

namespace {

// The names of a list, or of what `name_of` takes from its elements.
template <class List, class NameOf>
std::string names(const List& list, NameOf&& name_of) {
    std::string text;
    for (const auto& element : list) text += (text.empty() ? "" : ", ") + name_of(element);
    return text;
}

}  // namespace

Parameters::Parameters(std::vector<Parameter> known, const std::vector<std::string>& given)
    : m_all(std::move(known)) {
    std::set<std::string> seen;
    for (const std::string& text : given) {
        const size_t equals = text.find('=');
        const auto it = std::find_if(m_all.begin(), m_all.end(), [&](const Parameter& p) {
            return equals != std::string::npos && p.name == text.substr(0, equals);
        });
        if (it == m_all.end())
            throw NetworkError(fmt::format(
                "cannot take \"{}\"; allowed is {}", text,
                m_all.empty() ? "nothing here"
                              : "NAME=VALUE with " + names(m_all, [](const Parameter& p) {
                                    return fmt::format("{} ({})", p.name, p.about);
                                })));
        if (!seen.insert(it->name).second)
            throw NetworkError(fmt::format("{} is given twice", it->name));
        it->value = text.substr(equals + 1);
    }
}

const Parameter& Parameters::find(const std::string& name) const {
    for (const Parameter& p : m_all)
        if (p.name == name) return p;
    throw std::logic_error("the algorithm does not declare its parameter " + name);
}

uint64_t Parameters::number(const std::string& name, uint64_t min, uint64_t max) const {
    const std::string& text = find(name).value;
    constexpr size_t MaxDigits = 18;  // fits 64 bits
    if (!text.empty() && text.size() <= MaxDigits &&
        text.find_first_not_of("0123456789") == std::string::npos) {
        const uint64_t n = std::stoull(text);
        if (n >= min && n <= max) return n;
    }
    throw NetworkError(
        fmt::format("{}={}: allowed is a number from {} to {}", name, text, min, max));
}

const std::string& Parameters::word(const std::string& name,
                                    const std::vector<std::string>& allowed) const {
    const std::string& text = find(name).value;
    if (std::find(allowed.begin(), allowed.end(), text) != allowed.end()) return text;
    throw NetworkError(fmt::format("{}={}: allowed is {}", name, text,
                                   names(allowed, [](const std::string& s) { return s; })));
}

std::map<std::string, std::map<std::string, Algorithm::Entry>>& Algorithm::all() {
    static std::map<std::string, std::map<std::string, Entry>> algorithms;
    return algorithms;
}

const Algorithm::Entry& find_algorithm(const Network& network, const std::string& name) {
    const auto& all = Algorithm::all();
    const std::string network_name = network.name();
    const auto kind = all.find(network_name.substr(0, network_name.find(':')));
    const auto name_of = [](const auto& entry) { return entry.first; };
    if (kind == all.end())
        throw NetworkError(fmt::format("there is no algorithm for {}; there are some for {}",
                                       network_name, names(all, name_of)));
    const auto it = kind->second.find(name);
    if (it == kind->second.end())
        throw NetworkError(fmt::format("there is no algorithm \"{}\" for {}; allowed is {}", name,
                                       network_name, names(kind->second, name_of)));
    return it->second;
}

Outcome run_algorithm(const std::string& network, const std::string& algorithm,
                      const std::vector<std::string>& parameters) {
    const auto n = make_network(network);
    const Algorithm::Entry& entry = find_algorithm(*n, algorithm);
    return entry.run(*n, Parameters(entry.parameters, parameters));
}

}  // namespace rdt::algo
