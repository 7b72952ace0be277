// acevec next VECTORS [ITEM ...]: predicts the next item after a history of items.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
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
#include "text/lines.h"
#include "text/tokenizer.h"
#include "vectors/next_items.h"
#include "vectors/queries.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

// The items and answers of histories that are processed together: more share more work, but take
// more memory.
constexpr int64_t kMostAtOnce = 1 << 18;

// The vectors of items, and each item's context vector in the same row, as -preset items trains
// them.
struct ItemModel {
  WordTable items;
  Matrix contexts;
};

// Sums over the lines of a test, and the numbers of omitted lines.
struct Measures {
  int64_t lines = 0;
  double hits = 0;
  double gains = 0;        // for NDCG: 1 / log2(2 + rank)
  double reciprocals = 0;  // for MRR
  int64_t short_lines = 0;
  int64_t unknown_answers = 0;
  int64_t unknown_histories = 0;
};

// Detects lines that begin with a user id: nearly every line then begins with a different token
// that has no vector.
class FirstItems {
 public:
  void add(std::string_view item, bool known) {
    if (lines_ == kMostLines) return;
    ++lines_;
    if (!known) unknown_.emplace(item);
  }

  bool are_ids() const { return lines_ >= kLeastLines && 10 * std::ssize(unknown_) >= 9 * lines_; }

 private:
  static constexpr int64_t kLeastLines = 10;
  static constexpr int64_t kMostLines = 10000;
  int64_t lines_ = 0;
  std::unordered_set<std::string> unknown_;
};

