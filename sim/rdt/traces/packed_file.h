// SPDX-License-Identifier: MIT
// A file of bytes as it is or packed by bzip2, whichever it turns out to be; a pipe is as welcome.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

namespace rdt::traces {

// what() is one line that names the file.
struct ImportError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

class PackedFile {
public:
    explicit PackedFile(const std::string& path);
    ~PackedFile();
    PackedFile(const PackedFile&) = delete;
    PackedFile& operator=(const PackedFile&) = delete;

    // As many bytes as are left, `count` at most. Throws ImportError.
    size_t read(void* to, size_t count);
    const std::string& path() const { return m_path; }

private:
    class Unpacker;
    size_t read_raw(void* to, size_t count);

    const std::string m_path;
    std::FILE* m_file;
    std::string m_peeked;  // the first bytes of a file that is not packed
    std::unique_ptr<Unpacker> m_unpacker;
};

}  // namespace rdt::traces
