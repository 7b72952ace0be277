#include "vectors/analogies.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/numbers.h"
#include "kernels/products.h"
#include "math/aligned.h"
#include "text/lines.h"
#include "vectors/best_rows.h"

namespace acevec {
namespace {

constexpr int64_t kAnalogyRows = 256;    // rows of vectors at a time
constexpr int64_t kAnalogyWords = 1024;  // distinct words of questions; scores of both fit a cache
constexpr int64_t kLanes = 16;           // floats whose maxima are taken in parallel
constexpr float kLeast = -std::numeric_limits<float>::infinity();
constexpr float kEpsilon = 0.001F;  // Levy and Goldberg's ε

// A question as rows of the vectors, and as indices into the words of its batch.
struct Question {
  size_t section;
  std::array<int64_t, 3> rows;
  int64_t answer;  // its row
  std::array<int64_t, 3> places;
};

// Questions that share the products of their words with all vectors, since they have far fewer
// distinct words than there are questions.
struct Batch {
  std::vector<Question> questions;
  std::vector<int64_t> words;                 // distinct rows
  std::vector<std::vector<int64_t>> members;  // all rows of each word's class, ascending
};

struct Answer {
  float score = kLeast;
  int64_t row = -1;

  void improve(const Answer& other) {
    if (other.score > score || (other.score == score && other.row < row)) *this = other;
  }
};

struct Answers {
  Answer added;
  Answer multiplied;

  void offer(const Answers& others) {
    added.improve(others.added);
    multiplied.improve(others.multiplied);
  }
};

// The rows of words in questions. Composed words are numbered after the rows of the vectors.
class QuestionRows {
 public:
  QuestionRows(const UnitVectors& vectors, const WordClasses& classes)
      : vectors_(vectors), classes_(classes), composed_(0, vectors.rows().columns()) {}

  int64_t row_in_file(const std::string& word) const { return classes_.find(word); }

  // Returns −1 for a word without a vector.
  int64_t find(const std::string& word) {
    if (const int64_t row = row_in_file(word); row >= 0) return row;
    const auto [place, is_new] = composed_rows_.emplace(word, -1);
    if (!is_new) return place->second;
    std::vector<float> unit(static_cast<size_t>(composed_.columns()));
    if (!vectors_.look_up(word, unit.data())) return -1;
    const int64_t added = composed_.rows();
    composed_.resize(added + 1);
    std::ranges::copy(unit, composed_.row(added));
    return place->second = vectors_.rows().rows() + added;
  }

  const float* unit(int64_t row) const {
    const int64_t in_file = vectors_.rows().rows();
    return row < in_file ? vectors_.rows().row(row) : composed_.row(row - in_file);
  }

