#include "vectors/convert_command.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/message.h"
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
    choice(
        kFormats, "to", kVectorFormats, "",
        "format of OUT (default: by its ending .bin, .glove, .npy or .tsv; .txt, .vec or none is "
        "text); fasttext is only read"),
    input_file(kFormats, "input-words",
               "words of IN, for npy and tsv (default: v.words of v.npy, v.metadata.tsv of v.tsv)"),
    output_file(kFormats, "output-words", "the same for OUT"),
    choice(kFormats, "type", "float16|float32", "float32",
           "numbers of OUT, for npy: float16 takes half the space and keeps 3 digits"),
    integer(kRows, "top", "0", 0, 1e15, "convert only the first N rows; 0: all"),
    flag(kRows, "normalize", "0", "scale every vector to length 1"),
};

constexpr FileArgument kFiles[] = {{"IN", Kind::kInputFile}, {"OUT", Kind::kOutputFile}};

// The format that the option names, or else the ending of `path`.
std::optional<VectorFormat> format_of(const Options& options, const char* option,
                                      const std::string& path) {
  return options.given(option) ? std::optional(chosen_format(options, option))
                               : format_of_ending(path);
}

// The files of words that no option names.
std::vector<RunFile> files_of_words(const Options& options) {
  std::vector<RunFile> files;
  const auto add = [&](size_t argument, const char* option, const char* words, bool written) {
    if (options.given(words) || argument >= options.positional().size()) return;
    const std::string& path = options.positional()[argument];
    add_words_file(std::string(kFiles[argument].name), path, format_of(options, option, path),
                   written, files);
  };
  add(0, "from", "input-words", false);
  add(1, "to", "output-words", true);
  return files;
}

// A pipe has no name from which that of the words could follow.
void require_words_path(const Options& options, const std::string& path,
                        std::optional<VectorFormat> kind, const char* option) {
  if (path != "-" || !kind || !has_words_file(*kind) || options.given(option)) return;
  throw UsageError(
      format("the words of npy and tsv are in a second file; name it with -%s", option));
}

}  // namespace

const Command kConvertCommand{
    "convert",
    "acevec convert IN OUT [OPTION VALUE ...]",
    "Writes the vectors of IN to OUT in another format: word2vec's text or binary, GloVe's "
    "text,\nnumpy's array or TensorBoard's projector; the last two have their words in a second "
    "file.\nIN may be gzipped; - is standard input, or output.\n",
    "a file of vectors, and where to write",
    kTable,
    kFiles,
    files_of_words};

void run_convert(const Options& options) {
  if (options.positional().size() != 2) {
    throw UsageError("two files are needed; call acevec convert IN OUT");
  }
  const std::string& in = options.positional()[0];
  const std::string& out = options.positional()[1];
  const auto from =
      options.given("from") ? std::optional(chosen_format(options, "from")) : std::nullopt;
  const VectorFormat to = options.given("to") ? chosen_format(options, "to")
                                              : output_format(out, ", or give -to FORMAT");
  if (to == VectorFormat::kFastText) {
    throw UsageError(
        "a fastText model also has the rows of n-grams, which vectors lack; convert to another "
        "format, or train a model");
  }
  require_words_path(options, in, format_of(options, "from", in), "input-words");
  require_words_path(options, out, to, "output-words");

  const NumberType type =
      options.text("type") == "float16" ? NumberType::kFloat16 : NumberType::kFloat32;
  if (to != VectorFormat::kNpy) refuse_idle(options, "type", "an OUT that is npy");
  const auto reader = open_rows(in, from, options.text("input-words"));
  const int64_t top = options.integer("top");
  const int64_t most = top > 0 ? top : std::numeric_limits<int64_t>::max();
  const int64_t rows = reader->promised() < 0 ? -1 : std::min(reader->promised(), most);
  RowWriter writer(out, to, options.text("output-words"), type);
  writer.begin(rows, reader->columns());
  std::vector<float> row(static_cast<size_t>(reader->columns()));
  int64_t written = 0;
  for (std::string word; written < most && reader->next(word, row.data()); ++written) {
    if (options.flag("normalize")) scale_to_unit(row.data(), reader->columns());
    writer.write(word, row.data());
  }
  writer.commit();
  print_message("wrote " + writer.written());
}

}  // namespace acevec
