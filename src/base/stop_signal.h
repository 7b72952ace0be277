// SIGINT and SIGTERM as requests: a long run reaches a consistent state and then ends itself.
#pragma once

namespace acevec {

// While it lives, the first SIGINT or SIGTERM is only noted; the next one has its previous effect.
// A signal that the process was told to ignore stays ignored. One object at a time.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
};

// The signal that came since the StopSignal was made; 0 without one, or without the object. Safe to
// call from any thread.
int stop_requested();

}  // namespace acevec
