#include "word/presets.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "word/settings.h"

namespace acevec {

TEST_CASE("every preset has values that its help names and the options take") {
  const Option* help = nullptr;
  for (const Option& option : kTrainCommand.table) {
    if (option.name == "preset") help = &option;
  }
  REQUIRE(help != nullptr);
  std::string names;
  for (const Preset& preset : presets()) {
    CAPTURE(preset.name);
    names += (names.empty() ? "" : "|") + std::string(preset.name);
    const std::string flags = preset_flags(preset.name);
    CHECK(help->help.find(std::string(preset.name) + ": " + flags) != std::string_view::npos);
    std::vector<std::string> typed;
    for (const auto& [name, value] : preset.values) {
      typed.push_back("-" + std::string(name));
      typed.emplace_back(value);
    }
    CHECK_NOTHROW(Options(kTrainCommand, typed));
    Options options(kTrainCommand, {"-preset", std::string(preset.name)});
    apply_preset(options);
    for (const auto& [name, value] : preset.values) CHECK(options.text(name) == value);
  }
  CHECK(names == help->choices);
}

}  // namespace acevec
