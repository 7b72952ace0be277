#include "sentence/task.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/kernels.h"
#include "optim/places.h"
#include "sentence/bag.h"
#include "sentence/contrast.h"

namespace acevec {
namespace {

OptimizerSettings adam() {
  OptimizerSettings settings{OptimizerKind::kAdam};
  settings.beta1 = 0;  // rows are touched too rarely for momentum
  return settings;
}

// Occurrences of rows that a batch may have: sentences are rarely so long.
constexpr int64_t kRowsPerSentence = 2 * kLongestSentence;

struct Sizes {
  int64_t sentences, f_rows, g_rows, f_most, g_most;
};

Sizes sizes_of(const SentenceModel& model, const SentenceSettings& settings) {
  const int64_t sentences = std::max(settings.batch, settings.passage) + settings.passage;
  const int64_t rows = sentences * kRowsPerSentence / (model.buckets > 0 ? 1 : 2);
  const int64_t words = settings.words > 0 ? sentences * int64_t{kLongestSentence} : 0;
  return {sentences, 2 * rows, rows + words, 2 * sentences,
          sentences + std::min<int64_t>(words, model.vocabulary.size())};
}

}  // namespace

TaskDescription describe_sentences() {
  TaskDescription description;
  description.unit = "sentences";
  description.rate = "rate";
  description.means = {"neighbour_loss", "neighbour_accuracy", "word_loss", "word_accuracy"};
  description.score = "held-out loss";
  description.evaluation = {"heldout_loss", "heldout_accuracy"};
  description.advice = "lower -rate";
  return description;
}

MemoryPlan sentence_memory(const SentenceModel& model, const SentenceSettings& settings,
                           int threads) {
  const int64_t rows = model.f.rows(), width = model.f.stride();
  const int64_t networks = model.tied ? 1 : 2;
  const Sizes sizes = sizes_of(model, settings);
  MemoryPlan plan;
  plan.job = format("training %s with vectors of size %ld", counted(rows, "row").c_str(),
                    static_cast<long>(model.size));
  plan.advice = "lower -size, -bigrams, -batch or -threads";
  plan.parts = {
      {"moments", networks * Optimizer::moment_bytes(adam(), rows, width)},
      {"threads", threads * (BagBatch::bytes(rows, width, adam(), sizes.f_rows, sizes.f_most) +
                             BagBatch::bytes(rows, width, adam(), sizes.g_rows, sizes.g_most) +
                             5 * sizes.sentences * sizes.g_most)}};
  return plan;
}

// What one thread keeps from batch to batch.
class SentenceTask::SentenceWorker : public Worker {
 public:
  explicit SentenceWorker(SentenceTask& task)
      : SentenceWorker(task, sizes_of(task.model_, task.settings_)) {}

  Sums learn(const Piece& piece, Random& random, Clock& clock) override {
    const int64_t first = piece.index * task_.passages_in_batch();
    const int64_t last =
        std::min(first + task_.passages_in_batch(), static_cast<int64_t>(task_.order_.size()));
    gather(task_.order_, first, last);
    if (task_.settings_.words > 0) leave_out_words(random);
    f_.forward();
    g_.forward();
    const ContrastSum neighbours = pick_neighbours(random);
    const ContrastSum words = pick_words();
    f_.backward(piece.step + 1, static_cast<float>(clock.rate()));
    g_.backward(piece.step + 1, static_cast<float>(clock.rate()));
    clock.advance(static_cast<int64_t>(sentences_.size()));
    clear();
    const auto mean = [](double sum, int64_t count) {
      return Mean{sum, static_cast<double>(count)};
    };
    return {mean(neighbours.loss + words.loss, neighbours.rows + words.rows),
            {mean(neighbours.loss, neighbours.rows),
             mean(static_cast<double>(neighbours.hits), neighbours.rows),
             mean(words.loss, words.rows), mean(static_cast<double>(words.hits), words.rows)}};
  }

  // Of passages first .. last − 1, without learning.
  ContrastSum look(const std::vector<Passage>& passages, int64_t first, int64_t last,
                   Random& random) {
    gather(passages, first, last);
    f_.forward();
    g_.forward();
    const ContrastSum sum = pick_neighbours(random);
    clear();
    return sum;
  }

