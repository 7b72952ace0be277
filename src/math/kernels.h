// The arithmetic of training, on blocks of rows: each function is compiled for every instruction
// set the compiler knows, and the best one the machine has is chosen at run time.
//
// All rows are `width` floats, a multiple of kRowPadding, 64-byte aligned, and follow each other
// without gaps. tests/math/kernels_test.cc checks every instruction set against plain loops.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "math/aligned.h"

namespace acevec {

// scores[i · score_stride + j] = a_i · b_j for i < a_rows, j < b_rows.
void score_rows(const float* a, int64_t a_rows, const float* b, int64_t b_rows, int64_t width,
                float* scores, int64_t score_stride);

// A matrix of weights inside a larger array: weight(i, k) = data[i · row_stride + k ·
// inner_stride]. Swapping the strides transposes it.
struct Weights {
  const float* data;
  int64_t row_stride;
  int64_t inner_stride;
};

// out_i = Σ_k weight(i, k) · b_k for i < rows, k < inner; added to out_i when `add` is set.
void mix_rows(Weights weights, int64_t rows, const float* b, int64_t inner, int64_t width,
              float* out, bool add);

// For each row of one block the rows of another that it is paired with: first .. last − 1.
struct Span {
  int32_t first;
  int32_t last;
};

// score_rows() and mix_rows() for a band of pairs instead of all pairs:
// scores[i · score_stride + j] = a_i · b_j for i < a_rows and j in spans[i]; others stay.
void score_band(const float* a, int64_t a_rows, const float* b, const Span* spans, int64_t width,
                float* scores, int64_t score_stride);

// out_i = Σ weight(i, k) · b_k over k in spans[i], for i < rows.
void mix_band(Weights weights, int64_t rows, const float* b, const Span* spans, int64_t width,
              float* out);

// A score that stands for "no pair here": its loss and its gradient are exactly zero as a positive.
inline constexpr float kNoPair = std::numeric_limits<float>::infinity();

// Scores of negatives -> gradient and loss. `scores` is rows × columns without gaps; a score s of
// row i becomes −step · weights[i] · σ(s). Returns Σ_i weights[i] Σ −log σ(−s).
double repel_scores(float* scores, int64_t rows, int64_t columns, const float* weights, float step);

// Scores of positives -> gradient and loss: each s becomes step · σ(−s), kNoPair becomes 0.
// Returns Σ −log σ(s).
double attract_scores(float* scores, int64_t count, float step);

// Each row of `scores` (rows × columns without gaps) becomes its softmax; log_sums[i] = log Σ exp
// of what it held, not a number where a score was none.
void share_scores(float* scores, int64_t rows, int64_t columns, float* log_sums);

// The instruction sets that this binary has and this machine can run, best first, by the names
// that choose_instruction_set() takes ("AVX3", "AVX2", "SSE4", ...).
std::vector<std::string> instruction_sets();

// From now on uses this one ("" for the best). Throws Error when it is not in the list. Not to be
// called while other threads compute.
void choose_instruction_set(const std::string& name);

// The one in use.
std::string instruction_set();

}  // namespace acevec
