#include "cli/completion.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "cli/file_options.h"
#include "cli/help.h"
#include "cli/shell.h"

namespace acevec {
namespace {

// The words that an option's value is chosen from, between blanks; empty when it is any text.
std::string value_words(const OptionRow& option) {
  if (option.kind == Kind::kFlag) return "0 1";
  std::string words(option.choices);
  std::replace(words.begin(), words.end(), '|', ' ');
  return words;
}

std::string in_quotes(std::string_view name) {
  return "'" + std::string(name) + "'";
}

bool takes_file(const OptionRow& option) {
  return names_file(option.kind);
}

std::string option_names(const CommandLine& command) {
  std::string names;
  for (const Switch& one : switches_of(command)) names += std::string(one.name) + " ";
  for (const OptionRow& option : command.table().rows()) names += option.name + " ";
  names.pop_back();
  return names;
}

// The cases of a shell's `case` that find the command in "$first $second": longest names first.
std::string command_cases(const CommandLines& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) {
    if (!command->about().name.empty()) names.emplace_back(command->about().name);
  }
  std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return std::count(a.begin(), a.end(), ' ') > std::count(b.begin(), b.end(), ' ');
  });
  std::string cases;
  for (const std::string& name : names) {
    cases += format("    '%s '*) command='%s' ;;\n", name.c_str(), name.c_str());
  }
  return cases;
}

// The last word of a command's name, and the words before it.
std::pair<std::string, std::string> last_word(std::string_view name) {
  const size_t blank = name.rfind(' ');
  if (blank == std::string_view::npos) return {std::string(name), ""};
  return {std::string(name.substr(blank + 1)), std::string(name.substr(0, blank))};
}

// The words that may follow the name `outer` and make another name with it, between blanks.
std::string commands_after(std::string_view outer, const CommandLines& commands) {
  std::string words;
  for (const auto& command : commands) {
    const auto [word, before] = last_word(command->about().name);
    if (!word.empty() && before == outer) words += (words.empty() ? "" : " ") + word;
  }
  return words;
}

constexpr const char* kBashStart =
    R"(# Completion of acevec's command line in bash; made by `acevec --completion bash`.
_acevec() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command='' names='' commands='' words=''
  # bash takes "-size=100" for three words.
  if [ "$current" = = ]; then
    current=''
  elif [ "$before" = = ]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  [[ $before == --* ]] && before=${before#-}
  COMPREPLY=()
  case "${COMP_WORDS[1]} ${COMP_WORDS[2]} " in
)";

constexpr const char* kBashEnd =
    R"(  esac
  if [ -z "$words" ] && [[ $current == -* ]]; then
    local dashes=${current%%[!-]*}
    words=$(printf -- "$dashes%s " $names)
  elif [ -z "$words" ] && [ "${COMP_WORDS[*]:1:COMP_CWORD-1}" = "$command" ]; then
    words=$commands
  fi
  if [ "$words" != VALUE ] && [ "$words" != FILE ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  fi
  if [ "$words" = FILE ] || { [ -z "${COMPREPLY[*]}" ] && [[ $current$before != -* ]]; }; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -F _acevec acevec
)";

std::string bash_script(const CommandLines& commands) {
  std::string script = kBashStart + command_cases(commands) + "  esac\n";
  script += "  case $command in\n";
  for (const auto& command : commands) {
    script += "    " + in_quotes(command->about().name) +
              ") names=" + shell_quoted(option_names(*command)) +
              " commands=" + shell_quoted(commands_after(command->about().name, commands)) +
              " ;;\n";
  }
  script += "  esac\n  case \"$command $before\" in\n";
  for (const auto& command : commands) {
    for (const OptionRow& option : command->table().rows()) {
      const std::string words = value_words(option);
      script += "    '" + std::string(command->about().name) + " -" + std::string(option.name) +
                "') words=" +
                shell_quoted(!words.empty()       ? words
                             : takes_file(option) ? "FILE"
                                                  : "VALUE") +
                " ;;\n";
    }
  }
  return script + kBashEnd;
}

