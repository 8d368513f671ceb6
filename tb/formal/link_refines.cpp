// SPDX-License-Identifier: MIT
// The RTL of a link end (one_end.sv: rdt_link_io, rdt_arrival, rdt_output_unit) does only what the
// model of tb/model/link_step.h does. From reset on, in every state of its registers, it gets all
// pins that the model's end meets on a link with at most one flip, and all other inputs: the state
// after that, as the model sees it, must be one that the model allows, with the same events. So
// what holds for two ends of the model holds for two of RTL.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "Vrdt_one_end_1.h"
#include "Vrdt_one_end_1___024root.h"
#include "Vrdt_one_end_1w.h"
#include "Vrdt_one_end_1w___024root.h"
#include "Vrdt_one_end_2.h"
#include "Vrdt_one_end_2___024root.h"
#include "Vrdt_one_end_2w.h"
#include "Vrdt_one_end_2w___024root.h"
#include "model/link_claims.h"

namespace rdt::tb {
namespace {

using namespace model;

// Values of D. The payload names the flit as one_end.sv does.
uint32_t value(bool odd, uint32_t payload) {
    return payload | uint32_t((__builtin_popcount(payload) & 1) ^ int(odd)) << 17;
}
uint32_t named(bool odd, uint32_t kind, uint32_t vc) {
    return value(odd, 7u << 14 | kind << 2 | vc);
}

std::vector<uint32_t> values(int d) {
    constexpr uint32_t Junk = 0x155, Ack = 4u << 14 | 5;
    switch (d) {
    case Nil: return {0};
    case Even: return {value(false, Junk)};
    case Odd: return {value(true, Junk), value(true, Ack), value(true, 0)};
    case HeadAck: return {value(false, Ack)};
    case H1odd: return {named(true, 1, 0)};
    case H1even: return {named(false, 1, 0)};
    case H2odd: return {named(true, 2, 0)};
    case H2even: return {named(false, 2, 0)};
    case BodyOdd: return {named(true, 3, 0)};
    case BodyEven: return {named(false, 3, 0)};
    default: return {named(false, 0, uint32_t(d - Head0 + 1))};
    }
}
uint8_t flit_of(uint32_t d) {
    const uint32_t payload = d & 0x1ffff, kind = payload >> 2 & 3, vc = payload & 3;
    const bool odd = __builtin_popcount(d) & 1;
    if (payload == 0) return odd ? Odd : Nil;
    if (payload >> 14 == 4 && !odd) return HeadAck;
    if (payload >> 14 != 7 || (payload >> 4 & 0x3ff) || (kind == 0) == (vc == 0))
        return odd ? Odd : Even;
    if (kind == 0) return odd ? uint8_t(Odd) : uint8_t(Head0 + vc - 1);
    return uint8_t((kind == 1 ? H1odd : kind == 2 ? H2odd : BodyOdd) + !odd);
}

// All inputs of an end in a cycle but its pins.
struct Inputs {
    bool slow = false, cand = false, gnt = false, more = false;
    uint8_t vc = 0, ret = 0, add = 0;
};
struct Events {
    bool sync, trouble, owed, over, spoilt, fresh, good, land, used;
    uint8_t vc;
};

// The RTL of an end. Its state is that of the whole Verilated object.
template <typename Model>
class Rtl {
public:
    Rtl() : m_(&context_) {
        m_.clk_i = 0;
        m_.rst_ni = 0;
        idle();
        for (int i = 0; i < 4; ++i) clock(), idle();
        m_.rst_ni = 1;
        idle();
    }
    std::string state() {
        idle();
        return {bytes(), Size};
    }
    void restore(const std::string& s) { std::memcpy(bytes(), s.data(), Size); }

