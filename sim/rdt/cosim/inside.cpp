// SPDX-License-Identifier: MIT
#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include <rdt/cosim/block_kinds.h>
#include <rdt/cosim/inside.h>
#include <rdt/cosim/meanings.h>
#include <rdt/cosim/module_tree.h>
#include <rdt/core/rtl_pins.h>

namespace rdt::machine {

namespace {

constexpr unsigned WordBits = 32;

}  // namespace

void keep_boundaries(Inside& inside) {
    auto& all = inside.signals;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [](const InsideSignal& s) {
                                 return !s.is_port || s.module.find('.') != std::string::npos;
                             }),
              all.end());
    inside.refresh = nullptr;  // ports need none
}

void keep_paths_of(Inside& inside, const Inside& other) {
    std::set<std::string> paths;
    for (const InsideSignal& s : other.signals) paths.insert(s.path());
    auto& all = inside.signals;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const InsideSignal& s) { return paths.count(s.path()) == 0; }),
              all.end());
}

InsideValues::InsideValues(Inside inside) : m_inside(std::move(inside)) {
    // One word more than needed: readers of 64 bits, such as the FST writer, access it.
    for (const InsideSignal& s : m_inside.signals) m_words.emplace_back(s.width / WordBits + 2, 0);
}

void InsideValues::read() {
    if (m_inside.refresh) m_inside.refresh();
    for (size_t i = 0; i < m_words.size(); ++i) m_inside.signals[i].read(m_words[i].data());
}

uint64_t InsideValues::bits(size_t signal, unsigned lo, unsigned width) const {
    uint64_t value = 0;
    for (unsigned done = 0; done < width;) {
        const unsigned take = std::min(width - done, WordBits - (lo + done) % WordBits);
        const uint64_t word = m_words[signal][(lo + done) / WordBits] >> (lo + done) % WordBits;
        value |= (word & ((uint64_t(1) << take) - 1)) << done;
        done += take;
    }
    return value;
}

std::string InsideValues::text(size_t signal) const {
    std::string digits;
    for (unsigned lo = 0; lo < signals()[signal].width; lo += 4)
        digits += fmt::format("{:x}", bits(signal, lo, 4));
    while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
    std::reverse(digits.begin(), digits.end());
    return digits;
}

InsidePair::InsidePair(const InsideValues& systemc, const InsideValues& rtl,
                       const std::map<std::string, std::string>& kinds)
    : m_systemc(systemc), m_rtl(rtl), m_kinds(kinds) {
    std::map<std::string, size_t> of_rtl;
    for (size_t i = 0; i < rtl.signals().size(); ++i) of_rtl[rtl.signals()[i].path()] = i;
    for (size_t i = 0; i < systemc.signals().size(); ++i) {
        const std::string path = systemc.signals()[i].path();
        m_by_path[path] = i;
        const auto found = of_rtl.find(path);
        if (found == of_rtl.end()) continue;
        const bool is_as_wide = systemc.signals()[i].width == rtl.signals()[found->second].width;
        if (!is_as_wide && !systemc.signals()[i].is_port) continue;
        m_both.push_back({i, found->second});
        m_rtl_of[i] = found->second;
    }
}

const void* InsidePair::wire(const Element& element) const {
    const InsideSignal& s = m_systemc.signals()[element.signal];
    return s.wire ? s.wire(element.number) : nullptr;
}

void InsidePair::find_strobes(const std::string& module, const std::string& kind) const {
    const auto of = [&](const char* name) {
        return m_by_path.find(module.empty() ? name : module + "." + name);
    };
    for (const Meaning& m : meanings()) {
        if (kind != m.kind) continue;
        const auto output = of(m.output);
        const auto strobe = of(m.strobe);
        if (output == m_by_path.end() || strobe == m_by_path.end()) continue;
        const auto elements = [this](size_t signal) {
            const InsideSignal& s = m_systemc.signals()[signal];
            return s.width / s.element;
        };
        // A strobe for each element, or all of it for all.
        const InsideSignal& on_signal = m_systemc.signals()[strobe->second];
        const bool is_each = elements(strobe->second) == elements(output->second);
        for (unsigned i = 0; i < elements(output->second); ++i) {
            const Element element{output->second, i};
            const Strobe on{strobe->second, is_each ? i * on_signal.element : 0,
                            is_each ? on_signal.element : on_signal.width, m.mask};
            const void* carrier = wire(element);
            if (carrier != nullptr) m_of_wire[carrier].push_back(on);
            else m_of_element[element].push_back(on);
        }
    }
}

