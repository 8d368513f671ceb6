// SPDX-License-Identifier: MIT
// A working folder of its own for a test whose model writes files under fixed names, so that tests
// can run side by side.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace rdt::tb {

class OwnFolder {
public:
    OwnFolder() : m_before(std::filesystem::current_path()) {
        std::string name = (std::filesystem::temp_directory_path() / "rdt_test_XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create " + name);
        m_folder = name;
        std::filesystem::current_path(m_folder);
    }
    ~OwnFolder() {
        std::error_code ignored;
        std::filesystem::current_path(m_before, ignored);
        std::filesystem::remove_all(m_folder, ignored);
    }
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;

private:
    std::filesystem::path m_before;
    std::filesystem::path m_folder;
};

}  // namespace rdt::tb
