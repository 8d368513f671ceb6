// SPDX-License-Identifier: MIT
// Runs a program as a process of its own in a folder and judges what it printed and left there
// (fuzz_cli.cpp).
#pragma once

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <rdt/support/output.h>
#include "program/fuzz_injected.h"

namespace rdt::tb {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class FuzzCases {
public:
    struct Kind {
        uint64_t cases = 0;
        double seconds = 0;  // seconds of CPU time
    };
    const std::map<std::string, Kind>& kinds() const { return m_kinds; }

protected:
    FuzzCases(fs::path folder, Program program, unsigned seconds)
        : m_folder(std::move(folder)), m_program(std::move(program)), m_seconds(seconds) {}

    // A file that the program reads.
    void write_input(const std::string& name, const std::string& text) {
        write_file((m_folder / name).string(), text);
        m_inputs[name] = text;
    }

    std::string text_of(const std::string& name) const {
        std::ifstream in(m_folder / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    std::string program(const std::string& kind, Words words, const char* cwd = nullptr) {
        words.insert(words.begin(), "rdt");
        const pid_t child = fork();
        if (child == 0) in_child(words, cwd);
        int status = 0;
        rusage used{};
        while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
        }
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        const double seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
        Kind& of_kind = m_kinds[fmt::format("{}, exit code {}", kind, code)];
        ++of_kind.cases;
        of_kind.seconds += seconds;
        // A run takes the limit for a wish to stop, and ends well.
        const bool ends = seconds < m_seconds;
        const std::string wrong = ends ? judge(status) : "it does not end";
        if (wrong.empty()) return {};
        std::string line;
        for (const std::string& word : words) line += (line.empty() ? "" : " ") + quoted(word);
        return wrong + "\n  " + line + "\n  " + text_of("err");
    }

    const fs::path m_folder;
    std::map<std::string, std::string> m_inputs;  // by name: what they held before the program ran
    std::map<std::string, Kind> m_kinds;

private:
    static double seconds_of(const timeval& time) {
        return double(time.tv_sec) + 1e-6 * double(time.tv_usec);
    }
    static std::string quoted(const std::string& word) {
        std::string text = "'";
        for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
        return text + "'";
    }

    [[noreturn]] void in_child(Words& words, const char* cwd) const {
        fs::current_path(m_folder);
        const auto send = [](int file, const char* name) {
            const int to = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0600);
            dup2(to, file);
            close(to);
        };
        dup2(open("/dev/null", O_RDONLY), 0);
        send(1, "out");
        send(2, "err");
        if (cwd != nullptr) fs::current_path(cwd);
        const rlimit cpu{m_seconds, m_seconds + 5};
        setrlimit(RLIMIT_CPU, &cpu);
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        const int code = m_program(int(argv.size()), argv.data());
        std::fflush(nullptr);
        _exit(code);
    }

    // The files afterwards are as expected.
    std::string judge(int status) const {
        if (WIFSIGNALED(status)) return said_of(WTERMSIG(status));
        const int code = WEXITSTATUS(status);
        if (code > 2) return fmt::format("exit code {}", code);
        const std::string err = text_of("err");
        if (code == 2 &&
            (std::count(err.begin(), err.end(), '\n') != 1 || err.rfind("rdt: ", 0) != 0))
            return "not one line with the error";
        if (code == 0 && is_complaint(err)) return "a complaint, and exit code 0";
        for (const auto& [name, text] : m_inputs)
            if (text_of(name) != text) return "input changed: " + name;
        for (const auto& entry : fs::recursive_directory_iterator(m_folder)) {
            const std::string name = entry.path().lexically_relative(m_folder).string();
            if (name.find(".tmp") != std::string::npos || name.find(".lock") != std::string::npos)
                return "left behind: " + name;
            if (entry.is_regular_file() && !is_whole(name)) return "half a file: " + name;
        }
        return {};
    }
    // Long runs write their progress every ten seconds: "[###...] 20 %".
    static bool is_complaint(const std::string& err) {
        std::istringstream lines(err);
        for (std::string line; std::getline(lines, line);)
            if (line.rfind("[#", 0) != 0 && line.rfind("[.", 0) != 0) return true;
        return false;
    }
    // As far as its kind shows it.
    bool is_whole(const std::string& name) const {
        const std::string text = text_of(name);
        const auto ends_with = [&text](const std::string& end) {
            return text.size() >= end.size() &&
                   text.compare(text.size() - end.size(), end.size(), end) == 0;
        };
        if (fs::path(name).filename() == "index.html") return ends_with("</html>\n");
        // Any of the names may be given for any result.
        if (name.rfind("x.", 0) != 0 || text.empty()) return true;
        if (text[0] == '{') return nlohmann::json::accept(text);
        return ends_with(text.rfind("<svg", 0) == 0 ? "</svg>\n" : "\n");
    }

    const Program m_program;
    const unsigned m_seconds;
};

}  // namespace rdt::tb
