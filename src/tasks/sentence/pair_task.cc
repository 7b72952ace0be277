#include "tasks/sentence/pair_task.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "tasks/sentence/model_file.h"
#include "tasks/sentence/pair_search.h"

namespace acevec {
namespace {

// One of so many pairs brings a hard one, which is looked for among the second sides of so many
// pairs. With these an epoch takes 1.4 to 1.8 times as long (docs/experiments/retrieval.md).
constexpr int64_t kHardEvery = 4;
constexpr int64_t kMostSearched = 8192;

// A step of the longest pairs, and as hard ones the longest of all again.
PairLimits pair_limits(const PairText& text, const PairSettings& settings) {
  std::vector<int64_t> tokens;
  tokens.reserve(static_cast<size_t>(text.pairs()));
  for (int64_t i = 0; i < text.pairs(); ++i) {
    tokens.push_back(std::ssize(text.side(i, 0)) + std::ssize(text.side(i, 1)));
  }
  const int64_t most = std::min(settings.batch, text.pairs());
  const int64_t hard = settings.hard > 0 ? (most + kHardEvery - 1) / kHardEvery : 0;
  std::partial_sort(tokens.begin(), tokens.begin() + most, tokens.end(), std::greater<>());
  return {most, hard,
          std::accumulate(tokens.begin(), tokens.begin() + most, int64_t{0}) +
              std::accumulate(tokens.begin(), tokens.begin() + hard, int64_t{0})};
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
  MemoryPlan plan;
  plan.job = format("training %s with vectors of size %ld", counted(words, "word").c_str(),
                    static_cast<long>(shape.size));
  plan.advice = "lower -batch, or give fewer or smaller vectors";
  const int64_t network = Network::bytes(shape, words);
  plan.parts = {{"moments", NetworkMoments::bytes(shape, words)},
                {"a step", PairStep::bytes(shape, settings, words + shape.unknown,
                                           std::ssize(text.words()), pair_limits(text, settings))}};
  if (settings.hard > 0) {
    plan.parts.push_back(
        {"hard pairs", hard_pairs_bytes(text.pairs(), text.pairs() / kHardEvery + 1,
                                        std::min(text.pairs(), kMostSearched), shape.columns(),
                                        settings.threads)});
  }
  if (keep_best) plan.parts.push_back({"the best network", network});
  if (settings.adversary) {
    plan.parts.push_back(
        {"adversary", SentenceAdversaryState::bytes(*settings.adversary, shape.size)});
  }
  return plan;
}

// It keeps nothing from step to step.
class PairTask::PairWorker : public Worker {
 public:
  explicit PairWorker(PairTask& task) : task_(task) {}

  Sums learn(const Piece& piece, Random& random, Clock& clock) override {
    const std::span<const int64_t> pairs = task_.batch(piece.index);
    const ContrastSum sum = task_.step_->learn(pairs, task_.hard_of(piece.index), piece.step + 1,
                                               static_cast<float>(clock.rate()), random);
    clock.advance(std::ssize(pairs));
    return sums_of(sum, task_.step_->take_report());
  }

 private:
  PairTask& task_;
};

PairTask::PairTask(const PairText& text, const PairSettings& settings, SentenceModel& model)
    : text_(text), settings_(settings), model_(model), moments_(model.f) {
  if (settings.adversary) adversary_.emplace(*settings.adversary, model.shape.size, settings.seed);
  step_.emplace(text, settings, model, moments_, pair_limits(text, settings),
                adversary_ ? &*adversary_ : nullptr);
  for (int64_t pair = 0; pair < text.pairs(); ++pair) {
    const bool held_out = Random(settings.seed, Stream::kSentenceHeldOut, pair).uniform() <
                          static_cast<float>(settings.heldout);
    (held_out ? heldout_ : trained_).push_back(pair);
  }
  order_ = trained_;
}

// Batches of an epoch are equally large, so that none is too small to tell pairs apart.
int64_t PairTask::begin_of(int64_t piece) const {
  return units() * piece / pieces();
}

std::span<const int64_t> PairTask::batch(int64_t piece) const {
  return {order_.begin() + begin_of(piece), order_.begin() + begin_of(piece + 1)};
}

std::span<const int64_t> PairTask::hard_of(int64_t piece) const {
  if (hard_.empty()) return {};
  const auto place = [&](int64_t pair) {
    return hard_.begin() + (pair + kHardEvery - 1) / kHardEvery;
  };
  return {place(begin_of(piece)), place(begin_of(piece + 1))};
}

int64_t PairTask::pieces() const {
  return (units() + settings_.batch - 1) / settings_.batch;
}

void PairTask::begin_epoch(int64_t epoch) {
  order_ = trained_;
  Random random(settings_.seed, Stream::kSentenceShuffle, epoch);
  shuffle(order_, random);
  if (settings_.hard > 0 && epoch > 0 && hard_epoch_ != epoch) {
    find_hard_pairs(random);
    hard_epoch_ = epoch;
  }
}

void PairTask::find_hard_pairs(Random& random) {
  std::vector<int64_t> asking;
  for (size_t i = 0; i < order_.size(); i += kHardEvery) asking.push_back(order_[i]);
  const size_t searched = static_cast<size_t>(std::min(units(), kMostSearched));
  hard_ = hard_pairs(text_, model_, asking, std::span(order_).first(searched), settings_.hard,
                     random, settings_.threads);
}

void PairTask::save(CheckpointWriter& file) const {
  file.put("hard epoch", hard_epoch_);
  file.put("hard pairs", hard_);
}

void PairTask::load(CheckpointReader& file) {
  file.get("hard epoch", hard_epoch_);
  file.get("hard pairs", hard_);
  const auto known = [&](int64_t pair) { return pair >= -1 && pair < text_.pairs(); };
  const size_t all = (order_.size() + kHardEvery - 1) / kHardEvery;
  if (!std::all_of(hard_.begin(), hard_.end(), known) ||
      (hard_epoch_ >= 0 ? all : 0) != hard_.size()) {
    throw Error("the checkpoint's hard pairs are not those of this text");
  }
}

std::unique_ptr<Worker> PairTask::make_worker(int /*thread*/, int64_t /*epoch*/) {
  return std::make_unique<PairWorker>(*this);
}

std::vector<Parameter> PairTask::parameters() {
  std::vector<Parameter> parameters{{"f", &model_.f.rows, Role::kResult},
                                    {"f moments", &moments_.rows, Role::kMemory}};
  if (adversary_) adversary_->list(parameters);
  return parameters;
}

std::optional<Evaluation> PairTask::evaluate() {
  if (heldout_.empty()) return std::nullopt;
  const RankingScores scores = score_pairs(text_, model_, heldout_, settings_.threads);
  return Evaluation{scores.mrr10, {scores.mrr10, scores.recall10}};
}

void PairTask::write_snapshot(const std::string& path) const {
  CheckpointWriter file(path);
  write_sentence_model(model_, file);
  file.commit();
}

}  // namespace acevec
