// Products of pairs of bfloat16 (kernels/bfloat16.h) by the matrix unit of Intel's processors, AMX:
// tiles of 16 rows of 16 pairs or sums, at eight times the rate of AVX-512. Operands already have
// its layouts: pairs along a row for the first, pairs across two rows for the second. A tile is
// read fastest where it is contiguous, hence the strips of pair_layout().
#pragma once

#include "kernels/bfloat16.h"

namespace acevec {

// True if the processor has the unit and the system lets this process use it.
bool has_matrix_unit();

// mix_pairs(), mix_pair_spans() and score_pair_band() by the unit. Only if has_matrix_unit(). A
// number of b that is not finite affects all sums of its tile, even of spans without it.
void mix_pairs_in_tiles(const PairWeights& weights, int64_t rows, const PairTable& b,
                        int64_t columns, FloatRows out, bool add);
void mix_spans_in_tiles(const PairSpans& band, int64_t rows, const PairTerm* all, int64_t columns,
                        FloatRows out);
void score_band_in_tiles(const PairTable& a, const PairTable& b, const Span* spans, int64_t columns,
                         FloatRows scores);

}  // namespace acevec
