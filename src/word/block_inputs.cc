#include "word/block_inputs.h"

#include <algorithm>

#include "math/hogwild.h"
#include "word/model.h"

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
    if (rows() != nullptr) gather_rows(matrix(), ids_, count_, room());
  }

  BlockRows view() const override { return {rows(), &matrix(), ids_, count_}; }

  void prefetch(const Sequence& sequence, int64_t begin, int64_t end) const override {
    prefetch_rows_of(sequence.word_rows() + begin, end - begin);
  }

  void take(float rate) override {
    steps().set_rate(rate);
    steps().take(ids_, count_, changes());
  }

 private:
  const int32_t* ids_ = nullptr;
  int64_t count_ = 0;
};

// X is the means of the contexts' rows, x_i = Σ_j v_j / m_i over the m_i words of i's context. The
// gradient of v_j has the same 1/m_i, which word2vec leaves out (İrsoy, Benton and Stratos 2021).
class ContextMeans : public BlockInputs {
 public:
  ContextMeans(WordRows words, OptimizerKind optimizer, const BlockShape& shape)
      : BlockInputs(words, optimizer, shape, shape.tokens + 2 * shape.window, true),
        window_(shape.window),
        stride_(shape.tokens + 2 * shape.window),
        contexts_(stride_ * words.matrix.stride()),
        context_changes_(stride_ * words.matrix.stride()),
        weights_(static_cast<size_t>(shape.tokens * stride_)),
        contexts_of_token_(static_cast<size_t>(shape.tokens)),
        tokens_of_context_(static_cast<size_t>(stride_)) {}

  void gather(const Sequence& sequence, int64_t begin, int64_t end) override {
    find_contexts(sequence, begin, end);
    gather_rows(matrix(), ids_, count_, contexts_.data());
    mix_band({weights_.data(), stride_, 1}, tokens_, contexts_.data(), contexts_of_token_.data(),
             matrix().stride(), room());
  }

  BlockRows view() const override { return {rows(), nullptr, nullptr, tokens_}; }

  void prefetch(const Sequence& sequence, int64_t begin, int64_t end) const override {
    const int64_t past = std::min(end + window_, sequence.size());
    prefetch_rows_of(sequence.word_rows() + begin, past - begin);
  }

  void take(float rate) override {
    mix_band({weights_.data(), 1, stride_}, count_, changes(), tokens_of_context_.data(),
             matrix().stride(), context_changes_.data());
    steps().set_rate(rate);
    steps().take(ids_, count_, context_changes_.data());
  }

 private:
  // Which rows the block needs, and what each weighs in the mean of each token.
  void find_contexts(const Sequence& sequence, int64_t begin, int64_t end) {
    tokens_ = end - begin;
    const int32_t* const first = sequence.first.data();
    const int32_t* const last = sequence.last.data();
    const int64_t context_begin = std::max<int64_t>(begin - window_, 0);
    const int64_t context_end = std::min(end + window_, sequence.size());
    ids_ = sequence.word_rows() + context_begin;
    count_ = context_end - context_begin;
    std::fill_n(weights_.begin(), tokens_ * stride_, 0.0F);
    std::fill_n(tokens_of_context_.begin(), count_, Span{0, 0});
    for (int64_t i = begin; i < end; ++i) {
      const auto token = static_cast<int32_t>(i - begin);
      const Span span{static_cast<int32_t>(first[i] - context_begin),
                      static_cast<int32_t>(last[i] - context_begin)};
      contexts_of_token_[static_cast<size_t>(token)] = span;
      float* const weights = weights_.data() + token * stride_;
      const float share = 1.0F / static_cast<float>(span.last - span.first - 1);
      for (int32_t j = span.first; j < span.last; ++j) {
        if (j != i - context_begin) weights[j] = share;
        Span& tokens = tokens_of_context_[static_cast<size_t>(j)];
        if (tokens.last == 0) tokens.first = token;
        tokens.last = token + 1;
      }
    }
  }

  int64_t window_;
  int64_t stride_;  // contexts that a block can have
  int64_t tokens_ = 0, count_ = 0;
  const int32_t* ids_ = nullptr;
  AlignedFloats contexts_, context_changes_;
  std::vector<float> weights_;           // tokens × stride_: 1/m_i, 0 outside of i's context
  std::vector<Span> contexts_of_token_;  // as rows of contexts_
  std::vector<Span> tokens_of_context_;
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
