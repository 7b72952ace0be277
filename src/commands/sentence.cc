// acevec sentence: trains a model of sentences on a text, or makes one of word vectors.

#include "cli/run_record.h"
#include "commands/commands.h"
#include "commands/sentence_arguments.h"
#include "commands/training_command.h"
#include "tasks/sentence/job.h"

namespace acevec {
namespace {

constexpr CommandText kSentence{
    "sentence", "acevec sentence -train|-pairs|-labels FILE -output FILE [OPTION VALUE ...]",
    "Makes a model of sentences from word vectors or by training. acevec sentence encode, nn and\n"
    "similarity use it.\n",
    "other embeddings"};

class SentenceCommand final : public TrainingCommand {
 public:
  SentenceCommand() : TrainingCommand(kSentence) {
    declare_sentences(arguments_, run_arguments_, table());
  }

 protected:
  void train(std::optional<CheckpointReader>& checkpoint) override {
    resolve_sentences(arguments_, run_arguments_, *this);
    if (!arguments_.trains()) {
      return make_mean_model(arguments_.mean_job(), run_arguments_.settings,
                             [&] { return run_record(*this, run_arguments_.command); });
    }
    if (arguments_.learns_pairs()) {
      pairs_ = arguments_.pair_job();
      return train_job(*make_pair_job(pairs_, run_arguments_.settings), checkpoint);
    }
    train_job(*make_sentence_job(arguments_, arguments_.text_settings(), run_arguments_.settings),
              checkpoint);
  }

 private:
  SentenceArguments arguments_;
  PairJobSettings pairs_;  // of the job, which refers to them
};

}  // namespace

std::unique_ptr<CommandLine> make_sentence() {
  return std::make_unique<SentenceCommand>();
}

}  // namespace acevec