    // Whether the line is offered, and the VCs that had a credit in the cycle before.
    int offered(bool en, int req, int cred, uint32_t d) {
        pins(en, req, cred, d);
        m_.eval();
        return m_.offer_o ? m_.had_o : -1;
    }
    Events step(bool en, int req, int cred, uint32_t d, const Inputs& in) {
        pins(en, req, cred, d);
        m_.slow_i = in.slow, m_.cand_i = in.cand, m_.gnt_i = in.gnt, m_.more_i = in.more;
        m_.vc_i = in.vc, m_.ret_i = in.ret, m_.add_i = in.add;
        m_.eval();
        const Events ev{bool(m_.sync_o),   bool(m_.trouble_o), bool(m_.owed_o), bool(m_.over_o),
                        bool(m_.spoilt_o), bool(m_.fresh_o),   bool(m_.good_o), bool(m_.land_o),
                        bool(m_.used_o),   uint8_t(m_.rx_vc_o)};
        clock();
        return ev;
    }
    bool told() const { return m_.told_o; }
    bool tick() const { return m_.tick_o; }

    // Registers that the model does not have, as far as they are in use.
    uint32_t more() const {
        return m_.told_o | m_.tick_o << 1 | m_.cnt_o << 2 | m_.owed_q_o << 7 | m_.had_o << 13;
    }
    End end(const Rules& r, bool en) const {
        End e{};
        e.st = m_.st_o, e.mine = m_.mine_o, e.tail = m_.tail_o, e.p = m_.p_o;
        e.cnt = uint8_t(e.st == Sync ? std::min<int>(m_.cnt_o, r.sync_min) : int(m_.cnt_o));
        e.pend = m_.pend_o, e.rep = m_.rep_o, e.cred = m_.cred_o;
        e.keep = e.st <= Xfer ? 0 : m_.keep_o;
        e.rx_valid = m_.rx_valid_o, e.rx_first = m_.rx_first_o, e.rx_second = m_.rx_second_o;
        e.rx_vc = m_.rx_vc_o, e.rx_d = flit_of(m_.rx_d_o);
        e.idx = uint8_t(m_.drop_o || m_.idx_o > 3 ? 3 : int(m_.idx_o));
        e.head = m_.head_o, e.junk = m_.junk_o, e.pkt = m_.full_o;
        e.tx = m_.tx_o, e.tx_vc = m_.tx_vc_o;
        e.phase = uint8_t(m_.place_o == 0 ? 0 : m_.code_o == 2 ? 1 : m_.code_o == 0 ? 2 : 3);
        e.more = uint8_t(m_.place_o - (e.phase < 2 ? 0 : e.phase - 1));
        e.oe = m_.oe_o, e.d = flit_of(m_.d_o), e.req = m_.req_o;
        e.in = m_.in_o, e.gap = m_.gap_o;
        for (int v = 0; v < r.num_vc; ++v) {
            const int owed = m_.owed_q_o >> (2 * v) & 3;
            e.owed[v] = uint8_t(owed == 2 ? 1 : owed);
        }
        e.en = en;
        forget(e);
        return e;
    }

private:
    static constexpr size_t Size = sizeof(*Model::rootp);
    char* bytes() const { return reinterpret_cast<char*>(m_.rootp); }
    void pins(bool en, int req, int cred, uint32_t d) {
        m_.link_en_i = en, m_.req_i = uint8_t(req), m_.cred_i = uint8_t(cred), m_.d_i = d;
    }
    void clock() {
        m_.clk_i = 1;
        m_.eval();
        m_.clk_i = 0;
    }
    // All inputs 0, so that the object depends on the registers alone.
    void idle() {
        pins(false, 0, 0, 0);
        m_.slow_i = m_.cand_i = m_.gnt_i = m_.more_i = 0;
        m_.vc_i = m_.ret_i = m_.add_i = 0;
        m_.eval();
    }
    VerilatedContext context_;
    Model m_;
};

class Refinement : public Claims {
public:
    explicit Refinement(const Rules& r) : Claims(r) {}

    // The claims of link_model about links with at most one flip, or a stuck pin.
    void explore(bool stuck_too) {
        sound();
        poor();
        for (int pin = 0; pin < Pins; ++pin) flip(pin, false);
        for (int pin = 0; pin < PinD && stuck_too; ++pin) stuck(pin, 0), stuck(pin, 1);
    }

