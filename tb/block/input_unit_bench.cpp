// SPDX-License-Identifier: MIT
#include "block/input_unit_bench.h"

namespace rdt::tb {

template class BlockBench<Vrdt_input_unit_0, rdt::input_unit>;
template class BlockBench<Vrdt_input_unit_6, rdt::input_unit>;
template class BlockBench<Vrdt_input_unit_8, rdt::input_unit>;
template struct InputUnitBench<Vrdt_input_unit_0>;
template struct InputUnitBench<Vrdt_input_unit_6>;
template struct InputUnitBench<Vrdt_input_unit_8>;

}  // namespace rdt::tb
