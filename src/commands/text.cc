// acevec text FILE: prints the text as training reads it.

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/numbers.h"
#include "base/output_file.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "text/corpus.h"
#include "text/segments.h"
#include "text/source.h"
#include "text/text_reader.h"
#include "text/tokenizer.h"

namespace acevec {
namespace {

// Puts each sentence on a line of its own; empty lines stay.
std::string sentences_of(std::string_view text) {
  std::string sentences;
  while (!text.empty()) {
    bool any = false;
    split_sentences(take_part(text, '\n'), [&](std::string_view sentence) {
      sentences += sentence;
      sentences += '\n';
      any = true;
    });
    if (!any) sentences += '\n';
  }
  return sentences;
}

// Returns the tokens of a chunk, with the text's line breaks and spaces between them, and adds to
// `report` what was dropped or repaired. `line_begun`: the chunk continues a line.
std::string tokens_of(std::string_view text, bool& line_begun, TextReport& report) {
  std::string lines;
  split_tokens(
      text, report,
      [&](std::string_view token) {
        if (std::exchange(line_begun, true)) lines += ' ';
        lines += token;
      },
      [&] {
        lines += '\n';
        line_begun = false;
      });
  return lines;
}

constexpr CommandText kText{
    "text", "acevec text FILE [OPTION VALUE ...]",
    "Prints a text as training reads it, before it is split into tokens or, with -tokens, after "
    "that;\nwith -format wiki the articles of a MediaWiki dump, one paragraph per line. Packed\n"
    "files (.gz, .bz2, .xz, .zst) are unpacked, - is standard input. FILE may be several with "
    "commas\nbetween, or a folder.\n",
    "text"};

class TextCommand final : public CommandLine {
 public:
  TextCommand() : CommandLine(kText) {
    table().group("Text");
    declare_format(format_, tokens_, table());
    OptionRow& tokens = table().row_of(&tokens_);
    tokens.help = "print the tokens as training with this option reads them, separated by spaces";
    tokens.defaults.clear();
    tokens.default_later("the text before it is split into tokens");
    table().choice<bool>("split", split_, {{"lines", false}, {"sentences", true}},
                         "sentences: one sentence per line, split by Unicode's rules");
  }

  void run() override {
    table().refuse_idle();
    Source source(whole_files(split_paths(positional()[0])), format_, machine_threads());
    OutputFile output("-");
    const std::unique_ptr<TextReader> reader = make_text_reader(source);
    TextReport report;
    bool line_begun = false;
    for (TextChunk chunk; reader->next(chunk);) {
      if (split_) chunk.text = sentences_of(chunk.text);
      if (tokens_ == TokenMode::kWords) {
        chunk.text = separate_words(chunk.text, report.invalid_tokens);
      }
      if (tokens_) chunk.text = tokens_of(chunk.text, line_begun, report);
      output.write(chunk.text);
      report += chunk.report;
    }
    output.commit();
    Progress progress(false);
    note_repairs(report, progress);
  }

 private:
  TextFormat format_;
  std::optional<TokenMode> tokens_;
  bool split_ = false;  // print one sentence per line
};

}  // namespace

const Maker make_text = make_command<TextCommand>;

}  // namespace acevec
