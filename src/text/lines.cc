#include "text/lines.h"

#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/progress.h"
#include "base/same_file.h"
#include "text/tokenizer.h"

namespace acevec {

std::string_view LookAhead::peek(size_t size) {
  while (buffer_.size() - at_ < size && read_more()) {
  }
  return rest();
}

std::optional<std::string_view> LookAhead::peek_until(char mark, size_t limit) {
  const size_t end = find(mark, limit, true);
  if (end != std::string_view::npos) return rest().substr(0, end);
  if (rest().size() >= limit) return std::nullopt;
  return rest();
}

bool LookAhead::ready_until(char mark, size_t limit) {
  return find(mark, limit, false) != std::string_view::npos || (ended_ && rest().size() < limit);
}

// Returns the distance to the next `mark`, or npos. Reads more to find it, waiting only if `wait`.
size_t LookAhead::find(char mark, size_t limit, bool wait) {
  for (size_t searched = 0;;) {
    const std::string_view there = rest().substr(0, limit);
    const size_t end = there.find(mark, searched);
    if (end != std::string_view::npos) return end;
    searched = there.size();
    const bool may_read = wait || source_.ready();
    if (searched == limit || !may_read || !read_more()) return std::string_view::npos;
  }
}

bool LookAhead::read_more() {
  constexpr size_t kStep = 1 << 16;
  if (ended_) return false;
  buffer_.erase(0, std::exchange(at_, 0));
  const size_t had = buffer_.size();
  buffer_.resize(had + kStep);
  buffer_.resize(had + source_.read_some(buffer_.data() + had, kStep));
  ended_ = buffer_.size() == had;
  return !ended_;
}

void LineReader::refuse(const std::string& why) const {
  const int64_t number = std::max<int64_t>(number_, 1);  // an empty file lacks its first line
  throw Error(
      format("cannot use %s: line %ld %s", name().c_str(), static_cast<long>(number), why.c_str()));
}

std::optional<std::string_view> LineReader::next() {
  while (!input_.at_end()) {
    ++number_;
    const std::optional<std::string_view> line = input_.peek_until('\n', rules_.longest);
    if (!line)
      refuse(format("is longer than %zu MiB; give a file of lines", rules_.longest >> 20U));
    input_.skip(line->size() + 1);
    const std::string_view text = without_return(*line);
    if (rules_.empty_too || !text.empty()) return text;
  }
  return std::nullopt;
}

bool LineReader::ready() {
  while (input_.ready_until('\n', rules_.longest)) {
    const std::string_view line = *input_.peek_until('\n', rules_.longest);
    if (input_.at_end() || rules_.empty_too || !without_return(line).empty()) return true;
    input_.skip(line.size() + 1);
    ++number_;
  }
  return false;
}

bool LineReader::joins_batch(size_t lines) {
  constexpr size_t kMostLines = 16384;
  // Nobody types this many at once. A program that writes them fills the pipe, which holds less
  // than a batch, and needs a moment to refill it.
  constexpr size_t kManyLines = 64;
  constexpr std::chrono::milliseconds kMoment(5);
  if (lines >= kMostLines) return false;
  if (ready()) return true;
  if (lines < kManyLines) return false;
  std::this_thread::sleep_for(kMoment);
  return ready();
}

bool LineReader::next_batch(std::vector<std::string>& lines) {
  constexpr size_t kMostBytes = 1 << 20;
  lines.clear();
  size_t bytes = 0;
  while (lines.empty() || (bytes < kMostBytes && joins_batch(lines.size()))) {
    const std::optional<std::string_view> line = next();
    if (!line) break;
    lines.emplace_back(*line);
    bytes += line->size();
  }
  return !lines.empty();
}

int32_t Names::find(const std::string& name) const {
  const auto place = ids_.find(name);
  return place == ids_.end() ? -1 : place->second;
}

int32_t Names::add(const std::string& name) {
  const auto [place, is_new] = ids_.emplace(name, size());
  if (is_new) names_.push_back(name);
  return place->second;
}

std::string as_word(std::string_view name) {
  std::string word(name);
  std::ranges::replace_if(word, is_space, '_');
  return word;
}

void note_possible_titles(const std::string& path, const std::string& names, const char* advice,
                          Progress& progress) {
  progress.note(
      format("note: no name in the first line of %s, \"%s\", occurs in another line; if it is a "
             "header, %s",
             input_name(path).c_str(), names.c_str(), advice));
}

}  // namespace acevec
