#include "tasks/word/task.h"

#include <algorithm>
#include <cmath>

#include "ace/generator.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/random.h"
#include "math/aligned.h"
#include "optim/optimizer.h"
#include "text/token_store.h"

namespace acevec {
namespace {

bool has_full_softmax(const SkipGramSettings& settings) {
  return settings.adversary && settings.adversary->softmax == AdversarySettings::Softmax::kFull;
}

// The most chunks that all threads together train between composing words and distributing their
// changes. More chunks cost less time, but with too many the changes of rows shared by many words
// add up to more than any word needs. See docs/experiments/subwords.md.
constexpr int64_t kMostChunks = 8;

// Chunks in one thread's piece. In a short text each distribution of changes counts more.
int64_t chunks_in_piece(const Corpus& corpus, int threads) {
  constexpr int64_t kLeastPieces = 64;
  return std::clamp<int64_t>(
      std::min<int64_t>(kMostChunks / threads, corpus.chunks() / kLeastPieces), 1, kMostChunks);
}

// Distributions of changes in a piece: with many threads one would be too late.
int64_t parts_of_piece(int threads) {
  return std::max<int64_t>(threads / kMostChunks, 1);
}

// Composed words, if the model has subwords.
std::optional<ComposedWords> composed_words(SkipGramModel& model) {
  if (!model.subwords) return std::nullopt;
  return std::make_optional<ComposedWords>(*model.subwords, model.words, model.word_moments);
}

WordRows word_rows(SkipGramModel& model, std::optional<ComposedWords>& composed) {
  return composed ? composed->rows() : WordRows{model.words, model.word_moments};
}

// One-sided skip-gram predicts later words; one-sided CBOW predicts from earlier ones.
Reach reach_of(const SkipGramSettings& settings) {
  const ContextSide one = settings.cbow ? ContextSide::kBefore : ContextSide::kAfter;
  return {settings.window, settings.cbow, settings.one_sided ? one : ContextSide::kBoth};
}

Sums sums_of(const Loss& loss, const AdversaryReport& report, int64_t negatives) {
  Sums sums{{loss.positive + loss.negative, loss.pairs}, std::vector<Mean>(kSkipGramMeans)};
  sums.means[kPositiveLoss] = {loss.positive, loss.pairs};
  sums.means[kNoiseLoss] = {loss.negative, loss.pairs * static_cast<double>(negatives)};
  sums.means[kAdversarialLoss] = {report.adversarial_loss, report.rows};
  sums.means[kEntropy] = {report.entropy, report.rows};
  sums.means[kFalseNegatives] = {report.observed, report.rows};
  sums.means[kNoiseOfAdversary] = {report.noise_loss, report.rows};
  return sums;
}

}  // namespace

TaskDescription describe_skip_gram() {
  return {.unit = "tokens",
          .rate = "alpha",
          .means = {"positive_loss", "noise_loss", "adversarial_loss", "entropy", "false_negatives",
                    ""},
          .score = "held-out loss",
          .evaluation = {"heldout_loss"},
          .advice = "lower -alpha, or -size",
          .least_window = 100000};
}

// A thread's copies of rows, and its adversary.
class SkipGramTask::SkipGramWorker : public Worker {
 public:
  SkipGramWorker(SkipGramTask& task, const ThreadShare& share, int64_t epoch)
      : task_(task),
        adversary_(make_adversary(task, share, epoch)),
        composed_(composed_words(task.model_)) {
    trainer_.emplace(word_rows(task.model_, composed_), task.model_, task.noise_,
                     task.settings_.block(), *task.loss_, adversary_.get());
  }

  Sums learn(const Piece& piece, Random& random, Clock& clock) override {
    task_.read(piece.index, ids_);
    task_.sequences_.make(ids_, random, sequence_);
    const int64_t tokens = std::ranges::count_if(ids_, [](int32_t id) { return id >= 0; });
    const Loss loss = train(tokens, random, clock);
    const AdversaryReport report = adversary_ ? adversary_->take_report() : AdversaryReport{};
    return sums_of(loss, report, task_.settings_.negatives);
  }

