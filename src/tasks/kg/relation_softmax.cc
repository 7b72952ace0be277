#include "tasks/kg/relation_softmax.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/policy_kernels.h"
#include "tasks/kg/score.h"

namespace acevec {
namespace {

constexpr int64_t kTriplesTogether = 16;  // triples that a thread takes together

}  // namespace

RelationSoftmax::RelationSoftmax(const KgModel& model, const KgSettings& settings)
    : model_(model),
      score_(dynamic_cast<const ProductScore&>(*model.score)),
      settings_(settings),
      stride_(padded(model.relations.rows())),
      logits_(settings.batch * stride_),
      points_(settings.batch * score_.width()),
      products_(make_table_products(
          settings.precision, {settings.batch, model.relations.rows(), score_.width(), stride_},
          settings.threads)) {}

// The scores are symmetric in head and relation. So the point to which the relations that complete
// a triple are near is the one of the missing head, with the head in the relation's place.
void RelationSoftmax::learn(std::span<const Triple> triples, float* changes) {
  const int64_t width = score_.width();
  triples_.assign(triples.begin(), triples.end());
  point_gradients_.grow(std::ssize(triples) * width);
  for (int64_t first = 0; first < std::ssize(triples); first += settings_.batch) {
    const int64_t count = std::min(settings_.batch, std::ssize(triples) - first);
    const auto some = triples.subspan(static_cast<size_t>(first), static_cast<size_t>(count));
    float* const gradients = point_gradients_.data() + first * width;
    in_blocks(settings_.threads, count, kTriplesTogether, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const Triple& triple = some[static_cast<size_t>(i)];
        score_.ask(Side::kHead, model_.entities.row(triple.tail), model_.entities.row(triple.head),
                   points_.data() + i * width);
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
  in_blocks(settings_.threads, std::ssize(triples), kTriplesTogether,
            [&](int64_t begin, int64_t end) {
              for (int64_t i = begin; i < end; ++i) {
                float* const row = logits_.data() + i * stride_;
                softmax_rows(row, 1, {nullptr, 1, relations}, row, nullptr);
                for (int64_t j = 0; j < relations; ++j) row[j] *= settings_.relation_weight;
                row[triples[static_cast<size_t>(i)].relation] -= settings_.relation_weight;
              }
            });
}

void RelationSoftmax::add_gradient(int64_t i, Part part, float* gradient) const {
  const Triple& triple = triples_[static_cast<size_t>(i)];
  const bool tail = part == Part::kTail;
  score_.add_point_gradient(Side::kHead, model_.entities.row(triple.tail),
                            model_.entities.row(triple.head),
                            point_gradients_.data() + i * score_.width(), tail ? gradient : nullptr,
                            tail ? nullptr : gradient);
}

}  // namespace acevec
