#include "tasks/sentence/pair_task.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "tasks/sentence/encoder.h"
#include "tasks/sentence/model_file.h"
#include "tasks/sentence/ranking.h"
#include "text/names.h"

namespace acevec {
namespace {

// A step of the longest pairs.
BatchLimits pair_limits(const PairText& text, int64_t batch) {
  std::vector<int64_t> tokens;
  tokens.reserve(static_cast<size_t>(text.pairs()));
  for (int64_t i = 0; i < text.pairs(); ++i) {
    tokens.push_back(std::ssize(text.side(i, 0)) + std::ssize(text.side(i, 1)));
  }
  const int64_t most = std::min(batch, text.pairs());
  std::partial_sort(tokens.begin(), tokens.begin() + most, tokens.end(), std::greater<>());
  return {most, std::accumulate(tokens.begin(), tokens.begin() + most, int64_t{0})};
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
  plan.parts = {
      {"moments", NetworkMoments::bytes(shape, words)},
      {"a step", PairStep::bytes(shape, settings, words + shape.unknown, std::ssize(text.words()),
                                 pair_limits(text, settings.batch))}};
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
    const std::span<const int64_t> batch = task_.batch(piece.index);
    const ContrastSum sum =
        task_.step_->learn(batch, piece.step + 1, static_cast<float>(clock.rate()), random);
    clock.advance(std::ssize(batch));
    return sums_of(sum, task_.step_->take_report());
  }

 private:
  PairTask& task_;
};

PairTask::PairTask(const PairText& text, const PairSettings& settings, SentenceModel& model)
    : text_(text), settings_(settings), model_(model), moments_(model.f) {
  if (settings.adversary) adversary_.emplace(*settings.adversary, model.shape.size, settings.seed);
  step_.emplace(text, settings, model, moments_, pair_limits(text, settings.batch),
                adversary_ ? &*adversary_ : nullptr);
  for (int64_t pair = 0; pair < text.pairs(); ++pair) {
    const bool held_out = Random(settings.seed, Stream::kSentenceHeldOut, pair).uniform() <
                          static_cast<float>(settings.heldout);
    (held_out ? heldout_ : trained_).push_back(pair);
  }
  order_ = trained_;
}

// Batches of an epoch are equally large, so that none is too small to tell pairs apart.
std::span<const int64_t> PairTask::batch(int64_t piece) const {
  const int64_t begin = units() * piece / pieces(), end = units() * (piece + 1) / pieces();
  return std::span(order_).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
}

int64_t PairTask::pieces() const {
  return (units() + settings_.batch - 1) / settings_.batch;
}

void PairTask::begin_epoch(int64_t epoch) {
  order_ = trained_;
  Random random(settings_.seed, Stream::kSentenceShuffle, epoch);
  shuffle(order_, random);
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
  std::vector<Judged> judged;
  std::vector<std::vector<int32_t>> queries, targets;
  const auto ids = [&](int64_t pair, int side) {
    const std::span<const int32_t> some = text_.side(pair, side);
    return std::vector<int32_t>(some.begin(), some.end());
  };
  Names targets_by_text;
  for (const int64_t pair : heldout_) {
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

void PairTask::write_snapshot(const std::string& path) const {
  CheckpointWriter file(path);
  write_sentence_model(model_, file);
  file.commit();
}

}  // namespace acevec
