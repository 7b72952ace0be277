#include "vectors/reader.h"

#include <algorithm>
#include <limits>

#include "vectors/row_reader.h"

namespace acevec {

WordVectors read_vectors(const std::string& path, int64_t most) {
  const auto rows = open_rows(path);
  WordVectors result{{}, Matrix(0, rows->columns())};
  Matrix& vectors = result.vectors;
  const int64_t limit = most > 0 ? most : std::numeric_limits<int64_t>::max();
  std::vector<float> numbers(static_cast<size_t>(rows->columns()));
  // Room follows what has been read, never what the first line promises.
  const int64_t first_rows = 1 + (1 << 17) / rows->columns();
  int64_t count = 0;
  for (std::string word; count < limit && rows->next(word, numbers.data()); ++count) {
    if (count == vectors.rows()) vectors.resize(std::max(first_rows, 2 * vectors.rows()));
    std::copy(numbers.begin(), numbers.end(), vectors.row(count));
    result.words.push_back(word);
  }
  vectors.resize(count);
  return result;
}

}  // namespace acevec
