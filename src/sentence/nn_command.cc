#include "sentence/nn_command.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "base/error.h"
#include "math/kernels.h"
#include "sentence/line_encoder.h"
#include "sentence/model_file.h"
#include "vectors/query_words.h"
#include "vectors/unit_vectors.h"

namespace acevec {
namespace {

constexpr std::string_view kQuery = "Query";

const Option kTable[] = {
    integer(kQuery, "top", "10", 1, 1e9, "lines to show, the nearest first"),
    threads_row(kQuery),
};

constexpr FileArgument kFiles[] = {{"MODEL", Kind::kInputFile}, {"CORPUS", Kind::kInputFile}};

// The lines of a file that are not empty, with vectors of length 1.
struct Lines {
  std::vector<std::string> texts;
  Matrix vectors;
};

Lines read_lines(const std::string& path, const SentenceModel& model, const LineEncoder& encoder,
                 LineCounts& counts) {
  Lines result{{}, Matrix(0, model.columns())};
  WholeLines input(path);
  Matrix batch(0, model.columns());
  int64_t room = 0;
  for (std::vector<std::string_view> lines; input.next(lines);) {
    std::erase_if(lines, [](std::string_view line) { return line.empty(); });
    counts += encoder.encode(lines, batch);
    const auto had = static_cast<int64_t>(result.texts.size());
    result.texts.insert(result.texts.end(), lines.begin(), lines.end());
    const auto has = static_cast<int64_t>(result.texts.size());
    if (has > room) result.vectors.resize(room = std::max(has, 2 * room));
    for (int64_t i = had; i < has; ++i) {
      std::copy_n(batch.row(i - had), model.columns(), result.vectors.row(i));
      scale_to_unit(result.vectors.row(i), model.columns());
    }
  }
  result.vectors.resize(static_cast<int64_t>(result.texts.size()));
  return result;
}

void print_nearest(const Lines& lines, const std::string& query, const float* vector, size_t most) {
  std::vector<float> cosines(lines.texts.size());
  score_rows(vector, 1, lines.vectors.row(0), lines.vectors.rows(), lines.vectors.stride(),
             cosines.data(), lines.vectors.rows());
  std::vector<size_t> order(cosines.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](size_t a, size_t b) {
    return cosines[a] != cosines[b] ? cosines[a] > cosines[b] : a < b;
  });
  std::printf("%s\n", one_line(query).c_str());
  for (auto at = order.begin(); at != end; ++at) {
    std::printf("  %.3f  %s\n", static_cast<double>(cosines[*at]),
                one_line(lines.texts[*at]).c_str());
  }
}

}  // namespace

const Command kSentenceNnCommand{
    "sentence nn",
    "acevec sentence nn MODEL CORPUS [QUERY ...] [OPTION VALUE ...]",
    "Shows the lines of CORPUS that are nearest to a sentence by cosine. Sentences come "
    "as\narguments or on standard input, one per line.\n",
    "a model, a text, then sentences",
    kTable,
    kFiles};

void run_sentence_nn(const Options& options) {
  const std::vector<std::string>& arguments = options.positional();
  if (arguments.size() < 2) {
    throw UsageError("a model and a text are needed; call acevec sentence nn MODEL CORPUS");
  }
  const SentenceModel model = read_sentence_model(arguments[0]);
  const LineEncoder encoder(model, threads_of(options));
  LineCounts counts;
  const Lines lines = read_lines(arguments[1], model, encoder, counts);
  report_lines(counts);
  if (lines.texts.empty()) throw Error(arguments[1] + " holds no line; give a text");
  Matrix vectors(0, model.columns());
  const auto answer = [&](const std::vector<std::string>& queries) {
    report_lines(encoder.encode({queries.begin(), queries.end()}, vectors));
    for (int64_t i = 0; i < vectors.rows(); ++i) {
      scale_to_unit(vectors.row(i), model.columns());
      print_nearest(lines, queries[static_cast<size_t>(i)], vectors.row(i),
                    static_cast<size_t>(options.integer("top")));
    }
  };
  if (arguments.size() > 2) {
    answer({arguments.begin() + 2, arguments.end()});
    return;
  }
  InputLines input;
  for (std::vector<std::string> queries; input.next(queries); std::fflush(stdout)) answer(queries);
}

}  // namespace acevec