  void save(CheckpointWriter& file) const override {
    if (adversary_) adversary_->save(file);
  }
  void load(CheckpointReader& file) override {
    if (adversary_) adversary_->load(file);
  }

 private:
  static std::unique_ptr<BlockAdversary> make_adversary(SkipGramTask& task,
                                                        const ThreadShare& share, int64_t epoch) {
    if (task.full_state_) {
      const Random random(task.settings_.seed, Stream::kFullAdversary,
                          epoch * share.threads + share.thread);
      return std::make_unique<FullAdversary>(*task.adversary_state_, *task.full_state_, task.model_,
                                             share, random);
    }
    if (!task.adversary_state_) return nullptr;
    return std::make_unique<Adversary>(*task.adversary_state_, task.settings_.block(), share);
  }

  // `tokens`: the chunk's tokens before subsampling, which the learning rate schedule counts.
  Loss train(int64_t tokens, Random& random, Clock& clock) {
    const int64_t block = task_.settings_.block().tokens;
    const int64_t part = part_of_piece(block);
    Loss loss;
    int64_t counted = 0;
    for (int64_t begin = 0; begin < sequence_.size(); begin += block) {
      const int64_t end = std::min(begin + block, sequence_.size());
      if (composed_ && begin % part == 0) compose(begin, begin + part);
      trainer_->train(sequence_, begin, end, static_cast<float>(clock.rate()), random, loss);
      const int64_t now = tokens * end / sequence_.size();
      clock.advance(now - counted);
      counted = now;
    }
    clock.advance(tokens - counted);
    if (composed_ && sequence_.size() > 0) composed_->distribute_changes();
    return loss;
  }

  // Tokens between distributions of changes, in whole blocks.
  int64_t part_of_piece(int64_t block) const {
    return (sequence_.size() / parts_of_piece(task_.settings_.threads) / block + 1) * block;
  }

  // Composes the words of tokens begin .. end − 1 and of their contexts.
  void compose(int64_t begin, int64_t end) {
    const int64_t window = task_.settings_.window;
    if (begin > 0) composed_->distribute_changes();
    composed_->compose(sequence_, std::max<int64_t>(begin - window, 0),
                       std::min(end + window, sequence_.size()));
  }

