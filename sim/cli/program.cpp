// SPDX-License-Identifier: MIT
#include "cli/program.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <new>
#include <sstream>

#include "cli/command.h"
#include "cli/guard.h"
#include "cli/old_names.h"
#include "cli/other_program.h"
#include "cli/plugins.h"
#include "cli/settings.h"
#include <rdt/cosim/wave_filters.h>
#include <rdt/machine/machine.h>
#include <rdt/support/complain.h>
#include <rdt/support/interrupt.h>
#include <rdt/support/tidy.h>
#include <rdt/version.h>

namespace rdt {

namespace {

int fail(const std::string& what) {
    complain(one_line(what));
    return ExitUsage;
}

// Flushes standard output; on failure reports one line and returns its exit code.
int delivered(int code) {
    errno = 0;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.flush()) return code;
    return fail(std::string("cannot write standard output: ") +
                std::strerror(errno != 0 ? errno : EIO));
}

// A result file must not become standard output because that was closed. Writing there fails then,
// as it should.
void occupy_standard_files() {
    for (int file = 0; file <= STDERR_FILENO; ++file)
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF) {
            const int other = open("/dev/null", O_RDONLY);
            if (other >= 0 && other != file) close(other);
        }
}

// Takes --plugin FILE out of the arguments, wherever it stands, and loads the files: networks,
// algorithms and workloads in them register themselves before they are used.
std::vector<std::string> without_plugins(const std::vector<std::string>& arguments) {
    const std::string name = "--plugin";
    std::vector<std::string> others;
    for (size_t i = 0; i < arguments.size(); ++i) {
        const bool has_value = arguments[i].rfind(name + "=", 0) == 0;
        if (arguments[i] != name && !has_value) {
            others.push_back(arguments[i]);
            continue;
        }
        if (!has_value && i + 1 == arguments.size())
            throw std::invalid_argument("--plugin: needs a value");
        std::string file = has_value ? arguments[i].substr(name.size() + 1) : arguments[++i];
        if (file.empty() || looks_like_option(file))
            throw std::invalid_argument("--plugin: needs a value");
        if (file.find('/') == std::string::npos) file.insert(0, "./");
        load_plugin(file);
        plugins().push_back(file);
        called_as() += " --plugin " + file;
    }
    return others;
}

}  // namespace

int run_program(int argc, char** argv) {
    occupy_standard_files();
    tidy_up_on_signals();
    CLI::App program("The RDT network of the JUMP-1 machine and its router chip.", "rdt");
    program.set_version_flag("--version", "rdt " RDT_VERSION);
    program
        .add_option(
            "--plugin",
            "load a shared library with networks, algorithms, workloads or traffic patterns")
        ->type_name("FILE");
    program.require_subcommand(1);
    Action action;
    try {
        std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
        if (argc > 0) called_as() = argv[0];
        arguments = with_new_names(arguments);
        start_other_program(argc > 0 ? argv[0] : "rdt", arguments);
        arguments = without_plugins(arguments);
        for (const auto& [name, add] : Command::all()) add(program, action);
        for (const auto& [name, about] : OtherProgram::commands())
            program.add_subcommand(name, about);
        refuse_what_cannot_be_meant(program);
        fold_help(program);
        arguments = with_new_names(with_config(program, arguments));
        const std::string wrong = wrong_list(program, arguments);
        if (!wrong.empty()) return fail(wrong);
        std::reverse(arguments.begin(), arguments.end());  // the order the library expects
        program.parse(arguments);
        check_files(files_of(program));
        const int code = action();
        const int signal = InterruptGuard::signal();
        return delivered(code == ExitOk && signal != 0 ? ExitSignal + signal : code);
    } catch (const CLI::ParseError& e) {
        // --help and --version arrive here too.
        if (e.get_exit_code() == 0) return delivered(program.exit(e));
        return fail(explain(program, e));
    } catch (const machine::MachineError& e) {  // models differ
        complain(e.what());
        return ExitFound;
    } catch (const std::bad_alloc&) {
        return fail("out of memory: use fewer nodes, cycles, packets or threads");
    } catch (const std::exception& e) {
        return fail(text_of(e));
    } catch (...) {
        return fail("an exception that is not a std::exception");
    }
}

