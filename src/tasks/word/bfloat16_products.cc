// A block's products by the machine's bfloat16 instruction.
#include <vector>

#include "kernels/bfloat16.h"
#include "kernels/hogwild.h"
#include "tasks/word/block_products.h"

namespace acevec {
#ifdef __x86_64__
namespace {

// Each row is rounded once a block, into what the products read: pairs along the row for scores,
// pairs across two rows for sums of rows.
class Bfloat16Products : public BlockProducts {
 public:
  Bfloat16Products(const BlockShape& shape, int64_t size)
      : width_(padded(size)),
        inner_((size + 1) / 2),
        stride_(padded_pairs(inner_)),
        lanes_(padded_pairs(shape.negatives)),
        words_(shape.tokens, stride_, width_),
        contexts_(shape.tokens + 2 * shape.reach(), stride_, width_),
        negatives_(shape.negatives, stride_, width_),
        negative_columns_(inner_ * lanes_),
        noise_(shape.tokens, shape.negatives / 2, shape.negatives),
        band_(shape.tokens, shape.reach()),
        spans_(static_cast<size_t>(shape.tokens + 2 * shape.reach())) {}

  bool gathers() const override { return true; }

  void score(const BlockView& block) override {
    take(block.words, words_);
    take(block.negatives, negatives_);
    const int64_t count = block.negatives.count;
    transpose_pairs(negatives_.along.data(), count, stride_, inner_, negative_columns_.data(),
                    lanes_);
    if (block.band != nullptr) {
      take(block.contexts, contexts_);
      score_pair_band({words_.along.data(), stride_, block.words.count}, contexts_.along.data(),
                      block.contexts_of_word, {block.diagonals(), block.stride()});
    }
    mix_pairs({words_.along.data(), stride_, 1}, block.words.count,
              {negative_columns_.data(), lanes_, inner_}, count, {block.noise, count}, false);
  }

  void mix(const BlockView& block, const BlockChanges& changes) override {
    const int64_t tokens = block.words.count;
    const int64_t count = block.negatives.count;
    const FloatRows words{changes.words, width_};
    round_rows(block.noise, tokens, count, noise_.along.data(), count / 2, noise_.across.data());
    if (block.band != nullptr) {
      band_.round(block.band, tokens, block.shift);
      mix_pair_spans(band_.along(), tokens, {contexts_.across.data(), width_},
                     pairs_in(block.contexts_of_word, tokens), width_, words);
      mix_pair_spans(band_.across(), block.contexts.count, {words_.across.data(), width_},
                     pairs_in(block.words_of_context, block.contexts.count), width_,
                     {changes.contexts, width_});
    }
    mix_pairs({noise_.along.data(), count / 2, 1}, tokens,
              {negatives_.across.data(), width_, count / 2}, width_, words, true);
    mix_pairs({noise_.across.data(), 1, count}, count,
              {words_.across.data(), width_, (tokens + 1) / 2}, width_, {changes.negatives, width_},
              false);
  }

 private:
  // Rows as both kinds of pairs.
  struct Rows {
    Rows(int64_t rows, int64_t stride, int64_t width)
        : along(rows * stride), across((rows + 1) / 2 * width) {}

    AlignedPairs along, across;
  };

  void take(const BlockRows& rows, Rows& pairs) const {
    if (rows.copies == nullptr) {
      gather_pairs(*rows.matrix, rows.ids, rows.count, pairs.along.data(), stride_,
                   pairs.across.data());
    } else {
      round_rows(rows.copies, rows.count, width_, pairs.along.data(), stride_, pairs.across.data());
    }
  }

  // The pairs of rows that hold the rows of the spans.
  const Span* pairs_in(const Span* spans, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      spans_[static_cast<size_t>(i)] = {spans[i].first / 2, (spans[i].last + 1) / 2};
    }
    return spans_.data();
  }

  int64_t width_;   // floats in a row
  int64_t inner_;   // pairs in a row, without padding
  int64_t stride_;  // and with it
  int64_t lanes_;   // negatives, padded
  Rows words_, contexts_, negatives_;
  AlignedPairs negative_columns_;
  Rows noise_;  // gradients
  BandPairs band_;
  std::vector<Span> spans_;
};

}  // namespace

std::unique_ptr<BlockProducts> make_bfloat16_products(const BlockShape& shape, int64_t size) {
  return std::make_unique<Bfloat16Products>(shape, size);
}

#endif
}  // namespace acevec
