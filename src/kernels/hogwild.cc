#include "kernels/hogwild.h"

#include <cmath>
#include <limits>

#include "kernels/lanes-inl.h"

#ifndef ACEVEC_KERNELS_HOGWILD_CC_
#define ACEVEC_KERNELS_HOGWILD_CC_
namespace acevec {

// Rows that are prefetched ahead, as the next may be anywhere.
constexpr int64_t kAhead = 6;
constexpr int64_t kAheadToChange = 4;

// A row is prefetched to be read, into the L1 cache, or into L2 if only that has room for a block;
// or to be changed, into L1.
enum class For { kReading, kReadingLater, kChanging };

// Prefetches a cache line and makes this core its only owner.
HWY_INLINE void prefetch_to_change(const float* line) {
#if HWY_ARCH_X86_64
  // Compilers emit this instruction only if told that the processor has it; where it has not, it
  // does nothing.
  asm volatile("prefetchw %0" : : "m"(*line));
#else
  __builtin_prefetch(line, 1);
#endif
}

// Rows of a matrix; const float if they are only read.
template <class Float>
struct Picked {
  Float* matrix;
  int64_t width;
  const int32_t* ids;
  int64_t count;

  HWY_INLINE Float* row(int64_t i) const { return matrix + ids[i] * width; }

  // Prefetches row i, if any.
  template <For kFor>
  HWY_INLINE void prefetch(int64_t i) const {
    if (i >= count) return;
    for (int64_t k = 0; k < width; k += kRowPadding) {
      if constexpr (kFor == For::kChanging) {
        prefetch_to_change(row(i) + k);
      } else {
        __builtin_prefetch(row(i) + k, 0, kFor == For::kReading ? 3 : 2);
      }
    }
  }
};

inline Picked<const float> pick(const Matrix& matrix, const int32_t* ids, int64_t count) {
  return {matrix.row(0), matrix.stride(), ids, count};
}
inline Picked<float> pick(Matrix& matrix, const int32_t* ids, int64_t count) {
  return {matrix.row(0), matrix.stride(), ids, count};
}

}  // namespace acevec
#endif

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

HWY_INLINE void CopyRow(const float* from, int64_t width, float* to) {
  for (int64_t k = 0; k < width; k += kLanes) {
    hn::Store(hn::Load(kFloats, from + k), kFloats, to + k);
  }
}

template <For kFor>
HWY_INLINE void CopyPicked(const Picked<const float>& picked, float* rows) {
  for (int64_t i = 0; i < picked.count; ++i) {
    picked.prefetch<kFor>(i + kAhead);
    CopyRow(picked.row(i), picked.width, rows + i * picked.width);
  }
}

void GatherRows(const Matrix& matrix, const int32_t* ids, int64_t count, float* rows) {
  CopyPicked<For::kReading>(pick(matrix, ids, count), rows);
}

void GatherRowsToChange(const Matrix& matrix, const int32_t* ids, int64_t count, float* rows) {
  CopyPicked<For::kChanging>(pick(matrix, ids, count), rows);
}

void WriteRows(Matrix& matrix, const int32_t* ids, int64_t count, const float* rows) {
  const auto picked = pick(matrix, ids, count);
  for (int64_t i = 0; i < picked.count; ++i) {
    picked.prefetch<For::kChanging>(i + kAheadToChange);
    CopyRow(rows + i * picked.width, picked.width, picked.row(i));
  }
}

HWY_INLINE float SquaredNorm(const float* row, int64_t width) {
  constexpr int kSums = kRowPadding / kLanes;
  Vector sums[kSums];
#pragma GCC unroll 4
  for (Vector& sum : sums) sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kRowPadding) {
#pragma GCC unroll 4
    for (int i = 0; i < kSums; ++i) {
      const Vector part = hn::Load(kFloats, row + k + i * kLanes);
      sums[i] = hn::MulAdd(part, part, sums[i]);
    }
  }
#pragma GCC unroll 4
  for (int i = 1; i < kSums; ++i) sums[0] = hn::Add(sums[0], sums[i]);
  return Sum(sums[0]);
}

void ScatterAdd(Matrix& matrix, const int32_t* ids, int64_t count, const float* changes,
                float max_step) {
  const auto picked = pick(matrix, ids, count);
  const bool bounded = max_step < std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < picked.count; ++i) {
    picked.prefetch<For::kChanging>(i + kAheadToChange);
    const float* const change = changes + i * picked.width;
    float* const row = picked.row(i);
    const float square = bounded ? SquaredNorm(change, picked.width) : 0;
    // A branch, since long steps are rare: so the addition need not wait for the length.
    if (square > max_step * max_step) {
      AddScaled(change, max_step / std::sqrt(square), picked.width, row);
    } else {
      AddScaled(change, 1, picked.width, row);
    }
  }
}

