// The parameters of skip-gram, the state of its optimizer, their start, random or from files (-init
// and -init-context), and the files that a run leaves.
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
  Matrix words;     // V; behind the words' rows those of their n-grams: see SubwordIndex
  Matrix contexts;  // U
  OptimizerKind optimizer;
  Matrix word_moments, context_moments;  // Adam's, see Optimizer; without rows for kSgd
  std::optional<SubwordIndex> subwords;  // none: words have rows of their own only

  // word2vec's start: V uniform in ±0.5/size, U zero. Throws std::bad_alloc.
  SkipGramModel(int64_t vocabulary, int64_t size, OptimizerKind optimizer, uint64_t seed,
                std::optional<SubwordIndex> index = std::nullopt);
};

// The optimizer of either matrix; its gradients are of the log-likelihood, so it ascends.
OptimizerSettings embedding_optimizer(OptimizerKind kind);

// Vectors from files, of one size.
struct InitialVectors {
  std::optional<WordVectors> words;
  std::optional<WordVectors> contexts;
};

// Reads the files; an empty path gives none. Throws Error when one cannot be read or has
// vectors of another size than `size` (0: any size).
InitialVectors read_initial_vectors(const std::string& words, const std::string& contexts,
                                    int64_t size);

// Moves the vectors of the vocabulary's words to their rows of `model`. What stays in `initial` are
// the words that are not in the vocabulary, in their files' order: training does not touch them,
// and they are written behind those it does. Words that no file has keep the model's usual start.
// Returns the words that got their vectors.
std::vector<int32_t> start_from(InitialVectors& initial, const Vocabulary& vocabulary,
                                SkipGramModel& model);

// Paths of the outputs beside the vectors; an empty one is not written.
struct OutputPaths {
  std::string contexts, model, vocabulary;
  VectorFormat format = VectorFormat::kText;          // of the vectors
  VectorFormat context_format = VectorFormat::kText;  // of the contexts
};

// All are opened before any work, so that a mistake shows at once, and appear when they are whole.
struct Outputs {
  std::optional<RowWriter> vectors, contexts;
  std::optional<OutputFile> vocabulary, model;

  // `path`: of the vectors; may be empty. Throws Error.
  void open(const std::string& path, const OutputPaths& paths);

  // The number of untrained words that cannot be written, since the format of the vectors cannot
  // hold them.
  int64_t unwritable(const InitialVectors& untrained) const;

  // Writes all but the vocabulary, which is there before training, and commits them with `record`.
  // `training`: the settings that a fastText model records. Throws Error, and then no file has
  // changed.
  void write(const Vocabulary& words, const SkipGramModel& trained, const InitialVectors& untrained,
             const FastTextTraining& training, std::optional<OutputFile>& record);
};

// The vectors of words as they are used: composed, where words have subwords.
void write_words(const Vocabulary& words, const SkipGramModel& model,
                 const InitialVectors& untrained, RowWriter& file);

}  // namespace acevec
