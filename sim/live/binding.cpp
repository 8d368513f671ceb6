// SPDX-License-Identifier: MIT
// What the page calls. Text goes both ways as JSON; what is drawn in every frame is read from
// memory.
#include <emscripten.h>

#include <exception>

#include "session.h"
#include "zoo.h"

namespace {

using namespace rdt::live;
using Json = nlohmann::ordered_json;

std::unique_ptr<Session> session;
std::string answer;  // the last one; the page copies it

// {"error": one line}, where something is thrown.
template <typename Make>
const char* answered(Make&& make) {
    try {
        answer = Json(make()).dump();
    } catch (const std::exception& e) {
        answer = Json{{"error", e.what()}}.dump();
    }
    return answer.c_str();
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* live_start(const char* settings) {
    return answered([settings] {
        auto next = std::make_unique<Session>(settings_of(nlohmann::json::parse(settings)));
        session = std::move(next);
        return session->shape();
    });
}
// Cycles simulated; 0xFFFFFFFF on an error, which live_error() returns.
EMSCRIPTEN_KEEPALIVE uint32_t live_step(uint32_t clocks) {
    try {
        return session->step(clocks);
    } catch (const std::exception& e) {
        answer = e.what();
        return ~0u;
    }
}
EMSCRIPTEN_KEEPALIVE const char* live_error() { return answer.c_str(); }
EMSCRIPTEN_KEEPALIVE int live_over() { return session->over() ? 1 : 0; }
EMSCRIPTEN_KEEPALIVE double live_now() { return double(session->now()); }
EMSCRIPTEN_KEEPALIVE void live_cut(uint32_t node, uint32_t port) { session->cut(node, port); }
EMSCRIPTEN_KEEPALIVE const PacketMonitor::Shown* live_flits() { return session->flits().data(); }
EMSCRIPTEN_KEEPALIVE const uint32_t* live_nodes() { return session->nodes().data(); }
EMSCRIPTEN_KEEPALIVE const char* live_result(int all) {
    return answered([all] { return session->result(all != 0); });
}
EMSCRIPTEN_KEEPALIVE const char* live_node(uint32_t node) {
    return answered([node] { return session->node(node); });
}
EMSCRIPTEN_KEEPALIVE const char* live_packet(double number) {
    return answered([number] { return session->packet(uint64_t(number)); });
}

EMSCRIPTEN_KEEPALIVE const char* live_patterns() { return answered(patterns); }
EMSCRIPTEN_KEEPALIVE const char* zoo_network(const char* name) {
    return answered([name] { return network_of(name); });
}
EMSCRIPTEN_KEEPALIVE const char* zoo_figures(const char* name) {
    return answered([name] { return figures_of(name); });
}
EMSCRIPTEN_KEEPALIVE const char* zoo_path(const char* name, uint32_t from, uint32_t to) {
    return answered([=] { return path_of(name, from, to); });
}
EMSCRIPTEN_KEEPALIVE const char* zoo_run(const char* name, const char* options) {
    return answered([=] { return run_of(name, nlohmann::json::parse(options)); });
}
}