namespace {

// As --help shows it, without the range behind it.
std::string type_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    return type.substr(0, type.find(':'));
}
// No number of any option is negative.
bool is_unsigned(const CLI::Option& option) {
    const std::string type = type_of(option);
    return type == "UINT" || type == "INT" || type == "COUNT" || type == "NUMBER" ||
           type == "NODE" || type == "NODES";
}
bool is_real(const CLI::Option& option) {
    const std::string type = type_of(option);
    return type == "FLOAT" || type == "F";
}

// An option where a value is expected means that the value is missing.
std::string value_given(std::string& text) {
    if (text.empty()) return "needs a value";
    return looks_like_option(text) ? fmt::format("needs a value, not the option {}", text) : "";
}

// Leading zeros go: they would make it octal.
std::string unsigned_number(std::string& text) {
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos)
        return text + ": must be a whole number";
    text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size()
               ? ""
               : text + ": must fit in 64 bits";
}

std::string finite_number(std::string& text) {
    size_t used = 0;
    double value = 0;
    try {
        value = std::stod(text, &used);
    } catch (const std::exception&) {
        used = 0;
    }
    return used == text.size() && std::isfinite(value) ? "" : text + ": must be a number";
}

// The subcommand that was chosen, at the end of all.
const CLI::App& chosen(const CLI::App& app) {
    const auto subcommands = app.get_subcommands();
    return subcommands.empty() ? app : chosen(*subcommands.front());
}

// "rdt net info", as far as it was understood.
std::string line_of(const CLI::App& app) {
    const auto subcommands = app.get_subcommands();
    return app.get_name() + (subcommands.empty() ? "" : " " + line_of(*subcommands.front()));
}

// Arguments that no option accepted, in the order given.
std::vector<std::string> left_over(const CLI::App& app) {
    std::vector<std::string> words = app.remaining();
    for (const CLI::App* subcommand : app.get_subcommands())
        for (const std::string& word : left_over(*subcommand)) words.push_back(word);
    return words;
}

bool is_input(const std::string& option) {
    return option == "--trace" || option == "--values" || option == "--synth" ||
           option == "--plugin" || option == "INPUT" || option == "PROGRAM";
}

// A value that names a file to read, as file:net.graphml or table:rates, and not a plain path.
std::string file_in(const std::string& value) {
    for (const std::string prefix : {"file:", "table:"})
        if (value.rfind(prefix, 0) == 0) return value.substr(prefix.size());
    return "";
}

// An input may be a folder, whose files are then the inputs.
void add_input(const std::string& name, const std::string& path, std::vector<NamedFile>& files) {
    std::error_code wrong;
    if (!std::filesystem::is_directory(path, wrong)) {
        files.push_back({name, path, true});
        return;
    }
    for (const auto& entry : std::filesystem::directory_iterator(path, wrong))
        files.push_back({name, entry.path().string(), true});
}

// Files in a folder that an option names. Only those that are there already can be an input too.
void add_results_in(const CLI::Option& option, const std::string& name,
                    std::vector<NamedFile>& files) {
    std::vector<std::string> results;
    if (name == "--report") results = {"index.html"};
    if (name == "--output" && option.get_type_name() == "DIR")
        results = {"comparison.md", "paper.json", "paper.txt"};
    for (const std::string& folder : option.results())
        for (const std::string& result : results) {
            const std::string path = folder + "/" + result;
            // The page of a report is there before the run: nothing else may be written to it.
            std::error_code wrong;
            const std::string& there = name == "--report" ? folder : path;
            if (std::filesystem::exists(there, wrong) || wrong)
                files.push_back({name, path, false});
        }
}

