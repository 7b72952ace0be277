// acevec convert IN OUT: vectors from one format into another.

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "commands/commands.h"
#include "commands/vector_files.h"
#include "vectors/format.h"
#include "vectors/row_reader.h"
#include "vectors/row_writer.h"
#include "vectors/unit_vectors.h"

namespace acevec {
namespace {

constexpr FileArgument kConvertFiles[] = {{"IN", Kind::kInputFile}, {"OUT", Kind::kOutputFile}};

constexpr CommandText kConvert{
    "convert",
    "acevec convert IN OUT [OPTION VALUE ...]",
    "Writes the vectors of IN to OUT in another format: word2vec's text or binary, GloVe's "
    "text,\nnumpy's array or TensorBoard's projector; the last two have their words in a second "
    "file.\nIN may be gzipped; - is standard input, or output.\n",
    "a file of vectors, and where to write",
    kConvertFiles,
    kVectorCommands};

// IN or OUT besides its path.
struct End {
  size_t place;  // among the arguments
  const char* words_option;
  std::optional<VectorFormat> format;  // empty: by the ending of the path, or by the content
  std::string words = {};              // their file; empty: as follows from the path
};

class ConvertCommand final : public CommandLine {
 public:
  ConvertCommand();
  std::vector<RunFile> more_files() const override;
  void run() override;

 private:
  std::optional<VectorFormat> format_of(const End& side) const;
  void require_words_path(const End& side, std::optional<VectorFormat> format) const;
  void copy_rows(RowReader& reader, RowWriter& writer) const;

  End in_{0, "input-words", {}};
  End out_{1, "output-words", {}};
  NumberType type_ = NumberType::kFloat32;
  int64_t top_ = 0;
  bool normalize_ = false;
};

ConvertCommand::ConvertCommand() : CommandLine(kConvert) {
  table().group("Formats");
  declare_vector_format("from", in_.format, table(),
                        "format of IN (default: by its ending .npy or .tsv, else by its content)");
  declare_vector_format(
      "to", out_.format, table(),
      "format of OUT (default: by its ending .bin, .glove, .npy or .tsv; .txt, .vec or none is "
      "text); fasttext is only read");
  table().input_file(
      in_.words_option, in_.words,
      "words of IN, for npy and tsv (default: v.words of v.npy, v.metadata.tsv of v.tsv)");
  table().output_file(out_.words_option, out_.words, "the same for OUT");
  table()
      .choice<NumberType>(
          "type", type_, {{"float16", NumberType::kFloat16}, {"float32", NumberType::kFloat32}},
          "numbers of OUT, for npy: float16 takes half the space and keeps 3 digits")
      .need("an OUT that is npy", [this] { return format_of(out_) == VectorFormat::kNpy; });
  table().group("Rows");
  table().integer("top", top_, {0, 1e15}, "convert only the first N rows; 0: all");
  table().flag("normalize", normalize_, "scale every vector to length 1");
}

// The format that was chosen, or else that of the ending.
std::optional<VectorFormat> ConvertCommand::format_of(const End& side) const {
  if (side.format || side.place >= positional().size()) return side.format;
  return format_of_ending(positional()[side.place]);
}

// The files of words that no option names.
std::vector<RunFile> ConvertCommand::more_files() const {
  std::vector<RunFile> files;
  for (const End& side : {in_, out_}) {
    if (!side.words.empty() || side.place >= positional().size()) continue;
    const FileArgument& file = kConvertFiles[side.place];
    add_words_file(std::string(file.name), positional()[side.place], format_of(side),
                   file.kind == Kind::kOutputFile, files);
  }
  return files;
}

// A pipe has no name from which that of the words could follow.
void ConvertCommand::require_words_path(const End& side, std::optional<VectorFormat> format) const {
  if (positional()[side.place] != "-" || !format || !has_words_file(*format)) return;
  if (!side.words.empty()) return;
  throw UsageError(acevec::format("the words of npy and tsv are in a second file; name it with -%s",
                                  side.words_option));
}

void ConvertCommand::copy_rows(RowReader& reader, RowWriter& writer) const {
  const int64_t most = top_ > 0 ? top_ : std::numeric_limits<int64_t>::max();
  writer.begin(reader.promised() < 0 ? -1 : std::min(reader.promised(), most), reader.columns());
  std::vector<float> row(static_cast<size_t>(reader.columns()));
  int64_t written = 0;
  for (std::string word; written < most && reader.next(word, row.data()); ++written) {
    if (normalize_) scale_to_unit(row.data(), reader.columns());
    writer.write(word, row.data());
  }
}

void ConvertCommand::run() {
  if (positional().size() != 2) {
    throw UsageError("two files are needed; call acevec convert IN OUT");
  }
  const std::string& out = positional()[1];
  const VectorFormat to = out_.format ? *out_.format : output_format(out, ", or give -to FORMAT");
  if (to == VectorFormat::kFastText) {
    throw UsageError(
        "a fastText model also has the rows of n-grams, which vectors lack; convert to another "
        "format, or train a model");
  }
  require_words_path(in_, format_of(in_));
  require_words_path(out_, to);
  table().refuse_idle();
  const auto reader = open_rows(positional()[0], in_.format, in_.words);
  RowWriter writer(out, to, out_.words, type_);
  copy_rows(*reader, writer);
  writer.commit();
  print_message("wrote " + writer.written());
}

}  // namespace

std::unique_ptr<CommandLine> make_convert() {
  return std::make_unique<ConvertCommand>();
}

}  // namespace acevec
