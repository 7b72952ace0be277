// Exceptions, which main() catches in one place, and messages for the user.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace acevec {

// Something outside the program is wrong (a file, the data, the machine): exit code 1.
// The message is one line: "what happened; what to do".
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The command line is wrong: exit code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

// The error has been printed to standard error already: exit code 1, without another line.
class Reported : public std::exception {};

// A signal asked the run to end, and a checkpoint was written: exit code 128 + signal.
struct Interrupted : Error {
  Interrupted(const std::string& message, int signal_number)
      : Error(message), signal(signal_number) {}
  int signal;
};

// Call this after a `switch` over an enum that has a case for each value and no `default`, so that
// the compiler reports missing cases. Throws std::logic_error. `what`: the enum's noun, such as
// "noise".
[[noreturn]] void refuse_case(const char* what);

// Formats like printf, into a std::string; the compiler checks the arguments against the pattern.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

// The text of an errno value, such as "No such file or directory". Thread-safe.
std::string system_message(int error_number);

// Returns `text` with control characters and invalid UTF-8 escaped as \x0a and the like, so that a
// message that quotes a file's name or content stays on one line and cannot control the terminal.
std::string one_line(std::string_view text);

// Like one_line(), but keeps only the start and end of a text of more than `most` bytes.
std::string excerpt(std::string_view text, size_t most = 60);

// Prints a line to standard error. Escapes control characters like one_line(), and cuts the middle
// out of a message of more than 1000 bytes.
void print_message(std::string_view message);

// "MAJOR.MINOR.PATCH", as CMakeLists.txt sets it.
const char* version();

}  // namespace acevec
