// acevec kg export MODEL: a model's vectors for other programs.

#include "base/error.h"
#include "commands/commands.h"
#include "commands/graph_options.h"
#include "tasks/kg/model.h"

namespace acevec {
namespace {

constexpr CommandText kKgExport{
    "kg export", "acevec kg export MODEL [OPTION VALUE ...]",
    "Writes the vectors of a model's entities and relations in any format.\n"};

class KgExportCommand final : public CommandLine {
 public:
  KgExportCommand() : CommandLine(kKgExport) {
    table().group("File");
    declare_graph_vectors(paths_, table());
  }

  std::vector<RunFile> more_files() const override {
    std::vector<RunFile> files;
    add_words_files(paths_, files);
    return files;
  }

  void run() override {
    if (paths_.entities.empty() && paths_.relations.empty()) {
      throw UsageError("no output; give -output-entities FILE or -output-relations FILE");
    }
    GraphVectorFiles files;
    files.open(paths_);
    const KgFile model = read_kg(positional()[0]);
    files.write(model.entities, model.relations, model.model);
    commit_together(files.entities, files.relations);
    for (const auto& file : {std::cref(files.entities), std::cref(files.relations)}) {
      if (file.get()) print_message("wrote " + file.get()->written());
    }
  }

 private:
  GraphVectorPaths paths_;
};

}  // namespace

const Maker make_kg_export = make_command<KgExportCommand>;

}  // namespace acevec
