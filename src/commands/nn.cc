// acevec nn VECTORS [WORD ...]: lists the nearest neighbours of words.

#include <optional>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "commands/answers.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "commands/vector_files.h"
#include "vectors/best_rows.h"
#include "vectors/queries.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

// Respells words that are not in the file like the first word that differs only in case.
void respell(std::vector<Expression>& expressions, const UnitVectors& index,
             const WordClasses& folded) {
  for (Expression& expression : expressions) {
    for (Term& term : expression.terms) {
      const int64_t row = index.find(term.word) < 0 ? folded.find(term.word) : -1;
      if (row >= 0) term.word = index.words()[static_cast<size_t>(row)];
    }
  }
}

constexpr CommandText kNn{
    "nn", "acevec nn VECTORS [WORD ...] [OPTION VALUE ...]",
    "Shows the nearest words by cosine. Words come as arguments or on standard input, one per "
    "line.\nSums of words work too: king - man + woman, with spaces around the signs. With a "
    "fastText model\nunseen words are composed of their n-grams.\n",
    kVectorCommands};

class NnCommand final : public CommandLine {
 public:
  NnCommand() : CommandLine(kNn) {
    table().group("Query");
    table().integer("top", top_, {1, 1e9}, "neighbours to show, the nearest first");
    declare_limit(limit_, table());
    table().flag("ignore-case", ignore_case_,
                 "1: if a word is not in the file, take one that differs only in case");
    declare_print_format(tsv_, table(),
                         "text: a word and below it its neighbours; tsv: a row for each neighbour "
                         "(word, rank, neighbour, cosine)");
    declare_threads(threads_, table());
  }

  void run() override {
    const int threads = threads_of(threads_);
    const UnitVectors index(read_vectors_with_notes(positional()[0], limit_));
    std::optional<WordClasses> folded;
    if (ignore_case_) folded.emplace(index.words());
    const std::vector<std::string> typed = words_after_vectors(*this);
    const auto has_vector = [&](std::string_view word) {
      return index.find(word) >= 0 || (folded && folded->find(word) >= 0);
    };
    bool answered = false;
    const bool asked = for_query_words(typed, [&](const std::vector<std::string>& words) {
      std::vector<Expression> expressions;
      if (!typed.empty()) {
        expressions = expressions_of_arguments(words, has_vector);
      } else {
        for (const std::string& line : words) {
          expressions.push_back(expression_of_line(line, has_vector));
        }
      }
      if (folded) respell(expressions, index, *folded);
      answered = answer(expressions, index, threads) || answered;
    });
    if (!asked) throw Error("no words; give some as arguments, or one per line on standard input");
    if (!answered) throw Reported();
  }

 private:
  // Returns false when no expression has a vector.
  bool answer(const std::vector<Expression>& expressions, const UnitVectors& index, int threads) {
    std::vector<std::string> known;
    std::vector<std::string> unknown;
    std::vector<NeighbourQuery> queries;
    for (const Expression& expression : expressions) {
      NeighbourQuery query{std::vector<float>(static_cast<size_t>(index.rows().columns())), {}};
      if (!look_up(expression, index, query.vector.data(), unknown)) continue;
      for (const Term& term : expression.terms) query.left_out.push_back(index.find(term.word));
      known.push_back(expression.text);
      queries.push_back(std::move(query));
    }
    report_unknown(unknown, index.words(), !known.empty());
    if (limit_ > 0 && (!unknown.empty() || index.words().size() == 1)) {
      print_message(format("acevec: note: -limit leaves only %s",
                           counted(std::ssize(index.words()), "word").c_str()));
    }
    const auto neighbours = nearest(index.rows(), queries, top_, threads);
    for (size_t i = 0; i < known.size(); ++i) {
      print_answers(known[i], neighbours[i], index.words(), tsv_);
    }
    return !known.empty();
  }

  int64_t top_ = 10;
  int64_t limit_ = 0;
  bool ignore_case_ = false;
  bool tsv_ = false;
  std::optional<int> threads_;
};

}  // namespace

const Maker make_nn = make_command<NnCommand>;

}  // namespace acevec
