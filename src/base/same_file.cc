#include "base/same_file.h"

#include <sys/stat.h>

#include <charconv>
#include <filesystem>
#include <system_error>

namespace acevec {
namespace {

// Follows symbolic links at the end of `path`, up to one for which `is_end` holds.
template <typename IsEnd>
std::filesystem::path follow_links(std::filesystem::path path, const IsEnd& is_end) {
  constexpr int kMaxLinks = 40;  // as many as the system follows; links may form a cycle
  std::error_code ignored;
  for (int i = 0; i < kMaxLinks && std::filesystem::is_symlink(path, ignored) && !is_end(path);
       ++i) {
    path = path.parent_path() / std::filesystem::read_symlink(path, ignored);
  }
  return path;
}

}  // namespace

std::string input_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

std::string without_links(const std::string& path) {
  return follow_links(path, [](const std::filesystem::path&) { return false; }).string();
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

bool is_special_file(const std::string& path) {
  std::error_code ignored;
  return exists(path) && !std::filesystem::is_regular_file(path, ignored);
}

int descriptor_named(const std::string& path) {
  std::error_code failed;
  const auto descriptors = std::filesystem::canonical("/proc/self/fd", failed);
  const auto is_descriptor = [&](const std::filesystem::path& link) {
    return std::filesystem::canonical(std::filesystem::absolute(link).parent_path(), failed) ==
           descriptors;
  };
  const std::filesystem::path link = follow_links(path, is_descriptor);
  int descriptor = -1;
  if (is_descriptor(link)) {
    const std::string name = link.filename().string();
    std::from_chars(name.data(), name.data() + name.size(), descriptor);
  }
  return descriptor;
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat status_a {};
  struct stat status_b {};
  if (stat(a.c_str(), &status_a) == 0 && stat(b.c_str(), &status_b) == 0) {
    return status_a.st_dev == status_b.st_dev && status_a.st_ino == status_b.st_ino;
  }
  std::error_code failed;
  const auto place = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(without_links(path)),
                                             failed);
  };
  const auto place_a = place(a);
  if (failed) return false;  // it cannot be opened either, which reports the error
  return place_a == place(b) && !failed;
}

}  // namespace acevec
