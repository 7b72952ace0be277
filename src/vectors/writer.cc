#include "vectors/writer.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "base/error.h"

static_assert(std::endian::native == std::endian::little, "word2vec's binary is little-endian");

namespace acevec {
namespace {

void append_text(std::string& line, const float* row, int64_t columns) {
  char digits[32];
  for (int64_t k = 0; k < columns; ++k) {
    line += ' ';
    line.append(digits, std::to_chars(digits, digits + sizeof digits, row[k]).ptr);
  }
}

void append_binary(std::string& line, const float* row, int64_t columns) {
  line += ' ';
  line.append(reinterpret_cast<const char*>(row), static_cast<size_t>(columns) * sizeof(float));
}

}  // namespace

void write_vectors(const Vocabulary& vocabulary, const Matrix& vectors, bool binary,
                   OutputFile& file) {
  const int64_t columns = vectors.columns();
  file.write(std::to_string(vocabulary.size()) + ' ' + std::to_string(columns) + '\n');
  std::string line;
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const float* row = vectors.row(id);
    for (int64_t k = 0; k < columns; ++k) {
      if (!std::isfinite(row[k])) {
        throw Error(format("the vector of \"%s\" is not finite, nothing was written; lower -alpha",
                           vocabulary.word(id).c_str()));
      }
    }
    line = vocabulary.word(id);
    binary ? append_binary(line, row, columns) : append_text(line, row, columns);
    line += '\n';
    file.write(line);
  }
}

}  // namespace acevec
