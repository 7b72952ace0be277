// acevec metric: trains an encoder of labelled points.

#include "commands/commands.h"
#include "commands/metric_arguments.h"
#include "commands/training_command.h"
#include "tasks/metric/job.h"

namespace acevec {
namespace {

constexpr CommandText kMetric{
    "metric", "acevec metric -train FILE -labels FILE -output FILE [OPTION VALUE ...]",
    "Learns an encoder of labelled points that brings classes together. acevec metric encode and "
    "eval\nuse it.\n",
    "other embeddings"};

class MetricCommand final : public TrainingCommand {
 public:
  MetricCommand() : TrainingCommand(kMetric) {
    declare_metric(arguments_, run_arguments_, table());
  }

 protected:
  void train(std::optional<CheckpointReader>& checkpoint) override {
    resolve_metric(arguments_, run_arguments_, *this);
    train_job(*make_metric_job(arguments_, run_arguments_.settings), checkpoint);
  }

 private:
  MetricJobSettings arguments_;
};

}  // namespace

std::unique_ptr<CommandLine> make_metric() {
  return std::make_unique<MetricCommand>();
}

}  // namespace acevec
