#include "cli/cxxopts_parser.h"

#include <string>
#include <vector>

namespace acevec {

cxxopts::Options make_parser(const CommandLine& command) {
  const CommandText& about = command.about();
  cxxopts::Options parser("acevec", std::string(about.summary));
  parser.custom_help(std::string(about.usage.substr(about.usage.find(' ') + 1)));
  parser.set_width(100);
  for (const OptionRow& option : command.table().rows()) {
    parser.add_options(option.group)(option.name, option.full_help(), cxxopts::value<std::string>(),
                                     option.argument);
  }
  for (const Switch& one : switches_of(command)) {
    parser.add_options("Other")(std::string(one.name), std::string(one.help));
  }
  if (command.operands().any()) {
    parser.add_options("positional")("arguments", "", cxxopts::value<std::vector<std::string>>());
    parser.parse_positional({"arguments"});
    parser.positional_help("");  // the usage line has it
  }
  return parser;
}

}  // namespace acevec