void InsidePair::find_strobes() const {
    if (m_has_strobes) return;
    m_has_strobes = true;
    for (const auto& [module, kind] : m_kinds) find_strobes(module, kind);
}

uint64_t InsidePair::either(const Strobe& strobe) const {
    uint64_t value = m_systemc.bits(strobe.signal, strobe.lo, strobe.width);
    const auto rtl = m_rtl_of.find(strobe.signal);
    if (rtl != m_rtl_of.end()) value |= m_rtl.bits(rtl->second, strobe.lo, strobe.width);
    return value & strobe.mask;
}

bool InsidePair::means_something(const Element& element) const {
    const auto is_on = [this](const auto& list, const auto& key) {
        const auto found = list.find(key);
        return found == list.end() ||
               std::all_of(found->second.begin(), found->second.end(),
                           [this](const Strobe& strobe) { return either(strobe) != 0; });
    };
    const void* carrier = wire(element);
    return carrier != nullptr ? is_on(m_of_wire, carrier) : is_on(m_of_element, element);
}

bool InsidePair::differs(const Both& both) const {
    const InsideSignal& s = m_systemc.signals()[both.systemc];
    const unsigned width = std::max(s.width, m_rtl.signals()[both.rtl].width);
    const uint32_t* words = m_systemc.words(both.systemc);
    if (std::equal(words, words + width / WordBits + 1, m_rtl.words(both.rtl))) return false;
    for (unsigned i = 0; i < s.width / s.element; ++i)
        if (m_systemc.bits(both.systemc, i * s.element, s.element) !=
                m_rtl.bits(both.rtl, i * s.element, s.element) &&
            means_something({both.systemc, i}))
            return true;
    return false;
}

std::vector<InsidePair::Both> InsidePair::differences() const {
    find_strobes();
    std::vector<Both> found;
    for (const Both& both : m_both)
        if (differs(both)) found.push_back(both);
    return found;
}

const std::vector<std::string>& block_kinds() {
    static const std::vector<std::string> kinds{"link_io",  "input_unit", "output_unit", "arbiter",
                                                "crossbar", "local",      "ack",         "inject"};
    return kinds;
}

void check_kinds(const std::set<std::string>& kinds) {
    const auto& all = block_kinds();
    for (const std::string& kind : kinds)
        if (std::find(all.begin(), all.end(), kind) == all.end())
            throw std::invalid_argument(
                fmt::format("no block is called {}; they are {}", kind, fmt::join(all, ", ")));
}