void add_files(const CLI::App& app, std::vector<NamedFile>& files) {
    for (const CLI::Option* option : app.get_options()) {
        const std::string name = (option->nonpositional() ? "--" : "") + option->get_single_name();
        for (const std::string& value : option->results())
            if (const std::string path = file_in(value); !path.empty())
                files.push_back({name, path, true});
        add_results_in(*option, name, files);
        if (option->get_type_name() != "FILE" && !is_input(name)) continue;
        std::vector<std::string> paths = option->results();
        const std::string usual = option->get_default_str();
        if (paths.empty() && !usual.empty() && usual != "-") paths.push_back(usual);
        for (const std::string& path : paths) {
            if (is_input(name)) {
                add_input(name, path, files);
                continue;
            }
            files.push_back({name, path, false});
            if (name != "--wave") continue;
            // They are written beside it.
            std::filesystem::path save = path;
            files.push_back({name, save.replace_extension(".gtkw").string(), false});
            for (const std::string& filter : machine::wave_filter_names())
                files.push_back({name, save.replace_filename(filter).string(), false});
        }
    }
    for (const CLI::App* subcommand : app.get_subcommands()) add_files(*subcommand, files);
}

// At most `width` columns a line.
std::string folded(const std::string& text, size_t width) {
    std::string lines;
    size_t used = 0;
    std::istringstream words(text);
    for (std::string word; words >> word; used += word.size()) {
        const bool fits = used + 1 + word.size() <= width;
        if (!lines.empty()) lines += fits ? ' ' : '\n';
        used = fits && !lines.empty() ? used + 1 : 0;
        lines += word;
    }
    return lines;
}

// Text for options whose default is stated nowhere else: files, folders and lists are optional.
std::string default_of(const CLI::Option& option) {
    const std::string type = type_of(option);
    const bool is_optional = type == "FILE" || type == "DIR" || option.get_items_expected_max() > 1;
    const bool is_stated = option.get_required() || !option.get_default_str().empty() ||
                           option.get_description().find("default") != std::string::npos;
    return is_optional && !is_stated ? " (default: none)" : "";
}

// Calls f for every option of the program and of all subcommands.
template <typename App, typename F>
void for_each_option(App& app, F&& f) {
    for (auto* option : app.get_options()) f(*option);
    for (auto* subcommand : app.get_subcommands([](const CLI::App*) { return true; }))
        for_each_option(*subcommand, f);
}

// Letters to change, add, leave out or swap with the next until one is the other.
size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); ++i)
        for (size_t k = 0; k <= b.size(); ++k) {
            if (i == 0 || k == 0) {
                d[i][k] = i + k;
                continue;
            }
            const bool is_same = a[i - 1] == b[k - 1];
            d[i][k] = std::min({d[i - 1][k] + 1, d[i][k - 1] + 1, d[i - 1][k - 1] + !is_same});
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                d[i][k] = std::min(d[i][k], d[i - 2][k - 2] + 1);
        }
    return d[a.size()][b.size()];
}

// "; did you mean --load?", if a name is near.
std::string suggestion(const std::string& word, const std::vector<std::string>& names) {
    constexpr size_t LongestWord = 40;
    const std::string given = word.substr(0, word.find('='));
    const std::string* best = nullptr;
    size_t least = std::max<size_t>(1, given.size() / 4) + 1;
    for (const std::string& name : names) {
        if (given.size() > LongestWord) break;
        const bool begins = given.size() > 3 && name.rfind(given, 0) == 0;
        const size_t letters = begins ? 1 : distance(given, name);
        if (letters >= least) continue;
        least = letters;
        best = &name;
    }
    return best == nullptr ? "" : fmt::format("; did you mean {}?", *best);
}

std::vector<std::string> options_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

std::vector<std::string> subcommands_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(subcommand->get_name());
    return names;
}

}  // namespace

