// SPDX-License-Identifier: MIT
#include "cli/program.h"

#include <fmt/core.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>

#include <rdt/machine/machine.h>
#include <rdt/support/complain.h>
#include <rdt/support/interrupt.h>
#include <rdt/support/tidy.h>
#include <rdt/version.h>
#include "cli/command.h"
#include "cli/guard.h"
#include "cli/old_names.h"
#include "cli/other_program.h"
#include "cli/plugins.h"
#include "cli/settings.h"

namespace {

int fail(const std::string& what) {
    rdt::complain(rdt::one_line(what));
    return rdt::ExitUsage;
}

// What was written has arrived; else one line about it and its exit code.
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
// algorithms and workloads in them make themselves known before anybody asks for them.
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
        if (file.empty() || rdt::looks_like_option(file))
            throw std::invalid_argument("--plugin: needs a value");
        if (file.find('/') == std::string::npos) file.insert(0, "./");
        rdt::load_plugin(file);
        rdt::plugins().push_back(file);
        rdt::called_as() += " --plugin " + file;
    }
    return others;
}

}  // namespace

int rdt::run_program(int argc, char** argv) {
    occupy_standard_files();
    tidy_up_on_signals();
    CLI::App program("The RDT network of the JUMP-1 machine and its router chip.", "rdt");
    program.set_version_flag("--version", "rdt " RDT_VERSION);
    program.add_option("--plugin", "a shared library with own networks, algorithms or workloads")
        ->type_name("FILE");
    program.require_subcommand(1);
    rdt::Action action;
    try {
        std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
        if (argc > 0) rdt::called_as() = argv[0];
        rdt::start_other_program(argv, arguments);
        arguments = without_plugins(arguments);
        for (const auto& [name, add] : rdt::Command::all()) add(program, action);
        for (const auto& [name, about] : rdt::OtherProgram::commands())
            program.add_subcommand(name, about);
        rdt::refuse_what_cannot_be_meant(program);
        rdt::fold_help(program);
        arguments = rdt::with_new_names(rdt::with_config(program, arguments));
        const std::string wrong = rdt::wrong_list(program, arguments);
        if (!wrong.empty()) return fail(wrong);
        std::reverse(arguments.begin(), arguments.end());  // as the library wants them
        program.parse(arguments);
        rdt::check_files(rdt::files_of(program));
        const int code = action();
        const int signal = rdt::InterruptGuard::signal();
        return delivered(code == ExitOk && signal != 0 ? ExitSignal + signal : code);
    } catch (const CLI::ParseError& e) {
        // --help and --version arrive here too.
        if (e.get_exit_code() == 0) return delivered(program.exit(e));
        return fail(rdt::explain(program, e));
    } catch (const rdt::machine::MachineError& e) {  // models differ
        rdt::complain(e.what());
        return rdt::ExitFound;
    } catch (const std::bad_alloc&) {
        return fail("out of memory: fewer nodes, clocks, packets or threads need less");
    } catch (const std::exception& e) {
        return fail(rdt::text_of(e));
    } catch (...) {
        return fail("an exception that is no std::exception");
    }
}
