#include "program.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>

#include "base/error.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "base/temporary_file.h"
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/options_json.h"
#include "cluster/peers.h"
#include "commands/commands.h"

namespace acevec {
namespace {

// --man prints acevec(1), --man FOLDER writes the pages of all commands there.
void write_manual(const std::vector<std::string>& arguments) {
  const auto commands = all_commands();
  if (arguments.size() == 1) {
    std::fputs(manual_page(*commands[0], commands).c_str(), stdout);
    return;
  }
  for (const auto& command : commands) {
    OutputFile page(arguments[1] + "/" + manual_file(*command));
    page.write(manual_page(*command, commands));
    page.commit();
  }
}

// --options json prints the option tables, for programs such as python/.
void print_options(const std::vector<std::string>& arguments) {
  if (arguments.size() != 2 || arguments[1] != "json") {
    throw UsageError("--options needs a format; give json");
  }
  std::fputs(options_json(all_commands()).c_str(), stdout);
}

// There is at least one argument.
void run(const std::vector<std::string>& arguments) {
  const std::string& first = arguments[0];
  if (first == "--man") {  // this and the next are what `make install` installs
    write_manual(arguments);
  } else if (first == "--completion") {
    const std::string shell = arguments.size() == 2 ? arguments[1] : "";
    std::fputs(completion_script(shell).c_str(), stdout);
  } else if (first == "--complete") {  // what the shells' scripts ask
    const auto found = completions({arguments.begin() + 1, arguments.end()}, all_commands());
    std::fputs(found.c_str(), stdout);
  } else if (first == "--options") {
    print_options(arguments);
  } else {
    run_command(arguments);
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

}  // namespace

void print_error(const std::string& message) {
  print_message("acevec: " + message);
}

int run_program(const std::vector<std::string>& arguments, const Complain& complain) {
  try {
    occupy_standard_streams();
    remove_temporaries_at_exit();
    if (arguments.empty()) {
      const CommandLines commands = all_commands();
      const size_t width = columns_of(STDERR_FILENO, kShortHelpColumns);
      std::fputs(short_help(*commands[0], commands, width).c_str(), stderr);
      return 2;
    }
    run(arguments);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      throw Error("cannot write to standard output; check its destination");
    }
    peers().barrier();  // of several processes none ends while others may wait for it, or may fail
    return 0;
  } catch (const UsageError& error) {
    complain(error.what());
    return 2;
  } catch (const Interrupted& interrupted) {
    complain(interrupted.what());
    return 128 + interrupted.signal();
  } catch (const Reported&) {
    return 1;
  } catch (const std::bad_alloc&) {
    complain("out of memory; end other programs, or use a machine with more");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return 1;
}

}  // namespace acevec
