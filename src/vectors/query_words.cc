#include "vectors/query_words.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/error.h"
#include "base/parallel.h"
#include "cli/spelling.h"

namespace acevec {
namespace {
constexpr size_t kReadBytes = 1 << 16;
constexpr size_t kMostLines = 4096;
}  // namespace

bool InputLines::next(std::vector<std::string>& lines) {
  lines.clear();
  take(lines);
  while (lines.size() < kMostLines && read(lines.empty())) take(lines);
  return !lines.empty();
}

// Reads some bytes. False at the end, and when there are none now and `wait` is not set.
bool InputLines::read(bool wait) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (ended_ || (!wait && poll(&input, 1, 0) == 0)) return false;
  const size_t had = pending_.size();
  pending_.resize(had + kReadBytes);
  ssize_t got = 0;
  do got = ::read(STDIN_FILENO, pending_.data() + had, kReadBytes);
  while (got < 0 && errno == EINTR);
  if (got < 0) {
    throw Error(format("cannot read standard input: %s; check where it comes from",
                       system_message(errno).c_str()));
  }
  pending_.resize(had + static_cast<size_t>(got));
  ended_ = got == 0;
  if (ended_ && !pending_.empty()) pending_ += '\n';  // the last line may lack its end
  return !ended_ || !pending_.empty();
}

// Moves whole lines to `lines`.
void InputLines::take(std::vector<std::string>& lines) {
  size_t start = 0;
  for (size_t end; (end = pending_.find('\n', start)) != std::string::npos; start = end + 1) {
    std::string line = pending_.substr(start, end - start);
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) lines.push_back(std::move(line));
  }
  pending_.erase(0, start);
}

bool for_query_words(const Options& options,
                     const std::function<void(const std::vector<std::string>&)>& answer) {
  std::vector<std::string> words(options.positional().begin() + 1, options.positional().end());
  if (!words.empty()) {
    answer(words);
    return true;
  }
  if (isatty(STDIN_FILENO) == 1) std::fputs("Type words, one a line; Ctrl-D ends.\n", stderr);
  bool any = false;
  for (InputLines input; input.next(words); any = true) {
    answer(words);
    std::fflush(stdout);
  }
  return any;
}

void report_unknown(const std::vector<std::string>& unknown, const std::vector<std::string>& words,
                    int threads) {
  std::vector<std::string> near(unknown.size());
  for_each_piece(threads, static_cast<int64_t>(unknown.size()), [&](int, int64_t piece) {
    const auto i = static_cast<size_t>(piece);
    for (const std::string& candidate : near_spellings(unknown[i], words, 3)) {
      near[i] += (near[i].empty() ? "; near: " : ", ") + candidate;
    }
  });
  for (size_t i = 0; i < unknown.size(); ++i) {
    std::fprintf(stderr, "acevec: no vector for \"%s\"%s\n", unknown[i].c_str(), near[i].c_str());
  }
}

}  // namespace acevec
