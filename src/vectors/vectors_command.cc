#include "vectors/vectors_command.h"

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "cli/file_options.h"
#include "vectors/format.h"
#include "vectors/numbers.h"
#include "vectors/query_words.h"
#include "vectors/reader.h"
#include "vectors/row_writer.h"
#include "vectors/unit_vectors.h"
#include "vectors/word_table.h"

namespace acevec {
namespace {

constexpr std::string_view kQuery = "Query";

const Option kTable[] = {
    flag(kQuery, "lines", "0",
         "each argument or line is a text; its vector is the mean of its known words, or zeros if "
         "there are none"),
    flag(kQuery, "normalize", "0", "scale every vector to length 1"),
    output_file(kQuery, "output",
                "write the vectors to a file; its ending decides the format, as in acevec convert "
                "(default: print one line per word, or per text without the text)"),
    threads_row(kQuery),
};

constexpr FileArgument kFiles[] = {{"VECTORS", Kind::kInputFile}};

std::vector<RunFile> files_of_output(const Options& options) {
  if (!options.given("output")) return {{"standard output", "-", true}};
  std::vector<RunFile> files;
  const std::string& output = options.text("output");
  add_words_file("-output", output, format_of_ending(output), true, files);
  return files;
}

// Where the vectors go: a file, or standard output.
class Sink {
 public:
  explicit Sink(const Options& options) : unnamed_(options.flag("lines")) {
    if (options.given("output"))
      file_.emplace(options.text("output"), output_format(options.text("output")));
  }

  void begin(int64_t columns) {
    columns_ = columns;
    if (file_) file_->begin(-1, columns);
  }

  void put(const std::string& name, const float* vector) {
    if (file_) return file_->write(name, vector);
    line_.clear();
    append_row(VectorFormat::kGlove, unnamed_ ? "" : name, vector, columns_, line_);
    const size_t begin = unnamed_ ? 1 : 0;  // the blank behind the name
    std::fwrite(line_.data() + begin, 1, line_.size() - begin, stdout);
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

}  // namespace

const Command kVectorsCommand{
    "vectors",
    "acevec vectors VECTORS [WORD ...] [OPTION VALUE ...]",
    "Prints the vectors of words. Words come as arguments or on standard input, one per line. With "
    "a\nfastText model unseen words are composed of their n-grams.\n",
    "a file of vectors, then words",
    kTable,
    kFiles,
    files_of_output};

void run_vectors(const Options& options) {
  if (options.positional().empty()) {
    throw UsageError("no vectors; call acevec vectors VECTORS [WORD ...]");
  }
  const bool lines = options.flag("lines");
  const int threads = threads_of(options);
  Sink sink(options);
  const WordTable table(read_vectors(options.positional()[0]));
  const int64_t columns = table.rows().columns();
  sink.begin(columns);
  std::vector<float> vector(static_cast<size_t>(columns));
  const auto put = [&](const std::string& name) {
    if (options.flag("normalize")) scale_to_unit(vector.data(), columns);
    sink.put(name, vector.data());
  };
  bool answered = false;
  const bool asked = for_query_words(options, [&](const std::vector<std::string>& queries) {
    std::vector<std::string> unknown;
    for (const std::string& query : queries) {
      if (lines) {
        const Text text = mean_of_words(query, table, vector);
        if (!text.known) {
          print_message("acevec: no word of \"" + excerpt(query) +
                        "\" has a vector; it gets zeros");
        }
        answered = answered || text.known;
        put(text.words);
      } else if (table.look_up(query, vector.data())) {
        answered = true;
        put(query);
      } else {
        unknown.push_back(query);
      }
    }
    report_unknown(unknown, table.words(), threads);
  });
  if (!asked) throw Error("no words; give some as arguments, or one per line on standard input");
  if (!answered) throw Error("none of the words has a vector; give other words");
  sink.finish();
}

}  // namespace acevec
