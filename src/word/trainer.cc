#include "word/trainer.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "base/parallel.h"
#include "base/random.h"
#include "math/alias.h"
#include "word/sequence.h"

namespace acevec {
namespace {

// Random stream of the pairs that the filter's error is measured with; chunks use (seed, epoch,
// chunk) with epochs from 0, the model's start ~0.
constexpr uint64_t kRateStream = ~uint64_t{1};

// And of the full adversary's draws: (seed, kFullStream − thread, epoch).
constexpr uint64_t kFullStream = ~uint64_t{2};

bool has_full_softmax(const SkipGramSettings& settings) {
  return settings.adversary && settings.adversary->softmax == AdversarySettings::Softmax::kFull;
}

// State that the threads of one run share.
class Run {
 public:
  Run(const Corpus& corpus, const std::vector<double>& noise, const SkipGramSettings& settings,
      SkipGramModel& model, const std::function<bool(const TrainingState&)>& report,
      const std::function<void()>& save)
      : corpus_(corpus),
        settings_(settings),
        model_(model),
        report_(report),
        save_(save),
        noise_(noise),
        objective_(settings.loss, noise, settings.negatives),
        sequences_(corpus.vocabulary(), settings.sample, settings.window),
        shape_(BlockTrainer::shape_for(settings.negatives)) {
    if (!settings.adversary) return;
    adversary_state_.emplace(*settings.adversary, corpus, settings.window, model.contexts,
                             settings.threads, settings.seed);
    if (has_full_softmax(settings)) {
      full_state_.emplace(*adversary_state_, noise, noise_);
    }
  }

  TrainingResult train() {
    for (int64_t epoch = 0; epoch < settings_.epochs; ++epoch) {
      next_chunk_ = 0;
      sums_ = {};
      in_parallel(settings_.threads, [&](int thread) { work(epoch, thread); });
    }
    TrainingResult result{sums_.loss, sums_.adversary};
    if (adversary_state_ && adversary_state_->observed) {
      result.false_positive_rate = false_positive_rate(*adversary_state_->observed);
    }
    return result;
  }

 private:
  // One thread's share of an epoch: chunks, as long as there are any.
  void work(int64_t epoch, int thread) {
    std::optional<Adversary> adversary;
    std::optional<FullAdversary> full;
    if (full_state_) {
      full.emplace(*adversary_state_, *full_state_, model_, thread, settings_.threads,
                   Random(settings_.seed, kFullStream - static_cast<uint64_t>(thread),
                          static_cast<uint64_t>(epoch)));
    } else if (adversary_state_) {
      adversary.emplace(*adversary_state_, shape_.tokens, shape_.negatives, thread,
                        settings_.threads);
    }
    BlockTrainer trainer(model_, noise_, settings_.window, settings_.negatives, shape_,
                         adversary ? &*adversary : nullptr, full ? &*full : nullptr, objective_);
    std::vector<int32_t> ids;
    Sequence sequence;
    for (int64_t chunk; !failed_ && (chunk = next_chunk_++) < corpus_.chunks();) {
      Random random(settings_.seed, static_cast<uint64_t>(epoch), static_cast<uint64_t>(chunk));
      corpus_.read(chunk, ids);
      sequences_.make(ids, random, sequence);
      const int64_t tokens =
          std::count_if(ids.begin(), ids.end(), [](int32_t id) { return id >= 0; });
      try {
        TrainingSums sums;
        sums.loss = train_chunk(sequence, tokens, trainer, random);
        sums.time = trainer.take_time();
        if (adversary) sums.adversary = adversary->take_report();
        if (full) sums.adversary = full->take_report();
        if (finish_chunk(epoch, sums) && save_) save_();
      } catch (...) {
        failed_ = true;  // the others need not go on
        throw;
      }
    }
  }

  // `tokens`: tokens of the chunk before subsampling, which is what the learning rate counts.
  Loss train_chunk(const Sequence& sequence, int64_t tokens, BlockTrainer& trainer,
                   Random& random) {
    Loss loss;
    int64_t counted = 0;
    for (int64_t begin = 0; begin < sequence.size(); begin += shape_.tokens) {
      const int64_t end = std::min(begin + shape_.tokens, sequence.size());
      trainer.train(sequence, begin, end, static_cast<float>(alpha()), random, loss);
      const int64_t now = tokens * end / sequence.size();
      done_ += now - counted;
      counted = now;
    }
    done_ += tokens - counted;
    return loss;
  }

