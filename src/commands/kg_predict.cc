// acevec kg predict: what completes a triple, and how likely triples are.

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/numbers.h"
#include "base/progress.h"
#include "commands/answers.h"
#include "commands/commands.h"
#include "commands/vector_files.h"
#include "tasks/kg/graph.h"
#include "tasks/kg/predictor.h"
#include "text/lines.h"
#include "vectors/queries.h"

namespace acevec {
namespace {

using Names3 = std::array<std::string, 3>;  // head, relation, tail as typed; one may be "?"

// The columns of a line; nothing where there are not three.
std::optional<Names3> columns_of(const std::string& line) {
  const std::vector<std::string_view> columns = split(line, "\t");
  if (columns.size() != 3) return {};
  return Names3{std::string(columns[0]), std::string(columns[1]), std::string(columns[2])};
}

bool asks_for_one(const Names3& typed) {
  return std::count(typed.begin(), typed.end(), "?") == 1;
}

std::string shown(const Names3& typed) {
  return typed[0] + " " + typed[1] + " " + typed[2];
}

// What is wrong with a question that does not ask for one thing.
std::string not_one(const Names3& typed) {
  return "\"" + excerpt(shown(typed)) +
         "\" does not ask for head, relation or tail; put a ? in place of one of them";
}

// The question on a line of standard input; nothing, reported on standard error, where it holds
// none.
std::optional<Names3> question_on(const std::string& line) {
  std::optional<Names3> typed = columns_of(line);
  if (!typed) {
    print_message("acevec: \"" + excerpt(line) +
                  "\" is not a question; give head, relation and tail with tabs between them");
  } else if (!asks_for_one(*typed)) {
    print_message("acevec: " + not_one(*typed));
    return {};
  }
  return typed;
}

// The names' numbers, 0 for "?"; nothing where a name is not known, of which unknown(column) tells.
template <class Unknown>
std::optional<Triple> triple_of(const KgFile& file, const Names3& typed, const Unknown& unknown) {
  Triple triple{};
  bool known = true;
  for (size_t i = 0; i < typed.size(); ++i) {
    if (typed[i] == "?") continue;
    const int32_t id = triple.*kTripleColumns[i] = file.names(i).find(typed[i]);
    if (id < 0) unknown(i);
    known = known && id >= 0;
  }
  return known ? std::optional(triple) : std::nullopt;
}

// As tables: each answer makes a whole triple.
void print_triples(Names3 typed, size_t missing, const std::vector<ShownAnswer>& answers) {
  int rank = 0;
  for (const auto& [name, distance] : answers) {
    typed[missing] = name;
    std::printf("%s\t%s\t%s\t%d\t%.6f\n", typed[0].c_str(), typed[1].c_str(), typed[2].c_str(),
                ++rank, distance);
  }
}

// The names of a line of ids; nothing where it is none.
std::optional<Names3> named(std::string_view line, const Names& entities, const Names& relations) {
  const auto ids = ids_on(line);
  if (!ids) return {};
  const auto [head, tail, relation] = *ids;
  const auto name = [](const Names& names, int32_t id) {
    return names.size() == 0   ? std::to_string(id)
           : id < names.size() ? names.name(id)
                               : "id " + std::to_string(id);
  };
  return Names3{name(entities, head), name(relations, relation), name(entities, tail)};
}

// Calls `use` with the columns and the triple of every line of a file whose names are known; tells
// of the others on standard error, once of all. Reads the formats that read_graph() does.
template <class Use>
void for_triples(const KgFile& file, const std::string& path, const Use& use) {
  LineReader lines(path);
  std::optional<std::string_view> line = lines.next();
  const std::optional<int32_t> count = count_of(line);
  Names entities, relations;
  if (count) {
    const auto [entity_list, relation_list] = name_lists(path);
    entities = read_names(entity_list);
    relations = read_names(relation_list);
    line = lines.next();
  }
  int64_t read = 0, bad = 0, lost = 0;
  std::string bad_line, lost_name;  // examples
  for (; line; line = lines.next(), ++read) {
    const std::string text(*line);
    const std::optional<Names3> typed = count ? named(text, entities, relations) : columns_of(text);
    if (!typed || std::count(typed->begin(), typed->end(), "?") > 0) {
      if (bad++ == 0) bad_line = text;
    } else if (const std::optional<Triple> triple =
                   triple_of(file, *typed, [&](size_t i) { lost_name = (*typed)[i]; })) {
      use(*typed, *triple);
    } else {
      ++lost;
    }
  }
  if (bad > 0) {
    print_message(format("acevec: left out %s of %s that %s, such as \"%s\"; give %s",
                         counted(bad, "line").c_str(), lines.name().c_str(),
                         bad == 1 ? "is no triple" : "are no triples", excerpt(bad_line).c_str(),
                         count ? "the ids of head, tail and relation"
                               : "head, relation and tail with tabs between them"));
  }
  if (lost > 0) {
    print_message(
        format("acevec: left out %s of %s with a name that the model does not know, such as \"%s\"",
               counted(lost, "triple").c_str(), lines.name().c_str(), excerpt(lost_name).c_str()));
  }
  if (count) check_count(lines.name(), *count, read);
}

// Writes a line for each triple: its columns, its distance and, with `valid`, whether it holds.
void score_triples(const KgFile& file, const std::string& path, const std::string& valid) {
  std::optional<Judge> judge;
  if (!valid.empty()) {
    std::vector<Triple> triples;
    for_triples(file, valid,
                [&](const Names3&, const Triple& triple) { triples.push_back(triple); });
    if (triples.empty()) {
      throw Error(
          format("no threshold can be chosen on %s; give triples that the model knows the "
                 "names of",
                 valid.c_str()));
    }
    judge.emplace(file.model, triples, KnownTriples(file.entities.size(), {file.known, triples}));
    print_message(format("accuracy on the triples of %s and as many false ones: %.2f%%",
                         valid.c_str(), 100 * judge->accuracy()));
  }
  bool any = false;
  for_triples(file, path, [&](const Names3& typed, const Triple& triple) {
    any = true;
    const float distance = file.model.distance(triple);
    std::printf("%s\t%s\t%s\t%.6f", typed[0].c_str(), typed[1].c_str(), typed[2].c_str(),
                static_cast<double>(distance));
    if (judge) std::printf("\t%s", judge->holds(triple, distance) ? "true" : "false");
    std::printf("\n");
  });
  if (!any)
    throw Error("no triple could be scored; give triples that the model knows the names of");
}

constexpr CommandText kKgPredict{
    "kg predict", "acevec kg predict MODEL [HEAD RELATION '?'] [OPTION VALUE ...]",
    "Completes triples: HEAD RELATION '?' asks for tails, '?' RELATION TAIL for heads, and\n"
    "HEAD '?' TAIL for relations. Without a question as argument, questions come from standard\n"
    "input, one per line, separated by tabs. A smaller distance means a more likely triple.\n"};

class KgPredictCommand final : public CommandLine {
 public:
  KgPredictCommand();
  void run() override;

