#include "tasks/word/block_products.h"

#include "kernels/bfloat16.h"
#include "kernels/hogwild.h"
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
    rounded_ = block;
    round(words_, rounded_.words);
    if (block.band != nullptr) round(contexts_, rounded_.contexts);
    round(negatives_, rounded_.negatives);
    floats_.score(rounded_);
  }

  void mix(const BlockView& block, const BlockChanges& changes) override {
    const int64_t tokens = block.words.count;
    if (block.band != nullptr) {
      round_to_bfloat16(block.band, tokens * (2 * block.window + 1), block.band);
    }
    round_to_bfloat16(block.noise, tokens * block.negatives.count, block.noise);
    floats_.mix(rounded_, changes);
  }

 private:
  void round(AlignedFloats& copies, BlockRows& rows) const {
    round_to_bfloat16(rows.copies, rows.count * width_, copies.data());
    rows.copies = copies.data();
  }

  int64_t width_;
  FloatProducts floats_;
  AlignedFloats words_, contexts_, negatives_;
  BlockView rounded_{};
};

#ifdef __x86_64__

// By the machine's bfloat16 instruction. Each row is rounded once a block, into what the products
// read: pairs along the row for scores, pairs across two rows for sums of rows.
class Bfloat16Products : public BlockProducts {
 public:
  Bfloat16Products(const BlockShape& shape, int64_t size)
      : inner_((size + 1) / 2),
        lanes_(padded_pairs(shape.negatives)),
        words_(shape.tokens, padded(size), padded_pairs(inner_)),
        contexts_(shape.tokens + 2 * shape.reach(), words_.width, words_.stride),
        negatives_(shape.negatives, words_.width, words_.stride),
        negative_columns_(inner_ * lanes_),
        noise_(shape.tokens, shape.negatives, shape.negatives / 2),
        band_(shape.tokens, shape.reach()) {}

  bool gathers() const override { return true; }

  void score(const BlockView& block) override {
    take(block.words, words_);
    take(block.negatives, negatives_);
    const int64_t tokens = block.words.count, count = block.negatives.count;
    transpose_pairs(negatives_.along.data(), count, negatives_.stride, inner_,
                    negative_columns_.data(), lanes_);
    if (block.band != nullptr) {
      take(block.contexts, contexts_);
      score_pair_band({words_.along.data(), words_.stride, tokens}, contexts_.along.data(),
                      block.contexts_of_word, {block.diagonals(), block.stride()});
    }
    mix_pairs(words_.weights(), tokens, {negative_columns_.data(), lanes_, inner_}, count,
              {block.noise, count}, false);
  }

  void mix(const BlockView& block, const BlockChanges& changes) override {
    const int64_t tokens = block.words.count, count = block.negatives.count, width = words_.width;
    noise_.round(block.noise, 0, tokens);
    if (block.band != nullptr) {
      band_.round(block.band, tokens, block.shift);
      mix_pair_spans(band_.along(), tokens, contexts_.rows(0), block.contexts_of_word, width,
                     {changes.words, width});
      mix_pair_spans(band_.across(), block.contexts.count, words_.rows(0), block.words_of_context,
                     width, {changes.contexts, width});
    }
    mix_pairs(noise_.weights(), tokens, negatives_.rows(count), width, {changes.words, width},
              true);
    mix_pairs(noise_.transposed(), count, words_.rows(tokens), width, {changes.negatives, width},
              false);
  }

 private:
  static void take(const BlockRows& rows, RowPairs& pairs) {
    if (rows.copies == nullptr) {
      gather_pairs(*rows.matrix, rows.ids, rows.count, pairs);
    } else {
      pairs.round(rows.copies, 0, rows.count);
    }
  }

  int64_t inner_;  // pairs in a row, without padding
  int64_t lanes_;  // negatives, padded
  RowPairs words_, contexts_, negatives_;
  AlignedPairs negative_columns_;
  RowPairs noise_;  // gradients
  BandPairs band_;
};

#endif

}  // namespace

std::unique_ptr<BlockProducts> make_products(const BlockShape& shape, int64_t size) {
  if (shape.precision == ProductPrecision::kFloat) {
    return std::make_unique<FloatProducts>(shape, size);
  }
#ifdef __x86_64__
  if (has_bfloat16_products()) return std::make_unique<Bfloat16Products>(shape, size);
#endif
  return std::make_unique<RoundedProducts>(shape, size);
}

}  // namespace acevec
