#include "base/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <string_view>

#include "base/error.h"
#include "base/message.h"

namespace acevec {
namespace {

bool is_terminal() {
  const char* kind = getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

}  // namespace

double Timer::thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Progress::Progress(bool quiet)
    : quiet_(quiet), terminal_(is_terminal()), next_(terminal_ ? 0.2 : 10.0) {}

Progress::~Progress() {
  clear();
}

bool Progress::due() const {
  return !quiet_ && watch_.seconds() >= next_;
}

void Progress::show(const std::string& line) {
  if (quiet_) return;
  const double now = watch_.seconds();
  const std::string shown = one_line(line);
  if (terminal_) {
    std::fprintf(stderr, "\r\033[K%s", shown.c_str());
    live_ = true;
    next_ = now + 0.2;
  } else {
    std::fprintf(stderr, "%s\n", shown.c_str());
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
