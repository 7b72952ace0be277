#include "text/text_command.h"

#include "base/error.h"
#include "base/message.h"
#include "base/output_file.h"
#include "text/counted_text.h"
#include "text/read_text.h"
#include "text/source.h"
#include "text/text_reader.h"

namespace acevec {
namespace {

const Option kTable[] = {format_row("Text")};

constexpr FileArgument kFiles[] = {{"FILE", Kind::kInputFile}};

}  // namespace

const Command kTextCommand{
    "text",
    "acevec text FILE [OPTION VALUE ...]",
    "Prints a text as training reads it, before words are told apart; with -format wiki the "
    "articles\nof a MediaWiki dump, a paragraph a line. .gz is unpacked, - is standard input.\n",
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
  PageCounts pages;
  for (TextChunk chunk; reader->next(chunk);) {
    output.write(chunk.text);
    pages += chunk.pages;
  }
  output.commit();
  for (const std::string& line : report_lines(pages)) print_message(line);
}

}  // namespace acevec
