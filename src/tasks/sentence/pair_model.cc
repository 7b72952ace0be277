#include "tasks/sentence/pair_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/random.h"
#include "text/word_ids.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

// The sum of three uniform numbers is near enough to a normal one for directions to be uniform.
void fill_random_unit(Random& random, float* row, int64_t size) {
  for (int64_t k = 0; k < size; ++k) {
    row[k] = random.uniform() + random.uniform() + random.uniform() - 1.5F;
  }
  scale_to_unit(row, size);
}

}  // namespace

std::vector<WordCount> counts_by_rank(const std::vector<std::string>& words) {
  constexpr double kMost = 1e12;
  std::vector<WordCount> counts;
  counts.reserve(words.size());
  for (const std::string& word : words) {
    counts.push_back({word, std::llround(kMost / (static_cast<double>(counts.size()) + 2.7))});
  }
  return counts;
}

WordVectors random_vectors(const std::vector<WordCount>& words, int64_t size, uint64_t seed) {
  WordVectors vectors{{}, Matrix(std::ssize(words), size)};
  Random random(seed, Stream::kSentenceStart, 0);
  for (const WordCount& word : words) {
    fill_random_unit(random, vectors.vectors.row(std::ssize(vectors.words)), size);
    vectors.words.push_back(word.word);
  }
  return vectors;
}

SentenceModel pair_model(WordVectors vectors, const std::vector<WordCount>& counts,
                         const std::vector<WordCount>& words, const PairModelSettings& settings) {
  const SentenceModel known =
      mean_model(std::move(vectors), counts, settings.mean, settings.threads);
  const WordIndex<Vocabulary> index = index_of(known.vocabulary);
  std::vector<WordCount> all;
  all.reserve(static_cast<size_t>(known.vocabulary.size()) + words.size());
  for (int32_t id = 0; id < known.vocabulary.size(); ++id) {
    all.push_back({known.vocabulary.word(id), known.vocabulary.count(id)});
  }
  for (const WordCount& word : words) {
    if (index.find(word.word) < 0) all.push_back({word.word, 0});
  }
  SentenceShape shape = known.shape;
  shape.scaled = false;
  shape.unknown = settings.unknown;
  SentenceModel model(Vocabulary(std::move(all), std::numeric_limits<int64_t>::min(), 0), shape);
  model.centre = known.centre;
  Random random(settings.seed, Stream::kSentenceStart, 1);
  Matrix& rows = model.f.rows;
  for (int64_t row = 0; row < rows.rows(); ++row) {
    const auto id = static_cast<int32_t>(row);
    const int32_t at =
        row < model.vocabulary.size() ? index.find(model.vocabulary.word(id)) : int32_t{-1};
    if (at >= 0) {
      std::copy_n(known.f.rows.row(at), known.f.rows.stride(), rows.row(row));
    } else {
      fill_random_unit(random, rows.row(row), shape.size);
    }
  }
  return model;
}

}  // namespace acevec
