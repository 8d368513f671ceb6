// SPDX-License-Identifier: MIT
#include <rdt/support/output.h>

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

PendingFile::PendingFile(const std::string& path) : m_path(path) {
    const fs::path target = target_of(path);
    if (!is_replaceable(target))
        throw OutputError("cannot write " + path + ": it is no regular file");
    m_target = target.string();
    m_name = m_target + ".tmp" + std::to_string(getpid());
}

PendingFile::~PendingFile() {
    if (!m_name.empty()) std::remove(m_name.c_str());
}

void PendingFile::commit() {
    if (std::rename(m_name.c_str(), m_target.c_str()) != 0) fail(m_path, errno);
    m_name.clear();
}

OutputFile::OutputFile(const std::string& path) : m_path(path) {
    if (path == "-") {
        m_path = "standard output";
        m_file = stdout;
        return;
    }
    if (is_replaceable(target_of(path))) {
        m_pending = std::make_unique<PendingFile>(path);
        m_file = std::fopen(m_pending->name().c_str(), "wx");
    } else {
        m_file = std::fopen(path.c_str(), "w");
    }
    if (m_file == nullptr) fail(path, errno);
}

OutputFile::~OutputFile() {
    if (m_file != nullptr && m_file != stdout) std::fclose(m_file);
}

void OutputFile::give_up(int error) {
    if (m_file != nullptr && m_file != stdout) std::fclose(m_file);
    m_file = nullptr;
    m_pending.reset();
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
    if (m_pending) m_pending->commit();
}

void write_file(const std::string& path, const std::string& text) {
    OutputFile file(path);
    file.write(text);
    file.commit();
}

}  // namespace rdt
