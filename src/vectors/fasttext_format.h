// The format of fastText's binary model, for its reader and its writer. A file is a magic number
// and a version, the settings, the dictionary (sizes, then a word and a count per entry), and two
// matrices, each after a byte that says whether it is quantized: the rows of words and buckets, and
// the output rows. A quantized one has a byte that says whether rows have lengths apart, its shape,
// codes and centroids, then those of the lengths. Numbers are little-endian.
#pragma once

#include <bit>
#include <cstdint>

static_assert(std::endian::native == std::endian::little, "the model file is little-endian");

namespace acevec {

inline constexpr int32_t kFastTextMagic = 793712314;
inline constexpr int32_t kFastTextVersion = 12;

enum class FastTextLoss : int32_t { kNegativeSampling = 2 };
enum class FastTextTask : int32_t { kCbow = 1, kSkipGram = 2, kSupervised = 3 };
enum class FastTextEntry : int8_t { kWord = 0, kLabel = 1 };

inline constexpr int64_t kFastTextNotPruned = -1;

}  // namespace acevec
