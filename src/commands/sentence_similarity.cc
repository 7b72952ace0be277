// acevec sentence similarity MODEL: the cosine of each pair of sentences on standard input.

#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "commands/commands.h"
#include "commands/run_arguments.h"
#include "tasks/sentence/line_encoder.h"
#include "tasks/sentence/model_file.h"
#include "vectors/unit_vectors.h"

namespace acevec {
namespace {

// The two sides of each line, one after the other. `number`: of the last line, which moves on.
std::vector<std::string_view> sides_of(const std::vector<std::string_view>& lines,
                                       int64_t& number) {
  std::vector<std::string_view> sides;
  for (const std::string_view line : lines) {
    ++number;
    const size_t tab = line.find('\t');
    if (tab == std::string_view::npos || line.find('\t', tab + 1) != std::string_view::npos) {
      throw Error(
          format("line %ld of standard input is not a pair; give two sentences with a tab between",
                 static_cast<long>(number)));
    }
    sides.push_back(line.substr(0, tab));
    sides.push_back(line.substr(tab + 1));
  }
  return sides;
}

// Of each pair of rows, which become unit vectors.
void print_cosines(Matrix& vectors) {
  for (int64_t i = 0; i < vectors.rows(); ++i) scale_to_unit(vectors.row(i), vectors.columns());
  for (int64_t i = 0; i < vectors.rows(); i += 2) {
    double cosine = 0;
    for (int64_t k = 0; k < vectors.columns(); ++k) {
      cosine += static_cast<double>(vectors.row(i)[k]) * static_cast<double>(vectors.row(i + 1)[k]);
    }
    std::printf("%.4f\n", cosine);
  }
  std::fflush(stdout);
}

constexpr FileArgument kSentenceSimilarityFiles[] = {{"MODEL", Kind::kInputFile}};

constexpr CommandText kSentenceSimilarity{
    "sentence similarity", "acevec sentence similarity MODEL [OPTION VALUE ...]",
    "Prints the cosine of each pair of sentences on standard input: two per line, with a tab "
    "between.\n",
    "a model", kSentenceSimilarityFiles};

class SentenceSimilarityCommand final : public CommandLine {
 public:
  SentenceSimilarityCommand() : CommandLine(kSentenceSimilarity) {
    table().group("Encoding");
    declare_threads(threads_, table());
  }
  void run() override;

 private:
  std::optional<int> threads_;
};

void SentenceSimilarityCommand::run() {
  if (positional().size() != 1) {
    throw UsageError("one model is needed; call acevec sentence similarity MODEL <pairs");
  }
  const SentenceModel model = read_sentence_model(positional()[0]);
  const LineEncoder encoder(model, threads_of(threads_));
  WholeLines input("-");
  LineCounts counts;
  int64_t number = 0;
  Matrix vectors(0, model.columns());
  for (std::vector<std::string_view> lines; input.next(lines);) {
    counts += encoder.encode(sides_of(lines, number), vectors);
    print_cosines(vectors);
  }
  report_lines(counts);
  if (counts.lines > 0 && counts.empty == counts.lines) {
    throw Error("none of the sentences has a vector; give other sentences");
  }
}

}  // namespace

std::unique_ptr<CommandLine> make_sentence_similarity() {
  return std::make_unique<SentenceSimilarityCommand>();
}

}  // namespace acevec
