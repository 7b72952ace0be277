// Test triples that -train repeats, counted by hand.

#include "tasks/kg/graph.h"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

namespace acevec::leaks_test {
namespace {

constexpr int32_t kIn = 0, kContains = 1, kNear = 2, kLikes = 3;

// Ten places in the next one, and the inverse of all but some.
Graph graph_of(int32_t without_inverse) {
  Graph graph;
  for (int32_t i = 0; i < 30; ++i) graph.entities.add(std::to_string(i));
  for (int32_t r = 0; r < 4; ++r) graph.relations.add(std::to_string(r));
  for (int32_t i = 0; i < 10; ++i) {
    graph.train.triples.push_back({i, kIn, i + 10});
    if (i < 10 - without_inverse) graph.train.triples.push_back({i + 10, kContains, i});
  }
  return graph;
}

// Graphs have their triples in increasing order.
int64_t leaks_of(Graph graph) {
  std::ranges::sort(graph.train.triples);
  return count_leaks(graph);
}

}  // namespace

TEST_CASE("a triple whose inverse is in -train leaks, if its relation nearly always has one") {
  for (const auto& pair : {std::pair(0, 1), {1, 1}, {5, 0}}) {
    const auto [without, leaks] = pair;
    CAPTURE(pair.first);  // CAPTURE cannot take structured bindings
    Graph graph = graph_of(without);
    graph.train.triples.push_back({25, kIn, 26});
    graph.test.triples = {{26, kContains, 25}, {27, kContains, 28}};
    CHECK(leaks_of(graph) == leaks);
  }
}

TEST_CASE("a copy leaks, and the triple itself and a wider relation do not") {
  Graph graph = graph_of(0);
  for (int32_t i = 0; i < 10; ++i) {
    graph.train.triples.push_back({i, kNear, i + 10});
    graph.train.triples.push_back({i, kLikes, i + 10});
    graph.train.triples.push_back({i, kLikes, i + 11});
  }
  graph.train.triples.push_back({20, kNear, 21});
  graph.train.triples.push_back({22, kLikes, 23});
  graph.test.triples = {{20, kIn, 21}, {22, kIn, 23}};
  CHECK(leaks_of(graph) == 1);
  graph = Graph();
  graph.entities.add("a");
  graph.relations.add("r");
  graph.train.triples = graph.test.triples = {{0, 0, 0}};
  CHECK(leaks_of(graph) == 0);
}

TEST_CASE("a symmetric relation is its own inverse") {
  Graph graph = graph_of(0);
  for (int32_t i = 0; i < 10; ++i) {
    graph.train.triples.push_back({i, kNear, i + 1});
    if (i > 0) graph.train.triples.push_back({i + 1, kNear, i});
  }
  graph.test.triples = {{1, kNear, 0}};
  CHECK(leaks_of(graph) == 1);
}

}  // namespace acevec::leaks_test
