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

void write_model(const Vocabulary& words, const SubwordShape& shape,
                 const FastTextTraining& training, const SkipGramModel& model, OutputFile& file) {
  const auto bucket_row = [&](int64_t bucket) -> const float* {
    const int64_t row = model.subwords->row_of_bucket(bucket);
    return row < 0 ? nullptr : model.words.row(row);  // no word of the text needs it
  };
  write_fasttext_model(words, training, shape, model.words, bucket_row, model.contexts, file);
}

// Opens a file where there is a path.
template <class File, class... More>
void open(std::optional<File>& file, const std::string& path, const More&... more) {
  if (!path.empty()) file.emplace(path, more...);
}

}  // namespace

Outputs::Outputs(const OutputPaths& paths) {
  open(vectors, paths.vectors, paths.format);
  open(contexts, paths.contexts, paths.context_format);
  open(vocabulary, paths.vocabulary);
  open(model, paths.model);
  open(record, paths.record);
}

void Outputs::require_writable(const InitialVectors& untrained) const {
  check_words(untrained.words, vectors);
  check_words(untrained.contexts, contexts);
}

void Outputs::write(const Vocabulary& words, const SubwordShape& shape,
                    const FastTextTraining& training, const InitialVectors& untrained,
                    const SkipGramModel& trained, const std::string& record_of_run) {
  write_words(words, trained, untrained, *vectors);
  if (contexts) write_vectors(words, trained.contexts, untrained.contexts, *contexts);
  if (model) write_model(words, shape, training, trained, *model);
  if (record) record->write(record_of_run);
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
