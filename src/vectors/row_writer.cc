#include "vectors/row_writer.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "kernels/hogwild.h"
#include "text/tokenizer.h"
#include "vectors/array_reader.h"

namespace acevec {
namespace {

static_assert(std::endian::native == std::endian::little, "binary formats are little-endian");

void append_numbers(const float* row, int64_t columns, char separator, std::string& line) {
  char digits[32];
  for (int64_t k = 0; k < columns; ++k) {
    if (k > 0) line += separator;
    line.append(digits, std::to_chars(digits, digits + sizeof digits, row[k]).ptr);
  }
}

void append_bytes(const float* row, int64_t columns, std::string& line) {
  line.append(reinterpret_cast<const char*>(row), static_cast<size_t>(columns) * sizeof(float));
}

// Returns a header of numpy's format, version 1: a magic number, the length of the rest, and a
// Python dictionary, padded with blanks to a multiple of 64 bytes.
std::string npy_head(int64_t rows, int64_t columns, NumberType type) {
  const std::string fields = format(
      "{'descr': '<f%d', 'fortran_order': False, 'shape': (%ld, %ld), }",
      type == NumberType::kFloat16 ? 2 : 4, static_cast<long>(rows), static_cast<long>(columns));
  std::string head("\x93NUMPY\x01\x00\x00\x00", 10);
  head += fields;
  head.append(63 - head.size() % 64, ' ');
  head += '\n';
  head[8] = static_cast<char>(head.size() - 10);  // 118: one byte is enough
  return head;
}

// Returns the header, at least `size` bytes; empty in some formats.
std::string file_head(VectorFormat format, int64_t rows, int64_t columns, NumberType type,
                      size_t size = 0) {
  if (format == VectorFormat::kNpy) return npy_head(rows, columns, type);
  if (!is_word2vec(format)) return "";
  const std::string head = std::to_string(rows) + ' ' + std::to_string(columns) + '\n';
  return std::string(size - std::min(size, head.size()), ' ') + head;
}

void append_halves(const float* row, int64_t columns, std::string& line) {
  for (int64_t k = 0; k < columns; ++k) {
    const uint16_t half = to_half(row[k]);
    line += static_cast<char>(half & 0xFFU);
    line += static_cast<char>(half >> 8U);
  }
}

constexpr size_t kWaitingBlock = 1 << 20;  // bytes of rows per write to a temporary file

void write_row(const std::string& word, const float* row, int64_t columns, RowWriter& file) {
  if (!all_finite(row, columns)) {
    throw Error(format("the vector of \"%s\" is not finite, so nothing was written; lower -alpha",
                       word.c_str()));
  }
  file.write(word, row);
}

}  // namespace

void append_row(VectorFormat format, std::string_view word, const float* row, int64_t columns,
                std::string& line, NumberType type) {
  if (!has_words_file(format) && !word.empty()) (line += word) += ' ';
  switch (format) {
    case VectorFormat::kText:
    case VectorFormat::kGlove:
      append_numbers(row, columns, ' ', line);
      break;
    case VectorFormat::kTsv:
      append_numbers(row, columns, '\t', line);
      break;
    case VectorFormat::kBinary:
      append_bytes(row, columns, line);
      break;
    case VectorFormat::kNpy:
      type == NumberType::kFloat16 ? append_halves(row, columns, line)
                                   : append_bytes(row, columns, line);
      break;
    case VectorFormat::kFastText:
      break;  // see row_writer.h
  }
  if (format != VectorFormat::kNpy) line += '\n';
}

RowWriter::RowWriter(const std::string& path, VectorFormat format, NumberType type, bool with_words)
    : path_(path), file_(path), format_(format), type_(type) {
  if (with_words && has_words_file(format)) words_.emplace(words_path(path, format));
}

void RowWriter::begin(int64_t rows, int64_t columns, bool exact) {
  columns_ = columns;
  const std::string head = file_head(format_, rows, columns, type_);
  const bool known = rows >= 0 && exact;
  const bool has_room = rows >= 0 || format_ == VectorFormat::kNpy;
  if (!known && has_room && file_.can_rewrite()) open_head_ = head.size();
  if (known || head.empty() || open_head_ > 0) {
    file_.write(head);
  } else {
    waiting_.emplace("the vectors, whose number is not known yet", "as much as the output");
  }
}

void RowWriter::write(std::string_view word, const float* row) {
  check(word, rows_ + 1);
  if (type_ == NumberType::kFloat16 && !std::all_of(row, row + columns_, fits_half)) {
    throw Error(format("row %ld has a value outside float16's range (±65504); write float32",
                       static_cast<long>(rows_ + 1)));
  }
  line_.clear();
  append_row(format_, word, row, columns_, line_, type_);
  write_bytes(line_);
  ++rows_;
  if (words_) words_->write(std::string(word) + '\n');
}

void RowWriter::write(const Matrix& rows, int threads) {
  constexpr int64_t kRowsPerPiece = 256;
  const auto make = [&](int64_t piece) {
    std::string bytes;
    const int64_t last = std::min(rows.rows(), (piece + 1) * kRowsPerPiece);
    for (int64_t i = piece * kRowsPerPiece; i < last; ++i) {
      append_row(format_, "", rows.row(i), rows.columns(), bytes, type_);
    }
    return bytes;
  };
  in_order(threads, (rows.rows() + kRowsPerPiece - 1) / kRowsPerPiece, make,
           [&](const std::string& bytes) { write_bytes(bytes); });
  rows_ += rows.rows();
}

void RowWriter::write_bytes(std::string_view bytes) {
  if (!waiting_) return file_.write(bytes);
  block_ += bytes;
  if (block_.size() < kWaitingBlock) return;
  waiting_->write(block_.data(), std::ssize(block_), waiting_bytes_);
  waiting_bytes_ += std::ssize(block_);
  block_.clear();
}

void RowWriter::finish() {
  if (words_) words_->finish();
  const std::string head = file_head(format_, rows_, columns_, type_, open_head_);
  if (std::exchange(open_head_, 0) > 0) file_.rewrite_start(head);
  if (waiting_) {
    file_.write(head);
    std::string block;
    for (int64_t at = 0; at < waiting_bytes_; at += std::ssize(block)) {
      block.resize(std::min(kWaitingBlock, static_cast<size_t>(waiting_bytes_ - at)));
      waiting_->read(block.data(), std::ssize(block), at);
      file_.write(block);
    }
    file_.write(block_);
    waiting_.reset();
  }
  file_.finish();
}

void RowWriter::commit() {
  finish();
  if (words_) words_->commit();
  file_.commit();
}

std::string RowWriter::written() const {
  return acevec::format(
      "%s of size %ld to %s (%s)", counted(rows_, "vector").c_str(), static_cast<long>(columns_),
      path_ == "-" ? "standard output" : path_.c_str(), described(format_).c_str());
}

// White space would end the word early; in a words file only tabs and line ends do.
bool RowWriter::can_hold(std::string_view word) const {
  return !word.empty() && std::ranges::none_of(word, [&](char c) {
    return words_ ? c == '\t' || c == '\n' || c == '\r' : is_space(c);
  });
}

void RowWriter::check(std::string_view word, int64_t row) const {
  if (can_hold(word)) return;
  throw Error(format(
      "row %ld: the word \"%s\" is empty or contains white space, which this format "
      "cannot represent; rename it%s",
      static_cast<long>(row), std::string(word).c_str(), words_ ? "" : ", or write npy or tsv"));
}

void write_vectors(const Vocabulary& vocabulary, const Matrix& vectors,
                   const std::optional<WordVectors>& more, RowWriter& file) {
  const int64_t columns = vectors.columns();
  const auto can_hold = [&](const std::string& word) { return file.can_hold(word); };
  const int64_t words = more ? std::ranges::count_if(more->words, can_hold) : 0;
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
