#include "cli/manual.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "cli/help.h"

namespace acevec {
namespace {

constexpr const char* kFiles =
    R"(.SH FILES
.TP
\fIOUTPUT\fR.json
The record of a run, beside the file of \fB\-output\fR: version, settings, size of the text, loss, and
a command that repeats the run.
.SH ENVIRONMENT
.TP
.B TMPDIR
The folder of temporary files, by default /var/tmp.
)";

constexpr const char* kStatus =
    R"(.SH EXIT STATUS
0 on success, 2 for wrong usage, 1 for any other error. An error is one line on standard error.
)";

constexpr const char* kExamples =
    R"(.SH EXAMPLES
.nf
acevec \-train corpus.txt \-output vectors.bin
zcat dump.gz | acevec \-train \- \-output vectors.txt
acevec nn vectors.bin paris blue
.fi
)";

// Text as roff takes it: a minus is not to become a hyphen, nor a dot at a line's start a macro.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool line_start = result.empty() || result.back() == '\n';
    if (line_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}

// "acevec-order-query"
std::string page_name(const CommandLine& command) {
  std::string name = called(command.about().name);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

void add_options(const CommandLine& command, std::string& page) {
  std::string_view group;
  for (const OptionRow& option : command.table().rows()) {
    if (option.group != group) page += ".SS " + escaped(option.group) + "\n";
    group = option.group;
    page += ".TP\n" + bold("-" + option.name) + " \\fI" + escaped(option.argument) + "\\fR\n" +
            escaped(option.full_help()) + "\n";
  }
}

}  // namespace

std::string manual_page(const CommandLine& command, const CommandLines& commands) {
  const bool main = command.about().name.empty();
  const std::string name = page_name(command);
  std::string title = name;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string page = ".TH " + escaped(title) + " 1 \"\" \"acevec " + std::string(version()) +
                     "\" \"User Commands\"\n.SH NAME\n" + escaped(name) + " \\- " +
                     escaped(brief_summary(command.about())) + "\n.SH SYNOPSIS\n" +
                     escaped(command.about().usage) + "\n.br\n" +
                     bold(called(command.about().name)) + " " + bold("--help") + "\n" +
                     (main ? ".br\n" + bold("acevec") + " " + bold("--version") + "\n" : "") +
                     ".SH DESCRIPTION\n" + escaped(command.about().summary);
  if (!page.ends_with('\n')) page += '\n';
  page += ".SH OPTIONS\n";
  add_options(command, page);
  if (main) {
    page += ".SH COMMANDS\n";
    for (const auto& other : commands) {
      if (other->about().name.empty()) continue;
      page += ".TP\n.BR " + escaped(page_name(*other)) + " (1)\n" +
              escaped(brief_summary(other->about())) + "\n";
    }
    page += kFiles;
  }
  page += kStatus;
  if (main) page += kExamples;
  return page + ".SH SEE ALSO\n.BR " + (main ? "gzip" : "acevec") + " (1)\n";
}

std::string manual_file(const CommandLine& command) {
  return page_name(command) + ".1";
}

}  // namespace acevec
