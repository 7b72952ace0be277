// acevec convert IN OUT: vectors from one format into another.

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "base/progress.h"
#include "commands/commands.h"
#include "commands/vector_files.h"
#include "vectors/format.h"
#include "vectors/row_reader.h"
#include "vectors/row_writer.h"
#include "vectors/unit_vectors.h"

namespace acevec {
namespace {

constexpr CommandText kConvert{
    "convert", "acevec convert IN OUT [OPTION VALUE ...]",
    "Writes the vectors of IN to OUT in another format: word2vec's text or binary, GloVe's "
    "text,\nnumpy's array or TensorBoard's projector; the last two have their words in a second "
    "file.\nIN may be packed (.gz, .bz2, .xz, .zst); - is standard input, or output.\n",
    kVectorCommands};

class ConvertCommand final : public CommandLine {
 public:
  ConvertCommand();
  std::vector<RunFile> more_files() const override;
  void run() override;

 private:
  std::optional<VectorFormat> format_of_out() const;
  void copy_rows(RowReader& reader, RowWriter& writer) const;

  std::optional<VectorFormat> to_;  // empty: by the ending of the path
  NumberType type_ = NumberType::kFloat32;
  int64_t top_ = 0;
  bool normalize_ = false;
};

ConvertCommand::ConvertCommand() : CommandLine(kConvert) {
  table().group("Formats");
  table().choice<VectorFormat>("to", to_,
                               {{"text", VectorFormat::kText},
                                {"binary", VectorFormat::kBinary},
                                {"glove", VectorFormat::kGlove},
                                {"npy", VectorFormat::kNpy},
                                {"tsv", VectorFormat::kTsv}},
                               "format of OUT (default: by its ending .bin, .glove, .npy or .tsv; "
                               ".txt, .vec or none is text)");
  table()
      .choice<NumberType>(
          "type", type_, {{"float16", NumberType::kFloat16}, {"float32", NumberType::kFloat32}},
          "numbers of OUT, for npy: float16 takes half the space and keeps 3 digits")
      .need("an OUT that is npy", [this] { return format_of_out() == VectorFormat::kNpy; });
  table().group("Rows");
  table().integer("top", top_, {0, 1e15}, "convert only the first N rows; 0: all");
  table().flag("normalize", normalize_, "scale every vector to length 1");
}

// The format that was chosen, or else that of the ending.
std::optional<VectorFormat> ConvertCommand::format_of_out() const {
  return to_ ? to_ : format_of_ending(positional()[1]);
}

// The files of words.
std::vector<RunFile> ConvertCommand::more_files() const {
  std::vector<RunFile> files;
  add_words_file("IN", positional()[0], format_of_ending(positional()[0]), false, files);
  add_words_file("OUT", positional()[1], format_of_out(), true, files);
  return files;
}

void ConvertCommand::copy_rows(RowReader& reader, RowWriter& writer) const {
  const int64_t most = top_ > 0 ? top_ : std::numeric_limits<int64_t>::max();
  const int64_t promised = reader.promised() < 0 ? -1 : std::min(reader.promised(), most);
  writer.begin(promised, reader.columns(), false);  // rows may be passed over
  std::vector<float> row(static_cast<size_t>(reader.columns()));
  std::string lost;  // the first word that OUT cannot hold
  int64_t left_out = 0, read = 0;
  for (std::string word; read < most && reader.next(word, row.data()); ++read) {
    if (!writer.can_hold(word)) {
      if (left_out++ == 0) lost = word;
      continue;
    }
    if (normalize_) scale_to_unit(row.data(), reader.columns());
    writer.write(word, row.data());
  }
  if (const std::string note = reader.note(); !note.empty()) print_message(note);
  if (left_out > 0) {
    print_message(
        format("note: left out %s with white space, such as \"%s\"; npy and tsv can hold them",
               counted(left_out, "word").c_str(), excerpt(lost).c_str()));
  }
}

void ConvertCommand::run() {
  const std::string& out = positional()[1];
  const VectorFormat to = to_ ? *to_ : output_format(out, ", or give -to FORMAT");
  if (out == "-" && has_words_file(to)) {
    throw UsageError("the words of npy and tsv are in a file beside OUT; give it a name");
  }
  table().refuse_idle();
  const auto reader = open_rows(positional()[0]);
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
