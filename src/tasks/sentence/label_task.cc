#include "tasks/sentence/label_task.h"

#include <algorithm>

#include "tasks/sentence/adversary.h"
#include "tasks/sentence/labels.h"
#include "tasks/sentence/pair_search.h"

namespace acevec {

TaskDescription describe_labels() {
  return {.unit = "lines",
          .means = {"batch_accuracy"},
          .score = "held-out accuracy",
          .higher_is_better = true,
          .evaluation = {"heldout_accuracy"}};
}

MemoryPlan label_memory(const PairText& text, const SentenceShape& shape, int64_t words,
                        const PairSettings& settings, bool keep_best) {
  const auto labels = std::ssize(text.labels());
  const BatchLimits most = longest_batch(text, settings.batch);
  const int64_t layer = (shape.size + 1) * padded(labels) * kFloatSize;
  MemoryPlan plan = batch_memory(shape, words, keep_best);
  plan.parts.push_back({"classifier", (keep_best ? 5 : 4) * layer});
  plan.parts.push_back({"a step", LabelStep::bytes(text, shape, words, most, settings.threads)});
  return plan;
}

LabelTask::LabelTask(const PairText& text, const PairSettings& settings, SentenceModel& model)
    : BatchTask(text, settings, model),
      layer_moments_(Optimizer::moments_for(gate_optimizer(), model.classifier.rows(),
                                            model.classifier.stride())),
      step_(text, settings, model, moments_, layer_moments_, longest_batch(text, settings.batch)) {}

Sums LabelTask::learn(std::span<const int64_t> lines, int64_t number, float rate,
                      Random& /*random*/) {
  return sums_of(step_.learn(lines, number, rate), std::nullopt);
}

std::vector<Parameter> LabelTask::parameters() {
  return {{"f", &model_.f.rows, Role::kResult},
          {"f moments", &moments_.rows, Role::kMemory},
          {"classifier", &model_.classifier, Role::kResult},
          {"classifier moments", &layer_moments_, Role::kMemory}};
}

std::optional<Evaluation> LabelTask::evaluate() {
  if (heldout().empty()) return std::nullopt;
  const Matrix vectors = side_vectors(text_, model_, heldout(), 0, settings_.threads);
  const auto answers = likely_labels(model_, vectors, 1, settings_.threads);
  int64_t hits = 0;
  for (size_t i = 0; i < answers.size(); ++i) {
    const std::span<const int32_t> labels = text_.side(heldout()[i], 1);
    hits += std::count(labels.begin(), labels.end(), answers[i][0].id);
  }
  const double accuracy = static_cast<double>(hits) / static_cast<double>(answers.size());
  return Evaluation{accuracy, {accuracy}};
}

}  // namespace acevec
