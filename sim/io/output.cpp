// SPDX-License-Identifier: MIT
#include "io/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace rdt {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& path, int error) {
    throw OutputError("cannot write " + path + ": " + std::strerror(error));
}

// Where the bytes really go: a symbolic link keeps pointing to the file.
fs::path target_of(const std::string& path) {
    std::error_code none;
    const fs::path target = fs::weakly_canonical(path, none);
    return none ? fs::path(path) : target;
}

bool is_replaceable(const fs::path& target) {
    std::error_code none;
    const fs::file_status status = fs::status(target, none);
    return !fs::exists(status) || fs::is_regular_file(status);
}

}  // namespace

void check_writable(const std::string& path) {
    if (path == "-") return;
    const fs::path target = target_of(path);
    if (!is_replaceable(target)) {
        if (fs::is_directory(target)) fail(path, EISDIR);
        return;
    }
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (access(folder.c_str(), W_OK | X_OK) != 0) fail(path, errno);
}

OutputFile::OutputFile(const std::string& path) : m_path(path) {
    if (path == "-") {
        m_path = "standard output";
        m_file = stdout;
        return;
    }
    const fs::path target = target_of(path);
    const bool replaces = is_replaceable(target);
    m_target = target.string();
    m_name = replaces ? m_target + ".tmp" + std::to_string(getpid()) : m_target;
    m_file = std::fopen(m_name.c_str(), replaces ? "wx" : "w");
    if (m_file == nullptr) fail(path, errno);
}

OutputFile::~OutputFile() {
    if (m_file == nullptr || m_file == stdout) return;
    std::fclose(m_file);
    if (m_name != m_target) std::remove(m_name.c_str());
}

void OutputFile::give_up(int error) {
    if (m_file != nullptr && m_file != stdout) std::fclose(m_file);
    m_file = nullptr;
    if (m_name != m_target) std::remove(m_name.c_str());
    fail(m_path, error);
}

void OutputFile::write(const std::string& text) {
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), m_file) != text.size())
        give_up(errno != 0 ? errno : EIO);
}

void OutputFile::commit() {
    errno = 0;
    if (std::fflush(m_file) != 0) give_up(errno != 0 ? errno : EIO);
    if (m_file == stdout) return;
    const bool closed = std::fclose(m_file) == 0;
    m_file = nullptr;
    if (!closed) give_up(errno);
    if (m_name != m_target && std::rename(m_name.c_str(), m_target.c_str()) != 0) give_up(errno);
}

void write_file(const std::string& path, const std::string& text) {
    OutputFile file(path);
    file.write(text);
    file.commit();
}

}  // namespace rdt
