#include "tasks/order/task.h"

#include <algorithm>
#include <numbers>

#include "base/error.h"
#include "base/json.h"
#include "base/parallel.h"
#include "base/random.h"
#include "tasks/order/answers.h"
#include "tasks/order/evaluation.h"

namespace acevec {
namespace {

// Adam; cones have no moments, and compute steps from gradients themselves.
OptimizerSettings optimizer_for(const OrderSettings& order) {
  if (order.geometry == Geometry::kCone) return {.kind = OptimizerKind::kSgd, .ascend = true};
  return {.beta1 = 0, .by_time = true};
}

// Limits a step to an epoch, since buffers have room for a whole step.
OrderSettings clipped(OrderSettings settings, const Split& split) {
  settings.batch = std::min(settings.batch, std::ssize(split.train));
  return settings;
}

}  // namespace

TaskDescription describe_order() {
  return {.unit = "pairs",
          .means = {"positive_loss", "noise_loss", "adversarial_loss", "entropy", "spared"},
          .score = "accuracy",
          .higher_is_better = true,
          .evaluation = {"development_accuracy", "test_accuracy"}};
}

OrderTask::OrderTask(const Hierarchy& hierarchy, const Split& split, const OrderSettings& settings,
                     Matrix& vectors)
    : hierarchy_(hierarchy),
      split_(split),
      settings_(clipped(settings, split)),
      vectors_(vectors),
      moments_(Optimizer::moments_for(optimizer_for(settings), vectors.rows(), vectors.stride())),
      steps_(vectors, moments_, optimizer_for(settings_), settings_) {
  if (settings.mask_noise) observed_.emplace(generals_of(vectors.rows(), split.known()));
  if (settings.adversary) adversary_.emplace(settings_, split, vectors);
}

void OrderTask::begin_epoch(int64_t epoch) {
  order_ = split_.train;
  Random random(settings_.seed, Stream::kOrderShuffle, epoch);
  shuffle(order_, random);
}

Sums OrderTask::learn(const Piece& piece, int64_t first, int64_t last, Random& random,
                      Clock& clock) {
  const std::span<const OrderPair> positives(order_.data() + first, order_.data() + last);
  draw_noise(positives, random);
  if (adversary_) adversary_->next(last - first, random, hard_);
  Sums sums =
      steps_.step(piece.step + 1, static_cast<float>(clock.rate()), positives, noise_, hard_);
  clock.advance(last - first);
  const auto [entropy, spared] = adversary_ ? adversary_->take_report() : OrderAdversaryReport{};
  sums.means.insert(sums.means.end(), {entropy, spared});
  return sums;
}

void OrderTask::draw_noise(std::span<const OrderPair> positives, Random& random) {
  constexpr int64_t kPositives = 128;  // pairs that a thread takes at once
  const int64_t each = settings_.negatives;
  noise_.resize(positives.size() * static_cast<size_t>(each));
  const auto draw = [&](int64_t begin, int64_t end, Random& own) {
    for (int64_t i = begin * each; i < end * each; ++i) {
      const OrderPair pair = corrupted(positives[static_cast<size_t>(i / each)], vectors_.rows(),
                                       settings_.specific_share, own);
      const bool is_true = observed_ && observed_->contains(pair.specific, pair.general);
      noise_[static_cast<size_t>(i)] = is_true ? OrderPair{-1, -1} : pair;
    }
  };
  in_random_blocks(settings_.threads, std::ssize(positives), kPositives, random, draw);
}

std::vector<Parameter> OrderTask::parameters() {
  std::vector<Parameter> parameters{{"vectors", &vectors_, Role::kResult},
                                    {"moments", &moments_, Role::kMemory}};
  if (adversary_) adversary_->list(parameters);
  return parameters;
}

std::optional<double> OrderTask::start_loss() {
  if (settings_.geometry == Geometry::kCone) return std::numbers::pi / 2;
  if (settings_.nested) return double{settings_.margin};
  return std::nullopt;
}

std::optional<Evaluation> OrderTask::evaluate() {
  const Embedding embedding{vectors_, settings_.geometry};
  const Threshold threshold = best_threshold(embedding, split_.development);
  return Evaluation{threshold.accuracy,
                    {threshold.accuracy, accuracy(embedding, split_.test, threshold.penalty)}};
}

void OrderTask::write_snapshot(const std::string& path) const {
  std::optional<RowWriter> file(std::in_place, path, settings_.format);
  std::optional<OutputFile> record;
  const Embedding embedding{vectors_, settings_.geometry};
  const AnswerCut cut = answer_cut(hierarchy_, split_, embedding, settings_.threads);
  if (settings_.geometry == Geometry::kCone) {
    Json beside;  // like the result's record, for acevec order query
    beside.put("/acevec", version());
    beside.put("/settings/geometry", "cone");
    beside.put("/threshold", cut.weighted);
    record.emplace(path + ".json");
    record->write(beside.text(2));
  }
  write_order(hierarchy_, embedding, cut, *file);
  commit_together(record, file);
}

}  // namespace acevec
