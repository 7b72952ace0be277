// acevec kg predict, eval and export: completes triples, prints how likely triples are and how true
// ones rank, and writes a model's vectors for other programs.

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/numbers.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "base/same_file.h"
#include "commands/answers.h"
#include "commands/commands.h"
#include "commands/graph_options.h"
#include "commands/shared_options.h"
#include "commands/vector_files.h"
#include "tasks/kg/candidates.h"
#include "tasks/kg/model.h"
#include "tasks/kg/predictor.h"
#include "tasks/kg/triple_reader.h"
#include "text/lines.h"
#include "vectors/queries.h"

namespace acevec {
namespace {

using Names3 = std::array<std::string, 3>;  // head, relation, tail as typed; one may be "?"

constexpr size_t kNoColumn = 3;

// Returns the column that a question asks for; kNoColumn for none.
size_t asked_column(const Names3& names) {
  return static_cast<size_t>(std::ranges::find(names, "?") - names.begin());
}

std::string shown(const Names3& names) {
  return names[0] + " " + names[1] + " " + names[2];
}

bool asks_for_one(const Names3& names) {
  return std::ranges::count(names, "?") == 1;
}

// Returns the error about names that do not ask for exactly one.
std::string not_one(const Names3& names) {
  return "\"" + excerpt(shown(names)) +
         "\" does not ask for head, relation or tail; put '?' in place of one of them";
}

// Returns the ids of the names, 0 in the column `missing`. If a name is unknown, calls
// unknown(column) and returns nothing.
template <class Unknown>
std::optional<Triple> triple_of(const KgFile& file, const Names3& names, size_t missing,
                                const Unknown& unknown) {
  Triple triple{};
  bool known = true;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i == missing) continue;
    const int32_t id = triple.*kTripleColumns[i] = file.names(i).find(names[i]);
    if (id < 0) unknown(i);
    known = known && id >= 0;
  }
  return known ? std::optional(triple) : std::nullopt;
}

// Calls `use` with the names and the triple of every line of a file whose names are all known, and
// reports the other lines together on standard error. Throws Error if no line can be used.
template <class Use>
void for_triples(const KgFile& file, const std::string& path, const TripleFormat& layout,
                 const Use& use) {
  TripleReader lines(path, layout, path);
  int64_t used = 0, bad = 0, lost = 0;
  std::string bad_line, lost_name;  // examples
  while (lines.next()) {
    if (!lines.fault().empty()) {
      if (bad++ == 0) bad_line = "\"" + excerpt(lines.line()) + "\", which " + lines.fault();
    } else if (const std::optional<Triple> triple =
                   triple_of(file, lines.names(), kNoColumn,
                             [&](size_t i) { lost_name = lines.names()[i]; })) {
      ++used;
      use(lines.names(), *triple);
    } else {
      ++lost;
    }
  }
  if (used + lost == 0) {
    throw Error(bad == 0 ? lines.file() + " is empty; give triples"
                         : "no line of " + lines.file() + " is a triple, such as " + bad_line);
  }
  if (bad > 0) {
    print_message(format("acevec: left out %s of %s that %s, such as %s",
                         counted(bad, "line").c_str(), lines.file().c_str(),
                         bad == 1 ? "is not a triple" : "are not triples", bad_line.c_str()));
  }
  if (used == 0) {
    throw Error(format(
        "%s has no triple whose names the model knows, but others, such as \"%s\"; give the file "
        "that belongs to the model",
        lines.file().c_str(), excerpt(lost_name).c_str()));
  }
  if (lost > 0) {
    print_message(
        format("acevec: left out %s of %s with a name that the model does not know, such as \"%s\"",
               counted(lost, "triple").c_str(), lines.file().c_str(), excerpt(lost_name).c_str()));
  }
}

// Returns a file's triples whose names are known, sorted and without duplicates.
std::vector<Triple> read_triples(const KgFile& file, const std::string& path,
                                 const TripleFormat& layout) {
  std::vector<Triple> triples;
  for_triples(file, path, layout,
              [&](const Names3&, const Triple& triple) { triples.push_back(triple); });
  std::ranges::sort(triples);
  triples.erase(std::unique(triples.begin(), triples.end()), triples.end());
  return triples;
}

// Prints a line per triple: its columns, its distance and, with `valid`, whether it holds.
void score_triples(const KgFile& file, const std::string& path, const std::string& valid,
                   const TripleFormat& layout) {
  std::optional<Judge> judge;
  if (!valid.empty()) {
    const std::vector<Triple> triples = read_triples(file, valid, layout);
    judge.emplace(file.model, triples, KnownTriples(file.entities.size(), {file.known, triples}));
    print_message(format("accuracy on the triples of %s and as many false ones: %.2f%%",
                         input_name(valid).c_str(), 100 * judge->accuracy()));
  }
  for_triples(file, path, layout, [&](const Names3& typed, const Triple& triple) {
    const float distance = file.model.distance(triple);
    std::printf("%s\t%s\t%s\t%.6f", typed[0].c_str(), typed[1].c_str(), typed[2].c_str(),
                static_cast<double>(distance));
    if (judge) std::printf("\t%s", judge->holds(triple, distance) ? "true" : "false");
    std::printf("\n");
  });
}

