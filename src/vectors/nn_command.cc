#include "vectors/nn_command.h"

#include <cstdio>

#include "base/error.h"
#include "cli/options.h"
#include "vectors/neighbours.h"
#include "vectors/query_words.h"
#include "vectors/reader.h"

namespace acevec {
namespace {

constexpr std::string_view kQuery = "Query";

const Option kTable[] = {
    integer(kQuery, "from", "1", 1, 1e9, "first neighbour to show"),
    integer(kQuery, "to", "10", 1, 1e9, "last neighbour to show"),
    choice(kQuery, "format", "text|tsv", "text",
           "text: a line a word, tsv: a line a neighbour (word, rank, neighbour, cosine)"),
    threads_row(kQuery),
};

void print_neighbours(const UnitVectors& index, const std::string& word,
                      const std::vector<Neighbour>& neighbours, size_t from, bool tsv) {
  if (!tsv) std::printf("%s:", one_line(word).c_str());
  for (size_t i = from - 1; i < neighbours.size(); ++i) {
    const std::string& other = index.words()[static_cast<size_t>(neighbours[i].id)];
    const double cosine = static_cast<double>(neighbours[i].cosine);
    if (tsv) {
      std::printf("%s\t%zu\t%s\t%.6f\n", word.c_str(), i + 1, other.c_str(), cosine);
    } else {
      std::printf(" %s %.3f", one_line(other).c_str(), cosine);
    }
  }
  if (!tsv) std::printf("\n");
}

constexpr FileArgument kFiles[] = {{"VECTORS", Kind::kInputFile}};

}  // namespace

const Command kNnCommand{
    "nn",
    "acevec nn VECTORS [WORD ...] [OPTION VALUE ...]",
    "Shows the nearest words by cosine; words come as arguments, or one a line "
    "on standard input.\n",
    "a file of vectors, then words",
    kTable,
    kFiles};

void run_nn(const Options& options) {
  if (options.positional().empty()) {
    throw UsageError("no vectors; call acevec nn VECTORS [WORD ...]");
  }
  const int64_t from = options.integer("from");
  const int64_t to = options.integer("to");
  if (from > to) throw UsageError("-from is above -to; nothing would be shown");
  const int threads = threads_of(options);

  const UnitVectors index(read_vectors(options.positional()[0]));
  bool answered = false;
  const bool asked = for_query_words(options, [&](const std::vector<std::string>& words) {
    std::vector<std::string> known;
    std::vector<std::string> unknown;
    std::vector<int64_t> queries;
    for (const std::string& word : words) {
      const int64_t id = index.find(word);
      (id < 0 ? unknown : known).push_back(word);
      if (id >= 0) queries.push_back(id);
    }
    report_unknown(unknown, index.words(), threads);
    const auto neighbours = nearest(index, queries, to, threads);
    for (size_t i = 0; i < known.size(); ++i) {
      print_neighbours(index, known[i], neighbours[i], static_cast<size_t>(from),
                       options.text("format") == "tsv");
    }
    answered = answered || !known.empty();
  });
  if (!asked) throw Error("no words; give some as arguments, or one a line on standard input");
  if (!answered) throw Error("none of the words has a vector; give other words");
}

}  // namespace acevec
