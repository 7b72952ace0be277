#include "tasks/sentence/label_task.h"

#include <algorithm>

#include "base/error.h"
#include "tasks/sentence/adversary.h"
#include "tasks/sentence/encoder.h"
#include "tasks/sentence/labels.h"

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
  MemoryPlan plan;
  plan.job = format("training %s with vectors of size %ld", counted(words, "word").c_str(),
                    static_cast<long>(shape.size));
  plan.advice = "lower -batch, or give fewer or smaller vectors";
  plan.parts = {{"moments", NetworkMoments::bytes(shape, words)},
                {"classifier", 4 * layer},
                {"a step", LabelStep::bytes(text, shape, words, most, settings.threads)}};
  if (keep_best) plan.parts.push_back({"the best network", Network::bytes(shape, words) + layer});
  return plan;
}

LabelTask::LabelTask(const PairText& text, const PairSettings& settings, SentenceModel& model)
    : BatchTask(model, text.pairs(), settings.batch, settings.heldout, settings.seed),
      text_(text),
      settings_(settings),
      model_(model),
      moments_(model.f),
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
  std::vector<std::vector<int32_t>> texts;
  for (const int64_t line : heldout()) {
    const std::span<const int32_t> ids = text_.side(line, 0);
    texts.emplace_back(ids.begin(), ids.end());
  }
  Matrix vectors(std::ssize(texts), model_.columns());
  SentenceEncoder(model_).encode(texts, vectors, 0);
  const auto answers = likely_labels(model_, vectors, 1, settings_.threads);
  int64_t hits = 0;
  for (size_t i = 0; i < answers.size(); ++i) {
    const std::span<const int32_t> labels = text_.side(heldout()[i], 1);
    hits += std::count(labels.begin(), labels.end(), answers[i][0].id);
  }
  const double accuracy = static_cast<double>(hits) / static_cast<double>(texts.size());
  return Evaluation{accuracy, {accuracy}};
}

}  // namespace acevec
