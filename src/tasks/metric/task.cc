#include "tasks/metric/task.h"

#include <algorithm>

#include "base/parallel.h"
#include "tasks/metric/evaluation.h"

namespace acevec {
namespace {

constexpr OptimizerSettings kAdam{OptimizerKind::kAdam};

constexpr int64_t kGathered = 16;       // points that a thread gathers at once
constexpr int64_t kWrittenBatches = 4;  // the last ones of an epoch, whose negatives are written

std::vector<Matrix> moments_of(const Encoder& encoder) {
  std::vector<Matrix> moments;
  for (const Matrix& layer : encoder.layers) {
    moments.push_back(Optimizer::moments_for(kAdam, layer.rows(), layer.stride()));
  }
  return moments;
}

}  // namespace

TaskDescription describe_metric(const MetricSettings& settings) {
  TaskDescription description{.unit = "points",
                              .means = {"loss", "positive_distance", "negative_distance", "active"},
                              .score = "accuracy",
                              .higher_is_better = true,
                              .evaluation = {"valid_accuracy"}};
  if (settings.has_adversary()) {
    description.means.insert(description.means.end(), {"ace_entropy", "ace_reward"});
  }
  return description;
}

void shift_image(const float* from, const ImageShape& shape, int64_t dy, int64_t dx, float* to) {
  const auto [images, height, width] = shape;
  for (int64_t image = 0; image < images; ++image, from += height * width) {
    for (int64_t y = 0; y < height; ++y) {
      const float* const row = from + std::clamp<int64_t>(y - dy, 0, height - 1) * width;
      for (int64_t x = 0; x < width; ++x) *to++ = row[std::clamp<int64_t>(x - dx, 0, width - 1)];
    }
  }
}

MetricTask::MetricTask(const Parts& parts)
    : parts_(parts),
      moments_(moments_of(parts.encoder)),
      batch_(parts.encoder, moments_, kAdam, settings().batch, settings().threads),
      classes_(static_cast<size_t>(settings().batch)),
      positives_(classes_.size()),
      squares_(classes_.size() * classes_.size()),
      slopes_(squares_.size()) {
  if (settings().has_adversary()) {
    adversary_.emplace(settings(), parts.train.points.count(), parts.encoder.shape.size);
  }
  const std::vector<int32_t>& labels = parts.train.labels;
  members_.resize(static_cast<size_t>(*std::max_element(labels.begin(), labels.end())) + 1);
  for (size_t i = 0; i < labels.size(); ++i) {
    members_[static_cast<size_t>(labels[i])].push_back(static_cast<int32_t>(i));
  }
  begin_epoch(0);
}

// Pairs random points of each class, in random order. A leftover point is paired with a random
// other of its class, or with itself if it is the only one.
void MetricTask::begin_epoch(int64_t epoch) {
  Random random(settings().seed, Stream::kMetricShuffle, epoch);
  std::vector<std::pair<int32_t, int32_t>> pairs;
  for (std::vector<int32_t> points : members_) {
    shuffle(points, random);
    if (points.size() % 2 == 1) {
      const auto others = static_cast<uint32_t>(std::max<size_t>(points.size() - 1, 1));
      points.push_back(points[random.below(others)]);
    }
    for (size_t i = 0; i + 1 < points.size(); i += 2) pairs.emplace_back(points[i], points[i + 1]);
  }
  shuffle(pairs, random);
  order_.clear();
  for (const auto& [one, other] : pairs) order_.insert(order_.end(), {one, other});
}

Sums MetricTask::learn(const Piece& piece, int64_t first, int64_t last, Random& random,
                       Clock& clock) {
  const MetricSettings& settings = this->settings();
  const int64_t rows = last - first;
  const int32_t* const points = order_.data() + first;
  gather(points, rows, random);
  const float* const vectors = batch_.forward(rows);
  squared_distances(vectors, rows, batch_.width(), squares_.data(), settings.threads);
  const BatchDistances distances{squares_.data(), classes_.data(), positives_.data(), rows,
                                 vectors,         batch_.width()};
  chosen_.resize(static_cast<size_t>(rows * settings.negatives));
  if (adversary_) {
    adversary_->choose(distances, points, random, chosen_.data());
  } else {
    in_random_blocks(
        settings.threads, rows, Anchors::kPerBlock, random,
        [&](int64_t begin, int64_t end, Random& own) {
          choose_negatives(settings.kind, settings, distances, {begin, end}, own, chosen_.data());
        });
  }
  Sums sums = triplet_gradient(settings.margin, distances, chosen_.data(), settings.negatives,
                               slopes_.data(), batch_.gradient(), settings.threads);
  if (sums.loss.count > 0) batch_.backward(static_cast<float>(clock.rate()));
  clock.advance(rows);
  write_triplets(piece, points, distances, chosen_.data());
  if (adversary_) {
    const PolicyReport report = adversary_->take_report();
    sums.means.push_back({report.entropy, report.conditions});
    sums.means.push_back({report.reward, report.conditions});
  }
  return sums;
}

// Fills the encoder's inputs with the batch's points, and sets their classes and positives.
void MetricTask::gather(const int32_t* points, int64_t rows, Random& random) {
  const LabelledPoints& train = parts_.train;
  in_random_blocks(
      settings().threads, rows, kGathered, random, [&](int64_t begin, int64_t end, Random& own) {
        for (int64_t i = begin; i < end; ++i) {
          const float* const values = train.points.values.row(points[i]);
          float* const input = batch_.input(i);
          if (settings().shift > 0) shift(values, own, input);
          parts_.encoder.standardise(settings().shift > 0 ? input : values, input);
          classes_[static_cast<size_t>(i)] = train.labels[static_cast<size_t>(points[i])];
          positives_[static_cast<size_t>(i)] = static_cast<int32_t>(i ^ 1);
        }
      });
}

void MetricTask::shift(const float* values, Random& random, float* to) const {
  const Points& points = parts_.train.points;
  const int64_t most = settings().shift;
  const auto draw = [&] {
    return static_cast<int64_t>(random.below(static_cast<uint32_t>(2 * most + 1))) - most;
  };
  const int64_t height = points.shape[points.shape.size() - 2], width = points.shape.back();
  const int64_t dy = draw(), dx = draw();
  shift_image(values, {points.values.columns() / (height * width), height, width}, dy, dx, to);
}

std::vector<Parameter> MetricTask::parameters() {
  std::vector<Parameter> parameters;
  for (size_t i = 0; i < moments_.size(); ++i) {
    const std::string name = "layer " + std::to_string(i);
    parameters.push_back({name, &parts_.encoder.layers[i], Role::kResult});
    parameters.push_back({name + " moments", &moments_[i], Role::kMemory});
  }
  if (adversary_) adversary_->list(parameters);
  return parameters;
}

std::optional<Evaluation> MetricTask::evaluate() {
  if (parts_.valid.points.count() == 0) return std::nullopt;
  const int threads = settings().threads;
  const Matrix known = encode(parts_.encoder, parts_.train.points.values, threads);
  const Matrix queries = encode(parts_.encoder, parts_.valid.points.values, threads);
  const double accuracy =
      knn_accuracy({known, parts_.train.labels}, {queries, parts_.valid.labels}, kVoters, threads);
  return Evaluation{accuracy, {accuracy}};
}

// Evaluation has the vectors of all points, and on each thread two layers of some.
int64_t MetricTask::later_bytes() const {
  const int64_t valid = parts_.valid.points.count();
  if (valid == 0) return 0;
  const EncoderShape& shape = parts_.encoder.shape;
  const int64_t vectors = (parts_.train.points.count() + valid) * padded(shape.size);
  const int64_t widest = padded(std::ranges::max(shape.layers()));
  return (vectors + 2 * settings().threads * Encoder::kPointsPerBlock * widest) * kFloatSize;
}

void MetricTask::write_triplets(const Piece& piece, const int32_t* points,
                                const BatchDistances& batch, const int32_t* negatives) {
  if (parts_.triplets == nullptr || piece.index + kWrittenBatches < pieces()) return;
  const int64_t count = settings().negatives;
  std::string text;
  for (int64_t i = 0; i < batch.rows; ++i) {
    const int32_t negative = negatives[i * count];
    if (negative < 0) continue;
    const int32_t positive = batch.positives[i];
    const float near = batch.squares[i * batch.rows + positive];
    const float far = batch.squares[i * batch.rows + negative];
    if (!text.empty()) text += '\n';
    text += format("%ld\t%d\t%d\t%d\t%.6g\t%.6g\t%.6g", static_cast<long>(piece.epoch + 1),
                   points[i], points[positive], points[negative], double{near}, double{far},
                   double{triplet_loss(settings().margin, near, far)});
  }
  if (!text.empty()) parts_.triplets->write(text);
}

}  // namespace acevec
