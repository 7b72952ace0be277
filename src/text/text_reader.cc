#include "text/text_reader.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "base/numbers.h"
#include "base/utf8.h"
#include "text/wiki/dump.h"
#include "text/wiki/markup.h"

namespace acevec {
namespace {

constexpr size_t kLongestJsonLine = 256 << 20;

// Returns where `text` may be cut: after its last line end, else after its last white space, else
// 0.
size_t cut_position(std::string_view text) {
  const size_t line_end = text.rfind('\n');
  if (line_end != std::string_view::npos) return line_end + 1;
  const auto last = std::find_if(text.rbegin(), text.rend(), is_space);
  return static_cast<size_t>(text.rend() - last);
}

// Returns whether the first line looks like a JSON object.
bool begins_with_object(std::string_view text) {
  const std::string_view line = take_part(text, '\n');
  return line.starts_with("{\"") && line.find("\":") != std::string_view::npos;
}

// Splits plain text into chunks that begin and end between tokens.
class ChunkReader : public TextReader {
 public:
  using TextReader::TextReader;

  bool next(TextChunk& chunk) override {
    const std::lock_guard lock(mutex_);
    chunk.report = {};
    chunk.text = std::exchange(carried_, {});
    bool more = read_more(bytes_ - chunk.text.size(), chunk.text);
    if (chunk.text.empty()) return false;
    if (more && cut_position(chunk.text) == 0) {
      skip_giant_token(chunk);
      more = !ended_;
    }
    if (more) {
      const size_t cut = cut_position(chunk.text);
      carried_ = chunk.text.substr(cut);
      chunk.text.resize(cut);
    }
    number(chunk);
    chunk.report.json_starts = chunk.index == 0 && begins_with_object(chunk.text) ? 1 : 0;
    return true;
  }

 private:
  // Drops a token longer than a chunk, and reads on to the next white space. No word is that long,
  // and keeping it would let memory grow with the text.
  void skip_giant_token(TextChunk& chunk) {
    chunk.report.long_tokens = 1;
    chunk.text.clear();
    while (chunk.text.empty() && !ended_) {
      read_more(bytes_, chunk.text);
      const auto end = std::find_if(chunk.text.begin(), chunk.text.end(), is_space);
      chunk.text.erase(chunk.text.begin(), end);
    }
  }
};

// Converts MediaWiki dumps to chunks of plain text, with an empty line between articles. One thread
// at a time parses XML; each removes the markup of its own articles.
class WikiReader : public TextReader {
 public:
  WikiReader(Source& source, size_t bytes) : TextReader(source, bytes), dump_(source) {}

  bool next(TextChunk& chunk) override {
    std::vector<std::string> articles;
    chunk.report = {};
    std::unique_lock lock(mutex_);
    if (!dump_.next(bytes_, articles, chunk.report.pages)) return false;
    number(chunk);
    const bool begun = begun_;
    if (begun) lock.unlock();  // otherwise the next chunk depends on whether this one has text
    chunk.text.clear();
    for (const std::string& article : articles) append(article, begun, chunk.text);
    if (!begun) begun_ = !chunk.text.empty();
    return true;
  }

 private:
  // `begun`: chunks before this one have text.
  void append(const std::string& article, bool begun, std::string& text) const {
    const size_t size = text.size();
    if (begun || size > 0) text += '\n';
    const size_t start = text.size();
    append_plain_text(article, dump_.names(), text);
    if (text.size() == start) text.resize(size);
  }

  WikiDump dump_;
  bool begun_ = false;  // a chunk had text
};

// Converts lines of JSON to chunks of plain text, with an empty line after each document. One
// thread at a time reads lines; each parses its own.
class JsonLinesReader : public TextReader {
 public:
  using TextReader::TextReader;

