#include "base/stop_signal.h"

#include <atomic>
#include <csignal>

namespace acevec {
namespace {

// The handler may use lock-free atomics, and these two structs, which change only while no handler
// is installed.
std::atomic<int> received_signal{0};
struct sigaction previous_int {};
struct sigaction previous_term {};

void give_back() {
  sigaction(SIGINT, &previous_int, nullptr);
  sigaction(SIGTERM, &previous_term, nullptr);
}

extern "C" void note_signal(int signal_number) {
  received_signal = signal_number;
  give_back();
}

}  // namespace

StopSignal::StopSignal() {
  received_signal = 0;
  sigaction(SIGINT, nullptr, &previous_int);
  sigaction(SIGTERM, nullptr, &previous_term);
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;  // restarts an interrupted read or write
  if (previous_int.sa_handler != SIG_IGN) sigaction(SIGINT, &action, nullptr);
  if (previous_term.sa_handler != SIG_IGN) sigaction(SIGTERM, &action, nullptr);
}

StopSignal::~StopSignal() {
  give_back();
  received_signal = 0;
}

int stop_requested() {
  return received_signal;
}

}  // namespace acevec
