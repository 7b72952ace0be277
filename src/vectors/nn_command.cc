#include "vectors/nn_command.h"

#include <cstdio>
#include <functional>
#include <utility>

#include "base/error.h"
#include "cli/options.h"
#include "vectors/expression.h"
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
           "text: one line per word, tsv: one line per neighbour (word, rank, neighbour, cosine)"),
    threads_row(kQuery),
};

void print_neighbours(const UnitVectors& index, const std::string& asked,
                      const std::vector<Neighbour>& neighbours, size_t from, bool tsv) {
  if (!tsv) std::printf("%s:", one_line(asked).c_str());
  for (size_t i = from - 1; i < neighbours.size(); ++i) {
    const std::string& other = index.words()[static_cast<size_t>(neighbours[i].id)];
    const double cosine = static_cast<double>(neighbours[i].cosine);
    if (tsv) {
      std::printf("%s\t%zu\t%s\t%.6f\n", asked.c_str(), i + 1, other.c_str(), cosine);
    } else {
      std::printf(" %s %.3f", one_line(other).c_str(), cosine);
    }
  }
  if (!tsv) std::printf("\n");
}

// Calls `answer` with the expressions of the arguments, or of each batch of lines.
bool for_queries(const Options& options, const UnitVectors& index,
                 const std::function<void(const std::vector<Expression>&)>& answer) {
  const auto known = [&](std::string_view word) { return index.find(word) >= 0; };
  return for_query_words(options, [&](const std::vector<std::string>& words) {
    if (options.positional().size() > 1) return answer(expressions_of_arguments(words, known));
    std::vector<Expression> expressions;
    expressions.reserve(words.size());
    for (const std::string& line : words) expressions.push_back(expression_of_line(line, known));
    answer(expressions);
  });
}

constexpr FileArgument kFiles[] = {{"VECTORS", Kind::kInputFile}};

}  // namespace

const Command kNnCommand{
    "nn",
    "acevec nn VECTORS [WORD ...] [OPTION VALUE ...]",
    "Shows the nearest words by cosine. Words come as arguments or on standard input, one per "
    "line.\nSums of words work too: king - man + woman, with spaces around the signs. With a "
    "fastText model\nunseen words are composed of their n-grams.\n",
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
  const bool asked = for_queries(options, index, [&](const std::vector<Expression>& expressions) {
    std::vector<std::string> known;
    std::vector<std::string> unknown;
    std::vector<NeighbourQuery> queries;
    for (const Expression& expression : expressions) {
      NeighbourQuery query{std::vector<float>(static_cast<size_t>(index.rows().columns())), {}};
      if (!look_up(expression, index, query.unit.data(), unknown)) continue;
      for (const Term& term : expression.terms) query.left_out.push_back(index.find(term.word));
      known.push_back(expression.text);
      queries.push_back(std::move(query));
    }
    report_unknown(unknown, index.words(), threads);
    const auto neighbours = nearest(index, queries, to, threads);
    for (size_t i = 0; i < known.size(); ++i) {
      print_neighbours(index, known[i], neighbours[i], static_cast<size_t>(from),
                       options.text("format") == "tsv");
    }
    answered = answered || !known.empty();
  });
  if (!asked) throw Error("no words; give some as arguments, or one per line on standard input");
  if (!answered) throw Error("none of the words has a vector; give other words");
}

}  // namespace acevec
