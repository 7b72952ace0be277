// The files that a run of word training leaves.
#pragma once

#include <optional>
#include <string>

#include "base/output_file.h"
#include "text/vocabulary.h"
#include "vectors/row_writer.h"
#include "word/initial.h"
#include "word/model.h"
#include "word/settings.h"

namespace acevec {

// All are opened before any work, so that a mistake shows at once, and appear when they are whole.
struct Outputs {
  std::optional<RowWriter> vectors, contexts;
  std::optional<OutputFile> vocabulary, model, record;

  // Those that `settings` name.
  explicit Outputs(const TrainSettings& settings);

  // Words that are not trained are written too, so that they must suit the formats. Throws Error.
  void require_writable(const InitialVectors& untrained) const;

  // Writes all but the vocabulary, which is there before training. `record_of_run`: its text.
  // Throws Error, and then no file has changed.
  void write(const Vocabulary& words, const TrainSettings& settings,
             const InitialVectors& untrained, const SkipGramModel& trained,
             const std::string& record_of_run);
};

// The vectors of words as they are used: composed, where words have subwords.
void write_words(const Vocabulary& words, const SkipGramModel& model,
                 const InitialVectors& untrained, RowWriter& file);

}  // namespace acevec
