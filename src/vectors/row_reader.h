// Files of vectors in, a row at a time: memory does not grow with the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "text/lines.h"
#include "text/word_ids.h"
#include "vectors/arrays.h"
#include "vectors/format.h"
#include "vectors/word_vectors.h"

namespace acevec {

class RowReader {
 public:
  virtual ~RowReader() = default;

  int64_t columns() const { return columns_; }
  int64_t promised() const { return promised_; }  // rows, as the file's head says; −1: it does not

  // Reads the next word and its columns() numbers. Of a word that is there twice the first row
  // counts; later ones, and rows without a word, are passed over. Returns false at the end of the
  // file. Throws Error, naming the row, when the file is truncated, holds other rows than it
  // declares, or a number that is not finite.
  bool next(std::string& word, float* numbers);

  // Instead of next(): reads all rows, or the first `most`, and those that compose other words.
  virtual WordVectors read_all(int64_t most);

  // A line about oddities in the rows so far: rows passed over, and words with blanks where the
  // format has blanks between words and numbers. Empty when there were none.
  std::string note() const;

  // For rows that are points, not words: next() also gives rows without a name or with a repeated
  // one. To be called first.
  void take_every_row() { every_row_ = true; }

 protected:
  // `advice` for messages: a description of a good file.
  RowReader(std::string name, const char* advice) : name_(std::move(name)), advice_(advice) {}

  // Reads a row as next() does, without the checks that all formats share.
  virtual bool read_row(std::string& word, float* numbers) = 0;

  // The most bytes of a word, and of lines of text: the first, which tells how many numbers there
  // are in a row, and the others. Longer ones mean that the file is something else.
  static constexpr size_t kLongestWord = 1 << 20;
  static constexpr size_t kLongestFirstLine = 1 << 24;
  size_t longest_line() const { return kLongestWord + 64 * static_cast<size_t>(columns_); }

  static constexpr int64_t kMostColumns = 1 << 20;

  // Gives `matrix` its next row, number `row`. Room grows with the rows read, not with the number
  // that the file declares; `most` rows at most.
  static void make_room(Matrix& matrix, int64_t row, int64_t most);

  // read_npy_head() of an array that is stored row by row; otherwise fails.
  NpyHead read_npy_rows(LookAhead& input) const;

  int64_t count() const { return count_; }  // rows read
  // `advice`: null: that of the constructor.
  [[noreturn]] void fail(const std::string& why, const char* advice = nullptr) const;
  [[noreturn]] void fail_row(const std::string& why, const char* advice = nullptr) const;
  [[noreturn]] void fail_first_line() const { fail("its first line is longer than 16 MiB"); }
  [[noreturn]] void fail_more_rows() const;

  // To be called by the constructors of readers. `promised`: −1 when the file does not say;
  // `if_other_rows`: advice when there are not as many as promised; null: the constructor's advice.
  void set_shape(int64_t promised, int64_t columns, const char* if_other_rows = nullptr) {
    promised_ = promised;
    columns_ = columns;
    if_other_rows_ = if_other_rows;
  }

  void count_blanks(const std::string& word) { with_blanks_.add(word); }

 private:
  // Words that are counted, with one to show.
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
  int64_t promised_ = -1;
  int64_t count_ = 0;
  bool every_row_ = false;
  WordCounter seen_;  // words so far
  Counted repeated_, with_blanks_;
  int64_t nameless_ = 0;
};

// Opens a file (or "-"), packed or not. Its ending tells numpy's and the projector's format; its
// content tells the others: fastText's model begins with a number of its own. A second file is that
// of words_path(). Throws Error when it is no such file.
std::unique_ptr<RowReader> open_rows(const std::string& path);

// Opens a file of a format without a second file, from the place of `input`.
std::unique_ptr<RowReader> open_rows(std::unique_ptr<LookAhead> input);

// The readers that open_rows() chooses from, besides open_fasttext() (fasttext.h). First word2vec's
// text and binary formats, and GloVe's text without a first line; the content tells them apart.
std::unique_ptr<RowReader> open_word2vec(std::unique_ptr<LookAhead> input);

// Arrays of numbers whose words are in a second file, words_path(), one a line. `format`: kNpy
// (numpy's, floats of 2, 4 or 8 bytes, little-endian, row by row) or kTsv (TensorBoard's
// projector). Throws Error when a file cannot be read or is something else; at the end, when the
// two do not have as many rows.
std::unique_ptr<RowReader> open_array(const std::string& path, VectorFormat format);

}  // namespace acevec
