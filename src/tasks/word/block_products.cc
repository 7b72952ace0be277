#include "tasks/word/block_products.h"

#include "kernels/bfloat16.h"
#include "kernels/hogwild.h"
#include "kernels/instruction_sets.h"
#include "math/aligned.h"

namespace acevec {
namespace {

// With bfloat16 the results are those of the processor's bfloat16 instruction, except for the order
// of summation.
class FloatProducts : public BlockProducts {
 public:
  FloatProducts(const BlockShape& shape, int64_t size)
      : precision_(shape.precision),
        width_(size, padded(size)),
        transposes_(shape.negatives % kRowPadding == 0),
        negative_columns_(transposes_ ? size * shape.negatives : 0) {}

  void score(const BlockView& block) override {
    words_ = take(block.words, word_copies_);
    negatives_ = take(block.negatives, negative_copies_);
    if (block.band != nullptr) {
      contexts_ = take(block.contexts, context_copies_);
      score_band(words_, contexts_.data, block.contexts_of_word, width_,
                 {block.diagonals(), block.stride()});
    }
    if (!transposes_) {
      score_rows(words_, negatives_, width_, {block.noise, negatives_.count});
      return;
    }
    transpose_rows(negatives_.data, negatives_.count, width_, negative_columns_.data());
    mix_rows({words_.data, width_.stride, 1}, words_.count,
             {negative_columns_.data(), width_.columns}, negatives_.count, block.noise, false);
  }

  void mix(const BlockView& block, const BlockChanges& changes) override {
    const int64_t tokens = words_.count, count = negatives_.count;
    if (precision_ == ProductPrecision::kBfloat16) {
      if (block.band != nullptr) round_to_bfloat16(block.band, tokens * (2 * block.window + 1));
      round_to_bfloat16(block.noise, tokens * count);
    }
    if (block.band != nullptr) {
      mix_band({block.diagonals(), block.stride(), 1}, tokens, contexts_.data,
               block.contexts_of_word, width_, changes.words);
      mix_band({block.diagonals(), 1, block.stride()}, contexts_.count, words_.data,
               block.words_of_context, width_, changes.contexts);
    }
    mix_rows({block.noise, count, 1}, tokens, negatives_, width_, changes.words, true);
    mix_rows({block.noise, 1, count}, count, words_, width_, changes.negatives, false);
  }

 private:
  RowBlock take(const BlockRows& rows, AlignedFloats& copies) const {
    return {operands(rows.copies, rows.count * width_.stride, precision_, copies), rows.count};
  }

  ProductPrecision precision_;
  RowWidth width_;
  bool transposes_;  // the negatives fill whole SIMD vectors
  AlignedFloats negative_columns_;
  AlignedFloats word_copies_, context_copies_, negative_copies_;
  RowBlock words_{}, contexts_{}, negatives_{};  // operands of the last score()
};

#ifdef __x86_64__

// Uses the processor's bfloat16 instruction. Each row is rounded once per block, into what the
// products read: pairs along the row for scores, pairs across two rows for sums of rows.
class Bfloat16Products : public BlockProducts {
 public:
  Bfloat16Products(const BlockShape& shape, int64_t size)
      : inner_(uses_matrix_unit() ? padded((size + 1) / 2) : (size + 1) / 2),
        lanes_(padded(shape.negatives)),
        words_(shape.tokens, padded(size), padded(inner_)),
        contexts_(shape.tokens + 2 * shape.reach(), words_.width, padded(inner_)),
        negatives_(shape.negatives, words_.width, padded(inner_)),
        negative_columns_(inner_, lanes_),
        noise_(shape.tokens, shape.negatives, shape.negatives / 2),
        band_(shape.tokens, shape.reach()) {}

  bool gathers() const override { return true; }

  void score(const BlockView& block) override {
    take(block.words, words_);
    take(block.negatives, negatives_);
    const int64_t tokens = block.words.count, count = block.negatives.count;
    transpose_pairs(negatives_.along.table(count), inner_, negative_columns_.row(0),
                    negative_columns_.layout, lanes_);
    if (block.band != nullptr) {
      take(block.contexts, contexts_);
      score_pair_band(words_.along.table(tokens), contexts_.along.table(block.contexts.count),
                      block.contexts_of_word, padded(inner_), {block.diagonals(), block.stride()});
    }
    mix_pairs(words_.weights(), tokens, negative_columns_.table(inner_), count,
              {block.noise, count}, false);
  }

  void mix(const BlockView& block, const BlockChanges& changes) override {
    const int64_t tokens = block.words.count, count = block.negatives.count, width = words_.width;
    round_rows(block.noise, tokens, noise_.width, noise_.from(0));
    const PairTerm negatives{noise_.weights(), negatives_.rows(count)};
    if (block.band == nullptr) {
      mix_pairs(negatives.weights, tokens, negatives.rows, width, {changes.words, width}, true);
    } else {
      band_.round(block.band, tokens, block.shift);
      mix_pair_spans({band_.along(), contexts_.rows(block.contexts.count), block.contexts_of_word},
                     tokens, &negatives, width, {changes.words, width});
      mix_pair_spans({band_.across(), words_.rows(tokens), block.words_of_context},
                     block.contexts.count, nullptr, width, {changes.contexts, width});
    }
    mix_pairs(noise_.transposed(), count, words_.rows(tokens), width, {changes.negatives, width},
              false);
  }

 private:
  static void take(const BlockRows& rows, RowPairs& pairs) {
    if (rows.copies == nullptr) {
      gather_pairs_to_change(*rows.matrix, rows.ids, rows.count, pairs.from(0));
    } else {
      round_rows(rows.copies, rows.count, pairs.width, pairs.from(0));
    }
  }

  int64_t inner_;  // pairs of a row that are scored: padding too where it fills a tile
  int64_t lanes_;  // negatives, padded
  RowPairs words_, contexts_, negatives_;
  PairMatrix negative_columns_;
  RowPairs noise_;  // gradients
  BandPairs band_;
};

#endif

}  // namespace

std::unique_ptr<BlockProducts> make_products(const BlockShape& shape, int64_t size) {
#ifdef __x86_64__
  if (shape.precision == ProductPrecision::kBfloat16 && has_bfloat16_products()) {
    return std::make_unique<Bfloat16Products>(shape, size);
  }
#endif
  return std::make_unique<FloatProducts>(shape, size);
}

}  // namespace acevec
