// SPDX-License-Identifier: MIT
// Result files that are either complete or not there.
#pragma once

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

namespace rdt {

// what() is one line for the user; the program ends with ExitUsage.
struct OutputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Fails before a long run instead of after it. "-" is always writable.
void check_writable(const std::string& path);

// A temporary name beside `path`, for whoever opens files by name. What was written there takes its
// own name with commit(); without it, nothing is left behind. Throws OutputError if `path` is there
// and is no regular file.
class PendingFile {
public:
    explicit PendingFile(const std::string& path);
    ~PendingFile();
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    const std::string& name() const { return m_name; }
    void commit();

private:
    std::string m_path;    // as the user knows it
    std::string m_target;  // where it ends up
    std::string m_name;    // where it is written
};

// A file that is written bit by bit and is there after commit(), or not at all. A path that is no
// regular file, as /dev/null, is written directly; "-" is standard output.
class OutputFile {
public:
    explicit OutputFile(const std::string& path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(const std::string& text);
    void commit();

private:
    [[noreturn]] void give_up(int error);

    std::string m_path;  // as the user knows it
    std::unique_ptr<PendingFile> m_pending;
    std::FILE* m_file;
};

// An OutputFile written and committed at once.
void write_file(const std::string& path, const std::string& text);

}  // namespace rdt
