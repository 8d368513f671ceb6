// SPDX-License-Identifier: MIT
// Benchmarks in groups, each a file with one Group object; main.cpp need not know them.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace rdt::bench {

// The best of the repetitions of each benchmark's counter "rate", by name.
using Rates = std::map<std::string, double>;

struct Group {
    using Add = void (*)();
    using Report = void (*)(const Rates& rates, nlohmann::ordered_json& figures);

    // add() registers the benchmarks; report() adds named figures and prints them.
    Group(const std::string& name, Add add_benchmarks, Report report_figures)
        : add(add_benchmarks), report(report_figures) {
        all()[name] = this;
    }
    static std::map<std::string, const Group*>& all() {
        static std::map<std::string, const Group*> groups;
        return groups;
    }

    const Add add;
    const Report report;
};

}  // namespace rdt::bench
