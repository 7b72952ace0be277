#include "tasks/word/outputs.h"

#include "tasks/word/composed_words.h"
#include "vectors/fasttext_model.h"
#include "vectors/writer.h"

namespace acevec {
namespace {

void check_words(const std::optional<WordVectors>& untrained,
                 const std::optional<RowWriter>& file) {
  if (!untrained || !file) return;
  for (size_t i = 0; i < untrained->words.size(); ++i) {
    file->check(untrained->words[i], static_cast<int64_t>(i) + 1);
  }
}

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

void Outputs::require_writable(const InitialVectors& untrained) const {
  check_words(untrained.words, vectors);
  check_words(untrained.contexts, contexts);
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
