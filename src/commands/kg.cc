// acevec kg: trains a knowledge graph's embeddings and scores link prediction.

#include <filesystem>

#include "commands/commands.h"
#include "commands/kg_arguments.h"
#include "commands/training_command.h"
#include "commands/vector_files.h"
#include "tasks/kg/job.h"

namespace acevec {
namespace {

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
  void train(std::optional<CheckpointReader>& checkpoint) override {
    resolve_kg(arguments_, run_arguments, *this);
    train_job(*make_kg_job(arguments_, run_arguments.settings), checkpoint);
  }

 private:
  KgArguments arguments_;
};

}  // namespace

std::unique_ptr<CommandLine> make_kg() {
  return std::make_unique<KgCommand>();
}

}  // namespace acevec
