#include "tasks/sentence/batch_task.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "tasks/sentence/model_file.h"

namespace acevec {

BatchLimits longest_batch(const PairText& text, int64_t batch) {
  std::vector<int64_t> tokens;
  tokens.reserve(static_cast<size_t>(text.pairs()));
  for (int64_t i = 0; i < text.pairs(); ++i) {
    int64_t& sum = tokens.emplace_back(0);
    for (int side = 0; side < text.text_sides(); ++side) sum += std::ssize(text.side(i, side));
  }
  const int64_t most = std::min(batch, text.pairs());
  std::partial_sort(tokens.begin(), tokens.begin() + most, tokens.end(), std::greater<>());
  return {most, std::accumulate(tokens.begin(), tokens.begin() + most, int64_t{0})};
}

// It keeps nothing from step to step.
class BatchTask::BatchWorker : public Worker {
 public:
  explicit BatchWorker(BatchTask& task) : task_(task) {}

  Sums learn(const Piece& piece, Random& random, Clock& clock) override {
    const std::span<const int64_t> batch = task_.batch(piece.index);
    Sums sums = task_.learn(batch, piece.step + 1, static_cast<float>(clock.rate()), random);
    clock.advance(std::ssize(batch));
    return sums;
  }

 private:
  BatchTask& task_;
};

BatchTask::BatchTask(const SentenceModel& model, int64_t lines, int64_t batch, double heldout,
                     uint64_t seed)
    : model_(model), batch_(batch), seed_(seed) {
  for (int64_t line = 0; line < lines; ++line) {
    const bool held_out =
        Random(seed, Stream::kSentenceHeldOut, line).uniform() < static_cast<float>(heldout);
    (held_out ? heldout_ : trained_).push_back(line);
  }
  order_ = trained_;
}

// Batches of an epoch are equally large, so that none is too small to tell pairs apart.
std::span<const int64_t> BatchTask::batch(int64_t piece) const {
  const int64_t begin = units() * piece / pieces(), end = units() * (piece + 1) / pieces();
  return std::span(order_).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
}

int64_t BatchTask::pieces() const {
  return (units() + batch_ - 1) / batch_;
}

void BatchTask::begin_epoch(int64_t epoch) {
  order_ = trained_;
  Random random(seed_, Stream::kSentenceShuffle, epoch);
  shuffle(order_, random);
}

std::unique_ptr<Worker> BatchTask::make_worker(int /*thread*/, int64_t /*epoch*/) {
  return std::make_unique<BatchWorker>(*this);
}

void BatchTask::write_snapshot(const std::string& path) const {
  CheckpointWriter file(path);
  write_sentence_model(model_, file);
  file.commit();
}

}  // namespace acevec
