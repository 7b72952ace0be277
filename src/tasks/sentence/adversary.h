// The adversary that weighs the candidates of each sentence by how hard they are (ACE; ace-2018,
// section 2). Its weights replace equal weights in the loss.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ace/policy.h"
#include "nn/layer.h"
#include "optim/optimizer.h"
#include "tasks/sentence/contrast.h"
#include "train/task.h"

namespace acevec {

struct SentenceAdversarySettings {
  double lambda = 0.7;  // share of the weight that is equal for all
  float beta = 1;       // of the scores in the logits
  int64_t units = 32;   // of queries and keys
  int64_t every = 4;    // steps from one turn of the generator to the next
  PolicySettings policy;
  OptimizerSettings optimizer;
};

// The generator: g(j|i) = softmax_j(q_i · k_j + β s_ij), with q = tanh(Q f_i) and k = tanh(K g_j).
// K is 0 at first, so that it begins as the softmax of β times the scores. Sentences have no rows
// of their own in it, since each is a candidate once in an epoch.
//
// A team of threads shares its work, in blocks of the table's rows or candidates.
class SentenceAdversary {
 public:
  // `size`: of vectors; the rest: the largest table of scores.
  SentenceAdversary(const SentenceAdversarySettings& settings, int64_t size, uint64_t seed,
                    int64_t most_rows, int64_t most_candidates, int threads);
  // The approximate bytes of one object.
  static int64_t bytes(int64_t most_rows, int64_t most_candidates) {
    return most_rows * most_candidates * (5 * kFloatSize + 1);
  }

  // Returns the weight of each other candidate, λ + (1 − λ) · others · g, with mean 1 in each row:
  // rows × candidates, valid until the next call. Targets and candidates that are left out are
  // masked. f and g: vectors of the table's rows and candidates, `width` floats apart. If step
  // `number`, from 1, is a turn of the generator, it learns from the discriminator's losses on the
  // candidates.
  const float* weigh(const ScoreTable& table, const float* f, const float* g, int64_t width,
                     int64_t number);

  PolicyReport take_report() { return std::exchange(report_, {}); }

  // Adds its matrices.
  void list(std::vector<Parameter>& parameters);

 private:
  void find_logits(const ScoreTable& part, int64_t first);
  PolicyReport find_gradient(const ScoreTable& part, int64_t first);
  void find_weights(const ScoreTable& part, int64_t first);
  void learn(const ScoreTable& table, const float* f, const float* g, int64_t width);

  SentenceAdversarySettings settings_;
  int threads_;
  Matrix q_, k_, q_moments_, k_moments_;  // Q and K over their biases
  DenseLayer queries_, keys_;
  std::vector<uint8_t> masked_;
  std::vector<float> logits_, g_, weights_, rewards_, gradient_;
  AlignedFloats query_gradient_, key_gradient_;
  PolicyReport report_;
};

}  // namespace acevec
