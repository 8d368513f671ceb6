// SPDX-License-Identifier: MIT
#include <rdt/cosim/rtl_beside.h>

#include <verilated_sym_props.h>
#include <verilated_syms.h>

#include <cstring>
#include <stdexcept>
#include <utility>

#include "Vrdt_router_waves.h"
#include <rdt/cosim/module_tree.h>
#include <rdt/cosim/rtl_chip.h>

namespace rdt::machine {

namespace {

constexpr const char* Instance = "chip";

// Width and range of a variable; Verilator 5.048 has other functions for them than 5.006 to 5.032.
template <typename Variable>
auto width_of(const Variable& var, int) -> decltype(unsigned(var.packed().elements())) {
    return unsigned(var.packed().elements());
}
template <typename Variable>
unsigned width_of(const Variable& var, long) {
    return unsigned(var.entBits());
}
template <typename Variable>
auto range_of(const Variable& var, int)
    -> decltype(std::pair<int, int>(var.unpacked().low(), var.unpacked().high())) {
    return {var.unpacked().low(), var.unpacked().high()};
}
template <typename Variable>
std::pair<int, int> range_of(const Variable& var, long) {
    return {var.low(0), var.high(0)};
}

unsigned bytes_of(const VerilatedVar& var) {
    switch (var.vltype()) {
    case VLVT_UINT8: return 1;
    case VLVT_UINT16: return 2;
    case VLVT_UINT32: return 4;
    case VLVT_UINT64: return 8;
    case VLVT_WDATA: return (width_of(var, 0) + 31) / 32 * 4;
    default: return 0;
    }
}

class WavesChip : public RtlBeside {
public:
    WavesChip() {
        const ContextScope scope(m_context.get());
        m_chip = std::make_unique<RtlChip<Vrdt_router_waves>>(&m_context.get(), Instance);
    }
    ~WavesChip() override {
        const ContextScope scope(m_context.get());
        m_chip.reset();
    }
    void settle(const core::PinsIn& in, bool rst_n) override {
        const ContextScope scope(m_context.get());
        m_chip->drive(in, rst_n);
        m_chip->settle();
    }
    void edge() override {
        const ContextScope scope(m_context.get());
        m_chip->edge();
    }
    ChipPins pins() const override { return m_chip->pins(); }
    bool failed() const override { return m_context.get().gotError(); }

    Inside inside() override {
        Inside all{"rtl", {}, nullptr};
        each_variable([&](const std::string& module, const VerilatedVar& var) {
            const unsigned width = width_of(var, 0);
            const unsigned bytes = bytes_of(var);
            const auto add = [&](const std::string& name, unsigned number) {
                const auto* data = static_cast<const char*>(var.datap()) + number * bytes;
                all.signals.push_back(
                    {module, name, width, width, false,
                     [data, bytes](uint32_t* words) { std::memcpy(words, data, bytes); }, nullptr});
            };
            if (var.udims() == 0) {
                add(var.name(), 0);
            } else {
                const auto [low, high] = range_of(var, 0);
                for (int i = low; i <= high; ++i)
                    add(std::string(var.name()) + "[" + std::to_string(i) + "]", unsigned(i - low));
            }
        });
        return all;
    }

    void flip(const std::string& path, uint32_t bits) override {
        bool is_there = false;
        each_variable([&](const std::string& module, const VerilatedVar& var) {
            if (module + "." + var.name() != path) return;
            auto* data = static_cast<uint8_t*>(var.datap());
            for (unsigned byte = 0; byte < std::min(4u, bytes_of(var)); ++byte)
                data[byte] ^= uint8_t(bits >> 8 * byte);
            is_there = true;
        });
        if (!is_there) throw std::invalid_argument("the RTL has no " + path);
    }

private:
    // visit(path of the module in the SystemC design, below the chip; variable)
    template <typename Visit>
    void each_variable(Visit&& visit) {
        const std::string top = std::string(Instance) + ".rdt_router";
        for (const auto& [name, scope] : *m_context.get().scopeNameMap()) {
            const std::string rtl = name;
            // An iteration of a generate loop is not a module.
            if (rtl.compare(0, top.size(), top) != 0 || rtl.back() == ']') continue;
            if (scope->varsp() == nullptr) continue;
            const std::string path = systemc_path(rtl.substr(std::strlen(Instance) + 1));
            const size_t dot = path.find('.');
            const std::string module = dot == std::string::npos ? "" : path.substr(dot + 1);
            for (const auto& entry : *scope->varsp()) {
                const VerilatedVar& var = entry.second;
                if (!var.isParam() && var.udims() <= 1 && bytes_of(var) != 0) visit(module, var);
            }
        }
    }

    OwnContext m_context;
    std::unique_ptr<RtlChip<Vrdt_router_waves>> m_chip;
};

const bool is_set = [] {
    RtlBeside::maker() = []() -> std::unique_ptr<RtlBeside> {
        return std::make_unique<WavesChip>();
    };
    return true;
}();

}  // namespace

}  // namespace rdt::machine