    // Side 0 has Prio = 1.
    template <typename Model>
    void compare(int side, size_t most) {
        most_ = most;
        met_.assign(link_.ends(), {});
        link_.mood = Free;
        link_.each_met(side, [&](uint32_t n, int req, int cred, int d) {
            // Without a flit to receive nothing depends on D.
            const End e = link_.end(n);
            const bool receives = e.tail || (!e.mine && (e.st == Xfer || (e.st == Start && req)));
            size_t as = 0;
            for (; as < met_[n].size(); ++as)
                if (!receives && met_[n][as].req == req && met_[n][as].cred == cred) break;
            const size_t arcs = link_.arcs_of(n, side, req, cred, d).size();
            met_[n].push_back({uint8_t(req), uint8_t(cred), uint8_t(d), as, {}});
            met_[n].back().hit.resize(arcs);
        });
        Rtl<Model> rtl;
        states_.clear(), known_.clear();
        steps_ = unable_ = 0;
        reach(rtl, link_.number(rtl.end(rules_, true)), true, 0, {}, {});
        ASSERT_EQ(states_[0].end, link_.reset().end[side]);
        for (size_t i = 0; i < states_.size() && !::testing::Test::HasFailure(); ++i)
            for (size_t p = 0; p < met_[states_[i].end].size(); ++p)
                if (met_[states_[i].end][p].as == p) from(rtl, side, i, p);
        count(side);
    }

    // Transitions of the RTL, or events with them, that the model does not have with these rules.
    size_t beyond(const Rules& rules, int side) {
        const Stepper step(rules);
        std::vector<Next> out;
        size_t number = 0;
        for (uint32_t n = 1; n < met_.size(); ++n)
            for (const Met& m : met_[n]) {
                const auto& arcs = link_.arcs_of(n, side, m.req, m.cred, m.d);
                step(link_.end(n), !side, m.req, m.cred, m.d, out);
                for (size_t a = 0; a < arcs.size(); ++a) {
                    if (!met_[n][m.as].hit[a]) continue;
                    const uint64_t end = pack(link_.end(arcs[a].end));
                    number += std::none_of(out.begin(), out.end(), [&](const Next& x) {
                        return x.end == end && same(x.did, arcs[a].did);
                    });
                }
            }
        return number;
    }

private:
    struct Met {
        uint8_t req, cred, d;
        size_t as;              // all depends on this one
        std::vector<bool> hit;  // successors of the model that the RTL has
    };
    struct State {
        std::string rtl;
        uint32_t end, from;
        bool en;
        Met met;
        Inputs in;
    };

    static bool same(Did a, Did b) {
        return a.sync == b.sync && a.trouble == b.trouble && a.owed == b.owed && a.over == b.over &&
               a.spoilt == b.spoilt && a.good == b.good && a.garbage == b.garbage &&
               a.ack == b.ack && a.used == b.used && a.unseen == b.unseen;
    }

    // Some of the states that differ only in registers out of use are continued from.
    template <typename Model>
    void reach(Rtl<Model>& rtl, uint32_t end, bool en, uint32_t from, const Met& met,
               const Inputs& in) {
        auto& like = known_[uint64_t(end) << 32 | rtl.more()];
        if (like.size() == most_) return;
        std::string state = rtl.state();
        for (uint32_t i : like)
            if (states_[i].rtl == state) return;
        like.push_back(uint32_t(states_.size()));
        states_.push_back({std::move(state), end, from, en, {met.req, met.cred, met.d, 0, {}}, in});
    }

    // Everything that may happen in one state with one value of the pins.
    template <typename Model>
    void from(Rtl<Model>& rtl, int side, size_t at, size_t p) {
        const State s = states_[at];  // states_ grows
        const End e = link_.end(s.end);
        Met& met = met_[s.end][p];
        bool can = false;
        for (int v = 0; v < rules_.num_vc; ++v) can |= (rules_.vcs >> v & 1) && e.owed[v] == 0;
        const bool longer = e.tx && e.phase < 2 && e.more < rules_.most_more;
        for (uint32_t d : values(met.d)) {
            rtl.restore(s.rtl);
            const int had = rtl.offered(s.en, met.req, met.cred, d);
            Inputs in;
            for (int use = -1; use < 3; ++use) {
                if (use >= 0 && (had < 0 || !(had & rules_.vcs & 1 << use))) continue;
                in.gnt = use >= 0, in.vc = uint8_t(use >= 0 ? use : 0);
                // A grant is void only if it cannot be used.
                const bool calm = use >= 0 || had < 0 || !(had & rules_.vcs);
                unable_ += had >= 0 && can && !(had & rules_.vcs);
                for (int more = 0; more <= longer; ++more)
                    for (int cand = 0; cand <= can; ++cand)
                        for (int slow = 0; slow < 2; ++slow)
                            for (int drain = 0; drain < 64; ++drain) {
                                in.more = more, in.cand = cand, in.slow = slow;
                                in.ret = drain & 7, in.add = uint8_t(drain >> 3);
                                if ((in.ret & (in.ret - 1)) || (in.ret & in.add) ||
                                    (~e.pkt & (in.ret | in.add)))
                                    continue;
                                rtl.restore(s.rtl);
                                one(rtl, side, at, s.end, e, met, d, in, calm);
                            }
            }
        }
    }

