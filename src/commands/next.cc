// acevec next VECTORS [ITEM ...]: what comes next after a history of items.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/numbers.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "base/same_file.h"
#include "commands/answers.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "commands/vector_files.h"
#include "text/tokenizer.h"
#include "vectors/next_items.h"
#include "vectors/queries.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

// Items and answers of the histories that are answered together: more of them share more work, and
// take more memory.
constexpr int64_t kMostAtOnce = 1 << 18;

// What -preset items trains: the vectors of items, and for each the context in the same row.
struct ItemModel {
  WordTable items;
  Matrix contexts;
};

constexpr CommandText kNext{
    "next", "acevec next VECTORS [ITEM ...] [OPTION VALUE ...]",
    "Shows the items that are likely to come next after a history of items, the oldest first. "
    "Items come\nas arguments, which are one history, or on standard input, one history per line. "
    "Vectors are those\nthat acevec -preset items -output FILE writes, with context vectors beside "
    "them. Where no item is\nknown, the answer is the first items of the file, the most frequent."
    "\n",
    kVectorCommands};

class NextCommand final : public CommandLine {
 public:
  NextCommand() : CommandLine(kNext) {
    table().group("Query");
    table()
        .input_file("context", context_, "the context vectors")
        .default_later("items-context.bin of items.bin");
    table().integer("top", next_.most, {1, 1e9}, "items to show, the likeliest first");
    table().real("decay", next_.decay, {0, 1},
                 "what an item weighs of the next one; 0: only the last counts, 1: all the same");
    table().flag("seen", next_.seen, "1: items of the history may be shown too");
    declare_print_format(
        tsv_, table(),
        "text: one line per history, tsv: one line per item (history, rank, item, score)");
    declare_threads(threads_, table());
  }
  void run() override;

 private:
  ItemModel read_model() const;
  History history_of(const std::string& line, const WordTable& items);
  void answer(const std::vector<std::string>& lines, const ItemModel& model);
  void report() const;

  std::string context_;
  NextSettings next_;
  bool tsv_ = false;
  std::optional<int> threads_;
  int64_t unknown_ = 0;  // items of histories without a vector
  std::string first_unknown_;
  int64_t lost_ = 0;  // histories without a known item
};

ItemModel NextCommand::read_model() const {
  const std::string& path = positional()[0];
  if (context_.empty() && path == "-") {
    throw UsageError("no context vectors; give -context FILE beside VECTORS -");
  }
  WordVectors items = read_vectors_with_notes(path);
  const std::string from = context_.empty() ? context_path(path) : context_;
  if (context_.empty() && !exists(from)) {
    throw Error(format("no context vectors at %s; train with -preset items, or give -context FILE",
                       from.c_str()));
  }
  WordVectors contexts = read_vectors_with_notes(from);
  if (contexts.vectors.columns() != items.vectors.columns()) {
    throw Error(format("%s has vectors of size %ld, and %s of size %ld; give files of one training",
                       path.c_str(), static_cast<long>(items.vectors.columns()), from.c_str(),
                       static_cast<long>(contexts.vectors.columns())));
  }
  if (contexts.words != items.words) {
    throw Error(
        format("%s and %s have different items, or in another order; give files of one "
               "training",
               path.c_str(), from.c_str()));
  }
  require_scorable(items.vectors, contexts.vectors);
  return {WordTable(std::move(items)), std::move(contexts.vectors)};
}

History NextCommand::history_of(const std::string& line, const WordTable& items) {
  History history;
  TextReport report;
  const auto add = [&](std::string_view item) {
    const int64_t row = items.find(item);
    if (row >= 0) {
      history.push_back(row);
    } else if (unknown_++ == 0) {
      first_unknown_ = item;
    }
  };
  split_tokens(line, report, add, [] {});
  lost_ += history.empty() ? 1 : 0;
  return history;
}

void NextCommand::answer(const std::vector<std::string>& lines, const ItemModel& model) {
  const int64_t shown = std::min(next_.most, model.contexts.rows());
  for (size_t done = 0; done < lines.size();) {
    std::vector<History> histories;
    for (int64_t room = kMostAtOnce; room > 0 && done + histories.size() < lines.size();) {
      histories.push_back(history_of(lines[done + histories.size()], model.items));
      room -= std::ssize(histories.back()) + shown;
    }
    const auto answers =
        next_items(model.items.rows(), model.contexts, histories, next_, threads_of(threads_));
    for (const auto& rows : answers) {
      print_answers(one_line(lines[done++]), rows, model.items.words(), tsv_);
    }
  }
}

void NextCommand::report() const {
  if (unknown_ > 0) {
    print_message(format("acevec: no vector for %s, such as \"%s\"",
                         counted(unknown_, "item").c_str(), excerpt(first_unknown_).c_str()));
  }
  if (lost_ > 0) {
    print_message(format("acevec: %s had no known item; answered with the first items of the file",
                         counted(lost_, "question").c_str()));
  }
}

void NextCommand::run() {
  const ItemModel model = read_model();
  std::vector<std::string> typed = words_behind_vectors(*this);
  if (!typed.empty()) typed = {joined(typed, " ")};
  const bool asked = for_query_words(typed, [&](const auto& lines) { answer(lines, model); });
  if (!asked)
    throw Error("no history; give items as arguments, or one history per line on standard input");
  report();
}

}  // namespace

std::unique_ptr<CommandLine> make_next() {
  return std::make_unique<NextCommand>();
}

}  // namespace acevec
