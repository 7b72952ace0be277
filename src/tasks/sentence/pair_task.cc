#include "tasks/sentence/pair_task.h"

#include <algorithm>

#include "tasks/sentence/pair_search.h"

namespace acevec {
namespace {

// One of so many pairs brings a hard one, which is looked for among the second sides of so many
// pairs. With these an epoch takes 1.4 to 1.8 times as long (docs/experiments/retrieval.md).
constexpr int64_t kHardEvery = 4;
constexpr int64_t kMostSearched = 8192;

// A step of the longest pairs, and as hard ones the longest of all again.
PairLimits pair_limits(const PairText& text, const PairSettings& settings) {
  const BatchLimits pairs = longest_batch(text, settings.batch);
  if (settings.hard == 0) return {pairs.sentences, 0, pairs.rows};
  const int64_t hard = (pairs.sentences + kHardEvery - 1) / kHardEvery;
  return {pairs.sentences, hard, pairs.rows + longest_batch(text, hard).rows};
}

}  // namespace

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
  MemoryPlan plan = batch_memory(shape, words, keep_best);
  plan.parts.push_back(
      {"a step", PairStep::bytes(shape, settings, words + shape.unknown, std::ssize(text.words()),
                                 pair_limits(text, settings))});
  if (settings.hard > 0) {
    plan.parts.push_back(
        {"hard pairs", hard_pairs_bytes(text.pairs(), text.pairs() / kHardEvery + 1,
                                        std::min(text.pairs(), kMostSearched), shape.columns(),
                                        settings.threads)});
  }
  if (settings.adversary) {
    plan.parts.push_back(
        {"adversary", SentenceAdversaryState::bytes(*settings.adversary, shape.size)});
  }
  return plan;
}

PairTask::PairTask(const PairText& text, const PairSettings& settings, SentenceModel& model)
    : BatchTask(text, settings, model), hard_of_(static_cast<size_t>(text.pairs()), -1) {
  if (settings.adversary) adversary_.emplace(*settings.adversary, model.shape.size, settings.seed);
  step_.emplace(text, settings, model, moments_, pair_limits(text, settings),
                adversary_ ? &*adversary_ : nullptr);
}

// Hard pairs need a model that knows something, so the first epoch has none.
void PairTask::begin_epoch(int64_t epoch) {
  BatchTask::begin_epoch(epoch);
  if (settings_.hard == 0 || epoch == 0 || hard_epoch_ == epoch) return;
  hard_epoch_ = epoch;
  std::vector<int64_t> asking;
  for (int64_t i = 0; i < units(); i += kHardEvery)
    asking.push_back(order()[static_cast<size_t>(i)]);
  const auto searched = static_cast<size_t>(std::min(units(), kMostSearched));
  Random random(settings_.seed, Stream::kSentenceHard, epoch);
  const std::vector<int64_t> found =
      hard_pairs(text_, model_, asking, std::span(order()).first(searched), settings_.hard, random,
                 settings_.threads);
  std::fill(hard_of_.begin(), hard_of_.end(), -1);
  for (size_t i = 0; i < found.size(); ++i) hard_of_[static_cast<size_t>(asking[i])] = found[i];
}

void PairTask::save(CheckpointWriter& file) const {
  file.put("hard epoch", hard_epoch_);
  file.put("hard pairs", hard_of_);
}

void PairTask::load(CheckpointReader& file) {
  file.get("hard epoch", hard_epoch_);
  file.get("hard pairs", hard_of_);
  const auto known = [&](int64_t pair) { return pair >= -1 && pair < text_.pairs(); };
  file.require("hard pairs", std::ssize(hard_of_) == text_.pairs() &&
                                 std::all_of(hard_of_.begin(), hard_of_.end(), known));
}

Sums PairTask::learn(std::span<const int64_t> pairs, int64_t number, float rate, Random& random) {
  hard_.clear();
  for (const int64_t pair : pairs) {
    if (hard_of_[static_cast<size_t>(pair)] >= 0)
      hard_.push_back(hard_of_[static_cast<size_t>(pair)]);
  }
  const ContrastSum sum = step_->learn(pairs, hard_, number, rate, random);
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
  const RankingScores scores = score_pairs(text_, model_, heldout(), settings_.threads);
  return Evaluation{scores.mrr10, {scores.mrr10, scores.recall10}};
}

}  // namespace acevec
