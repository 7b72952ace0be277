#include "order/order_command.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "cli/run_record.h"
#include "order/closure.h"
#include "order/evaluation.h"
#include "order/settings.h"
#include "order/start.h"
#include "order/write_order.h"
#include "train/run.h"
#include "train/run_report.h"

namespace acevec {
namespace {

// May change when a run is resumed, besides what may change in every run.
constexpr std::string_view kMayChange[] = {"binary", "rate", "rank"};

std::string count_text(const std::vector<OrderPair>& pairs) {
  return grouped(static_cast<int64_t>(pairs.size()));
}

void report_split(const Hierarchy& hierarchy, const Split& split, Progress& progress) {
  const int64_t concepts = hierarchy.concepts.size();
  const ExactPairs all = generals_of(concepts, hierarchy.lines);
  progress.note(format("read %s of %s, %s of them different",
                       counted(static_cast<int64_t>(hierarchy.lines.size()), "pair").c_str(),
                       counted(concepts, "concept").c_str(), grouped(all.pairs()).c_str()));
  progress.note(format(
      "%s for training, %s for development, %s for the test; %s of the test pairs are training "
      "pairs too, and %s of its negatives are true",
      count_text(split.train).c_str(), count_text(split.development.positives).c_str(),
      count_text(split.test.positives).c_str(),
      grouped(count_shared(split.test.positives, generals_of(concepts, split.train))).c_str(),
      grouped(count_shared(split.test.negatives, all)).c_str()));
}

uint64_t hash_of(const Hierarchy& hierarchy) {
  uint64_t hash = XXH3_64bits(hierarchy.lines.data(), hierarchy.lines.size() * sizeof(OrderPair));
  for (int32_t id = 0; id < hierarchy.concepts.size(); ++id) {
    const std::string& name = hierarchy.concepts.word(id);
    hash = XXH3_64bits_withSeed(name.data(), name.size(), hash);
  }
  return hash;
}

// How good the vectors are, on the test. Adds it to the record.
void report_quality(const OrderJob& job, const Hierarchy& hierarchy, const Split& split,
                    const Embedding& embedding, nlohmann::ordered_json& record,
                    Progress& progress) {
  if (split.test.positives.empty()) return;
  const Threshold threshold = best_threshold(embedding, split.development);
  const double test = accuracy(embedding, split.test, threshold.penalty);
  progress.note(
      format("accuracy: development %.2f%%, test %.2f%%", 100 * threshold.accuracy, 100 * test));
  record["test"] = {{"accuracy", test}};
  if (job.ranked == 0) return;
  const RankingScore score =
      rank_generals(embedding, generals_of(hierarchy.concepts.size(), hierarchy.lines),
                    split.test.positives, job.ranked, job.run.plan.threads);
  progress.note(format("mean average precision, %s: all hypernyms %.4f, held-out hypernyms %.4f",
                       counted(score.concepts, "concept").c_str(), score.all, score.held_out));
  record["test"]["mean_average_precision"] = {{"all", score.all}, {"held_out", score.held_out}};
}

// How good answers to questions about the test's concepts are. Adds it to the record.
void report_answers(const OrderJob& job, const Hierarchy& hierarchy, const Split& split,
                    const Embedding& embedding, const AnswerCut& cut,
                    nlohmann::ordered_json& record, Progress& progress) {
  const int64_t concepts = hierarchy.concepts.size();
  const std::vector<int32_t> asked =
      sample_concepts(generals_of(concepts, split.test.positives), kAskedConcepts);
  if (!asked.empty()) {
    const AnswerQuality quality = answer_quality(Answers(embedding), Replaced::kGeneral,
                                                 generals_of(concepts, hierarchy.lines), asked,
                                                 cut.weighted, job.run.plan.threads);
    progress.note(format("answers for %s concepts: precision %.4f, recall %.4f",
                         grouped(static_cast<int64_t>(asked.size())).c_str(), quality.precision,
                         quality.recall));
    record["test"]["answers"] = {{"precision", quality.precision}, {"recall", quality.recall}};
  }
  const float threshold = best_threshold(embedding, split.development).penalty;
  progress.note(format("the best threshold for single pairs is a penalty of %.4g",
                       double{threshold} / double{cut.weighted}));
}

// Adds what follows from the pairs, if wanted. Returns whether pairs follow that are not there.
bool close(const OrderJob& job, Hierarchy& hierarchy, Progress& progress) {
  const auto own = static_cast<int64_t>(unique_pairs(hierarchy.lines).size());
  const auto closed = transitive_closure(hierarchy.concepts.size(), hierarchy.lines);
  if (!closed) {
    const std::string most = counted(kMostImplied, "pair");
    if (job.closure == Closure::kClosed) {
      throw Error(format("the pairs of %s imply more than %s; give -closure 0", job.train.c_str(),
                         most.c_str()));
    }
    progress.note(format("note: these imply more than %s, which are not learned", most.c_str()));
    return true;
  }
  const int64_t more = static_cast<int64_t>(closed->size()) - own;
  if (more == 0 || job.closure == Closure::kGiven) return more > 0;
  hierarchy = with_pairs(hierarchy, *closed);
  progress.note(
      format("note: %s implied by those of %s are learned too; -closure 0 leaves them out",
             counted(more, "pair").c_str(), job.train.c_str()));
  return false;
}

// Where training starts, from the pairs to learn from.
Matrix start_vectors(const OrderJob& job, const Split& split, int64_t concepts) {
  const auto start = job.training.geometry == Geometry::kCone ? nested_cones
                     : job.training.nested                    ? nested_order_vectors
                                                              : initial_order_vectors;
  return start(split.train, concepts, job.training.size, job.training.seed);
}

// Finds what follows from the pairs to learn from, for negatives not to be among it.
void imply(const Hierarchy& hierarchy, Split& split, Progress& progress) {
  auto closed = transitive_closure(hierarchy.concepts.size(), split.train);
  if (!closed) return;
  split.implied = std::move(*closed);
  progress.note(format("%s implied by the training pairs are not used as negatives",
                       counted(static_cast<int64_t>(split.implied.size()), "pair").c_str()));
}

// Trains as `options` have it, from the beginning or, with a checkpoint, from there on.
void train(Options options, std::optional<CheckpointReader>& checkpoint) {
  OrderJob job = read_order_job(options);
  const TaskDescription description = describe_order();
  std::optional<RowWriter> output(std::in_place, job.run.output, job.training.format);
  std::optional<OutputFile> record_file;
  if (!job.record.empty()) record_file.emplace(job.record);
  RunFiles files(job.run, description, checkpoint ? checkpoint->path() : "");

  Progress progress(job.run.debug == 0);
  Hierarchy hierarchy = read_hierarchy(job.train);
  const bool is_open = close(job, hierarchy, progress);
  if (is_open) {
    assume_open_pairs(options);
    job = read_order_job(options);
  }
  const int64_t held_out =
      std::min(job.held_out, static_cast<int64_t>(unique_pairs(hierarchy.lines).size()) / 10);
  Split split = split_pairs(hierarchy, job.split, held_out, job.training.seed);
  report_split(hierarchy, split, progress);
  if (held_out == 0) {
    progress.note("note: no pairs are held out, so the threshold is chosen on the training pairs");
    split.development = label_pairs(split.train, hierarchy, job.training.seed);
  }
  if (is_open && (job.training.mask_noise || job.training.adversary)) {
    imply(hierarchy, split, progress);
  }
  check_memory(order_memory(hierarchy, split, job.training, job.run.plan.threads,
                            job.run.save_every.has_value()),
               job.run, progress);

  Matrix vectors = start_vectors(job, split, hierarchy.concepts.size());
  const Embedding embedding(vectors, job.training.geometry);
  OrderTask task(hierarchy, split, job.training, vectors);
  const std::vector<Identity> identities{
      {"the pairs have changed", counted(static_cast<int64_t>(hierarchy.lines.size()), "pair"),
       hash_of(hierarchy)}};
  Run run({task, description, job.run, identities, files, progress});
  run.train(checkpoint);
  nlohmann::ordered_json record = run_record(kOrderCommand, options, job.command);
  add_training(run, record);
  report_quality(job, hierarchy, split, embedding, record, progress);

  const AnswerCut cut = answer_cut(hierarchy, split, embedding, job.run.plan.threads);
  report_answers(job, hierarchy, split, embedding, cut, record, progress);
  if (job.training.geometry == Geometry::kCone) record["threshold"] = double{cut.weighted};
  write_order(hierarchy, vectors, job.training.geometry, cut, *output);
  if (record_file) record_file->write(record_text(record));
  commit_together(record_file, output);
  report_written(format("%s of size %ld", counted(hierarchy.concepts.size(), "vector").c_str(),
                        static_cast<long>(job.training.size)),
                 job.run, files, progress);
}

}  // namespace

void run_order(const Options& options) {
  Start start = start_of(kOrderCommand, options, kMayChange);
  train(start.options, start.checkpoint);
}

}  // namespace acevec
