#include "tasks/kg/relation_softmax.h"

#include <algorithm>

#include "kernels/policy_kernels.h"

namespace acevec {
namespace {

TableProducts::Shape shape_of(const Score& score, int64_t relations, int64_t most) {
  return {most, relations, padded(score.size()), padded(relations)};
}

}  // namespace

RelationSoftmax::RelationSoftmax(const ProductScore& score, int64_t relations, float weight,
                                 int64_t most, ProductPrecision precision)
    : score_(score),
      relations_(relations),
      weight_(weight),
      most_(most),
      stride_(padded(relations)),
      logits_(most * stride_),
      points_(most * padded(score.size())),
      point_gradients_(most * padded(score.size())),
      products_(make_table_products(precision, shape_of(score, relations, most))) {}

int64_t RelationSoftmax::bytes(const Score& score, int64_t relations, int64_t most,
                               ProductPrecision precision) {
  return table_products_bytes(precision, shape_of(score, relations, most)) +
         most * (padded(relations) + 2 * padded(score.size())) * kFloatSize;
}

// The scores are symmetric in head and relation. So the point to which the relations that complete
// a triple are near is the one of the missing head, with the head in the relation's place.
void RelationSoftmax::add_gradients(const std::vector<Triple>& triples, BatchRows& entities,
                                    BatchRows& relations) {
  const int64_t width = entities.width();
  for (int64_t first = 0; first < std::ssize(triples); first += most_) {
    const int64_t count = std::min(most_, std::ssize(triples) - first);
    const Triple* const some = triples.data() + first;
    for (int64_t i = 0; i < count; ++i) {
      score_.ask(Side::kHead, entities.values() + some[i].tail, entities.values() + some[i].head,
                 points_.data() + i * width);
    }
    products_->score({points_.data(), count}, {relations.values(), relations_}, logits_.data());
    learn_logits(some, count);
    std::fill_n(point_gradients_.data(), count * width, 0.0F);
    products_->mix(logits_.data(), point_gradients_.data(), relations.changes());
    for (int64_t i = 0; i < count; ++i) {
      score_.add_point_gradient(
          Side::kHead, entities.values() + some[i].tail, entities.values() + some[i].head,
          point_gradients_.data() + i * width, entities.changes() + some[i].tail,
          entities.changes() + some[i].head);
    }
  }
}

// Turns logits into the loss's slopes by them.
void RelationSoftmax::learn_logits(const Triple* triples, int64_t count) {
  const int64_t width = padded(score_.size());
  for (int64_t i = 0; i < count; ++i) {
    float* const row = logits_.data() + i * stride_;
    softmax_rows(row, 1, {nullptr, 1, relations_}, row, nullptr);
    for (int64_t j = 0; j < relations_; ++j) row[j] *= weight_;
    row[triples[i].relation / width] -= weight_;
  }
}

}  // namespace acevec
