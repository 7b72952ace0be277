// A sentence encoder: two networks f and g, as in QuickThoughts; its start and its file. Models
// made from word vectors without training are weighted means. With rows for more words they are the
// start of training on pairs and labels.
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
#include "train/memory_plan.h"
#include "vectors/row_reader.h"
#include "vectors/word_vectors.h"

namespace acevec {

enum class EncoderKind : uint8_t {
  kBag,  // a weighted mean of rows
  kGru,  // the last state of a gated recurrent unit that reads rows
};

// The properties of a model that training does not change.
struct SentenceShape {
  TokenMode mode{};
  int64_t size = 100;  // numbers in a vector of one network
  bool tied = false;   // g is f
  EncoderKind encoder{};
  bool scaled = false;  // of a bag: a sentence's vector is multiplied by Σ w / √n, w the weights of
                        // its n words: cosines are the same, and classifiers see how much it says
  int64_t unknown = 0;  // rows behind those of the words, which words that the model does not know
                        // share by their hash; 0: such words are left out

  int64_t columns() const { return tied ? size : 2 * size; }  // of a sentence's vector

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

// One of the two networks. A bag has a row for each word: `size` numbers, and the logarithm of the
// word's weight in a sentence's mean. A gated unit has `size` numbers for each word, and its
// parameters in `gates` (nn/gru.h).
struct Network {
  // All zeros, with the rows of unknown words too. Throws std::bad_alloc.
  Network(const SentenceShape& shape, int64_t words);
  static int64_t bytes(const SentenceShape& shape, int64_t words);

  Matrix rows, gates;  // gates: no rows in a bag
};

struct SentenceModel {
  // All zeros. Throws std::bad_alloc.
  SentenceModel(Vocabulary words, const SentenceShape& shape);

  Vocabulary vocabulary;
  SentenceShape shape;
  Network f;
  std::optional<Network> second;    // g; none if tied
  std::vector<float> centre;        // subtracted from each sentence's vector: columns() numbers
  std::vector<std::string> labels;  // of sentences; empty: the model has no classifier
  Matrix classifier{0, 1};  // W over b, columns() + 1 rows: softmax(v W + b) are the labels'
                            // probabilities

  Network& g() { return second ? *second : f; }
  const Network& g() const { return second ? *second : f; }
  int64_t columns() const { return shape.columns(); }
};

// Sets the start of training: random numbers, and in bags weights a / (a + p) for words of
// frequency p, as in SIF (Arora, Liang and Ma 2017). Unknown words have the weight of p = 0.
void start_model(SentenceModel& model, uint64_t seed);

// Opens a file of word vectors to start from. Throws Error when it cannot be read or its vectors
// have another size.
std::unique_ptr<RowReader> open_start(const std::string& path, const SentenceShape& shape);

// Copies the vectors of `file` to the rows of both networks, for the words that both have. Returns
// the number of these words. Throws Error as RowReader does.
int64_t start_from(RowReader& file, SentenceModel& model);

// Writes the parts of a model; the caller calls commit(). Throws Error when a number is not finite,
// and when the file cannot be written.
void write_sentence_model(const SentenceModel& model, CheckpointWriter& file);

// Throws Error when the file is something else, cut short or damaged.
SentenceModel read_sentence_model(const std::string& path);

// The checksum at the end of a model file, which identifies the model. The file must be readable.
uint64_t model_fingerprint(const std::string& path);

// The parameter a of models for search.
inline constexpr double kSearchA = 0.0003;

struct MeanSettings {
  TokenMode mode{};
  double a = 0;         // a word of frequency p has the weight a / (a + p), SIF's
  bool search = false;  // weights are the roots of these, and rows are whitened
};

// The number of rows that unknown words share. It is large, so that few of a text's unknown words
// share a row by chance.
inline constexpr int64_t kUnknownRows = 8192;

// Rows for words without a vector. Each starts with a random direction, length 1 and weight 1, so
// that texts that share such a word are near each other from the beginning.
struct MoreRows {
  std::span<const WordCount> words;  // those without a vector get a row
  int64_t unknown = kUnknownRows;
  uint64_t seed = 1;
};

// A tied bag. A word's row is its vector of length 1, with `search` whitened by frequency (see
// math/covariance.h) and again of length 1; sentences' vectors are then scaled, unless there are
// `more` rows, for training. p is the word's share of `counts`, of which only words with a vector
// count; a word without a count has p = 0. The centre is the expectation of a sentence's vector, Σ
// w p v / Σ w p, w the weights. If `vectors` has a word twice, its first row counts. Throws Error
// when `counts` has no word with a vector, and when there is nothing to whiten.
SentenceModel mean_model(WordVectors vectors, const std::vector<WordCount>& counts,
                         const MeanSettings& settings, int threads,
                         const std::optional<MoreRows>& more = {});

// The memory that mean_model() adds to that in use when vectors and counts have been read.
MemoryPlan mean_memory(const WordVectors& vectors, const MeanSettings& settings, int threads);

// Counts by Zipf's law, in proportion to 1 / (rank + 2.7), for words in order of frequency, the
// most frequent first.
std::vector<WordCount> counts_by_rank(const std::vector<std::string>& words);

// A vector of random numbers for each word, for training without given vectors.
WordVectors random_vectors(const std::vector<WordCount>& words, int64_t size, uint64_t seed);

}  // namespace acevec
