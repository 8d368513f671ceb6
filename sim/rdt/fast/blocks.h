// SPDX-License-Identifier: MIT
// The blocks that up to four chips are made of, and nothing of what connects them: lines and
// outputs in words, the others one by one.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <rdt/fast/arbiter.h>
#include <rdt/fast/chip_state.h>
#include <rdt/fast/crossbar.h>
#include <rdt/fast/output_unit.h>
#include <rdt/fast/reduce.h>

namespace rdt::fast {

template <uint32_t NumChips>
struct Blocks {
    using W = Word<NumChips>;
    using AllLines = Lines<W::Slots>;
    using AllOutputs = Outputs<W::Slots>;

    AllLines lines;
    AllOutputs out;
    std::array<Arbiter, NumChips> arbiter;
    flit_t lanes;
    uint64_t now = 0;  // cycles, with those that were skipped
    std::array<Local, NumChips> local;
    std::array<Inject, NumChips> inject;
    std::array<AckTable, NumChips> ack;
    std::array<InputUnit, W::Slots> in;
    std::array<Reduce, NumChips> reduce;
    bool has_reduce;

    explicit Blocks(const ChipOptions& o)
        : lines({{ports_with(0), ports_with(1), ports_with(2)},
                 W::ports_that([](uint32_t p) { return has_priority(p); }),
                 W::ports_that([](uint32_t p) { return !is_network(p); }),
                 o.lanes,
                 o.reg_req ? W::ports_that([](uint32_t p) { return is_network(p); }) : 0}),
          out(outputs(o)),
          lanes(o.lanes),
          local(filled<Local, NumChips>([&o](size_t) { return Local(o.lanes, o.entries); })),
          inject(filled<Inject, NumChips>([&o](size_t) { return Inject(o.lanes, o.entries); })),
          ack(filled<AckTable, NumChips>([&o](size_t) { return AckTable(o.entries); })),
          in(filled<InputUnit, W::Slots>([&o](size_t i) {
              const uint32_t p = port_of(uint32_t(i));
              return InputUnit(vcs_of(p), p, o.lanes, o.entries);
          })),
          reduce(filled<Reduce, NumChips>([&o](size_t) { return Reduce(o.reduce_width); })),
          has_reduce(o.reduce_width != 0) {}

    void reset() {
        lines.reset();
        out.reset();
        for (uint32_t c = 0; c < NumChips; ++c) {
            arbiter[c].reset();
            local[c].reset();
            ack[c].reset();
            inject[c].reset();
            reduce[c].reset();
        }
        for (InputUnit& i : in) i.reset();
    }

    // Flit that has arrived at an input.
    InputUnit::Rx rx_of(uint32_t i) const {
        const auto& q = lines.q();
        return {(q.rx_valid >> i & 1) != 0, (q.rx_first >> i & 1) != 0, (q.rx_last >> i & 1) != 0,
                q.rx_vc.of(i), q.rx_d[i]};
    }
    const RouteConfig& route_of(uint32_t i) const { return local[chip_of(i)].config().route; }

    // One column of the crossbar: the stream of the input that was granted.
    stream_t crossbar(uint32_t o) const {
        const uint32_t c = chip_of(o);
        return crossbar_column(arbiter[c].q().xsel[port_of(o)], [this, c](uint32_t i) {
            return in[c * PortBits + i].stream(local[c].config().route);
        });
    }

private:
    template <typename Block, size_t Number, typename Make, size_t... I>
    static std::array<Block, Number> filled(Make&& make, std::index_sequence<I...>) {
        return {make(I)...};
    }
    template <typename Block, size_t Number, typename Make>
    static std::array<Block, Number> filled(Make&& make) {
        return filled<Block, Number>(make, std::make_index_sequence<Number>{});
    }
    static Ports ports_with(uint32_t vc) {
        return W::ports_that([vc](uint32_t p) { return vcs_of(p) > vc; });
    }
    static typename AllOutputs::Params outputs(const ChipOptions& o) {
        typename AllOutputs::Params params;
        params.lanes = o.lanes;
        params.entries = o.entries;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            params.port[p] = uint8_t(p);
            params.num_vc[p] = uint8_t(vcs_of(p));
        }
        return params;
    }
};

}  // namespace rdt::fast
