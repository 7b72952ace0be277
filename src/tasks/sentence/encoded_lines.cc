#include "tasks/sentence/encoded_lines.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <fstream>

#include "base/checkpoint_file.h"
#include "base/error.h"
#include "vectors/unit_vectors.h"

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

TextLines::TextLines(const std::string& path) {
  WholeLines input(path);
  for (std::vector<std::string_view> lines; input.next(lines);) {
    for (const std::string_view line : lines) {
      if (line.empty()) continue;
      hash = XXH3_64bits_withSeed(line.data(), line.size(), hash + 1);
      texts.emplace_back(line);
    }
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
  constexpr size_t kLines = 65536;  // at a time
  const auto count = static_cast<int64_t>(texts.size());
  Matrix vectors(count, columns), batch(0, columns);
  LineCounts counts;
  for (size_t begin = 0; begin < texts.size(); begin += kLines) {
    const size_t end = std::min(begin + kLines, texts.size());
    counts += encoder.encode({texts.data() + begin, texts.data() + end}, batch);
    for (int64_t i = 0; i < batch.rows(); ++i) {
      float* const row = vectors.row(static_cast<int64_t>(begin) + i);
      std::copy_n(batch.row(i), columns, row);
      scale_to_unit(row, columns);
    }
  }
  report_lines(counts);
  return vectors;
}

}  // namespace acevec
