// acevec next VECTORS [ITEM ...]: what comes next after a history of items.

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "base/progress.h"
#include "commands/answers.h"
#include "commands/commands.h"
#include "commands/run_arguments.h"
#include "commands/vector_files.h"
#include "text/tokenizer.h"
#include "vectors/next_items.h"
#include "vectors/query_words.h"
#include "vectors/reader.h"
#include "vectors/word_table.h"

namespace acevec {
namespace {

// items.bin -> items-context.bin
std::string context_path(const std::string& path) {
  const size_t name = path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1;
  const size_t end = path.ends_with(".gz") ? path.size() - 3 : path.size();
  const size_t dot = path.rfind('.', end - 1);
  const bool has_ending = end > 0 && dot != std::string::npos && dot > name;
  return std::string(path).insert(has_ending ? dot : end, "-context");
}

std::vector<std::string> items_of(const std::string& line) {
  std::vector<std::string> items;
  TextReport report;
  split_tokens(
      line, report, [&](std::string_view item) { items.emplace_back(item); }, [] {});
  return items;
}

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : " ") + item;
  return text;
}

// Items that are like what comes next: how much their own vectors count beside those of contexts.
// docs/experiments/sequences.md has the gain.
constexpr float kAlike = 0.25F;

void add_alike(const WordTable& vectors, WordVectors& contexts) {
  for (int64_t i = 0; i < contexts.vectors.rows(); ++i) {
    const int64_t item = vectors.find(contexts.words[static_cast<size_t>(i)]);
    if (item < 0) continue;
    float* const row = contexts.vectors.row(i);
    const float* const own = vectors.rows().row(item);
    for (int64_t k = 0; k < contexts.vectors.columns(); ++k) row[k] += kAlike * own[k];
  }
}

// A history as it was typed.
struct Asked {
  std::string text;
  std::vector<std::string> items;
};

constexpr CommandText kNext{
    "next",
    "acevec next VECTORS [ITEM ...] [OPTION VALUE ...]",
    "Shows the items that are likely to come next after a history of items, the oldest first. "
    "Items come\nas arguments, which are one history, or on standard input, one history per line. "
    "Vectors and context\nvectors are those that acevec -preset items -output FILE -output-context "
    "FILE writes. Where no item is\nknown, the answer is the first items of the file, the most "
    "frequent.\n",
    "a file of vectors, then items",
    kVectorsFile,
    kVectorCommands};

class NextCommand final : public CommandLine {
 public:
  NextCommand() : CommandLine(kNext) {
    table().group("Query");
    table().input_file("context", context_,
                       "the context vectors (default: items-context.bin of items.bin)");
    table().integer("to", to_, {1, 1e9}, "last item to show");
    table().real("decay", decay_, {0, 1},
                 "what an item weighs of the next one; 0: only the last counts, 1: all the same");
    table().flag("seen", seen_, "1: items of the history may be shown too");
    declare_print_format(
        tsv_, table(),
        "text: one line per history, tsv: one line per item (history, rank, item, score)");
    declare_threads(threads_, table());
  }
  void run() override;

 private:
  WordTable read_answers(const WordTable& vectors) const;
  History history_of(const Asked& asked, const WordTable& vectors, const WordTable& contexts);
  void answer(const std::vector<Asked>& asked, const WordTable& vectors, const WordTable& contexts,
              int threads);
  void print(const Asked& asked, const WordTable& contexts,
             const std::vector<ScoredRow>& rows) const;
  void report() const;

  std::string context_;
  int64_t to_ = 10;
  double decay_ = 0.7;
  bool seen_ = false;
  bool tsv_ = false;
  std::optional<int> threads_;
  std::unordered_set<std::string> unknown_;
  int64_t lost_ = 0;  // histories without a known item
};

WordTable NextCommand::read_answers(const WordTable& vectors) const {
  const std::string& path = positional()[0];
  if (context_.empty() && path == "-") {
    throw UsageError("no context vectors; give -context FILE beside VECTORS -");
  }
  const std::string from = context_.empty() ? context_path(path) : context_;
  if (context_.empty() && !std::filesystem::exists(from)) {
    throw Error(
        format("no context vectors at %s; train with -output-context, or give -context FILE",
               from.c_str()));
  }
  WordVectors contexts = read_vectors(from);
  if (contexts.vectors.columns() != vectors.rows().columns()) {
    throw Error(format("%s has vectors of size %ld, and %s of size %ld; give files of one training",
                       path.c_str(), static_cast<long>(vectors.rows().columns()), from.c_str(),
                       static_cast<long>(contexts.vectors.columns())));
  }
  add_alike(vectors, contexts);
  return WordTable(std::move(contexts));
}

History NextCommand::history_of(const Asked& asked, const WordTable& vectors,
                                const WordTable& contexts) {
  History history;
  for (const std::string& item : asked.items) {
    const int64_t row = vectors.find(item);
    if (row >= 0) {
      history.items.push_back(row);
    } else {
      unknown_.insert(item);
    }
    const int64_t seen = seen_ ? -1 : contexts.find(item);
    if (seen >= 0) history.left_out.push_back(seen);
  }
  lost_ += history.items.empty() ? 1 : 0;
  return history;
}

void NextCommand::answer(const std::vector<Asked>& asked, const WordTable& vectors,
                         const WordTable& contexts, int threads) {
  std::vector<History> histories;
  histories.reserve(asked.size());
  for (const Asked& one : asked) histories.push_back(history_of(one, vectors, contexts));
  const auto answers = next_items(vectors.rows(), contexts.rows(), histories, decay_, to_, threads);
  for (size_t i = 0; i < asked.size(); ++i) print(asked[i], contexts, answers[i]);
}

void NextCommand::print(const Asked& asked, const WordTable& contexts,
                        const std::vector<ScoredRow>& rows) const {
  std::vector<ShownAnswer> answers;
  for (const auto& [id, score] : rows) {
    answers.push_back({contexts.words()[static_cast<size_t>(id)], double{score}});
  }
  print_answers(one_line(asked.text), answers, tsv_);
}

void NextCommand::report() const {
  if (!unknown_.empty()) {
    print_message(format("acevec: no vector for %s, such as \"%s\"",
                         counted(std::ssize(unknown_), "item").c_str(),
                         excerpt(*unknown_.begin()).c_str()));
  }
  if (lost_ > 0) {
    print_message(format("acevec: %s had no known item; answered with the first items of the file",
                         counted(lost_, "question").c_str()));
  }
}

void NextCommand::run() {
  if (positional().empty()) throw UsageError("no vectors; call acevec next VECTORS [ITEM ...]");
  const int threads = threads_of(threads_);
  const WordTable vectors(read_vectors(positional()[0]));
  const WordTable contexts = read_answers(vectors);
  const std::vector<std::string> typed = words_behind_vectors(*this);
  const bool asked = for_query_words(typed, [&](const std::vector<std::string>& lines) {
    std::vector<Asked> histories;
    if (typed.empty()) {
      for (const std::string& line : lines) histories.push_back({line, items_of(line)});
    } else {
      histories.push_back({joined(typed), typed});
    }
    answer(histories, vectors, contexts, threads);
  });
  if (!asked)
    throw Error("no history; give items as arguments, or one history per line on standard input");
  report();
}

}  // namespace

std::unique_ptr<CommandLine> make_next() {
  return std::make_unique<NextCommand>();
}

}  // namespace acevec
