#include "sentence/encode_command.h"

#include <unistd.h>

#include <cstdio>
#include <memory>

#include "base/error.h"
#include "base/message.h"
#include "base/output_file.h"
#include "sentence/line_encoder.h"
#include "sentence/model_file.h"
#include "vectors/row_writer.h"
#include "vectors/unit_vectors.h"

namespace acevec {
namespace {

constexpr std::string_view kEncoding = "Encoding";

const Option kEncodeTable[] = {
    output_file(kEncoding, "output", "write the vectors here (default: standard output)"),
    choice(kEncoding, "format", "text|tsv|npy", "",
           "text: numbers separated by spaces; tsv: by tabs; npy: numpy's array (default: by the "
           "ending of -output, else text)"),
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

VectorFormat format_to_write(const Options& options) {
  const std::string& typed = options.text("format");
  if (!typed.empty()) return vector_format(typed);
  const auto ending = format_of_ending(options.text("output"));
  if (ending == VectorFormat::kTsv || ending == VectorFormat::kNpy) return *ending;
  return VectorFormat::kText;
}

// Rows without words. numpy's array has their number in its head, so that they wait in a temporary
// file until it is known.
class VectorOutput {
 public:
  VectorOutput(const std::string& path, VectorFormat format)
      : file_(path.empty() ? "-" : path), format_(format) {
    if (format != VectorFormat::kNpy) return;
    waiting_.reset(fdopen(open_scratch_file("the vectors"), "w+b"));
    if (!waiting_) throw std::bad_alloc();
  }

  void write(const Matrix& rows) {
    for (int64_t i = 0; i < rows.rows(); ++i) {
      append(rows.row(i), rows.columns());
      if (line_.size() >= kBytes || i + 1 == rows.rows()) flush();
    }
    rows_ += rows.rows();
  }

  void commit(int64_t columns) {
    if (waiting_) {
      file_.write(file_head(VectorFormat::kNpy, rows_, columns));
      line_.resize(kBytes);
      if (std::fflush(waiting_.get()) != 0) fail();
      std::rewind(waiting_.get());
      for (size_t got; (got = std::fread(line_.data(), 1, kBytes, waiting_.get())) > 0;) {
        file_.write(std::string_view(line_).substr(0, got));
      }
    }
    file_.commit();
  }

 private:
  static constexpr size_t kBytes = 1 << 20;
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  // In word2vec's text a word stands before the numbers; here there is none, nor the blank behind
  // it.
  void append(const float* row, int64_t columns) {
    const size_t begin = line_.size();
    append_row(format_, "", row, columns, line_);
    if (format_ == VectorFormat::kText) line_.erase(begin, 1);
  }

  void flush() {
    if (!waiting_) {
      file_.write(line_);
    } else if (std::fwrite(line_.data(), 1, line_.size(), waiting_.get()) != line_.size()) {
      fail();
    }
    line_.clear();
  }

  [[noreturn]] static void fail() {
    throw Error("cannot write the vectors to a temporary file; make room, or set TMPDIR");
  }

  OutputFile file_;
  VectorFormat format_;
  std::unique_ptr<std::FILE, Close> waiting_;
  int64_t rows_ = 0;
  std::string line_;
};

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
  VectorOutput output(options.text("output"), format_to_write(options));
  const SentenceModel model = model_of(options, "acevec sentence encode MODEL <lines >vectors");
  const LineEncoder encoder(model, threads_of(options));
  WholeLines input("-");
  LineCounts counts;
  Matrix vectors(0, model.columns());
  for (std::vector<std::string_view> lines; input.next(lines);) {
    counts += encoder.encode(lines, vectors);
    output.write(vectors);
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
}

}  // namespace acevec
