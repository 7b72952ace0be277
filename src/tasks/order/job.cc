#include "tasks/order/job.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "tasks/order/answers.h"
#include "tasks/order/evaluation.h"
#include "tasks/order/geometry.h"
#include "text/lines.h"
#include "vectors/row_writer.h"

namespace acevec {
namespace {

std::string count_text(const std::vector<OrderPair>& pairs) {
  return grouped(std::ssize(pairs));
}

void report_split(const Hierarchy& hierarchy, const Split& split, Progress& progress) {
  const int64_t concepts = hierarchy.concepts.size();
  const ExactPairs all = generals_of(concepts, hierarchy.lines);
  std::string text = format(
      "%s for training, %s for development, %s for the test", count_text(split.train).c_str(),
      count_text(split.development.positives).c_str(), count_text(split.test.positives).c_str());
  const int64_t trained = count_shared(split.test.positives, generals_of(concepts, split.train));
  const int64_t true_ones = count_shared(split.test.negatives, all);
  if (trained + true_ones > 0) {  // as -split paper allows
    text += format(
        "; %s of the test pairs are training pairs too, and %s of the test negatives "
        "are true",
        grouped(trained).c_str(), grouped(true_ones).c_str());
  }
  progress.note(text);
}

uint64_t hash_of(const Hierarchy& hierarchy) {
  uint64_t hash = hash_of_bytes(hierarchy.lines.data(), hierarchy.lines.size() * sizeof(OrderPair));
  for (int32_t id = 0; id < hierarchy.concepts.size(); ++id) {
    const std::string& name = hierarchy.concepts.word(id);
    hash = hash_of_bytes(name.data(), name.size(), hash);
  }
  return hash;
}

constexpr int64_t kRanked = 1000;  // most test concepts whose generals are ranked

// Adds implied pairs, if wanted. Returns true if implied pairs are missing.
bool close(const OrderJobSettings& a, Hierarchy& hierarchy, Progress& progress) {
  const int64_t own = std::ssize(unique_pairs(hierarchy.lines)),
                lines = std::ssize(hierarchy.lines);
  const auto closed = transitive_closure(hierarchy.concepts.size(), hierarchy.lines);
  const bool adds = closed && std::ssize(*closed) > own && a.closure != Closure::kGiven;
  progress.note(format(
      "read %s of %s%s%s", counted(lines, "pair").c_str(),
      counted(hierarchy.concepts.size(), "concept").c_str(),
      own == lines ? "" : (", " + grouped(own) + " of them distinct").c_str(),
      adds ? format("; %s with the implied ones", grouped(std::ssize(*closed)).c_str()).c_str()
           : ""));
  if (!closed) {
    const std::string most = counted(kMostImplied, "pair");
    if (a.closure == Closure::kClosed) {
      throw Error(format("the pairs of %s imply more than %s; give -closure 0", a.train.c_str(),
                         most.c_str()));
    }
    progress.note(format("note: these imply more than %s, which are not learned", most.c_str()));
    return true;
  }
  const int64_t more = std::ssize(*closed) - own;
  if (!adds) return more > 0;
  hierarchy = with_pairs(hierarchy, *closed);
  progress.note(format("note: %s %s learned too; -closure 0 leaves %s out",
                       counted(more, "implied pair").c_str(), more == 1 ? "is" : "are",
                       more == 1 ? "it" : "them"));
  return false;
}

// True if the first pair shares no concept with the others, and so may be a header line.
bool may_be_header(const Hierarchy& hierarchy) {
  constexpr size_t kFewest = 10;  // fewer lines are no evidence
  const auto [specific, general] = hierarchy.lines.front();
  const Vocabulary& concepts = hierarchy.concepts;
  return hierarchy.lines.size() >= kFewest &&
         concepts.count(specific) + concepts.count(general) <= 2;
}

Matrix start_vectors(const OrderSettings& training, const Split& split, int64_t concepts) {
  const int64_t size = training.size;
  const uint64_t seed = training.seed;
  if (training.geometry == Geometry::kCone) return nested_cones(split.train, concepts, size, seed);
  if (training.nested) return nested_order_vectors(split.train, concepts, size, seed);
  return initial_order_vectors(split.train, concepts, size, seed);
}

// Computes the closure of the training pairs, so that negatives are not in it.
void imply(const Hierarchy& hierarchy, Split& split, Progress& progress) {
  auto closed = transitive_closure(hierarchy.concepts.size(), split.train);
  if (!closed) return;
  split.implied = std::move(*closed);
  progress.note(format("%s implied by the training pairs are not used as negatives",
                       counted(std::ssize(split.implied), "pair").c_str()));
}

// Splits the `pairs` different pairs into training and held-out ones. `is_open`: see close().
Split split_of(const OrderJobSettings& a, const Hierarchy& hierarchy, int64_t pairs, bool is_open,
               Progress& progress) {
  const int64_t held_out = pairs < kFewPairs ? 0 : std::min(a.held_out, pairs / 10);
  Split split = split_pairs(hierarchy, a.split, held_out, a.training.seed);
  if (held_out > 0) {
    report_split(hierarchy, split, progress);
  } else {
    progress.note("note: no pairs are held out, so the accuracy is that of the training pairs");
    split.development = label_pairs(split.train, hierarchy, a.training.seed);
  }
  if (is_open && (a.training.mask_noise || a.training.adversary)) imply(hierarchy, split, progress);
  return split;
}

class OrderJob final : public Job {
 public:
  OrderJob(const OrderJobSettings& settings, const RunSettings& run, ChooseByPairs choose)
      : settings_(settings), run_(run), choose_(std::move(choose)) {}

