// SPDX-License-Identifier: MIT
#include "cli/lab_options.h"

#include <fmt/core.h>

#include <rdt/lab/lanes.h>
#include <rdt/net/graph/facts.h>
#include <rdt/net/rdt/rdt_faults.h>

namespace rdt {

Subject::Subject(const LabOptions& o) : options(o.point) {
    network = make_network(o.net);
    routing_name = rdt::routing_name(*network, o.routing);
    if (o.faults.empty()) routing = make_routing(*network, o.routing);
    else bypass(o);
    options.reuse = o.reuse == "tail"    ? lab::Reuse::Tail
                    : o.reuse == "empty" ? lab::Reuse::Empty
                                         : lab::Reuse::Auto;
    options.ties = o.ties == "random" ? lab::Ties::Random : lab::Ties::Rule;
    if (o.lanes > 1) {
        routing = std::make_unique<lab::Lanes>(std::move(routing), o.lanes);
        routing_name += fmt::format(" in {} lanes", o.lanes);
    }
    if (o.extra_vc >= 0) {
        if (uint32_t(o.extra_vc) >= routing->vcs())
            throw lab::OptionError(
                fmt::format("--extra-vc is 0 to {}, not {}", routing->vcs() - 1, o.extra_vc));
        routing = std::make_unique<lab::ExtraVc>(std::move(routing), uint32_t(o.extra_vc));
        routing_name += fmt::format(" with one more beside VC {}", o.extra_vc);
    }
    set_warmup(o.warmup);
}

std::string Subject::title() const {
    return fmt::format("{}, routing {}, {} traffic, {} flits", network->name(), routing_name,
                       options.traffic, options.flits);
}

// "auto": a run of its own finds out.
void Subject::set_warmup(const std::string& text) {
    if (text == "auto") {
        options.warmup = 0;
        options.warmup = lab::warmup_by_mser(*network, *routing, options);
        return;
    }
    const bool number = !text.empty() && text.size() <= 10 &&
                        text.find_first_not_of("0123456789") == std::string::npos;
    if (!number) throw lab::OptionError("--warmup takes a number of clocks or auto, not " + text);
    options.warmup = std::stoull(text);
}

// All pairs that are not down have to be reached: that is what counting VCs finds out.
void Subject::bypass(const LabOptions& o) {
    constexpr uint32_t MostNodes = 4096;
    const RdtNetwork& rdt = rdt_with_faults(*network);
    if (network->nodes() > MostNodes)
        throw NetworkError("--fault takes networks up to rdt:64 here, not " + network->name());
    const Faults faults = parse_faults(rdt, o.faults);
    options.down.assign(faults.nodes.begin(), faults.nodes.end());
    make_routing_around(rdt, RoutingAroundFaults, faults)->vcs();
    routing_name = o.routing.empty() ? RoutingAroundFaults : o.routing;
    routing = make_routing_around(rdt, routing_name, faults);
}

void add_lab_options(CLI::App* cmd, LabOptions& o) {
    cmd->add_option("--net", o.net, "network, as rdt net list shows them")->type_name("NAME");
    cmd->add_option("--routing", o.routing,
                    "routing; if none is named the network's first, of tori dor-balanced")
        ->type_name("NAME");
    cmd->add_option("--lanes", o.lanes, "virtual channels in the place of each of the routing's")
        ->type_name("COUNT")
        ->check(CLI::Range(1, 16));
    cmd->add_option("--extra-vc", o.extra_vc, "one virtual channel more, for who may take this one")
        ->type_name("VC")
        ->check(CLI::Range(0, 255));
    cmd->add_option("--fault", o.faults,
                    "a link or a node of an RDT that is down; may be given several times")
        ->type_name("FROM-TO|NODE")
        ->allow_extra_args(false);
    cmd->add_option("--traffic", o.point.traffic, "traffic pattern, or table:FILE")
        ->type_name("NAME");
    cmd->add_option("--flits", o.point.flits, "flits of a packet")->type_name("COUNT");
    cmd->add_option("--header", o.point.header, "flits a router needs before it can route")
        ->type_name("COUNT");
    cmd->add_option("--buffer", o.point.buffer, "flits of a virtual channel's input buffer")
        ->type_name("COUNT");
    cmd->add_option("--out-buffer", o.point.out_buffer, "flits of its output buffer")
        ->type_name("COUNT");
    cmd->add_option("--injection", o.point.injection,
                    "input buffers for the packets of a node's own processor, in turn")
        ->type_name("COUNT");
    cmd->add_option(
           "--ties", o.ties,
           "of two ways that are as long (tori of even sides) a packet takes one at random, "
           "or by a rule: up from even coordinates, down from odd ones, as the tables of "
           "rdt paper and rdt compare have it; transpose then loses an eighth of its "
           "capacity")
        ->type_name("random|rule")
        ->check(CLI::IsMember({"random", "rule"}).description(""));
    cmd->add_option("--cycles", o.point.cycles, "clocks to simulate")->type_name("COUNT");
    cmd->add_option("--warmup", o.warmup,
                    "of these, clocks before the measurement; auto: a run before finds out from "
                    "when on its latency is known best (MSER)")
        ->type_name("COUNT|auto");
    cmd->add_option("--queue", o.point.queue, "packets a node may have waiting (0: any number)")
        ->type_name("COUNT");
    cmd->add_option(
           "--reuse", o.reuse,
           "when a channel can be taken again: behind the tail, once it is empty, or auto: "
           "empty for routings with a choice of ports")
        ->type_name("tail|empty|auto")
        ->check(CLI::IsMember({"tail", "empty", "auto"}).description(""));
    cmd->add_option("--seed", o.point.seed, "of the random numbers")->type_name("NUMBER");
    cmd->add_flag("--drain", o.point.drain, "run on until all packets have arrived");
    cmd->add_option("--json", o.json, "write the result as JSON; - is standard output")
        ->type_name("FILE");
    for (CLI::Option* option : cmd->get_options())
        if (option->get_type_size() > 0) option->capture_default_str();
}

}  // namespace rdt
