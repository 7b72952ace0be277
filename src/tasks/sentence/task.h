// Code shared by the tasks of acevec sentence, and training on neighbours: batches of passages,
// whose sentences pick their neighbours from the batch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "kernels/products.h"
#include "tasks/sentence/adversary.h"
#include "tasks/sentence/batch.h"
#include "tasks/sentence/contrast.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/model.h"
#include "train/task.h"

namespace acevec {

// The division of an epoch into steps.
struct Batches {
  int64_t items;                                  // items of the text
  int64_t batch_size;                             // most items in a step
  bool equal;                                     // makes all steps of an epoch about equally large
  std::function<int64_t(int64_t item)> group_of;  // items of a group are held out together
};

// Base of sentence tasks: steps on items (passages or lines) from anywhere, some of them held out.
class BatchTask : public StepTask {
 public:
  // Trains `model`. All but `batches` must outlive the task.
  BatchTask(const SentenceSettings& settings, SentenceModel& model, const Batches& batches);

  int64_t units() const override { return units_of(trained_); }
  void begin_epoch(int64_t epoch) override;

  std::vector<Parameter> parameters() override;  // of the networks and the adversary
  void write_snapshot(const std::string& path) const override {
    CheckpointWriter file(path);
    write_sentence_model(model_, file);
    file.commit();
  }

 protected:
  // Takes step `number` ≥ 1 of the run on `items`. The sums have one mean.
  virtual Sums learn_items(std::span<const int64_t> items, int64_t number, float rate,
                           Random& random) = 0;
  virtual int64_t units_of(std::span<const int64_t> items) const { return std::ssize(items); }

  std::vector<TrainedNetwork> networks() {
    std::vector<TrainedNetwork> networks{{model_.f, f_moments_}};
    if (model_.second) networks.push_back({*model_.second, *g_moments_});
    return networks;
  }
  // Makes the adversary for tables of at most this size; returns null if there is none.
  SentenceAdversary* make_adversary(int64_t most_rows, int64_t most_candidates) {
    if (!settings_.adversary) return nullptr;
    return &adversary_.emplace(*settings_.adversary, model_.shape.size, settings_.seed, most_rows,
                               most_candidates, settings_.threads);
  }
  const NetworkMoments& f_moments() const { return f_moments_; }
  const std::vector<int64_t>& heldout() const { return heldout_; }
  const std::vector<int64_t>& order() const { return order_; }  // items of the epoch

  const SentenceSettings& settings_;
  SentenceModel& model_;
  std::optional<SentenceAdversary> adversary_;

 private:
  int64_t items() const final { return std::ssize(trained_); }
  int64_t batch() const final { return batch_size_; }
  int64_t first_of(int64_t piece) const final {
    return equal_ ? items() * piece / pieces() : StepTask::first_of(piece);
  }
  Sums learn(const Piece& piece, int64_t first, int64_t last, Random& random, Clock& clock) final;

  NetworkMoments f_moments_;
  std::optional<NetworkMoments> g_moments_;  // none if g is f
  int64_t batch_size_;
  bool equal_;
  std::vector<int64_t> trained_, heldout_, order_;  // order_: trained_, shuffled
};

// Sentences first .. last − 1 of one document.
struct Passage {
  int64_t first;
  int64_t last;
};

// The whole text in order, in passages of at most `longest` sentences.
std::vector<Passage> passages_of(const SentenceCorpus& corpus, int64_t longest);

int64_t passages_in_batch(const SentenceSettings& settings);

// The limits of a step: those of the passages with the most tokens.
BatchLimits step_limits(const SentenceCorpus& corpus, const std::vector<Passage>& passages,
                        const SentenceSettings& settings);

// Sets the model's centre so that the mean of the text's vectors is 0. Long texts are sampled at
// equal distances, which gives the mean to a few thousandths of the vectors' spread.
void centre(const SentenceCorpus& corpus, int threads, SentenceModel& model);

TaskDescription describe_sentences(const SentenceSettings& settings);

class SentenceTask : public BatchTask {
 public:
  // Trains `model`, which has two networks. All must outlive the task.
  SentenceTask(const SentenceCorpus& corpus, const SentenceSettings& settings, SentenceModel& model)
      : SentenceTask(corpus, settings, model, passages_of(corpus, settings.passage)) {}

  // The loss on held-out documents, and the share of sentences whose best candidate is a neighbour.
  std::optional<Evaluation> evaluate() override;
  int64_t later_bytes() const override;
  void write_snapshot(const std::string& path) const override;

 private:
  SentenceTask(const SentenceCorpus& corpus, const SentenceSettings& settings, SentenceModel& model,
               std::vector<Passage> passages);

  Sums learn_items(std::span<const int64_t> passages, int64_t number, float rate,
                   Random& random) override;
  int64_t units_of(std::span<const int64_t> passages) const override;  // sentences

  void gather(std::vector<int64_t> passages);
  Sums compute_loss(int64_t number, Random& random);
  Sums find_losses(ScoreTable table, int64_t number, Random& random);
  Sums compute_gradients(const ScoreTable& part, int64_t first, uint64_t seed);
  void score(const ScoreTable& part, int64_t first);
  void backpropagate(Weights slopes, RowBlock others, int64_t begin, int64_t end);
  void mark(int64_t row, Mark* marks) const;
  bool are_neighbours(size_t a, size_t b) const {
    return sentences_[b] - sentences_[a] <= settings_.context &&
           corpus_.document(sentences_[a]) == corpus_.document(sentences_[b]);
  }

  const SentenceCorpus& corpus_;
  std::vector<Passage> passages_;         // passages of the text, in order
  std::unique_ptr<SentenceBatch> batch_;  // queries, then all sentences as candidates
  std::vector<int64_t> sentences_;        // sentences of a step, in text order
  std::vector<size_t> queries_;           // indices in sentences_ of those with a target
  std::vector<float> scores_;
  std::vector<Mark> marks_;
};

}  // namespace acevec
