#include "vectors/writer.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "kernels/hogwild.h"

namespace acevec {
namespace {

void write_row(const std::string& word, const float* row, int64_t columns, RowWriter& file) {
  if (!all_finite(row, columns)) {
    throw Error(format("the vector of \"%s\" is not finite, nothing was written; lower -alpha",
                       word.c_str()));
  }
  file.write(word, row);
}

}  // namespace

void write_vectors(const Vocabulary& vocabulary, const Matrix& vectors,
                   const std::optional<WordVectors>& more, RowWriter& file) {
  const int64_t columns = vectors.columns();
  const auto can_hold = [&](const std::string& word) { return file.can_hold(word); };
  const int64_t words = more ? std::count_if(more->words.begin(), more->words.end(), can_hold) : 0;
  file.begin(vocabulary.size() + words, columns);
  AlignedFloats row(vectors.stride());
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    gather_rows(vectors, &id, 1, row.data());
    write_row(vocabulary.word(id), row.data(), columns, file);
  }
  for (size_t i = 0; more && i < more->words.size(); ++i) {
    if (!can_hold(more->words[i])) continue;
    write_row(more->words[i], more->vectors.row(static_cast<int64_t>(i)), columns, file);
  }
}

}  // namespace acevec
