#include "tasks/sentence/task.h"

#include <algorithm>
#include <cmath>

#include "kernels/products.h"
#include "tasks/sentence/batch.h"
#include "tasks/sentence/encoder.h"
#include "tasks/sentence/model_file.h"

namespace acevec {
namespace {

// Scores and what comes with them; and, of what grows as a batch is read, twice what it needs.
int64_t thread_bytes(const SentenceShape& shape, const SentenceSettings& settings,
                     const BatchLimits& limits, int64_t words) {
  int64_t bytes = 2 * batch_bytes(shape, words, limits) + 5 * limits.sentences * limits.sentences;
  if (settings.adversary) {
    bytes += SentenceAdversary::bytes(*settings.adversary, shape.size, limits.sentences,
                                      limits.sentences);
  }
  return bytes;
}

// The model's copy of the words, and beside it what finds them in a file of vectors, or their text
// for the model's file.
int64_t vocabulary_bytes(const Vocabulary& vocabulary) {
  constexpr int64_t kFound = 64;
  int64_t bytes = 0;
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const auto length = static_cast<int64_t>(vocabulary.word(id).size());
    bytes += static_cast<int64_t>(sizeof(WordCount)) + std::max(3 * length, kFound) + length;
  }
  return bytes;
}

}  // namespace

TaskDescription describe_sentences(const SentenceSettings& settings) {
  TaskDescription description{.unit = "sentences",
                              .means = {"neighbour_accuracy"},
                              .score = "held-out loss",
                              .evaluation = {"heldout_loss", "heldout_accuracy"}};
  if (settings.adversary) {
    description.means.insert(description.means.end(), {"ace_entropy", "ace_reward"});
  }
  return description;
}

MemoryPlan sentence_memory(const SentenceCorpus& corpus, const SentenceShape& shape,
                           const SentenceSettings& settings, bool keep_best, int threads) {
  const int64_t words = corpus.vocabulary().size();
  const std::vector<Passage> passages = passages_of(corpus, settings.passage);
  const BatchLimits limits = step_limits(corpus, passages, settings);
  const bool evaluates = settings.heldout > 0;
  MemoryPlan plan;
  plan.job = format("training %s with vectors of size %ld", counted(words, "word").c_str(),
                    static_cast<long>(shape.size));
  plan.advice = "lower -size, -batch or -threads";
  plan.parts = {
      {keep_best ? "networks and the best of them" : "networks",
       (keep_best ? int64_t{4} : int64_t{2}) * Network::bytes(shape, words)},
      {"moments", 2 * NetworkMoments::bytes(shape, words)},
      {"words", vocabulary_bytes(corpus.vocabulary())},
      {"passages", 4 * std::ssize(passages) * static_cast<int64_t>(sizeof(Passage))},
      {"encoding", threads * SentenceEncoder::bytes(shape, kEncodedTogether)},
      {"threads", (threads + (evaluates ? 1 : 0)) * thread_bytes(shape, settings, limits, words)}};
  if (settings.adversary) {
    plan.parts.push_back(
        {"adversary", SentenceAdversaryState::bytes(*settings.adversary, shape.size)});
  }
  return plan;
}

// What one thread keeps from batch to batch.
class SentenceTask::SentenceWorker : public Worker {
 public:
  explicit SentenceWorker(SentenceTask& task)
      : task_(task),
        f_(make_batch(task.model_.shape, task.model_.f, task.f_moments_, task.limits_)),
        g_(make_batch(task.model_.shape, task.model_.g(), task.g_moments_, task.limits_)) {
    const int64_t sentences = task.limits_.sentences;
    const auto cells = static_cast<size_t>(sentences * sentences);
    scores_.reserve(cells);  // growing would need more for a moment
    marks_.reserve(cells);
    if (task.adversary_) adversary_.emplace(*task.adversary_, sentences, sentences);
  }

