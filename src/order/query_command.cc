#include "order/query_command.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "base/parallel.h"
#include "order/hierarchy.h"
#include "order/penalty.h"
#include "vectors/query_words.h"
#include "vectors/reader.h"

namespace acevec {
namespace {

constexpr std::string_view kQuery = "Query";

const Option kTable[] = {
    integer(kQuery, "most", "10", 1, 1e9, "generals to show, of each concept"),
    real(kQuery, "threshold", "1", 0, 1e9,
         "penalty up to which a pair is held to be true; acevec order scales its vectors for 1"),
    choice(kQuery, "format", "text|tsv", "text",
           "text: a line a concept, tsv: a line a general (concept, rank, general, penalty)"),
};

// What is above a concept, and by how much it is out of order there.
struct General {
  int64_t id;
  float penalty;
};

// How far down the order a concept stands: the sum of its coordinates, which grow downwards.
std::vector<double> depths(const Matrix& vectors) {
  std::vector<double> sums(static_cast<size_t>(vectors.rows()));
  for (int64_t i = 0; i < vectors.rows(); ++i) {
    sums[static_cast<size_t>(i)] =
        std::accumulate(vectors.row(i), vectors.row(i) + vectors.columns(), 0.0);
  }
  return sums;
}

// All that is held to be above `concept_id`, the lowest first. Of two that are each above the
// other, as equals are, the one that stands lower is below.
std::vector<General> generals(const WordVectors& data, const std::vector<double>& depth,
                              int64_t concept_id, float threshold) {
  const Matrix& vectors = data.vectors;
  const auto depth_of = [&](int64_t id) { return depth[static_cast<size_t>(id)]; };
  std::vector<General> found;
  for (int64_t id = 0; id < vectors.rows(); ++id) {
    if (id == concept_id || depth_of(id) > depth_of(concept_id)) continue;
    const float penalty = order_penalty(vectors.row(concept_id), vectors.row(id), vectors.stride());
    if (penalty <= threshold) found.push_back({id, penalty});
  }
  std::stable_sort(found.begin(), found.end(), [&](const General& a, const General& b) {
    return depth_of(a.id) > depth_of(b.id);
  });
  return found;
}

void print_generals(const WordVectors& data, const std::string& name,
                    const std::vector<General>& found, size_t most, bool tsv) {
  if (!tsv) std::printf("%s:", name.c_str());
  for (size_t i = 0; i < std::min(found.size(), most); ++i) {
    const std::string& general = data.words[static_cast<size_t>(found[i].id)];
    const double penalty = static_cast<double>(found[i].penalty);
    if (tsv) {
      std::printf("%s\t%zu\t%s\t%.6f\n", name.c_str(), i + 1, general.c_str(), penalty);
    } else {
      std::printf(" %s %.2f", general.c_str(), penalty);
    }
  }
  if (!tsv) std::printf("\n");
}

constexpr FileArgument kFiles[] = {{"VECTORS", Kind::kInputFile}};

}  // namespace

const Command kOrderQueryCommand{
    "order query",
    "acevec order query VECTORS [CONCEPT ...] [OPTION VALUE ...]",
    "Lists what a concept is held to be a kind of, the most specific first, with the penalty of\n"
    "each; concepts come as arguments, or one a line on standard input.\n",
    "a file of vectors, then concepts",
    kTable,
    kFiles};

void run_order_query(const Options& options) {
  if (options.positional().empty()) {
    throw UsageError("no vectors; call acevec order query VECTORS [CONCEPT ...]");
  }
  const WordVectors data = read_vectors(options.positional()[0]);
  const std::vector<double> depth = depths(data.vectors);
  std::unordered_map<std::string_view, int64_t> ids;
  for (size_t i = 0; i < data.words.size(); ++i) {
    ids.emplace(data.words[i], static_cast<int64_t>(i));
  }
  bool answered = false;
  const bool asked = for_query_words(options, [&](const std::vector<std::string>& typed) {
    std::vector<std::string> unknown;
    for (const std::string& line : typed) {
      const std::string name = concept_name(line);
      const auto known = ids.find(name);
      if (known == ids.end()) {
        unknown.push_back(name);
        continue;
      }
      answered = true;
      print_generals(
          data, name,
          generals(data, depth, known->second, static_cast<float>(options.real("threshold"))),
          static_cast<size_t>(options.integer("most")), options.text("format") == "tsv");
    }
    report_unknown(unknown, data.words, machine_threads());
  });
  if (!asked) {
    throw Error("no concepts; give some as arguments, or one a line on standard input");
  }
  if (!answered) throw Error("none of the concepts has a vector; give other names");
}

}  // namespace acevec
