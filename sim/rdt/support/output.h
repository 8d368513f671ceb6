// SPDX-License-Identifier: MIT
// Result files that are either complete or not there.
#pragma once

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <rdt/support/tidy.h>

namespace rdt {

// what() is one line for the user; the program ends with ExitUsage.
struct OutputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Fails before a long run instead of after it. "-" is always writable.
void check_writable(const std::string& path);

// The purpose of a file named by an option. An empty path is none.
struct NamedFile {
    std::string option;  // as --json
    std::string path;
    bool is_read = false;  // an input, else a result
};
// check_writable() of all results; and no file, nor standard output, is used for two purposes: what
// was there first would be lost. Two inputs may be the same. Throws OutputError.
void check_files(const std::vector<NamedFile>& files);

// A folder and those above it. Throws OutputError.
void make_folder(const std::string& path);

// Holds an exclusive lock on the file while it exists. Throws OutputError if another process holds
// it. The mark is FILE.lock beside it, which goes at the end.
class FileLock {
public:
    explicit FileLock(const std::string& path);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    std::string m_name;
    TransientName m_transient;
    int m_file = -1;
};

// An empty temporary file beside `path`, for code that opens files by name. commit() gives it its
// final name; without commit() it is removed, also after a signal. Throws OutputError if there can
// be none, or if `path` is there and is no regular file, or may not be written.
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
    TransientName m_transient;
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
