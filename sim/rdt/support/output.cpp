// SPDX-License-Identifier: MIT
#include <rdt/support/output.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include <rdt/support/interrupt.h>
#include <rdt/support/tidy.h>

namespace rdt {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& path, int error) {
    throw OutputError("cannot write " + path + ": " + std::strerror(error));
}

// Where the bytes really go: a symbolic link keeps pointing to the file, also to one that is not
// there yet.
fs::path target_of(const std::string& path) {
    constexpr int MostLinks = 40;
    std::error_code none;
    fs::path target = fs::absolute(path, none);
    for (int i = 0; i < MostLinks && fs::is_symlink(target, none); ++i) {
        const fs::path link = fs::read_symlink(target, none);
        target = link.is_absolute() ? link : target.parent_path() / link;
    }
    const fs::path canonical = fs::weakly_canonical(target, none);
    return none ? target.lexically_normal() : canonical;
}

bool is_replaceable(const fs::path& target) {
    std::error_code none;
    const fs::file_status status = fs::status(target, none);
    return !fs::exists(status) || fs::is_regular_file(status);
}

// A write-protected file is not replaced. Checked by mode bits, because root may write every file.
void check_permission(const std::string& path, const fs::path& target) {
    std::error_code none;
    if (fs::is_symlink(target, none)) fail(path, ELOOP);  // it leads back to itself
    const fs::file_status status = fs::status(target, none);
    constexpr fs::perms Any =
        fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
    if (fs::exists(status) && (status.permissions() & Any) == fs::perms::none) fail(path, EACCES);
}

// Also by another hard link.
bool is_same_file(const std::string& a, const std::string& b) {
    std::error_code none;
    return target_of(a) == target_of(b) || fs::equivalent(a, b, none);
}

// Makes a file that was not there, with the first name that is free.
std::string make_temporary(const std::string& path, const std::string& target) {
    constexpr int Tries = 1000;
    for (int i = 0; i < Tries; ++i) {
        const std::string name = target + ".tmp" + std::to_string(getpid()) +
                                 (i == 0 ? std::string() : "." + std::to_string(i));
        const int file = open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (file >= 0) {
            close(file);
            return name;
        }
        if (errno != EEXIST) break;
    }
    fail(path, errno);
}

}  // namespace

void check_writable(const std::string& path) {
    if (path == "-") return;
    const fs::path target = target_of(path);
    if (is_replaceable(target)) {
        const PendingFile trial(path);
    } else if (fs::is_directory(target)) {
        fail(path, EISDIR);
    }
}

void check_files(const std::vector<NamedFile>& files) {
    for (size_t i = 0; i < files.size(); ++i) {
        const NamedFile& a = files[i];
        if (a.path.empty()) continue;
        for (size_t k = 0; k < i; ++k) {
            const NamedFile& b = files[k];
            if (b.path.empty() || (a.is_read && b.is_read)) continue;
            // Input named - is standard input.
            if (a.path == "-" && (a.is_read || b.is_read)) continue;
            if ((a.path == "-") != (b.path == "-") || !is_same_file(a.path, b.path) ||
                !is_replaceable(target_of(a.path)))
                continue;
            throw OutputError(b.option + " and " + a.option + " must not both be " +
                              (a.path == "-" ? "standard output" : "the file " + a.path));
        }
    }
    for (const NamedFile& f : files)
        if (!f.path.empty() && !f.is_read) check_writable(f.path);
}

void make_folder(const std::string& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) throw OutputError("cannot create the folder " + path + ": " + error.message());
}

FileLock::FileLock(const std::string& path) : m_name(target_of(path).string() + ".lock") {
    for (;;) {
        m_file = open(m_name.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
        if (m_file < 0) fail(m_name, errno);
        if (flock(m_file, LOCK_EX | LOCK_NB) != 0) {
            close(m_file);
            throw OutputError(path + " is in use by another run (" + m_name + ")");
        }
        // The one that had it may have removed the name in between.
        struct stat mine {
        }, named{};
        if (fstat(m_file, &mine) == 0 && stat(m_name.c_str(), &named) == 0 &&
            mine.st_ino == named.st_ino && mine.st_dev == named.st_dev)
            break;
        close(m_file);
    }
    m_transient = TransientName(m_name);
}

FileLock::~FileLock() {
    unlink(m_name.c_str());
    close(m_file);
}

PendingFile::PendingFile(const std::string& path) : m_path(path) {
    const fs::path target = target_of(path);
    if (!is_replaceable(target))
        throw OutputError("cannot write " + path + ": must be a regular file");
    check_permission(path, target);
    m_target = target.string();
    m_name = make_temporary(path, m_target);
    m_transient = TransientName(m_name);
}

PendingFile::~PendingFile() {
    if (!m_name.empty()) std::remove(m_name.c_str());
}

void PendingFile::commit() {
    if (std::rename(m_name.c_str(), m_target.c_str()) != 0) fail(m_path, errno);
    m_name.clear();
    m_transient = {};
}

OutputFile::OutputFile(const std::string& path) : m_path(path) {
    if (path == "-") {
        m_path = "standard output";
        m_file = stdout;
        return;
    }
    if (is_replaceable(target_of(path))) {
        m_pending = std::make_unique<PendingFile>(path);
        m_file = std::fopen(m_pending->name().c_str(), "w");
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

namespace {

// A signal handler may neither allocate nor wait, so the names lie in fixed places.
constexpr int Slots = 64;
constexpr size_t Longest = 4096;
struct Slot {
    std::atomic<bool> taken{false};
    std::atomic<bool> valid{false};
    char path[Longest];
};
Slot slots[Slots];
pid_t owner = 0;  // not a process that was made by fork()

void remove_all() {
    if (getpid() != owner) return;
    for (Slot& s : slots)
        if (s.valid.load()) unlink(s.path);
}

void on_signal(int signal) {
    if (InterruptGuard::take(signal)) return;
    remove_all();
    std::signal(signal, SIG_DFL);
    raise(signal);
}

}  // namespace

void tidy_up_on_signals() {
    owner = getpid();
    for (const int signal :
         {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM, SIGPIPE, SIGUSR1, SIGUSR2}) {
        struct sigaction before {};
        // Signals ignored from outside, for example by nohup, stay ignored.
        if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
        struct sigaction action {};
        action.sa_handler = on_signal;
        action.sa_flags = SA_RESTART;
        sigaction(signal, &action, nullptr);
    }
    // A limit on the size of files shows as an error of the write.
    std::signal(SIGXFSZ, SIG_IGN);
}

TransientName::TransientName(const std::string& path) {
    if (path.size() >= Longest) return;
    for (int i = 0; i < Slots; ++i) {
        if (slots[i].taken.exchange(true)) continue;
        std::memcpy(slots[i].path, path.c_str(), path.size() + 1);
        slots[i].valid = true;
        m_slot = i;
        return;
    }
}

TransientName::~TransientName() {
    if (m_slot < 0) return;
    slots[m_slot].valid = false;
    slots[m_slot].taken = false;
}

TransientName::TransientName(TransientName&& other) noexcept
    : m_slot(std::exchange(other.m_slot, -1)) {}

TransientName& TransientName::operator=(TransientName&& other) noexcept {
    std::swap(m_slot, other.m_slot);
    return *this;
}

}  // namespace rdt
