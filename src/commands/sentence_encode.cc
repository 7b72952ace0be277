// acevec sentence encode MODEL <lines >vectors.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "commands/shared_options.h"
#include "commands/vector_files.h"
#include "tasks/sentence/line_encoder.h"
#include "tasks/sentence/model.h"
#include "vectors/queries.h"

namespace acevec {
namespace {

constexpr CommandText kSentenceEncode{
    "sentence encode", "acevec sentence encode MODEL [OPTION VALUE ...]",
    "Encodes the lines of standard input, one row per line, in order. Empty lines and lines "
    "without\na known word become zeros.\n"};

class SentenceEncodeCommand final : public CommandLine {
 public:
  SentenceEncodeCommand() : CommandLine(kSentenceEncode) {
    table().group("Encoding");
    declare_plain_rows(output_, table());
    declare_threads(threads_, table());
  }
  void run() override;

 private:
  PlainRowsArguments output_;
  std::optional<int> threads_;
};

void SentenceEncodeCommand::run() {
  PlainRows output(output_.path, plain_format(output_));
  const SentenceModel model = read_sentence_model(positional()[0]);
  const LineEncoder encoder(model, threads_of(threads_));
  InputLines input("-", kEveryLine);
  LineCounts counts;
  for (std::vector<std::string> lines; input.next(lines);) {
    counts += encoder.encode(lines, output);
  }
  output.commit(model.columns());
  report_lines(counts);
}

}  // namespace

std::unique_ptr<CommandLine> make_sentence_encode() {
  return std::make_unique<SentenceEncodeCommand>();
}

}  // namespace acevec
