// acevec sentence export MODEL FOLDER: a model for other libraries.

#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "commands/commands.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/static_embedding.h"

namespace acevec {
namespace {

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

const Maker make_sentence_export = make_command<SentenceExportCommand>;

}  // namespace acevec
