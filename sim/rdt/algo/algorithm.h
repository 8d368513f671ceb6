// SPDX-License-Identifier: MIT
// Algorithms that `rdt net run` offers, each for one kind of network.
//
// A family of algorithms is one .cpp file that ends with lines like
//   const Algorithm sort{"rcc", "sort", "RCC-FULL SORT", {{"seed", "1", "of the input"}}, run};
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <rdt/net/graph/network.h>
#include <rdt/support/plugin.h>

namespace rdt::algo {

struct Parameter {
    std::string name;
    std::string value;  // the default
    std::string about;
};

// The one that most algorithms have.
inline Parameter seed_parameter() { return {"seed", "1", "of the random input"}; }

// Values of an algorithm's parameters.
class Parameters {
public:
    // The defaults with those replaced that are given as "name=value"; throws NetworkError.
    Parameters(std::vector<Parameter> known, const std::vector<std::string>& given);
    // Throw NetworkError with the allowed values if the value is not one of them.
    uint64_t number(const std::string& name, uint64_t min, uint64_t max) const;
    const std::string& word(const std::string& name, const std::vector<std::string>& allowed) const;
    uint64_t seed() const { return number("seed", 0, UINT32_MAX); }
    const std::string& text(const std::string& name) const { return find(name).value; }
    const std::vector<Parameter>& all() const { return m_all; }

private:
    const Parameter& find(const std::string& name) const;
    std::vector<Parameter> m_all;
};

struct Outcome {
    uint64_t steps = 0;             // counted by the step machine
    std::optional<uint64_t> bound;  // bound of the theorem; none where it gives none
    bool correct = false;           // equal to a plain computation of the same
    std::string text;               // additional text for the reader; may be empty
    std::vector<std::pair<std::string, uint64_t>> counts;  // further numbers, by name
};

// Registration, by the network's kind (the part of its name before the colon) and a name.
struct Algorithm {
    using Run = std::function<Outcome(const Network&, const Parameters&)>;
    struct Entry {
        std::string about;
        std::vector<Parameter> parameters;
        Run run;
    };
    Algorithm(const std::string& kind, const std::string& name, std::string about,
              std::vector<Parameter> parameters, Run run) {
        if (all()[kind].count(name) != 0)
            throw NetworkError("there is an algorithm \"" + name + "\" of " + kind + " already");
        all()[kind][name] = {std::move(about), std::move(parameters), std::move(run)};
    }
    static std::map<std::string, std::map<std::string, Entry>>& all();
};

// The algorithm of that name on that network; throws NetworkError naming those there are.
const Algorithm::Entry& find_algorithm(const Network& network, const std::string& name);

// Finds and runs it, with parameters given as "name=value"; throws NetworkError.
Outcome run_algorithm(const std::string& network, const std::string& algorithm,
                      const std::vector<std::string>& parameters = {});

}  // namespace rdt::algo
