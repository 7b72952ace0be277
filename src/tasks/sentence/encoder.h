// Encodes sentences with a trained model, and labels them; encodes lines of text on all threads,
// and keeps a text's vectors in a file beside it for the next query.
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

// Sentences that a thread encodes at a time.
inline constexpr int64_t kEncodedTogether = 256;

// The approximate number of words that a gated unit reads together, and of vectors that it keeps
// for each.
inline constexpr int64_t kEncodedSteps = 1024;
inline constexpr int64_t kGatedVectors = 10;

// One object per thread.
class SentenceEncoder {
 public:
  explicit SentenceEncoder(const SentenceModel& model);

  // Sets vectors.row(first + i) to f of sentences[i], followed by g unless g is f, minus the
  // model's centre, and scaled if the model is; to zeros for a sentence without words. A gated unit
  // reads no more than the first kLongestSentence words.
  void encode(const std::vector<std::vector<int32_t>>& sentences, Matrix& vectors, int64_t first);

 private:
  // To row i of `vectors`.
  void add_means(const Network& network, const std::vector<std::vector<int32_t>>& sentences,
                 FloatRows vectors);
  void add_states(const Network& network, const std::vector<std::vector<int32_t>>& sentences,
                  FloatRows vectors);

  const SentenceModel& model_;
  std::vector<float> weights_;  // of one bag
  std::vector<float> scales_;   // of each sentence, see SentenceShape
  AlignedFloats mean_;
  AlignedFloats states_;  // of sentences that a gated unit has read
  std::optional<Gru> gru_;
};

// The `top` most likely labels of each text and their probabilities, the best first. `vectors`: a
// row for each text, as LineEncoder makes them. The model must have labels.
std::vector<std::vector<ScoredRow>> likely_labels(const SentenceModel& model, const Matrix& vectors,
                                                  int64_t top, int threads);

// Counts of answers, as `fasttext test` has them.
struct LabelCounts {
  int64_t answers = 0;  // given
  int64_t labels = 0;   // that are right
  int64_t hits = 0;     // answers that are right

  // NaN without answers or labels.
  double precision() const { return static_cast<double>(hits) / static_cast<double>(answers); }
  double recall() const { return static_cast<double>(hits) / static_cast<double>(labels); }
  // The harmonic mean of both, 0 without a hit.
  double f1() const {
    return 2 * static_cast<double>(hits) / static_cast<double>(answers + labels);
  }
};

// Lines to encode may be long, and each has its row, empty ones too.
inline constexpr LineRules kEveryLine{.longest = 16 << 20, .empty_too = true};

// Counts of lines and tokens without known words.
struct LineCounts {
  int64_t lines = 0;
  int64_t empty = 0;           // no word of the vocabulary: their vectors are 0
  int64_t unknown_tokens = 0;  // left out

  LineCounts& operator+=(const LineCounts& other);
};

class LineEncoder {
 public:
  LineEncoder(const SentenceModel& model, int threads)
      : model_(model),
        reader_(model.vocabulary, model.shape.mode, model.shape.unknown),
        threads_(threads) {}

  // Row i of `vectors`, which gets as many rows as there are lines, is the vector of lines[i].
  LineCounts encode(const std::vector<std::string>& lines, Matrix& vectors) const;

 private:
  const SentenceModel& model_;
  SentenceReader reader_;
  int threads_;
};

// Prints on standard error what was left out, if anything was.
void report_lines(const LineCounts& counts);

// The lines of a file that have a letter or a digit; equal lines count once.
struct TextLines {
  // "-" is standard input. Throws Error as LineReader does.
  explicit TextLines(const std::string& path);

  std::vector<std::string> texts;
  std::vector<int64_t> numbers;  // of the first line in the file that has the text, from 1
  uint64_t hash = 0;             // of all texts, in order
};

// Identifies the model and text of kept vectors.
struct EncodedIdentity {
  uint64_t model;  // see model_fingerprint()
  uint64_t text;
  int64_t lines;
  int64_t columns;

  bool operator==(const EncodedIdentity&) const = default;
};

// The vectors in such a file, a row for each line, of length 1. None when they belong to another
// model or text. Throws Error when the file is something else, or damaged.
std::optional<Matrix> read_kept_vectors(const std::string& path, const EncodedIdentity& wanted);

// Writes such a file. Throws Error when that fails, and when another program's file is there.
void keep_vectors(const std::string& path, const EncodedIdentity& identity, const Matrix& vectors);

// Returns a row of length 1 for each line, or zeros for a line without known words, and reports
// what was left out.
Matrix encode_lines(const std::vector<std::string>& texts, int64_t columns,
                    const LineEncoder& encoder);

}  // namespace acevec
