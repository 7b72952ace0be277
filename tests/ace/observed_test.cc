// The filter forgets nothing, and its false positives are as few as those of a Bloom filter.

#include "ace/observed.h"

#include <algorithm>
#include <barrier>
#include <cmath>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"
#include "instruction_sets.h"

namespace acevec {
namespace {

void insert(ObservedPairs& pairs, int32_t x, int32_t y) {
  const int32_t ids[] = {x, y};
  pairs.insert(ids, 2, 1);
}

bool has(const ObservedPairs& pairs, int32_t x, int32_t y) {
  uint8_t observed = 99;
  pairs.find_all(&x, 1, &y, 1, &observed);
  REQUIRE(observed <= 1);
  return observed == 1;
}

// Of item i ~ 1/i, as of words: everything for the first, few for the last.
std::vector<double> falling(int32_t items, double most) {
  std::vector<double> partners;
  for (int32_t id = 0; id < items; ++id) partners.push_back(std::min(id + 1.0, most / (id + 1)));
  return partners;
}

// Which pairs there are, in a plain matrix.
class Truth {
 public:
  explicit Truth(int32_t items)
      : items_(static_cast<size_t>(items)), inserted_(items_ * items_, 0) {}

  void insert(int32_t x, int32_t y) { at(x, y) = at(y, x) = 1; }
  bool has(int32_t x, int32_t y) { return at(x, y) == 1; }

 private:
  uint8_t& at(int32_t x, int32_t y) {
    return inserted_[static_cast<size_t>(x) * items_ + static_cast<size_t>(y)];
  }

  size_t items_;
  std::vector<uint8_t> inserted_;
};

// An item, small ids more often than large ones.
int32_t draw(int32_t items, Random& random) {
  const float u = random.uniform();
  return static_cast<int32_t>(u * u * static_cast<float>(items));
}

}  // namespace

TEST_CASE("what was inserted is found from either side, whatever the memory and the guess") {
  constexpr int32_t kItems = 300;
  constexpr int64_t kInserted = 3000;
  const std::vector<std::vector<double>> guesses{
      falling(kItems, 2000), std::vector<double>(kItems, 0), std::vector<double>(kItems, 1e9),
      std::vector<double>(kItems, 1)};
  std::vector<int32_t> everything(kItems);
  for (int32_t id = 0; id < kItems; ++id) everything[static_cast<size_t>(id)] = id;
  for_each_instruction_set([&] {
    for (const int64_t bytes : {0, 8, 100, 8 * kItems - 8, 8 * kItems, 5000, 1 << 20}) {
      for (size_t guess = 0; guess < guesses.size(); ++guess) {
        CAPTURE(bytes);
        CAPTURE(guess);
        ObservedPairs pairs(bytes, guesses[guess]);
        CHECK(pairs.bytes() <= std::max<int64_t>(bytes, 8));
        Random random(1);
        Truth truth(kItems);
        std::vector<int32_t> xs{0, kItems - 1, kItems - 1, 0};
        std::vector<int32_t> ys{0, kItems - 1, 0, 1};
        while (xs.size() < kInserted) {
          xs.push_back(draw(kItems, random));
          ys.push_back(draw(kItems, random));
        }
        for (size_t i = 0; i < kInserted; ++i) {
          insert(pairs, xs[i], ys[i]);
          truth.insert(xs[i], ys[i]);
        }
        std::vector<uint8_t> found(kItems * kItems + 1, 99);
        pairs.find_all(everything.data(), kItems, everything.data(), kItems, found.data());
        CHECK(found.back() == 99);
        int64_t lost = 0;
        int64_t different = 0;
        for (int32_t x = 0; x < kItems; ++x) {
          for (int32_t y = 0; y < kItems; ++y) {
            const uint8_t one = found[static_cast<size_t>(x * kItems + y)];
            REQUIRE(one <= 1);
            lost += truth.has(x, y) && one == 0;
            different += one != found[static_cast<size_t>(y * kItems + x)];
            different += (x + y) % 97 == 0 && (one == 1) != has(pairs, x, y);
          }
        }
        CHECK(lost == 0);
        CHECK(different == 0);
      }
    }
  });
}

TEST_CASE("of a sequence just the pairs within the window are inserted") {
  constexpr int32_t kItems = 400;
  Random random(6);
  std::vector<int32_t> ids;
  while (ids.size() < 300) ids.push_back(draw(kItems, random));
  for_each_instruction_set([&] {
    for (const int64_t length : {0, 1, 2, 63, 64, 65, 128, 129, 300}) {
      for (const int64_t window : {0, 1, 5, 63, 64, 65, 127, 128, 129, 1000}) {
        CAPTURE(length);
        CAPTURE(window);
        ObservedPairs pairs(1 << 20, falling(kItems, 1e9));  // a bit for each pair
        Truth truth(kItems);
        pairs.insert(ids.data(), length, window);
        for (int64_t i = 0; i < length; ++i) {
          for (int64_t k = i + 1; k <= std::min(i + window, length - 1); ++k) {
            truth.insert(ids[static_cast<size_t>(i)], ids[static_cast<size_t>(k)]);
          }
        }
        int64_t mistakes = 0;
        for (int32_t x = 0; x < kItems; x += 3) {
          for (int32_t y = 0; y <= x; ++y) mistakes += has(pairs, x, y) != truth.has(x, y);
        }
        CHECK(mistakes == 0);
      }
    }
  });
}

TEST_CASE("every instruction set finds the same, false positives included") {
  constexpr int32_t kItems = 500;
  std::vector<int32_t> xs;
  std::vector<int32_t> ys;
  Random random(2);
  for (int i = 0; i < 20000; ++i) {
    xs.push_back(draw(kItems, random));
    ys.push_back(draw(kItems, random));
  }
  // What one instruction set inserts another one finds.
  ObservedPairs pairs(8000, falling(kItems, 3000));
  pairs.insert(xs.data(), 5000, 3);
  const auto found_now = [&] {
    std::vector<uint8_t> found(70 * 130);
    pairs.find_all(xs.data(), 70, ys.data(), 130, found.data());
    return found;
  };
  const std::vector<uint8_t> expected = found_now();
  CHECK(std::count(expected.begin(), expected.end(), 0) > 1000);
  for_each_instruction_set([&] { CHECK(found_now() == expected); });
}

TEST_CASE("with room for a bit for every pair nothing is mistaken, and no more is taken") {
  constexpr int32_t kItems = 200;
  ObservedPairs pairs(1 << 20, falling(kItems, 100));
  CHECK(pairs.bytes() == 8 * (64 * 1 + 64 * 2 + 64 * 3 + 8 * 4));
  Random random(3);
  Truth truth(kItems);
  for (int i = 0; i < 5000; ++i) {
    const int32_t x = draw(kItems, random);
    const int32_t y = draw(kItems, random);
    insert(pairs, x, y);
    truth.insert(x, y);
  }
  int64_t mistakes = 0;
  for (int32_t x = 0; x < kItems; ++x) {
    for (int32_t y = 0; y < kItems; ++y) mistakes += has(pairs, x, y) != truth.has(x, y);
  }
  CHECK(mistakes == 0);
}

TEST_CASE("partners share the memory of a region as in any Bloom filter of one word a pair") {
  // 9 bits a pair: 3.0 %.
  constexpr int32_t kItems = 100000;
  std::vector<double> partners(kItems, 0.0);
  partners.back() = 1000;
  ObservedPairs pairs(8 * kItems + 9 * 1000 / 8, partners);
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    insert(pairs, kItems - 1, static_cast<int32_t>(random.below(kItems / 2)));
  }
  int mistakes = 0;
  for (int32_t y = 0; y < 10000; ++y) mistakes += has(pairs, kItems - 1, kItems / 2 + y);
  CHECK(mistakes == doctest::Approx(300).epsilon(0.25));
}

