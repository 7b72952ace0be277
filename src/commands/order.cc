// acevec order: learns concepts from pairs "specific -> general" and says how good the vectors are.

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
#include "commands/commands.h"
#include "commands/order_arguments.h"
#include "commands/training_command.h"
#include "commands/vector_files.h"
#include "tasks/order/closure.h"
#include "tasks/order/evaluation.h"
#include "tasks/order/start.h"
#include "tasks/order/write_order.h"
#include "train/run.h"
#include "train/run_report.h"

namespace acevec {
namespace {

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
void report_quality(const Hierarchy& hierarchy, const Split& split, const Embedding& embedding,
                    int64_t ranked, int threads, nlohmann::ordered_json& record,
                    Progress& progress) {
  if (split.test.positives.empty()) return;
  const Threshold threshold = best_threshold(embedding, split.development);
  const double test = accuracy(embedding, split.test, threshold.penalty);
  progress.note(
      format("accuracy: development %.2f%%, test %.2f%%", 100 * threshold.accuracy, 100 * test));
  record["test"] = {{"accuracy", test}};
  if (ranked == 0) return;
  const RankingScore score =
      rank_generals(embedding, generals_of(hierarchy.concepts.size(), hierarchy.lines),
                    split.test.positives, ranked, threads);
  progress.note(format("mean average precision, %s: all hypernyms %.4f, held-out hypernyms %.4f",
                       counted(score.concepts, "concept").c_str(), score.all, score.held_out));
  record["test"]["mean_average_precision"] = {{"all", score.all}, {"held_out", score.held_out}};
}

// How good answers to questions about the test's concepts are. Adds it to the record.
void report_answers(const Hierarchy& hierarchy, const Split& split, const Embedding& embedding,
                    const AnswerCut& cut, int threads, nlohmann::ordered_json& record,
                    Progress& progress) {
  const int64_t concepts = hierarchy.concepts.size();
  const std::vector<int32_t> asked =
      sample_concepts(generals_of(concepts, split.test.positives), kAskedConcepts);
  if (!asked.empty()) {
    const AnswerQuality quality =
        answer_quality(Answers(embedding), Replaced::kGeneral,
                       generals_of(concepts, hierarchy.lines), asked, cut.weighted, threads);
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
bool close(const OrderArguments& a, Hierarchy& hierarchy, Progress& progress) {
  const auto own = static_cast<int64_t>(unique_pairs(hierarchy.lines).size());
  const auto closed = transitive_closure(hierarchy.concepts.size(), hierarchy.lines);
  if (!closed) {
    const std::string most = counted(kMostImplied, "pair");
    if (a.closure == Closure::kClosed) {
      throw Error(format("the pairs of %s imply more than %s; give -closure 0", a.train.c_str(),
                         most.c_str()));
    }
    progress.note(format("note: these imply more than %s, which are not learned", most.c_str()));
    return true;
  }
  const int64_t more = static_cast<int64_t>(closed->size()) - own;
  if (more == 0 || a.closure == Closure::kGiven) return more > 0;
  hierarchy = with_pairs(hierarchy, *closed);
  progress.note(
      format("note: %s implied by those of %s are learned too; -closure 0 leaves them out",
             counted(more, "pair").c_str(), a.train.c_str()));
  return false;
}

// Where training starts, from the pairs to learn from.
Matrix start_vectors(const OrderSettings& training, const Split& split, int64_t concepts) {
  const auto start = training.geometry == Geometry::kCone ? nested_cones
                     : training.nested                    ? nested_order_vectors
                                                          : initial_order_vectors;
  return start(split.train, concepts, training.size, training.seed);
}

// Finds what follows from the pairs to learn from, for negatives not to be among it.
void imply(const Hierarchy& hierarchy, Split& split, Progress& progress) {
  auto closed = transitive_closure(hierarchy.concepts.size(), split.train);
  if (!closed) return;
  split.implied = std::move(*closed);
  progress.note(format("%s implied by the training pairs are not used as negatives",
                       counted(static_cast<int64_t>(split.implied.size()), "pair").c_str()));
}

// Splits the pairs into those to learn from and those held out. `is_open`: see close().
Split split_of(const OrderArguments& a, const Hierarchy& hierarchy, bool is_open,
               Progress& progress) {
  const int64_t held_out =
      std::min(a.held_out, static_cast<int64_t>(unique_pairs(hierarchy.lines).size()) / 10);
  Split split = split_pairs(hierarchy, a.split, held_out, a.training.seed);
  report_split(hierarchy, split, progress);
  if (held_out == 0) {
    progress.note("note: no pairs are held out, so the threshold is chosen on the training pairs");
    split.development = label_pairs(split.train, hierarchy, a.training.seed);
  }
  if (is_open && (a.training.mask_noise || a.training.adversary)) imply(hierarchy, split, progress);
  return split;
}

constexpr CommandText kOrder{
    "order",
    "acevec order -train FILE -output FILE [OPTION VALUE ...]",
    "Learns order embeddings of a hierarchy: a concept's hypernyms are no larger than it in "
    "every\ncoordinate. Or entailment cones (-geometry cone). acevec order query lists the "
    "hypernyms or hyponyms of a concept.\n",
    {},
    {},
    "other embeddings"};

class OrderCommand final : public TrainingCommand {
 public:
  OrderCommand() : TrainingCommand(kOrder) { declare_order(arguments_, run_arguments, table()); }

  std::vector<RunFile> more_files() const override {
    std::vector<RunFile> files;
    add_record(run_arguments, files);
    const std::string& output = run_arguments.settings.output;
    add_words_file("-output", output, format_of_ending(output), true, files);
    return files;
  }

 protected:
  std::unique_ptr<TrainingCommand> fresh() const override {
    return std::make_unique<OrderCommand>();
  }
  void train(std::optional<CheckpointReader>& checkpoint) override;

 private:
  OrderArguments arguments_;
};

void OrderCommand::train(std::optional<CheckpointReader>& checkpoint) {
  resolve_order(arguments_, run_arguments, *this);
  const OrderSettings& training = arguments_.training;
  const int threads = run_arguments.settings.plan.threads;
  const TaskDescription description = describe_order();
  std::optional<RowWriter> output(std::in_place, run_arguments.settings.output, training.format);
  std::optional<OutputFile> record_file;
  if (!run_arguments.record.empty()) record_file.emplace(run_arguments.record);
  RunFiles files(run_arguments.settings, description, checkpoint ? checkpoint->path() : "");

  Progress progress(run_arguments.settings.debug == 0);
  Hierarchy hierarchy = read_hierarchy(arguments_.train);
  const bool is_open = close(arguments_, hierarchy, progress);
  if (is_open) resolve_open_pairs(arguments_, run_arguments, *this);
  const Split split = split_of(arguments_, hierarchy, is_open, progress);
  check_memory(order_memory(hierarchy, split, training, threads,
                            run_arguments.settings.save_every.has_value()),
               run_arguments.settings, progress);

  const int64_t concepts = hierarchy.concepts.size();
  Matrix vectors = start_vectors(training, split, concepts);
  const Embedding embedding(vectors, training.geometry);
  OrderTask task(hierarchy, split, training, vectors);
  const std::vector<Identity> identities{
      {"the pairs have changed", counted(static_cast<int64_t>(hierarchy.lines.size()), "pair"),
       hash_of(hierarchy)}};
  Run run({task, description, run_arguments.settings, identities, files, progress});
  run.train(checkpoint);
  nlohmann::ordered_json record = run_record(*this, run_arguments.command);
  add_training(run, record);
  report_quality(hierarchy, split, embedding, arguments_.ranked, threads, record, progress);

  const AnswerCut cut = answer_cut(hierarchy, split, embedding, threads);
  report_answers(hierarchy, split, embedding, cut, threads, record, progress);
  if (arguments_.cones()) record["threshold"] = double{cut.weighted};
  write_order(hierarchy, vectors, training.geometry, cut, *output);
  if (record_file) record_file->write(record_text(record));
  commit_together(record_file, output);
  report_written(format("%s of size %ld", counted(concepts, "vector").c_str(),
                        static_cast<long>(training.size)),
                 run_arguments.settings, files, progress);
}

}  // namespace

std::unique_ptr<CommandLine> make_order() {
  return std::make_unique<OrderCommand>();
}

}  // namespace acevec
