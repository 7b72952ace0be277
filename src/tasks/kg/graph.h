// Triples in: tables of names, or of ids with a count above.
#pragma once

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "tasks/kg/triple.h"

namespace acevec {

// Names, numbered from 0 as they come.
class Names {
 public:
  int32_t size() const { return static_cast<int32_t>(names_.size()); }
  const std::string& name(int32_t id) const { return names_[static_cast<size_t>(id)]; }
  const std::vector<std::string>& all() const { return names_; }
  int32_t find(const std::string& name) const;  // −1 when there is none
  int32_t add(const std::string& name);         // its number, a new one for a new name

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, int32_t> ids_;
};

// A file's triples, each once, in increasing order.
struct TripleFile {
  std::vector<Triple> triples;
  int64_t lines = 0;
  int64_t repeated = 0;  // lines that stand there already
  int64_t unseen = 0;    // triples with an entity or a relation that no training triple has
};

struct Graph {
  Names entities;
  Names relations;
  TripleFile train, valid, test;
};

// Where names would be that belong to ids in the file `train`: entity2id.txt and relation2id.txt in
// its folder.
std::array<std::string, 2> name_lists(const std::string& train);

// Reads the triples to learn from, and those of `valid` and `test` ("" for none), whose entities
// and relations belong to the graph too. "-" is standard input; gzip is unpacked.
//
// Two formats, told apart by the first line. Names: lines "head TAB relation TAB tail". Ids: a line
// with the number of triples, then lines "head tail relation" of numbers from 0; names are then
// looked for in name_lists() (a count, then lines
// "name TAB id") and make everything in them known; without them the numbers are the names.
//
// Throws Error, naming file and line, on lines of other than three columns, empty names, names that
// are not UTF-8, ids that are not numbers or beyond the names; on other counts than declared; on no
// triples to learn from.
Graph read_graph(const std::string& train, const std::string& valid, const std::string& test);

}  // namespace acevec