 private:
  bool answer(const Names3& typed, const KgFile& file, Predictor& predictor) const;
  void answer_questions(const KgFile& file, const std::optional<Names3>& typed) const;

  std::string score_file_, valid_;
  int64_t top_ = 10;
  bool known_ = true;
  bool tsv_ = false;
};

KgPredictCommand::KgPredictCommand() : CommandLine(kKgPredict) {
  const auto scores = [this] { return !score_file_.empty(); };
  table().group("Query");
  table().input_file(
      "score-file", score_file_,
      "print the distances of these triples instead of answers: head, tab, relation, tab, tail; "
      "or ids, as -train of acevec kg; packed files are unpacked, - is standard input");
  table()
      .input_file("valid", valid_,
                  "true triples to choose a threshold on; -score-file then also prints true or "
                  "false for each triple")
      .need("-score-file", scores);
  const auto asks =
      table().all_need("a question in place of -score-file", [scores] { return !scores(); });
  table().integer("top", top_, {1, 1e9}, "answers to show, the nearest first");
  table().flag("known", known_, "show (1) or leave out (0) answers that make a training triple");
  declare_print_format(
      tsv_, table(),
      "text: one line per question; tsv: one line per answer (head, relation, tail, rank, "
      "distance)");
}

// Returns false when a name is not known.
bool KgPredictCommand::answer(const Names3& typed, const KgFile& file, Predictor& predictor) const {
  const std::optional<Triple> triple =
      triple_of(file, typed, [&](size_t i) { report_unknown({typed[i]}, file.names(i).all()); });
  if (!triple) return false;
  const auto missing =
      static_cast<size_t>(std::find(typed.begin(), typed.end(), "?") - typed.begin());
  std::vector<ShownAnswer> answers;
  for (const int32_t id : predictor.nearest(*triple, missing, static_cast<size_t>(top_), known_)) {
    answers.push_back({file.names(missing).name(id), double{predictor.distance(id)}});
  }
  tsv_ ? print_triples(typed, missing, answers) : print_answers(shown(typed), answers, false);
  return true;
}

// The question `typed`, or those on standard input.
void KgPredictCommand::answer_questions(const KgFile& file,
                                        const std::optional<Names3>& typed) const {
  Predictor predictor(file);
  bool any = typed && answer(*typed, file, predictor);
  if (!typed) {
    InputLines lines;
    for (std::vector<std::string> batch; lines.next(batch); std::fflush(stdout)) {
      for (const std::string& line : batch) {
        const std::optional<Names3> question = question_on(line);
        if (question) any = answer(*question, file, predictor) || any;
      }
    }
  }
  if (!any) throw Error("no question could be answered; ask about names that the model knows");
}

void KgPredictCommand::run() {
  const std::vector<std::string>& words = positional();
  if (words.size() != 1 && words.size() != 4) {
    throw UsageError("a question is a head, a relation and a tail, of which one is '?'");
  }
  std::optional<Names3> typed;
  if (words.size() == 4) typed = {words[1], words[2], words[3]};
  if (typed && !asks_for_one(*typed)) throw Error(not_one(*typed));
  if (typed && !score_file_.empty()) {
    throw UsageError("a question and -score-file exclude each other; give one of them");
  }
  table().refuse_idle();
  const KgFile file = read_kg(words[0]);
  if (score_file_.empty()) {
    answer_questions(file, typed);
  } else {
    score_triples(file, score_file_, valid_);
  }
}

}  // namespace

std::unique_ptr<CommandLine> make_kg_predict() {
  return std::make_unique<KgPredictCommand>();
}

}  // namespace acevec
