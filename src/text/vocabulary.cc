#include "text/vocabulary.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "base/error.h"
#include "base/numbers.h"
#include "base/utf8.h"
#include "text/lines.h"
#include "text/tokenizer.h"

namespace acevec {

Vocabulary::Vocabulary(std::vector<WordCount> words, int64_t min_count, int64_t max_words)
    : words_(std::move(words)) {
  std::erase_if(words_, [&](const WordCount& word) { return word.count < min_count; });
  std::ranges::sort(words_, more_frequent);
  const int64_t limit = max_words > 0 ? max_words : std::numeric_limits<int32_t>::max();
  if (static_cast<int64_t>(words_.size()) > limit) words_.resize(static_cast<size_t>(limit));
  words_.shrink_to_fit();
  for (const WordCount& word : words_) total_ += word.count;
}

std::vector<int64_t> Vocabulary::counts() const {
  std::vector<int64_t> counts;
  for (const WordCount& word : words_) counts.push_back(word.count);
  return counts;
}

std::string line_of(std::string_view word, int64_t count) {
  return std::string(word) + ' ' + std::to_string(count) + '\n';
}

WordCount parse_line(std::string_view line) {
  const size_t gap = line.find_last_of(" \t");
  const std::string_view word = line.substr(0, gap);
  int64_t count = -1;
  if (!word.empty() && word.size() < line.size()) {
    count = number_of<int64_t>(line.substr(gap + 1)).value_or(-1);
  }
  if (std::ranges::any_of(word, is_space)) count = -1;
  return {std::string(word), count};
}

std::vector<WordCount> read_vocabulary(const std::string& path, int64_t least_count) {
  constexpr std::string_view kLineEndWord = "</s>";
  LineReader lines(path);
  std::vector<WordCount> words;
  std::unordered_set<std::string> seen;
  int64_t total = 0;
  while (const std::optional<std::string_view> line = lines.next()) {
    const auto refuse = [&](const std::string& why) {
      lines.refuse("(\"" + excerpt(*line) + "\") " + why);
    };
    WordCount word = parse_line(*line);
    if (word.count < 0) refuse("is not \"word count\"; save a vocabulary with -save-vocab");
    if (word.word == kLineEndWord) continue;
    if (word.count < least_count) {
      refuse(format("has a count below %ld; leave the line out", static_cast<long>(least_count)));
    }
    if (!is_utf8(word.word)) refuse("is not UTF-8; save a vocabulary with -save-vocab");
    if (!seen.insert(word.word).second) refuse("repeats a word; keep one of the lines");
    if (__builtin_add_overflow(total, word.count, &total)) {
      refuse("makes the counts add up to 2^63 or more; lower them");
    }
    words.push_back(std::move(word));
  }
  if (words.empty()) {
    throw Error(
        format("%s contains no words; save a vocabulary with -save-vocab", lines.name().c_str()));
  }
  return words;
}

void write_vocabulary(const Vocabulary& vocabulary, OutputFile& file) {
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    file.write(line_of(vocabulary.word(id), vocabulary.count(id)));
  }
}

}  // namespace acevec
