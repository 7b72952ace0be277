// Matrix products by tiles whose sums stay in registers, for any arithmetic A: floats by Highway,
// or pairs of bfloat16 by the processor's instruction. Included within a namespace, once for each
// instruction set; hence without a guard. A has
//
//   Number                           float, or Pair
//   Vector, kLanes                   a register of numbers
//   Sums                             as many sums, of float
//   Lanes, lanes_before(n)           which lanes of a result's last vector there are
//   kSums, kRowVectors               sums of a tile that registers hold; of a tile of one row
//   inner(span)                      the k of b's rows in a span
//   load() repeat() zero() multiply_add() load_sums() store_sums() store_four_totals() dot()

// out_i = Σ_k weight(i, k) · b_k, kRows rows × kVectors vectors; `last`: lanes of the last vector.
template <class A, int kRows, int kVectors>
HWY_INLINE void MixTile(WeightsOf<typename A::Number> weights, RowsOf<typename A::Number> b,
                        typename A::Lanes last, FloatRows out, bool add) {
  typename A::Sums sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      const float* const from = out.data + i * out.stride + v * A::kLanes;
      sums[i][v] = add ? A::load_sums(from, v + 1 < kVectors ? A::kAll : last) : A::zero();
    }
  }
  for (int64_t k = 0; k < b.count; ++k) {
    typename A::Vector row[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) row[v] = A::load(b.data + k * b.stride + v * A::kLanes);
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      const auto weight =
          A::repeat(weights.data[i * weights.row_stride + k * weights.inner_stride]);
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        sums[i][v] = A::multiply_add(weight, row[v], sums[i][v]);
      }
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      A::store_sums(sums[i][v], out.data + i * out.stride + v * A::kLanes,
                    v + 1 < kVectors ? A::kAll : last);
    }
  }
}

// A panel of the result: some vectors of all its rows.
template <class A>
struct MixPanel {
  WeightsOf<typename A::Number> weights;
  int64_t rows;
  RowsOf<typename A::Number> b;
  const Span* spans;  // spans of b's rows, for each row; null: all
  FloatRows out;
  typename A::Lanes last;
  bool add;
};

// Computes the rows of a panel from i on, kRows at a time. Returns how many rows are done.
template <class A, int kRows, int kVectors>
HWY_INLINE int64_t MixTiles(const MixPanel<A>& panel, int64_t i) {
  const auto [weights, rows, b, spans, out, last, add] = panel;
  for (; i + kRows <= rows; i += kRows) {
    MixTile<A, kRows, kVectors>(weights.from(i, 0), b, last, out.from(i, 0), add);
  }
  return i;
}

// All rows, for a panel of kVectors vectors: the panel of b stays in the L1 cache. At least eight
// sums keep both multipliers busy.
template <class A, int kVectors>
void MixAllRows(const MixPanel<A>& panel) {
  constexpr int kRows = std::min(A::kSums / kVectors, 8);
  int64_t i = MixTiles<A, kRows, kVectors>(panel, 0);
  i = MixTiles<A, 4, kVectors>(panel, i);
  MixTiles<A, 1, kVectors>(panel, i);
}

template <class A, int kVectors>
void MixSpans(const MixPanel<A>& panel) {
  const auto [weights, rows, b, spans, out, last, add] = panel;
  for (int64_t i = 0; i < rows; ++i) {
    const Span k = A::inner(spans[i]);
    MixTile<A, 1, kVectors>(weights.from(i, k.first),
                            {b.data + k.first * b.stride, b.stride, k.last - k.first}, last,
                            out.from(i, 0), false);
  }
}

// Calls the mixer for `count` vectors, at most kMost.
template <class A, bool kBand, int kMost>
HWY_INLINE void MixVectors(int64_t count, const MixPanel<A>& panel) {
  if constexpr (kMost > 1) {
    if (count < kMost) return MixVectors<A, kBand, kMost - 1>(count, panel);
  }
  kBand ? MixSpans<A, kMost>(panel) : MixAllRows<A, kMost>(panel);
}

// Divides the result's `columns` into panels of nearly equal width (7 vectors: 4 + 3, not 6 + 1).
template <class A, bool kBand>
HWY_INLINE void MixColumns(int64_t columns, const MixPanel<A>& whole) {
  constexpr int kMost = kBand ? A::kRowVectors : A::kSums / 4;
  const int64_t vectors = (columns + A::kLanes - 1) / A::kLanes;
  const int64_t panels = (vectors + kMost - 1) / kMost;
  int64_t done = 0;
  for (int64_t i = 0; i < panels; ++i) {
    const int64_t count = (vectors - done + panels - i - 1) / (panels - i);
    MixPanel<A> panel = whole;
    panel.b.data += done * A::kLanes;
    panel.out.data += done * A::kLanes;
    done += count;
    panel.last = A::lanes_before(columns - (done - 1) * A::kLanes);
    MixVectors<A, kBand, kMost>(count, panel);
  }
}

// The dot products of kRows rows of a with `fours` of b, each of which is four rows: each row is
// read once for all of them. The products with fours[f] go to scores[f].
template <class A, int kRows, int kFours>
HWY_INLINE void ScoreTile(const typename A::Number* a,
                          const typename A::Number* const (&fours)[kFours], int64_t columns,
                          int64_t stride, float* const (&scores)[kFours], int64_t scores_stride) {
  typename A::Sums sums[kRows][kFours][4];
#pragma GCC unroll 16
  for (auto& row : sums) {
#pragma GCC unroll 16
    for (auto& four : row) {
#pragma GCC unroll 16
      for (auto& sum : four) sum = A::zero();
    }
  }
  for (int64_t k = 0; k < columns; k += A::kLanes) {
    typename A::Vector rows[kRows];
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) rows[i] = A::load(a + i * stride + k);
#pragma GCC unroll 16
    for (int f = 0; f < kFours; ++f) {
#pragma GCC unroll 16
      for (int j = 0; j < 4; ++j) {
        const auto column = A::load(fours[f] + j * stride + k);
#pragma GCC unroll 16
        for (int i = 0; i < kRows; ++i) {
          sums[i][f][j] = A::multiply_add(rows[i], column, sums[i][f][j]);
        }
      }
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 16
    for (int f = 0; f < kFours; ++f) {
      A::store_four_totals(sums[i][f], scores[f] + i * scores_stride);
    }
  }
}

template <class A>
HWY_INLINE void ScoreSpans(RowsOf<typename A::Number> a, const typename A::Number* b,
                           const Span* spans, int64_t columns, FloatRows scores) {
  for (int64_t i = 0; i < a.count; ++i) {
    const auto* const row = a.data + i * a.stride;
    float* const row_scores = scores.data + i * scores.stride;
    const int64_t last = spans[i].last;
    int64_t j = spans[i].first;
    if (last - j < 4) {
      for (; j < last; ++j) row_scores[j] = A::dot(row, b + j * a.stride, columns);
      continue;
    }
    // Eight at a time keep both multipliers busy. The last four may include some that are done
    // already, since four cost as much as one.
    for (; j + 4 < last; j += 8) {
      const int64_t next = std::min(j + 4, last - 4);
      ScoreTile<A, 1, 2>(row, {b + j * a.stride, b + next * a.stride}, columns, a.stride,
                         {row_scores + j, row_scores + next}, 0);
    }
    if (j < last) {
      ScoreTile<A, 1, 1>(row, {b + (last - 4) * a.stride}, columns, a.stride,
                         {row_scores + last - 4}, 0);
    }
  }
}
