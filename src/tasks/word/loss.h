// The losses of skip-gram: scores of positives and negatives -> their loss and its gradient. All
// three losses use the same two kernels and differ in the correction that is first subtracted from
// the scores. See docs/losses.md.
#pragma once

#include <cstdint>
#include <vector>

namespace acevec {

enum class LossKind {
  kNegativeSampling,  // −log σ(s⁺) − Σ log σ(−s⁻)
  kNce,               // the same of s − log(K q(y)): binary (local) NCE
  kRanking,           // −log of the positive's part in a softmax of s − log q(y): ranking NCE
};

// For each word what is subtracted from its scores as a context: log(K q) for kNce, log q for
// kRanking, for negative sampling nothing at all (empty). `noise`: q, a probability for each word.
std::vector<float> loss_corrections(LossKind kind, const std::vector<double>& noise,
                                    int64_t negatives_per_pair);

// A block's scores, corrected. Each row belongs to a word.
struct Scores {
  float* positives;        // rows × positive_count; kNoPair where there is no pair
  int64_t positive_count;  // room for positives in a row
  float* negatives;        // rows × negative_count
  int64_t negative_count;
  int64_t rows;
};

// Ranks each positive of a row against all of its negatives. With a positive's score a and the
// negatives' scores b_k its loss is
//
//   −log( e^a / (e^a + Z) ) = −log σ(a − log Z),  Z = Σ_k w_k e^{b_k}.
//
// All scores become −step times the gradient; the return value is the sum of the losses. `weights`:
// w, rows × negative_count, ≥ 0, each row's mean being 1; null: all are 1. `log_sums`: room for a
// number for each row.
double rank_scores(const Scores& scores, const float* weights, float step, float* log_sums);

// What a candidate is worth to an adversary that wants the ranking loss to be large: the loss when
// it is the only negative, −log σ(a − b_k), in the mean over the row's positives.
// losses: rows × negative_count.
void ranking_losses(const Scores& scores, float* losses);

}  // namespace acevec
