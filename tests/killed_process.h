// A process that is killed in the middle of something.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

// A copy of this process that has called body(), and lives on until it is killed, at the latest by
// the destructor: what it has open then stays open until there.
class KilledProcess {
 public:
  template <class Body>
  explicit KilledProcess(Body&& body) {
    int ready[2];
    if (pipe(ready) != 0) throw std::runtime_error("no pipe");
    id_ = fork();
    if (id_ < 0) throw std::runtime_error("no process");
    if (id_ == 0) {
      try {
        body([&] {
          (void)!write(ready[1], "!", 1);
          for (;;) pause();
        });
      } catch (...) {  // nothing may go on here as a second process of tests
      }
      _exit(1);
    }
    close(ready[1]);
    char byte = 0;
    (void)!read(ready[0], &byte, 1);
    close(ready[0]);
  }
  ~KilledProcess() { kill(); }
  KilledProcess(const KilledProcess&) = delete;
  KilledProcess& operator=(const KilledProcess&) = delete;

  void kill() {
    if (id_ == 0) return;
    ::kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
    id_ = 0;
  }

 private:
  pid_t id_ = 0;
};
