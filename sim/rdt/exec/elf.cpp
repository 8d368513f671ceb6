// SPDX-License-Identifier: MIT
#include <rdt/exec/elf.h>

#include <elf.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace rdt::exec {

namespace {

constexpr uint64_t MaxFileBytes = uint64_t(256) << 20;
constexpr uint64_t MaxSymbols = 1 << 20;

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

class Reader {
public:
    explicit Reader(std::vector<uint8_t> bytes) : m_bytes(std::move(bytes)) {}

    Elf read() {
        const auto header = item<Elf64_Ehdr>(0, "is too short for an ELF file");
        if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) refuse("is not an ELF file");
        if (header.e_ident[EI_CLASS] != ELFCLASS64) refuse("is not a 64-bit ELF file");
        if (header.e_ident[EI_DATA] != ELFDATA2LSB) refuse("is not little-endian");
        if (header.e_machine != EM_RISCV)
            refuse(
                fmt::format("is for machine {}, not for RISC-V ({})", header.e_machine, EM_RISCV));
        if (header.e_type != ET_EXEC) refuse("is not a statically linked program");
        if (header.e_phnum != 0 && header.e_phentsize != sizeof(Elf64_Phdr))
            refuse("has program headers of an unknown size");
        Elf elf;
        elf.entry = header.e_entry;
        for (uint64_t i = 0; i < header.e_phnum; ++i) {
            if (header.e_phoff > MaxFileBytes) refuse("has program headers outside the file");
            const auto program = item<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr),
                                                  "has program headers outside the file");
            if (program.p_type == PT_LOAD && program.p_memsz != 0)
                elf.segments.push_back(segment_of(program));
        }
        check_segments(elf);
        read_symbols(header, elf);
        return elf;
    }

