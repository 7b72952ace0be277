// The files that a run of word training leaves.
#pragma once

#include <optional>
#include <string>

#include "base/output_file.h"
#include "tasks/word/model.h"
#include "text/vocabulary.h"
#include "vectors/fasttext.h"
#include "vectors/row_writer.h"

namespace acevec {

// Paths of those beside the vectors; an empty one is not written.
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

  // Words that are not trained are written too, but for those that the format of the vectors cannot
  // hold: how many these are.
  int64_t unwritable(const InitialVectors& untrained) const;

  // Writes all but the vocabulary, which is there before training, and commits them with `record`.
  // `training`: what fastText's model tells of the run. Throws Error, and then no file has changed.
  void write(const Vocabulary& words, const SkipGramModel& trained, const InitialVectors& untrained,
             const FastTextTraining& training, std::optional<OutputFile>& record);
};

// The vectors of words as they are used: composed, where words have subwords.
void write_words(const Vocabulary& words, const SkipGramModel& model,
                 const InitialVectors& untrained, RowWriter& file);

}  // namespace acevec