  TaskDescription describe() const override { return describe_order(); }
  void open(bool /*resumed*/) override { open_if(output_, run_.output, settings_.training.format); }

  bool read(Progress& progress) override {
    hierarchy_ = read_hierarchy(settings_.train);
    if (may_be_header(*hierarchy_)) {
      const auto [specific, general] = hierarchy_->lines.front();
      const Vocabulary& concepts = hierarchy_->concepts;
      note_possible_titles(settings_.train,
                           excerpt(concepts.word(specific)) + " " + excerpt(concepts.word(general)),
                           "remove it", progress);
    }
    const bool is_open = close(settings_, *hierarchy_, progress);
    const int64_t pairs = std::ssize(unique_pairs(hierarchy_->lines));
    choose_(pairs, is_open, progress);
    split_ = split_of(settings_, *hierarchy_, pairs, is_open, progress);
    return true;
  }

  MemoryUse memory() const override {
    return memory_of_training(
        counted(hierarchy_->concepts.size(), "concept"), settings_.training.size,
        settings_.training.adversary ? "lower -size" : "lower -size or -batch");
  }

  Task& start(Progress& /*progress*/) override {
    vectors_ = start_vectors(settings_.training, split_, hierarchy_->concepts.size());
    return task_.emplace(*hierarchy_, split_, settings_.training, *vectors_);
  }

  std::vector<Identity> identities() const override {
    return {{"the pairs have changed", counted(std::ssize(hierarchy_->lines), "pair"),
             hash_of(*hierarchy_)}};
  }

  void report(const Run& /*run*/, Json& record, Progress& progress) override {
    const Embedding embedding{*vectors_, settings_.training.geometry};
    const ExactPairs truth = generals_of(hierarchy_->concepts.size(), hierarchy_->lines);
    cut_ = answer_cut(*hierarchy_, split_, embedding, run_.plan.threads);
    if (!split_.test.positives.empty()) report_quality(embedding, truth, record, progress);
    report_answers(embedding, truth, record, progress);
    if (settings_.training.geometry == Geometry::kCone) record.put("/threshold", cut_.weighted);
  }

  std::string write(std::optional<OutputFile>& record) override {
    if (output_) {
      write_order(*hierarchy_, {*vectors_, settings_.training.geometry}, cut_, *output_);
    }
    commit_together(record, output_);
    return format("%s of size %ld", counted(hierarchy_->concepts.size(), "vector").c_str(),
                  static_cast<long>(settings_.training.size));
  }

 private:
  void report_quality(const Embedding& embedding, const ExactPairs& truth, Json& record,
                      Progress& progress) const {
    const Threshold threshold = best_threshold(embedding, split_.development);
    const double test = accuracy(embedding, split_.test, threshold.penalty);
    progress.note(
        format("accuracy: development %.2f%%, test %.2f%%", 100 * threshold.accuracy, 100 * test));
    record.put("/test/accuracy", test);
    const RankingScore score =
        rank_generals(embedding, truth, split_.test.positives, kRanked, run_.plan.threads);
    record.put("/test/mean_average_precision", {{"all", score.all}, {"held_out", score.held_out}});
    if (settings_.training.nested) return;  // only weighted penalties rank well then
    progress.note(format("a single pair counts as true up to a penalty of %.4g",
                         double{threshold.penalty} / double{cut_.weighted}));
    progress.note(format("mean average precision, %s: all hypernyms %.4f, held-out hypernyms %.4f",
                         counted(score.concepts, "concept").c_str(), score.all, score.held_out));
  }

  void report_answers(const Embedding& embedding, const ExactPairs& truth, Json& record,
                      Progress& progress) const {
    const std::vector<int32_t> queries =
        sample_concepts(generals_of(truth.conditions(), split_.test.positives), kMostQueries);
    if (queries.empty()) return;
    const AnswerQuality quality = answer_quality(Answers(embedding), Replaced::kGeneral, truth,
                                                 queries, cut_.weighted, run_.plan.threads);
    progress.note(format("answers for %s: precision %.4f, recall %.4f",
                         counted(std::ssize(queries), "concept").c_str(), quality.precision,
                         quality.recall));
    record.put("/test/answers", {{"precision", quality.precision}, {"recall", quality.recall}});
  }

  const OrderJobSettings& settings_;
  const RunSettings& run_;
  ChooseByPairs choose_;
  std::optional<RowWriter> output_;
  std::optional<Hierarchy> hierarchy_;
  Split split_;
  std::optional<Matrix> vectors_;
  std::optional<OrderTask> task_;
  AnswerCut cut_{};
};

}  // namespace

std::unique_ptr<Job> make_order_job(const OrderJobSettings& settings, const RunSettings& run,
                                    ChooseByPairs choose) {
  return std::make_unique<OrderJob>(settings, run, std::move(choose));
}

}  // namespace acevec
