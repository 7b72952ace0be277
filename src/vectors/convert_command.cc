#include "vectors/convert_command.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "vectors/format.h"
#include "vectors/row_reader.h"
#include "vectors/row_writer.h"
#include "vectors/unit_vectors.h"

namespace acevec {
namespace {

constexpr std::string_view kFormats = "Formats";
constexpr std::string_view kRows = "Rows";

const Option kTable[] = {
    choice(kFormats, "from", kVectorFormats, "",
           "format of IN (default: by its ending .npy or .tsv, else by its content)"),
    choice(kFormats, "to", kVectorFormats, "",
           "format of OUT (default: by its ending .bin, .glove, .npy or .tsv, else text)"),
    text(kFormats, "input-words", "FILE", "",
         "words of IN, for npy and tsv (default: v.words of v.npy, v.metadata.tsv of v.tsv)"),
    text(kFormats, "output-words", "FILE", "", "the same for OUT"),
    integer(kRows, "top", "0", 0, 1e15, "only the first N rows; 0: all"),
    flag(kRows, "normalize", "0", "scale every vector to length 1"),
};

// A pipe has no name from which that of the words could follow.
void require_words_path(const Options& options, const std::string& path,
                        std::optional<VectorFormat> kind, const char* option) {
  if (path != "-" || !kind || !has_words_file(*kind) || options.given(option)) return;
  throw UsageError(
      format("the words of npy and tsv stand in a file of their own; name it with -%s", option));
}

}  // namespace

const Command kConvertCommand{
    "convert", "acevec convert IN OUT [OPTION VALUE ...]",
    "Writes the vectors of IN to OUT in another format: word2vec's text or binary, GloVe's text,\n"
    "numpy's array or TensorBoard's projector, the last two with their words in a second file.\n"
    "IN may be gzipped; - is standard input, or output.\n",
    "a file of vectors, and where to write", kTable};

void run_convert(const Options& options) {
  if (options.positional().size() != 2) {
    throw UsageError("two files are needed; call acevec convert IN OUT");
  }
  const std::string& in = options.positional()[0];
  const std::string& out = options.positional()[1];
  refuse_gzip_output(out);
  refuse_gzip_output(options.text("output-words"));
  const auto from =
      options.given("from") ? std::optional(vector_format(options.text("from"))) : std::nullopt;
  const VectorFormat to = options.given("to") ? vector_format(options.text("to"))
                                              : format_of_ending(out).value_or(VectorFormat::kText);
  require_words_path(options, in, from ? from : format_of_ending(in), "input-words");
  require_words_path(options, out, to, "output-words");

  const auto reader = open_rows(in, from, options.text("input-words"));
  const int64_t top = options.integer("top");
  const int64_t most = top > 0 ? top : std::numeric_limits<int64_t>::max();
  const int64_t rows = reader->promised() < 0 ? -1 : std::min(reader->promised(), most);
  RowWriter writer(out, to, reader->columns(), rows, options.text("output-words"));
  std::vector<float> row(static_cast<size_t>(reader->columns()));
  int64_t written = 0;
  for (std::string word; written < most && reader->next(word, row.data()); ++written) {
    if (options.flag("normalize")) scale_to_unit(row.data(), reader->columns());
    writer.write(word, row.data());
  }
  writer.commit();
  print_message(format("wrote %s of %s", counted(written, "vector").c_str(),
                       counted(reader->columns(), "number").c_str()));
}

}  // namespace acevec
