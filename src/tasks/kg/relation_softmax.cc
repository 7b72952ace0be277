#include "tasks/kg/relation_softmax.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/policy_kernels.h"
#include "tasks/kg/product_score.h"

namespace acevec {
namespace {

constexpr int64_t kTriplesTogether = 16;  // triples that a thread takes together

TableProducts::Shape shape_of(const Score& score, int64_t relations, int64_t most) {
  return {most, relations, score.width(), padded(relations)};
}

}  // namespace

RelationSoftmax::RelationSoftmax(const KgModel& model, float weight, int64_t most,
                                 ProductPrecision precision, int threads)
    : model_(model),
      weight_(weight),
      most_(most),
      stride_(padded(model.relations.rows())),
      threads_(threads),
      logits_(most * stride_),
      points_(most * model.score->width()),
      products_(make_table_products(precision, shape_of(*model.score, model.relations.rows(), most),
                                    threads)) {}

int64_t RelationSoftmax::bytes(const Score& score, int64_t relations, int64_t most, int64_t triples,
                               ProductPrecision precision, int threads) {
  return table_products_bytes(precision, shape_of(score, relations, most), threads) +
         (most * (padded(relations) + score.width()) + triples * score.width()) * kFloatSize +
         triples * static_cast<int64_t>(sizeof(Triple));
}

// The scores are symmetric in head and relation. So the point to which the relations that complete
// a triple are near is the one of the missing head, with the head in the relation's place.
void RelationSoftmax::ask(const Triple& triple, float* point) const {
  model_.score->ask(Side::kHead, model_.entities.row(triple.tail), model_.entities.row(triple.head),
                    point);
}

void RelationSoftmax::learn(std::span<const Triple> triples, float* changes) {
  const int64_t width = model_.score->width();
  triples_.assign(triples.begin(), triples.end());
  point_gradients_.grow(std::ssize(triples) * width);
  for (int64_t first = 0; first < std::ssize(triples); first += most_) {
    const int64_t count = std::min(most_, std::ssize(triples) - first);
    const auto some = triples.subspan(static_cast<size_t>(first), static_cast<size_t>(count));
    float* const gradients = point_gradients_.data() + first * width;
    in_blocks(threads_, count, kTriplesTogether, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        ask(some[static_cast<size_t>(i)], points_.data() + i * width);
      }
      std::fill(gradients + begin * width, gradients + end * width, 0.0F);
    });
    products_->score({points_.data(), count}, {model_.relations.row(0), model_.relations.rows()},
                     logits_.data());
    learn_logits(some);
    products_->mix(logits_.data(), gradients, changes);
  }
}

// Turns logits into the loss's slopes by them.
void RelationSoftmax::learn_logits(std::span<const Triple> triples) {
  const int64_t relations = model_.relations.rows();
  in_blocks(threads_, std::ssize(triples), kTriplesTogether, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float* const row = logits_.data() + i * stride_;
      softmax_rows(row, 1, {nullptr, 1, relations}, row, nullptr);
      for (int64_t j = 0; j < relations; ++j) row[j] *= weight_;
      row[triples[static_cast<size_t>(i)].relation] -= weight_;
    }
  });
}

void RelationSoftmax::add_gradient(int64_t i, Part part, float* gradient) const {
  const Triple& triple = triples_[static_cast<size_t>(i)];
  const auto& score = static_cast<const ProductScore&>(*model_.score);
  const bool tail = part == Part::kTail;
  score.add_point_gradient(Side::kHead, model_.entities.row(triple.tail),
                           model_.entities.row(triple.head),
                           point_gradients_.data() + i * score.width(), tail ? gradient : nullptr,
                           tail ? nullptr : gradient);
}

}  // namespace acevec
