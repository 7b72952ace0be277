#include "cli/file_options.h"

#include <string>
#include <vector>

#include "base/error.h"
#include "base/output_file.h"

namespace acevec {

void refuse_shared_files(const Options& options, OptionNames inputs, OptionNames outputs) {
  std::vector<const char*> names;
  for (const char* name : inputs) {
    if (options.given(name)) names.push_back(name);
  }
  const size_t readers = names.size();
  for (const char* name : outputs) {
    if (options.given(name)) names.push_back(name);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    for (size_t j = i + 1; j < names.size(); ++j) {
      const std::string& a = options.text(names[i]);
      const std::string& b = options.text(names[j]);
      const bool streams = a == "-" && b == "-" && i < readers && j >= readers;  // in and out
      if (streams || a.starts_with("/dev/")) continue;
      if (same_file(a, b)) {
        throw UsageError(format("-%s and -%s are the same file, %s; give two names", names[i],
                                names[j], a.c_str()));
      }
    }
  }
}

}  // namespace acevec