    template <typename Model>
    void one(Rtl<Model>& rtl, int side, size_t at, uint32_t end, const End& e, Met& met, uint32_t d,
             const Inputs& in, bool calm) {
        const bool told = rtl.told(), tick = rtl.tick(), down = e.st >= Sync;
        const Events ev = rtl.step(e.en, met.req, met.cred, d, in);
        ++steps_;
        const auto& arcs = link_.arcs_of(end, side, met.req, met.cred, met.d);
        const Did did = arcs[0].did;
        const bool missed = in.slow && e.en && down && !told && tick;
        std::string wrong;
        if (ev.trouble != did.trouble) wrong += " trouble";
        if (in.slow ? (did.sync || missed) && !ev.sync : ev.sync != did.sync) wrong += " ev_sync";
        if (in.slow && ev.sync && !did.sync && (!down || told)) wrong += " false ev_sync";
        if (ev.owed != (did.owed != 0)) wrong += " ev_owed";
        if (ev.over != did.over) wrong += " over";
        if (ev.spoilt != did.spoilt) wrong += " spoilt";
        if (ev.land != did.ack) wrong += " ack";
        if (ev.fresh != (did.good || did.garbage)) wrong += " fresh";
        if (ev.good ? did.good != ev.vc + 1 : did.good != 0) wrong += " good";
        if (ev.used != (did.used != 0)) wrong += " used";
        // A link that stays down is reported at the second slow tick, if not before.
        const End to = rtl.end(rules_, e.en);
        if (to.st <= Xfer && (rtl.told() || rtl.tick())) wrong += " told_q or tick_q while up";
        if (down && to.st >= Sync && in.slow && e.en && !rtl.tick()) wrong += " tick_q";
        if (down && to.st >= Sync && (told || missed) != rtl.told() && !ev.sync) wrong += " told_q";

        for (int sw = 0; sw <= rules_.off; ++sw) {
            End n = to;
            n.en ^= sw;
            const uint32_t number = link_.number(n);
            size_t a = 0;
            while (a < arcs.size() && arcs[a].end != number) ++a;
            if (!number || a == arcs.size()) wrong += " not a state that follows";
            if (wrong.empty() && calm && !sw && !in_mood(Calm, end, side, met, number))
                wrong += " not a state that follows in a calm";
            if (!wrong.empty()) {
                tell(at, met, in, wrong, n, side);
                return;
            }
            met.hit[a] = true;
            reach(rtl, number, n.en, uint32_t(at), met, in);
        }
    }
    bool in_mood(Mood mood, uint32_t end, int side, const Met& m, uint32_t to) {
        link_.mood = mood;
        const auto& arcs = link_.arcs_of(end, side, m.req, m.cred, m.d);
        link_.mood = Free;
        return std::any_of(arcs.begin(), arcs.end(), [&](const auto& a) { return a.end == to; });
    }

