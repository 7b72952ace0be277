#include "tasks/sentence/model_file.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "train/model_container.h"

namespace acevec {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kVersion = 2;

struct Shape {
  int64_t mode, size, buckets, tied, encoder, words;
};

[[noreturn]] void refuse(const std::string& path) {
  throw Error(
      format("%s is not a model of sentences, or is damaged; give a file that acevec "
             "sentence wrote",
             path.c_str()));
}

bool is_possible(const Shape& shape) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  return (shape.mode == 0 || shape.mode == 1) && shape.size >= 1 && shape.size <= 100000 &&
         shape.words >= 1 && shape.words <= kMost && shape.buckets >= 0 &&
         shape.buckets <= kMost - shape.words && (shape.tied == 0 || shape.tied == 1) &&
         (shape.encoder == 0 || (shape.encoder == 1 && shape.buckets == 0));
}

void write_network(const std::string& name, const Network& network, CheckpointWriter& file) {
  put_trained(name, network.rows, file);
  if (network.gates.rows() > 0) put_trained(name + " gates", network.gates, file);
}

void read_network(const std::string& name, Network& network, CheckpointReader& file) {
  get_trained(name, network.rows, file);
  if (network.gates.rows() > 0) get_trained(name + " gates", network.gates, file);
}

SentenceModel read(CheckpointReader& file) {
  if (file.get<int64_t>("acevec sentence") != kVersion) refuse(file.path());
  const auto shape = file.get<Shape>("shape");
  std::string words;
  file.get("words", words);
  std::vector<int64_t> counts;
  file.get("counts", counts);
  std::vector<WordCount> vocabulary;
  for (size_t at = 0, end; (end = words.find('\n', at)) != std::string::npos; at = end + 1) {
    if (vocabulary.size() == counts.size()) refuse(file.path());
    vocabulary.push_back({words.substr(at, end - at), counts[vocabulary.size()]});
  }
  if (!is_possible(shape) || static_cast<int64_t>(vocabulary.size()) != shape.words) {
    refuse(file.path());
  }
  const SentenceShape wanted{static_cast<TokenMode>(shape.mode), shape.size, shape.buckets,
                             shape.tied == 1, static_cast<EncoderKind>(shape.encoder)};
  // Before memory is asked for.
  if (Network::bytes(wanted, shape.words) > static_cast<int64_t>(fs::file_size(file.path()))) {
    refuse(file.path());
  }
  Vocabulary sorted(std::move(vocabulary), std::numeric_limits<int64_t>::min(), 0);
  SentenceModel model(std::move(sorted), wanted);
  get_trained("centre", model.centre, file);
  if (std::ssize(model.centre) != model.columns()) refuse(file.path());
  read_network("f", model.f, file);
  if (model.second) read_network("g", *model.second, file);
  return model;
}

}  // namespace

void write_sentence_model(const SentenceModel& model, CheckpointWriter& file) {
  const int32_t words = model.vocabulary.size();
  std::string text;
  for (int32_t id = 0; id < words; ++id) text += model.vocabulary.word(id) + '\n';
  file.put("acevec sentence", kVersion);
  const SentenceShape& shape = model.shape;
  file.put("shape", Shape{static_cast<int64_t>(shape.mode), shape.size, shape.buckets,
                          shape.tied ? 1 : 0, static_cast<int64_t>(shape.encoder), words});
  file.put("words", text);
  file.put("counts", model.vocabulary.counts());
  file.put("centre", model.centre);
  write_network("f", model.f, file);
  if (model.second) write_network("g", *model.second, file);
}

uint64_t model_fingerprint(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  uint64_t sum = 0;
  file.seekg(-static_cast<std::streamoff>(sizeof sum), std::ios::end);
  file.read(reinterpret_cast<char*>(&sum), sizeof sum);
  return sum;
}

SentenceModel read_sentence_model(const std::string& path) {
  std::optional<SentenceModel> model;
  read_model_file(
      path, [&](CheckpointReader& file) { model.emplace(read(file)); }, refuse);
  return std::move(*model);
}

}  // namespace acevec
