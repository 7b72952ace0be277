#include "vectors/plain_rows.h"

#include <unistd.h>

#include <algorithm>
#include <new>

#include "base/error.h"
#include "vectors/row_writer.h"

namespace acevec {
namespace {

constexpr size_t kBytes = 1 << 20;  // that are copied at a time
constexpr int64_t kRows = 1024;     // that are written at a time

[[noreturn]] void fail() {
  throw Error("cannot store the vectors in a temporary file; free some space, or set TMPDIR");
}

}  // namespace

PlainRows::PlainRows(const std::string& path, VectorFormat format)
    : file_(path.empty() ? "-" : path), format_(format) {
  if (format_ != VectorFormat::kNpy) return;
  if (file_.can_rewrite()) {
    file_.write(file_head(format_, 0, 0));
    return;
  }
  waiting_.reset(fdopen(open_scratch_file("the vectors"), "w+b"));
  if (!waiting_) throw std::bad_alloc();
}

// In word2vec's text a word stands before the numbers; here there is none, nor the blank behind it.
std::string PlainRows::bytes_of(const Matrix& rows, int64_t first, int64_t last) const {
  std::string bytes;
  for (int64_t i = first; i < last; ++i) {
    const size_t begin = bytes.size();
    append_row(format_, "", rows.row(i), rows.columns(), bytes);
    if (format_ == VectorFormat::kText) bytes.erase(begin, 1);
  }
  return bytes;
}

void PlainRows::write(std::string_view bytes, int64_t rows) {
  if (!waiting_) {
    file_.write(bytes);
  } else if (std::fwrite(bytes.data(), 1, bytes.size(), waiting_.get()) != bytes.size()) {
    fail();
  }
  rows_ += rows;
}

void PlainRows::write(const Matrix& rows) {
  for (int64_t first = 0; first < rows.rows(); first += kRows) {
    const int64_t last = std::min(rows.rows(), first + kRows);
    write(bytes_of(rows, first, last), last - first);
  }
}

void PlainRows::commit(int64_t columns) {
  const std::string head = file_head(format_, rows_, columns);
  if (waiting_) {
    file_.write(head);
    std::string bytes(kBytes, '\0');
    if (std::fflush(waiting_.get()) != 0) fail();
    std::rewind(waiting_.get());
    for (size_t got; (got = std::fread(bytes.data(), 1, kBytes, waiting_.get())) > 0;) {
      file_.write(std::string_view(bytes).substr(0, got));
    }
    if (std::ferror(waiting_.get()) != 0) fail();
  } else if (format_ == VectorFormat::kNpy) {
    file_.rewrite_start(head);  // a head of an array always has the same length
  }
  file_.commit();
}

}  // namespace acevec
