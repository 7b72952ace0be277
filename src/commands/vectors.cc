// acevec vectors VECTORS [WORD ...]: prints the vectors of words, or of lines of words.

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/numbers.h"
#include "base/progress.h"
#include "commands/commands.h"
#include "commands/vector_files.h"
#include "vectors/format.h"
#include "vectors/queries.h"
#include "vectors/row_writer.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

struct Text {
  std::string words;  // separated by single blanks
  bool known;         // whether one of them has a vector
};

// Sets `mean` to the mean of the vectors of the words of `line`, or to zeros if none has one.
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
    "vectors", "acevec vectors VECTORS [WORD ...] [OPTION VALUE ...]",
    "Prints the vectors of words. Words come as arguments or on standard input, one per line. With "
    "a\nfastText model unseen words are composed of their n-grams.\n",
    kVectorCommands};

class VectorsCommand final : public CommandLine {
 public:
  VectorsCommand() : CommandLine(kVectors) {
    table().group("Query");
    table().flag("lines", lines_,
                 "each argument or line is a text; its vector is the mean of its known words, or "
                 "zeros if there are none");
    declare_limit(limit_, table());
    table().flag("normalize", normalize_, "scale every vector to length 1");
    table()
        .output_file(
            "output", output_,
            "write the vectors to a file; its ending decides the format, as in acevec convert")
        .vectors()
        .default_later("print one line per word, or per text without the text");
  }

  std::vector<RunFile> more_files() const override {
    if (!output_.empty()) return {};
    return {{"standard output", "-", true}};
  }

  void run() override {
    if (!output_.empty()) file_.emplace(output_, output_format(output_));
    const WordTable words(read_vectors_with_notes(positional()[0], limit_));
    if (file_) file_->begin(-1, words.rows().columns());
    bool answered = false;
    const bool asked =
        for_query_words(words_after_vectors(*this), [&](const std::vector<std::string>& queries) {
          answered = answer(queries, words) || answered;
        });
    if (!asked) throw Error("no words; give some as arguments, or one per line on standard input");
    if (!answered && lines_) throw Error("no text has a word with a vector; give other texts");
    if (!answered) throw Reported();
    if (zeros_ > 0) {
      print_message(
          format("acevec: note: %s without a known word, such as \"%s\"; the vectors are zeros",
                 counted(zeros_, "text").c_str(), excerpt(first_of_zeros_).c_str()));
    }
    if (!file_) return;
    file_->commit();
    print_message("wrote " + file_->written());
  }

 private:
  // Returns false when no query has a vector.
  bool answer(const std::vector<std::string>& queries, const WordTable& words) {
    std::vector<float> vector(static_cast<size_t>(words.rows().columns()));
    bool answered = false;
    std::vector<std::string> unknown;
    for (const std::string& query : queries) {
      if (lines_) {
        const Text text = mean_of_words(query, words, vector);
        if (!text.known && zeros_++ == 0) first_of_zeros_ = query;
        answered = answered || text.known;
        put(text.words, vector);
      } else if (words.look_up(query, vector.data())) {
        answered = true;
        put(query, vector);
      } else {
        unknown.push_back(query);
      }
    }
    report_unknown(unknown, words.words(), answered);
    return answered;
  }

  // Writes or prints a vector after its name; a printed text has no name.
  void put(const std::string& name, std::vector<float>& vector) {
    const int64_t columns = std::ssize(vector);
    if (normalize_) scale_to_unit(vector.data(), columns);
    if (file_) return file_->write(name, vector.data());
    std::string line;
    append_row(VectorFormat::kGlove, lines_ ? "" : name, vector.data(), columns, line);
    std::fwrite(line.data(), 1, line.size(), stdout);
  }

  bool lines_ = false;
  bool normalize_ = false;
  std::string output_;
  int64_t limit_ = 0;
  std::optional<RowWriter> file_;  // writes output_
  int64_t zeros_ = 0;              // texts without a known word
  std::string first_of_zeros_;
};

}  // namespace

const Maker make_vectors = make_command<VectorsCommand>;

}  // namespace acevec