 private:
  SentenceWorker(SentenceTask& task, const Sizes& sizes)
      : task_(task),
        f_(task.model_.f, task.f_moments_, task.optimizer_, sizes.f_rows, sizes.f_most),
        g_(task.model_.tied ? task.model_.f : task.model_.g,
           task.model_.tied ? task.f_moments_ : task.g_moments_, task.optimizer_, sizes.g_rows,
           sizes.g_most),
        words_(std::max<int64_t>(sizes.g_most - sizes.sentences, 1)) {}

  void gather(const std::vector<Passage>& passages, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const Passage& passage = passages[static_cast<size_t>(i)];
      for (int64_t s = passage.first; s < passage.last; ++s) {
        sentences_.push_back(s);
        passage_.push_back(i);
        rows_of(task_.corpus_.sentence(s));
        f_.add(rows_.data(), rows_.size());
        g_.add(rows_.data(), rows_.size());
      }
    }
  }

  void rows_of(std::span<const int32_t> ids) {
    bag_rows(ids.data(), ids.size(), task_.model_.vocabulary.size(), task_.model_.buckets, rows_);
  }

  // Adds to f's batch each sentence without some of its words, and to g's these words, each as a
  // sentence of one.
  void leave_out_words(Random& random) {
    for (size_t i = 0; i < sentences_.size(); ++i) {
      const std::span<const int32_t> ids = task_.corpus_.sentence(sentences_[i]);
      kept_.clear();
      left_.clear();
      for (const int32_t id : ids) {
        const bool out = random.uniform() < task_.leave_out_[static_cast<size_t>(id)];
        (out ? left_ : kept_).push_back(id);
      }
      if (left_.empty() || kept_.empty()) continue;
      shortened_.push_back({});
      for (const int32_t id : left_) {
        shortened_.back().targets.push_back(static_cast<int32_t>(words_.place(id)));
      }
      // A word that is still there is nothing to be told from.
      shortened_.back().kept = kept_;
      rows_of(kept_);
      f_.add(rows_.data(), rows_.size());
    }
    for (int64_t i = 0; i < words_.count(); ++i) g_.add(words_.ids() + i, 1);
  }

  // The scores of f's `rows` from `first_row` on with g's `candidates` from `first` on.
  void score(int64_t first_row, int64_t rows, int64_t first, int64_t candidates) {
    scores_.resize(static_cast<size_t>(rows * candidates));
    marks_.assign(scores_.size(), Mark::kOther);
    score_rows(f_.mean(first_row), rows, g_.mean(first), candidates, f_.width(), scores_.data(),
               candidates);
  }

  // From dL/dscores, which now stand in their place, to those of means.
  void push_down(int64_t first_row, int64_t rows, int64_t first, int64_t candidates) {
    mix_rows({scores_.data(), candidates, 1}, rows, g_.mean(first), candidates, f_.width(),
             f_.gradient(first_row), true);
    mix_rows({scores_.data(), 1, candidates}, candidates, f_.mean(first_row), rows, f_.width(),
             g_.gradient(first), true);
  }

  ContrastSum pick_neighbours(Random& random) {
    const auto n = static_cast<int64_t>(sentences_.size());
    if (task_.settings_.context == 0) return {};
    score(0, n, 0, n);
    for (int64_t i = 0; i < n; ++i) {
      Mark* const marks = marks_.data() + i * n;
      const int64_t reach = task_.settings_.context;
      for (int64_t j = std::max<int64_t>(i - reach, 0); j <= std::min(i + reach, n - 1); ++j) {
        if (passage_[static_cast<size_t>(i)] == passage_[static_cast<size_t>(j)]) {
          marks[j] = Mark::kTarget;
        }
      }
      marks[i] = Mark::kLeftOut;
    }
    const ContrastSum sum =
        task_.settings_.block > 0
            ? compare_blocks(scores_.data(), marks_, n, n, task_.settings_.block, random)
            : pick_targets(scores_.data(), marks_, n, n);
    push_down(0, n, 0, n);
    return sum;
  }

  ContrastSum pick_words() {
    const auto n = static_cast<int64_t>(sentences_.size());
    const auto rows = static_cast<int64_t>(shortened_.size());
    const int64_t candidates = words_.count();
    if (rows == 0) return {};
    score(n, rows, n, candidates);
    for (int64_t i = 0; i < rows; ++i) {
      Mark* const marks = marks_.data() + i * candidates;
      const Shortened& sentence = shortened_[static_cast<size_t>(i)];
      for (const int32_t id : sentence.kept) {
        const int64_t place = words_.find(id);
        if (place >= 0) marks[place] = Mark::kLeftOut;
      }
      for (const int32_t place : sentence.targets) marks[place] = Mark::kTarget;
    }
    const ContrastSum sum = pick_targets(scores_.data(), marks_, rows, candidates);
    push_down(n, rows, n, candidates);
    return sum;
  }

