// Queries, the texts among which they look, and which of these are relevant, from files.
#pragma once

#include <string>
#include <vector>

#include "tasks/sentence/ranking.h"

namespace acevec {

struct Collection {
  std::vector<std::string> queries, texts;
  std::vector<Judged> judged;  // of each query
};

// The first sides of pairs are queries, and the second ones, equal ones once, the texts. Throws
// Error as read_pairs() does.
Collection read_pair_collection(const std::vector<std::string>& files);

// Files of names and texts, with a tab between, and of judgements: lines of query, text and grade,
// or of query, anything, text and grade, as TREC has them, with tabs or blanks between. A first
// line without a grade is a head. Grades of 0 and less mean not relevant. Judgements of queries or
// texts that are not there are passed over. Throws Error where a line is none of these or a name
// comes twice.
Collection read_collection(const std::string& texts, const std::string& queries,
                           const std::string& judgements);

}  // namespace acevec
