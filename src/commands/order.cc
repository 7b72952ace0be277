// acevec order: learns concepts from pairs "specific -> general" and says how good the vectors are.

#include "commands/commands.h"
#include "commands/order_arguments.h"
#include "commands/training_command.h"
#include "commands/vector_files.h"
#include "tasks/order/job.h"

namespace acevec {
namespace {

constexpr CommandText kOrder{
    "order", "acevec order -train FILE -output FILE [OPTION VALUE ...]",
    "Learns order embeddings of a hierarchy: a concept's hypernyms are no larger than it in "
    "every\ncoordinate. Or entailment cones (-geometry cone). acevec order query lists the "
    "hypernyms or hyponyms of a concept.\n",
    "other embeddings"};

class OrderCommand final : public TrainingCommand {
 public:
  OrderCommand() : TrainingCommand(kOrder) { declare_order(arguments_, run_arguments_, table()); }

  std::vector<RunFile> more_files() const override {
    std::vector<RunFile> files = TrainingCommand::more_files();
    const std::string& output = run_arguments_.settings.output;
    add_words_file("-output", output, format_of_ending(output), true, files);
    return files;
  }

 protected:
  void train(std::optional<CheckpointReader>& checkpoint) override {
    resolve_order(arguments_, run_arguments_, *this);
    train_job(*make_order_job(arguments_, run_arguments_.settings,
                              [this] { resolve_open_pairs(arguments_, run_arguments_, *this); }),
              checkpoint);
  }

 private:
  OrderArguments arguments_;
};

}  // namespace

std::unique_ptr<CommandLine> make_order() {
  return std::make_unique<OrderCommand>();
}

}  // namespace acevec
