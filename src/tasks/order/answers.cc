#include "tasks/order/answers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/json.h"
#include "base/parallel.h"

namespace acevec {
namespace {

constexpr double kFloor = 3e-4;
constexpr float kConeFloor = 1e-3F;  // radians
constexpr double kPrecision = 0.9;

AnswerQuality quality_of(int64_t right, int64_t answered, int64_t wanted) {
  const auto share = [right](int64_t of) {
    return of == 0 ? 1 : static_cast<double>(right) / static_cast<double>(of);
  };
  return {share(answered), share(wanted)};
}

// ε.
float floor_of(const Embedding& embedding) {
  if (embedding.geometry == Geometry::kCone) return kConeFloor;
  const Matrix& vectors = embedding.vectors;
  double squares = 0;
  for (int64_t i = 0; i < vectors.rows(); ++i) {
    const float* const row = vectors.row(i);
    const float* const end = row + vectors.columns();
    squares += std::inner_product(row, end, row, 0.0);
  }
  const auto rows = static_cast<double>(std::max<int64_t>(1, vectors.rows()));
  return static_cast<float>(kFloor * squares / rows);
}

double f1(const AnswerQuality& quality) {
  const double sum = quality.precision + quality.recall;
  return sum > 0 ? 2 * quality.precision * quality.recall / sum : 0;
}

int64_t wanted_of(const ExactPairs& truth, const std::vector<int32_t>& concepts) {
  int64_t wanted = 0;
  for (const int32_t x : concepts) wanted += static_cast<int64_t>(truth.outcomes(x).size());
  return wanted;
}

// The finite weighted penalties of the generals of `concepts`, sorted.
std::vector<float> true_penalties(const Answers& answers, const ExactPairs& generals,
                                  const std::vector<int32_t>& concepts) {
  std::vector<float> penalties;
  for (const int32_t x : concepts) {
    for (const int32_t y : generals.outcomes(x)) {
      const float weighted = answers.weighted({x, y});
      if (std::isfinite(weighted)) penalties.push_back(weighted);
    }
  }
  std::sort(penalties.begin(), penalties.end());
  return penalties;
}

// Adds to counts[i] the false answers to x that the cut positives[i] accepts and lower ones do not.
void count_false(const Answers& answers, const ExactPairs& generals, int32_t x,
                 const std::vector<float>& positives, std::vector<int64_t>& counts) {
  std::vector<float> weighted = answers.all_weighted(Replaced::kGeneral, x);
  for (const int32_t y : generals.outcomes(x)) {
    weighted[static_cast<size_t>(y)] = std::numeric_limits<float>::infinity();
  }
  for (const float penalty : weighted) {
    if (penalty > positives.back()) continue;
    const auto at = std::lower_bound(positives.begin(), positives.end(), penalty);
    ++counts[static_cast<size_t>(at - positives.begin())];
  }
}

}  // namespace

Answers::Answers(const Embedding& embedding) : embedding_(embedding), floor_(floor_of(embedding)) {
  const auto rows = static_cast<int32_t>(embedding.vectors.rows());
  depths_.reserve(static_cast<size_t>(rows));
  for (int32_t id = 0; id < rows; ++id) depths_.push_back(embedding.depth(id));
}

float Answers::weighted(OrderPair pair) const {
  const auto depth = [&](int32_t id) { return depths_[static_cast<size_t>(id)]; };
  if (depth(pair.general) > depth(pair.specific)) return std::numeric_limits<float>::infinity();
  return (embedding_.penalty(pair) + floor_) * std::sqrt(static_cast<float>(pair.general) + 1);
}

float Answers::loosest_in_order() const {
  return std::max(floor_ * std::sqrt(static_cast<float>(depths_.size())),
                  std::numeric_limits<float>::min());
}

std::vector<float> Answers::all_weighted(Replaced replaced, int32_t concept_id) const {
  std::vector<float> all(depths_.size());
  int32_t id = 0;
  for (float& penalty : all) penalty = weighted(pair_of(replaced, concept_id, id++));
  all[static_cast<size_t>(concept_id)] = std::numeric_limits<float>::infinity();
  return all;
}

std::vector<Answer> Answers::find(Replaced replaced, int32_t concept_id, float cut) const {
  const std::vector<float> all = all_weighted(replaced, concept_id);
  std::vector<Answer> found;
  for (size_t id = 0; id < all.size(); ++id) {
    if (all[id] <= cut) found.push_back({static_cast<int32_t>(id), all[id]});
  }
  std::ranges::stable_sort(found, {}, &Answer::weighted);
  return found;
}

AnswerQuality answer_quality(const Answers& answers, Replaced replaced, const ExactPairs& truth,
                             const std::vector<int32_t>& concepts, float cut, int threads) {
  std::vector<int64_t> right(concepts.size()), answered(concepts.size());
  for_each_piece(threads, std::ssize(concepts), [&](int, int64_t piece) {
    const auto i = static_cast<size_t>(piece);
    const std::vector<Answer> found = answers.find(replaced, concepts[i], cut);
    answered[i] = std::ssize(found);
    right[i] = std::count_if(found.begin(), found.end(), [&](const Answer& answer) {
      return truth.contains(concepts[i], answer.id);
    });
  });
  return quality_of(std::accumulate(right.begin(), right.end(), int64_t{0}),
                    std::accumulate(answered.begin(), answered.end(), int64_t{0}),
                    wanted_of(truth, concepts));
}

AnswerCut choose_cut(const Answers& answers, const ExactPairs& generals,
                     const std::vector<int32_t>& concepts, int threads) {
  const std::vector<float> positives = true_penalties(answers, generals, concepts);
  if (positives.empty()) return {answers.loosest_in_order(), {}};
  AnswerCut best{std::numeric_limits<float>::min(), {}};
  std::vector<std::vector<int64_t>> counts(static_cast<size_t>(threads),
                                           std::vector<int64_t>(positives.size()));
  for_each_piece(threads, std::ssize(concepts), [&](int thread, int64_t piece) {
    count_false(answers, generals, concepts[static_cast<size_t>(piece)], positives,
                counts[static_cast<size_t>(thread)]);
  });
  const int64_t wanted = wanted_of(generals, concepts);
  int64_t wrong = 0;
  for (size_t i = 0; i < positives.size(); ++i) {
    for (const std::vector<int64_t>& of_thread : counts) wrong += of_thread[i];
    if (i + 1 < positives.size() && positives[i + 1] == positives[i]) continue;
    const auto right = static_cast<int64_t>(i) + 1;
    const AnswerQuality quality = quality_of(right, right + wrong, wanted);
    const bool is_precise = quality.precision >= kPrecision;
    const bool was_precise = best.quality.precision >= kPrecision;
    if (was_precise && !is_precise) continue;
    if (is_precise == was_precise && f1(quality) <= f1(best.quality)) continue;
    best = {std::max(best.weighted, positives[i]), quality};
  }
  return best;
}

std::vector<int32_t> sample_concepts(const ExactPairs& truth, int64_t most) {
  std::vector<int32_t> all;
  for (int64_t i = 0; i < truth.conditions(); ++i) {
    const auto id = static_cast<int32_t>(i);
    if (!truth.outcomes(id).empty()) all.push_back(id);
  }
  const auto count = std::ssize(all);
  if (count <= most) return all;
  std::vector<int32_t> some;
  for (int64_t i = 0; i < most; ++i) some.push_back(all[static_cast<size_t>(i * count / most)]);
  return some;
}

AnswerCut answer_cut(const Hierarchy& hierarchy, const Split& split, const Embedding& embedding,
                     int threads) {
  const int64_t concepts = hierarchy.concepts.size();
  const std::vector<int32_t> queries =
      sample_concepts(generals_of(concepts, split.development.positives), kMostQueries);
  return choose_cut(Answers(embedding), generals_of(concepts, hierarchy.lines), queries, threads);
}

void write_order(const Hierarchy& hierarchy, const Embedding& embedding, const AnswerCut& cut,
                 RowWriter& file) {
  const Matrix& vectors = embedding.vectors;
  const float scale = 1 / std::sqrt(cut.weighted);  // penalties are quadratic in the length
  file.begin(vectors.rows(), vectors.columns());
  std::vector<float> row(static_cast<size_t>(vectors.columns()));
  for (int32_t id = 0; id < vectors.rows(); ++id) {
    std::copy_n(vectors.row(id), row.size(), row.begin());
    if (embedding.geometry == Geometry::kCone) {
      bound_cone(row.data(), vectors.columns());
    } else {
      for (float& number : row) number *= scale;
    }
    if (!all_finite(row.data(), vectors.columns())) {
      throw Error("a vector is not finite, so nothing was written; lower -rate");
    }
    file.write(hierarchy.concepts.word(id), row.data());
  }
}

Reading read_beside(const std::string& record_file, const Matrix& vectors) {
  const Json record = Json::read(record_file);
  const bool has_negative =
      std::any_of(vectors.row(0), vectors.row(vectors.rows()), [](float x) { return x < 0; });
  Reading reading{has_negative ? Geometry::kCone : Geometry::kOrder, 0};
  const std::string geometry = record.text_at("/settings/geometry").value_or("");
  if (geometry == "cone") reading.geometry = Geometry::kCone;
  if (geometry == "order") reading.geometry = Geometry::kOrder;
  const auto unit = static_cast<float>(record.number_at("/threshold").value_or(0));
  if (std::isfinite(unit) && unit > 0) reading.unit = unit;
  return reading;
}

}  // namespace acevec