void ScoreWithRows(const Matrix& matrix, const int32_t* ids, int64_t count, const float* rows,
                   float* scores) {
  const auto picked = pick(matrix, ids, count);
  for (int64_t i = 0; i < picked.count; ++i) {
    picked.prefetch<For::kReading>(i + kAhead);
    scores[i] = Dot(rows + i * picked.width, picked.row(i), picked.width);
  }
}

void ScaleRows(const Matrix& matrix, const int32_t* ids, const float* weights, int64_t count,
               float* out) {
  const auto picked = pick(matrix, ids, count);
  for (int64_t i = 0; i < picked.count; ++i) {
    const Vector weight = hn::Set(kFloats, weights[i]);
    const float* const from = picked.row(i);
    float* const to = out + i * picked.width;
    for (int64_t k = 0; k < picked.width; k += kLanes) {
      hn::Store(hn::Mul(weight, hn::Load(kFloats, from + k)), kFloats, to + k);
    }
  }
}

void ScatterAddScaled(Matrix& matrix, RowIds ids, const float* weights, const float* rows,
                      float max_step, RowIds next) {
  const auto picked = pick(matrix, ids.ids, ids.count);
  const auto following = pick(matrix, next.ids, next.count);
  for (int64_t i = 0; i < picked.count; ++i) {
    following.prefetch<For::kReadingLater>(i);
    const float* const row = rows + i * picked.width;
    const float square = weights[i] * weights[i] * SquaredNorm(row, picked.width);
    const bool long_step = square > max_step * max_step;
    const float weight = long_step ? weights[i] * (max_step / std::sqrt(square)) : weights[i];
    AddScaled(row, weight, picked.width, picked.row(i));
  }
}

void AddUpRows(const Matrix& matrix, const int32_t* ids, int64_t count, float* sums) {
  const auto picked = pick(matrix, ids, count);
  ForColumns(picked.width, [&](auto vectors, int64_t column) HWY_ATTR {
    constexpr int kVectors = vectors;
    Vector sum[kVectors];
#pragma GCC unroll 16
    for (Vector& part : sum) part = hn::Zero(kFloats);
    for (int64_t i = 0; i <= picked.count; ++i) {
#pragma GCC unroll 16
      for (int j = 0; j < kVectors; ++j) {
        hn::Store(sum[j], kFloats, sums + i * picked.width + column + j * kLanes);
      }
      if (i == picked.count) break;
      if (column == 0) picked.prefetch<For::kReading>(i + kAhead);
      const float* const row = picked.row(i) + column;
#pragma GCC unroll 16
      for (int j = 0; j < kVectors; ++j) {
        sum[j] = hn::Add(sum[j], hn::Load(kFloats, row + j * kLanes));
      }
    }
  });
}

void AddRunningSums(Matrix& matrix, const int32_t* ids, int64_t count, float* differences,
                    OwnShares own, RowIds next) {
  const auto picked = pick(matrix, ids, count);
  const auto following = pick(matrix, next.ids, next.count);
  ForColumns(picked.width, [&](auto vectors, int64_t column) HWY_ATTR {
    constexpr int kVectors = vectors;
    Vector sums[kVectors];
#pragma GCC unroll 16
    for (Vector& sum : sums) sum = hn::Zero(kFloats);
    for (int64_t j = 0; j < picked.count; ++j) {
      if (column == 0) following.prefetch<For::kReadingLater>(j);
      const int64_t i = j - own.first;
      const bool has_own = i >= 0 && i < own.count;
      const Vector share = hn::Set(kFloats, has_own ? own.shares[i] : 0.0F);
      const float* const less = own.rows + (has_own ? i * picked.width : 0) + column;
      float* const difference = differences + j * picked.width + column;
      float* const row = picked.row(j) + column;
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        const int64_t k = v * kLanes;
        sums[v] = hn::Add(sums[v], hn::Load(kFloats, difference + k));
        hn::Store(hn::Zero(kFloats), kFloats, difference + k);
        const Vector change = hn::NegMulAdd(share, hn::Load(kFloats, less + k), sums[v]);
        hn::Store(hn::Add(hn::Load(kFloats, row + k), change), kFloats, row + k);
      }
    }
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      hn::Store(hn::Zero(kFloats), kFloats,
                differences + picked.count * picked.width + column + v * kLanes);
    }
  });
}

