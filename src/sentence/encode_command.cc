#include "sentence/encode_command.h"

#include <cstdio>

#include "base/error.h"
#include "base/message.h"
#include "sentence/line_encoder.h"
#include "sentence/model_file.h"
#include "vectors/plain_rows.h"
#include "vectors/unit_vectors.h"

namespace acevec {
namespace {

constexpr std::string_view kEncoding = "Encoding";

const Option kEncodeTable[] = {
    plain_output_row(kEncoding),
    plain_format_row(kEncoding),
    threads_row(kEncoding),
};

const Option kSimilarityTable[] = {threads_row(kEncoding)};

constexpr FileArgument kModelFile[] = {{"MODEL", Kind::kInputFile}};

SentenceModel model_of(const Options& options, const char* usage) {
  if (options.positional().size() != 1) {
    throw UsageError(format("one model is needed; call %s", usage));
  }
  return read_sentence_model(options.positional()[0]);
}

}  // namespace

const Command kSentenceEncodeCommand{
    "sentence encode",
    "acevec sentence encode MODEL [OPTION VALUE ...]",
    "Encodes the lines of standard input, one row per line, in order. Empty lines and lines "
    "without\na known word become zeros.\n",
    "a model",
    kEncodeTable,
    kModelFile};

const Command kSentenceSimilarityCommand{"sentence similarity",
                                         "acevec sentence similarity MODEL [OPTION VALUE ...]",
                                         "Prints the cosine of each pair of sentences on standard "
                                         "input: two per line, with a tab between.\n",
                                         "a model",
                                         kSimilarityTable,
                                         kModelFile};

void run_sentence_encode(const Options& options) {
  PlainRows output(options);
  const SentenceModel model = model_of(options, "acevec sentence encode MODEL <lines >vectors");
  const LineEncoder encoder(model, threads_of(options));
  WholeLines input("-");
  LineCounts counts;
  for (std::vector<std::string_view> lines; input.next(lines);) {
    counts += encoder.encode(lines, output);
  }
  output.commit(model.columns());
  report_lines(counts);
}

void run_sentence_similarity(const Options& options) {
  const SentenceModel model = model_of(options, "acevec sentence similarity MODEL <pairs");
  const LineEncoder encoder(model, threads_of(options));
  WholeLines input("-");
  LineCounts counts;
  int64_t number = 0;
  Matrix vectors(0, model.columns());
  std::vector<std::string_view> sides;
  for (std::vector<std::string_view> lines; input.next(lines);) {
    sides.clear();
    for (const std::string_view line : lines) {
      ++number;
      const size_t tab = line.find('\t');
      if (tab == std::string_view::npos || line.find('\t', tab + 1) != std::string_view::npos) {
        throw Error(
            format("line %ld of standard input is not a pair; give two sentences with a tab "
                   "between",
                   static_cast<long>(number)));
      }
      sides.push_back(line.substr(0, tab));
      sides.push_back(line.substr(tab + 1));
    }
    counts += encoder.encode(sides, vectors);
    for (int64_t i = 0; i < vectors.rows(); ++i) scale_to_unit(vectors.row(i), model.columns());
    for (int64_t i = 0; i < vectors.rows(); i += 2) {
      double cosine = 0;
      for (int64_t k = 0; k < model.columns(); ++k) {
        cosine +=
            static_cast<double>(vectors.row(i)[k]) * static_cast<double>(vectors.row(i + 1)[k]);
      }
      std::printf("%.4f\n", cosine);
    }
    std::fflush(stdout);
  }
  report_lines(counts);
  if (counts.lines > 0 && counts.empty == counts.lines) {
    throw Error("none of the sentences has a vector; give other sentences");
  }
}

}  // namespace acevec
