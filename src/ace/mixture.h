// Adversarial negatives mixed into random ones, λ p + (1 − λ) g (Eq. 4 of ace-2018), without
// pushing harder than these.
#pragma once

#include <cstdint>

namespace acevec {

// Takes the weights of a row's n candidates, or gradients that are proportional to them, from the
// noise to the mixture, in place: w_k becomes w_k f_k h_k with f_k = (1 − a) + a n g_k.
//
// Hard negatives have large gradients, and for all words much the same ones, so f alone moves a row
// further than random negatives do, and along a direction that rows share. h_k = A + B t_k, kept
// within 1/20 and 20, gives Σ w_k and Σ w_k t_k back what they were (but for that bound): hardness
// then says where a row moves and not how far. t: how far a candidate lies along the shared
// direction, such as its mean score, best with a mean near 0. Both sums are multiplied by
// 1 + a (force − 1); with force 0 there is no h.
//
// g: probabilities; a row of zeros leaves the weights as they are. a: 0 .. 1.
void mix_candidates(const float* g, const float* t, int64_t n, float a, float force,
                    float* weights);

}  // namespace acevec
