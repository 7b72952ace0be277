// acevec sentence similarity MODEL: the cosine of each pair of sentences on standard input, or how
// far cosines agree with the scores of sets.

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/numbers.h"
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

// Returns the two sides of each line that is not empty, one after the other. `number` is that of
// the last line before, and moves on.
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
  std::fflush(stdout);
}

void print_scores(const std::vector<std::string>& names, const std::vector<PairScore>& scores,
                  bool tsv) {
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
    std::vector<PairScore> scores;
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

}  // namespace

const Maker make_sentence_similarity = make_command<SentenceSimilarityCommand>;

}  // namespace acevec