constexpr CommandText kKgPredict{
    "kg predict", "acevec kg predict MODEL [HEAD RELATION '?'] [OPTION VALUE ...]",
    "Completes triples: HEAD RELATION '?' asks for tails, '?' RELATION TAIL for heads, and\n"
    "HEAD '?' TAIL for relations. Without a question as argument, questions come from standard\n"
    "input, one per line, in any format of acevec kg -train. A smaller distance means a more "
    "likely triple.\n"};

class KgPredictCommand final : public CommandLine {
 public:
  KgPredictCommand() : CommandLine(kKgPredict) {
    table().group("Query");
    table().input_file(
        "score-file", score_file_,
        "print the distances of these triples instead of answers: head, tab, relation, tab, tail; "
        "or another format of acevec kg -train; packed files are unpacked, - is standard input");
    table()
        .input_file("valid", valid_,
                    "true triples to choose a threshold on; -score-file then also prints true or "
                    "false for each triple")
        .need("-score-file");
    {
      const auto reads = table().all_need("-score-file or questions on standard input",
                                          [this] { return positional().size() == 1; });
      declare_triple_format(layout_, table());
    }
    const auto asks = table().all_need("a question in place of -score-file",
                                       [this] { return score_file_.empty(); });
    table().integer("top", top_, {1, 1e9}, "answers to show, the nearest first");
    table().flag("known", known_, "show (1) or leave out (0) answers that form a training triple");
    declare_print_format(tsv_, table(),
                         "text: a question and below it its answers; tsv: a row for each answer "
                         "(head, relation, tail, rank, distance)");
    declare_threads(threads_, table());
  }

  void run() override {
    const std::vector<std::string>& words = positional();
    if (words.size() != 1 && words.size() != 4) {
      throw UsageError("a question is a head, a relation and a tail, of which one is '?'");
    }
    std::optional<Names3> typed;
    if (words.size() == 4) {
      typed = {words[1], words[2], words[3]};
      if (!asks_for_one(*typed)) {
        const bool is_whole = asked_column(*typed) == kNoColumn;
        throw Error(not_one(*typed) + (is_whole ? "; -score-file scores whole triples" : ""));
      }
    }
    if (typed && !score_file_.empty()) {
      throw UsageError("a question and -score-file exclude each other; give one of them");
    }
    table().refuse_idle();
    const int threads = threads_of(threads_);
    const KgFile file = read_kg(words[0]);
    if (!score_file_.empty()) {
      score_triples(file, score_file_, valid_, layout_);
      return;
    }
    const Predictor predictor(file, known_);
    const bool answered =
        typed ? answer({*typed}, file, predictor, threads) : answer_lines(file, predictor, threads);
    if (!answered)
      throw Error("no question could be answered; ask about names that the model knows");
  }

 private:
  // Prints the answers to a question; with tsv as whole triples.
  void print(Names3 names, const std::vector<Completion>& found, const KgFile& file) const {
    const size_t column = asked_column(names);
    const std::vector<std::string>& answers = file.names(column).all();
    if (!tsv_) return print_answers(shown(names), found, answers, false);
    int rank = 0;
    for (const auto& [id, distance] : found) {
      names[column] = answers[static_cast<size_t>(id)];
      std::printf("%s\t%s\t%s\t%d\t%.6f\n", names[0].c_str(), names[1].c_str(), names[2].c_str(),
                  ++rank, double{distance});
    }
  }

  // Answers the questions whose names are known. Returns false when there are none.
  bool answer(const std::vector<Names3>& typed, const KgFile& file, const Predictor& predictor,
              int threads) const {
    std::vector<Names3> known;
    std::vector<OpenTriple> questions;
    for (const Names3& names : typed) {
      const size_t column = asked_column(names);
      const auto triple = triple_of(file, names, column, [&](size_t i) {
        report_unknown({names[i]}, file.names(i).all(), true, i == 1 ? "relation" : "entity");
      });
      if (!triple) continue;
      known.push_back(names);
      questions.push_back({*triple, column});
    }
    constexpr int64_t kMostAnswers = 1 << 24;  // in memory at once
    const int64_t most = std::min<int64_t>(top_, file.entities.size() + file.relations.size());
    const auto together = static_cast<size_t>(
        std::clamp<int64_t>(kMostAnswers / most, 1, QuestionBatch::kMost * threads));
    for (size_t begin = 0; begin < known.size(); begin += together) {
      const auto some =
          std::span(questions).subspan(begin, std::min(together, questions.size() - begin));
      const auto found = predictor.nearest(some, most, threads);
      for (size_t i = 0; i < some.size(); ++i) print(known[begin + i], found[i], file);
    }
    return !known.empty();
  }

