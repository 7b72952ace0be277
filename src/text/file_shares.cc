#include "text/file_shares.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/same_file.h"
#include "text/lines.h"
#include "text/tokenizer.h"
#include "text/unpacker.h"

namespace acevec {
namespace {

bool is_packed(const std::string& path) {
  std::string first(kPackingBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<size_t>(file.gcount()));
  return make_unpacker(first, 1) != nullptr;
}

// As many bytes for each process, of all files one behind the other.
std::vector<FilePart> share_of_bytes(const std::vector<FilePart>& files, int rank, int count) {
  int64_t total = 0;
  for (const FilePart& file : files) total += file.end;
  const auto place = [&](int process) {
    return static_cast<int64_t>(static_cast<double>(total) * process / count);
  };
  std::vector<FilePart> share;
  int64_t before = 0;  // bytes of the files that stand before
  for (const FilePart& file : files) {
    const auto cut = [&](int process) {
      const int64_t offset = std::clamp<int64_t>(place(process) - before, 0, file.end);
      return process == count || offset == file.end ? file.end : cut_near(file.path, offset);
    };
    const int64_t begin = cut(rank);
    const int64_t end = cut(rank + 1);
    if (begin < end) share.push_back({file.path, begin, end});
    before += file.end;
  }
  if (share.empty()) share.push_back({files.front().path, 0, 0});
  return share;
}

// Whole files: the largest first, each to whom has least.
std::vector<FilePart> share_of_whole_files(std::vector<FilePart> files, int rank, int count) {
  if (static_cast<int>(files.size()) < count) {
    throw UsageError(
        format("%d processes need %d files or more where files are packed, dumps or lines of JSON, "
               "and there %s "
               "%d; unpack them, or split them",
               count, count, files.size() == 1 ? "is" : "are", static_cast<int>(files.size())));
  }
  std::stable_sort(files.begin(), files.end(),
                   [](const FilePart& a, const FilePart& b) { return a.end > b.end; });
  std::vector<int64_t> dealt(static_cast<size_t>(count));
  std::vector<FilePart> share;
  for (const FilePart& file : files) {
    const auto least = std::min_element(dealt.begin(), dealt.end());
    *least += std::max<int64_t>(file.end, 1);
    if (least - dealt.begin() == rank) share.push_back({file.path});
  }
  return share;
}

constexpr std::string_view kRank = "%r";

bool has_rank(const std::string& path) {
  return path.find(kRank) != std::string::npos;
}

std::string with_rank(std::string path, int rank) {
  for (size_t at; (at = path.find(kRank)) != std::string::npos;) {
    path.replace(at, kRank.size(), std::to_string(rank));
  }
  return path;
}

void require_regular(const std::string& path, int count) {
  if (path == "-" || is_special_file(path)) {
    throw UsageError(
        format("%d processes cannot share %s; give files, or a file for each process "
               "with %%r in its name",
               count, path == "-" ? "standard input" : path.c_str()));
  }
}

int64_t bytes_of(const std::string& path) {
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(path, failed);
  if (failed) {
    throw Error(format("cannot read %s: %s; give a file that every process sees", path.c_str(),
                       failed.message().c_str()));
  }
  return static_cast<int64_t>(bytes);
}

}  // namespace

int64_t cut_near(const std::string& path, int64_t offset) {
  if (offset == 0) return 0;
  std::ifstream file(path, std::ios::binary);
  file.seekg(offset - 1);
  std::string bytes(kLongestLine, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(file.gcount()));
  size_t at = bytes.find('\n');
  if (at == std::string::npos) {
    at = static_cast<size_t>(std::find_if(bytes.begin(), bytes.end(), is_space) - bytes.begin());
  }
  return offset - 1 + static_cast<int64_t>(std::min(at + 1, bytes.size()));
}

std::vector<FilePart> share_of_files(std::vector<std::string> paths, const TextFormat& format,
                                     int rank, int count) {
  const bool own = std::any_of(paths.begin(), paths.end(), has_rank);
  for (std::string& path : paths) {
    path = with_rank(path, rank);
    require_regular(path, count);
  }
  if (own) return whole_files(paths);
  std::vector<FilePart> files = whole_files(paths);
  for (FilePart& file : files) file.end = bytes_of(file.path);
  if (format == TextFormat::kText && std::none_of(paths.begin(), paths.end(), is_packed)) {
    return share_of_bytes(files, rank, count);
  }
  return share_of_whole_files(files, rank, count);
}

std::string lengths_of_shared(const std::vector<std::string>& paths) {
  std::string lengths;
  if (std::any_of(paths.begin(), paths.end(), has_rank)) return lengths;
  for (const std::string& path : paths) {
    lengths += path + " " + std::to_string(bytes_of(path)) + "\n";
  }
  return lengths;
}

}  // namespace acevec
