#include "tasks/sentence/mean_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "base/random.h"
#include "math/covariance.h"
#include "text/word_ids.h"

namespace acevec {
namespace {

using RowOfWord = std::unordered_map<std::string_view, int64_t>;  // rows of words

// The first row of each word. A model keeps words as lines, so none has a line end.
RowOfWord places_of(const std::vector<std::string>& words) {
  RowOfWord places;
  places.reserve(words.size());
  for (const std::string& word : words) {
    if (word.find('\n') != std::string::npos) continue;
    places.emplace(word, &word - words.data());
  }
  return places;
}

// The share of each row, 0 for a word without a count; they add up to 1.
std::vector<double> shares_of(const std::vector<int64_t>& counts) {
  double total = 0;
  for (const int64_t count : counts) total += static_cast<double>(count);
  if (total == 0) {
    throw Error(
        "no word of the counts has a vector in -init; do both have the same language and case?");
  }
  std::vector<double> shares;
  shares.reserve(counts.size());
  for (const int64_t count : counts) shares.push_back(static_cast<double>(count) / total);
  return shares;
}

void whiten_all(const std::vector<double>& shares, int threads, Matrix& rows) {
  if (!whiten(shares, threads, rows)) {
    throw Error(
        "the counted words have equal vectors, which cannot be whitened; give other "
        "vectors, or -for features");
  }
  scale_to_unit(rows);
}

// Σ w p v / Σ w p.
void centre_by_frequency(const std::vector<double>& weighted, const Matrix& rows,
                         std::vector<float>& centre) {
  std::vector<double> sum(centre.size());
  double total = 0;
  for (int64_t i = 0; i < rows.rows(); ++i) {
    const double weight = weighted[static_cast<size_t>(i)];
    total += weight;
    for (size_t k = 0; k < sum.size(); ++k) sum[k] += weight * static_cast<double>(rows.row(i)[k]);
  }
  for (size_t k = 0; k < sum.size(); ++k) centre[k] = static_cast<float>(sum[k] / total);
}

// The sum of three uniform numbers is near enough to a normal one for directions to be uniform.
void fill_random_unit(Random& random, float* row, int64_t size) {
  for (int64_t k = 0; k < size; ++k) {
    row[k] = random.uniform() + random.uniform() + random.uniform() - 1.5F;
  }
  scale_to_unit(row, size);
}

}  // namespace

SentenceModel mean_model(WordVectors vectors, const std::vector<WordCount>& counts,
                         const MeanSettings& settings, int threads,
                         const std::optional<MoreRows>& more) {
  Matrix& rows = vectors.vectors;
  const RowOfWord places = places_of(vectors.words);
  std::vector<int64_t> count_of(vectors.words.size());
  for (const auto& [word, count] : counts) {
    const auto at = places.find(word);
    if (at != places.end()) count_of[static_cast<size_t>(at->second)] = count;
  }
  const std::vector<double> shares = shares_of(count_of);
  scale_to_unit(rows);
  if (settings.search) whiten_all(shares, threads, rows);

  std::vector<WordCount> words;
  words.reserve(places.size());
  for (const auto& [word, row] : places) {
    words.push_back({std::string(word), count_of[static_cast<size_t>(row)]});
  }
  for (const WordCount& word : more ? more->words : std::span<const WordCount>()) {
    if (!places.contains(word.word)) words.push_back({word.word, 0});
  }
  SentenceShape shape;
  shape.mode = settings.mode;
  shape.size = rows.columns();
  shape.tied = true;
  shape.scaled = settings.search && !more;
  shape.unknown = more ? more->unknown : 0;
  SentenceModel model(Vocabulary(std::move(words), std::numeric_limits<int64_t>::min(), 0), shape);
  std::vector<double> weighted(shares.size());
  Random random(more ? more->seed : 0, Stream::kSentenceStart, 1);
  for (int64_t id = 0; id < model.f.rows.rows(); ++id) {
    float* const row = model.f.rows.row(id);
    const bool is_word = id < model.vocabulary.size();
    const auto at =
        is_word ? places.find(model.vocabulary.word(static_cast<int32_t>(id))) : places.end();
    if (at == places.end()) {
      fill_random_unit(random, row, shape.size);
      continue;
    }
    const auto place = static_cast<size_t>(at->second);
    const double sif = settings.a / (settings.a + shares[place]);
    const double weight = settings.search ? std::sqrt(sif) : sif;
    weighted[place] = weight * shares[place];
    std::copy_n(rows.row(at->second), shape.size, row);
    row[shape.size] = static_cast<float>(std::log(weight));
  }
  centre_by_frequency(weighted, rows, model.centre);
  return model;
}

MemoryPlan mean_memory(const WordVectors& vectors, const MeanSettings& settings, int threads) {
  // Bytes of a word: in the table of rows, in the list that is sorted, and in the model's text.
  constexpr int64_t kWord = 160;
  const int64_t words = std::ssize(vectors.words), size = vectors.vectors.columns();
  SentenceShape shape;
  shape.size = size;
  MemoryPlan plan;
  plan.job = format("a model of %s of size %ld", counted(words, "vector").c_str(),
                    static_cast<long>(size));
  plan.advice = "give fewer or smaller vectors";
  plan.parts = {{"network", Network::bytes(shape, words)}, {"words", words * kWord}};
  if (settings.search) plan.parts.push_back({"whitening", whitening_bytes(size, threads)});
  return plan;
}

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

}  // namespace acevec
