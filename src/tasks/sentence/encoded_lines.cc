#include "tasks/sentence/encoded_lines.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fstream>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/checkpoint_file.h"
#include "base/error.h"
#include "text/lines.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

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

// Two of ten million lines have one hash with a probability of 3 in a million.
TextLines::TextLines(const std::string& path) {
  LineReader lines(path, {.longest = kEveryLine.longest});
  std::unordered_set<uint64_t> seen;
  while (const std::optional<std::string_view> line = lines.next()) {
    if (!seen.insert(XXH3_64bits(line->data(), line->size())).second) continue;
    hash = XXH3_64bits_withSeed(line->data(), line->size(), hash + 1);
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
  for (int64_t i = 0; i < vectors.rows(); ++i) scale_to_unit(vectors.row(i), columns);
  return vectors;
}

}  // namespace acevec
