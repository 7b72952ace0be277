// Words with counts and ids; the most frequent word has id 0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.h"

namespace acevec {

struct WordCount {
  std::string word;
  int64_t count;
};

// The order of a vocabulary: by descending count, then by the words' bytes, so that it does not
// depend on how the text was read.
inline bool more_frequent(const WordCount& a, const WordCount& b) {
  return a.count != b.count ? a.count > b.count : a.word < b.word;
}

// Words in the order of more_frequent().
class Vocabulary {
 public:
  Vocabulary() = default;

  // Keeps the words with count ≥ min_count, at most the `max_words` most frequent (0: all).
  Vocabulary(std::vector<WordCount> words, int64_t min_count, int64_t max_words);

  int32_t size() const { return static_cast<int32_t>(words_.size()); }
  const std::vector<WordCount>& words() const { return words_; }
  const std::string& word(int32_t id) const { return words_[static_cast<size_t>(id)].word; }
  void prefetch(int32_t id) const { __builtin_prefetch(&words_[static_cast<size_t>(id)]); }
  int64_t count(int32_t id) const { return words_[static_cast<size_t>(id)].count; }
  int64_t total() const { return total_; }  // sum of the counts
  std::vector<int64_t> counts() const;

 private:
  std::vector<WordCount> words_;
  int64_t total_ = 0;
};

// Formats a line "word count" with its line end, and parses one; count −1 if it is malformed.
std::string line_of(std::string_view word, int64_t count);
WordCount parse_line(std::string_view line);

// Reads "word count" lines, as word2vec's -save-vocab writes them. Skips word2vec's "</s>" line,
// because acevec does not train line ends. Throws Error on a malformed line, a repeated word, a
// negative count or one below `least_count`, a sum of counts beyond 2⁶³, a word that is not UTF-8
// or an empty file.
std::vector<WordCount> read_vocabulary(const std::string& path, int64_t least_count = 0);

// Writes "word count" lines in id order.
void write_vocabulary(const Vocabulary& vocabulary, OutputFile& file);

}  // namespace acevec
