// acevec kg: trains a knowledge graph's embeddings and scores link prediction.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/run_record.h"
#include "commands/commands.h"
#include "commands/kg_arguments.h"
#include "commands/training_command.h"
#include "commands/vector_files.h"
#include "tasks/kg/defaults.h"
#include "tasks/kg/job.h"

namespace acevec {
namespace {

constexpr CommandText kKg{
    "kg", "acevec kg -train FILE -output FILE [OPTION VALUE ...]",
    "Learns embeddings of a knowledge graph's entities and relations, and scores\nlink prediction. "
    "acevec kg predict completes triples.\n",
    "other embeddings"};

class KgCommand final : public TrainingCommand {
 public:
  KgCommand() : TrainingCommand(kKg) { declare_kg(arguments_, run_arguments_, table()); }

  std::vector<RunFile> more_files() const override {
    std::vector<RunFile> files = TrainingCommand::more_files();
    for (const std::optional<std::string>& path : name_lists(arguments_.train)) {
      if (path) files.push_back({"the names of -train", *path, false, true});
    }
    for (const auto& [name, path] : {std::pair{"-output-entities", arguments_.output_entities},
                                     {"-output-relations", arguments_.output_relations}}) {
      add_words_file(name, path, format_of_ending(path), true, files);
    }
    return files;
  }

 protected:
  void train(std::optional<CheckpointReader>& checkpoint) override {
    resolve_kg(arguments_, run_arguments_, *this);
    const auto choose = [this](const Graph& graph, const KnownTriples& known, Progress& progress) {
      choose_epochs(graph, progress);
      choose_n3(graph, known, progress);
      run_arguments_.command = repeating_command(*this);
    };
    train_job(*make_kg_job(arguments_, run_arguments_.settings, choose), checkpoint);
  }

 private:
  // Epochs by the number of triples, where no -iter is given. Vectors that know something already
  // need no more of them for a small graph. Checkpoints hold them.
  void choose_epochs(const Graph& graph, Progress& progress) {
    std::optional<int64_t>& iter = arguments_.iter;
    if (!iter) {
      const int64_t triples = std::ssize(graph.train.triples);
      const bool is_new = arguments_.init.empty();
      iter = is_new ? default_graph_epochs(triples) : kUsualGraphEpochs;
      decide(&iter);
      progress.note(format("  -iter %ld (default for %s)", static_cast<long>(*iter),
                           is_new ? counted(triples, "training triple").c_str() : "-init"));
    }
    run_arguments_.settings.plan.epochs = *iter;
  }

  // The weight of N3 by trials on -valid, where no -n3 is given. Checkpoints hold it.
  void choose_n3(const Graph& graph, const KnownTriples& known, Progress& progress) {
    std::optional<float>& n3 = arguments_.n3;
    if (n3) return;
    if (std::ssize(graph.valid.triples) < kFewestToChooseOn) {
      n3 = kUsualN3;
      progress.note(
          format("  -n3 %g (default; -valid has too few triples to choose it)", double{*n3}));
    } else {
      const Stopwatch watch;
      const std::vector<N3Trial> trials =
          try_n3(graph, known, arguments_.shape, arguments_.training, run_arguments_.settings.plan,
                 progress);
      n3 = chosen_n3(trials);
      std::string tried;
      for (const N3Trial& trial : trials) {
        tried += format("%s%.3f with %g", tried.empty() ? "" : ", ", trial.mrr, double{trial.n3});
      }
      progress.note(format("  -n3 %g (chosen on -valid in %.1f s: MRR %s)", double{*n3},
                           watch.seconds(), tried.c_str()));
    }
    decide(&n3);
    arguments_.training.n3 = *n3;
  }

  KgArguments arguments_;
};

}  // namespace

std::unique_ptr<CommandLine> make_kg() {
  return std::make_unique<KgCommand>();
}

}  // namespace acevec
