// SPDX-License-Identifier: MIT
#include <rdt/net/families/rcc.h>

#include <fmt/core.h>

#include <cmath>

#include <rdt/net/families/nucleus.h>
#include <rdt/net/graph/parameters.h>

namespace rdt {

Rcc::Rcc(uint32_t atom, uint32_t level)
    : Rhsn(fmt::format("rcc:{},{}", atom, level), make_nucleus(fmt::format("k{}", atom)),
           SwapShape(atom, std::vector<uint32_t>(level, 2)), false) {}

Rhsn::Path Rcc::algorithm2(NodeId from, NodeId to) const {
    const uint32_t row = level() == 0 ? 0 : to / side();
    if (level() == 0 || from / side() == row) return algorithm1(from, to);
    const uint32_t below = level() == 1 ? 0 : 2;
    Walk walk{from, 0, {}};
    swap(walk, level(), 2);
    walk_to(walk, level() - 1, below, row);
    swap(walk, level(), 2);
    walk_to(walk, level() - 1, below, to % side());
    return walk.path;
}

std::unique_ptr<Routing> Rcc::routing(const std::string& name) const {
    if (name == "alg1") return Rhsn::routing("recursive");
    if (name != "alg2") return Rhsn::routing(name);
    return path_routing([this](NodeId from, NodeId to) { return algorithm2(from, to); },
                        shape().digits());
}

double RccFormulas::nodes() const { return std::pow(atom, std::exp2(level)); }

double RccFormulas::links() const {
    if (level == 0) return atom * (atom - 1.0) / 2;
    const double side = row().nodes();
    return side * row().links() + side * (side - 1) / 2;
}

double RccFormulas::average() const {
    if (level == 0) return (atom - 1.0) / atom;
    const double side = row().nodes();
    return (2 - 3 / side + 1 / nodes()) * row().average() + 1 - 1 / side;
}

double RccFormulas::average_algorithm1() const {
    if (level == 0) return (atom - 1.0) / atom;
    const double side = row().nodes();
    return (2 - 1 / side) * row().average_algorithm1() + 1 - 1 / side;
}

double RccFormulas::pins_of_part(double parts) const {
    const double side = row().nodes();
    const double internal = level == 1 ? nodes() / parts - nodes() / parts / parts
                                       : side / parts - side / parts / parts;
    return internal + side / parts - 1;
}

namespace {

// The largest whole number no greater than a root that may come out a little too small.
uint64_t whole(double root) { return uint64_t(std::floor(root + 1e-9)); }

}  // namespace

uint64_t RccFormulas::row_steps() const {
    return level == 0 ? 1 : whole(row().nodes()) + 2 * row().row_steps();
}

uint64_t RccFormulas::permutation_steps() const {
    return 3 * whole(std::pow(nodes(), 0.25)) + 1 + 6 * row().row_steps();
}

uint64_t RccFormulas::sort_steps() const { return level == 0 ? 1 : 15 * row().sort_steps() + 14; }

uint64_t RccFormulas::ascend_steps() const {
    return level == 0 ? uint64_t(__builtin_ctz(atom)) : 2 * row().ascend_steps() + 2;
}

namespace {

constexpr const char* RccForm = "rcc:NA,L";

const NetworkKind rcc_kind{
    "rcc", RccForm, "RCC-FULL of NA^(2^L) nodes", [](const std::string& text) {
        const auto n = parse_numbers(text, ',', RccForm, 2, 2);
        if (n[0] < 2 || n[0] > 256 || n[1] > 4)
            throw NetworkError(
                fmt::format("\"{}\" is out of range; {} takes NA from 2 to 256 and L from 0 to 4",
                            text, RccForm));
        return std::make_unique<Rcc>(n[0], n[1]);
    }};

}  // namespace

}  // namespace rdt
