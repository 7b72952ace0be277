// Reads vector files row by row, so that memory does not grow with the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "text/lines.h"
#include "text/word_ids.h"
#include "vectors/format.h"
#include "vectors/word_vectors.h"

namespace acevec {

class RowReader {
 public:
  virtual ~RowReader() = default;

  int64_t columns() const { return columns_; }
  int64_t declared_rows() const { return declared_rows_; }  // declared number of rows; −1: none

  // Reads the next word and its columns() numbers. Skips rows without a word, and all but the first
  // row of a repeated word. Returns false at the end of the file. Throws Error, naming the row,
  // when the file is truncated, has other rows than it declares, or a number that is not finite.
  bool next(std::string& word, float* numbers);

  // Reads all rows, or the first `most`, and the rows that compose other words. Call it instead of
  // next().
  virtual WordVectors read_all(int64_t most);

  // A line about oddities in the rows so far: skipped rows, and words with blanks where blanks
  // separate words and numbers. Empty when there were none.
  std::string note() const;

  // For rows that are points, not words: makes next() return rows without a name or with a repeated
  // one too. Must be called first.
  void take_every_row() { every_row_ = true; }

 protected:
  // `advice`: a description of a good file, for messages.
  RowReader(std::string name, const char* advice) : name_(std::move(name)), advice_(advice) {}

  // Reads a row like next(), without the checks that all formats share.
  virtual bool read_row(std::string& word, float* numbers) = 0;

  // The maximum bytes of a word, and of lines of text: the first, which tells the number of
  // columns, and the others. Longer ones mean that the file is something else.
  static constexpr size_t kLongestWord = 1 << 20;
  static constexpr size_t kLongestFirstLine = 1 << 24;
  size_t longest_line() const { return kLongestWord + 64 * static_cast<size_t>(columns_); }

  static constexpr int64_t kMostColumns = 1 << 20;

  // Makes room for row number `row` of `matrix`. Memory grows with the rows read, not with the
  // number that the file declares; `most` rows at most.
  static void make_room(Matrix& matrix, int64_t row, int64_t most);

  int64_t count() const { return count_; }  // number of rows read
  // `advice`: null for that of the constructor.
  [[noreturn]] void fail(const std::string& why, const char* advice = nullptr) const;
  [[noreturn]] void fail_row(const std::string& why, const char* advice = nullptr) const;
  [[noreturn]] void fail_first_line() const { fail("its first line is longer than 16 MiB"); }
  [[noreturn]] void fail_more_rows() const {
    fail("there are more rows than its first line declares", if_other_rows_);
  }

  // Must be called by the constructors of readers. `declared_rows`: −1 when the file declares no
  // number of rows; `if_other_rows`: the advice when it has another number; null: the constructor's
  // advice.
  void set_shape(int64_t declared_rows, int64_t columns, const char* if_other_rows = nullptr) {
    declared_rows_ = declared_rows;
    columns_ = columns;
    if_other_rows_ = if_other_rows;
  }

  void count_blanks(const std::string& word) { with_blanks_.add(word); }

 private:
  // A count of words, with the first as an example.
  struct Counted {
    int64_t count = 0;
    std::string first;

    void add(const std::string& word) {
      if (count++ == 0) first = word;
    }
  };

  std::string name_;
  const char* advice_;
  const char* if_other_rows_ = nullptr;
  int64_t columns_ = 0;
  int64_t declared_rows_ = -1;
  int64_t count_ = 0;
  bool every_row_ = false;
  WordCounter seen_;  // words so far
  Counted repeated_, with_blanks_;
  int64_t nameless_ = 0;
};

// Opens a file (or "-"), packed or not. numpy's and the projector's formats are recognised by the
// ending, the others by the content; fastText's models begin with a magic number. A second file is
// at words_path(). Throws Error when the file has none of these formats.
std::unique_ptr<RowReader> open_rows(const std::string& path);

// Opens a file of a format without a second file, from the position of `input`.
std::unique_ptr<RowReader> open_rows(std::unique_ptr<LookAhead> input);

// The readers of open_rows(), besides open_fasttext() (fasttext.h). This one reads word2vec's text
// and binary formats, and GloVe's text without a first line, told apart by the content.
std::unique_ptr<RowReader> open_word2vec(std::unique_ptr<LookAhead> input);

// Reads arrays whose words are in a second file, words_path(), one per line. `format`: kNpy
// (numpy's, row by row) or kTsv (TensorBoard's projector). Throws Error when a file cannot be read
// or is something else, and, at the end, when the two differ in the number of rows.
std::unique_ptr<RowReader> open_array(const std::string& path, VectorFormat format);

}  // namespace acevec
