// Epochs over a corpus on all threads: ids -> blocks -> updates.
#pragma once

#include <cstdint>
#include <functional>

#include "text/corpus.h"
#include "word/block.h"
#include "word/model.h"
#include "word/settings.h"

namespace acevec {

// What training adds to the memory in use, in bytes.
struct TrainingMemory {
  int64_t matrices;  // V and U, 2 · words · padded(size) · 4, and with Adam two moments of each
  int64_t
      tables;  // noise, subsampling and what they are built from: 48 · words, 52 with corrections
  int64_t threads;    // the copies of rows that threads work on, and a chunk of ids each
  int64_t adversary;  // the filter of observed pairs and the generator
  int64_t total() const { return matrices + tables + threads + adversary; }
};
TrainingMemory training_memory(int64_t words, const SkipGramSettings& settings);

// What training sums up as it goes.
struct TrainingSums {
  Loss loss;                  // on positives and noise, with and without adversary
  AdversaryReport adversary;  // rows = 0 without adversary
  BlockTime time;             // the same

  TrainingSums& operator+=(const TrainingSums& other) {
    loss += other.loss;
    adversary += other.adversary;
    time += other.time;
    return *this;
  }
};

// Where a run stands.
struct TrainingState {
  int64_t tokens = 0;  // tokens done, of `total`; every epoch counts
  int64_t total = 0;
  int64_t epoch = 0;         // from 1
  double alpha = 0;          // learning rate now
  TrainingSums recent = {};  // of the chunk that is just done
};

// What came of a run, from its last epoch.
struct TrainingResult {
  Loss loss;
  AdversaryReport adversary;       // sums
  double false_positive_rate = 0;  // of the filter of observed pairs
};

// Trains `model` on `corpus`. The learning rate falls linearly from alpha to min_alpha. `noise`
// holds a probability for every word.
//
// `report` is called after every chunk, by one thread at a time. When it returns true, that thread
// then calls `save` (if there is one) while the others go on training: reading the model there is
// for math/hogwild.h.
//
// With one thread and one seed the result is the same to the byte, whatever these two do. Throws
// Error when training diverges or the corpus cannot be read back, and what `report` and `save`
// throw.
TrainingResult train_skip_gram(const Corpus& corpus, const std::vector<double>& noise,
                               const SkipGramSettings& settings, SkipGramModel& model,
                               const std::function<bool(const TrainingState&)>& report,
                               const std::function<void()>& save = {});

}  // namespace acevec
