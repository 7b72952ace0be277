// The penalties (penalty.h) of some concepts with many others, as a table. For every condition a
// generator wants to know what each concept would cost; that is no product of matrices, but as
// regular as one, and compiled for every instruction set the compiler knows.
// tests/order/penalty_table_test.cc checks each of them against order_penalty().
#pragma once

#include <cstdint>

namespace acevec {

// Which side of a pair is replaced, and which one is therefore kept: the condition.
enum class Replaced { kGeneral, kSpecific };

// table[i · table_stride + j] = E(condition i, other j) when the general side is replaced,
// E(other j, condition i) when the specific one is; i < rows, j < count. Conditions and others are
// rows of `stride` floats, of which the first `columns` count; any alignment.
void penalty_table(Replaced replaced, const float* conditions, int64_t rows, const float* others,
                   int64_t count, int64_t columns, int64_t stride, float* table,
                   int64_t table_stride);

}  // namespace acevec