  SkipGramTask& task_;
  std::unique_ptr<BlockAdversary> adversary_;
  std::optional<ComposedWords> composed_;
  std::optional<BlockTrainer> trainer_;
  std::vector<int32_t> ids_;
  Sequence sequence_;
};

SkipGramTask::SkipGramTask(const Corpus& corpus, const std::vector<double>& noise,
                           const SkipGramSettings& settings, SkipGramModel& model,
                           std::function<void(const std::string& path)> write)
    : corpus_(corpus),
      settings_(settings),
      model_(model),
      chunks_(model_.subwords ? chunks_in_piece(corpus_, settings_.threads) : 1),
      write_(std::move(write)),
      noise_(noise),
      loss_(make_block_loss(settings_.loss, noise, settings_.negatives)),
      sequences_(corpus_.vocabulary(), settings_.sample, reach_of(settings_)) {
  if (!settings_.adversary) return;
  adversary_state_.emplace(settings_, corpus_, noise, model_.contexts);
  if (has_full_softmax(settings_)) full_state_.emplace(noise, noise_);
}

std::unique_ptr<Worker> SkipGramTask::make_worker(int thread, int64_t epoch) {
  return std::make_unique<SkipGramWorker>(*this, ThreadShare{thread, settings_.threads}, epoch);
}

std::vector<Parameter> SkipGramTask::parameters() {
  std::vector<Parameter> parameters{{"words", &model_.words, Role::kResult},
                                    {"contexts", &model_.contexts, Role::kResult},
                                    {"word moments", &model_.word_moments, Role::kMemory},
                                    {"context moments", &model_.context_moments, Role::kMemory}};
  if (adversary_state_ && adversary_state_->generator) {
    adversary_state_->generator->list("generator", parameters);
    parameters.push_back({"hidden", &adversary_state_->hidden, Role::kMemory});
  }
  return parameters;
}

void SkipGramTask::save(CheckpointWriter& file) const {
  if (model_.subwords) file.put("chunks in a piece", chunks_);
  if (full_state_) full_state_->pools.save(file);
}

void SkipGramTask::load(CheckpointReader& file) {
  if (model_.subwords) {  // the number of threads may have changed
    chunks_ = std::clamp<int64_t>(file.get<int64_t>("chunks in a piece"), 1, kMostChunks);
  }
  if (full_state_) full_state_->pools.load(corpus_.vocabulary().size(), file);
}

std::span<uint64_t> SkipGramTask::filter_words() {
  if (!adversary_state_ || !adversary_state_->observed) return {};
  return adversary_state_->observed->words();
}

void SkipGramTask::read(int64_t piece, std::vector<int32_t>& ids) const {
  corpus_.read(piece * chunks_, ids);
  std::vector<int32_t> more;
  for (int64_t i = piece * chunks_ + 1; i < std::min((piece + 1) * chunks_, corpus_.chunks());
       ++i) {
    corpus_.read(i, more);
    ids.insert(ids.end(), more.begin(), more.end());
  }
}

// The current model's loss on the lines of `ids`.
Loss SkipGramTask::score(const std::vector<int32_t>& ids, Random random) const {
  const BlockShape block = settings_.block();
  Sequence sequence;
  sequences_.make(ids, random, sequence);
  std::optional<ComposedWords> composed = composed_words(model_);
  if (composed) composed->compose(sequence, 0, sequence.size());
  BlockTrainer scorer(word_rows(model_, composed), model_, noise_, block, *loss_, nullptr);
  Loss loss;
  for (int64_t begin = 0; begin < sequence.size(); begin += block.tokens) {
    const int64_t end = std::min(begin + block.tokens, sequence.size());
    loss += scorer.score(sequence, begin, end, random);
  }
  return loss;
}

std::optional<double> SkipGramTask::start_loss() {
  const double nothing = std::log(2.0) * (1 + static_cast<double>(settings_.negatives));
  std::vector<int32_t> ids;
  corpus_.read(0, ids);
  return std::max(nothing, score(ids, Random(settings_.seed, Stream::kStartScore)).mean());
}

// Each thread has the ids of a piece, before and after subsampling, and the composed words of a
// part of it. The result has all words composed.
int64_t SkipGramTask::later_bytes() const {
  constexpr int64_t kToken = 24;
  const int64_t threads = std::min<int64_t>({settings_.threads, machine_threads(), pieces()});
  const int64_t ids = threads * kToken * units() / pieces();
  if (!model_.subwords) return ids;
  const Matrix& words = model_.words;
  const Matrix& moments = model_.word_moments;
  const auto parts = static_cast<double>(pieces() * parts_of_piece(settings_.threads));
  double different = 0;  // words in a part
  for (const int64_t count : corpus_.vocabulary().counts()) {
    different += 1 - std::exp(-static_cast<double>(count) / parts);
  }
  const int64_t width = 2 * words.stride() + (moments.rows() > 0 ? moments.stride() : 0);
  const int64_t in_part = static_cast<int64_t>(different) * width;
  return ids + std::max(threads * in_part, model_.subwords->words() * words.stride()) * kFloatSize;
}

std::optional<Evaluation> SkipGramTask::evaluate() {
  const std::vector<std::vector<int32_t>>& pieces = corpus_.heldout();
  const Loss sum = sum_in_blocks(settings_.threads, std::ssize(pieces), 1, [&](int64_t i, int64_t) {
    return score(pieces[static_cast<size_t>(i)], Random(settings_.seed, Stream::kHeldOutScore, i));
  });
  if (sum.pairs == 0) return std::nullopt;
  return Evaluation{sum.mean(), {sum.mean()}};
}

}  // namespace acevec