const std::vector<Meaning>& meanings() {
    static const std::vector<Meaning> all = {
        {"link_io", "rx_d_o", "rx_valid_o"},
        {"input_unit", "ack_tag_o", "ack_v_o"},
        {"input_unit", "ack_st_o", "ack_v_o"},
        {"input_unit", "ack_gen_o", "ack_v_o"},
        {"input_unit", "ctx_o", "ctx_o", 1 << 20},
        {"local", "put_addr_o", "put_we_o"},
        {"local", "put_d_o", "put_we_o"},
        {"local", "put_ctx_o", "put_set_o"},
        {"local", "ent_tag_o", "ent_look_o"},
        {"local", "ent_h1_o", "ent_put_o"},
        {"local", "ent_h2_o", "ent_put_o"},
        {"ack", "snd_port_o", "snd_v_o"},
        {"ack", "snd_tag_o", "snd_v_o"},
        {"ack", "snd_st_o", "snd_v_o"},
        {"ack", "stray_port_o", "stray_o"},
        {"ack", "stray_tag_o", "stray_o"},
        {"ack", "look_used_o", "look_i"},
        {"ack", "look_h1_o", "look_i"},
        {"ack", "look_h1_o", "look_used_o"},
        {"ack", "look_h2_o", "look_i"},
        {"ack", "look_h2_o", "look_used_o"},
        // Inside of the blocks.
        {"ack_entry", "done_q", "owes_q"},
        {"bitmap_gen", "h0", "fresh_i"},
        {"bitmap_gen", "h1", "fresh_i"},
        {"bitmap_gen", "h2", "fresh_i"},
        {"bitmap_gen", "credit", "fresh_i"},
        {"bitmap_gen", "rt_set", "fresh_i"},
        {"bitmap_gen", "rt_rdy", "fresh_i"},
        {"bitmap_gen", "rt_mc", "fresh_i"},
        {"bitmap_gen", "rt_ovc", "fresh_i"},
        {"bitmap_gen", "rt_err", "fresh_i"},
        {"bitmap_gen", "bm_set", "fresh_i"},
        {"bitmap_gen", "bm_rdy", "fresh_i"},
        {"bitmap_gen", "bm_relay", "fresh_i"},
        {"bitmap_gen", "bm_expl", "fresh_i"},
        {"bitmap_gen", "bm_exp0", "fresh_i"},
        {"bitmap_gen", "bm_xfer", "fresh_i"},
        {"bitmap_gen", "bm_bad", "fresh_i"},
        {"bitmap_gen", "set_o", "fresh_i"},
        {"bitmap_gen", "rdy_o", "fresh_i"},
        {"bitmap_gen", "bad_o", "fresh_i"},
        {"bitmap_gen", "load_plan", "load_oh"},
        {"bitmap_gen", "relay", "head"},
        {"bitmap_gen", "expl", "head"},
        {"bitmap_gen", "exp0", "head"},
        {"inject", "wait_q", "want_o"},
        {"inject", "idx_q", "x_o"},
        {"input_unit", "h0_we", "rx_valid_i"},
        {"input_unit", "h1_we", "rx_valid_i"},
        {"input_unit", "load_pend", "load"},
        {"input_unit", "land_tag", "land"},
        {"input_unit", "land_st", "land"},
        {"input_unit", "land_gen", "land"},
        {"input_unit", "ram_waddr", "we_oh"},
        {"input_unit", "ram_wdata", "we_oh"},
        {"local_fsm", "err_i", "recv_o"},
        {"notice", "code_o", "any_o"},
        {"read_pass", "rd_left_q", "rd_busy_q"},
        {"read_pass", "rd_left_q", "rd_idx_q"},  // not known yet at the first flit
        {"setup", "err_o", "recv_i"},
        {"shot", "flit_o", "shot_o", 1},  // while it dumps
    };
    return all;
}

namespace {

std::map<std::string, TreeReader::Read>& readers() {
    static std::map<std::string, TreeReader::Read> all;
    return all;
}

std::vector<Module> tree_of(const std::string& model, const char* needs) {
    const auto found = readers().find(model);
    if (found == readers().end())
        throw std::invalid_argument("the tree of the " + model +
                                    " is not in this build: it needs " + needs);
    return found->second();
}

}  // namespace

TreeReader::TreeReader(const std::string& model, Read read) { readers()[model] = read; }

std::vector<Module> systemc_tree() { return tree_of("SystemC design", "SystemC"); }
std::vector<Module> rtl_tree() { return tree_of("RTL", "Verilator"); }

std::string systemc_path(const std::string& rtl_path) {
    std::istringstream parts(rtl_path);
    std::string path;
    std::string part;
    std::string turn;
    while (std::getline(parts, part, '.')) {
        const size_t bracket = part.find('[');
        if (bracket != std::string::npos) {
            turn = "_" + part.substr(bracket + 1, part.find(']') - bracket - 1);
            continue;
        }
        path += path.empty() ? "router" : "." + part + turn;
        turn.clear();
    }
    return path;
}

std::map<std::string, std::string> module_kinds() {
    const std::string chip = "router";
    const std::string prefix = "rdt_";
    std::map<std::string, std::string> found;
    for (const Module& module : rtl_tree()) {
        const std::string path = systemc_path(module.path);
        found[path == chip ? "" : path.substr(chip.size() + 1)] = module.kind.substr(prefix.size());
    }
    return found;
}

}  // namespace rdt::machine
