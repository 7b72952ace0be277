// A sentence encoder: two networks f and g, as in QuickThoughts; and its file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/checkpoint_file.h"
#include "base/error.h"
#include "math/matrix.h"
#include "nn/gru.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"
#include "vectors/row_reader.h"

namespace acevec {

enum class EncoderKind : uint8_t {
  kBag,  // a weighted mean of rows
  kGru,  // the last state of a gated recurrent unit that reads rows
};

// What is known of a model before it has learned.
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

  // Whether words have weights; else there are gates.
  bool has_weights() const {
    switch (encoder) {
      case EncoderKind::kBag:
        return true;
      case EncoderKind::kGru:
        return false;
    }
    refuse_case("encoder");
  }

  // Of each network's matrices.
  int64_t row_columns() const { return has_weights() ? size + 1 : size; }
  int64_t gate_rows() const { return has_weights() ? 0 : Gru::parameter_rows(size, size); }
  int64_t gate_columns() const { return Gru::parameter_columns(size); }
};

// One of the two. A bag's rows, one for each word: `size` numbers, and the logarithm of the word's
// weight in a sentence's mean. A gated unit's: `size` numbers for each word, and in `gates` its
// parameters as nn/gru.h has them.
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
  std::vector<float> centre;        // is taken from each sentence's vector: columns() numbers
  std::vector<std::string> labels;  // that the model can give sentences; none: it cannot
  Matrix classifier{0, 1};  // W over b, columns() + 1 rows: softmax(v W + b) are the labels'
                            // probabilities

  Network& g() { return second ? *second : f; }
  const Network& g() const { return second ? *second : f; }
  int64_t columns() const { return shape.columns(); }
};

// Random numbers, and in bags weights a / (a + p) for words of frequency p, which make the mean
// that of SIF (Arora, Liang and Ma 2017); they are where learning begins. Unknown words have the
// weight of a word of no frequency.
void start_model(SentenceModel& model, uint64_t seed);

// Opens a file of word vectors to start from. Throws Error when it cannot be read or its vectors
// are of another size.
std::unique_ptr<RowReader> open_start(const std::string& path, const SentenceShape& shape);

// Rows of both networks become the vectors of `file` for words of the model that stand there.
// Returns how many. Throws Error as RowReader does.
int64_t start_from(RowReader& file, SentenceModel& model);

// commit() is the caller's. Throws Error when a number is not finite, and when the file cannot be
// written.
void write_sentence_model(const SentenceModel& model, CheckpointWriter& file);

// Throws Error when the file is something else, cut short or damaged.
SentenceModel read_sentence_model(const std::string& path);

// What tells the model in a file that can be read from others: the checksum at its end.
uint64_t model_fingerprint(const std::string& path);

}  // namespace acevec
