#include "base/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "base/error.h"

namespace acevec {
namespace {

// Whether standard error is a terminal, or is read by a program that displays the progress itself.
bool is_terminal() {
  if (getenv("ACEVEC_PROGRESS") != nullptr) return true;
  const char* kind = getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

}  // namespace

// Not cached, because the user may resize the terminal at any time.
size_t columns_of(int descriptor, size_t most) {
  if (isatty(descriptor) != 1) return most;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return std::min<size_t>(size.ws_col, most);
  }
  const char* const columns = getenv("COLUMNS");
  const int64_t width = columns == nullptr ? 0 : std::atoll(columns);
  return std::min(width > 0 ? static_cast<size_t>(width) : 80, most);
}

std::string fitted(std::vector<ProgressPart> parts, size_t width) {
  for (;;) {
    std::string line;
    for (const ProgressPart& part : parts) line += (line.empty() ? "" : "  ") + part.text;
    if (line.size() <= width || parts.size() == 1) return line.substr(0, width);
    parts.erase(std::ranges::max_element(parts, {}, &ProgressPart::rank));
  }
}

Progress::Progress(bool quiet)
    : quiet_(quiet), terminal_(is_terminal()), next_(terminal_ ? 0.2 : 10.0) {}

void Progress::show(const std::vector<ProgressPart>& parts) {
  if (quiet_) return;
  const double now = watch_.seconds();
  constexpr size_t kNoLimit = std::numeric_limits<size_t>::max();
  if (terminal_) {  // some terminals wrap as soon as the last column is written
    const size_t columns = columns_of(STDERR_FILENO, kNoLimit);
    std::fprintf(stderr, "\r\033[K%s", fitted(parts, columns - 1).c_str());
    live_ = true;
    next_ = now + 0.2;
  } else {
    std::fprintf(stderr, "%s\n", fitted(parts, kNoLimit).c_str());
    next_ = now + std::clamp(now / 4, 10.0, 60.0);
  }
  std::fflush(stderr);
}

void Progress::note(const std::string& text) {
  if (quiet_) return;
  clear();
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) print_message(line);
}

void Progress::clear() {
  if (live_) std::fputs("\r\033[K", stderr);
  live_ = false;
}

std::string clock_text(double seconds) {
  if (!(seconds < 1e9)) return "?";  // also NaN; nobody waits for 30 years
  const int64_t whole = std::llround(std::max(seconds, 0.0));
  const int64_t hours = whole / 3600;
  const int minutes = static_cast<int>(whole / 60 % 60);
  const int rest = static_cast<int>(whole % 60);
  return hours > 0 ? format("%ld:%02d:%02d", static_cast<long>(hours), minutes, rest)
                   : format("%d:%02d", minutes, rest);
}

std::string grouped(int64_t number) {
  std::string digits = std::to_string(number);
  for (ptrdiff_t i = static_cast<ptrdiff_t>(digits.size()) - 3; i > (number < 0 ? 1 : 0); i -= 3) {
    digits.insert(static_cast<size_t>(i), 1, ',');
  }
  return digits;
}

std::string counted(int64_t number, std::string_view noun) {
  std::string text = grouped(number) + ' ' + std::string(noun);
  if (number == 1) return text;
  if (text.ends_with("ss")) return text + "es";
  if (text.back() != 'y') return text + 's';
  text.pop_back();
  return text + "ies";
}

}  // namespace acevec
