// Analogy questions, "a is to b as c is to ?", answered by arithmetic on vectors.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "vectors/word_vectors.h"

namespace acevec {

using AnalogyQuestion = std::array<std::string, 4>;  // the words a, b, c and the answer

struct AnalogySection {
  std::string name;
  std::vector<AnalogyQuestion> questions;
};

// Reads question files of word2vec: ": name" begins a section, and other lines have four words.
// Throws Error at any other line, and when there is no question.
std::vector<AnalogySection> read_analogies(const std::string& path);

struct AnalogyScore {
  int64_t questions = 0;
  int64_t covered = 0;     // the three words have vectors, and the answer is in the file
  int64_t added = 0;       // covered questions correct by 3CosAdd
  int64_t multiplied = 0;  // covered questions correct by 3CosMul

  AnalogyScore& operator+=(const AnalogyScore& other);
};

// Returns the score of each section. An answer is the word d, none of a, b and c, with the greatest
//   3CosAdd: cos(d, b) + cos(d, c) − cos(d, a)                  (Mikolov, Yih and Zweig 2013)
//   3CosMul: s(d, b) s(d, c) / (s(d, a) + 0.001), s = (cos + 1)/2   (Levy and Goldberg 2014)
// Words of one class count as one. Equal scores go to the earlier row. Words a, b and c without a
// row are composed of n-grams if `vectors` can.
std::vector<AnalogyScore> score_analogies(const std::vector<AnalogySection>& sections,
                                          const UnitVectors& vectors, const WordClasses& classes,
                                          int threads);

}  // namespace acevec
