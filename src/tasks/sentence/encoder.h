// Encodes and labels sentences with a trained model; encodes lines of text with several threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/products.h"
#include "math/aligned.h"
#include "math/matrix.h"
#include "nn/gru.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/model.h"
#include "text/lines.h"
#include "vectors/best_rows.h"

namespace acevec {

inline constexpr int64_t kEncodedPerBlock = 256;  // sentences that a thread encodes at once

// About how many words a gated unit processes at once, and how many vectors it stores for each.
inline constexpr int64_t kEncodedSteps = 1024;
inline constexpr int64_t kGatedVectors = 10;

// One object per thread.
class SentenceEncoder {
 public:
  explicit SentenceEncoder(const SentenceModel& model);

  // Sets vectors.row(first + i) to f of sentences[i], followed by g unless g is f, minus the
  // model's centre, and scaled if the model is; to zeros for a sentence without words. A gated unit
  // reads at most the first kLongestSentence words.
  void encode(const std::vector<std::vector<int32_t>>& sentences, Matrix& vectors, int64_t first);

 private:
  // Write sentence i to row i of `vectors`.
  void add_means(const Network& network, const std::vector<std::vector<int32_t>>& sentences,
                 FloatRows vectors);
  void add_states(const Network& network, const std::vector<std::vector<int32_t>>& sentences,
                  FloatRows vectors);

  const SentenceModel& model_;
  std::vector<float> weights_;  // weights of one bag
  std::vector<float> scales_;   // scale of each sentence, see SentenceShape
  AlignedFloats mean_;
  AlignedFloats states_;  // last states of a gated unit
  std::optional<Gru> gru_;
};

// The `top` most likely labels of each text with their probabilities, best first. `vectors`: a row
// per text, as from LineEncoder. The model must have labels.
std::vector<std::vector<ScoredRow>> likely_labels(const SentenceModel& model, const Matrix& vectors,
                                                  int64_t top, int threads);

// Counts of predicted labels, as in `fasttext test`.
struct LabelCounts {
  int64_t answers = 0;  // predicted labels
  int64_t labels = 0;   // true labels
  int64_t hits = 0;     // predicted labels that are true

  // NaN if there are no answers or no labels.
  double precision() const { return static_cast<double>(hits) / static_cast<double>(answers); }
  double recall() const { return static_cast<double>(hits) / static_cast<double>(labels); }
  // The harmonic mean of both; 0 without hits.
  double f1() const {
    return 2 * static_cast<double>(hits) / static_cast<double>(answers + labels);
  }
};

// Lines to encode may be long, and empty lines have rows too.
inline constexpr LineRules kEveryLine{.longest = 16 << 20, .empty_too = true};

// Counts of lines and tokens without known words.
struct LineCounts {
  int64_t lines = 0;
  int64_t empty = 0;           // lines without a word of the vocabulary: their vectors are 0
  int64_t unknown_tokens = 0;  // tokens left out
  TextReport report{};

  LineCounts& operator+=(const LineCounts& other) {
    lines += other.lines;
    empty += other.empty;
    unknown_tokens += other.unknown_tokens;
    report += other.report;
    return *this;
  }
};

class LineEncoder {
 public:
  LineEncoder(const SentenceModel& model, int threads)
      : model_(model),
        reader_(model.vocabulary, model.shape.mode, model.shape.unknown),
        threads_(threads) {}

  // Resizes `vectors` to a row per line, and sets row i to the vector of lines[i].
  LineCounts encode(const std::vector<std::string>& lines, Matrix& vectors) const;

 private:
  const SentenceModel& model_;
  SentenceReader reader_;
  int threads_;
};

// Prints what was left out, if anything. `so`: what that means for lines without a known word.
void report_lines(const LineCounts& counts, const char* so = "the vectors are zeros");

// The distinct lines of a file ("-": standard input) that have a letter or a digit.
struct TextLines {
  // Throws Error as LineReader does.
  explicit TextLines(const std::string& path);

  std::vector<std::string> texts;
  std::vector<int64_t> numbers;  // number of the first line with the text, from 1
};

}  // namespace acevec
