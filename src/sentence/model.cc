#include "sentence/model.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "base/random.h"
#include "math/kernels.h"
#include "vectors/reader.h"

namespace acevec {
namespace {

constexpr double kSif = 1e-3;  // a: words of that frequency weigh half as much as rare ones

}  // namespace

SentenceModel::SentenceModel(Vocabulary words, TokenMode tokens, int64_t numbers, int64_t pairs,
                             bool is_tied)
    : vocabulary(std::move(words)),
      mode(tokens),
      size(numbers),
      buckets(pairs),
      tied(is_tied),
      f(vocabulary.size() + pairs, numbers + 1),
      g(is_tied ? 0 : vocabulary.size() + pairs, numbers + 1) {}

void bag_rows(const int32_t* ids, size_t count, int32_t words, int64_t buckets,
              std::vector<int32_t>& rows) {
  rows.assign(ids, ids + count);
  if (buckets == 0) return;
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;
  for (size_t i = 0; i + 1 < count; ++i) {
    const uint64_t pair =
        (static_cast<uint64_t>(ids[i]) << 32 | static_cast<uint64_t>(ids[i + 1])) * kGolden;
    rows.push_back(words + static_cast<int32_t>((pair ^ pair >> 32) * kGolden %
                                                static_cast<uint64_t>(buckets)));
  }
}

void start_model(SentenceModel& model, uint64_t seed) {
  const double total = static_cast<double>(model.vocabulary.total());
  const float range = 1 / std::sqrt(static_cast<float>(model.size));
  int64_t network = 0;
  for (Matrix* rows : {&model.f, &model.g}) {
    Random random(seed, Stream::kSentenceStart, network++);
    for (int64_t i = 0; i < rows->rows(); ++i) {
      const bool word = i < model.vocabulary.size();
      // Pairs begin as nothing, so that at first words alone count.
      for (int64_t k = 0; word && k < model.size; ++k) {
        rows->row(i)[k] = range * (2 * random.uniform() - 1);
      }
      const double share =
          word ? static_cast<double>(model.vocabulary.count(static_cast<int32_t>(i))) / total : 0;
      rows->row(i)[model.size] = static_cast<float>(std::log(kSif / (kSif + share)));
    }
  }
}

int64_t start_from_vectors(SentenceModel& model, const std::string& path) {
  const WordVectors file = read_vectors(path);
  if (file.vectors.columns() != model.size) {
    throw Error(format("%s has vectors of size %ld, not %ld; give that -size", path.c_str(),
                       static_cast<long>(file.vectors.columns()), static_cast<long>(model.size)));
  }
  std::unordered_map<std::string_view, int64_t> known;
  for (size_t i = 0; i < file.words.size(); ++i) {
    known.emplace(file.words[i], static_cast<int64_t>(i));
  }
  int64_t found = 0;
  for (int32_t id = 0; id < model.vocabulary.size(); ++id) {
    const auto at = known.find(model.vocabulary.word(id));
    if (at == known.end()) continue;
    ++found;
    std::copy_n(file.vectors.row(at->second), model.size, model.f.row(id));
    if (!model.tied) std::copy_n(file.vectors.row(at->second), model.size, model.g.row(id));
  }
  return found;
}

void move_to_centre(SentenceModel& model, const std::vector<double>& mean) {
  size_t first = 0;
  for (Matrix* rows : {&model.f, &model.g}) {
    for (int64_t i = 0; i < rows->rows(); ++i) {
      for (int64_t k = 0; k < model.size; ++k) {
        rows->row(i)[k] -= static_cast<float>(mean[first + static_cast<size_t>(k)]);
      }
    }
    first = model.tied ? 0 : static_cast<size_t>(model.size);
  }
}

void SentenceEncoder::encode(const std::vector<int32_t>& ids, float* vector) {
  std::fill_n(vector, model_.columns(), 0.0F);
  if (ids.empty()) return;
  bag_rows(ids.data(), ids.size(), model_.vocabulary.size(), model_.buckets, rows_);
  add_mean(model_.f, vector);
  if (!model_.tied) add_mean(model_.g, vector + model_.size);
}

void SentenceEncoder::add_mean(const Matrix& rows, float* vector) {
  AlignedFloats mean(rows.stride());
  float total = 0;
  for (const int32_t id : rows_) {
    const float* const row = rows.row(id);
    const float weight = std::exp(row[model_.size]);
    total += weight;
    mix_rows({&weight, 0, 0}, 1, row, 1, rows.stride(), mean.data(), true);
  }
  for (int64_t k = 0; k < model_.size; ++k) vector[k] = mean.data()[k] / total;
}

}  // namespace acevec
