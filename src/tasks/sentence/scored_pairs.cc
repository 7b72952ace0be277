#include "tasks/sentence/scored_pairs.h"

#include <cmath>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/numbers.h"
#include "math/correlation.h"
#include "text/lines.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

// Where the parts of a pair are among the fields of a line.
struct Layout {
  size_t score, first, second;
};

constexpr Layout kThreeFields{2, 0, 1};
constexpr size_t kBenchmarkFields = 7;
constexpr Layout kBenchmark{4, 5, 6};

// Returns false when the line is none.
bool add_pair(std::string_view line, ScoredPairs& pairs) {
  const std::vector<std::string_view> fields = split(line, "\t");
  if (fields.size() != 3 && fields.size() < kBenchmarkFields) return false;
  const Layout& layout = fields.size() == 3 ? kThreeFields : kBenchmark;
  const std::optional<double> score = number_of<double>(without_plus(fields[layout.score]));
  if (!score || !std::isfinite(*score)) return false;
  pairs.scores.push_back(*score);
  pairs.sentences.emplace_back(fields[layout.first]);
  pairs.sentences.emplace_back(fields[layout.second]);
  return true;
}

}  // namespace

ScoredPairs read_scored_pairs(const std::string& path) {
  LineReader lines(path);
  ScoredPairs pairs;
  bool may_be_head = true;
  while (const std::optional<std::string_view> line = lines.next()) {
    if (!add_pair(*line, pairs) && !may_be_head) {
      lines.refuse("is not two sentences and a number with tabs between; correct or delete it");
    }
    may_be_head = false;
  }
  if (pairs.scores.empty()) {
    throw Error(
        format("%s holds no pairs; give lines of two sentences and a number with tabs "
               "between",
               lines.name().c_str()));
  }
  return pairs;
}

std::vector<double> cosines_of_pairs(Matrix& vectors) {
  const int64_t columns = vectors.columns();
  scale_to_unit(vectors);
  std::vector<double> cosines;
  cosines.reserve(static_cast<size_t>(vectors.rows() / 2));
  for (int64_t i = 0; i < vectors.rows(); i += 2) {
    cosines.push_back(dot(vectors.row(i), vectors.row(i + 1), columns));
  }
  return cosines;
}

PairScore score_pairs(const ScoredPairs& pairs, Matrix& vectors) {
  const std::vector<double> cosines = cosines_of_pairs(vectors);
  return {std::ssize(pairs.scores), 100 * pearson(cosines, pairs.scores),
          100 * spearman(cosines, pairs.scores)};
}

}  // namespace acevec
