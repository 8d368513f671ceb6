// SPDX-License-Identifier: MIT
#include <rdt/machine/cosim/twins.h>

namespace rdt::machine {

namespace {

// Outputs that mean nothing while another signal of the block is 0: the SystemC modules leave them
// as they are then. The benches of tb/unit know the same by their out_while().
struct Meaning {
    const char* kind;
    const char* output;
    const char* strobe;
    uint64_t mask = ~uint64_t(0);
};
constexpr Meaning Meanings[] = {
    {"link_io", "rx_d_o", "rx_valid_o"},       {"input_unit", "ack_tag_o", "ack_v_o"},
    {"input_unit", "ack_st_o", "ack_v_o"},     {"input_unit", "ack_gen_o", "ack_v_o"},
    {"input_unit", "ctx_o", "ctx_o", 1 << 20}, {"local", "put_addr_o", "put_we_o"},
    {"local", "put_d_o", "put_we_o"},          {"local", "put_ctx_o", "put_set_o"},
    {"local", "ent_tag_o", "ent_look_o"},      {"local", "ent_h1_o", "ent_put_o"},
    {"local", "ent_h2_o", "ent_put_o"},        {"ack", "snd_port_o", "snd_v_o"},
    {"ack", "snd_tag_o", "snd_v_o"},           {"ack", "snd_st_o", "snd_v_o"},
    {"ack", "stray_port_o", "stray_o"},        {"ack", "stray_tag_o", "stray_o"},
    {"ack", "look_used_o", "look_i"},          {"ack", "look_h1_o", "look_i"},
    {"ack", "look_h1_o", "look_used_o"},       {"ack", "look_h2_o", "look_i"},
    {"ack", "look_h2_o", "look_used_o"},
};

}  // namespace

void Twin::find_meanings() {
    const auto of = [this](const char* name) -> const Line* {
        for (const auto* lines : {&m_inputs, &m_outputs})
            for (const Line& line : *lines)
                if (line.name == name) return &line;
        return nullptr;
    };
    for (const Meaning& m : Meanings) {
        if (m_kind != m.kind) continue;
        for (Line& line : m_outputs)
            if (line.name == m.output) line.strobes.emplace_back(of(m.strobe), m.mask);
    }
}

bool Twin::means_something(const Line& output) {
    for (const auto& [strobe, mask] : output.strobes) {
        const uint64_t either = strobe->of_block() | (strobe->of_rtl ? strobe->of_rtl() : 0);
        if ((either & mask) == 0) return false;
    }
    return true;
}

std::optional<BlockDifference> Twin::difference() const {
    for (const Line& line : m_outputs) {
        const uint64_t rtl = line.of_rtl();
        const uint64_t systemc = line.of_block();
        if (rtl == systemc || !means_something(line)) continue;
        BlockDifference found{m_block, m_kind, line.name, rtl, systemc, {}, {}};
        for (const Line& in : m_inputs) {
            if (in.before != 0) found.before.emplace_back(in.name, in.before);
            if (in.value != 0) found.inputs.emplace_back(in.name, in.value);
        }
        return found;
    }
    return std::nullopt;
}

}  // namespace rdt::machine
