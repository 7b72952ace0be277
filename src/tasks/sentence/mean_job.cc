#include "tasks/sentence/mean_job.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/output_file.h"
#include "tasks/sentence/model_file.h"
#include "text/corpus.h"
#include "vectors/row_reader.h"

namespace acevec {
namespace {

// Of all words, rare ones too: which of them matter, the vectors decide.
std::vector<WordCount> read_counts(const MeanJobSettings& a, const RunSettings& run,
                                   Progress& progress) {
  if (!a.vocabulary.empty()) return read_vocabulary(a.vocabulary);
  const int threads = run.plan.threads;
  Source source(a.text, a.format, threads);
  const CorpusSettings settings{
      .mode = a.mean.mode, .threads = threads, .counting_bytes = counting_memory(run.max_memory)};
  const CountedText text(source, settings, shown_on(progress));
  note_mended(text.report, progress);
  return total_counts(text.counts, threads, 1, 0).words;
}

int64_t counted_words(const Vocabulary& vocabulary) {
  const std::vector<int64_t> counts = vocabulary.counts();
  return std::count_if(counts.begin(), counts.end(), [](int64_t count) { return count > 0; });
}

}  // namespace

void make_mean_model(const MeanJobSettings& settings, const RunSettings& run,
                     const RecordHead& head) {
  std::optional<CheckpointWriter> output(std::in_place, run.output);
  std::optional<OutputFile> record_file;
  open_if(record_file, run.record);
  Progress progress(run.debug == 0);
  const std::unique_ptr<RowReader> rows = open_rows(settings.vectors);
  const std::vector<WordCount> counts = read_counts(settings, run, progress);
  WordVectors vectors = rows->read_all(std::numeric_limits<int64_t>::max());
  if (!vectors.note.empty()) progress.note(vectors.note);
  const int threads = run.plan.threads;
  check_memory(mean_memory(vectors, settings.mean, threads), run.max_memory, run.debug >= 2,
               progress);
  const SentenceModel model = mean_model(std::move(vectors), counts, settings.mean, threads);
  const int64_t words = model.vocabulary.size(), known = counted_words(model.vocabulary);
  write_sentence_model(model, *output);
  Json record = head();
  record.put("/vocabulary", {{"words", words}, {"counted", known}});
  if (record_file) record_file->write(record.text(kRecordIndent));
  commit_together(record_file, output);
  progress.note(format("wrote a model of %s (%s counted) with vectors of size %ld to %s",
                       counted(words, "word").c_str(), grouped(known).c_str(),
                       static_cast<long>(model.columns()),
                       run.output == "-" ? "standard output" : run.output.c_str()));
}

}  // namespace acevec
