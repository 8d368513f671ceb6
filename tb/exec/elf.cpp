// SPDX-License-Identifier: MIT
// Malformed programs are refused, each for its own reason. The file that is spoiled is an example.
#include <rdt/exec/elf.h>

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>

#include <rdt/exec/image.h>

namespace rdt::exec {
namespace {

const std::string Example = std::string(RDT_SOURCE_DIR) + "/examples/program/ocean.elf";

std::vector<char> example() {
    std::ifstream file(Example, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A file that goes with it.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::vector<char>& bytes)
        : path("elf_" + std::to_string(getpid()) + ".elf") {
        std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
    }
    ~TemporaryFile() { std::remove(path.c_str()); }
    const std::string path;
};

// Why the file is refused; empty if it is not.
std::string refusal(const std::vector<char>& bytes) {
    const TemporaryFile file(bytes);
    try {
        Image(read_elf(file.path), Facts());
        return "";
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
}
std::string refusal_of(const std::function<void(Elf64_Ehdr&, Elf64_Phdr*)>& spoil) {
    std::vector<char> bytes = example();
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof header);
    std::vector<Elf64_Phdr> programs(header.e_phnum);
    char* const at = bytes.data() + header.e_phoff;
    std::memcpy(programs.data(), at, programs.size() * sizeof(Elf64_Phdr));
    spoil(header, programs.data());
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(at, programs.data(), programs.size() * sizeof(Elf64_Phdr));
    return refusal(bytes);
}
void expect_refusal(const std::string& got, const std::string& part) {
    EXPECT_NE(got.find(part), std::string::npos) << "refused because: " << got;
    EXPECT_EQ(got.find('\n'), std::string::npos);
}

TEST(Elf, has_segments_and_symbols) {
    const Elf elf = read_elf(Example);
    EXPECT_EQ(elf.entry, RamBase);
    EXPECT_EQ(elf.segments.size(), 2u);
    const Symbol* main = elf.find("main");
    ASSERT_NE(main, nullptr);
    EXPECT_TRUE(main->is_function);
    EXPECT_EQ(elf.name_of(main->address, true), "main");
    EXPECT_EQ(elf.name_of(main->address + 4, true), "main+0x4");
    EXPECT_EQ(elf.name_of(1, true), "0x1");
}

TEST(Elf, segment_without_permissions_has_all) {
    std::vector<char> bytes = example();
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof header);
    Elf64_Phdr first;
    char* const at = bytes.data() + header.e_phoff;
    std::memcpy(&first, at, sizeof first);
    first.p_flags = 0;
    std::memcpy(at, &first, sizeof first);
    const TemporaryFile file(bytes);
    const Elf elf = read_elf(file.path);
    EXPECT_TRUE(elf.segments[0].is_writable);
    EXPECT_TRUE(elf.segments[0].is_executable);
}

TEST(Elf, missing_file_is_refused) {
    EXPECT_THROW(read_elf("no_such_file.elf"), std::invalid_argument);
    EXPECT_THROW(read_elf(RDT_SOURCE_DIR), std::invalid_argument);
}

TEST(Elf, truncated_file_is_refused) {
    const std::vector<char> whole = example();
    EXPECT_EQ(refusal(whole), "");
    expect_refusal(refusal({}), "is empty");
    expect_refusal(refusal(std::vector<char>(whole.begin(), whole.begin() + 40)), "too short");
    expect_refusal(refusal(std::vector<char>(whole.begin(), whole.begin() + 100)),
                   "program headers outside");
    expect_refusal(refusal(std::vector<char>(whole.begin(), whole.begin() + 4200)), "is truncated");
    expect_refusal(refusal(std::vector<char>(whole.begin(), whole.end() - 10)), "outside the file");
}

TEST(Elf, every_length_is_refused_or_read) {
    const std::vector<char> whole = example();
    for (size_t n = 0; n < whole.size(); n += 97)
        EXPECT_NE(refusal(std::vector<char>(whole.begin(), whole.begin() + ptrdiff_t(n))), "");
}

TEST(Elf, file_of_another_machine_is_refused) {
    std::vector<char> text = example();
    text[1] = 'e';
    expect_refusal(refusal(text), "is not an ELF file");
    expect_refusal(refusal_of([](Elf64_Ehdr& h, Elf64_Phdr*) { h.e_ident[EI_CLASS] = 1; }),
                   "64-bit");
    expect_refusal(refusal_of([](Elf64_Ehdr& h, Elf64_Phdr*) { h.e_ident[EI_DATA] = 2; }),
                   "little-endian");
    expect_refusal(refusal_of([](Elf64_Ehdr& h, Elf64_Phdr*) { h.e_machine = EM_X86_64; }),
                   "machine 62");
    expect_refusal(refusal_of([](Elf64_Ehdr& h, Elf64_Phdr*) { h.e_type = ET_DYN; }),
                   "statically linked");
}

TEST(Elf, malformed_segments_are_refused) {
    expect_refusal(refusal_of([](Elf64_Ehdr&, Elf64_Phdr* p) { p[1].p_paddr = p[0].p_paddr; }),
                   "overlap");
    expect_refusal(refusal_of([](Elf64_Ehdr& h, Elf64_Phdr*) { h.e_entry = 0x80300000; }), "entry");
    expect_refusal(refusal_of([](Elf64_Ehdr& h, Elf64_Phdr*) { ++h.e_entry; }), "entry");
    expect_refusal(refusal_of([](Elf64_Ehdr&, Elf64_Phdr* p) { p[1].p_memsz = 1ull << 32; }),
                   "segment of 4294967296 bytes");
    expect_refusal(refusal_of([](Elf64_Ehdr&, Elf64_Phdr* p) { p[1].p_memsz = ~0ull; }),
                   "segment of");
    expect_refusal(refusal_of([](Elf64_Ehdr&, Elf64_Phdr* p) { p[0].p_paddr = 0x1000; }),
                   "RAM for programs");
    expect_refusal(refusal_of([](Elf64_Ehdr&, Elf64_Phdr* p) { p[0].p_offset = ~0ull; }),
                   "truncated");
    expect_refusal(refusal_of([](Elf64_Ehdr& h, Elf64_Phdr*) { h.e_phoff = ~0ull - 8; }),
                   "program headers outside");
    expect_refusal(refusal_of([](Elf64_Ehdr& h, Elf64_Phdr*) { h.e_shoff = ~0ull - 8; }),
                   "section table outside");
    expect_refusal(refusal_of([](Elf64_Ehdr&, Elf64_Phdr* p) { p[0].p_flags |= PF_W; }),
                   "writable and executable");
    expect_refusal(
        refusal_of([](Elf64_Ehdr&, Elf64_Phdr* p) { p[1].p_paddr = p[0].p_paddr + p[0].p_memsz; }),
        "pages");
}

}  // namespace
}  // namespace rdt::exec
