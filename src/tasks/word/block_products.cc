#include "tasks/word/block_products.h"

#include <algorithm>

#include "kernels/bfloat16.h"
#include "math/aligned.h"

namespace acevec {
namespace {

class FloatProducts : public BlockProducts {
 public:
  FloatProducts(const BlockShape& shape, int64_t size)
      : width_(size, padded(size)),
        transposes_(shape.negatives % kRowPadding == 0),
        negative_columns_(transposes_ ? size * shape.negatives : 0) {}

  void score(const BlockView& block) override {
    if (block.band != nullptr) {
      score_band({block.words.copies, block.words.count}, block.contexts.copies,
                 block.contexts_of_word, width_, {block.diagonals(), block.stride()});
    }
    score_negatives(block);
  }

  void mix(const BlockView& block, const BlockChanges& changes) override {
    if (block.band != nullptr) {
      mix_band({block.diagonals(), block.stride(), 1}, block.words.count, block.contexts.copies,
               block.contexts_of_word, width_, changes.words);
      mix_band({block.diagonals(), 1, block.stride()}, block.contexts.count, block.words.copies,
               block.words_of_context, width_, changes.contexts);
    }
    const int64_t count = block.negatives.count;
    mix_rows({block.noise, count, 1}, block.words.count, {block.negatives.copies, count}, width_,
             changes.words, true);
    mix_rows({block.noise, 1, count}, count, {block.words.copies, block.words.count}, width_,
             changes.negatives, false);
  }

 private:
  void score_negatives(const BlockView& block) {
    const int64_t count = block.negatives.count;
    if (!transposes_) {
      score_rows({block.words.copies, block.words.count}, {block.negatives.copies, count}, width_,
                 {block.noise, count});
      return;
    }
    transpose_rows(block.negatives.copies, count, width_, negative_columns_.data());
    mix_rows({block.words.copies, width_.stride, 1}, block.words.count,
             {negative_columns_.data(), width_.columns}, count, block.noise, false);
  }

  RowWidth width_;
  bool transposes_;  // the negatives fill whole vectors
  AlignedFloats negative_columns_;
};

// What the machine's own bfloat16 products compute, but for the order of sums.
class RoundedProducts : public BlockProducts {
 public:
  RoundedProducts(const BlockShape& shape, int64_t size)
      : width_(padded(size)),
        floats_(shape, size),
        words_(shape.tokens * width_),
        contexts_((shape.tokens + 2 * shape.reach()) * width_),
        negatives_(shape.negatives * width_) {}

  void score(const BlockView& block) override {
    round(block.words, words_);
    if (block.band != nullptr) round(block.contexts, contexts_);
    round(block.negatives, negatives_);
    floats_.score(rounded(block));
  }

  void mix(const BlockView& block, const BlockChanges& changes) override {
    if (block.band != nullptr) {
      round_to_bfloat16(block.band, block.words.count * (2 * block.window + 1));
    }
    round_to_bfloat16(block.noise, block.words.count * block.negatives.count);
    floats_.mix(rounded(block), changes);
  }

 private:
  void round(const BlockRows& rows, AlignedFloats& copies) const {
    std::copy_n(rows.copies, rows.count * width_, copies.data());
    round_to_bfloat16(copies.data(), rows.count * width_);
  }

  BlockView rounded(BlockView block) const {
    block.words.copies = words_.data();
    block.contexts.copies = contexts_.data();
    block.negatives.copies = negatives_.data();
    return block;
  }

  int64_t width_;
  FloatProducts floats_;
  AlignedFloats words_, contexts_, negatives_;
};

}  // namespace

std::unique_ptr<BlockProducts> make_products(const BlockShape& shape, int64_t size) {
  if (shape.precision == ProductPrecision::kFloat) {
    return std::make_unique<FloatProducts>(shape, size);
  }
#ifdef __x86_64__
  if (has_bfloat16_products()) return make_bfloat16_products(shape, size);
#endif
  return std::make_unique<RoundedProducts>(shape, size);
}

}  // namespace acevec
