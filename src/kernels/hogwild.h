// All deliberate data races of acevec.
//
// Threads that take pieces of their own (Parallel::kPieces of train/task.h) share the matrices
// without locks (Hogwild: Niu, Recht, Ré and Wright 2011). A thread copies the rows it needs,
// computes on its copies, and adds its changes back (or overwrites a row that is not a sum of
// steps). If two threads access a row at the same moment, one of two changes may be lost, or a row
// read half old and half new. With tens of thousands of rows that is rare, and one lost step among
// millions does not matter; locks or atomic additions would cost more than the arithmetic.
//
// In C++ these are data races. They are confined to hogwild.cc, whose functions move whole aligned
// vectors of floats with the machine's plain loads and stores. No other code of acevec accesses a
// row that another thread may write. The thread sanitizer ignores that file and no other.
//
// A machine may make one thread's writes visible to others late and in another order (ARM64 does).
// Rows tolerate that: no row refers to another, a float is written whole, and a stale float is no
// worse than a lost step. State that depends on order is elsewhere, in atomics and locks; when the
// threads of a piece end, all their writes are visible.
#pragma once

#include <cstdint>

#include "kernels/bfloat16.h"
#include "math/matrix.h"

namespace acevec {

// rows[i] = matrix.row(ids[i]) for i < count; `rows` has matrix.stride() floats a row.
extern void (*const gather_rows)(const Matrix& matrix, const int32_t* ids, int64_t count,
                                 float* rows);

// The same for rows that the caller changes soon. If another core has changed a row last, its cache
// lines move here once: a row that is only read stays that core's too, and the change has to wait
// until that core has given it up.
extern void (*const gather_rows_to_change)(const Matrix& matrix, const int32_t* ids, int64_t count,
                                           float* rows);

// Copies every row of `from` into `to`, which has the same shape.
void copy_rows(const Matrix& from, Matrix& to);

// round_rows() of rows of a matrix. Only where has_bfloat16_products().
void gather_pairs(const Matrix& matrix, const int32_t* ids, int64_t count, const RowsAsPairs& to);
void gather_pairs_to_change(const Matrix& matrix, const int32_t* ids, int64_t count,
                            const RowsAsPairs& to);

// matrix.row(ids[i]) = rows[i], for rows that are not sums of steps: of two threads, either wins.
extern void (*const write_rows)(Matrix& matrix, const int32_t* ids, int64_t count,
                                const float* rows);

// matrix.row(ids[i]) += changes[i], for i < count, each change shortened to length `max_step` if it
// is longer: the sum of many steps computed from stale rows must not overshoot.
extern void (*const scatter_add)(Matrix& matrix, const int32_t* ids, int64_t count,
                                 const float* changes, float max_step);

// out = the mean of matrix.row(ids[i]) over i < count, count ≥ 1; `out` has matrix.stride() floats.
extern void (*const mean_of_rows)(const Matrix& matrix, const int32_t* ids, int64_t count,
                                  float* out);

// matrix.row(ids[i]) += shares[i] · (target − weight · mean), for i < count; see mean_of_rows().
extern void (*const move_mean)(Matrix& matrix, const int32_t* ids, const float* shares,
                               int64_t count, const float* target, float weight);

// scores[i] = rows[i] · matrix.row(ids[i]), for i < count.
extern void (*const score_with_rows)(const Matrix& matrix, const int32_t* ids, int64_t count,
                                     const float* rows, float* scores);

// out[i] = weights[i] · matrix.row(ids[i]), for i < count.
extern void (*const scale_rows)(const Matrix& matrix, const int32_t* ids, const float* weights,
                                int64_t count, float* out);

// Rows of a matrix, by id.
struct RowIds {
  const int32_t* ids;
  int64_t count;
};

// matrix.row(rows.ids[i]) += weights[i] · values[i], for i < rows.count, each bounded as in
// scatter_add(). `next`: rows needed next, which are prefetched along the way.
extern void (*const scatter_add_scaled)(Matrix& matrix, RowIds rows, const float* weights,
                                        const float* values, float max_step, RowIds next);

// sums[j] = Σ_{i < j} matrix.row(ids[i]) for j ≤ count, so Σ_{i ≤ k < j} is sums[j] − sums[i].
extern void (*const add_up_rows)(const Matrix& matrix, const int32_t* ids, int64_t count,
                                 float* sums);

// Terms to leave out of sums: shares[i] · rows[i] at index first + i, for i < count.
struct OwnShares {
  const float* rows;
  const float* shares;
  int64_t count;
  int64_t first;
};

// matrix.row(ids[j]) += the sum of differences[i] over i ≤ j, minus the term of `own` at index j,
// for j < count. Resets the count + 1 differences to 0.
extern void (*const add_running_sums)(Matrix& matrix, const int32_t* ids, int64_t count,
                                      float* differences, OwnShares own, RowIds next);

// Prefetches rows that will be gathered soon.
void prefetch_rows(const Matrix& matrix, const int32_t* ids, int64_t count);

}  // namespace acevec