// The mean of some columns of rows, for as many vectors as fit in the registers.
template <int kVectors, class Float>
HWY_INLINE void TakeMean(Picked<Float> picked, int64_t column, Vector (&mean)[kVectors]) {
#pragma GCC unroll 16
  for (Vector& sum : mean) sum = hn::Zero(kFloats);
  for (int64_t i = 0; i < picked.count; ++i) {
    if (column == 0) picked.template prefetch<For::kReading>(i + kAhead);
    const float* const row = picked.row(i) + column;
#pragma GCC unroll 16
    for (int j = 0; j < kVectors; ++j) {
      mean[j] = hn::Add(mean[j], hn::Load(kFloats, row + j * kLanes));
    }
  }
  const Vector share = hn::Set(kFloats, 1.0F / static_cast<float>(picked.count));
#pragma GCC unroll 16
  for (Vector& sum : mean) sum = hn::Mul(share, sum);
}

void MeanOfRows(const Matrix& matrix, const int32_t* ids, int64_t count, float* out) {
  const auto picked = pick(matrix, ids, count);
  ForColumns(picked.width, [&](auto vectors, int64_t column) HWY_ATTR {
    constexpr int kVectors = vectors;
    Vector mean[kVectors];
    TakeMean(picked, column, mean);
#pragma GCC unroll 16
    for (int j = 0; j < kVectors; ++j) hn::Store(mean[j], kFloats, out + column + j * kLanes);
  });
}

void MoveMean(Matrix& matrix, const int32_t* ids, const float* shares, int64_t count,
              const float* target, float weight) {
  const auto picked = pick(matrix, ids, count);
  const Vector weights = hn::Set(kFloats, weight);
  ForColumns(picked.width, [&](auto vectors, int64_t column) HWY_ATTR {
    constexpr int kVectors = vectors;
    Vector change[kVectors];
    TakeMean(picked, column, change);
#pragma GCC unroll 16
    for (int j = 0; j < kVectors; ++j) {
      const Vector targets = hn::Load(kFloats, target + column + j * kLanes);
      change[j] = hn::NegMulAdd(weights, change[j], targets);
    }
    for (int64_t i = 0; i < picked.count; ++i) {
      const Vector share = hn::Set(kFloats, shares[i]);
      float* const row = picked.row(i) + column;
#pragma GCC unroll 16
      for (int j = 0; j < kVectors; ++j) {
        float* const at = row + j * kLanes;
        hn::Store(hn::MulAdd(share, change[j], hn::Load(kFloats, at)), kFloats, at);
      }
    }
  });
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(gather_rows, GatherRows);
ACEVEC_KERNEL(gather_rows_to_change, GatherRowsToChange);
ACEVEC_KERNEL(write_rows, WriteRows);
ACEVEC_KERNEL(scatter_add, ScatterAdd);
ACEVEC_KERNEL(score_with_rows, ScoreWithRows);
ACEVEC_KERNEL(scale_rows, ScaleRows);
ACEVEC_KERNEL(scatter_add_scaled, ScatterAddScaled);
ACEVEC_KERNEL(add_up_rows, AddUpRows);
ACEVEC_KERNEL(add_running_sums, AddRunningSums);
ACEVEC_KERNEL(mean_of_rows, MeanOfRows);
ACEVEC_KERNEL(move_mean, MoveMean);

void copy_rows(const Matrix& from, Matrix& to) {
  for (int32_t id = 0; id < from.rows(); ++id) gather_rows(from, &id, 1, to.row(id));
}

void prefetch_rows(const Matrix& matrix, const int32_t* ids, int64_t count) {
  const auto picked = pick(matrix, ids, count);
  for (int64_t i = 0; i < count; ++i) picked.prefetch<For::kReadingLater>(i);
}

}  // namespace acevec

#include "kernels/bfloat16-inl.h"
#if HWY_ARCH_X86_64
HWY_PUSH_ATTRIBUTES(ACEVEC_BFLOAT16_TARGET)
namespace acevec {

template <For kFor>
static void round_picked(const Picked<const float>& picked, const RowsAsPairs& to) {
  for (int64_t i = 0; i < picked.count; i += 2) {
    picked.prefetch<kFor>(i + kAhead);
    picked.prefetch<kFor>(i + kAhead + 1);
    round_two_rows(picked.row(i), i + 1 < picked.count ? picked.row(i + 1) : nullptr, picked.width,
                   from_row(i, to));
  }
}

void gather_pairs(const Matrix& matrix, const int32_t* ids, int64_t count, const RowsAsPairs& to) {
  round_picked<For::kReading>(pick(matrix, ids, count), to);
}

void gather_pairs_to_change(const Matrix& matrix, const int32_t* ids, int64_t count,
                            const RowsAsPairs& to) {
  round_picked<For::kChanging>(pick(matrix, ids, count), to);
}

}  // namespace acevec
HWY_POP_ATTRIBUTES
#endif
#endif  // HWY_ONCE