private:
    bool has(uint64_t offset, uint64_t count) const {
        return offset <= m_bytes.size() && count <= m_bytes.size() - offset;
    }
    template <class T>
    T item(uint64_t offset, const char* why) const {
        if (!has(offset, sizeof(T))) refuse(why);
        T value;
        std::memcpy(&value, m_bytes.data() + offset, sizeof value);
        return value;
    }

    Segment segment_of(const Elf64_Phdr& program) const {
        Segment s;
        s.address = program.p_paddr;
        s.size = program.p_memsz;
        // Linker scripts without permissions, such as that of riscv-tests, mean all of them.
        const uint32_t flags = program.p_flags == 0 ? PF_R | PF_W | PF_X : program.p_flags;
        s.is_writable = (flags & PF_W) != 0;
        s.is_executable = (flags & PF_X) != 0;
        if (!has(program.p_offset, program.p_filesz) || program.p_filesz > program.p_memsz)
            refuse(fmt::format("is truncated: its segment at {:#x} has {} bytes at offset {}",
                               s.address, program.p_filesz, program.p_offset));
        if (s.size > MaxSharedBytes)
            refuse(fmt::format("has a segment of {} bytes at {:#x}; at most {} are allowed", s.size,
                               s.address, MaxSharedBytes));
        if (s.address < RamBase || s.address >= StackBase || s.size > StackBase - s.address)
            refuse(
                fmt::format("has a segment at {:#x} to {:#x}; RAM for programs is {:#x} to "
                            "{:#x}",
                            s.address, s.address + s.size - 1, RamBase, StackBase - 1));
        const auto first = m_bytes.begin() + ptrdiff_t(program.p_offset);
        s.bytes.assign(first, first + ptrdiff_t(program.p_filesz));
        return s;
    }

    static void check_segments(Elf& elf) {
        std::sort(elf.segments.begin(), elf.segments.end(),
                  [](const Segment& a, const Segment& b) { return a.address < b.address; });
        bool has_entry = false;
        for (size_t i = 0; i < elf.segments.size(); ++i) {
            const Segment& s = elf.segments[i];
            if (i > 0 && elf.segments[i - 1].end() > s.address)
                refuse(fmt::format("has segments that overlap at {:#x}", s.address));
            has_entry = has_entry ||
                        (s.is_executable && elf.entry - s.address < s.size && elf.entry % 2 == 0);
        }
        if (elf.segments.empty()) refuse("has no segment to load");
        if (!has_entry) refuse(fmt::format("has its entry at {:#x}, where no code is", elf.entry));
    }

    void read_symbols(const Elf64_Ehdr& header, Elf& elf) const {
        constexpr const char* Outside = "has a section table outside the file";
        if (header.e_shoff == 0 || header.e_shnum == 0) return;
        if (header.e_shentsize != sizeof(Elf64_Shdr)) refuse("has sections of an unknown size");
        if (header.e_shoff > MaxFileBytes) refuse(Outside);
        const auto section = [&](uint64_t i) {
            return item<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr), Outside);
        };
        for (uint64_t i = 0; i < header.e_shnum; ++i) {
            const Elf64_Shdr table = section(i);
            if (table.sh_type != SHT_SYMTAB) continue;
            if (table.sh_link >= header.e_shnum) refuse(Outside);
            const Elf64_Shdr names = section(table.sh_link);
            const uint64_t count = table.sh_size / sizeof(Elf64_Sym);
            if (!has(table.sh_offset, table.sh_size) || !has(names.sh_offset, names.sh_size) ||
                count > MaxSymbols)
                refuse("has a symbol table outside the file");
            for (uint64_t k = 0; k < count; ++k)
                add_symbol(item<Elf64_Sym>(table.sh_offset + k * sizeof(Elf64_Sym), Outside), names,
                           elf);
        }
        std::stable_sort(elf.symbols.begin(), elf.symbols.end(),
                         [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
    }
    void add_symbol(const Elf64_Sym& from, const Elf64_Shdr& names, Elf& elf) const {
        const unsigned type = ELF64_ST_TYPE(from.st_info);
        const bool is_other = type == STT_SECTION || type == STT_FILE || type == STT_TLS;
        if (is_other || from.st_shndx == SHN_UNDEF || from.st_name >= names.sh_size) return;
        const char* text =
            reinterpret_cast<const char*>(m_bytes.data()) + names.sh_offset + from.st_name;
        Symbol s;
        s.name.assign(text, strnlen(text, names.sh_size - from.st_name));
        if (s.name.empty() || s.name[0] == '$' || s.name[0] == '.') return;
        s.address = from.st_value;
        s.size = from.st_size;
        s.is_function = type == STT_FUNC;
        elf.symbols.push_back(std::move(s));
    }

    const std::vector<uint8_t> m_bytes;
};

}  // namespace

const Symbol* Elf::find(const std::string& name) const {
    for (const Symbol& s : symbols)
        if (s.name == name) return &s;
    return nullptr;
}

const Symbol* Elf::at(uint64_t address, bool is_function) const {
    auto s = std::upper_bound(symbols.begin(), symbols.end(), address,
                              [](uint64_t a, const Symbol& b) { return a < b.address; });
    while (s != symbols.begin()) {
        --s;
        const bool holds = address - s->address < std::max<uint64_t>(s->size, 1);
        if (s->is_function == is_function && holds) return &*s;
        if (address - s->address > MaxSharedBytes) break;
        if (s->is_function == is_function && s->size != 0) break;  // it ends before
    }
    return nullptr;
}

std::string Elf::name_of(uint64_t address, bool is_function) const {
    const Symbol* s = at(address, is_function);
    if (s == nullptr) return fmt::format("{:#x}", address);
    if (s->address == address) return s->name;
    return fmt::format("{}+{:#x}", s->name, address - s->address);
}

Elf read_elf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<uint8_t> bytes;
    char part[65536];
    while (file.read(part, sizeof part), file.gcount() > 0) {
        bytes.insert(bytes.end(), part, part + file.gcount());
        if (bytes.size() > MaxFileBytes) refuse(path + " is too large for a program");
    }
    if (bytes.empty()) refuse(path + (file.eof() ? " is empty" : " cannot be read"));
    return elf_of(std::move(bytes), path);
}

Elf elf_of(std::vector<uint8_t> bytes, const std::string& name) {
    try {
        return Reader(std::move(bytes)).read();
    } catch (const std::invalid_argument& e) {
        refuse(name + " " + e.what());
    }
}

}  // namespace rdt::exec
