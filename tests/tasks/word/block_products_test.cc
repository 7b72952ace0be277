// A block's products in bfloat16 against those in float, for every instruction set of this machine.

#include "tasks/word/block_products.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "instruction_sets.h"
#include "kernels/bfloat16.h"
#include "kernels/hogwild.h"
#include "kernels/logistic_loss.h"
#include "math/aligned.h"

namespace acevec {
namespace {

// Numbers of a block, as random as its contexts; tokens from the middle of a line or its end.
struct Block {
  Block(const BlockShape& wanted, int64_t numbers, int64_t some, Random& random)
      : shape(wanted),
        size(numbers),
        tokens(some),
        shift(random.below(static_cast<uint32_t>(shape.reach() + 1))),
        context_count(tokens + shift + random.below(static_cast<uint32_t>(shape.reach() + 1))),
        width(padded(size)),
        words(rows(tokens, random)),
        contexts(rows(context_count, random)),
        negatives(rows(shape.negatives, random)),
        words_of_context(static_cast<size_t>(context_count)),
        band(tokens * (2 * shape.reach() + 1)),
        noise(tokens * shape.negatives) {
    for (int64_t i = 0; i < tokens; ++i) {
      const auto reach =
          static_cast<int64_t>(random.below(static_cast<uint32_t>(shape.reach() + 1)));
      const auto first = static_cast<int32_t>(std::max<int64_t>(i + shift - reach, 0));
      const auto last = static_cast<int32_t>(std::min(i + shift + reach + 1, context_count));
      contexts_of_word.push_back({first, last});
      for (int32_t j = first; j < last; ++j) {
        Span& span = words_of_context[static_cast<size_t>(j)];
        if (span.last == 0) span.first = static_cast<int32_t>(i);
        span.last = static_cast<int32_t>(i) + 1;
      }
    }
  }

  AlignedFloats rows(int64_t count, Random& random) const {
    AlignedFloats floats(count * width);
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t k = 0; k < size; ++k) floats.data()[i * width + k] = 2 * random.uniform() - 1;
    }
    return floats;
  }

  BlockView view() {
    return {{words.data(), nullptr, nullptr, tokens},
            {contexts.data(), nullptr, nullptr, context_count},
            {negatives.data(), nullptr, nullptr, shape.negatives},
            band.data(),
            shape.reach(),
            shift,
            contexts_of_word.data(),
            words_of_context.data(),
            noise.data()};
  }

  int64_t band_size() const { return tokens * (2 * shape.reach() + 1); }
  int64_t noise_size() const { return tokens * shape.negatives; }

  template <class Change>
  void change_rows(Change&& change) {
    change(words.data(), tokens * width);
    change(contexts.data(), context_count * width);
    change(negatives.data(), shape.negatives * width);
  }

  BlockShape shape;
  int64_t size, tokens, shift, context_count, width;
  AlignedFloats words, contexts, negatives;
  std::vector<Span> contexts_of_word, words_of_context;
  AlignedFloats band, noise;
};

void make_absolute(float* numbers, int64_t count) {
  for (int64_t i = 0; i < count; ++i) numbers[i] = std::abs(numbers[i]);
}

using Floats = std::vector<float>;

// Of the positives, kNoPair where there is none, then of the negatives.
Floats scores_of(Block& block, BlockProducts& products) {
  std::fill_n(block.band.data(), block.band_size(), kNoPair);
  products.score(block.view());
  Floats scores(block.band.data(), block.band.data() + block.band_size());
  scores.insert(scores.end(), block.noise.data(), block.noise.data() + block.noise_size());
  return scores;
}

// What stands for gradients: some numbers where there are scores, and 0 where there is no pair.
Floats gradients_for(const Floats& scores, Random& random) {
  Floats gradients;
  for (const float score : scores)
    gradients.push_back(score == kNoPair ? 0 : random.uniform() - 0.5F);
  return gradients;
}

Floats changes_of(Block& block, BlockProducts& products, const Floats& gradients) {
  const auto noise = gradients.begin() + block.band_size();
  std::copy(gradients.begin(), noise, block.band.data());
  std::copy(noise, gradients.end(), block.noise.data());
  const int64_t rows = block.tokens + block.context_count + block.shape.negatives;
  AlignedFloats changes(rows * block.width);
  float* const contexts = changes.data() + block.tokens * block.width;
  products.mix(block.view(),
               {changes.data(), contexts, contexts + block.context_count * block.width});
  return {changes.data(), changes.data() + rows * block.width};
}

