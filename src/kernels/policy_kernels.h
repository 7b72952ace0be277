// The arithmetic of policies on rows of candidates.
//
// Matrices here are rows × candidates floats without gaps, for any number of candidates and any
// alignment. g: probabilities, a categorical distribution per row.
#pragma once

#include <cstdint>

namespace acevec {

// The shape of such a matrix, and its observed candidates: `observed` is not 0 there; null: none.
struct Choices {
  const uint8_t* observed;
  int64_t rows;
  int64_t candidates;
};

// g = softmax(scale · logits) of each row, over the candidates that are not observed; observed ones
// get exactly 0. `probabilities` may be `logits`.
//
// The result is always finite. A NaN logit counts as observed; a row without allowed candidates, or
// with a logit of +∞, gets all zeros, so that a mixture of g with noise falls back to the noise.
//
// entropies[i] = H(g_i), in nats, 0 for a row of zeros; may be null.
extern void (*const softmax_rows)(const float* logits, float scale, const Choices& choices,
                                  float* probabilities, float* entropies);

// Replaces each row of `scores` by its softmax; log_sums[i] = log Σ exp of the scores, NaN if one
// of them was. A score of −∞ gets probability 0.
extern void (*const softmax_scores)(float* scores, int64_t rows, int64_t columns, float* log_sums);

// Sets g = 0 where observed and renormalises each row; a row with (almost) nothing left gets all
// zeros. Returns the probability that was not observed, summed over the rows.
extern double (*const leave_out_observed)(const uint8_t* observed, int64_t rows, int64_t candidates,
                                          float* probabilities);

// The gradient of Σ_k g_ik r_ik with respect to the logits of g: gradient_ik = g_ik (r_ik − r̄_i),
// with r̄_i = Σ_k g_ik r_ik. Returns Σ_i r̄_i.
extern double (*const expected_reward_gradient)(const float* probabilities, const float* rewards,
                                                int64_t rows, int64_t candidates, float* gradient);

// Adds the gradient of −max(0, floor − H(g_i)) with respect to the logits: −g_ik (log g_ik + H_i)
// in rows whose entropy is below `floor` (nats), nothing in the others.
extern void (*const add_entropy_floor_gradient)(const float* probabilities, const float* entropies,
                                                float floor, int64_t rows, int64_t candidates,
                                                float* gradient);

// losses[i] = −log σ(−scores[i]), the loss of a negative with that score for a discriminator with
// probability σ(score): the generator's reward (Eq. 10). `losses` may be `scores`.
extern void (*const negative_losses)(const float* scores, int64_t count, float* losses);

// Converts the weights of a row's n candidates, or gradients proportional to them, from the noise
// to the mixture λ p + (1 − λ) g (Eq. 4 of ace-2018), in place: w_k becomes w_k f_k h_k with
// f_k = (1 − a) + a n g_k.
//
// Hard negatives have large gradients, in much the same direction for all words, so f alone moves a
// row further than random negatives do, and along a direction that rows share. h_k = A + B t_k,
// clamped to 1/20 .. 20, restores Σ w_k and Σ w_k t_k (except for clamping): hardness then
// determines the direction of a row's step and not its length. t: a candidate's position along the
// shared direction, such as its mean score, best with a mean near 0. Both sums are multiplied by
// 1 + a (force − 1); with force 0 there is no h.
//
// g: probabilities; a row of zeros leaves the weights unchanged. a: 0 .. 1.
extern void (*const mix_candidates)(const float* g, const float* t, int64_t n, float a, float force,
                                    float* weights);

}  // namespace acevec
