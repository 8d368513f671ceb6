// SPDX-License-Identifier: MIT
// Runs the program with random options, traces, configurations and files of a sweep; in a folder
// that cannot be written; with one file as input and output; and with files that are no plug-ins.
// Each case is a process of its own, so that a signal, a report of a sanitizer or a hang belongs to
// that case. Every case has to end with exit code 0, 1 or 2; with 2 in one line; without temporary
// files; with results complete or absent; and with its inputs unchanged.
//
//   fuzz_cli [CASES [SEED]]      prints what it did; exit code 1 and the case, if one failed
//
// Before that, faulty programs replace it: all have to be detected.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <sstream>

#include <rdt/machine/traffic/trace.h>
#include <rdt/support/output.h>
#include <rdt/support/plugin.h>
#include <rdt/support/random.h>
#include "cli/program.h"
#include "program/fuzz_cases.h"
#include "program/fuzz_injected.h"
#include "program/fuzz_values.h"

namespace rdt::tb {
namespace {

constexpr const char* ReadOnly = "/proc";  // also for the superuser
constexpr unsigned Seconds = 60;           // of CPU, that no case needs on any machine
constexpr uint64_t LastClock = 5000;       // of a trace that is run, not only read

class Fuzz : public FuzzCases {
public:
    Fuzz(uint64_t seed, fs::path folder, Program program, unsigned seconds)
        : FuzzCases(std::move(folder), std::move(program), seconds), m_random(seed) {}

    // The error of this case, or empty.
    std::string next() {
        for (const auto& entry : fs::directory_iterator(m_folder)) fs::remove_all(entry);
        m_inputs.clear();
        switch (m_random.below(6)) {
        case 0: return options();
        case 1: return trace();
        case 2: return sweep_state();
        case 3: return shared_files();
        case 4: return plugin();
        default: return config();
        }
    }

private:
    template <typename List>
    const auto& one_of(const List& list) {
        return list[m_random.below(uint32_t(std::size(list)))];
    }
    bool with(double probability) { return m_random.unit() <= probability; }

    // A value that is right, nearly right, or nonsense.
    std::string value() {
        if (with(0.9)) return one_of(FuzzValues);
        std::string text;
        for (uint32_t n = m_random.below(12); n > 0; --n) text += char(1 + m_random.below(255));
        return text;
    }
    // Options that could take days are excluded.
    std::string value_of(const std::string& option) {
        Words right;
        for (const RightValue& r : FuzzRight)
            if (option == r.option) right.push_back(r.value);
        if (!right.empty() && with(0.5)) return one_of(right);
        static const char* const few[] = {"0",  "1", "17", "200",
                                          "-1", "",  "x",  "18446744073709551616"};
        if (option == "--cycles" || option == "--warmup" || option == "--operations" ||
            option == "--interval")
            return one_of(few);
        if (option == "--size") return with(0.7) ? "8" : std::string(one_of(few));
        if (option == "--timeout" || option == "--t-ent" || option == "--t-ack")
            return with(0.7) ? "500" : value();
        if (option == "--step") return with(0.8) ? "0.5" : value();
        // Made where there is none, so nowhere else.
        static const char* const folders[] = {"d/e", ".",     "",       "-",
                                              "err", "err/d", "x.json", "\xff"};
        if (option == "--report") return with(0.6) ? "d" : std::string(one_of(folders));
        return value();
    }

    std::string options() {
        static const char* const runs[] = {
            "--engine",    "--size",        "--traffic",    "--load",      "--queue",
            "--flits",     "--multicast",   "--density",    "--protocol",  "--lines",
            "--reads",     "--t-ent",       "--t-ack",      "--timeout",   "--threads",
            "--seed",      "--outstanding", "--trace",      "--rate",      "--scheme",
            "--converge",  "--flips",       "--cut",        "--wave",      "--wave-nodes",
            "--wave-from", "--wave-to",     "--packet-log", "--json",      "--heatmap",
            "--timeline",  "--interval",    "--config",     "--rtl-nodes", "--rtl",
            "--report",    "--page"};
        static const char* const flags[] = {"--torus",    "--acks",         "--sink",
                                            "--no-guard", "--print-config", "--help",
                                            "-h",         "--nonsense",     "extra"};
        const bool sweeps = with(0.2);
        Words words{sweeps ? "sweep" : with(0.98) ? "run" : value()};
        add(words, "--cycles", with(0.9) ? "150" : value_of("--cycles"));
        // Before that, 2,000 cycles that are as good as 20.
        if (with(0.95)) add(words, "--warmup", with(0.9) ? "20" : value_of("--warmup"));
        if (sweeps) {
            add(words, "--step", value_of("--step"));
            add(words, "--csv", with(0.8) ? "s.csv" : value());
            if (with(0.2)) {
                add(words, "--traffic", "dsm-stencil");
                add(words, "--operations", "20");
            }
            if (with(0.4)) add(words, "--part", value_of("--part"));
        }
        for (uint32_t n = m_random.below(5); n > 0; --n) {
            const std::string option = one_of(runs);
            const std::string text = value_of(option);
            add(words, option, text);
            // Its 20,000 operations take seconds.
            if (!sweeps && text == "dsm-stencil") add(words, "--operations", "50");
        }
        for (uint32_t n = m_random.below(2); n > 0; --n) words.push_back(one_of(flags));
        if (with(0.05)) std::swap(words[0], words[m_random.below(uint32_t(words.size()))]);
        std::string line;
        for (const std::string& word : words) line += word + " ";
        if (is_too_long(line)) return options();
        return with(0.2) ? program("options in a read-only folder", words, ReadOnly)
                         : program("options", words);
    }
    // A memory that waits for what a cut link has lost does so for seconds; once in a while it may.
    bool is_too_long(const std::string& text) {
        return text.find("dsm") != std::string::npos && text.find("cut") != std::string::npos &&
               with(0.97);
    }
    void add(Words& words, const std::string& option, const std::string& text) {
        if (with(0.3)) words.push_back(option + "=" + text);
        else words.insert(words.end(), {option, text});
    }

