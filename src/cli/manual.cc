#include "cli/manual.h"

#include <algorithm>
#include <cctype>

#include "base/version.h"

namespace acevec {
namespace {

constexpr const char* kEnd =
    R"(.SH FILES
.TP
\fIOUTPUT\fR.json
Beside the file that \fB\-output\fR names: version, settings, size of the text and loss of the run,
and a command that repeats it.
.SH ENVIRONMENT
.TP
.B TMPDIR
Where text that is read more than once and cannot be (a pipe, gzip) is kept meanwhile, by default
/var/tmp.
.SH EXIT STATUS
0 when all went well, 2 for wrong usage, 1 for any other error. An error is one line on standard error.
.SH EXAMPLES
.nf
acevec \-train corpus.txt \-output vectors.bin
zcat dump.gz | acevec \-train \- \-output vectors.txt
acevec nn vectors.bin paris blue
.fi
.SH SEE ALSO
.BR gzip (1)
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

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

void add_options(const Command& command, std::string& page) {
  std::string_view group;
  for (const Option& option : command.table) {
    if (option.group != group) page += ".SS " + escaped(option.group) + "\n";
    group = option.group;
    const std::string_view value = option.kind == Kind::kFlag ? "0|1" : option.argument;
    page += ".TP\n" + bold("-" + std::string(option.name)) + " \\fI" + escaped(value) + "\\fR\n";
    page += escaped(option.help);
    if (!option.fallback.empty()) page += " (default: " + escaped(option.fallback) + ")";
    page += '\n';
  }
}

}  // namespace

std::string manual_page(const std::vector<const Command*>& commands) {
  std::string page = ".TH ACEVEC 1 \"\" \"acevec " + std::string(version()) +
                     "\" \"User Commands\"\n"
                     ".SH NAME\nacevec \\- learn word vectors from text\n.SH SYNOPSIS\n";
  for (const Command* command : commands) page += escaped(command->usage) + "\n.br\n";
  page += bold("acevec --help") + " | " + bold("--version") + "\n";
  for (const Command* command : commands) {
    const bool main = command->name.empty();
    page +=
        ".SH " + (main ? "DESCRIPTION" : escaped(upper("acevec " + std::string(command->name))));
    page += "\n" + escaped(command->summary);
    if (!page.ends_with('\n')) page += '\n';
    if (main) page += ".SH OPTIONS\n";
    add_options(*command, page);
  }
  return page + kEnd;
}

}  // namespace acevec