  bool next(TextChunk& chunk) override {
    std::string lines;
    int64_t line = 0;  // number of the line before `lines`
    {
      const std::lock_guard lock(mutex_);
      if (!why_.empty() || !read_lines(lines)) return false;
      line = lines_;
      lines_ += std::count(lines.begin(), lines.end(), '\n');
      number(chunk);
      ++parsing_;
    }
    chunk.report = {};
    chunk.text.clear();
    std::string why;
    for (std::string_view rest = lines; !rest.empty() && why.empty(); ++line) {
      why = append_document(take_part(rest, '\n'), chunk.text);
    }
    const std::lock_guard lock(mutex_);
    if (!why.empty() && (why_.empty() || line < bad_line_)) {
      bad_line_ = line;
      why_ = why;
    }
    // The last thread refuses the text: another may still find an earlier line.
    if (--parsing_ == 0 && !why_.empty()) refuse(bad_line_, why_);
    return why_.empty();
  }

 private:
  // Reads whole lines: about a chunk's bytes, or one longer line. Returns false at the end.
  bool read_lines(std::string& lines) {
    lines = std::exchange(carried_, {});
    while (!ended_) {
      if (lines.size() > kLongestJsonLine) {
        ended_ = true;
        refuse(lines_ + 1, "has more than 256 MiB; give a JSON object on each line");
      }
      const size_t had = lines.size();
      if (!read_more(bytes_, lines)) break;
      const size_t last = std::string_view(lines).substr(had).rfind('\n');
      if (last == std::string_view::npos) continue;  // the line continues
      carried_ = lines.substr(had + last + 1);
      lines.resize(had + last + 1);
      break;
    }
    return !lines.empty();
  }

  // Returns why the line cannot be used; empty if it can.
  std::string append_document(std::string_view line, std::string& text) const {
    if (is_blank(line)) return "";
    std::string document;
    try {
      document = json_member(line, source_.contents().field);
    } catch (const Error& error) {
      return error.what() +
             std::string("; give a JSON object on each line, and name its text with -field");
    }
    // Empty lines separate documents, so a document has none inside.
    document += '\n';
    const size_t begin = text.size();
    for (const char c : document) {
      const bool is_empty_line = c == '\n' && (text.empty() || text.back() == '\n');
      if (c != '\r' && !is_empty_line) text += c;
    }
    if (text.size() > begin) text += '\n';
    return "";
  }

  [[noreturn]] void refuse(int64_t line, const std::string& why) const {
    source_.refuse("line " + std::to_string(line) + ' ' + why);
  }

  int64_t lines_ = 0;     // number of lines returned so far
  int parsing_ = 0;       // number of threads that parse lines
  int64_t bad_line_ = 0;  // the first line that cannot be used, as far as parsed
  std::string why_;       // why it cannot; empty without such a line
};

}  // namespace

bool TextReader::read_more(size_t size, std::string& text) {
  if (std::exchange(ended_, true)) return false;  // if reading throws, all threads see the end
  const size_t end = text.size() + size;
  size_t filled = text.size();
  text.resize(end);
  while (const size_t got = source_.read_some(text.data() + filled, end - filled)) {
    if (source_.has_several()) require_text_of_file(std::string_view(text).substr(filled, got));
    filled += got;
  }
  text.resize(filled);
  ended_ = filled < end;
  return !ended_;
}

void TextReader::require_text_of_file(std::string_view bytes) {
  constexpr size_t kFewest = 100, kLooked = 1 << 14;
  if (bytes.size() < kFewest || source_.name() == checked_file_) return;
  checked_file_ = source_.name();
  bytes = bytes.substr(0, kLooked);
  size_t bad = 0;
  bool valid = true;
  for (size_t at = 0; at < bytes.size();) {
    if (next_code_point(bytes, at, valid) == 0 || !valid) ++bad;
  }
  if (bad > bytes.size() / 10) {
    source_.refuse("it is not text in UTF-8; leave it out, or convert it");
  }
}

std::unique_ptr<TextReader> make_text_reader(Source& source, size_t bytes) {
  if (source.contents() == TextFormat::kWiki) return std::make_unique<WikiReader>(source, bytes);
  if (source.contents() == TextFormat::kJsonl) {
    return std::make_unique<JsonLinesReader>(source, bytes);
  }
  return std::make_unique<ChunkReader>(source, bytes);
}

}  // namespace acevec
