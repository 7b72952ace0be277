// Triples of both formats, and what is wrong with them.

#include "tasks/kg/graph.h"

#include <algorithm>
#include <iterator>
#include <string>

#include <doctest/doctest.h>
#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {
TEST_CASE("names are numbered as they come, and repeats and triples with unseen ones are counted") {
  const TemporaryFolder folder;
  const Graph graph = read_graph(
      folder.write("train", "oslo\tin\tnorway\nbonn\tin\tgermany\noslo\tin\tnorway\n\n"),
      folder.write("valid", "oslo\tin\tgermany\nrome\tin\titaly\noslo\tnear\tbonn\n"), "");
  CHECK(graph.entities.all() ==
        std::vector<std::string>{"oslo", "norway", "bonn", "germany", "rome", "italy"});
  CHECK(graph.relations.all() == std::vector<std::string>{"in", "near"});
  CHECK(graph.train.triples == std::vector<Triple>{{0, 0, 1}, {2, 0, 3}});
  CHECK(graph.train.repeated == 1);
  CHECK(graph.train.unseen == 0);
  CHECK(graph.valid.triples == std::vector<Triple>{{0, 0, 3}, {0, 1, 2}, {4, 0, 5}});
  CHECK(graph.valid.unseen == 2);
  CHECK(graph.test.triples.empty());
}

TEST_CASE("a first line whose names are on no other is told, of a file that has several") {
  const TemporaryFolder folder;
  const std::string rest = "oslo\tin\tnorway\nbonn\tin\tgermany\nrome\tin\titaly\n";
  const auto header = [&](const std::string& text) {
    return read_graph(folder.write("train", text), "", "").possible_header;
  };
  CHECK(header("from\tby\tto\n" + rest) == "from by to");
  CHECK(header(rest + rest) == "");
  CHECK(header("paris\tin\tfrance\n" + rest) == "");
  CHECK(header("rome\tcapital\ta\n" + rest) == "");
  CHECK(header("from\tby\tto\noslo\tin\tnorway\n") == "");
  CHECK(header("head\trelation\ttail\n" + rest) == "");
  CHECK(header("4\n0 1 0\n2 3 1\n4 5 1\n2 5 1\n") == "");
}

TEST_CASE("all files have one format, and each may have titles") {
  const TemporaryFolder folder;
  const Graph graph =
      read_graph(folder.write("train", "relation,head,tail\nin,oslo,norway\n"), "",
                 folder.write("test", "oslo,near,bonn\n"), {.delimiter = ',', .columns = {}});
  CHECK(graph.train.titles == "relation,head,tail");
  CHECK(graph.train.triples == std::vector<Triple>{{0, 0, 1}});
  CHECK(graph.test.titles == "");
  CHECK(graph.test.triples == std::vector<Triple>{{0, 1, 2}});
}

TEST_CASE("a share is held out, and nothing loses its last training triple") {
  // A ring, a pair that nothing else knows, and a loop.
  std::vector<Triple> triples{{200, 1, 201}, {202, 0, 202}};
  for (int32_t i = 0; i < 200; ++i) {
    for (int32_t step = 1; step <= 2; ++step) triples.push_back({i, 0, (i + step) % 200});
  }
  std::ranges::sort(triples);
  const auto held_out = [&](double share, uint64_t seed) {
    Graph graph;
    for (int i = 0; i < 203; ++i) graph.entities.add(std::to_string(i));
    for (int i = 0; i < 2; ++i) graph.relations.add(std::to_string(i));
    graph.train.triples = triples;
    hold_out(share, seed, graph);
    std::vector<Triple> all;
    std::ranges::merge(graph.train.triples, graph.valid.triples, std::back_inserter(all));
    CHECK(all == triples);
    std::vector<int> known(203);
    for (const Triple& triple : graph.train.triples) {
      known[static_cast<size_t>(triple.head)] = known[static_cast<size_t>(triple.tail)] = 1;
    }
    CHECK(std::ranges::count(known, 1) == 203);
    CHECK(graph.train.triples.back() == Triple{202, 0, 202});
    return graph.valid.triples;
  };
  CHECK(held_out(0.1, 1).size() == 40);
  CHECK(held_out(0.1, 1) == held_out(0.1, 1));
  CHECK(held_out(0.1, 1) != held_out(0.1, 2));
  CHECK(held_out(0.5, 1).size() <= 201);
  CHECK(held_out(0.001, 1).empty());
}

TEST_CASE("ids come as head, tail, relation, with names from the lists beside them") {
  const TemporaryFolder folder;
  const std::string train = folder.write("train2id.txt", "2\n0 2 1\n2 1 0\n");
  const Graph bare = read_graph(train, "", "");
  CHECK(bare.entities.all() == std::vector<std::string>{"0", "2", "1"});
  CHECK(bare.train.triples == std::vector<Triple>{{0, 0, 1}, {1, 1, 2}});
  const Graph zeros = read_graph(folder.write("train2id.txt", "2\n00 2 1\n002 1 0\n"), "", "");
  CHECK(zeros.entities.all() == bare.entities.all());
  CHECK(zeros.train.triples == bare.train.triples);
  folder.write("train2id.txt", "2\n0 2 1\n2 1 0\n");

  folder.write("entity2id.txt", "4\nd\t3\na b\t0\nb\t1\nc\t2\n");
  folder.write("relation2id.txt", "2\nin\t0\non\t1\n");
  const std::string valid = folder.write("valid2id.txt", "1\n3 0 1\n");
  const Graph named = read_graph(train, valid, "");
  CHECK(named.entities.all() == std::vector<std::string>{"a b", "b", "c", "d"});
  CHECK(named.train.triples == std::vector<Triple>{{0, 1, 2}, {2, 0, 1}});
  CHECK(named.valid.triples == std::vector<Triple>{{3, 1, 0}});
  CHECK(named.valid.unseen == 1);
}

TEST_CASE("files that are no triples are refused with the line") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text, const char* why) {
    CAPTURE(text);
    const std::string path = folder.write("train", text);
    CHECK_THROWS_WITH_AS(read_graph(path, "", ""), doctest::Contains(why), Error);
  };
  refused("a\tin\tb\na\tb\n", "line 2 has 2 columns");
  refused("1\n0 1\n", "line 2 is not three numbers");
  refused("\n", "contains no triples");
}

TEST_CASE("lists of names must be whole and agree with the ids") {
  const TemporaryFolder folder;
  const std::string train = folder.write("train2id.txt", "1\n0 2 0\n");
  const auto refused = [&](const std::string& text, const char* why) {
    CAPTURE(text);
    folder.write("entity2id.txt", text);
    CHECK_THROWS_WITH_AS(read_graph(train, "", ""), doctest::Contains(why), Error);
  };
  refused("2\na\t0\nb\t1\n", "line 2 has id 2, but the highest id with a name is 1");
  refused("3\na\t0\nb\t1\n", "declares 3 lines, but there are 2");
  refused("2\na\t0\nb\t2\n", "line 3 is not a name, a tab and an id");
  refused("2\na\t0\nb\t0\n", "occurs twice");
  refused("2\na\t0\na\t1\n", "occurs twice");
  refused("a\t0\n", "line 1 is not the number of names");
}

}  // namespace acevec
