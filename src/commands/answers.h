// What commands print that answer queries.
#pragma once

#include <string>
#include <vector>

namespace acevec {

struct ShownAnswer {
  const std::string& name;
  double score;
};

// Prints the answers to what was asked, the best first: on a line, with `digits` behind the point,
// or with `tsv` a row each: asked, rank, name, score.
void print_answers(const std::string& asked, const std::vector<ShownAnswer>& answers, bool tsv,
                   int digits = 3);

}  // namespace acevec
