// A sentence encoder: two networks f and g, as in QuickThoughts; its initialisation and its file.
// Models made from word vectors without training are weighted means. With rows for more words they
// initialise training on pairs and labels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/checkpoint_file.h"
#include "base/error.h"
#include "math/matrix.h"
#include "nn/gru.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"
#include "vectors/row_reader.h"
#include "vectors/word_vectors.h"

namespace acevec {

enum class EncoderKind : uint8_t {
  kBag,  // a weighted mean of rows
  kGru,  // the last state of a gated recurrent unit over the rows
};

// The properties of a model that training does not change.
struct SentenceShape {
  TokenMode mode{};
  int64_t size = 100;  // dimension of the vectors of one network
  bool tied = false;   // g is f
  EncoderKind encoder{};
  bool scaled = false;  // bags: multiplies a sentence's vector by Σ w / √n, w the weights of its n
                        // words; cosines are the same, and classifiers see the total weight
  int64_t unknown = 0;  // rows behind those of words, for unknown words by their hash; 0: none

  int64_t columns() const { return tied ? size : 2 * size; }  // dimension of a sentence's vector

  // Whether words have weights; otherwise the model has gates.
  bool has_weights() const {
    switch (encoder) {
      case EncoderKind::kBag:
        return true;
      case EncoderKind::kGru:
        return false;
    }
    refuse_case("encoder");
  }

  // The sizes of each network's matrices.
  int64_t row_columns() const { return has_weights() ? size + 1 : size; }
  int64_t gate_rows() const { return has_weights() ? 0 : Gru::parameter_rows(size, size); }
  int64_t gate_columns() const { return Gru::parameter_columns(size); }
};

// One of the two networks. A bag has a row per word: `size` numbers, and the logarithm of its
// weight in means. A gated unit has `size` numbers per word, and parameters in `gates` (nn/gru.h).
struct Network {
  // All zeros, including the rows of unknown words. Throws std::bad_alloc.
  Network(const SentenceShape& shape, int64_t words)
      : rows(words + shape.unknown, shape.row_columns()),
        gates(shape.gate_rows(), shape.gate_columns()) {}
  static int64_t floats(const SentenceShape& shape, int64_t words) {
    return (words + shape.unknown) * padded(shape.row_columns()) +
           shape.gate_rows() * padded(shape.gate_columns());
  }

  Matrix rows, gates;  // gates has no rows in a bag
};

struct SentenceModel {
  SentenceModel(Vocabulary words, const SentenceShape& shape);  // all zeros; may throw bad_alloc

  Vocabulary vocabulary;
  SentenceShape shape;
  Network f;
  std::optional<Network> second;    // g; none if tied
  std::vector<float> centre;        // subtracted from each sentence's vector: columns() numbers
  std::vector<std::string> labels;  // empty: the model has no classifier
  Matrix classifier{0, 1};          // W over b, columns() + 1 rows: labels' p = softmax(v W + b)

  Network& g() { return second ? *second : f; }
  const Network& g() const { return second ? *second : f; }
  int64_t columns() const { return shape.columns(); }
};

// Initialises for training: random rows, and in bags weights a / (a + p) for words of frequency p,
// as in SIF (Arora, Liang and Ma 2017). Unknown words have the weight for p = 0.
void start_model(SentenceModel& model, uint64_t seed);

// Opens a file of word vectors. Throws Error if it cannot be read or its vectors have another size.
std::unique_ptr<RowReader> open_start(const std::string& path, const SentenceShape& shape);

// Copies the vectors of `file` to the rows of both networks, for words in both. Returns the number
// of these words. Throws Error as RowReader does.
int64_t start_from(RowReader& file, SentenceModel& model);

// Writes a model; the caller commits it. Throws Error if a number is not finite or writing fails.
void write_sentence_model(const SentenceModel& model, CheckpointWriter& file);

// Throws Error if the file is not a model, or is truncated or damaged.
SentenceModel read_sentence_model(const std::string& path);

inline constexpr double kSearchA = 0.0003;  // the parameter a of models for search,
inline constexpr double kFeaturesA = 0.01;  // and for features

struct MeanSettings {
  TokenMode mode{};
  double a = 0;         // SIF's weight of a word of frequency p is a / (a + p)
  bool search = false;  // weights are the square roots of these, and rows are whitened
};

// The rows that unknown words share: many, so that few unknown words of a text collide.
inline constexpr int64_t kUnknownRows = 8192;

// Rows and dimensions that training adds to word vectors: rows for words without a vector, and
// `lexical` random dimensions of all rows. A row without a vector starts in a random direction with
// weight 1, within the lexical dimensions if there are any; those of other rows start with length
// 1, as the vector does. So texts that share a word are near each other from the beginning.
struct MoreRows {
  std::span<const WordCount> words;  // words without a vector get a row
  int64_t unknown = kUnknownRows;
  int64_t lexical = 0;
  uint64_t seed = 1;
};

// A tied bag. A word's row is its vector normalised to length 1, with `search` whitened by
// frequency (see math/covariance.h) and normalised again; sentences' vectors are then scaled,
// unless there are `more` rows, for training. p is the word's share of `counts`, among words with a
// vector; a word without a count has p = 0. The centre is the expectation of a sentence's vector, Σ
// w p v / Σ w p, with the weights w. If `vectors` has a word twice, its first row counts. Throws
// Error if `counts` has no word with a vector, or if whitening is impossible.
SentenceModel mean_model(WordVectors vectors, const std::vector<WordCount>& counts,
                         const MeanSettings& settings, int threads,
                         const std::optional<MoreRows>& more = {});

// Counts by Zipf's law, proportional to 1 / (rank + 2.7), for words by descending frequency.
std::vector<WordCount> counts_by_rank(const std::vector<std::string>& words);

// A random vector for each word, for training without given vectors.
WordVectors random_vectors(const std::vector<WordCount>& words, int64_t size, uint64_t seed);

}  // namespace acevec
