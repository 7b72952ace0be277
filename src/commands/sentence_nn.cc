// acevec sentence nn MODEL TEXT [QUERY ...]: lists the lines of a text nearest to a sentence.

#include <algorithm>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "commands/vector_files.h"
#include "tasks/sentence/encoder.h"
#include "tasks/sentence/model.h"
#include "vectors/best_rows.h"
#include "vectors/queries.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

constexpr size_t kShown = 1000;  // bytes of a line to print

void print_nearest(const TextLines& lines, const std::string& query,
                   const std::vector<ScoredRow>& answers, bool tsv) {
  if (!tsv) std::printf("%s\n", excerpt(query, kShown).c_str());
  for (size_t i = 0; i < answers.size(); ++i) {
    const auto& [row, cosine] = answers[i];
    const std::string& text = lines.texts[static_cast<size_t>(row)];
    if (tsv) {
      std::printf("%s\t%zu\t%ld\t%.6f\t%s\n", one_line(query).c_str(), i + 1,
                  static_cast<long>(lines.numbers[static_cast<size_t>(row)]), cosine,
                  one_line(text).c_str());
    } else {
      std::printf("  %.3f  %s\n", cosine, excerpt(text, kShown).c_str());
    }
  }
}

// The vector of a sentence without a known word is zero.
bool is_zero(const float* vector, int64_t columns) {
  return std::all_of(vector, vector + columns, [](float number) { return number == 0; });
}

// Lines without a vector are never neighbours: a NaN score is not taken.
void leave_out_zeros(Matrix& vectors) {
  for (int64_t i = 0; i < vectors.rows(); ++i) {
    float* const row = vectors.row(i);
    if (is_zero(row, vectors.columns())) row[0] = std::numeric_limits<float>::quiet_NaN();
  }
}

constexpr CommandText kSentenceNn{
    "sentence nn", "acevec sentence nn MODEL TEXT [QUERY ...] [OPTION VALUE ...]",
    "Shows the lines of TEXT that are nearest to a sentence by cosine. Sentences come "
    "as\narguments or on standard input, one per line.\n"};

class SentenceNnCommand final : public CommandLine {
 public:
  SentenceNnCommand() : CommandLine(kSentenceNn) {
    table().group("Query");
    table().integer(
        "top", top_, {1, 1e9},
        "lines to show, the nearest first; equal lines once, lines without a known word never");
    declare_print_format(tsv_, table(),
                         "text: the query and below it its lines; tsv: a row for each line (query, "
                         "rank, number of the line in TEXT, cosine, line)");
    declare_threads(threads_, table());
  }

  void run() override {
    const std::vector<std::string>& arguments = positional();
    const SentenceModel model = read_sentence_model(arguments[0]);
    const int threads = threads_of(threads_);
    const LineEncoder encoder(model, threads);
    const TextLines lines(arguments[1]);
    if (lines.texts.empty()) {
      throw Error(arguments[1] + " contains no line with words; give another text");
    }
    Matrix rows(0, model.columns()), vectors(0, model.columns());
    report_lines(encoder.encode(lines.texts, rows));
    scale_to_unit(rows);
    leave_out_zeros(rows);
    bool answered = false;
    const auto answer = [&](const std::vector<std::string>& queries) {
      LineCounts counts = encoder.encode(queries, vectors);
      counts.empty = 0;  // reported one by one
      report_lines(counts);
      for (int64_t i = 0; i < vectors.rows(); ++i) {
        const std::string& query = queries[static_cast<size_t>(i)];
        if (is_zero(vectors.row(i), model.columns())) {
          print_message("acevec: the model knows no word of \"" + excerpt(query) + "\"");
          continue;
        }
        answered = true;
        float* const vector = vectors.row(i);
        scale_to_unit(vector, model.columns());
        const NeighbourQuery one{{vector, vector + model.columns()}, {}};
        print_nearest(lines, query, nearest(rows, {one}, top_, threads)[0], tsv_);
      }
    };
    if (!for_query_words({arguments.begin() + 2, arguments.end()}, answer)) {
      throw Error("no sentences; give some as arguments, or one per line on standard input");
    }
    if (!answered) throw Error("none of the sentences has a vector; give other sentences");
  }

 private:
  int64_t top_ = 10;
  bool tsv_ = false;
  std::optional<int> threads_;
};

}  // namespace

const Maker make_sentence_nn = make_command<SentenceNnCommand>;

}  // namespace acevec
