#include "vectors/writer.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "base/error.h"
#include "math/hogwild.h"

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

// Writes one row.
void write_row(const std::string& word, const float* row, int64_t columns, bool binary,
               OutputFile& file) {
  if (!std::all_of(row, row + columns, [](float x) { return std::isfinite(x); })) {
    throw Error(format("the vector of \"%s\" is not finite, nothing was written; lower -alpha",
                       word.c_str()));
  }
  std::string line = word;
  binary ? append_binary(line, row, columns) : append_text(line, row, columns);
  line += '\n';
  file.write(line);
}

}  // namespace

void write_vectors(const Vocabulary& vocabulary, const Matrix& vectors,
                   const std::optional<WordVectors>& more, bool binary, OutputFile& file) {
  const int64_t columns = vectors.columns();
  const size_t words = static_cast<size_t>(vocabulary.size()) + (more ? more->words.size() : 0);
  file.write(std::to_string(words) + ' ' + std::to_string(columns) + '\n');
  AlignedFloats row(vectors.stride());
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    gather_rows(vectors, &id, 1, row.data());
    write_row(vocabulary.word(id), row.data(), columns, binary, file);
  }
  for (size_t i = 0; more && i < more->words.size(); ++i) {
    write_row(more->words[i], more->vectors.row(static_cast<int64_t>(i)), columns, binary, file);
  }
}

}  // namespace acevec
