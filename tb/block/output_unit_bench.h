// SPDX-License-Identifier: MIT
// An output unit and its twin, and streams for them to send.
#pragma once

#include "Vrdt_output_unit_0.h"
#include "Vrdt_output_unit_1.h"
#include "Vrdt_output_unit_2.h"
#include "Vrdt_output_unit_3.h"
#include "Vrdt_output_unit_4.h"
#include "Vrdt_output_unit_6.h"
#include "Vrdt_output_unit_7.h"
#include "Vrdt_output_unit_8.h"
#include "common/block_bench.h"
#include "common/mc_packet.h"
#include "common/stimulus.h"
#include <rdt/output_unit.h>

namespace rdt::tb {

// On the lines VC 1 shows in the parity of H2 and VC-T in that of H1.
inline Flits marked(Flits flits, uint32_t vc) {
    if (vc != 0) flits[3 - vc] ^= 1u << 17;
    return flits;
}

template <typename Rtl>
struct OutputBench : BlockBench<Rtl, rdt::output_unit> {
    using Base = BlockBench<Rtl, rdt::output_unit>;
    using Base::has_clock, Base::in, Base::out, Base::rtl, Base::model, Base::tick, Base::settle,
        Base::edge;

    OutputBench(const TestRun& run, uint32_t port, uint32_t num_vc,
                const char* name = "output_unit")
        : Base(run, name, port, num_vc), m_port(port) {}

    bool clocked = has_clock(rtl().clk_i, model().clk_i);
    Input rst_n = in("rst_ni", 1, rtl().rst_ni, model().rst_ni);
    Input raw = in("raw_i", 1, rtl().raw_i, model().raw_i);
    Input tick_in = in("tick_i", 1, rtl().tick_i, model().tick_i);
    Input slow = in("slow_i", 1, rtl().slow_i, model().slow_i);
    Input sink = in("sink_i", 1, rtl().sink_i, model().sink_i);
    RankInput rank{in("rank_i", 5, rtl().rank_i, model().rank_i)};
    Input x = in("x_i", 20, rtl().x_i, model().x_i);
    Input gnt = in("gnt_i", 1, rtl().gnt_i, model().gnt_i);
    Input cand_any = in("cand_any_i", 1, rtl().cand_any_i, model().cand_any_i);
    Input line_gnt = in("line_gnt_i", 1, rtl().line_gnt_i, model().line_gnt_i);
    Input line_void = in("line_void_i", 1, rtl().line_void_i, model().line_void_i);
    Input hush = in("hush_i", 1, rtl().hush_i, model().hush_i);
    Input ask = in("ask_i", 1, rtl().ask_i, model().ask_i);
    Input call = in("call_i", 1, rtl().call_i, model().call_i);
    Input down = in("down_i", 1, rtl().down_i, model().down_i);
    Input up = in("up_i", 1, rtl().up_i, model().up_i);
    Input ann = in("ann_i", 1, rtl().ann_i, model().ann_i);
    Input cred = in("cred_i", 2, rtl().cred_i, model().cred_i);
    Input loc_want = in("loc_want_i", 1, rtl().loc_want_i, model().loc_want_i);
    Input loc_x = in("loc_x_i", 20, rtl().loc_x_i, model().loc_x_i);
    Input gen = in("gen_i", 28, rtl().gen_i, model().gen_i);
    Output d = out("d_o", 18, rtl().d_o, model().d_o);
    Output d_oe = out("d_oe_o", 1, rtl().d_oe_o, model().d_oe_o);
    Output req = out("req_o", 2, rtl().req_o, model().req_o);
    Output credit = out("credit_o", 3, rtl().credit_o, model().credit_o);
    Output xb_gnt = out("xb_gnt_o", 1, rtl().xb_gnt_o, model().xb_gnt_o);
    Output loc_gnt = out("loc_gnt_o", 1, rtl().loc_gnt_o, model().loc_gnt_o);
    Output tx = out("tx_o", 1, rtl().tx_o, model().tx_o);
    Output late = out("late_o", 1, rtl().late_o, model().late_o);
    Output ev_cred = out("ev_cred_o", 1, rtl().ev_cred_o, model().ev_cred_o);
    Output ev_owed = out("ev_owed_o", 1, rtl().ev_owed_o, model().ev_owed_o);
    Output ev_sunk = out("ev_sunk_o", 1, rtl().ev_sunk_o, model().ev_sunk_o);