  Sums learn(const Piece& piece, Random& random, Clock& clock) override {
    const int64_t first = piece.index * passages_in_batch(task_.settings_);
    const int64_t last =
        std::min(first + passages_in_batch(task_.settings_), std::ssize(task_.order_));
    const ContrastSum sum =
        compare({task_.order_.begin() + first, task_.order_.begin() + last}, random, true);
    if (sum.rows > 0) {
      f_->backward(piece.step + 1, static_cast<float>(clock.rate()));
      g_->backward(piece.step + 1, static_cast<float>(clock.rate()));
    }
    clock.advance(static_cast<int64_t>(sentences_.size()));
    clear();
    const auto rows = static_cast<double>(sum.rows);
    Sums sums{{sum.loss, rows}, {{static_cast<double>(sum.hits), rows}}};
    if (adversary_) {
      const PolicyReport report = adversary_->take_report();
      sums.means.push_back({report.entropy, report.conditions});
      sums.means.push_back({report.reward, report.conditions});
    }
    return sums;
  }

  void save(CheckpointWriter& file) const override {
    if (adversary_) adversary_->save(file);
  }

  void load(CheckpointReader& file) override {
    if (adversary_) adversary_->load(file);
  }

  // Of a batch, without learning.
  ContrastSum look(std::span<const Passage> batch, Random& random) {
    const ContrastSum sum = compare(batch, random, false);
    clear();
    return sum;
  }

 private:
  // f gets only sentences that have a target: the others would take steps of nothing.
  void gather(std::span<const Passage> batch) {
    for (const Passage& passage : batch) {
      for (int64_t s = passage.first; s < passage.last; ++s) {
        sentences_.push_back(s);
        add(s, *g_);
      }
    }
    for (size_t i = 0; i < sentences_.size(); ++i) {
      const bool asks = std::any_of(sentences_.begin(), sentences_.end(), [&](int64_t other) {
        return other != sentences_[i] && are_neighbours(sentences_[i], other);
      });
      if (!asks) continue;
      asking_.push_back(i);
      add(sentences_[i], *f_);
    }
  }

  void add(int64_t sentence, SentenceBatch& batch) {
    const std::span<const int32_t> words = task_.corpus_.sentence(sentence);
    batch.add(words.data(), words.size());
  }

  ScoreTable score() {
    const int64_t rows = f_->count(), n = g_->count();
    scores_.resize(static_cast<size_t>(rows * n));
    marks_.assign(scores_.size(), Mark::kOther);
    score_rows({f_->vector(0), rows}, {g_->vector(0), n}, f_->width(), {scores_.data(), n});
    return {scores_.data(), marks_.data(), nullptr, rows, n};
  }

  // From dL/dscores, which now stand in their place, to those of vectors.
  void push_down() {
    const int64_t rows = f_->count(), n = g_->count();
    mix_rows({scores_.data(), n, 1}, rows, {g_->vector(0), n}, f_->width(), f_->gradient(0), true);
    mix_rows({scores_.data(), 1, n}, n, {f_->vector(0), rows}, f_->width(), g_->gradient(0), true);
  }

  // Leaves the gradients of the batch's vectors. `learning`: as the adversary weighs the
  // candidates.
  ContrastSum compare(std::span<const Passage> batch, Random& random, bool learning) {
    gather(batch);
    f_->forward();
    g_->forward();
    if (asking_.empty()) return {};
    ScoreTable table = score();
    mark_neighbours();
    if (learning && adversary_) {
      table.weights = adversary_->weigh(table, f_->vector(0), g_->vector(0), f_->width(), random);
    }
    const int64_t block = task_.settings_.block;
    const ContrastSum sum = block > 0 ? compare_blocks(table, block, random) : pick_targets(table);
    push_down();
    return sum;
  }

  // Sentences beside one are its targets, also when a batch has them from another passage.
  void mark_neighbours() {
    const size_t n = sentences_.size();
    for (size_t row = 0; row < asking_.size(); ++row) {
      Mark* const marks = marks_.data() + row * n;
      const int64_t self = sentences_[asking_[row]];
      for (size_t j = 0; j < n; ++j) {
        if (are_neighbours(self, sentences_[j])) marks[j] = Mark::kTarget;
      }
      marks[asking_[row]] = Mark::kLeftOut;
    }
  }

  bool are_neighbours(int64_t a, int64_t b) const {
    return std::abs(a - b) <= task_.settings_.context &&
           task_.corpus_.document(a) == task_.corpus_.document(b);
  }

  void clear() {
    f_->clear();
    g_->clear();
    sentences_.clear();
    asking_.clear();
  }

