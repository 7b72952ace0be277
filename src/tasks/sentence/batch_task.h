// What the tasks of acevec sentence have in common: steps of items from anywhere in a text,
// passages or lines, of which a share is held out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tasks/sentence/adversary.h"
#include "tasks/sentence/batch.h"
#include "tasks/sentence/model.h"
#include "train/task.h"

namespace acevec {

// How an epoch is divided into steps.
struct Batches {
  int64_t items;     // of the text
  int64_t together;  // items in a step at most
  bool equal;        // steps of an epoch are equally large, so that none is too small
  std::function<int64_t(int64_t item)> group_of;  // items of a group are held out together
};

class BatchTask : public Task {
 public:
  // Trains `model`. All but `batches` must outlive the task.
  BatchTask(const SentenceSettings& settings, SentenceModel& model, const Batches& batches);

  int64_t pieces() const override;
  int64_t units() const override { return units_of(trained_); }
  void begin_epoch(int64_t epoch) override;
  Parallel parallel() const override { return Parallel::kStep; }
  std::unique_ptr<Worker> make_worker(int thread, int64_t epoch) override;

  // The networks and the adversary.
  std::vector<Parameter> parameters() override;
  void write_snapshot(const std::string& path) const override;

 protected:
  // Step `number` of the run, from 1.
  virtual Sums learn(std::span<const int64_t> items, int64_t number, float rate,
                     Random& random) = 0;
  virtual int64_t units_of(std::span<const int64_t> items) const { return std::ssize(items); }

  std::vector<TrainedNetwork> networks();
  SentenceAdversaryState* adversary() { return adversary_ ? &*adversary_ : nullptr; }
  const std::vector<int64_t>& heldout() const { return heldout_; }
  const std::vector<int64_t>& order() const { return order_; }  // of the epoch

  const SentenceSettings& settings_;
  SentenceModel& model_;

 private:
  class BatchWorker;

  std::span<const int64_t> batch(int64_t piece) const;

  NetworkMoments f_moments_;
  std::optional<NetworkMoments> g_moments_;  // none if g is f
  std::optional<SentenceAdversaryState> adversary_;
  int64_t together_;
  bool equal_;
  std::vector<int64_t> trained_, heldout_, order_;  // items; order_: those of trained_, shuffled
};

}  // namespace acevec
