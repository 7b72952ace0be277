// acevec kg: trains a knowledge graph's embeddings and scores link prediction.

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "cli/run_record.h"
#include "commands/commands.h"
#include "commands/kg_arguments.h"
#include "commands/training_command.h"
#include "commands/vector_files.h"
#include "tasks/kg/evaluation.h"
#include "tasks/kg/graph.h"
#include "tasks/kg/model_file.h"
#include "text/tokenizer.h"
#include "train/run.h"
#include "train/run_report.h"
#include "vectors/row_writer.h"

namespace acevec {
namespace {

void report_file(const char* what, const std::string& path, const TripleFile& file,
                 Progress& progress) {
  if (path.empty()) return;
  progress.note(
      format("%s: %s", what, counted(static_cast<int64_t>(file.triples.size()), "triple").c_str()));
  if (file.repeated > 0) {
    progress.note(format("note: skipped %s of %s; each triple counts once",
                         counted(file.repeated, "repeated line").c_str(), path.c_str()));
  }
  if (file.unknown > 0) {
    progress.note(
        format("note: left out %s of %s with names that -train does not have (the first is %s)",
               counted(file.unknown, "line").c_str(), path.c_str(), file.first_unknown.c_str()));
  }
}

// Without a triple a file that was given would do nothing.
void require_triples(const std::string& path, const TripleFile& file) {
  if (path.empty() || !file.triples.empty()) return;
  throw Error(format("%s has no triple %s; give triples with the names of -train", path.c_str(),
                     file.lines == 0 ? "at all" : "whose names -train has"));
}

void report_graph(const KgArguments& arguments, const Graph& graph, Progress& progress) {
  progress.note(format("read %s and %s", counted(graph.entities.size(), "entity").c_str(),
                       counted(graph.relations.size(), "relation").c_str()));
  report_file("train", arguments.train, graph.train, progress);
  report_file("valid", arguments.valid, graph.valid, progress);
  report_file("test", arguments.test, graph.test, progress);
}

void report_score(const char* what, const RankScore& score, Progress& progress) {
  progress.note(format("%s: mean rank %.1f, MRR %.4f, Hits@1 %.4f, Hits@3 %.4f, Hits@10 %.4f", what,
                       score.mean_rank, score.mrr, score.hits1, score.hits3, score.hits10));
}

// Of the test triples. Adds it to the record.
void report_test(int threads, const Graph& graph, const AllAnswers& known, const KgModel& model,
                 nlohmann::ordered_json& record, Progress& progress) {
  if (graph.test.triples.empty()) return;
  const Stopwatch watch;
  const LinkScores scores = rank_links(model, graph.test.triples, known, threads, &progress);
  report_score("test, raw", scores.raw, progress);
  report_score("test, filtered", scores.filtered, progress);
  progress.note(
      format("ranked %s in %.2f s",
             counted(static_cast<int64_t>(graph.test.triples.size()), "test triple").c_str(),
             watch.seconds()));
  const RankScore& filtered = scores.filtered;
  record["test"] = {{"mean_rank", filtered.mean_rank},
                    {"mrr", filtered.mrr},
                    {"hits1", filtered.hits1},
                    {"hits3", filtered.hits3},
                    {"hits10", filtered.hits10}};
}

// The vectors that rows begin with, in the order of the rows; white space in names becomes "_".
// Relations' reverses have no names of their own: they stand behind as "NAME_reverse".
void write_rows(const Names& names, const Matrix& rows, int64_t size, RowWriter& file) {
  file.begin(rows.rows(), size);
  for (int32_t row = 0; row < rows.rows(); ++row) {
    std::string name = names.name(row % names.size());
    std::replace_if(name.begin(), name.end(), is_space, '_');
    if (row >= names.size()) name += "_reverse";
    file.write(name, rows.row(row));
  }
}

// A file of vectors, if one is wanted.
std::optional<RowWriter> open_rows(const std::string& path) {
  if (path.empty()) return std::nullopt;
  return std::optional<RowWriter>(std::in_place, path, output_format(path));
}

uint64_t hash_of(const TripleFile& file) {
  return XXH3_64bits(file.triples.data(), file.triples.size() * sizeof(Triple));
}

uint64_t hash_of(const Names& names) {
  uint64_t hash = 0;
  for (const std::string& name : names.all()) {
    hash = XXH3_64bits_withSeed(name.data(), name.size(), hash);
  }
  return hash;
}

// What tells whether a run is resumed with the same graph.
std::vector<Identity> identities_of(const Graph& graph) {
  const auto count = [](const TripleFile& file) {
    return counted(static_cast<int64_t>(file.triples.size()), "triple");
  };
  return {{"the triples of -train have changed", count(graph.train),
           hash_of(graph.train) ^ hash_of(graph.entities) ^ (hash_of(graph.relations) << 1)},
          {"the triples of -valid have changed", count(graph.valid), hash_of(graph.valid)}};
}

constexpr CommandText kKg{
    "kg",
    "acevec kg -train FILE -output FILE [OPTION VALUE ...]",
    "Learns embeddings of a knowledge graph's entities and relations, and scores\nlink prediction. "
    "acevec kg predict completes triples.\n",
    {},
    {},
    "other embeddings"};

class KgCommand final : public TrainingCommand {
 public:
  KgCommand() : TrainingCommand(kKg) { declare_kg(arguments_, run_arguments, table()); }

