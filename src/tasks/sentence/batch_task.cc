#include "tasks/sentence/batch_task.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "base/progress.h"
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

MemoryPlan batch_memory(const SentenceShape& shape, int64_t words, bool keep_best) {
  MemoryPlan plan;
  plan.job = format("training %s with vectors of size %ld", counted(words, "word").c_str(),
                    static_cast<long>(shape.size));
  plan.advice = "lower -batch, or give fewer or smaller vectors";
  plan.parts = {{"moments", NetworkMoments::bytes(shape, words)}};
  if (keep_best) plan.parts.push_back({"the best network", Network::bytes(shape, words)});
  return plan;
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

BatchTask::BatchTask(const PairText& text, const PairSettings& settings, SentenceModel& model)
    : text_(text), settings_(settings), model_(model), moments_(model.f) {
  for (int64_t line = 0; line < text.pairs(); ++line) {
    const bool held_out = Random(settings.seed, Stream::kSentenceHeldOut, line).uniform() <
                          static_cast<float>(settings.heldout);
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
  return (units() + settings_.batch - 1) / settings_.batch;
}

void BatchTask::begin_epoch(int64_t epoch) {
  order_ = trained_;
  Random random(settings_.seed, Stream::kSentenceShuffle, epoch);
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