  // Answers the questions on standard input. Those that can be read without waiting are answered
  // together.
  bool answer_lines(const KgFile& file, const Predictor& predictor, int threads) const {
    bool any = false;
    TripleReader lines("-", layout_, "-");
    for (; lines.next(); flush_output()) {
      std::vector<Names3> questions;
      size_t count = 0;
      do {
        const std::string& fault = lines.fault();
        if (!fault.empty()) {
          print_message("acevec: \"" + excerpt(lines.line()) + "\" " + fault);
        } else if (asks_for_one(lines.names())) {
          questions.push_back(lines.names());
        } else {
          print_message("acevec: " + not_one(lines.names()));
        }
      } while (lines.joins_batch(++count) && lines.next());
      any = answer(questions, file, predictor, threads) || any;
    }
    return any;
  }

  std::string score_file_, valid_;
  TripleFormat layout_;
  int64_t top_ = 10;
  bool known_ = true;
  bool tsv_ = false;
  std::optional<int> threads_;
};

constexpr CommandText kKgEval{
    "kg eval", "acevec kg eval MODEL -test FILE [OPTION VALUE ...]",
    "Prints how a model ranks test triples, as training does at its end. Both entities of a triple "
    "are\nranked among all; filtered ranks leave out those that form another known triple.\n"};

class KgEvalCommand final : public CommandLine {
 public:
  KgEvalCommand() : CommandLine(kKgEval) {
    table().group("Evaluation");
    table().input_file("test", test_, "test triples, in any format of acevec kg -train");
    table().input_file("valid", valid_,
                       "other true triples, which filtered ranks leave out as they do those of "
                       "training and -test");
    declare_triple_format(layout_, table());
    declare_print_format(tsv_, table());
    declare_threads(threads_, table());
  }

  void run() override {
    if (test_.empty()) throw UsageError("no test triples; give some with -test FILE");
    const int threads = threads_of(threads_);
    const KgFile file = read_kg(positional()[0]);
    const std::vector<Triple> test = read_triples(file, test_, layout_);
    std::vector<Triple> valid;
    if (!valid_.empty()) valid = read_triples(file, valid_, layout_);
    std::vector<Triple> trained;
    std::ranges::set_intersection(file.known, test, std::back_inserter(trained));
    if (!trained.empty()) {
      print_message(format(
          "acevec: note: the model was trained on %s of the %s; their ranks say "
          "little about new ones",
          grouped(std::ssize(trained)).c_str(), counted(std::ssize(test), "test triple").c_str()));
    }
    const KnownTriples known(file.entities.size(), {file.known, valid, test});
    Progress progress(false);
    const LinkScores scores = rank_links(file.model, test, known, threads, &progress);
    std::vector<std::vector<std::string>> rows{
        {"ranks", "triples", "mean_rank", "MRR", "Hits@1", "Hits@3", "Hits@10"}};
    for (const auto& [name, score] :
         {std::pair{"raw", scores.raw}, {"filtered", scores.filtered}}) {
      rows.push_back({name, std::to_string(test.size()), decimal(score.mean_rank, tsv_, 1)});
      for (const double one : {score.mrr, score.hits1, score.hits3, score.hits10}) {
        rows.back().push_back(decimal(one, tsv_, 4));
      }
    }
    print_table(rows, tsv_);
  }

 private:
  std::string test_, valid_;
  TripleFormat layout_;
  bool tsv_ = false;
  std::optional<int> threads_;
};

constexpr CommandText kKgExport{
    "kg export", "acevec kg export MODEL [OPTION VALUE ...]",
    "Writes the vectors of a model's entities and relations in any format.\n"};

class KgExportCommand final : public CommandLine {
 public:
  KgExportCommand() : CommandLine(kKgExport) {
    table().group("File");
    declare_graph_vectors(paths_, table());
  }

  void run() override {
    if (paths_.entities.empty() && paths_.relations.empty()) {
      throw UsageError("no output; give -output-entities FILE or -output-relations FILE");
    }
    GraphVectorFiles files;
    files.open(paths_);
    const KgFile model = read_kg(positional()[0]);
    files.write(model.entities, model.relations, model.model);
    commit_together(files.entities, files.relations);
    for (const auto& file : {std::cref(files.entities), std::cref(files.relations)}) {
      if (file.get()) print_message("wrote " + file.get()->written());
    }
  }

 private:
  GraphVectorPaths paths_;
};

}  // namespace

const Maker make_kg_predict = make_command<KgPredictCommand>;
const Maker make_kg_eval = make_command<KgEvalCommand>;
const Maker make_kg_export = make_command<KgExportCommand>;

}  // namespace acevec
