// SPDX-License-Identifier: MIT
#include <rdt/cosim/rtl_blocks.h>

#include <verilated.h>

#include <stdexcept>

#include "Vrdt_ack.h"
#include "Vrdt_arbiter.h"
#include "Vrdt_crossbar.h"
#include "Vrdt_inject.h"
#include "Vrdt_input_unit_0.h"
#include "Vrdt_input_unit_1.h"
#include "Vrdt_input_unit_2.h"
#include "Vrdt_input_unit_3.h"
#include "Vrdt_input_unit_4.h"
#include "Vrdt_input_unit_5.h"
#include "Vrdt_input_unit_6.h"
#include "Vrdt_input_unit_7.h"
#include "Vrdt_input_unit_8.h"
#include "Vrdt_input_unit_9.h"
#include "Vrdt_link_io_1e.h"
#include "Vrdt_link_io_2.h"
#include "Vrdt_link_io_2w.h"
#include "Vrdt_link_io_3.h"
#include "Vrdt_link_io_3w.h"
#include "Vrdt_local.h"
#include "Vrdt_output_unit_0.h"
#include "Vrdt_output_unit_1.h"
#include "Vrdt_output_unit_2.h"
#include "Vrdt_output_unit_3.h"
#include "Vrdt_output_unit_4.h"
#include "Vrdt_output_unit_5.h"
#include "Vrdt_output_unit_6.h"
#include "Vrdt_output_unit_7.h"
#include "Vrdt_output_unit_8.h"
#include "Vrdt_output_unit_9.h"
#include <rdt/cosim/rtl_chip.h>
#include <rdt/rtl_block.h>

namespace rdt::machine {

namespace {

// The Verilated classes of a kind of blocks, by port if the chip has ten of them: a parameter of
// the RTL is a class of its own in C++.
template <typename... Rtl>
struct Classes {};

// visit(kind, where it stands in `blocks`, its RTL).
template <typename Visit>
void each_kind(Visit&& visit) {
    visit("link_io", &blocks::link_io,
          Classes<Vrdt_link_io_3, Vrdt_link_io_3w, Vrdt_link_io_2, Vrdt_link_io_2w, Vrdt_link_io_2,
                  Vrdt_link_io_2w, Vrdt_link_io_2, Vrdt_link_io_2w, Vrdt_link_io_1e,
                  Vrdt_link_io_1e>());
    visit("input_unit", &blocks::input_unit,
          Classes<Vrdt_input_unit_0, Vrdt_input_unit_1, Vrdt_input_unit_2, Vrdt_input_unit_3,
                  Vrdt_input_unit_4, Vrdt_input_unit_5, Vrdt_input_unit_6, Vrdt_input_unit_7,
                  Vrdt_input_unit_8, Vrdt_input_unit_9>());
    visit("output_unit", &blocks::output_unit,
          Classes<Vrdt_output_unit_0, Vrdt_output_unit_1, Vrdt_output_unit_2, Vrdt_output_unit_3,
                  Vrdt_output_unit_4, Vrdt_output_unit_5, Vrdt_output_unit_6, Vrdt_output_unit_7,
                  Vrdt_output_unit_8, Vrdt_output_unit_9>());
    visit("arbiter", &blocks::arbiter, Classes<Vrdt_arbiter>());
    visit("crossbar", &blocks::crossbar, Classes<Vrdt_crossbar>());
    visit("local", &blocks::local, Classes<Vrdt_local>());
    visit("ack", &blocks::ack, Classes<Vrdt_ack>());
    visit("inject", &blocks::inject, Classes<Vrdt_inject>());
}

template <typename Ports, typename Rtl>
std::unique_ptr<Ports> make(const char* name, VerilatedContext* context) {
    return std::make_unique<rtl_block<Ports, Rtl>>(name, context);
}
template <typename Ports, typename... Rtl>
void put(blocks::ten<Ports>& place, Classes<Rtl...>, VerilatedContext* context) {
    static_assert(sizeof...(Rtl) == NumPorts);
    place = [context](const char* name, uint32_t port) {
        using Make = std::unique_ptr<Ports> (*)(const char*, VerilatedContext*);
        constexpr Make Makes[] = {make<Ports, Rtl>...};
        return Makes[port](name, context);
    };
}
template <typename Ports, typename Rtl>
void put(blocks::one<Ports>& place, Classes<Rtl>, VerilatedContext* context) {
    place = [context](const char* name) { return make<Ports, Rtl>(name, context); };
}

class VerilatedBlocks : public RtlBlocks {
public:
    // A new context makes itself the thread's, whose models are destroyed in it: it must not stay
    // there longer than it lives.
    explicit VerilatedBlocks(const std::set<std::string>& kinds)
        : m_kinds(kinds), m_before(Verilated::threadContextp()) {
        m_context.fatalOnError(false);
        Verilated::threadContextp(m_before);
    }
    ~VerilatedBlocks() override {
        if (Verilated::threadContextp() == &m_context) Verilated::threadContextp(m_before);
    }
    blocks in(const blocks& parts) override {
        blocks mixed = parts;
        size_t found = 0;
        each_kind([&](const char* kind, auto place, auto rtl) {
            if (m_kinds.count(kind) == 0) return;
            put(mixed.*place, rtl, &m_context);
            ++found;
        });
        if (found != m_kinds.size()) throw std::logic_error("a kind of block has no RTL");
        return mixed;
    }
    void take_errors() override { exchange_thread_context(&m_context); }
    bool failed() const override { return m_context.gotError(); }

private:
    const std::set<std::string> m_kinds;
    VerilatedContext* const m_before;
    VerilatedContext m_context;
};

const bool is_set = [] {
    RtlBlocks::maker() = [](const std::set<std::string>& kinds) -> std::unique_ptr<RtlBlocks> {
        return std::make_unique<VerilatedBlocks>(kinds);
    };
    return true;
}();

}  // namespace

}  // namespace rdt::machine
