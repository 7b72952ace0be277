#include "tasks/sentence/pair_task.h"

#include "base/error.h"
#include "tasks/sentence/encoder.h"
#include "tasks/sentence/ranking.h"
#include "text/names.h"

namespace acevec {
TaskDescription describe_pairs(const PairSettings& settings) {
  TaskDescription description{.unit = "pairs",
                              .means = {"batch_accuracy"},
                              .score = "held-out MRR@10",
                              .higher_is_better = true,
                              .evaluation = {"heldout_mrr10", "heldout_recall10"}};
  if (settings.adversary) {
    description.means.insert(description.means.end(), {"ace_entropy", "ace_reward"});
  }
  return description;
}

MemoryPlan pair_memory(const PairText& text, const SentenceShape& shape, int64_t words,
                       const PairSettings& settings, bool keep_best) {
  MemoryPlan plan;
  plan.job = format("training %s with vectors of size %ld", counted(words, "word").c_str(),
                    static_cast<long>(shape.size));
  plan.advice = "lower -batch, or give fewer or smaller vectors";
  const int64_t network = Network::bytes(shape, words);
  plan.parts = {
      {"moments", NetworkMoments::bytes(shape, words)},
      {"a step", PairStep::bytes(shape, settings, words + shape.unknown, std::ssize(text.words()),
                                 longest_batch(text, settings.batch))}};
  if (keep_best) plan.parts.push_back({"the best network", network});
  if (settings.adversary) {
    plan.parts.push_back(
        {"adversary", SentenceAdversaryState::bytes(*settings.adversary, shape.size)});
  }
  return plan;
}

PairTask::PairTask(const PairText& text, const PairSettings& settings, SentenceModel& model)
    : BatchTask(model, text.pairs(), settings.batch, settings.heldout, settings.seed),
      text_(text),
      settings_(settings),
      model_(model),
      moments_(model.f) {
  if (settings.adversary) adversary_.emplace(*settings.adversary, model.shape.size, settings.seed);
  step_.emplace(text, settings, model, moments_, longest_batch(text, settings.batch),
                adversary_ ? &*adversary_ : nullptr);
}

Sums PairTask::learn(std::span<const int64_t> pairs, int64_t number, float rate, Random& random) {
  const ContrastSum sum = step_->learn(pairs, number, rate, random);
  return sums_of(sum, step_->take_report());
}

std::vector<Parameter> PairTask::parameters() {
  std::vector<Parameter> parameters{{"f", &model_.f.rows, Role::kResult},
                                    {"f moments", &moments_.rows, Role::kMemory}};
  if (adversary_) adversary_->list(parameters);
  return parameters;
}

std::optional<Evaluation> PairTask::evaluate() {
  if (heldout().empty()) return std::nullopt;
  std::vector<Judged> judged;
  std::vector<std::vector<int32_t>> queries, targets;
  const auto ids = [&](int64_t pair, int side) {
    const std::span<const int32_t> some = text_.side(pair, side);
    return std::vector<int32_t>(some.begin(), some.end());
  };
  Names targets_by_text;
  for (const int64_t pair : heldout()) {
    const int32_t before = targets_by_text.size();
    const int32_t target = targets_by_text.add(std::to_string(text_.text(pair, 1)));
    if (target == before) targets.push_back(ids(pair, 1));
    queries.push_back(ids(pair, 0));
    judged.push_back({{target, 1.0}});
  }
  Matrix asked(std::ssize(queries), model_.columns()), found(std::ssize(targets), model_.columns());
  SentenceEncoder encoder(model_);
  encoder.encode(queries, asked, 0);
  encoder.encode(targets, found, 0);
  const RankingScores scores =
      score_rankings(rank_rows(asked, found, nullptr, 0, settings_.threads), judged);
  return Evaluation{scores.mrr10, {scores.mrr10, scores.recall10}};
}

}  // namespace acevec