TEST_CASE("a tiny filter fills up") {
  ObservedPairs tiny(1, std::vector<double>(1000, 10));
  CHECK(tiny.bytes() == 8);
  for (int32_t y = 0; y < 200; ++y) insert(tiny, 500, y);
  const int32_t x = 999;
  CHECK(has(tiny, x, x));
}

TEST_CASE("threads that insert at once lose nothing") {
  // Long enough to run side by side, crowded enough to meet in one word now and then; a bit for
  // each partner, so that no false positive hides a loss.
  constexpr int32_t kItems = 200000;
  std::vector<double> partners(kItems, 0.0);
  partners.back() = kItems;
  std::vector<int32_t> even;
  std::vector<int32_t> odd;
  for (int32_t id = 0; id < kItems; id += 2) {
    even.push_back(id);
    odd.push_back(id + 1);
  }
  const auto with_last = [](const std::vector<int32_t>& ids) {
    std::vector<int32_t> sequence;
    for (const int32_t id : ids) sequence.insert(sequence.end(), {id, kItems - 1});
    return sequence;
  };
  const std::vector<int32_t> last{kItems - 1};
  int64_t lost = 0;
  for (int round = 0; round < 30; ++round) {
    ObservedPairs pairs(1 << 21, partners);
    std::barrier start(2);
    const auto fill = [&](const std::vector<int32_t>& ids) {
      const std::vector<int32_t> sequence = with_last(ids);
      start.arrive_and_wait();
      pairs.insert(sequence.data(), kItems, 1);
    };
    std::thread other(fill, odd);
    fill(even);
    other.join();
    for (const std::vector<int32_t>& ids : {even, odd}) {
      std::vector<uint8_t> found(ids.size());
      pairs.find_all(last.data(), 1, ids.data(), kItems / 2, found.data());
      lost += std::count(found.begin(), found.end(), 0);
    }
  }
  CHECK(lost == 0);
}

}  // namespace acevec
