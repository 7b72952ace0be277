#include "tasks/sentence/line_encoder.h"

#include <algorithm>
#include <mutex>

#include "base/error.h"
#include "base/in_order.h"
#include "base/message.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "text/lines.h"

namespace acevec {
namespace {
constexpr size_t kBytes = 8 << 20;     // of text in a batch
constexpr size_t kLongest = 16 << 20;  // bytes of a line
constexpr size_t kLinesInPiece = 256;  // that a thread encodes at a time

std::vector<std::span<const std::string_view>> pieces_of(
    const std::vector<std::string_view>& lines) {
  std::vector<std::span<const std::string_view>> pieces;
  for (size_t at = 0; at < lines.size(); at += kLinesInPiece) {
    pieces.push_back(std::span(lines).subspan(at, std::min(kLinesInPiece, lines.size() - at)));
  }
  return pieces;
}
}  // namespace

bool WholeLines::next(std::vector<std::string_view>& lines) {
  lines.clear();
  text_.erase(0, used_);
  used_ = 0;
  size_t end = text_.rfind('\n');
  while (!ended_ && (end == std::string::npos || (text_.size() < kBytes && source_.ready()))) {
    const size_t had = text_.size();
    text_.resize(had + kBytes);
    const size_t got = source_.read_some(text_.data() + had, kBytes);
    text_.resize(had + got);
    ended_ = got == 0;
    end = text_.rfind('\n');
    if (end == std::string::npos && text_.size() > kLongest) break;  // add() refuses it
  }
  if (text_.empty()) return false;
  used_ = end == std::string::npos ? text_.size() : end + 1;
  for (size_t at = 0; at < used_;) {
    const size_t line_end = std::min(text_.find('\n', at), used_);
    add(std::string_view(text_).substr(at, line_end - at), lines);
    at = line_end + 1;
  }
  return true;
}

void WholeLines::add(std::string_view line, std::vector<std::string_view>& lines) {
  ++number_;
  if (line.size() > kLongest) refuse_long_line(source_.name(), number_, kLongest);
  lines.push_back(without_return(line));
}

LineCounts& LineCounts::operator+=(const LineCounts& other) {
  lines += other.lines;
  empty += other.empty;
  unknown_tokens += other.unknown_tokens;
  return *this;
}

LineCounts LineEncoder::encode(const std::vector<std::string_view>& lines, Matrix& vectors) const {
  vectors.resize(std::ssize(lines));
  LineCounts sum;
  std::mutex mutex;
  const std::vector<std::span<const std::string_view>> pieces = pieces_of(lines);
  for_each_piece(threads_for(pieces.size()), std::ssize(pieces), [&](int, int64_t i) {
    const LineCounts counts =
        encode_piece(pieces[static_cast<size_t>(i)], vectors, i * int64_t{kLinesInPiece});
    const std::lock_guard lock(mutex);
    sum += counts;
  });
  return sum;
}

LineCounts LineEncoder::encode(const std::vector<std::string_view>& lines,
                               PlainRows& output) const {
  LineCounts sum;
  std::mutex mutex;
  const std::vector<std::span<const std::string_view>> pieces = pieces_of(lines);
  const auto make = [&](int64_t i) {
    const std::span<const std::string_view> piece = pieces[static_cast<size_t>(i)];
    Matrix vectors(std::ssize(piece), model_.columns());
    const LineCounts counts = encode_piece(piece, vectors, 0);
    const std::lock_guard lock(mutex);
    sum += counts;
    return output.bytes_of(vectors, 0, vectors.rows());
  };
  size_t next = 0;
  in_order(threads_for(pieces.size()), std::ssize(pieces), make,
           [&](const std::string& bytes) { output.write(bytes, std::ssize(pieces[next++])); });
  return sum;
}

// A line that comes alone wakes no thread.
int LineEncoder::threads_for(size_t pieces) const {
  return static_cast<int>(std::clamp<size_t>(pieces, 1, static_cast<size_t>(threads_)));
}

LineCounts LineEncoder::encode_piece(std::span<const std::string_view> lines, Matrix& vectors,
                                     int64_t first) const {
  LineCounts counts;
  std::vector<std::vector<int32_t>> sentences(lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    counts.unknown_tokens += reader_.read(lines[i], sentences[i]);
    counts.empty += sentences[i].empty() ? 1 : 0;
    ++counts.lines;
  }
  SentenceEncoder(model_).encode(sentences, vectors, first);
  return counts;
}

void report_lines(const LineCounts& counts) {
  if (counts.empty > 0) {
    print_message(
        format("acevec: note: %s no word that the model knows; the vectors are zeros",
               (counted(counts.empty, "line") + (counts.empty == 1 ? " has" : " have")).c_str()));
  }
  if (counts.unknown_tokens > 0) {
    print_message(format("acevec: note: left out %s that the model does not know",
                         counted(counts.unknown_tokens, "token").c_str()));
  }
}

}  // namespace acevec
