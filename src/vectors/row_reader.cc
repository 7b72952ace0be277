#include "vectors/row_reader.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/progress.h"
#include "vectors/array_reader.h"
#include "vectors/word2vec_reader.h"

namespace acevec {

bool RowReader::next(std::string& word, float* numbers) {
  if (!read_row(word, numbers)) {
    if (promised_ >= 0 && count_ != promised_) {
      fail(format("its first line promises %s, but there are %s", counted(promised_, "row").c_str(),
                  grouped(count_).c_str()));
    }
    return false;
  }
  if (!std::all_of(numbers, numbers + columns_, [](float x) { return std::isfinite(x); })) {
    fail_row("holds a number that is not finite");
  }
  if (count_ == promised_) fail("there are more rows than its first line promises");
  ++count_;
  return true;
}

void RowReader::fail(const std::string& why) const {
  throw Error(format("cannot use %s: %s; %s", name_.c_str(), why.c_str(), advice_));
}

void RowReader::fail_row(const char* why) const {
  fail(format("row %ld %s", static_cast<long>(count_ + 1), why));
}

std::unique_ptr<RowReader> open_rows(const std::string& path, std::optional<VectorFormat> format,
                                     const std::string& words) {
  const std::optional<VectorFormat> kind = format ? format : format_of_ending(path);
  if (kind && has_words_file(*kind)) {
    return open_array(path, *kind, words.empty() ? words_path(path, *kind) : words);
  }
  return open_word2vec(path, format);
}

}  // namespace acevec
