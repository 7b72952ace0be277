#include "tasks/word/block_inputs.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "kernels/bags.h"
#include "kernels/hogwild.h"
#include "tasks/word/model.h"

namespace acevec {
namespace {

// X is the tokens' rows.
class OwnRows : public BlockInputs {
 public:
  OwnRows(WordRows words, OptimizerKind optimizer, const BlockShape& shape, bool copies)
      : BlockInputs(words, optimizer, shape, shape.tokens, copies) {}

  void gather(const Sequence& sequence, int64_t begin, int64_t end) override {
    ids_ = sequence.word_rows() + begin;
    count_ = end - begin;
    if (copies_) gather_rows_to_change(words_.matrix, ids_, count_, rows_.data());
  }

  BlockRows view() const override { return {rows(), &words_.matrix, ids_, count_}; }

  void prefetch(const Sequence& sequence, int64_t begin, int64_t end) const override {
    prefetch_rows_of(sequence.word_rows() + begin, end - begin);
  }

  void take(float rate) override {
    steps_.set_rate(rate);
    steps_.take(ids_, count_, changes_.data());
  }

 private:
  const int32_t* ids_ = nullptr;
  int64_t count_ = 0;
};

// X is the means of the contexts' rows, x_i = Σ_j v_j / m_i over the m_i words of i's context. The
// gradient of v_j has the same factor 1/m_i, which word2vec leaves out (İrsoy, Benton and Stratos
// 2021); these rows have a higher learning rate (shape.context_rate). With SGD the steps of a row
// that occurs several times are added one by one, each bounded.
class ContextMeans : public BlockInputs {
 public:
  ContextMeans(WordRows words, OptimizerKind optimizer, const BlockShape& shape)
      : BlockInputs(words, optimizer, shape, most_contexts(shape), true),
        plain_(optimizer == OptimizerKind::kSgd),
        window_(shape.window),
        context_rate_(static_cast<float>(shape.context_rate)),
        sums_((most_contexts(shape) + 1) * words.matrix.stride()),
        differences_((most_contexts(shape) + 1) * words.matrix.stride()),
        gradients_(plain_ ? 0 : most_contexts(shape), words.matrix.columns()),
        spans_(static_cast<size_t>(shape.tokens)),
        shares_(static_cast<size_t>(shape.tokens)),
        places_(static_cast<size_t>(most_contexts(shape))) {
    std::iota(places_.begin(), places_.end(), 0);
  }

  void gather(const Sequence& sequence, int64_t begin, int64_t end) override {
    find_contexts(sequence, begin, end);
    add_up_rows(words_.matrix, ids_, count_, sums_.data());
    mix_surroundings(around(), sums_.data(), shares_.data(), words_.matrix.stride(), rows_.data());
  }

  BlockRows view() const override { return {rows(), nullptr, nullptr, tokens_}; }

  // With SGD, take() prefetches the next block's rows.
  void prefetch(const Sequence& sequence, int64_t begin, int64_t end) const override {
    if (plain_) return;
    const int64_t past = std::min(end + window_, sequence.size());
    prefetch_rows_of(sequence.word_rows() + begin, past - begin);
  }

  void take(float rate) override {
    for (int64_t i = 0; i < tokens_; ++i) shares_[static_cast<size_t>(i)] *= context_rate_;
    // Without SGD these are gradients, not steps; the optimizer bounds the steps.
    const float most = plain_ ? kMaxTokenStep : std::numeric_limits<float>::infinity();
    spread_to_surroundings(around(), changes_.data(), most, words_.matrix.stride(), shares_.data(),
                           differences_.data());
    if (plain_) {
      add_running_sums(words_.matrix, ids_, count_, differences_.data(), own(), next_);
      return;
    }
    std::fill_n(gradients_.row(0), count_ * gradients_.stride(), 0.0F);
    add_running_sums(gradients_, places_.data(), count_, differences_.data(), own(), {});
    steps_.set_rate(rate);
    steps_.take(ids_, count_, gradients_.row(0));
  }

 private:
  static int64_t most_contexts(const BlockShape& shape) { return shape.tokens + 2 * shape.window; }

  Surroundings around() const { return {spans_.data(), tokens_, first_}; }
  OwnShares own() const { return {changes_.data(), shares_.data(), tokens_, first_}; }

  // Finds the rows that the block needs, and each token's context among them.
  void find_contexts(const Sequence& sequence, int64_t begin, int64_t end) {
    const int64_t context_begin = std::max<int64_t>(begin - window_, 0);
    const int64_t context_end = std::min(end + window_, sequence.size());
    tokens_ = end - begin;
    first_ = begin - context_begin;
    ids_ = sequence.word_rows() + context_begin;
    count_ = context_end - context_begin;
    next_ = {ids_ + count_, std::min(tokens_, sequence.size() - context_end)};
    const auto shift = static_cast<int32_t>(context_begin);
    const int32_t* const first = sequence.first.data() + begin;
    const int32_t* const last = sequence.last.data() + begin;
    for (int64_t i = 0; i < tokens_; ++i) {
      const auto token = static_cast<size_t>(i);
      spans_[token] = {first[i] - shift, last[i] - shift};
      // An empty context's mean is 0, and nothing is learned from it.
      const int32_t words = last[i] - first[i] - 1;
      shares_[token] = words > 0 ? 1.0F / static_cast<float>(words) : 0.0F;
    }
  }

  bool plain_;
  int64_t window_;
  float context_rate_;
  int64_t tokens_ = 0, count_ = 0;
  int64_t first_ = 0;  // index of the first token among the contexts
  const int32_t* ids_ = nullptr;
  RowIds next_{};
  AlignedFloats sums_;         // running sums of the contexts' rows
  AlignedFloats differences_;  // differences of their running changes
  Matrix gradients_;           // their gradients, for optimizers other than SGD
  std::vector<Span> spans_;
  std::vector<float> shares_;    // 1/m_i; in take() times context_rate_
  std::vector<int32_t> places_;  // row ids of gradients_
};

}  // namespace

BlockInputs::BlockInputs(WordRows words, OptimizerKind optimizer, const BlockShape& shape,
                         int64_t most_rows, bool copies)
    : words_(words),
      steps_(words.matrix, words.moments, embedding_optimizer(optimizer), most_rows, kMaxStep),
      copies_(copies),
      rows_(copies ? shape.tokens * words.matrix.stride() : 0),
      changes_(shape.tokens * words.matrix.stride()) {}

void BlockInputs::prefetch_rows_of(const int32_t* ids, int64_t count) const {
  prefetch_rows(words_.matrix, ids, count);
  steps_.prefetch(ids, count);
}

std::unique_ptr<BlockInputs> make_inputs(WordRows words, OptimizerKind optimizer,
                                         const BlockShape& shape, bool copies) {
  if (shape.cbow) return std::make_unique<ContextMeans>(words, optimizer, shape);
  return std::make_unique<OwnRows>(words, optimizer, shape, copies);
}

}  // namespace acevec
