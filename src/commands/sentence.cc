// acevec sentence: trains a model of sentences on a text.

#include "commands/commands.h"
#include "commands/sentence_arguments.h"
#include "commands/training_command.h"
#include "tasks/sentence/job.h"

namespace acevec {
namespace {

constexpr CommandText kSentence{
    "sentence",
    "acevec sentence -train FILE -output FILE [OPTION VALUE ...]",
    "Learns vectors of sentences by finding their neighbours among candidates. acevec sentence "
    "encode,\nnn and similarity use the model.\n",
    {},
    {},
    "other embeddings"};

class SentenceCommand final : public TrainingCommand {
 public:
  SentenceCommand() : TrainingCommand(kSentence) {
    declare_sentences(arguments_, run_arguments, table());
  }

 protected:
  std::unique_ptr<TrainingCommand> fresh() const override {
    return std::make_unique<SentenceCommand>();
  }
  void train(std::optional<CheckpointReader>& checkpoint) override {
    resolve_sentences(arguments_, run_arguments, *this);
    train_job(*make_sentence_job(arguments_, arguments_.text_settings(), run_arguments.settings),
              checkpoint);
  }

 private:
  SentenceArguments arguments_;
};

}  // namespace

std::unique_ptr<CommandLine> make_sentence() {
  return std::make_unique<SentenceCommand>();
}

}  // namespace acevec