// The largest |found − wanted| in relation to the sum of the products' absolute values.
double worst_error(const Floats& found, const Floats& wanted, const Floats& absolute) {
  REQUIRE(found.size() == wanted.size());
  double worst = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i] == wanted[i]) continue;  // as are all without a pair
    const double error = std::abs(double{found[i]} - double{wanted[i]});
    worst = std::max(worst, error / double{absolute[i]});
  }
  return worst;
}

// Of bfloat16's products beside float's. `exact`: all numbers are bfloat16's from the beginning.
double worst_of_block(Block& block, BlockProducts& narrow, BlockProducts& floats, bool exact,
                      Random& random) {
  if (exact) block.change_rows(round_to_bfloat16);
  const Floats scores = scores_of(block, narrow);
  Floats gradients = gradients_for(scores, random);
  if (exact) round_to_bfloat16(gradients.data(), static_cast<int64_t>(gradients.size()));
  const Floats changes = changes_of(block, narrow, gradients);
  const Floats wanted_scores = scores_of(block, floats);
  const Floats wanted_changes = changes_of(block, floats, gradients);
  block.change_rows(make_absolute);
  make_absolute(gradients.data(), static_cast<int64_t>(gradients.size()));
  return std::max(worst_error(scores, wanted_scores, scores_of(block, floats)),
                  worst_error(changes, wanted_changes, changes_of(block, floats, gradients)));
}

}  // namespace

// Rounding errs by 2⁻⁸ of a number at most, so a product by a little more than 2⁻⁷. Where numbers
// need no rounding only the order of sums differs.
TEST_CASE("products in bfloat16 are those in float but for rounding") {
  for_each_instruction_set([] {
    Random random(1);
    for (const bool cbow : {false, true}) {
      for (const int64_t window : {1, 4, 5, 11, 40}) {
        for (const int64_t size : {1, 20, 100, 130, 300}) {
          const int64_t negatives = 8 * (1 + random.below(5));
          BlockShape shape{64, negatives, window, 5, cbow};
          const auto floats = make_products(shape, size);
          shape.precision = ProductPrecision::kBfloat16;
          const auto narrow = make_products(shape, size);
          for (const int64_t tokens : {64, 31, 1}) {
            CAPTURE(size);
            CAPTURE(window);
            CAPTURE(negatives);
            CAPTURE(tokens);
            Block block(shape, size, tokens, random);
            CHECK(worst_of_block(block, *narrow, *floats, false, random) < 0x1.02p-7);
            Block rounded(shape, size, tokens, random);
            CHECK(worst_of_block(rounded, *narrow, *floats, true, random) < 0x1p-20);
          }
        }
      }
    }
  });
}

TEST_CASE("products in bfloat16 take rows from matrices as they take copies") {
  Random random(4);
  BlockShape shape{64, 24, 5, 5};
  shape.precision = ProductPrecision::kBfloat16;
  const auto products = make_products(shape, 100);
  if (!products->gathers()) return;
  Matrix matrix(200, 100);
  for (int64_t i = 0; i < 200; ++i) {
    for (int64_t k = 0; k < 100; ++k) matrix.row(i)[k] = random.uniform();
  }
  std::vector<int32_t> ids(200);
  for (int32_t& id : ids) id = static_cast<int32_t>(random.below(200));
  for (const int64_t tokens : {64, 7, 1}) {
    Block block(shape, 100, tokens, random);
    BlockView view = block.view();
    for (BlockRows* rows : {&view.words, &view.contexts, &view.negatives}) {
      gather_rows(matrix, ids.data(), rows->count, const_cast<float*>(rows->copies));
    }
    const Floats wanted = scores_of(block, *products);
    std::fill_n(block.band.data(), block.band_size(), kNoPair);
    for (BlockRows* rows : {&view.words, &view.contexts, &view.negatives}) {
      *rows = {nullptr, &matrix, ids.data(), rows->count};
    }
    products->score(view);
    CHECK(std::equal(wanted.begin(), wanted.begin() + block.band_size(), block.band.data()));
    CHECK(std::equal(wanted.begin() + block.band_size(), wanted.end(), block.noise.data()));
  }
}

TEST_CASE("numbers that are not finite are not hidden by bfloat16") {
  for_each_instruction_set([] {
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      Random random(3);
      BlockShape shape{64, 32, 5, 5};
      shape.precision = ProductPrecision::kBfloat16;
      const auto products = make_products(shape, 20);
      Block block(shape, 20, 64, random);
      block.words.data()[3 * block.width + 7] = bad;
      scores_of(block, *products);
      for (int64_t k = 0; k < 32; ++k) CHECK_FALSE(std::isfinite(block.noise.data()[3 * 32 + k]));
    }
  });
}

}  // namespace acevec
