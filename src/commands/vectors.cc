// acevec vectors VECTORS [WORD ...]: the vectors of words, or of lines of them.

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "base/numbers.h"
#include "commands/commands.h"
#include "commands/vector_files.h"
#include "vectors/format.h"
#include "vectors/query_words.h"
#include "vectors/row_writer.h"
#include "vectors/unit_vectors.h"
#include "vectors/word_table.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

// Where the vectors go: a file, or standard output.
class Sink {
 public:
  // `path` is empty for standard output. Rows are `unnamed` there or have their names.
  Sink(const std::string& path, bool unnamed) : unnamed_(unnamed) {
    if (!path.empty()) file_.emplace(path, output_format(path));
  }

  void begin(int64_t columns) {
    columns_ = columns;
    if (file_) file_->begin(-1, columns);
  }

  void put(const std::string& name, const float* vector) {
    if (file_) return file_->write(name, vector);
    line_.clear();
    append_row(VectorFormat::kGlove, unnamed_ ? "" : name, vector, columns_, line_);
    std::fwrite(line_.data(), 1, line_.size(), stdout);
  }

  void finish() {
    if (!file_) return;
    file_->commit();
    print_message("wrote " + file_->written());
  }

 private:
  std::optional<RowWriter> file_;
  bool unnamed_;
  int64_t columns_ = 0;
  std::string line_;
};

struct Text {
  std::string words;  // with one blank between each two
  bool known;         // one of them has a vector
};

// mean = that of the vectors of the words of `line`, zeros if none has one.
Text mean_of_words(const std::string& line, const WordTable& table, std::vector<float>& mean) {
  std::vector<float> vector(mean.size());
  std::vector<double> sum(mean.size());
  double count = 0;
  Text text{"", false};
  std::string_view rest = line;
  for (std::string_view word; !(word = take_field(rest)).empty();) {
    (text.words += text.words.empty() ? "" : " ") += word;
    if (!table.look_up(word, vector.data())) continue;
    for (size_t k = 0; k < sum.size(); ++k) sum[k] += static_cast<double>(vector[k]);
    ++count;
  }
  text.known = count > 0;
  for (size_t k = 0; k < sum.size(); ++k) {
    mean[k] = text.known ? static_cast<float>(sum[k] / count) : 0;
  }
  return text;
}

constexpr CommandText kVectors{
    "vectors",
    "acevec vectors VECTORS [WORD ...] [OPTION VALUE ...]",
    "Prints the vectors of words. Words come as arguments or on standard input, one per line. With "
    "a\nfastText model unseen words are composed of their n-grams.\n",
    "a file of vectors, then words",
    kVectorsFile,
    kVectorCommands};

class VectorsCommand final : public CommandLine {
 public:
  VectorsCommand() : CommandLine(kVectors) {
    table().group("Query");
    table().flag("lines", lines_,
                 "each argument or line is a text; its vector is the mean of its known words, or "
                 "zeros if there are none");
    table().flag("normalize", normalize_, "scale every vector to length 1");
    table().output_file(
        "output", output_,
        "write the vectors to a file; its ending decides the format, as in acevec convert "
        "(default: print one line per word, or per text without the text)");
  }
  std::vector<RunFile> more_files() const override;
  void run() override;

 private:
  bool answer(const std::vector<std::string>& queries, const WordTable& words, Sink& sink) const;

  bool lines_ = false;
  bool normalize_ = false;
  std::string output_;
};

std::vector<RunFile> VectorsCommand::more_files() const {
  if (output_.empty()) return {{"standard output", "-", true}};
  std::vector<RunFile> files;
  add_words_file("-output", output_, format_of_ending(output_), true, files);
  return files;
}

// Returns false when nothing has a vector.
bool VectorsCommand::answer(const std::vector<std::string>& queries, const WordTable& words,
                            Sink& sink) const {
  const int64_t columns = words.rows().columns();
  std::vector<float> vector(static_cast<size_t>(columns));
  const auto put = [&](const std::string& name) {
    if (normalize_) scale_to_unit(vector.data(), columns);
    sink.put(name, vector.data());
  };
  bool answered = false;
  std::vector<std::string> unknown;
  for (const std::string& query : queries) {
    if (lines_) {
      const Text text = mean_of_words(query, words, vector);
      if (!text.known) {
        print_message("acevec: no word of \"" + excerpt(query) + "\" has a vector; it gets zeros");
      }
      answered = answered || text.known;
      put(text.words);
    } else if (words.look_up(query, vector.data())) {
      answered = true;
      put(query);
    } else {
      unknown.push_back(query);
    }
  }
  report_unknown(unknown, words.words());
  return answered;
}

void VectorsCommand::run() {
  if (positional().empty()) throw UsageError("no vectors; call acevec vectors VECTORS [WORD ...]");
  Sink sink(output_, lines_);
  const WordTable words(read_vectors(positional()[0]));
  sink.begin(words.rows().columns());
  bool answered = false;
  const bool asked =
      for_query_words(words_behind_vectors(*this), [&](const std::vector<std::string>& queries) {
        answered = answer(queries, words, sink) || answered;
      });
  if (!asked) throw Error("no words; give some as arguments, or one per line on standard input");
  if (!answered) throw Error("none of the words has a vector; give other words");
  sink.finish();
}

}  // namespace

std::unique_ptr<CommandLine> make_vectors() {
  return std::make_unique<VectorsCommand>();
}

}  // namespace acevec
