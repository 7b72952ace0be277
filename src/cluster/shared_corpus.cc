#include "cluster/shared_corpus.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/numbers.h"
#include "base/same_file.h"
#include "text/lines.h"
#include "text/tokenizer.h"
#include "text/unpacker.h"
#include "text/word_counts.h"

namespace acevec {
namespace {

bool is_packed(const std::string& path) {
  std::string first(kPackingBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<size_t>(file.gcount()));
  return make_unpacker(first, 1) != nullptr;
}

// Divides the concatenated bytes of all files into equal shares. Returns that of `rank`.
std::vector<FilePart> share_of_bytes(const std::vector<FilePart>& files, int rank, int count) {
  int64_t total = 0;
  for (const FilePart& file : files) total += file.end;
  const auto place = [&](int process) {
    return static_cast<int64_t>(static_cast<double>(total) * process / count);
  };
  std::vector<FilePart> share;
  int64_t before = 0;  // bytes of the preceding files
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

// Distributes whole files, largest first, each to the process with the fewest bytes.
std::vector<FilePart> share_of_whole_files(std::vector<FilePart> files, int rank, int count) {
  if (static_cast<int>(files.size()) < count) {
    throw UsageError(
        format("%d processes need %d files or more where files are packed, dumps or lines of JSON, "
               "and there %s %d; unpack them, or split them",
               count, count, files.size() == 1 ? "is" : "are", static_cast<int>(files.size())));
  }
  std::ranges::stable_sort(files, std::greater<>(), &FilePart::end);
  std::vector<int64_t> assigned(static_cast<size_t>(count));
  std::vector<FilePart> share;
  for (const FilePart& file : files) {
    const auto least = std::ranges::min_element(assigned);
    *least += std::max<int64_t>(file.end, 1);
    if (least - assigned.begin() == rank) share.push_back({file.path});
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
               count, input_name(path).c_str()));
  }
}

int64_t length_of(const std::string& path) {
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(path, failed);
  if (failed) {
    throw Error(format("cannot read %s: %s; give a file that every process sees", path.c_str(),
                       failed.message().c_str()));
  }
  return static_cast<int64_t>(bytes);
}

// The names and lengths of the shared files, which must be the same for all processes. Empty if
// each process has its own files. Throws Error.
std::string lengths_of_shared(const std::vector<std::string>& paths) {
  std::string lengths;
  if (std::ranges::any_of(paths, has_rank)) return lengths;
  for (const std::string& path : paths) {
    lengths += path + " " + std::to_string(length_of(path)) + "\n";
  }
  return lengths;
}

// Processes exchange only between chunks, so chunks must have less than some tens of thousands of
// tokens.
constexpr size_t kSharedChunkBytes = 32 << 10;

constexpr size_t kGroup = 64;  // bytes that are sent as one item, since MPI counts items in ints

// Ends the words for one process, padding to whole groups with empty lines.
void end_process(Items<char>& words) {
  const size_t before = words.groups();
  const size_t groups = (words.items.size() + kGroup - 1) / kGroup;
  words.items.resize(groups * kGroup, '\n');
  words.counts.push_back(static_cast<int>(groups - before));
}

std::vector<WordCount> words_of(const Items<char>& sent) {
  std::vector<WordCount> words;
  const std::string_view text(sent.items.data(), sent.items.size());
  for (const std::string_view line : split(text, "\n")) {
    if (!line.empty()) words.push_back(parse_line(line));
  }
  return words;
}

// The total counts of the whole text, in every process. Each word has an owner, chosen by its hash,
// which sums up its counts, so that no process holds all words. The words of the vocabulary are
// sent to every process.
WordTotals total_counts_of_all(const WordCounts& own, const CorpusSettings& settings,
                               Peers& peers) {
  // Parts by hash, small enough for the process with the most counts, and at least one per process.
  const int parts = std::ranges::max(gather(peers, own.parts(peers.count())));
  WordCounts owned(1, settings.counting_bytes);
  owned.finish();
  Items<char> words;  // in the format of vocabulary files
  const auto put = [&](std::string_view word, int64_t count) {
    std::ranges::copy(line_of(word, count), std::back_inserter(words.items));
  };
  // In each round every process owns one of the remaining parts.
  for (int begin = 0; begin < parts; begin += peers.count(), words = {}) {
    for (int part = begin; part < begin + peers.count(); ++part) {
      if (part < parts) own.for_each_total(part, parts, put);
      end_process(words);
    }
    owned.add(words_of(all_to_all(peers, words, kGroup)));
  }
  const WordTotals part =
      total_counts(owned, settings.threads, settings.least_count(), settings.max_words);
  for (const auto& [word, count] : part.words) put(word, count);
  end_process(words);
  return {words_of(gather_all(peers, words.items, kGroup)), peers.allreduce_sum(part.distinct)};
}

// A process without work would block the others, so each must have some.
int64_t tokens_of_all(const Corpus& own, Peers& peers) {
  const std::vector<int64_t> tokens = gather(peers, own.kept_tokens());
  const int64_t total = std::accumulate(tokens.begin(), tokens.end(), int64_t{0});
  const auto idle = std::ranges::find(tokens, 0);
  if (total > 0 && idle != tokens.end()) {
    throw Error(format("process %d of %d has no text to train on; start fewer, or give more text",
                       static_cast<int>(idle - tokens.begin()), peers.count()));
  }
  return total;
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
    at = static_cast<size_t>(std::ranges::find_if(bytes, is_space) - bytes.begin());
  }
  return offset - 1 + static_cast<int64_t>(std::min(at + 1, bytes.size()));
}

std::vector<FilePart> share_of_files(std::vector<std::string> paths, const TextFormat& format,
                                     int rank, int count) {
  const bool own = std::ranges::any_of(paths, has_rank);
  for (std::string& path : paths) {
    path = with_rank(path, rank);
    require_regular(path, count);
  }
  if (own) return whole_files(paths);
  std::vector<FilePart> files = whole_files(paths);
  for (FilePart& file : files) file.end = length_of(file.path);
  if (format == TextFormat::kText && std::ranges::none_of(paths, is_packed)) {
    return share_of_bytes(files, rank, count);
  }
  return share_of_whole_files(files, rank, count);
}

std::vector<FilePart> share_of_text(const std::vector<std::string>& paths, const TextFormat& format,
                                    Peers& peers) {
  if (peers.count() == 1) return whole_files(paths);
  std::vector<FilePart> share = share_of_files(paths, format, peers.rank(), peers.count());
  require_same(peers, lengths_of_shared(paths), "another text");
  return share;
}

Corpus read_shared_corpus(Source& source, CorpusSettings settings, Progress& progress,
                          Peers& peers) {
  if (peers.count() == 1) return read_corpus(source, settings, shown_on(progress));
  settings.chunk_bytes = kSharedChunkBytes;
  CountedText text(source, settings, shown_on(progress));
  WordTotals totals = total_counts_of_all(text.counts, settings, peers);
  if (!settings.given_vocabulary.empty()) totals.words = settings.given_vocabulary;
  settings.first_line = peers.exscan(text.report.lines);
  Corpus corpus(std::move(text), std::move(totals), settings);
  TextReport report;
  for (const TextReport& part : gather(peers, corpus.report())) report += part;
  corpus.be_part_of(report, tokens_of_all(corpus, peers));
  return corpus;
}

}  // namespace acevec
