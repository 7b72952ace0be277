#include "tasks/sentence/static_embedding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <filesystem>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/output_file.h"

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian");

namespace acevec {
namespace {

constexpr std::string_view kUnknownWord = "[UNK]";

// A word is letters, with single apostrophes inside; or digits, with single points or commas
// inside; both with combining marks and joiners; or any other single character. Oniguruma's syntax.
constexpr const char* kWordPattern =
    R"((?:[\p{L}_\ufffd][\p{M}\u200c\u200d]*(?:'(?=[\p{L}_\ufffd]))?)"
    R"(|\p{N}[\p{M}\u200c\u200d]*(?:[.,](?=\p{N}))?)+|[^\p{M}\p{Z}\p{C}])";
constexpr const char* kSpacedPattern = R"([^\t-\r \x00]+)";
constexpr const char* kUnseen = R"((?![\s\u200b-\u200d])\p{C})";  // invisible, such as soft hyphens
constexpr const char* kEndOfWord = R"((?![\p{L}\p{M}\p{N}_]|'[\p{L}_]))";

// `kind`: of the pattern, "String" or "Regex".
std::string replace(const char* kind, const std::string& pattern, const char* content) {
  return format(R"({"type":"Replace","pattern":{"%s":%s},"content":%s},)", kind,
                json_string(pattern).c_str(), json_string(content).c_str());
}

// Yields the same words as separate_words(), except for scripts without spaces between words.
std::string normalizer_of(TokenMode mode) {
  if (mode == TokenMode::kSpace) return "null";
  return R"({"type":"Sequence","normalizers":[)" + replace("Regex", kUnseen, "") +
         R"({"type":"NFC"},)" + replace("String", "İ", "i") + replace("String", "’", "'") +
         replace("String", "ς", "σ") +
         replace("Regex", R"((?<=[^\x00-\x7f\p{Z}\p{P}\p{S}])[Σσ])" + std::string(kEndOfWord),
                 "ς") +
         R"({"type":"Lowercase"}]})";
}

void write_tensor(const Matrix& rows, OutputFile& file) {
  const int64_t row_bytes = rows.columns() * kFloatSize;
  std::string head =
      format(R"({"embeddings":{"dtype":"F32","shape":[%ld,%ld],"data_offsets":[0,%ld]}})",
             static_cast<long>(rows.rows()), static_cast<long>(rows.columns()),
             static_cast<long>(rows.rows() * row_bytes));
  head.resize((head.size() + 7) / 8 * 8, ' ');
  const uint64_t size = head.size();
  file.write({reinterpret_cast<const char*>(&size), sizeof size});
  file.write(head);
  for (int64_t i = 0; i < rows.rows(); ++i) {
    file.write({reinterpret_cast<const char*>(rows.row(i)), static_cast<size_t>(row_bytes)});
  }
}

void write_tokenizer(const std::vector<std::string>& words, TokenMode mode, OutputFile& file) {
  file.write(
      R"({"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":)");
  file.write(normalizer_of(mode));
  file.write(R"(,"pre_tokenizer":{"type":"Split","pattern":{"Regex":)");
  file.write(json_string(mode == TokenMode::kSpace ? kSpacedPattern : kWordPattern));
  file.write(R"(},"behavior":"Removed","invert":true},"post_processor":null,"decoder":null,)");
  file.write(R"("model":{"type":"WordLevel","unk_token":"[UNK]","vocab":{"[UNK]":0)");
  for (size_t i = 0; i < words.size(); ++i) {
    file.write(format(",%s:%zu", json_string(words[i]).c_str(), i + 1));
  }
  file.write("}}}\n");
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directory(folder, failed);
  if (!failed && std::filesystem::is_directory(folder, failed)) return;
  throw Error(format("cannot make the folder %s: %s; give another name", folder.c_str(),
                     failed ? failed.message().c_str() : "it is a file"));
}

}  // namespace

StaticEmbedding static_embedding(const SentenceModel& model) {
  if (!model.shape.has_weights() || model.second) {
    throw Error(
        "the model is not one row per word: it has two networks, or gated units; give one that is "
        "made of word vectors, or learned with -pairs");
  }
  const int64_t size = model.shape.size;
  const Matrix& from = model.f.rows;
  StaticEmbedding to{{}, Matrix(1 + model.vocabulary.size(), size)};
  float greatest = from.row(0)[size];
  for (int32_t id = 1; id < model.vocabulary.size(); ++id)
    greatest = std::max(greatest, from.row(id)[size]);
  // Σ w_i r_i / Σ w_i − c equals Σ w_i (r_i − c) up to a factor, whatever scales all weights.
  std::unordered_set<std::string> seen{std::string(kUnknownWord)};
  for (int32_t id = 0; id < model.vocabulary.size(); ++id) {
    std::string word = repair_utf8(model.vocabulary.word(id));
    if (!seen.insert(word).second) continue;
    to.words.push_back(std::move(word));
    const float* const row = from.row(id);
    float* const result = to.rows.row(std::ssize(to.words));
    const float weight = std::exp(row[size] - greatest);
    for (int64_t k = 0; k < size; ++k) {
      result[k] = weight * (row[k] - model.centre[static_cast<size_t>(k)]);
    }
  }
  to.rows.resize(1 + std::ssize(to.words));
  return to;
}

std::vector<std::string> static_embedding_files(const std::string& folder) {
  std::vector<std::string> files;
  for (const char* name : {"model.safetensors", "tokenizer.json", "config.json", "modules.json",
                           "config_sentence_transformers.json"}) {
    files.push_back((std::filesystem::path(folder) / name).string());
  }
  return files;
}

void write_static_embedding(const StaticEmbedding& embedding, TokenMode mode,
                            const std::string& folder) {
  make_folder(folder);
  make_folder(std::filesystem::path(folder) / "1_Normalize");
  std::deque<OutputFile> files;
  for (const std::string& path : static_embedding_files(folder)) files.emplace_back(path);
  write_tensor(embedding.rows, files[0]);
  write_tokenizer(embedding.words, mode, files[1]);
  files[2].write(format(
      R"({"model_type":"model2vec","architectures":["StaticModel"],"tokenizer_name":"acevec",)"
      R"("apply_pca":null,"apply_zipf":false,"hidden_dim":%ld,"seq_length":1000000,)"
      R"("normalize":true})"
      "\n",
      static_cast<long>(embedding.rows.columns())));
  files[3].write(
      R"([{"idx":0,"name":"0","path":".","type":"sentence_transformers.models.StaticEmbedding"},)"
      R"({"idx":1,"name":"1","path":"1_Normalize",)"
      R"("type":"sentence_transformers.models.Normalize"}])"
      "\n");
  files[4].write("{\"similarity_fn_name\":\"cosine\"}\n");
  for (OutputFile& file : files) file.finish();
  for (OutputFile& file : files) file.commit();
}

}  // namespace acevec
