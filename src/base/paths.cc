#include "base/paths.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/error.h"

namespace acevec {

std::vector<std::string> split_paths(const std::string& typed) {
  std::error_code ignored;
  if (std::filesystem::exists(typed, ignored)) return {typed};
  std::vector<std::string> paths;
  for (size_t begin = 0; begin <= typed.size();) {
    const size_t end = std::min(typed.find(',', begin), typed.size());
    if (end == begin) throw Error("a comma has no file beside it; give FILE,FILE");
    paths.push_back(typed.substr(begin, end - begin));
    begin = end + 1;
  }
  return paths;
}

}  // namespace acevec
