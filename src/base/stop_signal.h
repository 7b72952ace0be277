// SIGINT and SIGTERM as requests to stop: a long run reaches a consistent state and then ends.
#pragma once

namespace acevec {

// While it lives, the first SIGINT or SIGTERM is only recorded; the next one has its previous
// effect. A signal that the process was told to ignore stays ignored. Only one object may exist at
// a time.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
};

// The signal received since the StopSignal was constructed; 0 if there is none, or no StopSignal.
// Safe to call from any thread.
int stop_requested();

}  // namespace acevec
