// Words and their vectors in memory, and lookup by word.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "math/matrix.h"
#include "vectors/subwords.h"

namespace acevec {

struct WordVectors {
  std::vector<std::string> words;
  Matrix vectors;  // row i belongs to words[i]
  // Composes the vectors of other words; null: they have none.
  std::shared_ptr<const SubwordRows> subwords = nullptr;
  std::string note = {};  // RowReader::note()
};

// Reads a file (or "-"), packed or not, in any format that open_rows() detects: its first `most`
// rows; 0: all. The words are distinct. Throws Error like RowReader, and when a fastText model
// needs more memory than is available.
WordVectors read_vectors(const std::string& path, int64_t most = 0);

// Finds vectors by words: those of a file, and those composed of n-grams.
class WordTable {
 public:
  explicit WordTable(WordVectors vectors) : WordTable(std::move(vectors), false) {}

  // Returns the row of `word`, the first if it is repeated, or −1.
  int64_t find(std::string_view word) const;

  // Copies the vector of `word`, rows().columns() numbers, to `vector`: its row, or the vector
  // composed of its n-grams. Returns false when it has neither, when all its n-grams are zeros, or
  // when it has a blank and no row.
  bool look_up(std::string_view word, float* vector) const;

  const std::vector<std::string>& words() const { return data_.words; }
  const Matrix& rows() const { return data_.vectors; }

 protected:
  // `unit`: scales all vectors to length 1.
  WordTable(WordVectors vectors, bool unit);

 private:
  WordVectors data_;
  bool unit_;
  std::unordered_map<std::string_view, int64_t> ids_;
};

// Scales `row` to length 1; zeros stay zeros.
void scale_to_unit(float* row, int64_t columns);

// Scales every row to length 1.
void scale_to_unit(Matrix& rows);

// Returns the dot product.
double dot(const float* a, const float* b, int64_t columns);

// Words and their vectors scaled to length 1, whose dot products are cosines.
class UnitVectors : public WordTable {
 public:
  explicit UnitVectors(WordVectors vectors) : WordTable(std::move(vectors), true) {}
};

// Classes of words that count as one because they differ only in case.
class WordClasses {
 public:
  // A class is identified by its first row. Row i belongs to words[i].
  explicit WordClasses(const std::vector<std::string>& words);

  // Returns the first row of the class of `word`, or −1.
  int64_t find(std::string_view word) const;

  // Returns the first row of the class of the word in `row`.
  int64_t first(int64_t row) const { return first_[static_cast<size_t>(row)]; }

 private:
  std::unordered_map<std::string, int64_t> ids_;
  std::vector<int64_t> first_;
};

}  // namespace acevec
