// What the adversary of order embeddings draws from a small tree.

#include "tasks/order/adversary.h"

#include <algorithm>
#include <set>
#include <vector>

#include <doctest/doctest.h>
#include "base/error.h"
#include "base/random.h"
#include "container.h"
#include "math/exact_pairs.h"
#include "tasks/order/geometry.h"
#include "tasks/order/small_adversary.h"
#include "tasks/order/tree.h"
#include "temporary_folder.h"

namespace acevec::order_adversary_test {
namespace {

constexpr int64_t kSize = 10;

// No row of zeros: every concept is above another.
Matrix random_vectors(int32_t concepts, uint64_t seed) {
  std::vector<OrderPair> pairs;
  for (int32_t i = 0; i < concepts; ++i) pairs.push_back({(i + 1) % concepts, i});
  return initial_order_vectors(pairs, concepts, kSize, seed);
}

OrderSettings small_training() {
  OrderSettings settings;
  settings.size = kSize;
  settings.adversary = small_adversary();
  return settings;
}

// The negatives for 20 batches of 50 true pairs.
std::vector<std::vector<OrderPair>> draw_batches(OrderAdversary& adversary) {
  Random random(1);
  std::vector<std::vector<OrderPair>> batches(20);
  for (std::vector<OrderPair>& negatives : batches) adversary.next(50, random, negatives);
  return batches;
}

// Whether a pair is marked, which it must be for either of its concepts as the condition.
bool is_spared(const SparedPairs& spared, int64_t concepts, OrderPair pair) {
  std::vector<uint8_t> marks(static_cast<size_t>(concepts), 9);
  spared.mark(Replaced::kGeneral, pair.specific, marks.data());
  const uint8_t general = marks[static_cast<size_t>(pair.general)];
  std::fill(marks.begin(), marks.end(), uint8_t{9});
  spared.mark(Replaced::kSpecific, pair.general, marks.data());
  REQUIRE(marks[static_cast<size_t>(pair.specific)] == general);
  REQUIRE(general <= 1);
  return general == 1;
}

}  // namespace

TEST_CASE("no adversarial negative is a pair that is learned from") {
  const std::vector<OrderPair> pairs = tree_pairs(3, 4);
  const Split split{pairs, {}, {}};
  const ExactPairs truth = generals_of(121, pairs);
  const Matrix vectors = random_vectors(121, 1);
  OrderSettings settings = small_training();
  settings.adversary->negatives = 2;
  for (const double beta : {0.0, 5.0}) {
    CAPTURE(beta);
    settings.adversary->beta = beta;
    OrderAdversary adversary(settings, split, vectors);
    for (const std::vector<OrderPair>& negatives : draw_batches(adversary)) {
      CHECK(negatives.size() <= 100);
      CHECK(negatives.size() > 50);  // what is above all else has no false specifics
      for (const OrderPair& pair : negatives) {
        CHECK_FALSE(truth.contains(pair.specific, pair.general));
        CHECK(pair.specific != pair.general);
      }
    }
    const OrderAdversaryReport report = adversary.take_report();
    CHECK(report.spared.count == 200);
    CHECK(report.spared.value() > 0.01);
    CHECK(report.spared.value() < 0.9);
    CHECK(adversary.take_report().spared.count == 0);
  }
}

TEST_CASE("adversarial negatives are as many as wanted, and of the sides wanted") {
  const std::vector<OrderPair> pairs = tree_pairs(3, 4);
  const Split split{pairs, {}, {}};
  const ExactPairs generals = generals_of(121, pairs);
  const ExactPairs specifics = specifics_of(121, pairs);
  const Matrix vectors = random_vectors(121, 1);
  OrderSettings settings = small_training();
  settings.adversary->negatives = 0.5;
  for (const double share : {0.0, 0.5, 1.0}) {
    CAPTURE(share);
    settings.specific_share = share;
    OrderAdversary adversary(settings, split, vectors);
    int kept_specific = 0;
    int kept_general = 0;
    int all = 0;
    for (const std::vector<OrderPair>& negatives : draw_batches(adversary)) {
      CHECK(negatives.size() <= 25);
      for (const OrderPair& pair : negatives) {
        ++all;
        // What is kept stands on its side in some pair learned from.
        kept_specific += generals.outcomes(pair.specific).empty() ? 0 : 1;
        kept_general += specifics.outcomes(pair.general).empty() ? 0 : 1;
      }
    }
    CHECK(all > 300);
    CHECK((kept_specific == all) == (share == 0));
    CHECK((kept_general == all) == (share == 1));
  }
}

TEST_CASE("generators learn to find false pairs that are hard") {
  // Two concepts of a hundred lie low for every condition, so that pairs with them cost the
  // discriminator; the others lie far out of order.
  constexpr int32_t kConcepts = 100;
  Matrix vectors(kConcepts, kSize);
  Random random(5);
  for (int32_t i = 0; i < kConcepts; ++i) {
    for (int64_t k = 0; k < kSize; ++k) vectors.row(i)[k] = i < 2 ? 0 : 1 + random.uniform();
  }
  std::vector<OrderPair> pairs;
  for (int32_t i = 10; i + 1 < kConcepts; ++i) pairs.push_back({i + 1, i});
  const Split split{pairs, {}, {}};
  OrderSettings settings = small_training();
  settings.adversary->policy.entropy_floor = 0;
  settings.specific_share = 0.5;
  settings.adversary->beta = 0;  // the prior would know it from the start
  settings.adversary->spare_possible =
      false;  // the two are in no pair, so that nothing speaks against them
  OrderAdversary adversary(settings, split, vectors);
  std::vector<OrderPair> negatives;
  const auto hard_share = [&] {
    double hard = 0;
    double generals = 0;
    for (int i = 0; i < 8; ++i) {
      adversary.next(50, random, negatives);
      for (const OrderPair& pair : negatives) {
        if (pair.general < 2) ++hard;
        ++generals;
      }
    }
    return hard / generals;
  };
  const double before = hard_share();
  for (int i = 0; i < 60; ++i) hard_share();
  CHECK(before < 0.1);
  CHECK(hard_share() > 0.3);  // a half of the draws replaces generals
}

TEST_CASE("what is left of the draws comes back, and no pair of other concepts") {
  const TemporaryFolder folder;
  const std::vector<OrderPair> pairs = tree_pairs(3, 4);
  const Split split{pairs, {}, {}};
  const Matrix vectors = random_vectors(121, 1);
  const OrderSettings settings = small_training();
  OrderAdversary adversary(settings, split, vectors);
  draw_batches(adversary);
  CheckpointWriter file(folder.path("pool"));
  adversary.save(file);
  file.commit();
  const std::string bytes = folder.read("pool");
  const auto load = [&](const std::string& container) {
    CheckpointReader read(folder.write("read", container));
    adversary.load(read);
  };
  CHECK_NOTHROW(load(bytes));
  for (const int32_t id : {-1, 121}) {
    const OrderPair pair{5, id};
    CHECK_THROWS_AS(load(forged(bytes, "pool", 0, pair)), Error);
  }
}

TEST_CASE("what may be true is spared when it shall be") {
  // 3 -> 2 -> 1 -> 0 and 4 -> 1 -> 0, of which 3 -> 1 is not known; 5 -> 6.
  const std::vector<OrderPair> pairs{{3, 2}, {3, 0}, {2, 1}, {2, 0},
                                     {1, 0}, {4, 1}, {4, 0}, {5, 6}};
  for (const bool possible : {false, true}) {
    CAPTURE(possible);
    const SparedPairs spared(7, pairs, possible);
    const auto spares = [&](OrderPair pair) { return is_spared(spared, 7, pair); };
    CHECK(spares({3, 2}));
    CHECK(spares({3, 3}));
    CHECK(spares({3, 1}) == possible);  // all that is above 1 is above 3
    CHECK(spares({4, 2}) == possible);
    CHECK(spares({5, 0}) == possible);
    CHECK_FALSE(spares({5, 1}));  // 5 is not known to be below 0
    CHECK_FALSE(spares({1, 2}));
    CHECK_FALSE(spares({0, 5}));
  }
}

TEST_CASE("a pair is possible if all hypernyms of one concept are also the other's") {
  Random random(1);
  constexpr int32_t kConcepts = 200;
  std::vector<OrderPair> pairs;
  std::vector<std::set<int32_t>> above(kConcepts);
  const auto add = [&](int32_t x, int32_t y) {
    pairs.push_back({x, y});
    above[static_cast<size_t>(x)].insert(y);
  };
  for (int32_t x = 1; x < kConcepts; ++x) {
    // Few generals in common for one half of them, any for the other.
    for (uint32_t n = random.below(5); n > 0; --n) {
      const int32_t highest = x < kConcepts / 2 ? std::min(x, 8) : x;
      add(x, static_cast<int32_t>(random.below(static_cast<uint32_t>(highest))));
    }
  }
  for (const bool spare_possible : {false, true}) {
    CAPTURE(spare_possible);
    const SparedPairs spared(kConcepts, pairs, spare_possible);
    int possible = 0;
    for (int32_t x = 0; x < kConcepts; ++x) {
      for (int32_t y = 0; y < kConcepts; ++y) {
        const auto& of_x = above[static_cast<size_t>(x)];
        const auto& of_y = above[static_cast<size_t>(y)];
        const bool is_possible = std::includes(of_x.begin(), of_x.end(), of_y.begin(), of_y.end());
        possible += is_possible ? 1 : 0;
        REQUIRE(is_spared(spared, kConcepts, {x, y}) ==
                (x == y || of_x.contains(y) || (spare_possible && is_possible)));
      }
    }
    CHECK(possible > kConcepts);
  }
}

}  // namespace acevec::order_adversary_test
