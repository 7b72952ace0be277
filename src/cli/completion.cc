#include "base/error.h"
#include "base/numbers.h"
#include "cli/help.h"

namespace acevec {
namespace {

// Each script asks the program, and offers files when the answer is "/".
constexpr const char* kBash =
    R"(# Completion of acevec's command line in bash; made by `acevec --completion bash`.
_acevec() {
  local current=${COMP_WORDS[COMP_CWORD]}
  mapfile -t COMPREPLY < <(acevec --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
  if [ "${COMPREPLY[*]}" = / ]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "${current#=}")
  fi
}
complete -F _acevec acevec
)";

constexpr const char* kZsh =
    R"(#compdef acevec
# Completion of acevec's command line in zsh; made by `acevec --completion zsh`.
local -a found
found=("${(@f)$(acevec --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
if [[ $found == / ]]; then
  _files
elif [[ -n $found ]]; then
  found=("${(@)found//:/\\:}")
  found=("${(@)found/$'\t'/:}")
  _describe acevec found
fi
)";

constexpr const char* kFish =
    R"(# Completion of acevec's command line in fish; made by `acevec --completion fish`.
function __acevec_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (acevec --complete $words[2..-1] 2>/dev/null)
  if test "$found" = /
    __fish_complete_path (commandline -ct)
  else
    printf '%s\n' $found
  end
end
complete -c acevec -f -a '(__acevec_complete)'
)";

// Returns the option that the last word names, or null.
const OptionRow* last_option(const CommandLine& command, const std::vector<std::string>& words) {
  if (words.empty() || !words.back().starts_with('-')) return nullptr;
  return command.table().find(without_dashes(words.back()));
}

}  // namespace

std::string completions(std::vector<std::string> words, const CommandLines& commands) {
  // bash splits "-size=100" into three words.
  if (words.empty() || words.back() == "=") words.emplace_back();
  if (words.size() > 1 && words[words.size() - 2] == "=") words.erase(words.end() - 2);
  const std::string typed = words.back();
  words.pop_back();
  std::string found;
  const auto offer = [&](const std::string& word, std::string_view help) {
    if (!word.starts_with(typed)) return;
    found += word + (help.empty() ? "" : "\t" + std::string(help)) + "\n";
  };
  const CommandLine& command = command_of(commands, words);
  const OptionRow* option = last_option(command, words);
  if (typed.starts_with('-')) {
    const std::string dashes = typed.substr(0, typed.find_first_not_of('-'));
    for (const auto& [name, help] : switches_of(command)) offer(dashes + std::string(name), help);
    for (const OptionRow& row : command.table().rows()) offer(dashes + row.name, row.help);
  } else if (option == nullptr) {
    for (const auto& other : commands) {
      const std::vector<std::string> name = words_of(other->about().name);
      const bool goes_on = name.size() == words.size() + 1 && starts_with(name, words);
      if (goes_on) offer(name.back(), brief_summary(other->about()));
    }
    if (found.empty()) found = "/\n";
  } else if (option->kind == Kind::kFlag || option->kind == Kind::kChoice) {
    for (const std::string_view word : split(option->argument, "|")) offer(std::string(word), "");
  } else if (names_file(option->kind)) {
    found = "/\n";
  }
  return found;
}

std::string completion_script(std::string_view shell) {
  if (shell == "bash") return kBash;
  if (shell == "zsh") return kZsh;
  if (shell == "fish") return kFish;
  throw UsageError("--completion needs a shell; give bash, zsh or fish");
}

}  // namespace acevec
