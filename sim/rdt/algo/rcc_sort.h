// SPDX-License-Identifier: MIT
// RCC-FULL SORT: a square grid sorted into row-major order by sorting and rotating rows and
// columns.
#pragma once

#include <functional>

#include <rdt/algo/step_machine.h>
#include <rdt/net/families/rcc.h>

namespace rdt::algo {

// The ten steps, on any grid that can
//   sort_rows(bool snake)      every row to the right, or the odd-numbered ones to the left
//   rotate_rows(uint32_t by)   row i by i * by places to the right
//   transpose()
// `quarter` is the largest whole number whose fourth power is no more than the grid's size.
// on_step(n) is called after step n; in step 9 after each of its three rounds.
template <class Grid, class OnStep>
void rcc_sort_steps(Grid& grid, uint32_t quarter, OnStep&& on_step) {
    const auto sort_columns = [&] {
        grid.transpose();
        grid.sort_rows(false);
        grid.transpose();
    };
    sort_columns();
    on_step(1);
    grid.sort_rows(false);
    on_step(2);
    grid.rotate_rows(quarter);
    on_step(3);
    sort_columns();
    on_step(4);
    grid.rotate_rows(1);
    on_step(5);
    sort_columns();
    on_step(6);
    grid.rotate_rows(quarter);
    on_step(7);
    sort_columns();
    on_step(8);
    for (int round = 0; round < 3; ++round) {
        grid.sort_rows(true);
        sort_columns();
        on_step(9);
    }
    grid.sort_rows(false);
    on_step(10);
}

// The same for a grid of that side: floor(side^(1/2)).
uint32_t quarter_of(uint32_t side);

// Figure 9 (a), for 16 nodes.
constexpr uint64_t PaperInput[] = {10, 9, 14, 2, 4, 15, 11, 12, 6, 1, 5, 13, 8, 3, 7, 0};

struct Record {
    uint64_t key;
    uint64_t value;
};

// The network passed to algorithms registered for RCC-FULL only.
inline const Rcc& as_rcc(const Network& network) { return dynamic_cast<const Rcc&>(network); }

// The sort of a complete graph takes one step: every node sends its record to all others and takes
// the one that belongs to its place. A rotation of a row is a sort by destination, as in the
// paper, so that all of it is sorting of complete graphs and exchanges over transpose links.
class RccSorter {
public:
    // Counts on the machine, which is all-port. Throws NetworkError if a step would be too large.
    RccSorter(StepMachine& machine, const Rcc& network);

    // Called after each of the ten steps of the whole network; keys by node.
    using OnStep = std::function<void(int step, const std::vector<uint64_t>& keys)>;
    void sort(std::vector<Record>& records, const OnStep& on_step = {});

    // The key operations of a sort, without the moves: sorts of groups of positions. The same for
    // all inputs, since nothing but the sorts looks at a key.
    struct Schedule {
        uint32_t group;                // places that are sorted together
        std::vector<uint32_t> sorts;   // group after group, smallest key first
        std::vector<uint32_t> result;  // the place that holds the key of a node at the end
    };
    // Taken down while sorting; a place is at first that of the node of the same index.
    Schedule sort_and_record(std::vector<Record>& records);

private:
    struct Item {
        Record record;
        uint32_t place;                  // position in the schedule
        std::array<uint16_t, 4> target;  // of a rotation on level 1 to 4
    };
    static constexpr uint32_t ByKey = 0;  // or a level: by target of its rotation

    class Grid;
    void sort(uint32_t level, uint32_t by, const std::function<void(int)>& on_step);
    void sort_atoms(uint32_t by);
    void move_in_atoms();
    uint64_t key(const Item& item, uint32_t by) const {
        return by == ByKey ? item.record.key : item.target[by - 1];
    }
    uint32_t side(uint32_t level) const { return m_network.shape().block_size(level); }

    StepMachine& m_machine;
    const Rcc& m_network;
    std::vector<uint32_t> m_atom_port;  // by from * atom + to
    std::vector<Item> m_items;
    std::vector<uint8_t> m_descends;  // by node: its atom sorts the other way round
    std::vector<Item> m_received;     // by node and place in the atom
    Schedule* m_schedule = nullptr;   // where it is taken down
};

}  // namespace rdt::algo
