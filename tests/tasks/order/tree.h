// A made-up hierarchy for tests: a complete tree, every concept below all that lead to it.
#pragma once

#include <string>
#include <vector>

#include "tasks/order/hierarchy.h"

namespace acevec {

// `depth` levels under the root, `branches` children each: concept i's parent is (i − 1)/branches.
inline std::vector<OrderPair> tree_pairs(int branches, int depth) {
  int concepts = 1;
  int level = 1;
  for (int i = 0; i < depth; ++i) concepts += level *= branches;
  std::vector<OrderPair> pairs;
  for (int id = 1; id < concepts; ++id) {
    for (int above = id; above > 0;) {
      above = (above - 1) / branches;
      pairs.push_back({id, above});
    }
  }
  return pairs;
}

inline Hierarchy tree(int branches, int depth) {
  Hierarchy hierarchy;
  hierarchy.lines = tree_pairs(branches, depth);
  std::vector<WordCount> words;
  const int32_t concepts = hierarchy.lines.back().specific + 1;
  // Falling counts, so that concept i is number i of the vocabulary.
  for (int32_t id = 0; id < concepts; ++id) words.push_back({std::to_string(id), concepts - id});
  hierarchy.concepts = Vocabulary(std::move(words), 1, 0);
  return hierarchy;
}

}  // namespace acevec