void refuse_what_cannot_be_meant(CLI::App& program) {
    for_each_option(program, [](CLI::Option& option) {
        if (is_flag(option)) {
            option.disable_flag_override();
            return;
        }
        // The validator added last runs first.
        if (is_unsigned(option)) option.transform(CLI::Validator(unsigned_number, "", ""));
        if (is_real(option)) option.transform(CLI::Validator(finite_number, ""));
        option.transform(CLI::Validator(value_given, ""));
    });
}

void fold_help(CLI::App& program) {
    constexpr size_t Width = 68;  // beside the names, on a page of 100 columns
    for_each_option(program, [](CLI::Option& option) {
        option.description(folded(option.get_description() + default_of(option), Width));
    });
}

std::string wrong_list(const CLI::App& program, const std::vector<std::string>& arguments) {
    std::string wrong;
    for_each_option(program, [&](const CLI::Option& option) {
        if (option.get_delimiter() == '\0') return;
        const std::string name = "--" + option.get_single_name();
        for (size_t i = 0; i < arguments.size(); ++i) {
            std::string value;
            if (arguments[i] == name && i + 1 < arguments.size()) value = arguments[i + 1];
            else if (arguments[i].rfind(name + "=", 0) == 0)
                value = arguments[i].substr(name.size() + 1);
            if (("," + value + ",").find(",,") != std::string::npos && !value.empty())
                wrong = fmt::format("{} {}: must not have an empty element between commas", name,
                                    value);
        }
    });
    return wrong;
}

bool looks_like_option(const std::string& word) {
    return word.size() > 1 && word[0] == '-' &&
           (word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])) != 0);
}

std::vector<NamedFile> files_of(const CLI::App& program) {
    std::vector<NamedFile> files;
    for (const std::string& path : plugins()) files.push_back({"--plugin", path, true});
    if (!config_file().empty()) files.push_back({"--config", config_file(), true});
    add_files(program, files);
    return files;
}

std::string explain(const CLI::App& program, const CLI::ParseError& error) {
    const std::string see = fmt::format(" (see {} --help)", line_of(program));
    const std::vector<std::string> words = left_over(program);
    const CLI::App& command = chosen(program);
    const bool lacks_subcommand =
        command.get_require_subcommand_min() > 0 && command.get_subcommands().empty();
    if (!words.empty() && words.front().rfind('-', 0) == 0)
        return fmt::format("unknown option {}{}", words.front(),
                           suggestion(words.front(), options_of(command))) +
               see;
    if (!words.empty() && lacks_subcommand)
        return fmt::format("unknown subcommand {}{}", words.front(),
                           suggestion(words.front(), subcommands_of(command))) +
               see;
    if (!words.empty())
        return fmt::format("unexpected argument {}{}", words.front(),
                           suggestion(words.front(), subcommands_of(command))) +
               see;
    if (lacks_subcommand) return fmt::format("{} needs a subcommand", line_of(program)) + see;
    return error.what() + see;
}

std::vector<std::string> with_new_names(const std::vector<std::string>& arguments) {
    using Words = std::vector<std::string>;
    static const std::map<std::string, Words> names{
        {"blocks", {"--engine", "systemc"}},
        {"events", {"--engine", "fast"}},
        {"lockstep", {"--engine", "rtl", "--check", "systemc"}},
    };
    const std::string option = "--engine";
    Words words;
    for (size_t i = 0; i < arguments.size(); ++i) {
        const bool has_value = arguments[i].rfind(option + "=", 0) == 0;
        const bool is_next = arguments[i] == option && i + 1 < arguments.size();
        const auto found = names.find(has_value ? arguments[i].substr(option.size() + 1)
                                      : is_next ? arguments[i + 1]
                                                : "");
        if (found == names.end()) {
            words.push_back(arguments[i]);
            continue;
        }
        complain(fmt::format("warning: --engine {} is an old name: use {}", found->first,
                             fmt::join(found->second, " ")));
        words.insert(words.end(), found->second.begin(), found->second.end());
        if (is_next) ++i;
    }
    return words;
}

}  // namespace rdt
