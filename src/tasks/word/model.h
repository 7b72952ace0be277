// Parameters and optimizer state of skip-gram, their initialisation, random or from files (-init
// and -init-context), and the files that a run writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "math/matrix.h"
#include "optim/optimizer.h"
#include "tasks/word/composed_words.h"
#include "text/vocabulary.h"
#include "vectors/fasttext.h"
#include "vectors/row_writer.h"
#include "vectors/word_vectors.h"

namespace acevec {

// The two matrices of skip-gram, a row per word.
struct SkipGramModel {
  Matrix words;     // V; the words' rows, then their n-grams': see SubwordIndex
  Matrix contexts;  // U
  OptimizerKind optimizer;
  Matrix word_moments, context_moments;  // Adam's, see Optimizer; no rows for kSgd
  std::optional<SubwordIndex> subwords;  // none: words have only rows of their own

  // word2vec's initialisation: V uniform in ±0.5/size, U zero. Throws std::bad_alloc.
  SkipGramModel(int64_t vocabulary, int64_t size, OptimizerKind optimizer, uint64_t seed,
                std::optional<SubwordIndex> index = std::nullopt);
};

// The optimizer of both matrices. It ascends, since its gradients are of the log-likelihood.
OptimizerSettings embedding_optimizer(OptimizerKind kind);

// Vectors from files, all of the same size.
struct InitialVectors {
  std::optional<WordVectors> words;
  std::optional<WordVectors> contexts;
};

// Reads the files; an empty path gives none. Throws Error if one cannot be read or its vectors have
// a size other than `size` (0: any size).
InitialVectors read_initial_vectors(const std::string& words, const std::string& contexts,
                                    int64_t size);

// Moves the vectors of the vocabulary's words to their rows of `model`. Words outside the
// vocabulary stay in `initial`, in file order: they are not trained, and are written behind those
// that are. Words in no file keep the model's initialisation. Returns the words that got vectors.
std::vector<int32_t> start_from(InitialVectors& initial, const Vocabulary& vocabulary,
                                SkipGramModel& model);

// Paths of the outputs other than the vectors; an empty path is not written.
struct OutputPaths {
  std::string contexts, model, vocabulary;
  VectorFormat format = VectorFormat::kText;          // format of the vectors
  VectorFormat context_format = VectorFormat::kText;  // format of the contexts
};

// All are opened before any work, so that a bad path fails early, and appear only when complete.
struct Outputs {
  std::optional<RowWriter> vectors, contexts;
  std::optional<OutputFile> vocabulary, model;

  // `path`: the file of the vectors; may be empty. Throws Error.
  void open(const std::string& path, const OutputPaths& paths);

  // The number of untrained words that the format of the vectors cannot hold.
  int64_t unwritable(const InitialVectors& untrained) const;

  // Writes all but the vocabulary, which is written before training, and commits them with
  // `record`. `training`: the settings that a fastText model records. On Error no file has changed.
  void write(const Vocabulary& words, const SkipGramModel& trained, const InitialVectors& untrained,
             const FastTextTraining& training, std::optional<OutputFile>& record);
};

// Writes the vectors of words, composed if words have subwords.
void write_words(const Vocabulary& words, const SkipGramModel& model,
                 const InitialVectors& untrained, RowWriter& file);

}  // namespace acevec