  void clear() {
    f_.clear();
    g_.clear();
    words_.clear();
    sentences_.clear();
    passage_.clear();
    shortened_.clear();
  }

  // A sentence without some of its words.
  struct Shortened {
    std::vector<int32_t> kept;     // ids
    std::vector<int32_t> targets;  // places of the others
  };

  SentenceTask& task_;
  BagBatch f_, g_;
  Places words_;                    // left out in this batch
  std::vector<int64_t> sentences_;  // of this batch
  std::vector<int64_t> passage_;    // of each of them
  std::vector<Shortened> shortened_;
  std::vector<int32_t> rows_, kept_, left_;
  std::vector<float> scores_;
  std::vector<Mark> marks_;
};

SentenceTask::SentenceTask(const SentenceCorpus& corpus, const SentenceSettings& settings,
                           SentenceModel& model, Save save)
    : corpus_(corpus),
      settings_(settings),
      model_(model),
      save_(std::move(save)),
      optimizer_(adam()),
      f_moments_(Optimizer::moments_for(optimizer_, model.f.rows(), model.f.stride())),
      g_moments_(Optimizer::moments_for(optimizer_, model.g.rows(), model.g.stride())) {
  int32_t document = -1;
  bool held_out = false;
  for (int64_t i = 0; i < corpus.sentences();) {
    if (corpus.document(i) != document) {
      document = corpus.document(i);
      held_out = Random(settings.seed, Stream::kSentenceHeldOut, document).uniform() <
                 static_cast<float>(settings.heldout);
    }
    int64_t end = i + 1;
    while (end < corpus.sentences() && end - i < settings.passage &&
           corpus.document(end) == document) {
      ++end;
    }
    (held_out ? heldout_ : passages_).push_back({i, end});
    if (!held_out) trained_ += end - i;
    i = end;
  }
  const double total = static_cast<double>(model.vocabulary.total());
  for (int32_t id = 0; id < model.vocabulary.size(); ++id) {
    const double share = static_cast<double>(model.vocabulary.count(id)) / total;
    const double keep = settings.sample > 0 ? std::min(1.0, std::sqrt(settings.sample / share)) : 1;
    leave_out_.push_back(static_cast<float>(settings.words * keep));
  }
  order_ = passages_;
}

int64_t SentenceTask::passages_in_batch() const {
  return std::max<int64_t>(1, settings_.batch / settings_.passage);
}

int64_t SentenceTask::pieces() const {
  const auto passages = static_cast<int64_t>(passages_.size());
  return (passages + passages_in_batch() - 1) / passages_in_batch();
}

int64_t SentenceTask::units() const {
  return trained_;
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
  std::vector<Parameter> parameters{{"f", &model_.f, Role::kResult},
                                    {"f moments", &f_moments_, Role::kMemory}};
  if (!model_.tied) {
    parameters.push_back({"g", &model_.g, Role::kResult});
    parameters.push_back({"g moments", &g_moments_, Role::kMemory});
  }
  return parameters;
}

std::optional<Evaluation> SentenceTask::evaluate() {
  if (heldout_.empty()) return std::nullopt;
  SentenceWorker worker(*this);
  Random random(settings_.seed, Stream::kSentenceHeldOut, -1);
  // As they come a batch would be of one document; held-out passages are taken at equal distances.
  const auto count = static_cast<int64_t>(heldout_.size());
  const int64_t batches = std::max<int64_t>(1, count / passages_in_batch());
  ContrastSum sum;
  std::vector<Passage> batch;
  for (int64_t b = 0; b < batches; ++b) {
    batch.clear();
    for (int64_t i = b; i < count && static_cast<int64_t>(batch.size()) < passages_in_batch();
         i += batches) {
      batch.push_back(heldout_[static_cast<size_t>(i)]);
    }
    const ContrastSum one = worker.look(batch, 0, static_cast<int64_t>(batch.size()), random);
    sum.loss += one.loss;
    sum.rows += one.rows;
    sum.hits += one.hits;
  }
  if (sum.rows == 0) return std::nullopt;
  const double loss = sum.loss / static_cast<double>(sum.rows);
  return Evaluation{loss, {loss, static_cast<double>(sum.hits) / static_cast<double>(sum.rows)}};
}

}  // namespace acevec