    std::string changed(std::string text, const char* letters) {
        const uint32_t changes = m_random.below(4);
        for (uint32_t n = 0; n < changes && !text.empty(); ++n) {
            const size_t at = m_random.below(uint32_t(text.size()));
            switch (m_random.below(6)) {
            case 0: text.erase(at, 1 + m_random.below(8)); break;
            case 1:
                text.insert(at, 1, letters[m_random.below(uint32_t(std::strlen(letters)))]);
                break;
            case 2: text[at] = char(m_random.below(256)); break;
            case 3: text.insert(at, text.substr(m_random.below(uint32_t(text.size())), 12)); break;
            case 4: text.resize(at); break;
            default: text[at] = letters[m_random.below(uint32_t(std::strlen(letters)))];
            }
        }
        return text;
    }

    std::string trace() {
        static const char* const to[] = {
            "5",         "63", "3,4", "mc:ff",  "mc:ff:0f",   "mc:01:80 12 ack",
            "mc:0f ack", "64", "mc:", "mc:1ff", "mc:ff:ff:ff"};
        std::string text = with(0.2) ? "# a comment\n" : "";
        uint64_t clock = 0;
        for (uint32_t n = 1 + m_random.below(12); n > 0; --n, clock += m_random.below(40))
            text += fmt::format("{} {} {}{}", clock, m_random.below(64),
                                with(0.5) ? std::to_string(m_random.below(64)) : one_of(to),
                                with(0.3) ? fmt::format(" {}\n", m_random.below(20)) : "\n");
        text = changed(text, "0123456789 ,:#\nmcakx-+\t");
        ++m_kinds["traces read"].cases;
        try {
            std::istringstream in(text);
            const auto entries = machine::read_trace(in, "t", Geometry(8), with(0.7));
            if (entries.back().clock > LastClock) return {};
        } catch (const machine::TraceError&) {
            if (with(0.9)) return {};
        }
        write_input("t", text);
        Words words{"run", "--trace", "t", "--t-ent", "60", "--t-ack", "2000"};
        if (with(0.3)) words.insert(words.end(), {"--json", "x.json"});
        if (with(0.2)) words.insert(words.end(), {"--wave", "x.vcd"});
        if (with(0.2)) words.push_back("--torus");
        return program("traces run", words);
    }

    std::string sweep_state() {
        Words words{"sweep",  "--cycles", "60",   "--warmup", "20",    "--from", "0.1",
                    "--step", "0.3",      "--to", "0.7",      "--csv", "s.csv"};
        if (m_state.empty()) {
            const std::string wrong = program("sweeps", words);
            if (!wrong.empty()) return wrong;
            m_state = text_of("s.csv");
        }
        // Its own file, or that of a part.
        const char* const name = with(0.7) ? "s.csv" : "s.csv.0-of-2";
        write_file((m_folder / name).string(), changed(m_state, "0123456789.,-+en\n\r#af "));
        if (with(0.3)) add(words, "--part", with(0.5) ? "0/2" : "1/2");
        return program("sweeps", words);
    }

    std::string config() {
        std::string text;
        for (uint32_t n = m_random.below(8); n > 0; --n)
            text += std::string(one_of(FuzzLines)) + "\n";
        if (is_too_long(text)) return config();
        write_input("c", changed(text, "=[]\"'\n#.,0123456789 \\truefals"));
        Words words{"run", "--config", "c", "--cycles", "100"};
        if (with(0.95)) add(words, "--warmup", "20");
        if (with(0.3)) words.push_back("--print-config");
        if (with(0.2)) words.insert(words.end(), {"--load", "0.2"});
        return program("options from files", words);
    }

