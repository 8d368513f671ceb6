// SPDX-License-Identifier: MIT
#include <rdt/traces/packed_file.h>

#include <bzlib.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace rdt::traces {

// One bzip2 stream after the other: programs that pack on several cores write many.
class PackedFile::Unpacker {
public:
    Unpacker(std::FILE* file, const std::string& begin, const std::string& path)
        : m_file(file), m_path(path) {
        open(begin.data(), int(begin.size()));
    }
    ~Unpacker() { close(); }
    Unpacker(const Unpacker&) = delete;
    Unpacker& operator=(const Unpacker&) = delete;

    size_t read(void* to, size_t count) {
        size_t done = 0;
        while (done < count && m_stream != nullptr) {
            int code = BZ_OK;
            const auto room = int(std::min<size_t>(count - done, 1 << 20));
            done += size_t(
                std::max(0, BZ2_bzRead(&code, m_stream, static_cast<char*>(to) + done, room)));
            if (code == BZ_STREAM_END) next_stream();
            else if (code != BZ_OK) fail(code);
        }
        return done;
    }

private:
    void open(const char* begin, int count) {
        int code = BZ_OK;
        m_stream = BZ2_bzReadOpen(&code, m_file, 0, 0, const_cast<char*>(begin), count);
        if (code != BZ_OK) fail(code);
    }
    void close() {
        int code = BZ_OK;
        if (m_stream != nullptr) BZ2_bzReadClose(&code, m_stream);
        m_stream = nullptr;
    }
    void next_stream() {
        int code = BZ_OK;
        void* left = nullptr;
        int count = 0;
        BZ2_bzReadGetUnused(&code, m_stream, &left, &count);
        std::string begin(static_cast<char*>(left), size_t(count));
        close();
        if (begin.empty()) {
            const int c = std::getc(m_file);
            if (c == EOF) return;
            begin.assign(1, char(c));
        }
        open(begin.data(), int(begin.size()));
    }
    [[noreturn]] void fail(int code) const {
        throw ImportError(fmt::format("{}: {}", m_path,
                                      code == BZ_UNEXPECTED_EOF ? "the bzip2 file ends too early"
                                      : code == BZ_MEM_ERROR    ? "no memory to unpack it"
                                                                : "is a damaged bzip2 file"));
    }

    std::FILE* m_file;
    const std::string& m_path;
    BZFILE* m_stream = nullptr;
};

PackedFile::PackedFile(const std::string& path)
    : m_path(path), m_file(std::fopen(path.c_str(), "rb")) {
    if (m_file == nullptr)
        throw ImportError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    try {
        std::array<char, 3> begin{};
        const size_t count = read_raw(begin.data(), begin.size());
        m_peeked.assign(begin.data(), count);
        if (m_peeked == "BZh") {
            m_unpacker = std::make_unique<Unpacker>(m_file, m_peeked, m_path);
            m_peeked.clear();
        }
    } catch (...) {
        std::fclose(m_file);
        throw;
    }
}

PackedFile::~PackedFile() {
    m_unpacker.reset();
    std::fclose(m_file);
}

size_t PackedFile::read_raw(void* to, size_t count) {
    errno = 0;
    const size_t done = std::fread(to, 1, count, m_file);
    if (done < count && std::ferror(m_file) != 0)
        throw ImportError(fmt::format("cannot read {}: {}", m_path, std::strerror(errno)));
    return done;
}

size_t PackedFile::read(void* to, size_t count) {
    if (m_unpacker) return m_unpacker->read(to, count);
    const size_t first = std::min(count, m_peeked.size());
    std::memcpy(to, m_peeked.data(), first);
    m_peeked.erase(0, first);
    return first + read_raw(static_cast<char*>(to) + first, count - first);
}

}  // namespace rdt::traces
