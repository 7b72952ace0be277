#include "vectors/plain_rows.h"

#include <unistd.h>

#include <new>

#include "base/error.h"
#include "vectors/row_writer.h"

namespace acevec {
namespace {

constexpr size_t kBytes = 1 << 20;  // that are written at a time

VectorFormat plain_format(const Options& options) {
  const std::string& typed = options.text("format");
  if (!typed.empty()) return vector_format(typed);
  const auto ending = format_of_ending(options.text("output"));
  if (ending == VectorFormat::kTsv || ending == VectorFormat::kNpy) return *ending;
  return VectorFormat::kText;
}

[[noreturn]] void fail() {
  throw Error("cannot write the vectors to a temporary file; make room, or set TMPDIR");
}

}  // namespace

PlainRows::PlainRows(const Options& options)
    : file_(options.text("output").empty() ? "-" : options.text("output")),
      format_(plain_format(options)) {
  if (format_ != VectorFormat::kNpy) return;
  waiting_.reset(fdopen(open_scratch_file("the vectors"), "w+b"));
  if (!waiting_) throw std::bad_alloc();
}

void PlainRows::write(const Matrix& rows) {
  for (int64_t i = 0; i < rows.rows(); ++i) {
    append(rows.row(i), rows.columns());
    if (line_.size() >= kBytes || i + 1 == rows.rows()) flush();
  }
  rows_ += rows.rows();
}

void PlainRows::commit(int64_t columns) {
  if (waiting_) {
    file_.write(file_head(VectorFormat::kNpy, rows_, columns));
    line_.resize(kBytes);
    if (std::fflush(waiting_.get()) != 0) fail();
    std::rewind(waiting_.get());
    for (size_t got; (got = std::fread(line_.data(), 1, kBytes, waiting_.get())) > 0;) {
      file_.write(std::string_view(line_).substr(0, got));
    }
  }
  file_.commit();
}

// In word2vec's text a word stands before the numbers; here there is none, nor the blank behind it.
void PlainRows::append(const float* row, int64_t columns) {
  const size_t begin = line_.size();
  append_row(format_, "", row, columns, line_);
  if (format_ == VectorFormat::kText) line_.erase(begin, 1);
}

void PlainRows::flush() {
  if (!waiting_) {
    file_.write(line_);
  } else if (std::fwrite(line_.data(), 1, line_.size(), waiting_.get()) != line_.size()) {
    fail();
  }
  line_.clear();
}

}  // namespace acevec
