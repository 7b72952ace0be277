#include "kg/kg_command.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/line_file.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "kg/evaluation.h"
#include "kg/graph.h"
#include "kg/model_file.h"
#include "kg/settings.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"
#include "vectors/writer.h"

namespace acevec {
namespace {

double mean(double sum, double count) {
  return count > 0 ? sum / count : 0;
}

void copy_rows(const Matrix& from, Matrix& to) {
  std::copy_n(from.row(0), from.rows() * from.stride(), to.row(0));
}

// Watches over training: shows where it is, writes the log, keeps the vectors that were best.
class Watch {
 public:
  // `log` may be null.
  Watch(const KgJob& job, const Graph& graph, const AllAnswers& known, const KgModel& model,
        LineFile* log, Progress& progress)
      : job_(job),
        graph_(graph),
        known_(known),
        model_(model),
        log_(log),
        progress_(progress),
        best_(model.kind, model.norm, model.score->size(), model.entities.rows(),
              model.relations.rows()) {
    if (log_ == nullptr) return;
    log_->write(
        "epoch\ttriples\tseconds\tnoise_loss\tadversarial_loss\tentropy\tmean_rank\tmrr\thits1\t"
        "hits3\thits10");
  }

  // False when training shall end.
  bool look(const KgState& state) {
    const double seconds = watch_.seconds() - evaluating_;
    RankScore score;
    if (!graph_.valid.triples.empty()) {
      const Stopwatch watch;
      score = rank_links(model_, graph_.valid.triples, known_, job_.training.threads).filtered;
      evaluating_ += watch.seconds();
    }
    triples_ = state.triples;
    ++looks_;
    if (score.mrr >= best_score_.mrr) {
      best_score_ = score;
      best_epoch_ = state.epoch;
      best_look_ = looks_;
      copy_rows(model_.entities, best_.entities);
      copy_rows(model_.relations, best_.relations);
    }
    if (log_ != nullptr) write_log(state, seconds, score);
    if (progress_.due()) show(state, seconds, score);
    return job_.patience == 0 || looks_ - best_look_ < job_.patience;
  }

  KgModel& best() { return best_; }  // the model of the best filtered MRR on -valid
  const RankScore& best_score() const { return best_score_; }
  int64_t best_epoch() const { return best_epoch_; }
  int64_t triples() const { return triples_; }
  double seconds() const { return watch_.seconds() - evaluating_; }  // of training alone

 private:
  void write_log(const KgState& state, double seconds, const RankScore& score) {
    log_->write(format("%ld\t%ld\t%.3f\t%.6g\t%.6g\t%.4f\t%.2f\t%.6f\t%.6f\t%.6f\t%.6f",
                       static_cast<long>(state.epoch), static_cast<long>(state.triples), seconds,
                       mean(state.loss.noise, state.loss.noises),
                       mean(state.loss.adversarial, state.loss.adversarials),
                       mean(state.adversary.entropy, state.adversary.conditions), score.mean_rank,
                       score.mrr, score.hits1, score.hits3, score.hits10));
  }

  void show(const KgState& state, double seconds, const RankScore& score) {
    const double part = static_cast<double>(state.triples) / static_cast<double>(state.total);
    const double all = watch_.seconds();
    progress_.show(format(
        "training %5.1f%%  %s triples/s  loss %.4f + %.4f  MRR %.4f  Hits@10 %.4f  ETA %s",
        100 * part, grouped(std::llround(static_cast<double>(state.triples) / seconds)).c_str(),
        mean(state.loss.noise, state.loss.noises),
        mean(state.loss.adversarial, state.loss.adversarials), score.mrr, score.hits10,
        clock_text(all / part - all).c_str()));
  }

