// Pairs of texts in files of a test, whose right answers are known.
#pragma once

#include <string>

#include "base/random.h"
#include "temporary_folder.h"

namespace acevec {

// A file that is there as long as the object is, in a folder of its own: tests run side by side.
class PairFile {
 public:
  PairFile(const std::string& name, const std::string& content)
      : path(folder_.write(name, content)) {}

 private:
  TemporaryFolder folder_;

 public:
  const std::string path;
};

// Questions and answers without a word in common: question i has the words qA and qB, and its
// answer aA and aB, with A and B the digits of i; each has a word that says nothing beside them.
inline std::string toy_pairs(int digits) {
  std::string text;
  Random random(3);
  const auto noise = [&] { return " n" + std::to_string(random.below(5)); };
  for (int i = 0; i < digits * digits; ++i) {
    const std::string a = std::to_string(i / digits), b = std::to_string(i % digits);
    text += "qa" + a + " qb" + b + noise() + "\taa" + a + " ab" + b + noise() + "\n";
  }
  return text;
}

}  // namespace acevec