  SentenceTask& task_;
  std::unique_ptr<SentenceBatch> f_, g_;
  std::optional<SentenceAdversary> adversary_;
  std::vector<int64_t> sentences_;  // of this batch
  std::vector<size_t> asking_;      // places there of those that have a target
  std::vector<float> scores_;
  std::vector<Mark> marks_;
};

SentenceTask::SentenceTask(const SentenceCorpus& corpus, const SentenceSettings& settings,
                           SentenceModel& model)
    : corpus_(corpus),
      settings_(settings),
      model_(model),
      f_moments_(model.f),
      g_moments_(model.g()) {
  if (settings.adversary) adversary_.emplace(*settings.adversary, model.shape.size, settings.seed);
  const std::vector<Passage> all = passages_of(corpus, settings.passage);
  limits_ = step_limits(corpus, all, settings);
  int32_t document = -1;
  bool held_out = false;
  for (const Passage& passage : all) {
    if (corpus.document(passage.first) != document) {
      document = corpus.document(passage.first);
      held_out = Random(settings.seed, Stream::kSentenceHeldOut, document).uniform() <
                 static_cast<float>(settings.heldout);
    }
    (held_out ? heldout_ : passages_).push_back(passage);
    if (!held_out) trained_ += passage.last - passage.first;
  }
  order_ = passages_;
}

int64_t SentenceTask::pieces() const {
  const auto passages = static_cast<int64_t>(passages_.size());
  const int64_t in_batch = passages_in_batch(settings_);
  return (passages + in_batch - 1) / in_batch;
}

void SentenceTask::begin_epoch(int64_t epoch) {
  order_ = passages_;
  Random random(settings_.seed, Stream::kSentenceShuffle, epoch);
  shuffle(order_, random);
}

std::unique_ptr<Worker> SentenceTask::make_worker(int /*thread*/, int64_t /*epoch*/) {
  return std::make_unique<SentenceWorker>(*this);
}

std::vector<Parameter> SentenceTask::parameters() {
  std::vector<Parameter> parameters;
  const auto list = [&](const std::string& name, Network& network, NetworkMoments& moments) {
    parameters.push_back({name, &network.rows, Role::kResult});
    parameters.push_back({name + " moments", &moments.rows, Role::kMemory});
    if (model_.shape.has_weights()) return;
    parameters.push_back({name + " gates", &network.gates, Role::kResult});
    parameters.push_back({name + " gates' moments", &moments.gates, Role::kMemory});
  };
  list("f", model_.f, f_moments_);
  list("g", model_.g(), g_moments_);
  if (adversary_) adversary_->list(parameters);
  return parameters;
}

std::optional<Evaluation> SentenceTask::evaluate() {
  if (heldout_.empty()) return std::nullopt;
  SentenceWorker worker(*this);
  Random random(settings_.seed, Stream::kSentenceHeldOut, -1);
  // As they come a batch would be of one document; held-out passages are taken at equal distances.
  // So many tell the loss to a hundredth, and more would take longer than the training between.
  constexpr int64_t kMostPassages = 4096;
  const auto held_out = static_cast<int64_t>(heldout_.size());
  const int64_t count = std::min(held_out, kMostPassages);
  const int64_t batches = std::max<int64_t>(1, count / passages_in_batch(settings_));
  ContrastSum sum;
  std::vector<Passage> batch;
  for (int64_t b = 0; b < batches; ++b) {
    batch.clear();
    for (int64_t i = b;
         i < count && static_cast<int64_t>(batch.size()) < passages_in_batch(settings_);
         i += batches) {
      batch.push_back(heldout_[static_cast<size_t>(i * held_out / count)]);
    }
    const ContrastSum one = worker.look(batch, random);
    sum.loss += one.loss;
    sum.rows += one.rows;
    sum.hits += one.hits;
  }
  if (sum.rows == 0) return std::nullopt;
  const double loss = sum.loss / static_cast<double>(sum.rows);
  return Evaluation{loss, {loss, static_cast<double>(sum.hits) / static_cast<double>(sum.rows)}};
}

void SentenceTask::write_snapshot(const std::string& path) const {
  CheckpointWriter file(path);
  write_sentence_model(model_, file);
  file.commit();
}

}  // namespace acevec
