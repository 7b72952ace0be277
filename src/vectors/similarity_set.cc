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
constexpr std::string_view kSeparators = "\t;,";

using Fields = std::vector<std::string_view>;

// The columns of the first word, which precedes the second, and of the score.
struct Columns {
  size_t word, score;
};

std::optional<double> score_of(std::string_view field) {
  const auto score = number_of<double>(without_plus(field));
  return score && std::isfinite(*score) ? score : std::nullopt;
}

// Returns the columns of a row; nothing if it has no score.
std::optional<Columns> columns_of(const Fields& row) {
  const bool numbered =
      row.size() > 3 && score_of(row[0]) && !score_of(row[1]) && !score_of(row[2]);
  const size_t word = numbered ? 1 : 0;
  for (size_t i = word + 2; i < row.size(); ++i) {
    if (score_of(row[i])) return Columns{word, i};
  }
  return std::nullopt;
}

std::optional<SimilarityPair> parse_pair(const Fields& fields, const Columns& columns) {
  if (fields.size() <= columns.score) return std::nullopt;
  const std::string_view first = fields[columns.word], second = fields[columns.word + 1];
  const std::optional<double> score = score_of(fields[columns.score]);
  if (first.empty() || second.empty() || !score) return std::nullopt;
  return SimilarityPair{std::string(first), std::string(second), *score};
}

bool has_part_of_speech(std::string_view word) {
  constexpr std::string_view kParts = "nvjar";  // noun, verb, adjective (j or a), adverb
  return word.size() > 2 && word[word.size() - 2] == '-' &&
         kParts.find(word.back()) != std::string_view::npos;
}

// Removes the parts of speech from the words if all have one; returns whether it did.
bool drop_parts_of_speech(std::vector<SimilarityPair>& pairs) {
  const bool all = std::ranges::all_of(pairs, [](const SimilarityPair& pair) {
    return has_part_of_speech(pair.first) && has_part_of_speech(pair.second);
  });
  for (SimilarityPair& pair : pairs) {
    if (!all) break;
    pair.first.resize(pair.first.size() - 2);
    pair.second.resize(pair.second.size() - 2);
  }
  return all;
}

// Returns the note "words in columns 1 and 2, scores in column 4 ("SimLex999")".
std::string described(const std::string& name, const Columns& columns, const std::string& head,
                      bool parts) {
  const Fields names = fields_of(head, kSeparators);
  std::string note = format("note: %s: words in columns %zu and %zu, scores in column %zu",
                            name.c_str(), columns.word + 1, columns.word + 2, columns.score + 1);
  if (columns.score < names.size()) note += " (\"" + excerpt(names[columns.score]) + "\")";
  return note + (parts ? "; left out the parts of speech after words" : "");
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

std::vector<std::string_view> fields_of(std::string_view line, std::string_view separators) {
  Fields fields;
  for (const char separator : separators) {
    if (line.find(separator) == std::string_view::npos) continue;
    for (const std::string_view field : split(line, {&separator, 1})) {
      fields.push_back(trimmed(field, kBlanks));
    }
    return fields;
  }
  for (std::string_view field; !(field = take_field(line)).empty();) fields.push_back(field);
  return fields;
}

SimilaritySet read_similarity_set(const std::string& path) {
  LineReader lines(path);
  SimilaritySet set;
  std::optional<Columns> columns;
  std::string head;
  size_t width = 0;
  while (const std::optional<std::string_view> line = lines.next()) {
    if (trimmed(*line, kBlanks).empty() || line->starts_with('#')) continue;
    const Fields fields = fields_of(*line, kSeparators);
    if (!columns) columns = columns_of(fields);
    const auto pair = columns ? parse_pair(fields, *columns) : std::nullopt;
    if (pair) {
      set.pairs.push_back(*pair);
      if (width == 0) width = fields.size();
    } else if (!head.empty() || !set.pairs.empty() || fields.size() < 3) {
      lines.refuse("is not two words and a number; correct or delete it");
    } else {
      head = *line;
    }
  }
  if (set.pairs.empty()) {
    throw Error(
        format("%s contains no pairs; give lines of two words and a number", lines.name().c_str()));
  }
  const bool parts = drop_parts_of_speech(set.pairs);
  if (width > 3 || parts) set.note = described(lines.name(), *columns, head, parts);
  return set;
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