  std::vector<RunFile> more_files() const override {
    std::vector<RunFile> files;
    add_record(run_arguments, files);
    for (const std::string& path : name_lists(arguments_.train)) {
      if (std::filesystem::exists(path))
        files.push_back({"the names of -train", path, false, true});
    }
    for (const auto& [name, path] : {std::pair{"-output-entities", arguments_.output_entities},
                                     {"-output-relations", arguments_.output_relations}}) {
      add_words_file(name, path, format_of_ending(path), true, files);
    }
    return files;
  }

 protected:
  std::unique_ptr<TrainingCommand> fresh() const override { return std::make_unique<KgCommand>(); }
  void train(std::optional<CheckpointReader>& checkpoint) override;

 private:
  KgArguments arguments_;
};

void KgCommand::train(std::optional<CheckpointReader>& checkpoint) {
  resolve_kg(arguments_, run_arguments, *this);
  const KgArguments& a = arguments_;
  const TaskDescription description = describe_kg();
  std::optional<OutputFile> output(std::in_place, run_arguments.settings.output);
  std::optional<RowWriter> entities = open_rows(a.output_entities);
  std::optional<RowWriter> relations = open_rows(a.output_relations);
  std::optional<OutputFile> record_file;
  if (!run_arguments.record.empty()) record_file.emplace(run_arguments.record);
  RunFiles files(run_arguments.settings, description, checkpoint ? checkpoint->path() : "");

  Progress progress(run_arguments.settings.debug == 0);
  const Graph graph = read_graph(a.train, a.valid, a.test);
  report_graph(a, graph, progress);
  require_triples(a.valid, graph.valid);
  require_triples(a.test, graph.test);
  check_memory(kg_memory(graph, *make_score(a.score, a.size, a.norm), a.reciprocal, a.training),
               run_arguments.settings, progress);
  const AllAnswers known(graph.entities.size(),
                         {graph.train.triples, graph.valid.triples, graph.test.triples});
  KgModel model = initial_model(a.score, a.norm, a.size, graph.entities.size(),
                                graph.relations.size(), a.training.seed, a.reciprocal);
  KgTask task(graph, known, a.training, model);
  if (!graph.valid.triples.empty()) {
    run_arguments.settings.evaluate_every = Interval{.units = a.report_every * task.units()};
  }
  const std::vector<Identity> identities = identities_of(graph);
  Run run({task, description, run_arguments.settings, identities, files, progress});
  run.train(checkpoint);
  nlohmann::ordered_json record = run_record(*this, run_arguments.command);
  add_training(run, record);
  if (run.best()) {
    const std::vector<double>& best = run.best()->columns;
    report_score("valid, filtered", {best[0], best[1], best[2], best[3], best[4]}, progress);
  }
  report_test(run_arguments.settings.plan.threads, graph, known, model, record, progress);
  write_kg(graph, model, *output);
  if (entities) write_rows(graph.entities, model.entities, a.size, *entities);
  if (relations) write_rows(graph.relations, model.relations, a.size, *relations);
  if (record_file) record_file->write(record_text(record));
  commit_together(entities, relations, record_file, output);
  report_written(format("%s and %s", counted(graph.entities.size(), "entity").c_str(),
                        counted(graph.relations.size(), "relation").c_str()),
                 run_arguments.settings, files, progress);
}

}  // namespace

std::unique_ptr<CommandLine> make_kg() {
  return std::make_unique<KgCommand>();
}

}  // namespace acevec
