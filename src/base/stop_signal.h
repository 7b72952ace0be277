// SIGINT and SIGTERM as requests: a long run reaches a consistent state and then ends itself.
#pragma once

namespace acevec {

// While it lives, the first SIGINT or SIGTERM is only noted, and the next one does what it did
// before. A signal that the process was told to ignore stays ignored. One object at a time.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // The signal that came, 0 if none did. Safe to call from any thread.
  int received() const;
};

// What received() of the object says, 0 where there is none: for code that is far from it.
int stop_requested();

}  // namespace acevec
