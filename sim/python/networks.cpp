// SPDX-License-Identifier: MIT
// rdt.networks(), rdt.Network: the networks of the lab, also from files, and their exact
// properties.
#include <pybind11/stl.h>

#include <rdt/net/file/graph_file.h>
#include <rdt/net/graph/facts.h>
#include <rdt/version.h>

#include "python/interruptible.h"
#include "python/parts.h"
#include "python/values.h"

namespace rdt::python {

namespace py = pybind11;

namespace {

WorkOptions stoppable(unsigned threads, const StopFlag& stop) {
    WorkOptions work;
    work.threads = threads;
    work.progress = [&stop](double) {
        if (stop) throw Stopped();
    };
    return work;
}

py::object list_networks() {
    py::list list;
    for (const auto& [kind, entry] : NetworkKind::all()) {
        py::dict one;
        one["kind"] = kind;
        one["form"] = entry.form;
        one["about"] = entry.about;
        list.append(one);
    }
    return list;
}

// The result of rdt net info.
py::object info(const Network& network, unsigned threads) {
    const NetworkFacts facts = interruptible(
        [&](const StopFlag& stop) { return facts_of(network, stoppable(threads, stop)); });
    return to_python(to_json(facts, network));
}

// The result of rdt net cdg.
py::object cdg(const Network& network, const std::string& name, unsigned threads) {
    const auto routing = make_routing(network, name);
    const RoutingCheck c = interruptible([&](const StopFlag& stop) {
        return check_routing(network, *routing, stoppable(threads, stop));
    });
    return to_python(to_json(c, network, routing_name(network, name), *routing));
}

// Packets by node and port, one having gone from every node to every node.
py::object loads(const Network& network, const std::string& name, unsigned threads) {
    const auto routing = make_routing(network, name);
    const LinkLoads l = interruptible([&](const StopFlag& stop) {
        return link_loads(network, *routing, stoppable(threads, stop));
    });
    return table(l.packets, l.ports);
}

// Rows of node, port, node at the other end, its port; both directions of a link.
py::object links(const Network& network) {
    std::vector<int64_t> rows;
    for (NodeId node = 0; node < network.nodes(); ++node)
        for (uint32_t port = 0; port < network.ports(); ++port)
            if (const auto to = network.neighbor(node, port))
                rows.insert(rows.end(),
                            {node, port, *to,
                             network.directed() ? -1 : int64_t(network.port_back(node, port))});
    return table(rows, 4);
}

py::object positions(const Network& network) {
    std::vector<double> rows;
    for (NodeId node = 0; node < network.nodes(); ++node) {
        const Position at = network.position(node);
        rows.insert(rows.end(), {at.x, at.y});
    }
    return table(rows, 2);
}

std::string checked_label(const Network& network, uint32_t node) {
    if (node >= network.nodes()) throw py::index_error("there is no such node");
    return network.label(node);
}

}  // namespace

void add_networks(py::module_& module) {
    module.def("networks", &list_networks, "Network families and the form of their names.");
    py::class_<Network>(module, "Network",
                        "A network by its name, for example torus:8x8 or file:my.graphml")
        .def(py::init([](const std::string& name) { return make_network(name); }), py::arg("name"))
        .def_property_readonly("name", &Network::name)
        .def_property_readonly("nodes", &Network::nodes)
        .def_property_readonly("ports", &Network::ports)
        .def_property_readonly("directed", &Network::directed)
        .def_property_readonly("routings", &Network::routings)
        .def("label", &checked_label, py::arg("node"))
        .def("parse", &Network::parse, py::arg("text"), "The node of that label or number.")
        .def("info", &info, py::arg("threads") = 0, "Returns the JSON of `rdt net info --json`.")
        .def("cdg", &cdg, py::arg("routing") = "", py::arg("threads") = 0,
             "Returns the JSON of `rdt net cdg --json`: whether the routing can deadlock.")
        .def("loads", &loads, py::arg("routing") = "", py::arg("threads") = 0,
             "Packets per link, by node and port, for one packet from every node to every node.")
        .def("links", &links, "Rows of node, port, node at the other end, its port.")
        .def("positions", &positions, "x and y of every node, for a picture.")
        .def(
            "route",
            [](const Network& network, const py::object& from, const py::object& to,
               const std::string& routing) {
                return path(network, *make_routing(network, routing), network.parse(py::str(from)),
                            network.parse(py::str(to)));
            },
            py::arg("from_"), py::arg("to"), py::arg("routing") = "",
            "The nodes that a packet visits.")
        .def("graphml", &to_graphml, "The network as GraphML, for networkx and for file:PATH.")
        .def("anynet", &to_anynet, "The network in BookSim's format.")
        .def("__repr__", [](const Network& n) { return "rdt.Network('" + n.name() + "')"; });
    module.attr("__version__") = RDT_VERSION;
}

}  // namespace rdt::python
