#include "tasks/sentence/pair_task.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/parallel.h"
#include "math/exact_pairs.h"
#include "tasks/sentence/encoder.h"

namespace acevec {
namespace {

constexpr int64_t kQueriesPerSearch = 1024;  // first sides at once, to limit memory

// Pairs with distinct second sides, and the index of each such text.
struct Targets {
  Targets(const PairText& text, std::span<const int64_t> from) {
    for (const int64_t pair : from) {
      if (row_of.emplace(text.text(pair, 1), std::ssize(pairs)).second) pairs.push_back(pair);
    }
  }

  std::vector<int64_t> pairs;
  std::unordered_map<int32_t, int64_t> row_of;
};

// The second sides of each first side.
ExactPairs observed_pairs(const PairText& text) {
  std::vector<ObservedPair> pairs;
  pairs.reserve(static_cast<size_t>(text.pairs()));
  int32_t last = -1;
  for (int64_t i = 0; i < text.pairs(); ++i) {
    pairs.push_back({text.text(i, 0), text.text(i, 1)});
    last = std::max(last, text.text(i, 0));
  }
  return {last + 1, pairs};
}

// One of kHardEvery pairs adds a hard one, searched for among the second sides of kMostSearched
// pairs. With these values an epoch takes 1.4 to 1.8 times as long (docs/experiments/retrieval.md).
constexpr int64_t kHardEvery = 4;
constexpr int64_t kMostSearched = 8192;

// The limits of a step: the longest pairs, and again the longest ones as hard pairs.
PairLimits pair_limits(const PairText& text, const SentenceSettings& settings) {
  const BatchLimits pairs = longest_batch(text, settings.batch);
  if (settings.hard == 0) return {pairs.sentences, 0, pairs.rows};
  const int64_t hard = (pairs.sentences + kHardEvery - 1) / kHardEvery;
  return {pairs.sentences, hard, pairs.rows + longest_batch(text, hard).rows};
}

// Steps are of equal size, since negatives come from the same step.
Batches batches_of(const PairText& text, const SentenceSettings& settings) {
  return {text.pairs(), settings.batch, true, [](int64_t line) { return line; }};
}

}  // namespace

Matrix side_vectors(const PairText& text, const SentenceModel& model,
                    std::span<const int64_t> pairs, int side, int threads) {
  Matrix vectors(std::ssize(pairs), model.columns());
  in_blocks(threads, std::ssize(pairs), kEncodedPerBlock, [&](int64_t begin, int64_t end) {
    std::vector<std::vector<int32_t>> sentences;
    for (int64_t i = begin; i < end; ++i) {
      const std::span<const int32_t> ids = text.side(pairs[static_cast<size_t>(i)], side);
      sentences.emplace_back(ids.begin(), ids.end());
    }
    SentenceEncoder(model).encode(sentences, vectors, begin);
  });
  return vectors;
}

RankingScores score_pairs(const PairText& text, const SentenceModel& model,
                          std::span<const int64_t> pairs, int threads) {
  const Targets targets(text, pairs);
  std::vector<Judged> judged;
  for (const int64_t pair : pairs) judged.push_back({{targets.row_of.at(text.text(pair, 1)), 1.0}});
  Matrix queries = side_vectors(text, model, pairs, 0, threads);
  Matrix found = side_vectors(text, model, targets.pairs, 1, threads);
  return score_rankings(rank_rows(queries, found, nullptr, 0, threads), judged);
}

std::vector<int64_t> hard_pairs(const PairText& text, const SentenceModel& model,
                                std::span<const int64_t> pairs, std::span<const int64_t> candidates,
                                int64_t nearest, Random& random, int threads) {
  const ExactPairs observed = observed_pairs(text);
  const Targets targets(text, candidates);
  Matrix found = side_vectors(text, model, targets.pairs, 1, threads);
  std::vector<int64_t> hard, wrong;
  hard.reserve(pairs.size());
  for (size_t begin = 0; begin < pairs.size(); begin += kQueriesPerSearch) {
    const auto block =
        pairs.subspan(begin, std::min<size_t>(kQueriesPerSearch, pairs.size() - begin));
    Matrix queries = side_vectors(text, model, block, 0, threads);
    const auto rankings = rank_rows(queries, found, nullptr, 0, threads);
    for (size_t i = 0; i < block.size(); ++i) {
      wrong.clear();
      for (const ScoredRow& row : rankings[i]) {
        if (std::ssize(wrong) == nearest) break;
        const int64_t other = targets.pairs[static_cast<size_t>(row.id)];
        if (!observed.contains(text.text(block[i], 0), text.text(other, 1))) {
          wrong.push_back(other);
        }
      }
      const auto drawn = random.below(static_cast<uint32_t>(std::max<size_t>(1, wrong.size())));
      hard.push_back(wrong.empty() ? -1 : wrong[drawn]);
    }
  }
  return hard;
}

BatchLimits longest_batch(const PairText& text, int64_t batch) {
  std::vector<int64_t> tokens;
  tokens.reserve(static_cast<size_t>(text.pairs()));
  for (int64_t i = 0; i < text.pairs(); ++i) {
    int64_t& sum = tokens.emplace_back(0);
    for (int side = 0; side < text.text_sides(); ++side) sum += std::ssize(text.side(i, side));
  }
  return {std::min(batch, text.pairs()), sum_of_largest(std::move(tokens), batch)};
}

TaskDescription describe_pairs(const SentenceSettings& settings) {
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

PairTask::PairTask(const PairText& text, const SentenceSettings& settings, SentenceModel& model,
                   const PairLimits& most)
    : BatchTask(settings, model, batches_of(text, settings)),
      text_(text),
      step_(text, settings, model, networks()[0].moments, most,
            make_adversary(most.pairs, most.candidates())),
      hard_of_(static_cast<size_t>(text.pairs()), -1) {}

PairTask::PairTask(const PairText& text, const SentenceSettings& settings, SentenceModel& model)
    : PairTask(text, settings, model, pair_limits(text, settings)) {}

// Finding hard pairs needs a partly trained model, so the first epoch has none.
void PairTask::begin_epoch(int64_t epoch) {
  BatchTask::begin_epoch(epoch);
  if (settings_.hard == 0 || epoch == 0 || hard_epoch_ == epoch) return;
  hard_epoch_ = epoch;
  std::vector<int64_t> queries;
  for (int64_t i = 0; i < units(); i += kHardEvery)
    queries.push_back(order()[static_cast<size_t>(i)]);
  const auto searched = static_cast<size_t>(std::min(units(), kMostSearched));
  Random random(settings_.seed, Stream::kSentenceHard, epoch);
  const std::vector<int64_t> found =
      hard_pairs(text_, model_, queries, std::span(order()).first(searched), settings_.hard, random,
                 settings_.threads);
  std::fill(hard_of_.begin(), hard_of_.end(), -1);
  for (size_t i = 0; i < found.size(); ++i) hard_of_[static_cast<size_t>(queries[i])] = found[i];
}

void PairTask::load(CheckpointReader& file) {
  file.get("hard epoch", hard_epoch_);
  file.get("hard pairs", hard_of_);
  const auto known = [&](int64_t pair) { return pair >= -1 && pair < text_.pairs(); };
  file.require("hard pairs", std::ssize(hard_of_) == text_.pairs() &&
                                 std::all_of(hard_of_.begin(), hard_of_.end(), known));
}

Sums PairTask::learn_items(std::span<const int64_t> pairs, int64_t number, float rate,
                           Random& /*random*/) {
  hard_.clear();
  for (const int64_t pair : pairs) {
    if (hard_of_[static_cast<size_t>(pair)] >= 0)
      hard_.push_back(hard_of_[static_cast<size_t>(pair)]);
  }
  return step_.learn(pairs, hard_, number, rate);
}

std::optional<Evaluation> PairTask::evaluate() {
  if (heldout().empty()) return std::nullopt;
  const RankingScores scores = score_pairs(text_, model_, heldout(), settings_.threads);
  return Evaluation{scores.mrr10, {scores.mrr10, scores.recall10}};
}

// Ranking has the vectors of queries and texts, and each query's best texts. The moments of unknown
// words remain untouched, since training meets none.
int64_t PairTask::later_bytes() const {
  const bool hard = settings_.hard > 0;
  const int64_t queries = std::max(std::ssize(heldout()), hard ? kQueriesPerSearch : 0);
  const int64_t texts =
      std::max(std::ssize(heldout()), hard ? std::min(kMostSearched, text_.pairs()) : 0);
  return (queries + texts) * padded(model_.columns()) * kFloatSize +
         queries * kRanked * static_cast<int64_t>(sizeof(ScoredRow)) -
         model_.shape.unknown * f_moments().rows.stride() * kFloatSize;
}

TaskDescription describe_labels() {
  return {.unit = "lines",
          .means = {"batch_accuracy"},
          .score = "held-out accuracy",
          .higher_is_better = true,
          .evaluation = {"heldout_accuracy"}};
}

LabelTask::LabelTask(const PairText& text, const SentenceSettings& settings, SentenceModel& model)
    : BatchTask(settings, model, batches_of(text, settings)),
      text_(text),
      layer_moments_(Optimizer::moments_for(kGateOptimizer, model.classifier.rows(),
                                            model.classifier.stride())),
      step_(text, settings, model, networks()[0].moments, layer_moments_,
            longest_batch(text, settings.batch)) {}

std::vector<Parameter> LabelTask::parameters() {
  std::vector<Parameter> parameters = BatchTask::parameters();
  parameters.push_back({"classifier", &model_.classifier, Role::kResult});
  parameters.push_back({"classifier moments", &layer_moments_, Role::kMemory});
  return parameters;
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
