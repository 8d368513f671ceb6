// SPDX-License-Identifier: MIT
// Runs the program as a user does, in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace rdt::tb {

class Program : public ::testing::Test {
protected:
    void SetUp() override {
        m_folder = std::filesystem::temp_directory_path() / ("rdt_" + std::to_string(getpid()));
        std::filesystem::create_directories(m_folder);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    std::string file(const std::string& name) const { return (m_folder / name).string(); }
    std::string text(const std::string& name) const {
        std::ifstream in(file(name));
        return {std::istreambuf_iterator<char>(in), {}};
    }
    // Returns the exit code; what it prints is in the files out and err.
    int run(const std::string& arguments) const {
        const std::string line =
            "bin/rdt " + arguments + " >" + file("out") + " 2>" + file("err") + " </dev/null";
        const int status = std::system(line.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    // Exit code 2, one line on standard error, nothing on standard output.
    void expect_refused(const std::string& arguments) const {
        EXPECT_EQ(run(arguments), 2) << arguments;
        const std::string error = text("err");
        EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << arguments << ": " << error;
        EXPECT_EQ(text("out"), "") << arguments;
    }

private:
    std::filesystem::path m_folder;
};

}  // namespace rdt::tb
