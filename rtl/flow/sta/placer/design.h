// SPDX-License-Identifier: MIT
// Cells of one height in rows, pins that stand still, and the nets between them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace rdt::place {

using Index = uint32_t;
using Axis = std::vector<double>;

struct Design {
    double side = 0, height = 0;  // side of the square core; height of a row
    Axis width;                   // of the cells
    std::array<Axis, 2> at;       // x and y of the cells' middles, then of the pins
    std::vector<std::vector<Index>> nets;
    Axis weight;                           // weight of each net
    std::vector<std::vector<Index>> uses;  // nets of a cell

    Index cells() const { return Index(width.size()); }
    Index rows() const { return Index(side / height); }
    double row_y(Index row) const { return (row + 0.5) * height; }

    explicit Design(const std::string& path) {
        std::FILE* file = std::fopen(path.c_str(), "r");
        if (!file) throw std::runtime_error("no file " + path);
        Index cells = 0, pins = 0, count = 0;
        read(file, "%lf", &side), read(file, "%lf", &height);
        read(file, "%u", &cells), read(file, "%u", &pins), read(file, "%u", &count);
        width.resize(cells), weight.resize(count), nets.resize(count), uses.resize(cells);
        for (Axis& axis : at) axis.resize(cells + pins);
        for (Index i = 0; i < cells + pins; ++i) {
            if (i < cells) read(file, "%lf", &width[i]);
            read(file, "%lf", &at[0][i]), read(file, "%lf", &at[1][i]);
        }
        for (Index k = 0; k < count; ++k) {
            Index members = 0;
            read(file, "%lf", &weight[k]), read(file, "%u", &members);
            nets[k].resize(members);
            for (Index& i : nets[k]) {
                read(file, "%u", &i);
                if (i < cells) uses[i].push_back(k);
            }
        }
        std::fclose(file);
    }

    // Half the perimeter of the box around a net.
    double half_perimeter(Index net) const {
        double sum = 0;
        for (const Axis& axis : at) {
            double low = 1e30, high = -1e30;
            for (Index i : nets[net]) low = std::min(low, axis[i]), high = std::max(high, axis[i]);
            sum += high - low;
        }
        return sum;
    }
    double wire() const {
        double sum = 0;
        for (Index k = 0; k < nets.size(); ++k) sum += half_perimeter(k);
        return sum;
    }

private:
    template <typename T>
    static void read(std::FILE* file, const char* form, T* to) {
        if (std::fscanf(file, form, to) != 1) throw std::runtime_error("the design ends early");
    }
};

}  // namespace rdt::place
