#include "math/table_products.h"

#include <algorithm>

#include "math/aligned.h"
#include "math/large_products.h"

namespace acevec {
namespace {

class FloatTables : public TableProducts {
 public:
  explicit FloatTables(const Shape& shape) : shape_(shape) {}

  void score(RowBlock a, RowBlock b, float* scores) override {
    a_ = a;
    b_ = b;
    score_tables(a, b, shape_.width, {scores, shape_.stride});
  }

  void mix(const float* weights, float* a_changes, float* b_changes) override {
    mix_tables({weights, shape_.stride, 1}, a_.count, b_, shape_.width, a_changes);
    mix_tables({weights, 1, shape_.stride}, b_.count, a_, shape_.width, b_changes);
  }

 private:
  Shape shape_;
  RowBlock a_{}, b_{};
};

// For machines that have no products of bfloat16: copies are rounded.
class RoundedTables : public TableProducts {
 public:
  explicit RoundedTables(const Shape& shape)
      : shape_(shape),
        floats_(shape),
        a_(shape.a_rows * shape.width),
        b_(shape.b_rows * shape.width),
        weights_(shape.a_rows * shape.stride) {}

  void score(RowBlock a, RowBlock b, float* scores) override {
    rows_ = a.count;
    floats_.score({rounded(a.data, a.count * shape_.width, a_), a.count},
                  {rounded(b.data, b.count * shape_.width, b_), b.count}, scores);
  }

  void mix(const float* weights, float* a_changes, float* b_changes) override {
    floats_.mix(rounded(weights, rows_ * shape_.stride, weights_), a_changes, b_changes);
  }

 private:
  static const float* rounded(const float* numbers, int64_t count, AlignedFloats& copy) {
    std::copy_n(numbers, count, copy.data());
    round_to_bfloat16(copy.data(), count);
    return copy.data();
  }

  Shape shape_;
  FloatTables floats_;
  AlignedFloats a_, b_, weights_;
  int64_t rows_ = 0;  // of a
};

#ifdef __x86_64__

constexpr int64_t kInner = 64;    // pairs that are summed up: a panel of them fits the first cache
constexpr int64_t kColumns = 96;  // rows of b that are scored together: a panel's columns
constexpr int64_t kMixedRows = 128;  // of b that are mixed together

// By the processor's products. Each row is rounded once, into pairs along it for scores and pairs
// across two rows for sums of rows.
class Bfloat16Tables : public TableProducts {
 public:
  explicit Bfloat16Tables(const Shape& shape)
      : shape_(shape),
        inner_(shape.width / 2),
        row_stride_(padded_pairs(inner_)),
        a_along_(shape.a_rows * row_stride_),
        a_across_(pairs_of(shape.a_rows) * shape.width),
        b_along_(kColumns * row_stride_),
        b_columns_(inner_ * kColumns),
        b_across_(pairs_of(shape.b_rows) * shape.width),
        weights_along_(shape.a_rows * shape.stride / 2),
        weights_across_(pairs_of(shape.a_rows) * shape.stride) {}

  void score(RowBlock a, RowBlock b, float* scores) override {
    a_count_ = a.count;
    b_count_ = b.count;
    const int64_t width = shape_.width;
    round_rows(a.data, a.count, width, a_along_.data(), row_stride_, a_across_.data());
    for (int64_t j = 0; j < b.count; j += kColumns) {
      const int64_t count = std::min(kColumns, b.count - j);
      round_rows(b.data + j * width, count, width, b_along_.data(), row_stride_,
                 b_across_.data() + j / 2 * width);
      transpose_pairs(b_along_.data(), count, row_stride_, inner_, b_columns_.data(), kColumns);
      mix_in_parts({a_along_.data(), row_stride_, 1}, a.count,
                   {b_columns_.data(), kColumns, inner_}, count, {scores + j, shape_.stride},
                   false);
    }
  }

  void mix(const float* weights, float* a_changes, float* b_changes) override {
    const int64_t width = shape_.width, stride = shape_.stride;
    round_rows(weights, a_count_, stride, weights_along_.data(), stride / 2,
               weights_across_.data());
    mix_in_parts({weights_along_.data(), stride / 2, 1}, a_count_,
                 {b_across_.data(), width, pairs_of(b_count_)}, width, {a_changes, width}, true);
    for (int64_t j = 0; j < b_count_; j += kMixedRows) {
      mix_in_parts({weights_across_.data() + j, 1, stride}, std::min(kMixedRows, b_count_ - j),
                   {a_across_.data(), width, pairs_of(a_count_)}, width,
                   {b_changes + j * width, width}, true);
    }
  }

  static int64_t bytes(const Shape& shape) {
    const int64_t row_stride = padded_pairs(shape.width / 2);
    const int64_t pairs = shape.a_rows * (row_stride + shape.stride / 2) +
                          pairs_of(shape.a_rows) * (shape.width + shape.stride) +
                          kColumns * (row_stride + shape.width / 2) +
                          pairs_of(shape.b_rows) * shape.width;
    return pairs * static_cast<int64_t>(sizeof(Pair));
  }

 private:
  static int64_t pairs_of(int64_t rows) { return (rows + 1) / 2; }

  // mix_pairs() with sums of kInner pairs at a time.
  static void mix_in_parts(PairWeights weights, int64_t rows, PairRows b, int64_t columns,
                           FloatRows out, bool add) {
    for (int64_t k = 0; k < b.count; k += kInner) {
      mix_pairs({weights.data + k * weights.inner_stride, weights.row_stride, weights.inner_stride},
                rows, {b.data + k * b.stride, b.stride, std::min(kInner, b.count - k)}, columns,
                out, add || k > 0);
    }
  }

  Shape shape_;
  int64_t inner_;       // pairs in a row
  int64_t row_stride_;  // and with padding
  AlignedPairs a_along_, a_across_;
  AlignedPairs b_along_, b_columns_;  // of kColumns rows
  AlignedPairs b_across_;
  AlignedPairs weights_along_, weights_across_;
  int64_t a_count_ = 0, b_count_ = 0;
};

#endif

}  // namespace

std::unique_ptr<TableProducts> make_table_products(ProductPrecision precision,
                                                   const TableProducts::Shape& shape) {
  if (precision == ProductPrecision::kFloat) return std::make_unique<FloatTables>(shape);
#ifdef __x86_64__
  if (has_bfloat16_products()) return std::make_unique<Bfloat16Tables>(shape);
#endif
  return std::make_unique<RoundedTables>(shape);
}

int64_t table_products_bytes(ProductPrecision precision, const TableProducts::Shape& shape) {
  if (precision == ProductPrecision::kFloat) return 0;
#ifdef __x86_64__
  if (has_bfloat16_products()) return Bfloat16Tables::bytes(shape);
#endif
  return kFloatSize * (shape.width * (shape.a_rows + shape.b_rows) + shape.stride * shape.a_rows);
}

}  // namespace acevec
