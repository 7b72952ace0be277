// Triples in: tables of names, or of ids with a count above.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/kg/triples.h"
#include "text/lines.h"

namespace acevec {

// A file's triples, each once, in increasing order.
struct TripleFile {
  std::vector<Triple> triples;
  int64_t lines = 0;
  int64_t repeated = 0;  // lines that occur before
  int64_t unseen = 0;    // triples with an entity or a relation that no training triple has
};

struct Graph {
  Names entities;
  Names relations;
  TripleFile train, valid, test;
  std::string header;  // the first line of `train`, if no other has one of its names
};

// The files that name the ids of `train`, entity2id.txt and relation2id.txt in its folder; none in
// place of one that does not exist.
std::array<std::optional<std::string>, 2> name_lists(const std::string& train);

// The names of such a file in the order of their ids; of none no names. Throws Error when an id or
// a name is there twice or not at all, and on other counts than declared.
Names read_names(const std::optional<std::string>& path);

// The count that a file of ids begins with; none where the first line is another one.
std::optional<int32_t> count_of(const std::optional<std::string_view>& first);

// Throws Error unless there are as many lines as the count says.
void check_count(const std::string& file, int64_t promised, int64_t lines);

// The three numbers on a line of ids: head, tail and relation; none where there are others.
std::optional<std::array<int32_t, 3>> ids_on(std::string_view line);

// Reads the triples to learn from, and those of `valid` and `test` ("" for none), whose entities
// and relations belong to the graph too. "-" is standard input; packed files are unpacked.
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
