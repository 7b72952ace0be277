// Runs the command, catches once, sets the exit code: 0 fine, 1 something failed, 2 wrong usage,
// 128 + signal after a checkpoint that a signal asked for.

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "base/temporary_file.h"
#include "base/version.h"
#include "cli/completion.h"
#include "cli/manual.h"
#include "commands.h"

namespace {

std::vector<const acevec::Command*> command_tables() {
  std::vector<const acevec::Command*> commands;
  for (const acevec::CommandEntry& entry : acevec::all_commands())
    commands.push_back(entry.command);
  return commands;
}

void run(const std::vector<std::string>& arguments) {
  const std::string first = arguments.empty() ? "" : arguments[0];
  if (first == "--version" || first == "-version") {
    std::printf("acevec %s\n", acevec::version());
  } else if (first == "--man") {  // this and the next are what `make install` installs
    std::fputs(acevec::manual_page(command_tables()).c_str(), stdout);
  } else if (first == "--completion") {
    const std::string shell = arguments.size() == 2 ? arguments[1] : "";
    std::fputs(acevec::completion_script(shell, command_tables()).c_str(), stdout);
  } else {
    acevec::run_command(arguments);
  }
}

// A file opened while one of the standard streams is closed would take its number, and messages
// would land in it. Something that can only be used the wrong way round takes the place instead.
void occupy_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) return;
  }
}

void print_error(const std::string& message) {
  acevec::print_message("acevec: " + message);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    occupy_standard_streams();
    acevec::remove_temporaries_at_exit();
    run(std::vector<std::string>(argv + 1, argv + argc));
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      throw acevec::Error("cannot write to standard output; check where it leads");
    }
    return 0;
  } catch (const acevec::UsageError& error) {
    print_error(error.what());
    return 2;
  } catch (const acevec::Interrupted& interrupted) {
    print_error(interrupted.what());
    return 128 + interrupted.signal();
  } catch (const std::bad_alloc&) {
    print_error("out of memory; let other programs end, or use a machine with more");
  } catch (const std::exception& error) {
    print_error(error.what());
  }
  return 1;
}