  const KgJob& job_;
  const Graph& graph_;
  const AllAnswers& known_;
  const KgModel& model_;
  LineFile* log_;
  Progress& progress_;
  Stopwatch watch_;
  double evaluating_ = 0;  // seconds
  KgModel best_;
  RankScore best_score_;
  int64_t best_epoch_ = 0, best_look_ = 0, looks_ = 0, triples_ = 0;
};

void report_file(const char* what, const std::string& path, const TripleFile& file,
                 Progress& progress) {
  if (path.empty()) return;
  progress.note(
      format("%s: %s triples", what, grouped(static_cast<int64_t>(file.triples.size())).c_str()));
  if (file.repeated > 0) {
    progress.note(format("note: %s lines of %s stand there already; each triple counts once",
                         grouped(file.repeated).c_str(), path.c_str()));
  }
  if (file.unknown > 0) {
    progress.note(
        format("note: %s lines of %s name what -train does not (the first is %s); they "
               "are left out",
               grouped(file.unknown).c_str(), path.c_str(), file.first_unknown.c_str()));
  }
}

void report_graph(const KgJob& job, const Graph& graph, Progress& progress) {
  progress.note(format("read %s entities and %s relations", grouped(graph.entities.size()).c_str(),
                       grouped(graph.relations.size()).c_str()));
  report_file("train", job.train, graph.train, progress);
  report_file("valid", job.valid, graph.valid, progress);
  report_file("test", job.test, graph.test, progress);
}

void report_score(const char* what, const RankScore& score, Progress& progress) {
  progress.note(format("%s: mean rank %.1f, MRR %.4f, Hits@1 %.4f, Hits@3 %.4f, Hits@10 %.4f", what,
                       score.mean_rank, score.mrr, score.hits1, score.hits3, score.hits10));
}

void report_test(const KgJob& job, const Graph& graph, const AllAnswers& known,
                 const KgModel& model, Progress& progress) {
  if (graph.test.triples.empty()) return;
  const Stopwatch watch;
  const LinkScores scores = rank_links(model, graph.test.triples, known, job.training.threads);
  report_score("test, raw", scores.raw, progress);
  report_score("test, filtered", scores.filtered, progress);
  progress.note(format("ranked %s test triples in %.2f s",
                       grouped(static_cast<int64_t>(graph.test.triples.size())).c_str(),
                       watch.seconds()));
}

// The entities' vectors in the order of their ids; white space in names becomes "_".
void write_entities(const Graph& graph, const KgModel& model, RowWriter& file) {
  Matrix vectors(graph.entities.size(), model.score->size());
  std::vector<WordCount> names;
  for (int32_t id = 0; id < graph.entities.size(); ++id) {
    std::copy_n(model.entities.row(id), vectors.columns(), vectors.row(id));
    std::string name = graph.entities.name(id);
    std::replace_if(name.begin(), name.end(), is_space, '_');
    names.push_back({name, graph.entities.size() - id});  // a vocabulary is sorted by counts
  }
  write_vectors(Vocabulary(names, 1, 0), vectors, {}, file);
}

}  // namespace

void run_kg(const Options& options) {
  const KgJob job = read_kg_job(options);
  OutputFile output(job.output);
  const std::unique_ptr<LineFile> log =
      job.log.empty() ? nullptr : std::make_unique<LineFile>(job.log);

  std::optional<RowWriter> entities;
  if (!job.output_entities.empty()) {
    entities.emplace(job.output_entities,
                     format_of_ending(job.output_entities).value_or(VectorFormat::kText));
  }

  Progress progress(job.debug == 0);
  const Graph graph = read_graph(job.train, job.valid, job.test);
  report_graph(job, graph, progress);
  const AllAnswers known(graph.entities.size(),
                         {graph.train.triples, graph.valid.triples, graph.test.triples});

  KgModel model = initial_model(job.score, job.norm, job.size, graph.entities.size(),
                                graph.relations.size(), job.training.seed);
  Watch watch(job, graph, known, model, log.get(), progress);
  train_kg(graph.train.triples, job.training, model,
           [&](const KgState& state) { return watch.look(state); });
  progress.note(format(
      "trained in %.2f s, %s triples/s; kept epoch %ld", watch.seconds(),
      grouped(std::llround(static_cast<double>(watch.triples()) / std::max(watch.seconds(), 1e-9)))
          .c_str(),
      static_cast<long>(watch.best_epoch())));
  if (!graph.valid.triples.empty()) {
    report_score("valid, filtered", watch.best_score(), progress);
  }
  report_test(job, graph, known, watch.best(), progress);
  write_kg(graph, watch.best(), output);
  if (entities) write_entities(graph, watch.best(), *entities);
  output.commit();
  if (entities) entities->commit();
  progress.note(format("wrote %s entities and %s relations to %s",
                       grouped(graph.entities.size()).c_str(),
                       grouped(graph.relations.size()).c_str(),
                       job.output == "-" ? "standard output" : job.output.c_str()));
}

}  // namespace acevec
