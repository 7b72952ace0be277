// Tests of text/token_store: what is written is read back, whatever the ids and the order.

#include "text/token_store.h"

#include <doctest/doctest.h>

#include <limits>

#include "base/parallel.h"
#include "base/random.h"

namespace acevec {
namespace {

using Ids = std::vector<int32_t>;

Ids read(const TokenStore& store, int64_t index) {
  Ids ids{1, 2, 3};  // what was there is replaced
  store.read(index, ids);
  return ids;
}

// Ids of all sizes, and line ends.
Ids random_ids(Random& random, uint32_t length) {
  Ids ids;
  for (uint32_t i = 0; i < length; ++i) {
    const uint32_t bits = random.below(32);
    ids.push_back(bits == 31 ? kLineEnd : static_cast<int32_t>(random.below(1U << bits)));
  }
  return ids;
}

}  // namespace

TEST_CASE("ids at the edges of the encoding come back") {
  constexpr int32_t kLargest = std::numeric_limits<int32_t>::max() - 1;
  Ids ids{kLineEnd, 0, 1, kLargest, kLineEnd, kLineEnd};
  for (const int32_t edge : {1 << 15, 1 << 16, 1 << 17, 1 << 30}) {
    for (int32_t id = edge - 3; id <= edge + 2; ++id) ids.push_back(id);
  }
  ids.insert(ids.end(), {kLargest - 1, kLargest, 0});
  TokenStore store;
  store.write(0, 0, ids);
  CHECK(read(store, 0) == ids);
}

TEST_CASE("small ids take two bytes and others four") {
  TokenStore store;
  store.write(0, 0, {kLineEnd, 0, 32766});
  CHECK(store.bytes() == 6);
  store.write(1, 0, {32767, 65536});
  CHECK(store.bytes() == 14);
}

TEST_CASE("chunks come back in any order with their owners") {
  Random random(1);
  std::vector<Ids> chunks;
  for (uint32_t i = 0; i < 50; ++i) chunks.push_back(random_ids(random, 37 * (i % 7)));
  TokenStore store;
  for (size_t i = 0; i < chunks.size(); ++i) {
    const size_t index = i * 17 % chunks.size();
    store.write(static_cast<int64_t>(index), static_cast<int>(index % 5), chunks[index]);
  }
  REQUIRE(store.chunks() == 50);
  for (const int round : {0, 1}) {
    for (size_t i = 0; i < chunks.size(); ++i) {
      CAPTURE(round);
      Ids ids;
      CHECK(store.read(static_cast<int64_t>(i), ids) == static_cast<int>(i % 5));
      CHECK(ids == chunks[i]);
    }
  }
}

TEST_CASE("a chunk can be replaced by a shorter and by a longer one") {
  TokenStore store;
  store.write(0, 0, {1, 2, 3});
  store.write(1, 0, {4, 5, 6});
  store.write(0, 1, {70000});
  CHECK(store.bytes() == 12);  // in the place of the first
  store.write(1, 2, {1, 70000, 2, kLineEnd});
  CHECK(read(store, 0) == Ids{70000});
  CHECK(read(store, 1) == Ids{1, 70000, 2, kLineEnd});
  CHECK(store.chunks_by_owner() == std::vector<std::vector<int64_t>>{{}, {0}, {1}});
}

TEST_CASE("several threads write and read at once") {
  TokenStore store;
  constexpr int64_t kChunks = 64;
  const auto ids_of = [](int64_t index) {
    Random random(2, Stream::kUnnamed, index);
    return random_ids(random, 2000);
  };
  in_parallel(4, [&](int thread) {
    for (int64_t index = thread; index < kChunks; index += 4) {
      store.write(index, thread, ids_of(index));
    }
  });
  REQUIRE(store.chunks() == kChunks);
  in_parallel(4, [&](int thread) {
    Ids ids;
    for (int64_t index = 0; index < kChunks; ++index) {
      const int owner = store.read(index, ids);
      if (owner != index % 4 || ids != ids_of(index)) FAIL("thread ", thread, ", chunk ", index);
    }
  });
}

}  // namespace acevec
