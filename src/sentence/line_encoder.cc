#include "sentence/line_encoder.h"

#include <algorithm>
#include <mutex>

#include "base/error.h"
#include "base/message.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "text/lines.h"

namespace acevec {
namespace {
constexpr size_t kBytes = 4 << 20;      // of text in a batch
constexpr int64_t kLinesInPiece = 256;  // that a thread encodes at a time
}  // namespace

bool WholeLines::next(std::vector<std::string_view>& lines) {
  lines.clear();
  text_.erase(0, used_);
  used_ = 0;
  size_t end = text_.rfind('\n');
  while (!ended_ && end == std::string::npos) {
    const size_t had = text_.size();
    text_.resize(had + kBytes);
    const size_t got = source_.read_some(text_.data() + had, kBytes);
    text_.resize(had + got);
    ended_ = got == 0;
    end = text_.rfind('\n');
  }
  if (text_.empty()) return false;
  used_ = end == std::string::npos ? text_.size() : end + 1;
  for (size_t at = 0; at < used_;) {
    const size_t line_end = std::min(text_.find('\n', at), used_);
    lines.push_back(without_return(std::string_view(text_).substr(at, line_end - at)));
    at = line_end + 1;
  }
  return true;
}

LineCounts& LineCounts::operator+=(const LineCounts& other) {
  lines += other.lines;
  empty += other.empty;
  unknown_tokens += other.unknown_tokens;
  return *this;
}

LineCounts LineEncoder::encode(const std::vector<std::string_view>& lines, Matrix& vectors) const {
  const auto count = static_cast<int64_t>(lines.size());
  vectors.resize(count);
  LineCounts sum;
  std::mutex mutex;
  const int64_t pieces = (count + kLinesInPiece - 1) / kLinesInPiece;
  const auto threads = static_cast<int>(std::min<int64_t>(threads_, std::max<int64_t>(pieces, 1)));
  for_each_piece(threads, pieces, [&](int, int64_t piece) {
    LineCounts counts;
    const int64_t first = piece * kLinesInPiece;
    const int64_t last = std::min(count, first + kLinesInPiece);
    std::vector<std::vector<int32_t>> sentences(static_cast<size_t>(last - first));
    for (std::vector<int32_t>& ids : sentences) {
      counts.unknown_tokens += reader_.read(lines[static_cast<size_t>(first + counts.lines)], ids);
      counts.empty += ids.empty() ? 1 : 0;
      ++counts.lines;
    }
    SentenceEncoder(model_).encode(sentences, vectors, first);
    const std::lock_guard lock(mutex);
    sum += counts;
  });
  return sum;
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
