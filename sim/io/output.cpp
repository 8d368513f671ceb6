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

int write_all(std::FILE* file, const std::string& text) {
    errno = 0;
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return written && std::fflush(file) == 0 ? 0 : errno != 0 ? errno : EIO;
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

void write_file(const std::string& path, const std::string& text) {
    if (path == "-") {
        if (const int error = write_all(stdout, text)) fail("standard output", error);
        return;
    }
    const fs::path target = target_of(path);
    const bool replaces = is_replaceable(target);
    const std::string name =
        replaces ? target.string() + ".tmp" + std::to_string(getpid()) : target.string();
    std::FILE* file = std::fopen(name.c_str(), replaces ? "wx" : "w");
    if (file == nullptr) fail(path, errno);
    int error = write_all(file, text);
    if (std::fclose(file) != 0 && error == 0) error = errno;
    if (error == 0 && replaces && std::rename(name.c_str(), target.c_str()) != 0) error = errno;
    if (error != 0) {
        if (replaces) std::remove(name.c_str());
        fail(path, error);
    }
}

}  // namespace rdt
