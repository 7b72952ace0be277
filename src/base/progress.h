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

// Adds the processor time that this thread takes while it lives, in seconds, to `sum`; with null it
// does nothing and asks no clock. Unlike a Stopwatch it does not count what other processes take.
class Timer {
 public:
  explicit Timer(double* sum) : sum_(sum), start_(sum == nullptr ? 0 : thread_seconds()) {}
  ~Timer() {
    if (sum_ != nullptr) *sum_ += thread_seconds() - start_;
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  static double thread_seconds();

  double* sum_;
  double start_;
};

// Columns of the terminal that `descriptor` is, now, at most `most`; `most` of what is no terminal.
size_t columns_of(int descriptor, size_t most);

// A part of a line of progress, in ASCII.
struct ProgressPart {
  std::string text;
  int rank;  // 0 for the most important; where there is no room, the largest goes first
};

// The parts with two spaces between them, without the least important ones if all are longer than
// `width`. If even one part is, it is cut.
std::string fitted(std::vector<ProgressPart> parts, size_t width);

class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();  // removes a live line, so that an error message does not follow it
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // True when a new line is due: on a terminal 5 times a second, elsewhere after 10 s, then ever
  // more rarely (at most one a minute), so that a log of a long run stays short.
  bool due() const;

  // Shows the parts as the state of the job: on a terminal in one line of its present width,
  // elsewhere in full.
  void show(const std::vector<ProgressPart>& parts);

  // Prints a line that stays, or several, as print_message() does.
  void note(const std::string& text);

 private:
  void clear();

  bool quiet_;
  bool terminal_;
  bool live_ = false;  // a live line stands on the terminal now
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
