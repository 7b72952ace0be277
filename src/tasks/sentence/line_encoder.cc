#include "tasks/sentence/line_encoder.h"

#include <algorithm>
#include <fstream>
#include <mutex>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/checkpoint_file.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "text/lines.h"
#include "text/tokenizer.h"
#include "train/checkpoint.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

// Lines begin .. begin + kEncodedTogether − 1, as far as there are so many.
std::span<const std::string> piece_at(const std::vector<std::string>& lines, int64_t begin) {
  const int64_t count = std::min(kEncodedTogether, std::ssize(lines) - begin);
  return std::span(lines).subspan(static_cast<size_t>(begin), static_cast<size_t>(count));
}

constexpr char kPart[] = "acevec sentence nn";
constexpr int64_t kVersion = 1;

// Whether a file is there that this program has not kept here.
bool is_foreign(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  // The container's head has 16 bytes; then comes the first part's name.
  std::string head(17 + sizeof kPart - 1, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return file.gcount() > 0 && head.substr(17) != kPart;
}

}  // namespace

LineCounts& LineCounts::operator+=(const LineCounts& other) {
  lines += other.lines;
  empty += other.empty;
  unknown_tokens += other.unknown_tokens;
  return *this;
}

LineCounts LineEncoder::encode(const std::vector<std::string>& lines, Matrix& vectors) const {
  vectors.resize(std::ssize(lines));
  return sum_in_blocks(threads_, std::ssize(lines), kEncodedTogether, [&](int64_t begin, int64_t) {
    return encode_piece(piece_at(lines, begin), vectors, begin);
  });
}

LineCounts LineEncoder::encode(const std::vector<std::string>& lines, PlainRows& output) const {
  LineCounts sum;
  std::mutex mutex;
  const auto make = [&](int64_t i) {
    const std::span<const std::string> piece = piece_at(lines, i * kEncodedTogether);
    Matrix vectors(std::ssize(piece), model_.columns());
    const LineCounts counts = encode_piece(piece, vectors, 0);
    const std::lock_guard lock(mutex);
    sum += counts;
    return output.bytes_of(vectors, 0, vectors.rows());
  };
  int64_t next = 0;
  const auto write = [&](const std::string& bytes) {
    output.write(bytes, std::ssize(piece_at(lines, kEncodedTogether * next++)));
  };
  in_order(threads_, (std::ssize(lines) + kEncodedTogether - 1) / kEncodedTogether, make, write);
  return sum;
}

LineCounts LineEncoder::encode_piece(std::span<const std::string> lines, Matrix& vectors,
                                     int64_t first) const {
  LineCounts counts;
  std::vector<std::vector<int32_t>> sentences(lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    counts.unknown_tokens += reader_.read(lines[i], sentences[i]);
    counts.empty += sentences[i].empty() ? 1 : 0;
    ++counts.lines;
  }
  SentenceEncoder(model_).encode(sentences, vectors, first);
  return counts;
}

void report_lines(const LineCounts& counts) {
  if (counts.empty > 0) {
    print_message(
        format("acevec: note: %s no word that the model knows; the vectors are zeros",
               (counted(counts.empty, "line") + (counts.empty == 1 ? " has" : " have")).c_str()));
  }
  if (counts.unknown_tokens > 0) {
    print_message(format("acevec: note: left out %s that the model does not know",
                         counted(counts.unknown_tokens, "token").c_str()));
  }
}

// Two of ten million lines have one hash with a probability of 3 in a million.
TextLines::TextLines(const std::string& path) {
  LineReader lines(path, {.longest = kEveryLine.longest});
  std::unordered_set<uint64_t> seen;
  while (const std::optional<std::string_view> line = lines.next()) {
    if (!has_letter_or_digit(*line)) continue;
    if (!seen.insert(hash_of_bytes(line->data(), line->size())).second) continue;
    hash = hash_of_bytes(line->data(), line->size(), hash + 1);
    texts.emplace_back(*line);
    numbers.push_back(lines.number());
  }
}

std::string kept_vectors_path(const std::string& text) {
  return text + ".nn";
}

std::optional<Matrix> read_kept_vectors(const std::string& path, const EncodedIdentity& wanted) {
  CheckpointReader file(path);
  const bool known = file.get<int64_t>(kPart) == kVersion;
  if (!known || file.get<EncodedIdentity>("identity") != wanted) return std::nullopt;
  Matrix vectors(wanted.lines, wanted.columns);
  vectors.load("vectors", file);
  if (!vectors.finite()) throw Error(path + " is damaged");
  return vectors;
}

void keep_vectors(const std::string& path, const EncodedIdentity& identity, const Matrix& vectors) {
  if (is_foreign(path))
    throw Error(path + " already exists and was written by another program; move it");
  CheckpointWriter file(path);
  file.put(kPart, kVersion);
  file.put("identity", identity);
  vectors.save("vectors", file);
  file.commit();
}

Matrix encode_lines(const std::vector<std::string>& texts, int64_t columns,
                    const LineEncoder& encoder) {
  Matrix vectors(0, columns);
  report_lines(encoder.encode(texts, vectors));
  scale_to_unit(vectors);
  return vectors;
}

}  // namespace acevec
