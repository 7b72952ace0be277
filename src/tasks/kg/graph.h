// A graph: the triples of its files, and the names in them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tasks/kg/triple_reader.h"
#include "tasks/kg/triples.h"
#include "text/lines.h"

namespace acevec {

// A file's triples, each once, in increasing order.
struct TripleFile {
  std::vector<Triple> triples;
  int64_t repeated = 0;  // lines that occur before
  int64_t unseen = 0;    // triples with an entity or a relation that no training triple has
  std::string titles;    // the line of titles, which is no triple; empty for none
};

struct Graph {
  Names entities;
  Names relations;
  TripleFile train, valid, test;
  std::string stranger;  // the first triple of `train`, if no other has one of its names
};

// Reads the triples to learn from, and those of `valid` and `test` ("" for none), whose entities
// and relations belong to the graph too, as TripleReader does; a list of names makes everything in
// it known.
//
// Throws Error as TripleReader does, naming file and line on lines with a fault, and on no triples
// to learn from.
Graph read_graph(const std::string& train, const std::string& valid, const std::string& test,
                 const TripleFormat& format = {});

// Makes a random share of the training triples the validation triples of a graph without any. None
// is taken that alone has an entity or a relation, so there may be fewer. The seed decides which.
void hold_out(double share, uint64_t seed, Graph& graph);

// Test triples (h, r, t) for which (t, r', h) or (h, r', t) is a training triple, where r' is
// nearly always the inverse of r, or its copy: four fifths of the triples of either relation, in
// all files, have a counterpart of the other one (Akrami et al. 2020). A symmetric relation is its
// own inverse. A model can copy these (Toutanova and Chen 2015; Dettmers et al. 2018).
int64_t count_leaks(const Graph& graph);

}  // namespace acevec
