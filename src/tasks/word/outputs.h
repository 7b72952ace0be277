// The files that a run of word training leaves.
#pragma once

#include <optional>
#include <string>

#include "base/output_file.h"
#include "tasks/word/initial.h"
#include "tasks/word/model.h"
#include "text/vocabulary.h"
#include "vectors/fasttext_model.h"
#include "vectors/row_writer.h"

namespace acevec {

// Their paths; an empty one is not written.
struct OutputPaths {
  std::string vectors, contexts, model, vocabulary, record;
  VectorFormat format = VectorFormat::kText;          // of the vectors
  VectorFormat context_format = VectorFormat::kText;  // of the contexts
};

// All are opened before any work, so that a mistake shows at once, and appear when they are whole.
struct Outputs {
  std::optional<RowWriter> vectors, contexts;
  std::optional<OutputFile> vocabulary, model, record;

  explicit Outputs(const OutputPaths& paths);

  // Words that are not trained are written too, so that they must suit the formats. Throws Error.
  void require_writable(const InitialVectors& untrained) const;

  // Writes all but the vocabulary, which is there before training. `shape` and `training` are what
  // fastText's model tells of the run; `record_of_run`: its text. Throws Error, and then no file
  // has changed.
  void write(const Vocabulary& words, const SubwordShape& shape, const FastTextTraining& training,
             const InitialVectors& untrained, const SkipGramModel& trained,
             const std::string& record_of_run);
};

// The vectors of words as they are used: composed, where words have subwords.
void write_words(const Vocabulary& words, const SkipGramModel& model,
                 const InitialVectors& untrained, RowWriter& file);

}  // namespace acevec
