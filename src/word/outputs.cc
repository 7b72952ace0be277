#include "word/outputs.h"

#include "vectors/fasttext_model.h"
#include "vectors/writer.h"
#include "word/composed_words.h"

namespace acevec {
namespace {

void check_words(const std::optional<WordVectors>& untrained,
                 const std::optional<RowWriter>& file) {
  if (!untrained || !file) return;
  for (size_t i = 0; i < untrained->words.size(); ++i) {
    file->check(untrained->words[i], static_cast<int64_t>(i) + 1);
  }
}

void write_model(const Vocabulary& words, const TrainSettings& settings, const SkipGramModel& model,
                 OutputFile& file) {
  const SkipGramSettings& skip_gram = settings.skip_gram;
  const auto bucket_row = [&](int64_t bucket) -> const float* {
    const int64_t row = model.subwords->row_of_bucket(bucket);
    return row < 0 ? nullptr : model.words.row(row);  // no word of the text needs it
  };
  write_fasttext_model(words,
                       {skip_gram.window, settings.run.plan.epochs, settings.min_count,
                        skip_gram.negatives, skip_gram.cbow, skip_gram.sample},
                       skip_gram.subwords, model.words, bucket_row, model.contexts, file);
}

}  // namespace

Outputs::Outputs(const TrainSettings& settings) {
  if (!settings.run.output.empty()) vectors.emplace(settings.run.output, settings.output_format);
  if (!settings.output_context.empty()) {
    contexts.emplace(settings.output_context, settings.context_format);
  }
  if (!settings.save_vocab.empty()) vocabulary.emplace(settings.save_vocab);
  if (!settings.output_model.empty()) model.emplace(settings.output_model);
  if (!settings.record.empty()) record.emplace(settings.record);
}

void Outputs::require_writable(const InitialVectors& untrained) const {
  check_words(untrained.words, vectors);
  check_words(untrained.contexts, contexts);
}

void Outputs::write(const Vocabulary& words, const TrainSettings& settings,
                    const InitialVectors& untrained, const SkipGramModel& trained,
                    const std::string& record_of_run) {
  write_words(words, trained, untrained, *vectors);
  if (contexts) write_vectors(words, trained.contexts, untrained.contexts, *contexts);
  if (model) write_model(words, settings, trained, *model);
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