    static std::string how(const Met& m, const Inputs& in) {
        return fmt::format("REQ {} CRED {} D {} slow {} cand {} gnt {} vc {} more {} ret {} add {}",
                           m.req, m.cred, m.d, int(in.slow), int(in.cand), int(in.gnt), in.vc,
                           int(in.more), in.ret, in.add);
    }
    void tell(uint32_t at, const Met& m, const Inputs& in, const std::string& wrong, const End& n,
              int side) {
        std::string way = fmt::format("  {}\n  RTL   {}\n", how(m, in), text(n));
        const auto& arcs = link_.arcs_of(states_[at].end, side, m.req, m.cred, m.d);
        for (size_t a = 0; a < arcs.size() && a < 6; ++a)
            way += fmt::format("  model {}\n", text(link_.end(arcs[a].end)));
        for (int i = 0; i < 12; ++i, at = states_[at].from) {
            way = fmt::format("  {}\n        {}\n", how(states_[at].met, states_[at].in),
                              text(link_.end(states_[at].end))) +
                  way;
            if (at == 0) break;
        }
        ADD_FAILURE() << "differs:" << wrong << "\n" << way;
    }

    void count(int side) {
        size_t ends = 0, of_ends = 0, arcs = 0, of_arcs = 0;
        std::unordered_map<uint32_t, size_t> each;
        for (const State& s : states_) ++each[s.end];
        for (uint32_t n = 1; n < met_.size(); ++n) {
            of_ends += !met_[n].empty(), ends += each.count(n);
            for (const Met& m : met_[n])
                for (bool hit : met_[n][m.as].hit) ++of_arcs, arcs += hit;
        }
        fmt::print(
            "end {}: {} states of the RTL ({} without registers out of use), {} cycles; {} of {} "
            "states of the model's end, {} of {} transitions; {} grants without a credit in time\n",
            "AB"[side], states_.size(), known_.size(), steps_, ends, of_ends, arcs, of_arcs,
            unable_);
        EXPECT_GT(ends * 2, of_ends);
    }

    std::vector<std::vector<Met>> met_;  // by number of an end
    std::vector<State> states_;
    std::unordered_map<uint64_t, std::vector<uint32_t>> known_;
    size_t most_ = 1;
    uint64_t steps_ = 0, unable_ = 0;
};

// The chip's own times.
Rules chip(int num_vc, int vcs, int most_more, bool off) {
    Rules r;
    r.num_vc = num_vc, r.vcs = vcs, r.most_more = most_more, r.off = off;
    return r;
}

const std::pair<const char*, int Rules::*> Times[] = {{"sync_min", &Rules::sync_min},
                                                      {"zero_max", &Rules::zero_max},
                                                      {"ann_last", &Rules::ann_last},
                                                      {"too_long", &Rules::too_long}};

// Up to `alike` states that differ only in registers out of use are continued from. A model
// that lacks one of its rules, or with another time, is found to differ; but for unseen.
template <typename East, typename West>
void compare(const Rules& rules, bool stuck, size_t alike, const std::vector<std::string>& unseen) {
    Refinement c(rules);
    c.explore(stuck);
    ASSERT_FALSE(c.failed());
    for (int side = 0; side < 2; ++side) {
        if (side == 0) c.compare<East>(side, alike);
        else c.compare<West>(side, alike);
        if (::testing::Test::HasFailure()) return;
        EXPECT_EQ(c.beyond(rules, side), 0);
        auto other = [&](const char* name, const Rules& r) {
            const size_t number = c.beyond(r, side);
            fmt::print("  another {}: {} transitions differ\n", name, number);
            const bool hidden = std::find(unseen.begin(), unseen.end(), name) != unseen.end();
            EXPECT_EQ(number == 0, hidden) << name;
        };
        for (const auto& [name, rule] : RuleSwitches) {
            Rules r = rules;
            r.*rule = false;
            other(name, r);
        }
        for (const auto& [name, time] : Times) {
            Rules r = rules;
            --(r.*time);
            other(name, r);
        }
    }
}

TEST(link_refines, one_vc_packets_of_any_length_and_stuck_pins) {
    compare<Vrdt_one_end_1, Vrdt_one_end_1w>(chip(1, 1, 13, false), true, 4, {"call_is_bad"});
}
TEST(link_refines, one_vc_switched) {
    compare<Vrdt_one_end_1, Vrdt_one_end_1w>(chip(1, 1, 1, true), false, 4,
                                             {"call_is_bad", "too_long"});
}
TEST(link_refines, two_vcs) {
    compare<Vrdt_one_end_2, Vrdt_one_end_2w>(chip(2, 3, 0, false), false, 4, {"too_long"});
}

}  // namespace
}  // namespace rdt::tb
