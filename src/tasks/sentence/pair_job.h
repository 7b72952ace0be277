// The training job of acevec sentence -pairs and -labels: pairs of texts, or texts with labels, and
// word vectors in, a model of sentences out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tasks/sentence/pair_step.h"
#include "train/job.h"

namespace acevec {

struct PairJobSettings {
  std::vector<std::string> pairs;  // files
  bool labelled = false;           // of texts with labels
  std::string init, vocabulary;    // files: word vectors, and counts of words; both may be empty
  TokenMode mode{};
  int64_t size = 300;  // without word vectors
  PairSettings training;
};

// The settings must outlive the job.
std::unique_ptr<Job> make_pair_job(const PairJobSettings& settings, const RunSettings& run);

}  // namespace acevec
