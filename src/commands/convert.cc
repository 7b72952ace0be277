// acevec convert IN OUT: converts vectors from one format into another.

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "cli/file_options.h"
#include "commands/commands.h"
#include "commands/vector_files.h"
#include "math/covariance.h"
#include "vectors/format.h"
#include "vectors/row_reader.h"
#include "vectors/row_writer.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

constexpr CommandText kConvert{
    "convert", "acevec convert IN OUT [OPTION VALUE ...]",
    "Writes the vectors of IN to OUT in another format: word2vec's text or binary, GloVe's "
    "text,\nnumpy's array or TensorBoard's projector; the last two have their words in a second "
    "file.\nIN may be packed (.gz, .bz2, .xz, .zst); - is standard input or output.\n",
    kVectorCommands};

class ConvertCommand final : public CommandLine {
 public:
  ConvertCommand() : CommandLine(kConvert) {
    table().group("Formats");
    table()
        .choice<VectorFormat>("to", to_,
                              {{"text", VectorFormat::kText},
                               {"binary", VectorFormat::kBinary},
                               {"glove", VectorFormat::kGlove},
                               {"npy", VectorFormat::kNpy},
                               {"tsv", VectorFormat::kTsv}},
                              "format of OUT")
        .default_later("by its ending .bin, .glove, .npy or .tsv; .txt, .vec or none is text");
    table()
        .choice<NumberType>(
            "type", type_, {{"float16", NumberType::kFloat16}, {"float32", NumberType::kFloat32}},
            "numbers of OUT, for npy: float16 takes half the space and keeps 3 digits")
        .need("an OUT that is npy", [this] { return format_of_out() == VectorFormat::kNpy; });
    table().group("Rows");
    table().integer("limit", limit_, {0, 1e15}, "convert only the first N rows; 0: all");
    table().integer(
        "size", size_, {0, 1e6},
        "reduce the vectors to N dimensions, their first principal components; 0: as they are");
    table().flag("normalize", normalize_, "scale every vector to length 1");
  }

  // Adds the words files.
  std::vector<RunFile> more_files() const override {
    std::vector<RunFile> files;
    add_words_file("IN", positional()[0], format_of_ending(positional()[0]), false, files);
    add_words_file("OUT", positional()[1], format_of_out(), true, files);
    return files;
  }

  void run() override {
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

 private:
  // Returns the chosen format, or else that of the ending.
  std::optional<VectorFormat> format_of_out() const {
    return to_ ? to_ : format_of_ending(positional()[1]);
  }

  int64_t most() const { return limit_ > 0 ? limit_ : std::numeric_limits<int64_t>::max(); }

  // Returns all converted rows, with fewer columns.
  WordVectors reduced(RowReader& reader) const {
    if (size_ > reader.columns()) {
      throw Error(format("%s has vectors of size %ld; give a smaller -size",
                         positional()[0].c_str(), static_cast<long>(reader.columns())));
    }
    WordVectors all = reader.read_all(most());
    all.vectors = principal_components(all.vectors, size_, machine_threads());
    return all;
  }

  void copy_rows(RowReader& reader, RowWriter& writer) const {
    std::string lost;  // the first word that OUT cannot hold
    int64_t left_out = 0, written = 0;
    const auto put = [&](const std::string& word, float* row, int64_t columns) {
      if (!writer.can_hold(word)) {
        if (left_out++ == 0) lost = word;
        return;
      }
      if (normalize_) scale_to_unit(row, columns);
      writer.write(word, row);
      ++written;
    };
    if (size_ > 0) {
      WordVectors all = reduced(reader);
      writer.begin(all.vectors.rows(), size_, false);
      for (int64_t i = 0; i < all.vectors.rows(); ++i) {
        put(all.words[static_cast<size_t>(i)], all.vectors.row(i), size_);
      }
    } else {
      const int64_t declared =
          reader.declared_rows() < 0 ? -1 : std::min(reader.declared_rows(), most());
      writer.begin(declared, reader.columns(), false);  // rows may be left out
      std::vector<float> row(static_cast<size_t>(reader.columns()));
      int64_t read = 0;
      for (std::string word; read < most() && reader.next(word, row.data()); ++read) {
        put(word, row.data(), reader.columns());
      }
    }
    if (written == 0) throw Error("OUT's format can hold none of the words; write npy or tsv");
    if (const std::string note = reader.note(); !note.empty()) print_message("acevec: " + note);
    if (left_out > 0) {
      print_message(format(
          "acevec: note: left out %s with white space, such as \"%s\"; npy and tsv can hold them",
          counted(left_out, "word").c_str(), excerpt(lost).c_str()));
    }
  }

  std::optional<VectorFormat> to_;  // empty: decided by the ending of the path
  NumberType type_ = NumberType::kFloat32;
  int64_t limit_ = 0;
  int64_t size_ = 0;
  bool normalize_ = false;
};

}  // namespace

const Maker make_convert = make_command<ConvertCommand>;

}  // namespace acevec
