// SPDX-License-Identifier: MIT
// What rdt lab and its subcommands have in common: options, and the network that they name.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rdt/lab/replicas.h>
#include <rdt/lab/simulate.h>
#include <rdt/net/graph/network.h>
#include "cli/command.h"

namespace rdt {

struct LabOptions {
    std::string net;
    std::string routing;
    std::string reuse = "auto";
    std::string ties = "random";
    std::string warmup = "1000";
    uint32_t seeds = 1;
    uint32_t lanes = 1;
    int extra_vc = -1;
    lab::SaturationOptions saturation;
    lab::Options point;
    double from = 0.02;
    double to = 1;
    double step = 0.02;
    bool past_saturation = false;
    unsigned threads = 2;               // points of a sweep in parallel
    std::optional<unsigned> shared_by;  // threads of one run, or of several seeds
    std::string json;
    std::string csv;
    std::string svg;
    std::vector<std::string> faults;
};

// The network and the routing that the options name.
struct Subject {
    std::unique_ptr<Network> network;
    std::unique_ptr<Routing> routing;
    std::string routing_name;
    lab::Options options;

    explicit Subject(const LabOptions& o);
    std::string title() const;

private:
    void set_warmup(const std::string& text);
    void bypass(const LabOptions& o);
};

// Options of a point of load, for `rdt lab` and each of its subcommands.
void add_lab_options(CLI::App* cmd, LabOptions& o);

}  // namespace rdt
