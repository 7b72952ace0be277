// acevec sentence similarity: prints the cosine of each pair of sentences on standard input, or how
// well cosines agree with the scores of similarity sets. acevec sentence retrieve: scores how well
// a model finds the relevant texts of a collection.

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/numbers.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "commands/answers.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "commands/vector_files.h"
#include "tasks/sentence/encoder.h"
#include "tasks/sentence/evaluation.h"
#include "tasks/sentence/model.h"
#include "text/lines.h"

namespace acevec {
namespace {

// Returns the two sides of each line that is not empty, one after the other. `number` is the number
// of lines read before, and is advanced.
std::vector<std::string> sides_of(const std::vector<std::string>& lines, int64_t& number) {
  std::vector<std::string> sides;
  for (const std::string& line : lines) {
    ++number;
    if (line.empty()) continue;
    const std::vector<std::string_view> pair = split(line, "\t");
    if (pair.size() != 2) {
      throw Error(
          format("line %ld of standard input is not a pair; give two sentences with a tab between",
                 static_cast<long>(number)));
    }
    sides.insert(sides.end(), pair.begin(), pair.end());
  }
  return sides;
}

void print_cosines(Matrix& vectors) {
  for (const double cosine : cosines_of_pairs(vectors)) std::printf("%.4f\n", cosine);
  flush_output();
}

void print_scores(const std::vector<std::string>& names,
                  const std::vector<PairCorrelations>& scores, bool tsv) {
  std::vector<std::vector<std::string>> rows{{"set", "pairs", "Pearson", "Spearman"}};
  for (size_t i = 0; i < scores.size(); ++i) {
    rows.push_back({names[i], std::to_string(scores[i].pairs), decimal(scores[i].pearson, tsv),
                    decimal(scores[i].spearman, tsv)});
  }
  print_table(rows, tsv);
}

LineCounts compare_pairs(const LineEncoder& encoder, int64_t columns) {
  LineReader input("-", kEveryLine);
  LineCounts counts;
  int64_t number = 0;
  Matrix vectors(0, columns);
  for (std::vector<std::string> lines; input.next_batch(lines);) {
    counts += encoder.encode(sides_of(lines, number), vectors);
    print_cosines(vectors);
  }
  return counts;
}

constexpr CommandText kSentenceSimilarity{
    "sentence similarity",
    "acevec sentence similarity MODEL [OPTION VALUE ...]",
    "Prints the cosine of each pair of sentences on standard input: two per line, with a tab "
    "between.\nWith -set it scores the model on similarity sets: such pairs with a human score.\n",
    {},
    "pairs come on standard input: printf 'a man\\ta boy\\n' | acevec sentence similarity MODEL"};

class SentenceSimilarityCommand final : public CommandLine {
 public:
  SentenceSimilarityCommand() : CommandLine(kSentenceSimilarity) {
    table().group("Encoding");
    table().input_files(
        "set", sets_,
        "score the model on these sets of lines with two sentences and a human score, tabs "
        "between, or in the STS benchmark's format; prints Pearson's r and Spearman's rho x 100");
    declare_print_format(tsv_, table()).need("-set");
  }

  void run() override {
    table().refuse_idle();
    std::vector<ScoredPairs> sets;
    for (const std::string& path : sets_) sets.push_back(read_scored_pairs(path));
    const SentenceModel model = read_sentence_model(positional()[0]);
    const LineEncoder encoder(model, threads_of({}));
    const LineCounts counts = sets.empty() ? compare_pairs(encoder, model.columns())
                                           : score_sets(sets, encoder, model.columns());
    if (counts.lines > 0 && counts.empty == counts.lines) {
      throw Error("none of the sentences has a vector; give other sentences");
    }
    report_lines(counts);
  }

 private:
  LineCounts score_sets(const std::vector<ScoredPairs>& sets, const LineEncoder& encoder,
                        int64_t columns) const {
    LineCounts counts;
    std::vector<std::string> names;
    std::vector<PairCorrelations> scores;
    Matrix vectors(0, columns);
    for (size_t i = 0; i < sets.size(); ++i) {
      counts += encoder.encode(sets[i].sentences, vectors);
      names.push_back(std::filesystem::path(sets_[i]).stem().string());
      scores.push_back(score_pairs(sets[i], vectors));
    }
    print_scores(names, scores, tsv_);
    return counts;
  }

  std::vector<std::string> sets_;
  bool tsv_ = false;
};

constexpr CommandText kSentenceRetrieve{
    "sentence retrieve", "acevec sentence retrieve MODEL -pairs FILE [OPTION VALUE ...]",
    "Ranks all texts of a collection for each query by cosine, and prints how well the "
    "relevant\nones are found. The collection is the second sides of -pairs, or -docs with "
    "-queries and -qrels.\n"};

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
                           counted(without, "query").c_str()));
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

const Maker make_sentence_similarity = make_command<SentenceSimilarityCommand>;
const Maker make_sentence_retrieve = make_command<SentenceRetrieveCommand>;

}  // namespace acevec
