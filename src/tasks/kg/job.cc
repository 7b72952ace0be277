#include "tasks/kg/job.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "tasks/kg/candidates.h"
#include "tasks/kg/graph.h"

namespace acevec {
namespace {

void report_file(const char* what, const std::string& path, const TripleFile& file,
                 Progress& progress) {
  if (path.empty()) return;
  progress.note(format("%s: %s", what, counted(std::ssize(file.triples), "triple").c_str()));
  if (!file.titles.empty()) {
    std::string titles = file.titles;
    std::ranges::replace(titles, '\t', ' ');
    progress.note(format("note: the first line of %s, \"%s\", is left out as titles of the columns",
                         path.c_str(), excerpt(titles).c_str()));
  }
  if (file.repeated > 0) {
    progress.note(format("note: skipped %s of %s; each triple counts once",
                         counted(file.repeated, "repeated line").c_str(), path.c_str()));
  }
  if (file.unseen > 0) {
    progress.note(format("note: %s of %s %s an entity or a relation that -train does not have",
                         counted(file.unseen, "triple").c_str(), path.c_str(),
                         file.unseen == 1 ? "has" : "have"));
  }
}

void report_shared(const std::string& path, const TripleFile& file, const TripleFile& train,
                   Progress& progress) {
  std::vector<Triple> both;
  std::ranges::set_intersection(train.triples, file.triples, std::back_inserter(both));
  if (both.empty()) return;
  progress.note(format("note: %s of %s %s also in -train; their ranks say little about new triples",
                       counted(std::ssize(both), "triple").c_str(), path.c_str(),
                       both.size() == 1 ? "is" : "are"));
}

// A given file without triples would have no effect.
void require_triples(const std::string& path, const TripleFile& file) {
  if (path.empty() || !file.triples.empty()) return;
  throw Error(format("%s has no triples; give some with the names of -train", path.c_str()));
}

void report_held_out(const KgJobSettings& settings, const Graph& graph, Progress& progress) {
  if (settings.heldout == 0) return;
  const auto held_out = std::ssize(graph.valid.triples);
  const auto all = held_out + std::ssize(graph.train.triples);
  progress.note(format("valid: %s held out of -train", counted(held_out, "triple").c_str()));
  if (static_cast<double>(held_out) >= std::floor(settings.heldout * static_cast<double>(all)))
    return;
  progress.note(
      format("note: held out %s, fewer than -heldout asks for: every other triple is the only one "
             "with some entity or relation",
             grouped(held_out).c_str()));
}

// Answers that a model can copy from -train are no evidence of its quality.
void report_leaks(const KgJobSettings& settings, const Graph& graph, Progress& progress) {
  const int64_t leaks = count_leaks(graph);
  if (leaks == 0) return;
  progress.note(format(
      "note: %s of %s %s one of -train, reversed or with another relation that "
      "nearly always goes with it; a model can answer these by copying, so their ranks say little",
      counted(leaks, "triple").c_str(), settings.test.c_str(), leaks == 1 ? "repeats" : "repeat"));
}

// In files of head, tail and relation, the tails look like many relations.
void report_columns(const Graph& graph, Progress& progress) {
  const int64_t relations = graph.relations.size();
  if (10 * relations <= graph.entities.size()) return;
  const int64_t like_entities = count_like_entities(graph);
  if (2 * like_entities <= relations) return;
  progress.note(
      format("note: %s of %s are entities too; if the columns are not head, relation, tail, give "
             "their order: -columns 1,3,2 for head, tail, relation",
             grouped(like_entities).c_str(), counted(relations, "relation").c_str()));
}

void report_graph(const KgJobSettings& settings, const Graph& graph, Progress& progress) {
  progress.note(format("read %s and %s", counted(graph.entities.size(), "entity").c_str(),
                       counted(graph.relations.size(), "relation").c_str()));
  report_columns(graph, progress);
  report_file("train", settings.train, graph.train, progress);
  report_file("valid", settings.valid, graph.valid, progress);
  report_held_out(settings, graph, progress);
  report_file("test", settings.test, graph.test, progress);
  report_shared(settings.valid, graph.valid, graph.train, progress);
  report_shared(settings.test, graph.test, graph.train, progress);
  report_leaks(settings, graph, progress);
  if (graph.possible_header.empty()) return;
  note_possible_titles(settings.train, excerpt(graph.possible_header),
                       "give its titles to -columns", progress);
}

void report_score(const char* what, const RankScore& score, Progress& progress) {
  progress.note(format("%s: mean rank %.1f, MRR %.4f, Hits@1 %.4f, Hits@3 %.4f, Hits@10 %.4f", what,
                       score.mean_rank, score.mrr, score.hits1, score.hits3, score.hits10));
}

// Scores the test triples and adds the result to the record.
void report_test(int threads, const Graph& graph, const KnownTriples& known, const KgModel& model,
                 Json& record, Progress& progress) {
  if (graph.test.triples.empty()) return;
  const Stopwatch watch;
  const LinkScores scores = rank_links(model, graph.test.triples, known, threads, &progress);
  report_score("test, raw", scores.raw, progress);
  report_score("test, filtered", scores.filtered, progress);
  progress.note(format("ranked %s in %.2f s",
                       counted(std::ssize(graph.test.triples), "test triple").c_str(),
                       watch.seconds()));
  const RankScore& filtered = scores.filtered;
  record.put("/test", {{"mean_rank", filtered.mean_rank},
                       {"mrr", filtered.mrr},
                       {"hits1", filtered.hits1},
                       {"hits3", filtered.hits3},
                       {"hits10", filtered.hits10}});
}

uint64_t hash_of(const TripleFile& file) {
  return hash_of_bytes(file.triples.data(), file.triples.size() * sizeof(Triple));
}

uint64_t hash_of(const Names& names) {
  uint64_t hash = 0;
  for (const std::string& name : names.all()) {
    hash = hash_of_bytes(name.data(), name.size(), hash);
  }
  return hash;
}

class KgJob final : public Job {
 public:
  KgJob(const KgJobSettings& settings, RunSettings& run, ChooseByGraph choose)
      : settings_(settings), run_(run), choose_(std::move(choose)), shape_(settings.shape) {
    if (settings.training.loss != KgLossKind::kSoftmax) return;
    shape_.score = *traits_of(shape_.score).for_softmax;
  }

