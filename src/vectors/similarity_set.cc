#include "vectors/similarity_set.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/numbers.h"
#include "math/correlation.h"
#include "text/case.h"
#include "text/lines.h"

namespace acevec {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::optional<SimilarityPair> parse_pair(const std::vector<std::string_view>& fields) {
  if (fields.size() < 3 || fields[0].empty() || fields[1].empty()) return std::nullopt;
  const auto score = number_of<double>(without_plus(fields[2]));
  if (!score || !std::isfinite(*score)) return std::nullopt;
  return SimilarityPair{std::string(fields[0]), std::string(fields[1]), *score};
}

bool look_up(const std::string& word, const UnitVectors& vectors, const WordClasses& folded,
             float* unit) {
  int64_t row = vectors.find(word);
  if (row < 0) row = vectors.find(lower_case(word));
  if (row < 0) row = folded.find(word);
  if (row < 0) return vectors.look_up(word, unit);
  std::copy_n(vectors.rows().row(row), vectors.rows().columns(), unit);
  return true;
}

}  // namespace

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  const char separator = line.find('\t') != std::string_view::npos  ? '\t'
                         : line.find(',') != std::string_view::npos ? ','
                                                                    : ' ';
  if (separator == ' ') {
    for (std::string_view field; !(field = take_field(line)).empty();) fields.push_back(field);
    return fields;
  }
  for (const std::string_view field : split(line, {&separator, 1})) {
    fields.push_back(trimmed(field, kBlanks));
  }
  return fields;
}

std::vector<SimilarityPair> read_similarity_set(const std::string& path) {
  LineReader lines(path);
  std::vector<SimilarityPair> pairs;
  bool may_be_head = true;
  while (const std::optional<std::string_view> line = lines.next()) {
    if (trimmed(*line, kBlanks).empty() || line->starts_with('#')) continue;
    const std::vector<std::string_view> fields = fields_of(*line);
    if (const auto pair = parse_pair(fields)) {
      pairs.push_back(*pair);
    } else if (!may_be_head || fields.size() < 3) {
      lines.refuse("is not two words and a number; correct or delete it");
    }
    may_be_head = false;
  }
  if (pairs.empty()) {
    throw Error(
        format("%s holds no pairs; give lines of two words and a number", lines.name().c_str()));
  }
  return pairs;
}

SimilarityScore score_similarity(const std::vector<SimilarityPair>& pairs,
                                 const UnitVectors& vectors, const WordClasses& folded) {
  const int64_t columns = vectors.rows().columns();
  std::vector<float> a(static_cast<size_t>(columns));
  std::vector<float> b(a);
  std::vector<double> human;
  std::vector<double> cosines;
  std::vector<double> covered_human;
  std::vector<double> covered_cosines;
  for (const SimilarityPair& pair : pairs) {
    const bool covered = look_up(pair.first, vectors, folded, a.data()) &&
                         look_up(pair.second, vectors, folded, b.data());
    human.push_back(pair.score);
    cosines.push_back(covered ? dot(a.data(), b.data(), columns) : 0);
    if (!covered) continue;
    covered_human.push_back(human.back());
    covered_cosines.push_back(cosines.back());
  }
  return {static_cast<int64_t>(pairs.size()), static_cast<int64_t>(covered_human.size()),
          100 * spearman(covered_cosines, covered_human), 100 * spearman(cosines, human)};
}

}  // namespace acevec
