#include "text/text_command.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/message.h"
#include "base/output_file.h"
#include "text/counted_text.h"
#include "text/read_text.h"
#include "text/sentences.h"
#include "text/source.h"
#include "text/text_reader.h"

namespace acevec {
namespace {

const Option kTable[] = {
    format_row("Text"),
    choice("Text", "split", "lines|sentences", "lines",
           "sentences: one sentence per line, split by Unicode's rules"),
};

// A sentence a line; empty lines stay.
void write_sentences(std::string_view text, SentenceSplitter& splitter, OutputFile& output) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    bool any = false;
    splitter.split(line, [&](std::string_view sentence) {
      output.write(sentence);
      output.write("\n");
      any = true;
    });
    if (!any) output.write("\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

constexpr FileArgument kFiles[] = {{"FILE", Kind::kInputFile}};

}  // namespace

const Command kTextCommand{"text",
                           "acevec text FILE [OPTION VALUE ...]",
                           "Prints a text as training reads it, before it is split into tokens; "
                           "with -format wiki the articles\nof a MediaWiki dump, one paragraph per "
                           "line. .gz is unpacked, - is standard input.\n",
                           "a file of text",
                           kTable,
                           kFiles};

void run_text(const Options& options) {
  if (options.positional().size() != 1) {
    throw UsageError("one file of text is needed; call acevec text FILE");
  }
  Source source(options.positional()[0], text_format(options));
  OutputFile output("-");
  const std::unique_ptr<TextReader> reader = make_text_reader(source, kChunkBytes);
  std::optional<SentenceSplitter> splitter;
  if (options.text("split") == "sentences") splitter.emplace();
  PageCounts pages;
  for (TextChunk chunk; reader->next(chunk);) {
    if (splitter) {
      write_sentences(chunk.text, *splitter, output);
    } else {
      output.write(chunk.text);
    }
    pages += chunk.pages;
  }
  output.commit();
  for (const std::string& line : report_lines(pages)) print_message(line);
}

}  // namespace acevec