  TaskDescription describe() const override { return describe_kg(); }
  void open(bool resumed) override {
    if (!settings_.init.empty() && !resumed) old_ = read_start(settings_.init, shape_);
    open_if(output_, run_.output);
    vectors_.open(settings_.vectors);
  }

  bool read(Progress& progress) override {
    graph_ = read_graph(settings_.train, settings_.valid, settings_.test, settings_.format);
    if (settings_.heldout > 0) {
      hold_out(settings_.heldout, settings_.training.seed, graph_);
      if (graph_.valid.triples.empty())
        throw Error("no triple can be held out; raise -heldout, or give more triples");
    }
    report_graph(settings_, graph_, progress);
    require_triples(settings_.valid, graph_.valid);
    require_triples(settings_.test, graph_.test);
    return true;
  }

  MemoryUse memory() const override {
    return memory_of_training(counted(graph_.entities.size(), "entity"), shape_.size,
                              settings_.training.adversary
                                  ? "lower -size, -batch or -ace-candidates"
                                  : "lower -size or -batch");
  }

  Task& start(Progress& progress) override {
    known_ = KnownTriples(graph_.entities.size(),
                          {graph_.train.triples, graph_.valid.triples, graph_.test.triples});
    choose_(graph_, *known_, progress);
    model_ = initial_model(shape_, graph_.entities.size(), graph_.relations.size(),
                           settings_.training.seed);
    start_from_old(progress);
    task_.emplace(graph_, *known_, settings_.training, *model_);
    if (!graph_.valid.triples.empty()) {
      const int64_t quarter = std::max<int64_t>(run_.plan.epochs / 4, 1);
      run_.evaluate_every =
          Interval{.units = settings_.report_every.value_or(quarter) * task_->units()};
    }
    return *task_;
  }

  std::vector<Identity> identities() const override {
    const auto count = [](const TripleFile& file) {
      return counted(std::ssize(file.triples), "triple");
    };
    return {{"the triples of -train have changed", count(graph_.train), hash_of(graph_.train)},
            {"the entities or relations of the files have changed",
             counted(graph_.entities.size(), "entity"),
             hash_of(graph_.entities) ^ (hash_of(graph_.relations) << 1)},
            {"the triples of -valid have changed", count(graph_.valid), hash_of(graph_.valid)}};
  }

  void report(const Run& run, Json& record, Progress& progress) override {
    if (graph_.valid.triples.size() > KgTask::kMostEvaluated) {
      const LinkScores all =
          rank_links(*model_, graph_.valid.triples, *known_, run_.plan.threads, &progress);
      report_score("all of valid, filtered", all.filtered, progress);
    } else if (run.best()) {
      const std::vector<double>& best = run.best()->columns;
      report_score("valid, filtered", {best[0], best[1], best[2], best[3], best[4]}, progress);
    }
    report_test(run_.plan.threads, graph_, *known_, *model_, record, progress);
  }

  std::string write(std::optional<OutputFile>& record) override {
    if (output_) write_kg(graph_, *model_, *output_);
    vectors_.write(graph_.entities, graph_.relations, *model_);
    commit_together(vectors_.entities, vectors_.relations, record, output_);
    return counted(graph_.entities.size(), "entity") + " and " +
           counted(graph_.relations.size(), "relation");
  }

 private:
  // Copies the old model's vectors to shared names, and frees it.
  void start_from_old(Progress& progress) {
    if (!old_) return;
    const KnownRows found = start_from(*old_, graph_, *model_);
    old_.reset();
    progress.note(format("initialised %s and %s from %s, and %s and %s at random",
                         counted(found.entities, "entity").c_str(),
                         counted(found.relations, "relation").c_str(), settings_.init.c_str(),
                         grouped(graph_.entities.size() - found.entities).c_str(),
                         grouped(graph_.relations.size() - found.relations).c_str()));
    if (found.entities > 0 && found.relations > 0) return;
    progress.note(
        "note: the files share no entities or no relations; do both have the same names?");
  }

  const KgJobSettings& settings_;
  RunSettings& run_;
  const ChooseByGraph choose_;
  KgShape shape_;
  std::optional<KgFile> old_;  // of -init, until training starts
  std::optional<CheckpointWriter> output_;
  GraphVectorFiles vectors_;
  Graph graph_;
  std::optional<KnownTriples> known_;  // triples of all files
  std::optional<KgModel> model_;
  std::optional<KgTask> task_;
};

}  // namespace

std::unique_ptr<Job> make_kg_job(const KgJobSettings& settings, RunSettings& run,
                                 ChooseByGraph choose) {
  return std::make_unique<KgJob>(settings, run, std::move(choose));
}

}  // namespace acevec
