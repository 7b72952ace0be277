// The adversary that weighs each sentence's candidates in the loss by hardness (ace-2018).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ace/policy.h"
#include "nn/layer.h"
#include "optim/optimizer.h"
#include "tasks/sentence/contrast.h"

namespace acevec {

struct SentenceAdversarySettings {
  double lambda = 0.7;  // share of the weight that is uniform
  float beta = 1;       // weight of the scores in the logits
  int64_t units = 32;   // dimension of queries and keys
  int64_t every = 4;    // the generator takes a turn in one of this many steps
  PolicySettings policy;
  OptimizerSettings optimizer{.ascend = true};
};

// The generator: g(j|i) = softmax_j(q_i · k_j + β s_ij), with q = tanh(Q f_i) and k = tanh(K g_j).
// K starts at 0, so that g starts as the softmax of β times the scores. It has no rows for
// sentences, since each is a candidate once per epoch.
//
// A team of threads shares the work, in blocks of the table's rows or candidates.
class SentenceAdversary {
 public:
  // `size`: of the vectors; `most_rows` and `most_candidates`: limits of tables of scores.
  SentenceAdversary(const SentenceAdversarySettings& settings, int64_t size, uint64_t seed,
                    int64_t most_rows, int64_t most_candidates, int threads);

  // Returns the weight of each other candidate, λ + (1 − λ) · others · g, with mean 1 in each row:
  // rows × candidates, valid until the next call. Targets and left-out candidates are masked. f and
  // g: vectors of the table's rows and candidates, `width` floats apart. If step `number` ≥ 1 is a
  // turn of the generator, it learns from the discriminator's losses on the candidates.
  const float* compute_weights(const ScoreTable& table, const float* f, const float* g,
                               int64_t width, int64_t number);

  PolicyReport take_report() { return std::exchange(report_, {}); }

  void list(std::vector<Parameter>& parameters);  // adds the generator's matrices

 private:
  void find_logits(const ScoreTable& part, int64_t first);
  PolicyReport find_gradient(const ScoreTable& part, int64_t first);
  void find_weights(const ScoreTable& part, int64_t first);
  void learn(const ScoreTable& table, const float* f, const float* g, int64_t width);

  SentenceAdversarySettings settings_;
  int threads_;
  Matrix q_, k_, q_moments_, k_moments_;  // Q and K, biases in the last row
  DenseLayer queries_, keys_;
  std::vector<uint8_t> masked_;
  std::vector<float> logits_, g_, weights_, rewards_, gradient_;
  AlignedFloats query_gradient_, key_gradient_;
  PolicyReport report_;
};

}  // namespace acevec
