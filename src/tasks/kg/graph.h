// A knowledge graph: the triples of its files, and their names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tasks/kg/triple_reader.h"
#include "tasks/kg/triples.h"
#include "text/lines.h"

namespace acevec {

// A file's distinct triples, in increasing order.
struct TripleFile {
  std::vector<Triple> triples;
  int64_t repeated = 0;  // lines that repeat earlier ones
  int64_t unseen = 0;    // triples with an entity or a relation that is in no training triple
  std::string titles;    // the header line, which is no triple; empty: none
};

struct Graph {
  Names entities;
  Names relations;
  TripleFile train, valid, test;
  std::string possible_header;  // first triple of `train` if no other shares a name with it
};

// Reads the training triples, and those of `valid` and `test` ("" for none), whose entities and
// relations also belong to the graph. If there is a list of names, all of its names do.
//
// Throws Error as TripleReader does, naming file and line, and if there are no training triples.
Graph read_graph(const std::string& train, const std::string& valid, const std::string& test,
                 const TripleFormat& format = {});

// Moves a share of the training triples, by the seed, to the validation triples of a graph without
// any. The only triple of an entity or a relation is never moved, so there may be fewer.
void hold_out(double share, uint64_t seed, Graph& graph);

// The number of test triples (h, r, t) for which (t, r', h) or (h, r', t) is a training triple,
// where r' is nearly always the inverse or a duplicate of r: at least four fifths of either
// relation's triples, in all files, have a counterpart (Akrami et al. 2020). A symmetric relation
// is its own inverse. A model can copy these (Toutanova and Chen 2015; Dettmers et al. 2018).
int64_t count_leaks(const Graph& graph);

// The number of relations with the name of an entity; whole numbers are ids, and no evidence.
int64_t count_like_entities(const Graph& graph);

}  // namespace acevec
