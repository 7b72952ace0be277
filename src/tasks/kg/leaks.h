// Test triples that a model can copy: those of relations that others repeat (Toutanova and Chen
// 2015; Dettmers et al. 2018), as in FB15k and WN18.
#pragma once

#include <cstdint>

#include "tasks/kg/graph.h"

namespace acevec {

// Test triples (h, r, t) for which (t, r', h) or (h, r', t) is a training triple, where r' is
// nearly always the inverse of r, or its copy: four fifths of the triples of either relation, in
// all files, have a counterpart of the other one (Akrami et al. 2020). A symmetric relation is its
// own inverse.
int64_t count_leaks(const Graph& graph);

}  // namespace acevec
