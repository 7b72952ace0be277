// Metric learning as a task: batches of pairs of points of one class; negatives are from the batch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "tasks/metric/encoder.h"
#include "tasks/metric/negatives.h"
#include "tasks/metric/points.h"
#include "train/task.h"

namespace acevec {

TaskDescription describe_metric(const MetricSettings& settings);

class MetricTask : public StepTask {
 public:
  // Inputs; must outlive the task.
  struct Parts {
    const LabelledPoints& train;
    const LabelledPoints& valid;  // may be empty
    const MetricSettings& settings;
    Encoder& encoder;
    LineFile* triplets = nullptr;  // receives chosen negatives; may be null
  };

  explicit MetricTask(const Parts& parts);

  int64_t units() const override { return std::ssize(order_); }
  void begin_epoch(int64_t epoch) override;
  std::vector<Parameter> parameters() override;

  // The accuracy of a vote of the nearest training points on the classes of -valid.
  std::optional<Evaluation> evaluate() override;
  int64_t later_bytes() const override;
  void write_snapshot(const std::string& path) const override {
    CheckpointWriter file(path);
    write_encoder(parts_.encoder, file);
    file.commit();
  }

 private:
  int64_t batch() const override { return settings().batch; }
  Sums learn(const Piece& piece, int64_t first, int64_t last, Random& random,
             Clock& clock) override;
  void gather(const int32_t* points, int64_t rows, Random& random);
  void shift(const float* values, Random& random, float* to) const;
  const MetricSettings& settings() const { return parts_.settings; }
  void write_triplets(const Piece& piece, const int32_t* points, const BatchDistances& batch,
                      const int32_t* negatives);

  Parts parts_;
  std::vector<Matrix> moments_;
  EncoderBatch batch_;
  std::optional<MetricAdversary> adversary_;
  std::vector<int32_t> classes_, positives_, chosen_;  // per row of a step
  std::vector<float> squares_, slopes_;                // rows × rows
  std::vector<std::vector<int32_t>> members_;          // points of each class
  std::vector<int32_t> order_;  // points; 2 i and 2 i + 1 are positives of each other
};

// The header of the file of triplets.
inline constexpr std::string_view kTripletColumns =
    "epoch\tanchor\tpositive\tnegative\tpositive_distance\tnegative_distance\tloss";

// One or more consecutive images.
struct ImageShape {
  int64_t count;
  int64_t height;
  int64_t width;
};

// Writes images shifted by dy and dx pixels; edge pixels are repeated.
void shift_image(const float* from, const ImageShape& shape, int64_t dy, int64_t dx, float* to);

}  // namespace acevec
