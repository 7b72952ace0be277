#include "word/trainer.h"

#include <algorithm>

#include "base/parallel.h"
#include "base/random.h"
#include "text/token_store.h"

namespace acevec {
namespace {

bool has_full_softmax(const SkipGramSettings& settings) {
  return settings.adversary && settings.adversary->softmax == AdversarySettings::Softmax::kFull;
}

}  // namespace

// One thread's own: copies of rows, and where the adversary's turns stand.
struct SkipGramTrainer::Worker {
  std::optional<Adversary> adversary;
  std::optional<FullAdversary> full;
  std::optional<BlockTrainer> trainer;
  std::vector<int32_t> ids;
  Sequence sequence;
};

SkipGramTrainer::SkipGramTrainer(const Corpus& corpus, const std::vector<double>& noise,
                                 const SkipGramSettings& settings, SkipGramModel& model)
    : corpus_(corpus),
      settings_(settings),
      model_(model),
      noise_(noise),
      objective_(settings.loss, noise, settings.negatives),
      sequences_(corpus.vocabulary(), settings.sample, settings.window),
      shape_(BlockTrainer::shape_for(settings.negatives)),
      workers_(static_cast<size_t>(settings.threads)) {
  if (!settings.adversary) return;
  adversary_state_.emplace(*settings.adversary, corpus, settings.window, model.contexts,
                           settings.threads, settings.seed);
  if (has_full_softmax(settings)) full_state_.emplace(*adversary_state_, noise, noise_);
}

SkipGramTrainer::~SkipGramTrainer() = default;

std::unique_ptr<SkipGramTrainer::Worker> SkipGramTrainer::make_worker(int thread) {
  auto worker = std::make_unique<Worker>();
  if (full_state_) {
    worker->full.emplace(
        *adversary_state_, *full_state_, model_, thread, settings_.threads,
        Random(settings_.seed, Stream::kFullAdversary, epoch_ * settings_.threads + thread));
  } else if (adversary_state_) {
    worker->adversary.emplace(*adversary_state_, shape_.tokens, shape_.negatives, thread,
                              settings_.threads);
  }
  worker->trainer.emplace(model_, noise_, settings_.window, settings_.negatives, shape_,
                          worker->adversary ? &*worker->adversary : nullptr,
                          worker->full ? &*worker->full : nullptr, objective_);
  return worker;
}

void SkipGramTrainer::run(const Report& report, const std::function<void()>& save) {
  pause_ = false;
  while (!done() && !pause_) {
    if (next_chunk_ == 0) sums_ = {};
    in_parallel(settings_.threads, [&](int thread) { work(thread, report, save); });
    if (next_chunk_ < corpus_.chunks()) continue;
    ++epoch_;
    next_chunk_ = 0;
    for (std::unique_ptr<Worker>& worker : workers_) worker.reset();
  }
}

// One thread's share of an epoch: chunks, as long as there are any.
void SkipGramTrainer::work(int thread, const Report& report, const std::function<void()>& save) {
  std::unique_ptr<Worker>& own = workers_[static_cast<size_t>(thread)];
  if (!own) own = make_worker(thread);
  Worker& worker = *own;
  for (int64_t chunk; !pause_ && (chunk = next_chunk_++) < corpus_.chunks();) {
    try {
      Random random(settings_.seed, epoch_stream(epoch_), chunk);
      corpus_.read(chunk, worker.ids);
      sequences_.make(worker.ids, random, worker.sequence);
      const int64_t tokens =
          std::count_if(worker.ids.begin(), worker.ids.end(), [](int32_t id) { return id >= 0; });
      TrainingSums sums;
      sums.loss = train_chunk(worker.sequence, tokens, *worker.trainer, random);
      sums.time = worker.trainer->take_time();
      if (worker.adversary) sums.adversary = worker.adversary->take_report();
      if (worker.full) sums.adversary = worker.full->take_report();
      const Wish wish = finish_chunk(sums, report);
      if (wish.pause) pause_ = true;
      if (wish.save && save) save();
    } catch (...) {
      pause_ = true;  // the others need not go on
      throw;
    }
  }
}

// `tokens`: tokens of the chunk before subsampling, which is what the learning rate counts.
Loss SkipGramTrainer::train_chunk(const Sequence& sequence, int64_t tokens, BlockTrainer& trainer,
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

SkipGramTrainer::Wish SkipGramTrainer::finish_chunk(const TrainingSums& sums,
                                                    const Report& report) {
  const std::lock_guard lock(mutex_);
  sums_ += sums;
  return report({done_, total(), epoch_ + 1, alpha(), sums});
}

double SkipGramTrainer::alpha() const {
  const double left = 1 - static_cast<double>(done_) / static_cast<double>(total());
  return std::max(settings_.min_alpha, settings_.alpha * left);
}

TrainingState SkipGramTrainer::state() const {
  return {done_, total(), std::min(epoch_ + 1, settings_.epochs), alpha()};
}

TrainingResult SkipGramTrainer::result() const {
  TrainingResult result{sums_.loss, sums_.adversary};
  if (adversary_state_ && adversary_state_->observed) {
    result.false_positive_rate = false_positive_rate(*adversary_state_->observed);
  }
  return result;
}

// For pairs as blocks look them up: words that subsampling kept, with words of the noise.
double SkipGramTrainer::false_positive_rate(const ObservedPairs& observed) const {
  Random random(settings_.seed, Stream::kFilterError);
  std::vector<int32_t> ids;
  Sequence sequence;
  corpus_.read(0, ids);
  sequences_.make(ids, random, sequence);
  for (int32_t& id : ids) id = noise_.draw(random);
  return observed.false_positive_rate(sequence.ids.data(), ids.data(), sequence.size());
}

// The loss of the model as it is, on lines of `ids`.
Loss SkipGramTrainer::score(const std::vector<int32_t>& ids, Random random) const {
  BlockTrainer scorer(model_, noise_, settings_.window, settings_.negatives, shape_, nullptr,
                      nullptr, objective_);
  Sequence sequence;
  sequences_.make(ids, random, sequence);
  Loss loss;
  for (int64_t begin = 0; begin < sequence.size(); begin += shape_.tokens) {
    const int64_t end = std::min(begin + shape_.tokens, sequence.size());
    loss += scorer.score(sequence, begin, end, random);
  }
  return loss;
}

Loss SkipGramTrainer::start_loss() const {
  std::vector<int32_t> ids;
  corpus_.read(0, ids);
  return score(ids, Random(settings_.seed, Stream::kStartScore));
}

Loss SkipGramTrainer::heldout_loss() const {
  const std::vector<std::vector<int32_t>>& pieces = corpus_.heldout();
  std::vector<Loss> losses(pieces.size());  // summed in order: threads change nothing
  for_each_piece(settings_.threads, static_cast<int64_t>(pieces.size()), [&](int, int64_t i) {
    const auto piece = static_cast<size_t>(i);
    losses[piece] = score(pieces[piece], Random(settings_.seed, Stream::kHeldOutScore, i));
  });
  Loss sum;
  for (const Loss& loss : losses) sum += loss;
  return sum;
}

void SkipGramTrainer::save(CheckpointWriter& file) const {
  file.put("epoch", epoch_);
  file.put("chunk", next_chunk_.load());
  file.put("tokens done", done_.load());
  file.put("sums", sums_);
  if (adversary_state_) adversary_state_->save(file);
  if (full_state_) full_state_->pools.save(file);
  // At the end of an epoch there are none.
  file.put("workers", static_cast<int64_t>(workers_.front() ? workers_.size() : 0));
  for (const std::unique_ptr<Worker>& worker : workers_) {
    if (!worker) continue;
    if (worker->adversary) worker->adversary->save(file);
    if (worker->full) worker->full->save(file);
  }
}

void SkipGramTrainer::load(CheckpointReader& file) {
  epoch_ = std::clamp<int64_t>(file.get<int64_t>("epoch"), 0, settings_.epochs);
  next_chunk_ = std::clamp<int64_t>(file.get<int64_t>("chunk"), 0, corpus_.chunks());
  done_ = std::clamp<int64_t>(file.get<int64_t>("tokens done"), 0, total());
  file.get("sums", sums_);
  if (adversary_state_) adversary_state_->load(file);
  if (full_state_) full_state_->pools.load(file);
  // Other threads than before begin as at the start of an epoch: which words and blocks get the
  // adversary's next turns is all that is forgotten.
  if (file.get<int64_t>("workers") != settings_.threads) return;
  for (int thread = 0; thread < settings_.threads; ++thread) {
    std::unique_ptr<Worker>& worker = workers_[static_cast<size_t>(thread)];
    worker = make_worker(thread);
    if (worker->adversary) worker->adversary->load(file);
    if (worker->full) worker->full->load(file);
  }
}

}  // namespace acevec
