#include "vectors/row_reader.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "vectors/fasttext.h"

namespace acevec {
namespace {

// gensim's own files are pickles, whatever their ending.
bool begins_pickle(LookAhead& input) {
  const std::string_view start = input.peek(2);
  return start.size() >= 2 && start[0] == '\x80' && start[1] >= 2 && start[1] <= 5;
}

}  // namespace

bool RowReader::next(std::string& word, float* numbers) {
  while (read_row(word, numbers)) {
    if (!all_finite(numbers, columns_)) fail_row("has a non-finite number");
    if (count_ == declared_rows_) fail_more_rows();
    ++count_;
    if (every_row_) return true;
    if (word.empty()) {
      ++nameless_;
    } else if (seen_.count(seen_.add(word)) > 1) {
      repeated_.add(word);
    } else {
      return true;
    }
  }
  seen_ = {};
  if (nameless_ > 0 && nameless_ == count_) fail("no row has a word");
  if (declared_rows_ < 0 || count_ == declared_rows_) return false;
  fail(format("its first line declares %s, but there are %s",
              counted(declared_rows_, "row").c_str(), grouped(count_).c_str()),
       if_other_rows_);
}

std::string RowReader::note() const {
  std::string note;
  const auto say = [&](const std::string& what) { note += (note.empty() ? "" : "; ") + what; };
  if (with_blanks_.count > 0) {
    say(format("blanks in %s, such as \"%s\"", counted(with_blanks_.count, "word").c_str(),
               excerpt(with_blanks_.first).c_str()));
  }
  if (nameless_ > 0) say("left out " + counted(nameless_, "row") + " without a word");
  if (repeated_.count > 0) {
    say(format("left out %s of repeated words, such as \"%s\"",
               counted(repeated_.count, "row").c_str(), excerpt(repeated_.first).c_str()));
  }
  return note.empty() ? "" : "note: " + name_ + ": " + note;
}

WordVectors RowReader::read_all(int64_t most) {
  WordVectors result{{}, Matrix(0, columns_)};
  std::vector<float> numbers(static_cast<size_t>(columns_));
  int64_t rows = 0;
  for (std::string word; rows < most && next(word, numbers.data()); ++rows) {
    make_room(result.vectors, rows, most);
    std::copy(numbers.begin(), numbers.end(), result.vectors.row(rows));
    result.words.push_back(word);
  }
  result.vectors.resize(rows);
  result.note = note();
  return result;
}

void RowReader::make_room(Matrix& matrix, int64_t row, int64_t most) {
  if (row < matrix.rows()) return;
  const int64_t first_rows = 1 + (1 << 17) / matrix.columns();
  matrix.resize(std::min(std::max(first_rows, 2 * matrix.rows()), most));
}

void RowReader::fail(const std::string& why, const char* advice) const {
  throw Error(format("cannot use %s: %s; %s", name_.c_str(), why.c_str(),
                     advice != nullptr ? advice : advice_));
}

void RowReader::fail_row(const std::string& why, const char* advice) const {
  fail(format("row %ld %s", static_cast<long>(count_ + 1), why.c_str()), advice);
}

std::unique_ptr<RowReader> open_rows(const std::string& path) {
  const std::optional<VectorFormat> by_ending = format_of_ending(path);
  if (by_ending && has_words_file(*by_ending)) return open_array(path, *by_ending);
  return open_rows(std::make_unique<LookAhead>(path));
}

std::unique_ptr<RowReader> open_rows(std::unique_ptr<LookAhead> input) {
  if (begins_fasttext(*input)) return open_fasttext(std::move(input));
  if (begins_pickle(*input)) {
    throw Error(format(
        "cannot use %s: it is a Python pickle; write gensim's vectors with save_word2vec_format",
        input->name().c_str()));
  }
  return open_word2vec(std::move(input));
}

WordVectors read_vectors(const std::string& path, int64_t most) {
  return open_rows(path)->read_all(most > 0 ? most : std::numeric_limits<int64_t>::max());
}

}  // namespace acevec
