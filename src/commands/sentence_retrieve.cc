// acevec sentence retrieve MODEL: how well a model finds the right texts of a collection.

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "commands/answers.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "commands/vector_files.h"
#include "tasks/sentence/encoder.h"
#include "tasks/sentence/evaluation.h"
#include "tasks/sentence/model.h"

namespace acevec {
namespace {

constexpr CommandText kSentenceRetrieve{
    "sentence retrieve", "acevec sentence retrieve MODEL -pairs FILE [OPTION VALUE ...]",
    "Ranks all texts of a collection for each query by cosine, and prints how well the right ones "
    "are\nfound. The collection is the second sides of -pairs, or -docs with -queries and "
    "-qrels.\n"};

class SentenceRetrieveCommand final : public CommandLine {
 public:
  SentenceRetrieveCommand() : CommandLine(kSentenceRetrieve) {
    table().group("Retrieval");
    table().input_files("pairs", pairs_,
                        "pairs of a query and its text, one per line, with a tab between");
    const auto judged = [this] { return pairs_.empty(); };
    table()
        .input_file("docs", docs_, "a text per line: its name, a tab, the text")
        .need("-queries and -qrels", judged);
    table()
        .input_file("queries", queries_, "a query per line: its name, a tab, the query")
        .need("-docs and -qrels", judged);
    table()
        .input_file("qrels", qrels_,
                    "which texts are relevant: lines of query, text and grade, or of query, 0, "
                    "text and grade as TREC has them; a first line without a grade is a header")
        .need("-docs and -queries", judged);
    table().real("lexical", lexical_, {0, 1000},
                 "add X times the text's BM25 score (scaled so that the query's best text has 1) "
                 "to its cosine");
    declare_print_format(tsv_, table());
    declare_threads(threads_, table());
  }

  void run() override {
    table().refuse_idle();
    const Collection all = collection();
    const SentenceModel model = read_sentence_model(positional()[0]);
    const int threads = threads_of(threads_);
    const LineEncoder encoder(model, threads);
    Matrix queries(0, model.columns()), texts(0, model.columns());
    LineCounts counts = encoder.encode(all.queries, queries);
    counts += encoder.encode(all.texts, texts);
    report_lines(counts);
    std::optional<WordMatches> matches;
    if (lexical_ > 0) matches.emplace(all.queries, all.texts, model.shape.mode);
    const RankingScores scores = score_rankings(
        rank_rows(queries, texts, matches ? &*matches : nullptr, lexical_, threads), all.judged);
    if (const int64_t without = std::ssize(all.queries) - scores.queries; without > 0) {
      print_message(format("acevec: note: left out %s without a relevant text",
                           without == 1 ? "1 query" : (grouped(without) + " queries").c_str()));
    }
    if (scores.queries == 0) throw Error("no query has a relevant text; do the names agree?");
    print_table({{"queries", "texts", "MRR@10", "recall@10", "recall@100", "nDCG@10"},
                 {std::to_string(scores.queries), std::to_string(texts.rows()),
                  decimal(scores.mrr10, tsv_), decimal(scores.recall10, tsv_),
                  decimal(scores.recall100, tsv_), decimal(scores.ndcg10, tsv_)}},
                tsv_);
  }

 private:
  Collection collection() const {
    if (!pairs_.empty()) return read_pair_collection(pairs_);
    if (docs_.empty() || queries_.empty() || qrels_.empty()) {
      throw UsageError(
          "nothing to rank; give queries and their texts with -pairs FILE, or with -docs, -queries "
          "and -qrels");
    }
    return read_collection(docs_, queries_, qrels_);
  }

  std::vector<std::string> pairs_;
  std::string docs_, queries_, qrels_;
  double lexical_ = 0;
  bool tsv_ = false;
  std::optional<int> threads_;
};

}  // namespace

const Maker make_sentence_retrieve = make_command<SentenceRetrieveCommand>;

}  // namespace acevec