    // A link that is up, without credits.
    void reset() {
        for (Input* pin : {&raw, &tick_in, &slow, &sink, &x, &gnt, &cand_any, &line_gnt, &line_void,
                           &hush, &ask, &call, &down, &ann, &cred, &loc_want, &loc_x})
            *pin = 0;
        up = 1;
        rst_n = 0;
        settle();
        edge();  // before it registers are anything, and not compared
        tick();
        rst_n = 1;
        settle();
    }
    // Grants the crossbar's stream and takes it to its last flit; what was on the pins.
    Flits send(const Flits& flits, uint32_t vc) {
        line_gnt = gnt = 1;
        tick();
        line_gnt = gnt = 0;
        line_void = 1;
        return take(flits, vc, x);
    }
    Flits send_local(const Flits& flits) {
        loc_want = line_gnt = 1;
        tick();
        loc_want = line_gnt = 0;
        line_void = 1;
        return take(flits, 0, loc_x);
    }
    // The other end shows these codes, one per cycle; the number of credit events.
    int show_credits(std::initializer_list<uint32_t> codes) {
        int events = 0;
        for (uint32_t code : codes) {
            cred = code;
            settle();
            events += int(ev_cred());
            tick();
        }
        cred = 0;
        settle();
        return events;
    }
    // A credit as it should be.
    void give_credit(uint32_t vc) { EXPECT_EQ(show_credits({vc + 1, vc + 1, 0}), 0); }
    void slow_tick() { Base::pulse(slow); }

    // The link as rdt_link_io shows it: it goes to Sync with this cycle, ...
    void fall() {
        call = down = 1;
        tick();
        up = ann = 0;
    }
    // ... stays there and in Zero, and then credits may be announced.
    void announce() {
        call = 0;
        tick(3);
        ann = 1;
        settle();
    }
    void come_up() {
        down = 0;
        tick();
        ann = 0;
        up = 1;
        settle();
    }

private:
    // An MBP has one VC, whatever the other copies of a pass are sent on.
    uint32_t first_code(uint32_t vc) const { return m_port >= PortM0 ? 1 : vc + 1; }

    Flits take(const Flits& flits, uint32_t vc, Input& from) {
        Flits pins;
        for (uint32_t k = 0; k < flits.size(); ++k) {
            from = stream_of(flits, k, vc);
            tick();
            line_void = 0;
            EXPECT_EQ(d_oe(), 1u) << "flit " << k;
            const bool more = k != 0 && k + 2 < flits.size();
            EXPECT_EQ(req(), k == 0 ? first_code(vc) : more ? 2 : cand_any()) << "flit " << k;
            pins.push_back(d());
        }
        from = 0;
        tick();
        EXPECT_EQ(d_oe(), 0u);
        return pins;
    }

    uint32_t m_port;
};

// One that is ready to send; further ones of a test have to exist before the first is clocked.
template <typename Bench>
struct Ready : Bench {
    explicit Ready(const TestRun& run = TestRun{}) : Bench(run) { this->reset(); }
};

struct EastOutput : OutputBench<Vrdt_output_unit_0> {
    explicit EastOutput(const TestRun& run = TestRun{}) : OutputBench(run, 0, 3, "e0") {}
};
struct WestOutput : OutputBench<Vrdt_output_unit_1> {
    explicit WestOutput(const TestRun& run = TestRun{}) : OutputBench(run, 1, 3, "w0") {}
};
struct NorthOutput : OutputBench<Vrdt_output_unit_2> {
    explicit NorthOutput(const TestRun& run = TestRun{}) : OutputBench(run, 2, 2, "n0") {}
};
struct MbpOutput : OutputBench<Vrdt_output_unit_8> {
    explicit MbpOutput(const TestRun& run = TestRun{}) : OutputBench(run, 8, 1, "m0") {}
};
using E0 = Ready<EastOutput>;
using M0 = Ready<MbpOutput>;

}  // namespace rdt::tb
