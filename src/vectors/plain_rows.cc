#include "vectors/plain_rows.h"

#include <algorithm>

namespace acevec {

// GloVe's lines are those of word2vec's text, and nothing stands before them.
PlainRows::PlainRows(const std::string& path, VectorFormat format)
    : format_(format == VectorFormat::kText ? VectorFormat::kGlove : format),
      body_(path.empty() ? "-" : path, format_, NumberType::kFloat32) {
  body_.begin(-1, 0);
}

std::string PlainRows::bytes_of(const Matrix& rows, int64_t first, int64_t last) const {
  std::string bytes;
  for (int64_t i = first; i < last; ++i) {
    append_row(format_, "", rows.row(i), rows.columns(), bytes);
  }
  return bytes;
}

void PlainRows::write(std::string_view bytes, int64_t rows) {
  body_.write(bytes);
  rows_ += rows;
}

void PlainRows::write(const Matrix& rows) {
  constexpr int64_t kRows = 1024;  // that are written at a time
  for (int64_t first = 0; first < rows.rows(); first += kRows) {
    const int64_t last = std::min(rows.rows(), first + kRows);
    write(bytes_of(rows, first, last), last - first);
  }
}

void PlainRows::commit(int64_t columns) {
  body_.finish(rows_, columns);
  body_.commit();
}

}  // namespace acevec
