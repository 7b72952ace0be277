// acevec sentence encode MODEL <lines >vectors.

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
#include "vectors/queries.h"

namespace acevec {
namespace {

constexpr CommandText kSentenceEncode{
    "sentence encode",
    "acevec sentence encode MODEL [OPTION VALUE ...]",
    "Encodes the lines of standard input, one row per line, in order. Empty lines and lines "
    "without\na known word become zeros.\n",
    {},
    "texts come on standard input: echo 'a happy man' | acevec sentence encode MODEL"};

class SentenceEncodeCommand final : public CommandLine {
 public:
  SentenceEncodeCommand() : CommandLine(kSentenceEncode) {
    table().group("Encoding");
    declare_plain_rows(output_, table());
    declare_threads(threads_, table());
  }

  void run() override {
    RowWriter output = plain_rows(output_);
    const SentenceModel model = read_sentence_model(positional()[0]);
    const LineEncoder encoder(model, threads_of(threads_));
    InputLines input("-", kEveryLine);
    LineCounts counts;
    output.begin(-1, model.columns());
    for (std::vector<std::string> lines; input.next(lines);) {
      counts += encoder.encode(lines, output);
    }
    output.commit();
    if (counts.lines == 0) print_message("acevec: note: standard input had no lines");
    if (!output_.path.empty() && output_.path != "-") {
      print_message(format("wrote %s of size %ld to %s", counted(counts.lines, "vector").c_str(),
                           static_cast<long>(model.columns()), output_.path.c_str()));
    }
    report_lines(counts);
  }

 private:
  PlainRowsArguments output_;
  std::optional<int> threads_;
};

}  // namespace

const Maker make_sentence_encode = make_command<SentenceEncodeCommand>;

}  // namespace acevec