// Help as zsh's _arguments takes it: a bracket and a colon end it.
std::string zsh_help(const OptionRow& option) {
  std::string result;
  for (const char c : option.help) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_script(const CommandLines& commands) {
  std::string script =
      "#compdef acevec\n"
      "# Completion of acevec's command line in zsh; made by `acevec --completion zsh`.\n"
      "local command='' first=$words[2] second=$words[3]\n"
      "case \"$first $second \" in\n" +
      command_cases(commands) +
      "esac\n"
      "# The command's words count as the program's name.\n"
      "local word\n"
      "for word in ${=command}; do shift words; ((CURRENT--)); done\n"
      "case $command in\n";
  for (const auto& command : commands) {
    script += "  " + in_quotes(command->about().name) + ") _arguments";
    for (const Switch& one : switches_of(*command)) {
      const std::string name(one.name);
      const char* n = name.c_str();
      script += format(" '(-%s --%s)'{-%s,--%s}'[%s]'", n, n, n, n, std::string(one.help).c_str());
    }
    for (const OptionRow& option : command->table().rows()) {
      const std::string name(option.name);
      const std::string words = value_words(option);
      const std::string action = !words.empty()       ? "(" + words + ")"
                                 : takes_file(option) ? "_files"
                                                      : " ";
      const std::string spec =
          "[" + zsh_help(option) +
          "]:" + (option.kind == Kind::kFlag ? "0|1" : std::string(option.argument)) + ":" + action;
      const char* n = name.c_str();
      script += format(" \\\n    '(-%s --%s)'{-%s,--%s}", n, n, n, n) + shell_quoted(spec);
    }
    const std::string words = commands_after(command->about().name, commands);
    script += " \\\n    '1:" + (words.empty() ? "file:_files" : "command:(" + words + ")") +
              "' '*:file:_files' ;;\n";
  }
  return script + "esac\n";
}

std::string fish_script(const CommandLines& commands) {
  std::string script =
      "# Completion of acevec's command line in fish; made by `acevec --completion fish`.\n"
      "function __acevec_command\n"
      "  set -l words (commandline -opc) '' ''\n"
      "  set -l command ''\n"
      "  switch \"$words[2] $words[3] \"\n";
  std::vector<const CommandLine*> longest_first;
  for (const auto& command : commands) longest_first.push_back(command.get());
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [](const CommandLine* a, const CommandLine* b) {
                     return a->about().name.size() > b->about().name.size();
                   });
  for (const CommandLine* command : longest_first) {
    if (command->about().name.empty()) continue;
    const std::string name(command->about().name);
    script += format("    case '%s *'\n      set command '%s'\n", name.c_str(), name.c_str());
  }
  script += "  end\n  test \"$command\" = \"$argv\"\nend\n";
  for (const auto& command : commands) {
    const std::string name(command->about().name);
    const std::string start = "complete -c acevec -n '__acevec_command " + name + "'";
    if (!name.empty()) {
      const auto [word, outer] = last_word(name);
      script += format("complete -c acevec -n '__acevec_command %s' -a %s -d %s\n", outer.c_str(),
                       word.c_str(), shell_quoted(brief_summary(command->about())).c_str());
    }
    for (const Switch& one : switches_of(*command)) {
      script += start + " -l " + std::string(one.name) + " -d " + shell_quoted(one.help) + "\n";
    }
    for (const OptionRow& option : command->table().rows()) {
      const std::string words = value_words(option);
      script += start + " -o " + std::string(option.name) + " -l " + std::string(option.name) +
                (takes_file(option) ? " -rF" : " -x") +
                (words.empty() ? "" : " -a " + shell_quoted(words)) + " -d " +
                shell_quoted(option.help) + "\n";
    }
  }
  return script;
}

}  // namespace

std::string completion_script(std::string_view shell, const CommandLines& commands) {
  if (shell == "bash") return bash_script(commands);
  if (shell == "zsh") return zsh_script(commands);
  if (shell == "fish") return fish_script(commands);
  throw UsageError("--completion needs a shell; give bash, zsh or fish");
}

}  // namespace acevec
