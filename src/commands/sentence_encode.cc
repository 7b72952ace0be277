// acevec sentence encode and export: prints the vectors of lines, and writes a model for other
// libraries.

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "commands/vector_files.h"
#include "tasks/sentence/encoder.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/static_embedding.h"
#include "text/lines.h"

namespace acevec {
namespace {

constexpr CommandText kSentenceEncode{
    "sentence encode", "acevec sentence encode MODEL [FILE] [OPTION VALUE ...]",
    "Encodes the lines of FILE or standard input, one row per line, in order. Empty lines and "
    "lines\nwithout a known word become zeros.\n"};

class SentenceEncodeCommand final : public CommandLine {
 public:
  SentenceEncodeCommand() : CommandLine(kSentenceEncode) {
    table().group("Encoding");
    declare_plain_rows(output_, table());
    declare_threads(threads_, table());
  }

  void run() override {
    const std::string& file = positional()[1];
    require_file_of_texts(*this, file);
    RowWriter output = plain_rows(output_);
    const SentenceModel model = read_sentence_model(positional()[0]);
    const int threads = threads_of(threads_);
    const LineEncoder encoder(model, threads);
    LineReader input(file, kEveryLine);
    LineCounts counts;
    Matrix vectors(0, model.columns());
    output.begin(-1, model.columns());
    for (std::vector<std::string> lines; input.next_batch(lines);) {
      counts += encoder.encode(lines, vectors);
      output.write(vectors, threads);
    }
    output.commit();
    if (counts.lines == 0) print_message("acevec: note: " + input.name() + " had no lines");
    report_plain_rows(output_, counts.lines, model.columns());
    report_lines(counts);
  }

 private:
  PlainRowsArguments output_;
  std::optional<int> threads_;
};

constexpr CommandText kSentenceExport{
    "sentence export", "acevec sentence export MODEL FOLDER",
    "Writes a model of one row per word for sentence-transformers and Model2Vec.\n"};

class SentenceExportCommand final : public CommandLine {
 public:
  SentenceExportCommand() : CommandLine(kSentenceExport) {}

  std::vector<RunFile> more_files() const override {
    std::vector<RunFile> files;
    for (std::string& path : static_embedding_files(positional()[1])) {
      files.push_back({"a file of FOLDER", std::move(path), true, true});
    }
    return files;
  }

  void run() override {
    const std::string& folder = positional()[1];
    const SentenceModel model = read_sentence_model(positional()[0]);
    const StaticEmbedding embedding = static_embedding(model);
    write_static_embedding(embedding, model.shape.mode, folder);
    const int64_t left_out = model.vocabulary.size() - std::ssize(embedding.words);
    if (left_out > 0) {
      print_message(format("acevec: note: left out %s: [UNK], or equal to another in UTF-8",
                           counted(left_out, "word").c_str()));
    }
    print_message(format("wrote %s of size %ld to %s",
                         counted(std::ssize(embedding.words), "vector").c_str(),
                         static_cast<long>(embedding.rows.columns()), one_line(folder).c_str()));
  }
};

}  // namespace

const Maker make_sentence_encode = make_command<SentenceEncodeCommand>;
const Maker make_sentence_export = make_command<SentenceExportCommand>;

}  // namespace acevec