  // True when the model shall be saved.
  bool finish_chunk(int64_t epoch, const TrainingSums& sums) {
    const std::lock_guard lock(mutex_);
    sums_ += sums;
    return report_({done_, total(), epoch + 1, alpha(), sums});
  }

  // For pairs as blocks look them up: words that subsampling kept, with words of the noise.
  double false_positive_rate(const ObservedPairs& observed) const {
    Random random(settings_.seed, kRateStream);
    std::vector<int32_t> ids;
    Sequence sequence;
    corpus_.read(0, ids);
    sequences_.make(ids, random, sequence);
    for (int32_t& id : ids) id = noise_.draw(random);
    return observed.false_positive_rate(sequence.ids.data(), ids.data(), sequence.size());
  }

  int64_t total() const { return settings_.epochs * corpus_.kept_tokens(); }

  double alpha() const {
    const double left = 1 - static_cast<double>(done_) / static_cast<double>(total());
    return std::max(settings_.min_alpha, settings_.alpha * left);
  }

  const Corpus& corpus_;
  const SkipGramSettings& settings_;
  SkipGramModel& model_;
  const std::function<bool(const TrainingState&)>& report_;
  const std::function<void()>& save_;
  AliasTable noise_;
  Objective objective_;
  SequenceMaker sequences_;
  BlockTrainer::Shape shape_;
  std::optional<AdversaryState> adversary_state_;
  std::optional<FullState> full_state_;  // with the full softmax

  std::atomic<int64_t> next_chunk_{0};
  std::atomic<int64_t> done_{0};  // tokens, over all epochs
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  TrainingSums sums_;  // of this epoch
};

// The generator's outputs with Adam's two moments of them, and a hidden row per word unless each
// turn computes its own.
int64_t generator_memory(int64_t words, int64_t size, const AdversarySettings& settings) {
  if (settings.sampler == AdversarySettings::Sampler::kCritic) return 0;
  const int64_t moments = settings.optimizer.kind == OptimizerKind::kAdam ? 2 : 0;
  const int64_t hidden = settings.softmax == AdversarySettings::Softmax::kFull ? 0 : 1;
  const int64_t width = padded((settings.hidden.empty() ? size : settings.hidden.back()) + 1);
  return (1 + moments + hidden) * words * width * static_cast<int64_t>(sizeof(float));
}

// The filter, the generator, and for the full softmax the pools and what turns compute.
int64_t adversary_memory(int64_t words, const SkipGramSettings& settings) {
  const AdversarySettings& adversary = *settings.adversary;
  const int64_t filter = adversary.filter_bytes > 0 ? adversary.filter_bytes + 8 * words : 0;
  const int64_t full =
      has_full_softmax(settings)
          ? FullState::bytes(words) + settings.threads * FullAdversary::bytes(words)
          : 0;
  return filter + generator_memory(words, settings.size, adversary) + full;
}

}  // namespace

TrainingMemory training_memory(int64_t words, const SkipGramSettings& settings) {
  constexpr int64_t kFloat = sizeof(float);
  constexpr int64_t kChunk = 3 << 20;  // ids of a chunk, before and after subsampling
  const int64_t width = padded(settings.size);
  const BlockTrainer::Shape shape = BlockTrainer::shape_for(settings.negatives);
  const int64_t rows = 2 * (shape.tokens + shape.negatives + shape.tokens + 2 * settings.window);
  const int64_t scores = shape.tokens * (shape.negatives + 2 * settings.window + 1);
  const int64_t row = settings.optimizer == OptimizerKind::kAdam
                          ? width + padded(2 * width + 2)  // a vector and its moments
                          : width;
  return {2 * words * row * kFloat,
          (settings.loss == LossKind::kNegativeSampling ? 48 : 52) * words,
          settings.threads * ((rows * width + scores) * kFloat + kChunk),
          settings.adversary ? adversary_memory(words, settings) : 0};
}

TrainingResult train_skip_gram(const Corpus& corpus, const std::vector<double>& noise,
                               const SkipGramSettings& settings, SkipGramModel& model,
                               const std::function<bool(const TrainingState&)>& report,
                               const std::function<void()>& save) {
  return Run(corpus, noise, settings, model, report, save).train();
}

}  // namespace acevec