 private:
  const UnitVectors& vectors_;
  const WordClasses& classes_;
  std::unordered_map<std::string, int64_t> composed_rows_;
  Matrix composed_;
};

// Returns all answerable questions in batches of at most kAnalogyWords words, and counts them in
// `scores`.
std::vector<Batch> make_batches(const std::vector<AnalogySection>& sections, QuestionRows& rows,
                                std::vector<AnalogyScore>& scores) {
  std::vector<Batch> batches;
  std::unordered_map<int64_t, int64_t> places;
  for (size_t section = 0; section < sections.size(); ++section) {
    for (const AnalogyQuestion& words : sections[section].questions) {
      Question question{section, {}, rows.row_in_file(words[3]), {}};
      for (size_t i = 0; i < 3; ++i) question.rows[i] = rows.find(words[i]);
      ++scores[section].questions;
      if (std::ranges::min(question.rows) < 0 || question.answer < 0) continue;
      ++scores[section].covered;
      if (batches.empty() || places.size() + 3 > kAnalogyWords) {
        batches.emplace_back();
        places.clear();
      }
      Batch& batch = batches.back();
      for (size_t i = 0; i < 3; ++i) {
        const auto [place, is_new] =
            places.emplace(question.rows[i], static_cast<int64_t>(batch.words.size()));
        if (is_new) batch.words.push_back(question.rows[i]);
        question.places[i] = place->second;
      }
      batch.questions.push_back(question);
    }
  }
  return batches;
}

// Fills in the rows of each word's class.
void find_members(const WordClasses& classes, int64_t rows, Batch& batch) {
  std::unordered_map<int64_t, size_t> places;
  for (size_t i = 0; i < batch.words.size(); ++i) places.emplace(batch.words[i], i);
  batch.members.resize(batch.words.size());
  for (int64_t row = 0; row < rows; ++row) {
    const auto place = places.find(classes.first(row));
    if (place != places.end()) batch.members[place->second].push_back(row);
  }
}

// Replaces `best` by the best of kAnalogyRows scores, of the rows from `first`, if that is better.
void take_best(const float* scores, int64_t first, Answer& best) {
  float lanes[kLanes];
  std::fill_n(lanes, kLanes, kLeast);
  for (int64_t i = 0; i < kAnalogyRows; i += kLanes) {
    for (int64_t k = 0; k < kLanes; ++k) {
      lanes[k] = scores[i + k] > lanes[k] ? scores[i + k] : lanes[k];
    }
  }
  const float most = *std::max_element(lanes, lanes + kLanes);
  if (most > best.score)
    best = {most, first + (std::find(scores, scores + kAnalogyRows, most) - scores)};
}

// Finds one thread's answers to the questions of a batch among rows first .. first + count − 1.
// `cosines`: kAnalogyRows for each word of the batch, zeros beyond `count`.
void answer(const Batch& batch, const float* cosines, int64_t first, int64_t count,
            std::vector<Answers>& best) {
  alignas(64) float added[kAnalogyRows];
  alignas(64) float multiplied[kAnalogyRows];
  for (size_t q = 0; q < batch.questions.size(); ++q) {
    const std::array<int64_t, 3>& places = batch.questions[q].places;
    const float* const a = cosines + places[0] * kAnalogyRows;
    const float* const b = cosines + places[1] * kAnalogyRows;
    const float* const c = cosines + places[2] * kAnalogyRows;
    for (int64_t i = 0; i < kAnalogyRows; ++i) {
      added[i] = b[i] + c[i] - a[i];
      multiplied[i] = (1 + b[i]) * (1 + c[i]) / (1 + a[i] + 2 * kEpsilon);  // twice 3CosMul
    }
    const auto leave_out = [&](int64_t i) { added[i] = multiplied[i] = kLeast; };
    for (int64_t i = count; i < kAnalogyRows; ++i) leave_out(i);
    for (const int64_t place : places) {
      const std::vector<int64_t>& members = batch.members[static_cast<size_t>(place)];
      for (auto row = std::ranges::lower_bound(members, first);
           row != members.end() && *row < first + count; ++row) {
        leave_out(*row - first);
      }
    }
    take_best(added, first, best[q].added);
    take_best(multiplied, first, best[q].multiplied);
  }
}

std::vector<Answers> answer_batch(const Batch& batch, const QuestionRows& rows,
                                  const Matrix& vectors, int threads) {
  const auto words = static_cast<int64_t>(batch.words.size());
  const AlignedFloats word_rows = gathered(
      vectors, words, [&](int64_t i) { return rows.unit(batch.words[static_cast<size_t>(i)]); });
  std::vector<Answers> best(batch.questions.size());
  offer_in_parallel(threads, vectors.rows(), kAnalogyRows, best, [&] {
    return [&, cosines = AlignedFloats(words * kAnalogyRows)](int64_t first, int64_t count,
                                                              std::vector<Answers>& own) mutable {
      score_rows({word_rows.data(), words}, {vectors.row(first), count}, vectors.stride(),
                 {cosines.data(), kAnalogyRows});
      answer(batch, cosines.data(), first, count, own);
    };
  });
  return best;
}

}  // namespace

AnalogyScore& AnalogyScore::operator+=(const AnalogyScore& other) {
  questions += other.questions;
  covered += other.covered;
  added += other.added;
  multiplied += other.multiplied;
  return *this;
}

std::vector<AnalogySection> read_analogies(const std::string& path) {
  LineReader lines(path);
  std::vector<AnalogySection> sections;
  while (const std::optional<std::string_view> line = lines.next()) {
    std::string_view rest = *line;
    if (rest.starts_with(':')) {
      rest.remove_prefix(std::min(rest.find_first_not_of(": \t"), rest.size()));
      sections.push_back({std::string(rest), {}});
      continue;
    }
    AnalogyQuestion words;
    for (std::string& word : words) word = take_field(rest);
    if (words[0].empty()) continue;
    if (words[3].empty() || !take_field(rest).empty()) {
      lines.refuse(
          "is neither four words nor a section's name after a colon; correct or delete it");
    }
    if (sections.empty()) sections.push_back({"questions", {}});
    sections.back().questions.push_back(std::move(words));
  }
  if (std::ranges::all_of(sections,
                          [](const auto& section) { return section.questions.empty(); })) {
    throw Error(format("%s contains no questions; give lines of four words", lines.name().c_str()));
  }
  return sections;
}

std::vector<AnalogyScore> score_analogies(const std::vector<AnalogySection>& sections,
                                          const UnitVectors& vectors, const WordClasses& classes,
                                          int threads) {
  std::vector<AnalogyScore> scores(sections.size());
  QuestionRows rows(vectors, classes);
  for (Batch& batch : make_batches(sections, rows, scores)) {
    find_members(classes, vectors.rows().rows(), batch);
    const std::vector<Answers> answers = answer_batch(batch, rows, vectors.rows(), threads);
    for (size_t q = 0; q < answers.size(); ++q) {
      const Question& question = batch.questions[q];
      const auto right = [&](const Answer& given) {
        return given.row >= 0 && classes.first(given.row) == question.answer ? 1 : 0;
      };
      scores[question.section].added += right(answers[q].added);
      scores[question.section].multiplied += right(answers[q].multiplied);
    }
  }
  return scores;
}

}  // namespace acevec