constexpr CommandText kNext{
    "next", "acevec next VECTORS [ITEM ...] [OPTION VALUE ...]",
    "Shows the items that are likely to come next after a history of items, the oldest first. "
    "Items come\nas arguments, which are one history, or on standard input, one history per line. "
    "Vectors are those\nthat acevec -preset items -output FILE writes, with context vectors beside "
    "them. If no item is\nknown, the answers are the first items of the file, the most frequent.\n",
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
                 "weight of an item relative to the one after it; 0: only the last counts, 1: all "
                 "count the same");
    table().flag("seen", next_.seen, "1: items of the history may be shown too");
    declare_print_format(tsv_, table(),
                         "text: a history and below it its items; tsv: a row for each item "
                         "(history, rank, item, score)");
    table().input_file(
        "test", test_,
        "histories, one per line, whose last item is the answer: instead of items, shows HR@K (the "
        "lines whose answer is among the first K = -top), NDCG@K and MRR, in percent");
    declare_threads(threads_, table());
  }

  void run() override {
    std::vector<std::string> typed = words_after_vectors(*this);
    if (!test_.empty() && !typed.empty()) {
      throw UsageError("-test takes its histories from the file; give no items");
    }
    const ItemModel model = read_model();
    if (!test_.empty()) return test_file(model);
    if (!typed.empty()) typed = {joined(typed, " ")};
    const bool asked = for_query_words(typed, [&](const auto& lines) { answer(lines, model); });
    if (!asked)
      throw Error("no history; give items as arguments, or one history per line on standard input");
    report();
  }

 private:
  ItemModel read_model() const {
    const std::string& path = positional()[0];
    if (context_.empty() && path == "-") {
      throw UsageError("no context vectors; give -context FILE beside VECTORS -");
    }
    WordVectors items = read_vectors_with_notes(path);
    const std::string from = context_.empty() ? context_path(path) : context_;
    if (context_.empty() && !exists(from)) {
      throw Error(
          format("no context vectors beside %s; train with -preset items, or give -context FILE",
                 path.c_str()));
    }
    if (same_file(path, from)) {
      throw UsageError("VECTORS and -context are the same file, " + path + "; give two names");
    }
    WordVectors contexts = read_vectors_with_notes(from);
    if (contexts.vectors.columns() != items.vectors.columns()) {
      throw Error(
          format("%s has vectors of size %ld, and %s of size %ld; give the two files of one run",
                 path.c_str(), static_cast<long>(items.vectors.columns()), from.c_str(),
                 static_cast<long>(contexts.vectors.columns())));
    }
    if (contexts.words != items.words) {
      throw Error(format(
          "%s and %s have different items, or in another order; give the two files of one run",
          path.c_str(), from.c_str()));
    }
    require_scorable(items.vectors, contexts.vectors);
    return {WordTable(std::move(items)), std::move(contexts.vectors)};
  }

  // Returns the rows of the items on a line, −1 for an item without a vector.
  std::vector<int64_t> rows_of(const std::string& line, const WordTable& items) {
    std::vector<int64_t> rows;
    TextReport report;
    const auto add = [&](std::string_view item) {
      const int64_t row = items.find(item);
      if (rows.empty()) first_items_.add(item, row >= 0);
      rows.push_back(row);
      if (row < 0 && unknown_++ == 0) first_unknown_ = item;
    };
    split_tokens(line, report, add, [] {});
    return rows;
  }

  History history_of(const std::string& line, const WordTable& items) {
    History history = rows_of(line, items);
    std::erase(history, -1);
    lost_ += history.empty() ? 1 : 0;
    return history;
  }

  void answer(const std::vector<std::string>& lines, const ItemModel& model) {
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
        print_answers(lines[done++], rows, model.items.words(), tsv_);
      }
    }
  }

  void test(const std::vector<std::string>& lines, const ItemModel& model, Measures& sums) {
    std::vector<History> histories;
    std::vector<int64_t> answers;
    for (const std::string& line : lines) {
      History history = rows_of(line, model.items);
      if (history.size() < 2) {
        sums.short_lines += history.empty() ? 0 : 1;  // an empty line is no history
        continue;
      }
      const int64_t answer = history.back();
      history.pop_back();
      std::erase(history, -1);
      if (answer < 0) {
        ++sums.unknown_answers;
      } else if (history.empty()) {
        ++sums.unknown_histories;
      } else {
        histories.push_back(std::move(history));
        answers.push_back(answer);
      }
    }
    for (const double rank : next_ranks(model.items.rows(), model.contexts, histories, answers,
                                        next_, threads_of(threads_))) {
      ++sums.lines;
      sums.reciprocals += 1 / (rank + 1);
      if (rank >= static_cast<double>(next_.most)) continue;
      sums.hits += 1;
      sums.gains += 1 / std::log2(rank + 2);
    }
  }

  void test_file(const ItemModel& model) {
    Measures sums;
    LineReader input(test_);
    for (std::vector<std::string> lines; input.next_batch(lines);) test(lines, model, sums);
    report();
    std::string left_out;
    const auto add = [&left_out](int64_t count, const char* why) {
      if (count == 0) return;
      left_out += (left_out.empty() ? "" : ", ") + counted(count, "line") + " " + why;
    };
    add(sums.short_lines, "of one item");
    add(sums.unknown_answers, "whose last item has no vector");
    add(sums.unknown_histories, "in which only the last item has a vector");
    if (sums.lines == 0) {
      throw Error(format("no line of %s has known items%s%s; give lines of two items or more",
                         input_name(test_).c_str(), left_out.empty() ? "" : ": ",
                         left_out.c_str()));
    }
    const auto percent = [&](double sum, int64_t unknown = 0) {
      return decimal(100 * sum / static_cast<double>(sums.lines + unknown), tsv_);
    };
    const std::string most = std::to_string(next_.most);
    if (sums.unknown_answers > 0) {
      left_out += format("; if unknown answers count as misses, HR@%s is %s", most.c_str(),
                         percent(sums.hits, sums.unknown_answers).c_str());
    }
    if (!left_out.empty()) print_message("acevec: left out " + left_out);
    print_table({{"lines", "HR@" + most, "NDCG@" + most, "MRR"},
                 {std::to_string(sums.lines), percent(sums.hits), percent(sums.gains),
                  percent(sums.reciprocals)}},
                tsv_);
  }

  void report() const {
    if (first_items_.are_ids()) {
      print_message(
          "acevec: nearly every line begins with another item that has no vector; if these are ids "
          "of users, leave them out");
    }
    if (unknown_ > 0) {
      print_message(format("acevec: no vector for %s, such as \"%s\"",
                           counted(unknown_, "item").c_str(), excerpt(first_unknown_).c_str()));
    }
    if (lost_ > 0) {
      print_message(
          format("acevec: %s had no known item; answered with the first items of the file",
                 counted(lost_, "history").c_str()));
    }
  }

  std::string context_;
  std::string test_;
  NextSettings next_;
  bool tsv_ = false;
  std::optional<int> threads_;
  int64_t unknown_ = 0;  // items of histories without a vector
  std::string first_unknown_;
  FirstItems first_items_;
  int64_t lost_ = 0;  // histories without a known item
};

}  // namespace

const Maker make_next = make_command<NextCommand>;

}  // namespace acevec
