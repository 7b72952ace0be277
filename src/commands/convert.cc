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

class ConvertCommand final : public CommandLine {
 public:
  ConvertCommand();
  std::vector<RunFile> more_files() const override;
  void run() override;

 private:
  enum Place : size_t { kIn, kOut };  // among the arguments

  std::optional<VectorFormat> format_of(Place place) const;
  void require_name(Place place, std::optional<VectorFormat> format) const;
  void copy_rows(RowReader& reader, RowWriter& writer) const;

  std::optional<VectorFormat> from_, to_;  // empty: by the ending of the path, or by the content
  NumberType type_ = NumberType::kFloat32;
  int64_t top_ = 0;
  bool normalize_ = false;
};

ConvertCommand::ConvertCommand() : CommandLine(kConvert) {
  table().group("Formats");
  declare_vector_format("from", from_, table(),
                        "format of IN (default: by its ending .npy or .tsv, else by its content)");
  declare_vector_format(
      "to", to_, table(),
      "format of OUT (default: by its ending .bin, .glove, .npy or .tsv; .txt, .vec or none is "
      "text); fasttext is only read");
  table()
      .choice<NumberType>(
          "type", type_, {{"float16", NumberType::kFloat16}, {"float32", NumberType::kFloat32}},
          "numbers of OUT, for npy: float16 takes half the space and keeps 3 digits")
      .need("an OUT that is npy", [this] { return format_of(kOut) == VectorFormat::kNpy; });
  table().group("Rows");
  table().integer("top", top_, {0, 1e15}, "convert only the first N rows; 0: all");
  table().flag("normalize", normalize_, "scale every vector to length 1");
}

// The format that was chosen, or else that of the ending.
std::optional<VectorFormat> ConvertCommand::format_of(Place place) const {
  const std::optional<VectorFormat> chosen = place == kIn ? from_ : to_;
  if (chosen || place >= positional().size()) return chosen;
  return format_of_ending(positional()[place]);
}

// The files of words.
std::vector<RunFile> ConvertCommand::more_files() const {
  std::vector<RunFile> files;
  for (const Place place : {kIn, kOut}) {
    if (place >= positional().size()) break;
    add_words_file(std::string(kConvertFiles[place].name), positional()[place], format_of(place),
                   place == kOut, files);
  }
  return files;
}

// A pipe has no name from which that of the words could follow.
void ConvertCommand::require_name(Place place, std::optional<VectorFormat> format) const {
  if (positional()[place] != "-" || !format || !has_words_file(*format)) return;
  throw UsageError(
      acevec::format("the words of npy and tsv are in a file beside %s; give it a name",
                     std::string(kConvertFiles[place].name).c_str()));
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
  const VectorFormat to = to_ ? *to_ : output_format(out, ", or give -to FORMAT");
  if (to == VectorFormat::kFastText) {
    throw UsageError(
        "a fastText model also has the rows of n-grams, which vectors lack; convert to another "
        "format, or train a model");
  }
  require_name(kIn, format_of(kIn));
  require_name(kOut, to);
  table().refuse_idle();
  const auto reader = open_rows(positional()[0], from_);
  RowWriter writer(out, to, type_);
  copy_rows(*reader, writer);
  writer.commit();
  print_message("wrote " + writer.written());
}

}  // namespace

std::unique_ptr<CommandLine> make_convert() {
  return std::make_unique<ConvertCommand>();
}

}  // namespace acevec
