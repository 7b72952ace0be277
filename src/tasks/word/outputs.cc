#include "tasks/word/outputs.h"

#include <algorithm>

#include "tasks/word/composed_words.h"
#include "vectors/fasttext.h"
#include "vectors/row_writer.h"

namespace acevec {
namespace {

void write_model(const Vocabulary& words, const FastTextTraining& training,
                 const SkipGramModel& model, OutputFile& file) {
  const auto bucket_row = [&](int64_t bucket) -> const float* {
    const int64_t row = model.subwords->row_of_bucket(bucket);
    return row < 0 ? nullptr : model.words.row(row);  // no word of the text needs it
  };
  write_fasttext_model(words, training, model.words, bucket_row, model.contexts, file);
}

}  // namespace

void Outputs::open(const std::string& path, const OutputPaths& paths) {
  open_if(vectors, path, paths.format);
  open_if(contexts, paths.contexts, paths.context_format);
  open_if(vocabulary, paths.vocabulary);
  open_if(model, paths.model);
}

int64_t Outputs::unwritable(const InitialVectors& untrained) const {
  if (!untrained.words || !vectors) return 0;
  const std::vector<std::string>& words = untrained.words->words;
  return std::count_if(words.begin(), words.end(),
                       [&](const std::string& word) { return !vectors->can_hold(word); });
}

void Outputs::write(const Vocabulary& words, const SkipGramModel& trained,
                    const InitialVectors& untrained, const FastTextTraining& training,
                    std::optional<OutputFile>& record) {
  if (vectors) write_words(words, trained, untrained, *vectors);
  if (contexts) write_vectors(words, trained.contexts, untrained.contexts, *contexts);
  if (model) write_model(words, training, trained, *model);
  commit_together(contexts, model, record, vectors);
}

void write_words(const Vocabulary& words, const SkipGramModel& model,
                 const InitialVectors& untrained, RowWriter& file) {
  if (model.subwords) {
    write_vectors(words, compose_all(*model.subwords, model.words), untrained.words, file);
  } else {
    write_vectors(words, model.words, untrained.words, file);
  }
}

}  // namespace acevec