    // An input and an output are one file, by name, path or link; or they are two.
    std::string shared_files() {
        write_input("t", "0 1 5\n3 2 9 8\n");
        write_input("c", "load = 0.2\n");
        write_input("m", "0 1 1\n1 2 0.5\n");
        static const Words inputs[] = {
            {"t", "--trace", "t"}, {"c", "--config", "c"}, {"m", "--traffic", "table:m"}};
        static const char* const outputs[] = {"--json", "--packet-log", "--heatmap",
                                              "--wave", "--timeline",   "--report"};
        const Words& input = one_of(inputs);
        std::error_code none;
        fs::create_symlink(input[0], m_folder / "symbolic", none);
        fs::create_hard_link(m_folder / input[0], m_folder / "hard", none);
        const std::string names[] = {input[0],   "./" + input[0], (m_folder / input[0]).string(),
                                     "symbolic", "hard",          "x.json"};
        Words words{"run", "--cycles", "100", "--warmup", "20", input[1], input[2]};
        add(words, one_of(outputs), one_of(names));
        if (with(0.3)) add(words, one_of(outputs), one_of(names));
        return program("shared files", words);
    }

    // Files that are no plug-ins. A damaged ELF file is left out: the system's loader may crash on
    // it.
    std::string plugin() {
        write_input("empty", "");
        write_input("text", changed("a text, no library\n", "\177ELF \n"));
        write_input("short", std::string("\177ELF\2\1\1", 7));
        write_input("marked", "\177ELF " RDT_PLUGIN_MARK "0.0;x");
        static const char* const files[] = {"empty",     "text",    "short",     "marked", ".",
                                            "/dev/null", "nowhere", "libm.so.6", "",       "-"};
        Words words{"run", "--cycles", "100", "--warmup", "20"};
        for (uint32_t n = 1 + m_random.below(2); n > 0; --n) add(words, "--plugin", one_of(files));
        if (with(0.3)) add(words, "--traffic", value_of("--traffic"));
        return program("plug-ins", words);
    }

    Random m_random;
    std::string m_state;
};

// The undetected case, or empty.
std::string undetected_bug(const fs::path& folder) {
    for (const Wrong& wrong : wrongs()) {
        // A trace may be refused without the program, so there are several tries.
        std::string found;
        Fuzz fuzz(1, folder, wrong.program, 1);
        for (int i = 0; i < 20 && found.empty(); ++i) found = fuzz.next();
        if (found.find(wrong.said) == std::string::npos)
            return fmt::format("an injected bug was not detected: {} (but {})", wrong.said, found);
    }
    return {};
}

int run(uint64_t cases, uint64_t seed) {
    const fs::path folder = fs::temp_directory_path() / ("rdt_fuzz_" + std::to_string(getpid()));
    fs::create_directories(folder);
    std::printf("seed=%llu\n", static_cast<unsigned long long>(seed));
    const std::string missed = undetected_bug(folder);
    if (!missed.empty()) {
        fmt::print("{}\n", missed);
        return 1;
    }
    Fuzz fuzz(seed, folder, run_program, Seconds);
    std::string wrong;
    uint64_t number = 0;
    while (number < cases && wrong.empty()) {
        ++number;
        wrong = fuzz.next();
    }
    for (const auto& [what, kind] : fuzz.kinds())
        fmt::print("{:8}  {:8.1f} s  {}\n", kind.cases, kind.seconds, what);
    if (wrong.empty()) {
        fs::remove_all(folder);
        fmt::print("{} cases: no signal, no hang, no half-written file\n", cases);
        return 0;
    }
    fmt::print("case {} of seed {}, files in {}: {}\n", number, seed, folder.string(), wrong);
    return 1;
}

}  // namespace
}  // namespace rdt::tb

// Reports end a case with a code that the program has not. Signals stay signals. Allocation stacks
// are not recorded and freed memory is quarantined for one megabyte only, because both took more
// time than most cases. ASAN_OPTIONS=malloc_context_size=30 shows them for the failed case.
extern "C" const char* __asan_default_options() {
    return "exitcode=99:detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:"
           "malloc_context_size=0:quarantine_size_mb=1:thread_local_quarantine_size_kb=64";
}
extern "C" const char* __ubsan_default_options() { return "exitcode=99:print_stacktrace=1"; }

int main(int argc, char** argv) {
    const auto number = [&](int at, uint64_t otherwise) {
        return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
    };
    return rdt::tb::run(number(1, 2000), number(2, 1));
}
