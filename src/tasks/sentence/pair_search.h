// Second sides of pairs that the present model finds for first sides: how well it does, and its
// mistakes, from which it learns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/pair_text.h"
#include "tasks/sentence/ranking.h"

namespace acevec {

// A row for side 0 or 1 of each of `pairs`, as SentenceEncoder makes it.
Matrix side_vectors(const PairText& text, const SentenceModel& model,
                    std::span<const int64_t> pairs, int side, int threads);

// How the second sides of `pairs` rank for their first sides, among those of all of them, equal
// ones once.
RankingScores score_pairs(const PairText& text, const SentenceModel& model,
                          std::span<const int64_t> pairs, int threads);

// Hard negatives from beyond a batch (ANCE, Xiong et al. 2021). For each of `pairs` another pair,
// whose second side is drawn from the `nearest` ones to the first side of it, 1 .. 50, among
// those of `candidates`. A text that some pair has with this first side is none. −1 where nothing
// is left.
std::vector<int64_t> hard_pairs(const PairText& text, const SentenceModel& model,
                                std::span<const int64_t> pairs, std::span<const int64_t> candidates,
                                int64_t nearest, Random& random, int threads);

// What that takes for so many pairs in all, such that ask, and candidates, with what is found for
// each pair, in bytes.
int64_t hard_pairs_bytes(int64_t pairs, int64_t asking, int64_t candidates, int64_t columns,
                         int threads);

}  // namespace acevec
