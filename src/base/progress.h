// Progress of a long job: one live line on a terminal, otherwise a line from time to time. It goes
// to standard error, because standard output is for data.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace acevec {

// Seconds since construction, on a clock that never jumps.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Returns the current width of the terminal `descriptor` in columns, at most `most`; `most` if it
// is not a terminal.
size_t columns_of(int descriptor, size_t most);

// A part of a progress line, in ASCII.
struct ProgressPart {
  std::string text;
  int rank;  // 0 is the most important; where room is short, the largest is dropped first
};

// Joins the parts with two spaces, and drops the least important ones until the line fits into
// `width`. A single part that does not fit is cut.
std::string fitted(std::vector<ProgressPart> parts, size_t width);

class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress() { clear(); }  // so that an error message does not follow a live line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Returns true when a new line is due: on a terminal 5 times a second, elsewhere after 10 s, then
  // ever more rarely (at most one a minute), so that a log of a long run stays short.
  bool due() const { return !quiet_ && watch_.seconds() >= next_; }

  // Shows the state of the job: on a terminal in one line of its current width, elsewhere in full.
  void show(const std::vector<ProgressPart>& parts);

  // Prints one or more lines that stay, as print_message() does.
  void note(const std::string& text);

 private:
  void clear();

  bool quiet_;
  bool terminal_;
  bool live_ = false;  // the terminal shows a live line
  double next_;
  Stopwatch watch_;
};

// "1:02:03" or "2:03"; "?" for 30 years or more.
std::string clock_text(double seconds);

// 1234567 -> "1,234,567".
std::string grouped(int64_t number);

// "1 line", "1,234 lines": a number and its noun, in the plural where it is not 1 ("entity" becomes
// "entities", "process" "processes", all other nouns get an s).
std::string counted(int64_t number, std::string_view noun);

}  // namespace acevec
